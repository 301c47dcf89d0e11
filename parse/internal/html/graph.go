package html

import "github.com/benchproof/benchproof/result"

// draft is a test as its graph tells it. Which systems its measurements
// belong to is settled when the whole page is known.
type draft struct {
	test result.Test
	// profile is the test profile without its version, as the graph's
	// title links it; "" if it does not.
	profile string
	kind    kind
	bars    []bar // one a measurement
	// Of a line graph: its legend, and the identifiers along its axis.
	lines  []line
	axis   []string
	failed []failure
	// groups are those of a graph that shows one and does not say which.
	groups []string
	paired bool // a row of the overview has been tied to it
	off    int  // of the title
}

// kind is the shape of a graph.
type kind uint8

const (
	barGraph kind = iota
	boxPlot       // lying boxes from the least to the greatest run
	lineGraph
	passFail
)

// bar says whose a measurement is, as far as its graph does.
type bar struct {
	label string // the identifier printed, its group left out where a legend has it
	group string // by the legend, "" if the graph has none
	fill  string
	// empty is set where no value is printed: a result of 0, which the
	// overview alone prints, or none.
	empty bool
}

// line is the legend of one line of a line graph.
type line struct {
	label              string
	low, average, high string
	off                int
}

// failure is what a page prints below a graph.
type failure struct {
	text string
	off  int
}

// heading is what stands in HTML before a graph.
type heading struct {
	title, arguments phrase
	set              bool // there is one
	drawn            bool // its graph has been read
	// bare is set where only graphs name their arguments, and titles are
	// left out where they repeat.
	bare bool
}

// readGraph reads the drawing of one result.
func (p *page) readGraph(d *drawing, h *heading) *draft {
	g := &draft{off: h.title.off}
	top := p.head(d, h, g)
	switch {
	case d.lines > 0:
		g.kind = lineGraph
		p.readLines(d, g)
	case p.readPassFail(d, g, top):
		g.kind = passFail
	default:
		p.readBars(d, g, top)
	}
	p.leftover(d)
	return g
}
