package picture

import (
	"math"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/analyze/stats"
	"github.com/benchproof/benchproof/export"
)

// bars draws the values of a test as bars, with the intervals of their means.
func (b *book) bars(f *fonts, t *analyze.Test) *sheet {
	s, y := begin(f, heading(t), shown(t.Arguments), "")
	low, high := 0.0, 0.0
	reach := 0.0 // of intervals
	for i := range t.Cells {
		c := &t.Cells[i]
		if c.Problem != "" {
			continue
		}
		low, high = math.Min(low, c.Figures.Mean), math.Max(high, c.Figures.Mean)
		if iv, ok := meanInterval(c); ok {
			low, reach = math.Min(low, math.Max(iv.Low, 0)), math.Max(reach, iv.High)
		}
	}
	// Intervals of two runs may be many times as wide as the bars.
	c := chart{axis: linear(low, math.Max(high, math.Min(reach, high*1.5)), 6), axisTitle: arrowed(t)}
	base := b.baseline(t)
	letters, intervals, cut, counted := false, false, false, false
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
		default:
			letters = letters || b.letters[at] != ""
			iv, ok := meanInterval(at)
			intervals = intervals || ok
			cut = cut || ok && (iv.High > c.axis.high || iv.Low < c.axis.low)
			style := b.style(system)
			r.draw = func(y, half float64) {
				x0, x1 := c.axis.place(0), c.axis.place(at.Figures.Mean)
				s.bar(style, x0, y-half*0.72, x1, y+half*0.72)
				if ok {
					s.interval(ink, c.axis.place(iv.Low), c.axis.place(iv.High), y, c.axis.from, c.axis.to)
				}
			}
			ratio, words := b.verdict(at)
			value := shown(export.Value(at.Measurement)) + export.Mark(at.Measurement.Decode)
			n := ""
			if at.Figures.N > 0 {
				n = count(at.Figures.N)
				counted = true
			}
			r.cells = []cell{{text: value, color: ink}, {text: n, color: ink}, {text: ratio, color: ink}, words, {text: b.letters[at], color: ink, left: true}}
		}
		c.rows = append(c.rows, r)
	})
	c.heads = []string{"value", "N", "ratio", "verdict", "letters"}
	if !letters {
		c.drop(4)
	}
	if b.compared.Family == 0 || !b.comparedIn(t) {
		c.drop(3)
	}
	if !b.comparedIn(t) {
		c.drop(2)
	}
	if !counted {
		c.drop(1)
	}
	note := ""
	if base != nil && base.Problem == "" {
		c.over = func(top, bottom float64) {
			x := c.axis.place(base.Figures.Mean)
			s.dashed(ink, 0.8, []float64{3, 2}, point{x, top}, point{x, bottom})
		}
		note = "Dashed: " + shown(b.bases[base]) + ", the baseline; a ratio above 1 is better than it."
	}
	y = c.draw(s, y)
	return s.finish(y, noteOfIntervals(intervals, cut), note, b.noteOfLetters(letters), b.marksNote(t), b.sources())
}

// comparedIn reports whether a test has any ratio.
func (b *book) comparedIn(t *analyze.Test) bool {
	for i := range t.Cells {
		if r := b.rows[&t.Cells[i]]; r != nil && r.Ratio.Known {
			return true
		}
	}
	return false
}

// drop leaves out a column of figures.
func (c *chart) drop(n int) {
	c.heads = append(c.heads[:n:n], c.heads[n+1:]...)
	for i := range c.rows {
		if cells := c.rows[i].cells; n < len(cells) {
			c.rows[i].cells = append(cells[:n:n], cells[n+1:]...)
		}
	}
}

// meanInterval returns the interval of a cell's mean at 95 %.
func meanInterval(c *analyze.Cell) (stats.Interval, bool) {
	if !c.Tested() {
		return stats.Interval{}, false
	}
	iv, err := stats.MeanInterval(c.Figures.Summary, analyze.Level)
	return iv, err == nil
}

func noteOfIntervals(known, cut bool) string {
	if !known {
		return "No error bars: no standard error is known."
	}
	text := "Error bars: 95 % interval of the mean, value ± t SE of N runs; none where the SE is not known or printed as zero."
	if cut {
		text += " An arrow: the interval goes on."
	}
	return text
}

func (b *book) noteOfLetters(known bool) string {
	if !known {
		return ""
	}
	if b.groups != nil {
		return "Systems of a group that share a letter do not differ significantly (all pairs of the group, Holm, 5 %)."
	}
	return "Systems that share a letter do not differ significantly (all pairs, Holm, 5 %)."
}

// marksNote says what the mark of inferred values means, where there is one.
func (b *book) marksNote(t *analyze.Test) string {
	for i := range t.Cells {
		if m := t.Cells[i].Measurement; m != nil && t.Cells[i].Problem == "" && export.Mark(m.Decode) != "" {
			return export.InferredMark + " " + export.InferredMeaning
		}
	}
	return ""
}
