package html

import (
	"math"
	"slices"

	"github.com/benchproof/benchproof/result"
)

// readLines reads a line graph: a legend that prints minimum, average and
// maximum of every line. The points themselves are drawn, not printed.
//
// Where identifiers stand along the axis, every point is a system's result
// and a line is a group of them; otherwise a line is a system, and its points
// are readings over time.
func (p *page) readLines(d *drawing, g *draft) {
	var columns [3]float64 // of minimum, average, maximum
	heads := 0
	for i := range d.labels {
		l := &d.labels[i]
		for k, word := range [...]string{"Min", "Avg", "Max"} {
			if !l.lost && l.group > 0 && l.text == word && columns[k] == 0 {
				columns[k] = l.x
				l.used = true
				heads++
			}
		}
	}
	if heads == len(columns) {
		g.lines = readLegendLines(d, columns)
	}
	for i := range d.labels {
		l := &d.labels[i]
		if l.used || l.lost {
			continue
		}
		switch {
		case l.group == 0:
			if l.anchor == atStart && !l.bold && l.x < 10 {
				l.used = true
				g.test.Footnotes = append(g.test.Footnotes, footnote(l.text))
			}
		case l.anchor == atEnd && isTick(l.text):
			l.used = true
		case l.anchor == atMiddle || l.rotated:
			l.used = true
			g.axis = append(g.axis, l.text)
		}
	}
	if len(g.axis) > 0 {
		return
	}
	g.test.DisplayFormat = "LINE_GRAPH"
	for i := range g.lines {
		k := &g.lines[i]
		g.bars = append(g.bars, bar{label: k.label})
		g.test.Measurements = append(g.test.Measurements, result.Measurement{
			System: -1, Value: k.average, Min: k.low, Max: k.high,
			Decode: result.DecodeInferred, Origin: p.origin(k.off, "html/line-average"),
		})
	}
	if len(g.lines) > 0 {
		p.info(g.off, "line-graph", "the page prints minimum, average and maximum of each line of %q, not its points", clip(g.test.Title))
	}
}

// readLegendLines reads the legend's rows: a name, and a number below each
// of the columns' heads.
func readLegendLines(d *drawing, columns [3]float64) []line {
	var names []*label
	for i := range d.labels {
		l := &d.labels[i]
		if !l.used && !l.lost && l.group > 0 && l.anchor == atStart && !l.rotated && l.x < columns[0] && l.text != "" {
			names = append(names, l)
		}
	}
	slices.SortStableFunc(names, func(a, b *label) int { return compare(a.y, b.y) })
	var lines []line
	var at []float64
	for i, l := range names {
		if i > 0 && l.y-names[i-1].y <= slack || i+1 < len(names) && names[i+1].y-l.y <= slack {
			continue // two names for one row
		}
		l.used = true
		lines = append(lines, line{label: l.text})
		at = append(at, l.y)
	}
	for i := range d.labels {
		l := &d.labels[i]
		if l.used || l.lost || l.group == 0 || l.anchor != atStart || !isNumber(l.text) {
			continue
		}
		row, _ := slices.BinarySearchFunc(at, l.y-slack, compare)
		if row == len(at) || math.Abs(at[row]-l.y) > slack {
			continue
		}
		k := &lines[row]
		for c, into := range [...]*string{&k.low, &k.average, &k.high} {
			if math.Abs(l.x-columns[c]) <= slack && *into == "" {
				*into = l.text
				l.used = true
				if c == 1 {
					k.off = l.off
				}
			}
		}
	}
	return slices.DeleteFunc(lines, func(k line) bool { return k.average == "" })
}
