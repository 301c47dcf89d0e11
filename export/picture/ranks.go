package picture

import (
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/analyze/stats"
	"github.com/benchproof/benchproof/internal/number"
	"github.com/benchproof/benchproof/internal/phrase"
)

// groupTitle is the title of a picture of one group.
func groupTitle(o *analyze.GroupRanking, text string) string {
	if o.Group == "" {
		return strings.ToUpper(text[:1]) + text[1:]
	}
	return shown(o.Group) + ": " + text
}

// ranks draws the places of systems by their mean ranks, over test profiles and
// over tests, with the ranges of the places over tests.
func (b *book) ranks(f *fonts, o *analyze.GroupRanking) *sheet {
	s, y := begin(f, groupTitle(o, "overall ranking"), fmt.Sprintf("Places by mean rank over %s, and over all %s that every system has; 1 is the best",
		phrase.Count(o.Profiles, "test profile"), phrase.Count(o.Tests, "test")), "")
	c := chart{axis: &axis{low: 0.6, high: float64(len(o.Systems)) + 0.4}, heads: []string{"mean rank by profile", "by test", "range"}}
	n := len(o.Systems)
	for i := range n {
		if n <= 20 || i == 0 || (i+1)%5 == 0 || i == n-1 {
			c.axis.ticks = append(c.axis.ticks, float64(i+1))
		}
	}
	c.axisTitle = "← better|place|"
	ranges := false
	for _, k := range o.Systems {
		span := ""
		if k.TestsLow > 0 {
			ranges = true
			span = strconv.Itoa(k.TestsLow)
			if k.TestsHigh != k.TestsLow {
				span += "–" + strconv.Itoa(k.TestsHigh)
			}
		}
		c.rows = append(c.rows, row{
			label: shown(b.compared.Set.Systems[k.System].Name),
			cells: []cell{
				{text: strconv.FormatFloat(k.MeanRank, 'f', 2, 64), color: ink},
				{text: strconv.FormatFloat(k.TestsMeanRank, 'f', 2, 64), color: ink},
				{text: span, color: ink},
			},
			draw: func(y, half float64) {
				if k.TestsLow > 0 {
					light := palette[4]
					light.A = 110
					s.rect(light, c.axis.place(float64(k.TestsLow)-0.3), y-half*0.6, c.axis.place(float64(k.TestsHigh)+0.3), y+half*0.6)
				}
				// Beside each other, so that equal places are seen.
				s.symbol(0, palette[0], c.axis.place(float64(k.Place)), y-half*0.3, 2.9)
				s.symbol(3, palette[5], c.axis.place(float64(k.TestsPlace)), y+half*0.32, 2.5)
			},
		})
	}
	if !ranges {
		c.drop(2)
	}
	y = c.draw(s, y)
	note := "Disc: place over profiles, each with one rank; diamond: place over all tests."
	if ranges {
		note += " Band: range of the place over all tests, all at once at 95 %, the tests being an independent sample of possible ones."
	}
	return s.finish(y, note, sentence(o.Reason), b.leftOut(o), b.sources())
}

// leftOut says how many tests are not in a ranking.
func (b *book) leftOut(o *analyze.GroupRanking) string {
	text := ""
	if o.LeftOutCount > 0 {
		text = phrase.Count(o.LeftOutCount, "test") + " left out: not every system has a value."
	}
	for i, name := range o.NoValues {
		if i == 0 {
			text = joined(" ", text, "Without any value: ")
		} else {
			text += ", "
		}
		text += shown(name)
	}
	return text
}

// difference draws a critical-difference diagram: mean ranks on a line, names
// beside it, and bars that join what does not differ.
func (b *book) difference(f *fonts, o *analyze.GroupRanking) *sheet {
	cd := o.CriticalDifference.X
	s, y := begin(f, groupTitle(o, "critical difference of mean ranks"),
		fmt.Sprintf("Mean ranks over %s; 1 is the best. Friedman's test: p %s; Kendall's W %s",
			phrase.Count(o.Profiles, "test profile"), probability(o.P.X), number.Significant(o.W.X, 2)), "")
	systems := append([]analyze.OverallRank(nil), o.Systems...)
	sort.SliceStable(systems, func(i, j int) bool { return systems[i].MeanRank < systems[j].MeanRank })
	n := len(systems)
	// The line gets what the names leave of the width.
	const figures, most = 38, 150
	names := 0.0
	for _, k := range systems {
		names = math.Max(names, math.Min(f.width(shown(b.compared.Set.Systems[k.System].Name), labelStyle), most-figures)+figures)
	}
	a := &axis{low: 1, high: float64(n), from: margin + names, to: pageWidth - margin - names}

	// The critical difference as a ruler, no longer than the line.
	ruler := math.Min(a.place(1+cd), a.to)
	text := "critical difference " + number.Significant(cd, 3)
	if 1+cd > float64(n) {
		text += ", beyond the line"
	}
	s.text(a.from, y+8, atStart, tickStyle, text)
	y += 14
	s.line(ink, 1.6, point{a.from, y}, point{ruler, y})
	for _, x := range []float64{a.from, ruler} {
		s.line(ink, 1.6, point{x, y - 3}, point{x, y + 3})
	}
	y += 24
	every := max(1, int(math.Ceil(float64(n)/12)))
	for i := range n {
		x := a.place(float64(i + 1))
		s.line(ink, 1, point{x, y - 4}, point{x, y})
		if i%every == 0 || i == n-1 && (n-1)%every >= (every+1)/2 {
			s.text(x, y-7, atMid, tickStyle, strconv.Itoa(i+1))
		}
	}
	s.line(ink, 1.2, point{a.from, y}, point{a.to, y})

	ranks := make([]float64, n)
	for i := range systems {
		ranks[i] = systems[i].MeanRank
	}
	// Bars on as few lines as do not overlap.
	line := y
	var ends []float64
	for _, g := range stats.Cliques(ranks, cd) {
		level := 0
		for level < len(ends) && ends[level] > a.place(ranks[g[0]])-8 {
			level++
		}
		if level == len(ends) {
			ends = append(ends, 0)
		}
		x0, x1 := a.place(ranks[g[0]])-3, a.place(ranks[g[1]])+3
		ends[level] = x1
		at := line + 8 + 6*float64(level)
		s.rect(palette[0], x0, at-1.6, x1, at+1.6)
	}
	y = line + 8 + 6*float64(len(ends)) + 8
	bottom := y
	half := (n + 1) / 2
	side := func(from, to, step int, left bool) {
		at := y
		for i := from; i != to; i += step {
			lines := f.wrap(shown(b.compared.Set.Systems[systems[i].System].Name), labelStyle, names-figures, 4)
			high := math.Max(14, float64(len(lines))*labelStyle.size*leading+3)
			mid := at + high/2
			x, end, anchor, number, numberAnchor := a.place(ranks[i]), a.from-8, atEnd, a.from-4, atEnd
			if !left {
				end, anchor, number, numberAnchor = a.to+8, atStart, a.to+4, atStart
			}
			s.line(gray, 0.7, point{x, line}, point{x, mid}, point{end, mid})
			s.area(ink, polygon(x, line, 2.2, 16, 0)...)
			figure := strconv.FormatFloat(ranks[i], 'f', 2, 64)
			style := tickStyle
			if left {
				s.text(number-5, mid+2.9, numberAnchor, style, figure)
				end -= f.width(figure, style) + 8
			} else {
				s.text(number+5, mid+2.9, numberAnchor, style, figure)
				end += f.width(figure, style) + 8
			}
			s.block(end, mid, anchor, labelStyle, lines)
			at += high
		}
		bottom = math.Max(bottom, at)
	}
	side(0, half, 1, true)
	side(n-1, half-1, -1, false)
	note := "Systems that a bar joins do not differ significantly (Nemenyi, 5 %)."
	if o.P.X > analyze.Alpha {
		note += " Friedman's test shows no difference among all of them."
	}
	return s.finish(bottom+4, note+" The test is about the choice of tests, not about the noise of runs.", sentence(o.Reason), b.leftOut(o), b.sources())
}
