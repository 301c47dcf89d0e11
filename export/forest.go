package export

import (
	"math"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/analyze"
)

// Cells of a forest line.
const (
	forestLeast = 13
	forestMost  = 61
	forestWords = 29 // from here on the axis says which side is better
)

// forest draws ratios and their intervals on one logarithmic axis, a line of
// cells each, with the baseline in the middle: worse left of it, better right.
type forest struct {
	cells int     // odd
	limit float64 // ratio at the right end; its reciprocal is at the left one
	ascii bool
}

// axisLimits are the ratios at which an axis may end.
var axisLimits = []float64{1.1, 1.2, 1.5, 2, 3, 5}

// newForest returns a forest that holds all ratios, and their intervals unless
// those are so wide that the ratios would shrink to one place.
func newForest(ratios []analyze.Quantity, intervals []analyze.Range, cells int, ascii bool) forest {
	most, wide := 0.0, 0.0
	for i, q := range ratios {
		if q.Known && q.X > 0 {
			most = math.Max(most, math.Abs(math.Log(q.X)))
		}
		for _, end := range []analyze.Quantity{intervals[i].Low, intervals[i].High} {
			if end.Known && end.X > 0 {
				wide = math.Max(wide, math.Abs(math.Log(end.X)))
			}
		}
	}
	const room = 0.7 // beside the ratios, for intervals: a factor of two
	return forest{cells: cells, limit: axisLimit(math.Exp(math.Max(most, math.Min(wide, most+room)))), ascii: ascii}
}

// axisLimit returns the first limit that is not below x.
func axisLimit(x float64) float64 {
	for _, limit := range axisLimits {
		if x <= limit {
			return limit
		}
	}
	for power := 10.0; power < math.MaxFloat64/100; power *= 10 {
		for _, step := range []float64{1, 2, 5} {
			if x <= step*power {
				return step * power
			}
		}
	}
	return math.MaxFloat64
}

// place returns the cell of a ratio, which may be one beyond either end.
func (f forest) place(ratio float64) int {
	share := (math.Log(ratio)/math.Log(f.limit) + 1) / 2
	return min(max(int(math.Round(share*float64(f.cells-1))), -1), f.cells)
}

// strokes are what a forest is drawn with.
type strokes struct{ line, low, high, sure, unsure, base, cross, less, more rune }

var (
	boxStrokes   = strokes{'─', '├', '┤', '●', '○', '│', '┼', '◂', '▸'}
	asciiStrokes = strokes{'-', '[', ']', 'O', 'o', '|', '+', '<', '>'}
)

func (f forest) strokes() strokes {
	if f.ascii {
		return asciiStrokes
	}
	return boxStrokes
}

// header returns the axis: its ends and the baseline.
func (f forest) header() string {
	low, high := strconv.FormatFloat(1/f.limit, 'g', 2, 64), strconv.FormatFloat(f.limit, 'g', -1, 64)
	if f.cells >= forestWords && len(low)+len(high) < 10 {
		low, high = low+" worse", "better "+high
	}
	half := f.cells / 2
	return low + strings.Repeat(" ", max(half-len(low), 1)) + "1" + strings.Repeat(" ", max(half-len(high), 1)) + high
}

// baseline returns the line of the baseline itself.
func (f forest) baseline() string {
	return strings.Repeat(" ", f.cells/2) + string(f.strokes().base)
}

// draw returns the line of a ratio: the baseline alone where there is none.
func (f forest) draw(q analyze.Quantity, iv analyze.Range) string {
	s := f.strokes()
	line := []rune(strings.Repeat(" ", f.cells))
	middle := f.cells / 2
	line[middle] = s.base
	if !q.Known || q.X <= 0 {
		return strings.TrimRight(string(line), " ")
	}
	point := s.unsure
	at := min(max(f.place(q.X), 0), f.cells-1)
	if iv.Low.Known && iv.High.Known && iv.Low.X > 0 {
		point = s.sure
		low, high := f.place(iv.Low.X), f.place(iv.High.X)
		for i := max(low, 0); i <= min(high, f.cells-1); i++ {
			line[i] = s.line
			if i == middle {
				line[i] = s.cross
			}
		}
		switch {
		case low < 0:
			line[0] = s.less
		case low < at:
			line[low] = s.low
		}
		switch {
		case high >= f.cells:
			line[f.cells-1] = s.more
		case high > at:
			line[high] = s.high
		}
	}
	// newForest leaves room for all ratios; one beyond is shown as that.
	switch beyond := f.place(q.X); {
	case beyond < 0:
		point = s.less
	case beyond >= f.cells:
		point = s.more
	}
	line[at] = point
	return strings.TrimRight(string(line), " ")
}
