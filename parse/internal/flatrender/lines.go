package flatrender

import (
	"math"
	"strings"

	"github.com/benchproof/benchproof/result"
)

// line is one line of a line graph.
type line struct {
	name   string
	points []float64
}

// lineGraph returns the text of a graph whose entries are lists of points. Where
// every list is of one number it is a bar graph.
func (p *page) lineGraph(t *result.Test, bars []bar) string {
	flat := true
	for _, b := range bars {
		first, _, _ := strings.Cut(b.m.Value, ",")
		for part := range strings.SplitSeq(b.m.Value, ",") {
			flat = flat && same(part, first)
		}
	}
	if flat {
		for i := range bars {
			m := *bars[i].m
			m.Value, _, _ = strings.Cut(m.Value, ",")
			m.RawValues, m.Details = nil, nil
			bars[i].m, bars[i].value = &m, m.Value
		}
		places := printedDecimals(&result.Test{Measurements: measurements(bars)})
		for i := range bars {
			if v, ok := numeric(bars[i].value); ok {
				bars[i].value = fixed(v, places)
			}
		}
		return p.barGraph(t, bars, false)
	}
	lines, _ := p.lines(t)
	return p.drawLines(t, lines, nil)
}

// lines returns the lines of a test of points, and where their axis ends.
func (p *page) lines(t *result.Test) (lines []line, end float64) {
	largest := 0.0
	for _, b := range p.bars(t) {
		if b.value == "" {
			continue
		}
		l := line{name: b.id}
		for part := range strings.SplitSeq(b.m.Value, ",") {
			v, _ := numeric(part)
			l.points = append(l.points, v)
			largest = math.Max(largest, v)
		}
		lines = append(lines, l)
	}
	return lines, lineTop(top(largest), largest, t.Scale)
}

// figures returns minimum, average and maximum as they are printed on an axis
// that ends at end, run together.
func (l *line) figures(end float64) string {
	places := 1
	if end > 999 {
		places = 0
	}
	low, high, sum := math.Inf(1), math.Inf(-1), 0.0
	for _, v := range l.points {
		low, high, sum = math.Min(low, v), math.Max(high, v), sum+v
	}
	return fixed(low, places) + fixed(sum/float64(len(l.points)), places) + fixed(high, places)
}

func measurements(bars []bar) []result.Measurement {
	out := make([]result.Measurement, len(bars))
	for i := range bars {
		out[i] = *bars[i].m
	}
	return out
}

// trackerGraph returns the text of the line graph that a test of a tracker
// becomes: a line a group, its points the labels.
func (p *page) trackerGraph(t *result.Test, bars []bar) string {
	var lines []line
	var labels []string
	for _, b := range bars {
		g, l, _ := strings.Cut(b.id, ":")
		g, l = strings.TrimSpace(g), strings.TrimSpace(l)
		i := 0
		for i < len(lines) && !same(lines[i].name, g) {
			i++
		}
		if i == len(lines) {
			lines = append(lines, line{name: g})
		}
		v, _ := numeric(b.value)
		lines[i].points = append(lines[i].points, v)
		if !in(labels, l) {
			labels = append(labels, l)
		}
	}
	return p.drawLines(t, lines, labels)
}

// drawLines returns the texts of a line graph in order; ids are the names of the
// points, if they have any.
func (p *page) drawLines(t *result.Test, lines []line, ids []string) string {
	// A line with a gap does not count for the first estimate of the axis.
	largest, whole := 0.0, 0.0
	long := ""
	for _, l := range lines {
		for _, v := range l.points {
			largest = math.Max(largest, v)
			if len(l.points) >= len(ids) {
				whole = math.Max(whole, v)
			}
		}
		if len(l.name) > len(long) {
			long = l.name
		}
	}
	bar := top(whole)
	end := lineTop(bar, largest, t.Scale)
	var b strings.Builder
	for range keyColumns(len(lines), long, bar, end) {
		b.WriteString("MinAvgMax")
	}
	for _, l := range lines {
		b.WriteString(l.name + l.figures(end))
	}
	b.WriteString(p.head(t))
	if ids != nil {
		every := labelStep(ids, bar)
		for i := 0; i < len(ids); i += every {
			b.WriteString(ids[i])
		}
	}
	b.WriteString(labels(end))
	return b.String()
}

// keyColumns returns how often the words over the key's figures are printed:
// once a column, of which there are as many as fit.
func keyColumns(n int, longest string, bar, end float64) int {
	word := func(top float64) float64 { return math.Ceil(2.6 * textWidth(shown(top+0.001), 7)) }
	name := textWidth(longest, 9) + 6
	item := name + word(bar)*3 + 36
	perLine := 1.0
	if n >= 3 {
		perLine = math.Max(1, math.Floor((590-leftOf(bar))/item))
	}
	rows := math.Max(1, math.Ceil(float64(n)/perLine))
	columns := math.Ceil(float64(n) / rows)
	count := 0
	for x, last := 0.0, item*(columns-1); x <= last; x += item + 3*word(end) {
		count++
	}
	return count
}

// leftOf returns where the plot of a line graph begins.
func leftOf(bar float64) float64 {
	return 10 + math.Max(20, textWidth(shown(bar), 10)+3) + 10
}

// labelStep returns how many labels below a tracker's graph there are to one
// that is drawn.
func labelStep(ids []string, bar float64) int {
	width := (590 - leftOf(bar)) / float64(len(ids)+1)
	size := 10.0
	for size > 6.5 && textWidth(longest(ids), size) > width-4 {
		size -= 0.3
	}
	if height := math.Ceil(0.76 * 7.5); size <= 6.5 && height+6 > width {
		return int(math.Ceil((height + 8) / width))
	}
	return 1
}
