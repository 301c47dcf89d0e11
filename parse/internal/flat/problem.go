package flat

// problem is what is to be decoded together.
type problem struct {
	digits  string // the overview's values; "" to decode tests by themselves
	alone   bool   // there is no overview for these tests
	tests   []*puzzle
	systems int
	// group and label of each system in a multi-way result; nil otherwise.
	budget                 *budget
	layout                 layout
	key                    []byte // of the state being made
	group, label           []int
	groupNames, labelNames []string
}

// puzzle is one test's digits with what is known of them.
type puzzle struct {
	region   string
	decimals int
	spaced   bool // a blank stands behind each value, here and in the overview
	starts   []start
	lo, hi   float64 // bounds of the largest value
	dots     int
	listed   []bool // which systems the graph lists; nil if unknown
	count    int    // how many it lists, 0 if unknown
	ses      []float64
	labels   []int      // multi-way: the labels it lists, in order; nil if unknown
	groups   []int      // multi-way: the groups it lists; nil if one or unknown
	limits   [][]limits // line graph: of each group, by reading of the legend
	rest     map[restKey]span
}

// restKey is what decides how many systems a graph may still list.
type restKey struct{ system, labels, groups int }

// span is the least and the most systems that may still be listed; most is
// negative if the graph's lists cannot be completed.
type span struct{ least, most int }

// start is one reading of where the first value begins and what N precedes
// it (0 where no SE is printed).
type start struct {
	off  int
	n    int
	cost float64
}

// choiceKind says what a path reads for a system and a test.
type choiceKind uint8

const (
	absent   choiceKind = iota // the graph does not list the system
	hasValue                   // a value
	isZero                     // exactly 0: stands in the overview only
	noValue                    // listed without a value
)

// choice is one reading of one cell.
type choice struct {
	kind  choiceKind
	value string // as the graph prints it
	raw   string // as the overview prints it
	off   int    // of value, in the region
	start int    // index of the start taken, for the first value; else -1
	table bool   // off is in the overview's digits: the graph prints no value
}

// solution is the outcome of a problem.
type solution struct {
	cost float64
	// cells holds for each layer (system-major) the readings of the cell
	// that lie on some path, cheapest path first.
	cells [][]reading
	// starts holds for each test the cost of the cheapest path by start.
	starts [][]float64
	// bound is the least cost of readings left out for their cost;
	// +Inf if every reading was followed.
	bound float64
}

// reading is one reading of a cell and the cost of the cheapest path with it.
type reading struct {
	choice
	cost float64
}
