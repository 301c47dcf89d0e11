package html

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/result"
)

// sorted holds the labels of a bar graph by what they are.
type sorted struct {
	frame       frame
	identifiers []*label
	errors      []*label // standard errors
	values      []*label
	notes       []*label
	spreads     []*label // minimum, average and maximum of a box plot
	ticks       []*label
	footnotes   []*label
}

// reset empties s and keeps its memory.
func (s *sorted) reset() {
	s.frame.reset()
	for _, list := range [...]*[]*label{&s.identifiers, &s.errors, &s.values, &s.notes, &s.spreads, &s.ticks, &s.footnotes} {
		*list = (*list)[:0]
	}
}

// sort tells the labels of a bar graph apart by where they stand: before the
// bars' common line the identifiers and standard errors, beyond the last bar
// the labels of the scale and the footnotes, between them values and notes.
func (s *sorted) sort(d *drawing) {
	f := &s.frame
	for i := range d.labels {
		l := &d.labels[i]
		if l.used || l.lost || l.text == "" {
			continue
		}
		before, beyond := l.x < f.base, l.y > f.far+6 && l.anchor == atMiddle
		if f.upright {
			before, beyond = l.y > f.base, l.anchor == atEnd && l.x < f.boxes[f.order[0]].x
		}
		var into *[]*label
		switch {
		case l.group == 0:
			if l.anchor == atStart && !l.bold && l.x < 10 && l.y > f.far {
				into = &s.footnotes
			}
		case strings.HasPrefix(l.text, errorMark):
			into = &s.errors
		case before && strings.HasPrefix(l.text, spreadMark):
			into = &s.spreads
		case beyond && isTick(l.text):
			into = &s.ticks
		case before && (l.anchor != atStart || l.rotated):
			into = &s.identifiers
		case before || beyond:
		case isNumber(l.text):
			into = &s.values
		case l.anchor == atStart:
			into = &s.notes
		}
		if into != nil {
			*into = append(*into, l)
		}
	}
}

// identify gives every bar its identifier.
func (s *sorted) identify(g *draft, legend bool) {
	for _, l := range s.identifiers {
		if legend || l.rotated {
			s.identifyRows(g)
			return
		}
	}
	for _, l := range s.identifiers {
		i := s.frame.nearest(s.frame.along(l))
		if i < 0 || g.bars[i].label != "" {
			continue
		}
		l.used = true
		g.bars[i].label = l.text
	}
}

// identifyRows gives bars their identifiers where one stands for all bars
// around it, one a group. The lines of an identifier stand at one place and
// were divided at " - ", the last part first.
func (s *sorted) identifyRows(g *draft) {
	type row struct {
		at    float64
		parts []string
	}
	var rows []row
	slices.SortStableFunc(s.identifiers, func(a, b *label) int {
		return compare(s.frame.along(a), s.frame.along(b))
	})
	reach := math.Inf(1)
	for _, l := range s.identifiers {
		l.used = true
		at := s.frame.along(l)
		if n := len(rows); n > 0 {
			if at-rows[n-1].at < 1 {
				rows[n-1].parts = append(rows[n-1].parts, l.text)
				continue
			}
			reach = min(reach, (at-rows[n-1].at)/2)
		}
		rows = append(rows, row{at, []string{l.text}})
	}
	for i := range g.bars {
		centre := s.frame.centre(i)
		k, _ := slices.BinarySearchFunc(rows, centre, func(r row, at float64) int { return compare(r.at, at) })
		if k == len(rows) || k > 0 && centre-rows[k-1].at < rows[k].at-centre {
			k--
		}
		if k < 0 || math.Abs(rows[k].at-centre) >= reach {
			continue
		}
		parts := slices.Clone(rows[k].parts)
		slices.Reverse(parts)
		g.bars[i].label = strings.Join(parts, " - ")
	}
}

// figures gives every bar its value, standard error and notes.
func (s *sorted) figures(p *page, g *draft) {
	for i := range g.bars {
		g.bars[i].empty = true
		g.test.Measurements[i].System = -1
	}
	for _, l := range s.values {
		i := s.frame.nearest(s.frame.along(l))
		if i < 0 {
			continue
		}
		l.used = true
		m := &g.test.Measurements[i]
		if !g.bars[i].empty {
			// Two numbers at one bar: neither is sure.
			if m.Value != "" {
				m.Alternatives = append(m.Alternatives, m.Value)
			}
			m.Alternatives = append(m.Alternatives, l.text)
			m.Value, m.Decode = "", result.DecodeAmbiguous
			p.warn(l.off, "ambiguous-value", "more than one number stands at the bar of %q", clip(g.bars[i].label))
			continue
		}
		g.bars[i].empty = false
		m.Value = l.text
		m.Origin = p.origin(l.off, "html/svg-value")
	}
	s.averages(p, g)
	for _, l := range s.errors {
		i := s.frame.nearest(s.frame.along(l))
		se, n, ok := splitError(l.text)
		if i < 0 || !ok || g.test.Measurements[i].StdError != "" {
			continue
		}
		l.used = true
		g.test.Measurements[i].StdError, g.test.Measurements[i].Samples = se, n
	}
	for _, l := range s.notes {
		if i := s.frame.nearest(s.frame.along(l)); i >= 0 {
			l.used = true
			addBarNote(&g.test.Measurements[i], l.text)
		}
	}
	for _, l := range s.ticks {
		l.used = true
	}
	for _, l := range s.footnotes {
		l.used = true
		g.test.Footnotes = append(g.test.Footnotes, footnote(l.text))
	}
}

// averages reads the rows of a box plot, which prints the spread of a
// system's runs in place of its value.
func (s *sorted) averages(p *page, g *draft) {
	if len(s.spreads) == 0 {
		return
	}
	g.kind = boxPlot
	g.test.DisplayFormat = "HORIZONTAL_BOX_PLOT"
	p.info(g.off, "box-plot", "the page prints minimum, average and maximum of the runs of %q, not their result", clip(g.test.Title))
	for _, l := range s.spreads {
		i := s.frame.nearest(s.frame.along(l))
		low, rest, ok := strings.Cut(strings.TrimPrefix(l.text, spreadMark), " / Avg: ")
		average, high, ok2 := strings.Cut(rest, " / Max: ")
		if i < 0 || !ok || !ok2 || !isNumber(low) || !isNumber(average) || !isNumber(high) || !g.bars[i].empty {
			continue
		}
		l.used = true
		g.bars[i].empty = false
		off := l.off
		if off >= 0 {
			off += len(l.text) - len(rest)
		}
		m := &g.test.Measurements[i]
		m.Value, m.Min, m.Max, m.Decode = average, low, high, result.DecodeInferred
		m.Origin = p.origin(off, "html/box-average")
	}
}

// spreadMark begins a row of a box plot: "Min: 1.4 / Avg: 1.5 / Max: 1.6".
const spreadMark = "Min: "

const errorMark = "SE +/- "

// splitError divides "SE +/- 0.41, N = 9".
func splitError(text string) (se string, n int, ok bool) {
	se, count, ok := strings.Cut(strings.TrimPrefix(text, errorMark), ", N = ")
	if !ok || !isNumber(se) {
		return "", 0, false
	}
	n, err := strconv.Atoi(count)
	return se, n, err == nil && n > 0
}

// addBarNote takes "MIN: 1.4 / MAX: 1.6" as minimum and maximum, and any
// other note as it stands.
func addBarNote(m *result.Measurement, text string) {
	if low, high, ok := strings.Cut(text, " / MAX: "); ok && m.Min == "" && m.Max == "" {
		if low, ok = strings.CutPrefix(low, "MIN: "); ok && isNumber(low) && isNumber(high) {
			m.Min, m.Max = low, high
			return
		}
	}
	m.Notes = append(m.Notes, text)
}

// footnote takes the number off a footnote.
func footnote(text string) string {
	if rest := strings.TrimLeft(text, "0123456789"); len(rest) < len(text) && strings.HasPrefix(rest, ". ") {
		return rest[2:]
	}
	return text
}

// lengths compares every value with the length of its bar, where the scale
// is labelled. A bar is drawn in whole pixels and so are the labels.
func (s *sorted) lengths(p *page, g *draft) {
	unit, doubt := s.unit()
	if unit == 0 || g.kind == boxPlot {
		return
	}
	for i := range g.bars {
		m := &g.test.Measurements[i]
		v, ok := m.Number()
		if !ok {
			continue
		}
		b := &s.frame.boxes[i]
		length := b.w
		if s.frame.upright {
			length = b.h
		}
		if want := v * unit; math.Abs(length-want) > 3+want*(doubt+0.01) {
			m.Decode = result.DecodeInferred
			p.warn(m.Origin.Offset, "bar-mismatch", "the bar of %q is %.0f long and the value %s asks for %.0f",
				clip(g.bars[i].label), length, m.Value, want)
		}
	}
}

// unit returns the pixels that 1 stands for, and how much of that the
// rounding of the scale's label may be off, as a fraction. It returns 0 where
// the scale does not say.
func (s *sorted) unit() (unit, doubt float64) {
	best, text := 0.0, ""
	for _, l := range s.ticks {
		at := math.Abs(l.x - s.frame.base)
		if s.frame.upright {
			at = math.Abs(l.y - s.frame.base)
		}
		if at > best {
			best, text = at, l.text
		}
	}
	v, ok := tick(text)
	if !ok || v <= 0 {
		return 0, 0
	}
	if c := text[len(text)-1]; c != 'K' && c != 'M' {
		// The label is a multiple of the step that was rounded.
		doubt = float64(len(s.ticks)) * result.HalfUnit(text) / v
	}
	return best / v, doubt
}

// isNumber reports whether text is written as a decimal number.
func isNumber(text string) bool {
	if text == "" || text[0] > '9' || strings.IndexByte("-+.0123456789", text[0]) < 0 {
		return false
	}
	_, ok := result.ParseNumber(text)
	return ok
}
