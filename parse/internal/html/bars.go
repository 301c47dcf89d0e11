package html

import (
	"math"
	"slices"
	"strings"

	"github.com/benchproof/benchproof/result"
)

// frame is a bar graph's geometry. Along its axis of identifiers every bar
// takes up a stretch of its own: from top to bottom where bars lie, from left
// to right where they stand.
type frame struct {
	boxes   []box // the bars, in document order
	upright bool
	base    float64 // where bars begin: x of lying, y of standing ones
	far     float64 // where the last stretch ends
	order   []int   // bars by place
	overlap bool    // bars share a stretch: nothing can be tied to them
}

// along returns the place of a label on the axis of identifiers.
func (f *frame) along(l *label) float64 {
	if f.upright {
		return l.x
	}
	return l.y
}

// stretch returns where bar i begins and ends on that axis.
func (f *frame) stretch(i int) (from, to float64) {
	b := &f.boxes[i]
	if f.upright {
		return b.x, b.right()
	}
	return b.y, b.bottom()
}

func (f *frame) centre(i int) float64 {
	from, to := f.stretch(i)
	return (from + to) / 2
}

// nearest returns the bar at a place, and -1 where two are as near or none
// is within its own breadth.
func (f *frame) nearest(at float64) int {
	i, found := slices.BinarySearchFunc(f.order, at, func(i int, at float64) int {
		from, _ := f.stretch(i)
		return compare(from, at)
	})
	if found {
		i++
	}
	best, distance, tied := -1, math.Inf(1), false
	for k := max(0, i-1); k < min(i+1, len(f.order)); k++ {
		from, to := f.stretch(f.order[k])
		d := max(from-at, at-to, 0)
		switch {
		case d < distance:
			best, distance, tied = f.order[k], d, false
		case d == distance:
			tied = true
		}
	}
	if best < 0 || tied {
		return -1
	}
	if from, to := f.stretch(best); distance > max(6, (to-from)/2) {
		return -1
	}
	return best
}

// find finds the bars of a graph that begins below top. f is as reset left it.
func (f *frame) find(d *drawing, top float64) {
	for _, b := range d.boxes {
		if b.group > 0 && b.y >= top {
			f.boxes = append(f.boxes, b)
		}
	}
	if len(f.boxes) > 0 {
		f.upright = stands(d, f.boxes)
		f.settle()
	}
}

// reset empties f and keeps its memory.
func (f *frame) reset() { *f = frame{boxes: f.boxes[:0], order: f.order[:0]} }

// settle derives the rest of a frame from its boxes. Stretches that touch,
// or overlap by the one pixel that rounding makes, are apart.
func (f *frame) settle() {
	for i := range f.boxes {
		f.order = append(f.order, i)
		_, to := f.stretch(i)
		f.far = max(f.far, to)
	}
	slices.SortStableFunc(f.order, func(a, b int) int {
		from, _ := f.stretch(a)
		other, _ := f.stretch(b)
		return compare(from, other)
	})
	for k := range f.order[1:] {
		_, to := f.stretch(f.order[k])
		from, _ := f.stretch(f.order[k+1])
		f.overlap = f.overlap || from < to-1
	}
	f.base = f.boxes[0].x
	for i := range f.boxes {
		f.base = min(f.base, f.boxes[i].x) // box plots have no common line
	}
	if f.upright {
		f.base = f.boxes[0].bottom()
	}
}

// stands reports whether bars stand on a common line. One bar alone both
// stands and lies: then the labels of the scale tell, which are at one height
// below lying bars and at one x left of standing ones.
func stands(d *drawing, bars []box) bool {
	first := &bars[0]
	lies, stands := true, true
	for i := range bars {
		lies = lies && math.Abs(bars[i].x-first.x) < 1
		stands = stands && math.Abs(bars[i].bottom()-first.bottom()) < 1
	}
	if lies != stands {
		return stands
	}
	ticks, x := 0, 0.0
	for i := range d.labels {
		l := &d.labels[i]
		if l.group > 0 && !l.lost && l.anchor == atEnd && l.x < first.x && isTick(l.text) {
			if ticks == 0 {
				x = l.x
			}
			if l.x == x {
				ticks++
			}
		}
	}
	return lies && ticks > 1
}

// readBars reads a bar graph.
func (p *page) readBars(d *drawing, g *draft, top float64) {
	legend := readLegend(d, top)
	s := &p.sorted
	s.reset()
	f := &s.frame
	f.find(d, top)
	switch {
	case len(f.boxes) == 0:
		p.warn(g.off, "no-bars", "the graph shows no bars")
		return
	case f.overlap:
		p.warn(g.off, "overlapping-bars", "bars of the graph lie over one another, so nothing can be tied to them")
		return
	}
	g.bars = make([]bar, len(f.boxes))
	g.test.Measurements = make([]result.Measurement, len(f.boxes))
	for i := range f.boxes {
		g.bars[i] = bar{fill: f.boxes[i].fill, group: legend[f.boxes[i].fill]}
	}
	s.sort(d)
	s.identify(g, len(legend) > 0)
	s.figures(p, g)
	s.lengths(p, g)
}

// readLegend returns the groups of a multi-way comparison by their fill: the
// texts above the graph that stand beside a square of their own fill.
func readLegend(d *drawing, top float64) map[string]string {
	const most = 256
	var squares []*box
	for i := range d.boxes {
		if b := &d.boxes[i]; b.group > 0 && b.bottom() <= top && len(squares) < most {
			squares = append(squares, b)
		}
	}
	var legend map[string]string
	for i := range d.labels {
		l := &d.labels[i]
		if l.used || l.lost || l.group == 0 || l.anchor != atStart || l.y > top {
			continue
		}
		for _, b := range squares {
			if b.fill == l.fill && b.y <= l.y && l.y <= b.bottom() && b.right() <= l.x && l.x-b.right() < 10 {
				if legend == nil {
					legend = make(map[string]string)
				}
				if _, taken := legend[l.fill]; taken {
					legend[l.fill] = "" // two groups of one colour
				} else {
					legend[l.fill] = l.text
				}
				l.used = true
				break
			}
		}
	}
	return legend
}

// isTick reports whether text can label the scale: digits, a point, and K or
// M for thousands and millions.
func isTick(text string) bool {
	_, ok := tick(text)
	return ok
}

func tick(text string) (float64, bool) {
	unit := 1.0
	if text == "" || text[0] > '9' {
		return 0, false
	}
	if s, ok := strings.CutSuffix(text, "K"); ok {
		text, unit = s, 1e3
	} else if s, ok := strings.CutSuffix(text, "M"); ok {
		text, unit = s, 1e6
	}
	v, ok := result.ParseNumber(text)
	return v * unit, ok
}
