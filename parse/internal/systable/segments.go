package systable

import "math"

// segment is a piece of the text that may be one cell of a row.
type segment struct {
	row        int32
	start, end int32   // end is behind the last byte
	next       int32   // where the next cell begins: end, or behind blanks
	cost       float32 // nats
	text       int32   // number of its text, equal for equal texts
}

// Costs of the free search, which knows the order of rows and roughly the
// number of columns, but not what they printed before.
const (
	skipRow  = 0.3 // a row without a cell in a column
	skipMost = 1.5 // and many of them
	// firstFresh is what a new column costs at first, tooMany what one costs
	// that cannot be.
	firstFresh = 6
	tooMany    = 200
	// oddGap is the cost of a boundary with blanks where cells have none
	// between them, or the reverse.
	oddGap = 9
	// tornWord is the cost of a boundary inside a known word.
	tornWord = 8
	// keepFree and keepRuled are how much worse than the best a division
	// that uses a segment may be for the segment to be kept, before and
	// after the rules have spoken.
	keepFree  = 28
	keepRuled = 24
	// hopeless is how much worse than the best end of a value a longer one
	// may be for it to be made longer still: a second value of the row,
	// begun in between, is then cheaper.
	hopeless = 80
	// maxSegments bounds the segments kept: a text with more of them keeps
	// a smaller margin.
	maxSegments = 1_500_000
)

// maxValue is the longest value considered, in bytes, for rows that have
// long ones; for others it is maxPlainValue.
var maxValue = map[string]int{
	"Disk": 700, "Network": 420, "Compiler": 420, "Motherboard": 160, "Graphics": 200, "Monitor": 200,
	"Memory": 200, "OpenCL": 240, "OpenGL": 140, "Processor": 120, "File-System": 40, "Screen Resolution": 30,
	"Vulkan": 60, "Kernel": 120,
}

const maxPlainValue = 110

// lattice holds the segments of a text, by start.
type lattice struct {
	*effort
	text   string
	keys   []string
	ranks  []int // of rows in a column's order
	spaced bool  // cells have a blank between them
	// fresh is what a new column costs: as much as it takes that the best
	// division has no more than there are.
	columns int
	fresh   float32
	margin  float32 // what keepFree and keepRuled are multiplied by
	cuts    []bool  // whether a cell may begin or end at an offset
	torn    []bool  // whether that would tear a known word
	starts  [][]segment
	best    float32 // cost of the best free division
}

// newLattice finds the segments that could be cells.
func newLattice(s *scorer, keys []string, ranks []int, columns int, spaced bool, margin float32) *lattice {
	l := &lattice{
		effort: s.effort, text: s.text, keys: keys, ranks: ranks, columns: columns, spaced: spaced,
		fresh: firstFresh, margin: margin,
	}
	if columns == 1 {
		l.fresh = tooMany
	}
	l.cuts = make([]bool, len(s.text)+1)
	for i := range l.cuts {
		l.cuts[i] = l.canCut(i)
	}
	l.torn = tornWords(s.text)
	l.free(s)
	return l
}

// gap returns the cost of a boundary that is followed by a number of blanks.
func (l *lattice) gap(blanks int) float32 {
	if (blanks > 0) != l.spaced {
		return oddGap
	}
	return 0
}

// turn is the cost of a cell of row b after one of row a in the free search.
func (l *lattice) turn(a, b int) float32 {
	ra, rb := l.ranks[a], l.ranks[b]
	if rb > ra {
		return min(skipRow*float32(rb-ra-1), skipMost)
	}
	return l.fresh + min(skipRow*float32(rb), 1)
}

const inf = float32(math.MaxFloat32 / 4)
