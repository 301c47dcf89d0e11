package html

import (
	"slices"
	"strings"

	"github.com/benchproof/benchproof/result"
)

// readPassFail reads a graph of words in boxes, one row a system, and reports
// whether it is one. Such a graph shows one word a box, also where a test
// made several checks: its values are marked inferred.
func (p *page) readPassFail(d *drawing, g *draft, top float64) bool {
	f := new(frame)
	for _, b := range d.boxes {
		if b.group == 0 && b.y > top && b.x > 0 {
			f.boxes = append(f.boxes, b)
		}
	}
	if len(f.boxes) == 0 {
		return false
	}
	if f.settle(); f.overlap {
		return false
	}
	words := make([][]*label, len(f.boxes))
	found := false
	for i := range d.labels {
		l := &d.labels[i]
		if l.used || l.lost || l.group > 0 || l.anchor != atMiddle || l.text == "" {
			continue
		}
		if k := f.nearest(l.y); k >= 0 && f.boxes[k].x < l.x && l.x < f.boxes[k].right() && l.y >= f.boxes[k].y {
			words[k] = append(words[k], l)
			found = true
		}
	}
	if !found {
		return false
	}
	g.test.DisplayFormat = "PASS_FAIL"
	names := make([]string, len(f.boxes))
	for i := range d.labels {
		l := &d.labels[i]
		switch {
		case l.used || l.lost || l.group > 0:
		case l.anchor == atEnd && l.x <= f.base:
			if k := f.nearest(l.y); k >= 0 && names[k] == "" {
				names[k] = l.text
				l.used = true
			}
		case l.anchor == atMiddle && l.y < f.boxes[f.order[0]].y && g.test.Scale == "":
			g.test.Scale = l.text // the head of the column
			l.used = true
		}
	}
	for k, row := range words {
		if len(row) == 0 || names[k] == "" {
			continue
		}
		slices.SortStableFunc(row, func(a, b *label) int { return compare(a.x, b.x) })
		value := make([]string, len(row))
		for i, l := range row {
			value[i] = l.text
			l.used = true
		}
		g.bars = append(g.bars, bar{label: names[k]})
		g.test.Measurements = append(g.test.Measurements, result.Measurement{
			System: -1, Value: strings.Join(value, ","), Decode: result.DecodeInferred,
			Origin: p.origin(row[0].off, "html/pass-fail"),
		})
	}
	return true
}
