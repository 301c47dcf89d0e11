package picture

import (
	"math"
	"slices"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/analyze/stats"
)

// boxLeast is the number of runs from which quartiles say something.
const boxLeast = 5

// hasRuns reports whether a system of the test has three runs or more.
func hasRuns(t *analyze.Test) bool {
	for i := range t.Cells {
		if t.Cells[i].Problem == "" && len(t.Cells[i].Runs) >= 3 {
			return true
		}
	}
	return false
}

// boxes draws the single runs of a test: every run as a dot, quartiles as a box
// where there are enough, the mean as a diamond.
func (b *book) boxes(f *fonts, t *analyze.Test) *sheet {
	s, y := begin(f, heading(t), shown(t.Arguments), "Single runs")
	low, high := math.Inf(1), math.Inf(-1)
	for i := range t.Cells {
		if t.Cells[i].Problem != "" {
			continue
		}
		for _, r := range t.Cells[i].Runs {
			low, high = math.Min(low, r), math.Max(high, r)
		}
	}
	c := chart{axis: linear(low, high, 6), axisTitle: arrowed(t), heads: []string{"runs", "median"}, high: 30}
	boxed := false
	b.inGroups(func(system int, group string) {
		if group != "" {
			c.rows = append(c.rows, row{label: group, head: true})
		}
		r := row{label: b.labels[system]}
		at := t.Cell(system)
		switch {
		case at == nil:
			r.words = "no value"
		case at.Problem != "":
			r.words = shown(at.Problem)
		case len(at.Runs) == 0:
			r.words = "single runs not known"
		default:
			runs := slices.Sorted(slices.Values(at.Runs))
			boxed = boxed || len(runs) >= boxLeast
			style := b.style(system)
			r.draw = func(y, half float64) { s.box(style, runs, at.Figures.Mean, c.axis, y, half) }
			median, _ := stats.Median(runs)
			r.cells = []cell{{text: count(len(runs)), color: ink}, {text: significant(median), color: ink}}
		}
		c.rows = append(c.rows, r)
	})
	y = c.draw(s, y)
	note := "Dots: single runs; diamond: their mean. The axis need not begin at zero."
	if boxed {
		note = "Dots: single runs; box: quartiles and median of five runs or more, whiskers to the farthest run within 1.5 times the box; diamond: mean. The axis need not begin at zero."
	}
	return s.finish(y, note, b.sources())
}

// box draws sorted runs on the line y.
func (s *sheet) box(style int, runs []float64, mean float64, a *axis, y, half float64) {
	c := palette[style%len(palette)]
	if len(runs) >= boxLeast {
		q := make([]float64, 3)
		for i, p := range []float64{0.25, 0.5, 0.75} {
			q[i], _ = stats.Quantile(runs, p)
		}
		reach := 1.5 * (q[2] - q[0])
		low, high := q[0], q[2]
		for _, r := range runs {
			if r >= q[0]-reach {
				low = math.Min(low, r)
			}
			if r <= q[2]+reach {
				high = math.Max(high, r)
			}
		}
		box := half * 0.3
		y := y - half*0.35
		s.line(ink, 0.9, point{a.place(low), y}, point{a.place(q[0]), y})
		s.line(ink, 0.9, point{a.place(q[2]), y}, point{a.place(high), y})
		for _, end := range []float64{low, high} {
			s.line(ink, 0.9, point{a.place(end), y - 3}, point{a.place(end), y + 3})
		}
		light := c
		light.A = 90
		s.rect(light, a.place(q[0]), y-box, a.place(q[2]), y+box)
		s.frame(c, 1, a.place(q[0]), y-box, a.place(q[2]), y+box)
		s.line(ink, 1.6, point{a.place(q[1]), y - box}, point{a.place(q[1]), y + box})
	}
	for i, r := range runs {
		// Moved up and down in turns, so that equal runs can be counted.
		at := y + half*(0.28+0.2*float64(i%4))
		s.ring(c, a.place(r), at, 1.5)
	}
	if mean >= a.low && mean <= a.high {
		s.area(ink, polygon(a.place(mean), y-half*0.35, 2.8, 4, 0)...)
	}
}
