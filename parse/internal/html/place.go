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

	// Of each.
	bars, count []int
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

// each calls f with every label that stands alone of its list at a bar. The
// others stay without a meaning.
func (s *sorted) each(list []*label, f func(l *label, bar int)) {
	s.bars = s.bars[:0]
	s.count = append(s.count[:0], make([]int, len(s.frame.boxes))...)
	for _, l := range list {
		i := s.frame.nearest(s.frame.along(l))
		s.bars = append(s.bars, i)
		if i >= 0 {
			s.count[i]++
		}
	}
	for k, l := range list {
		if i := s.bars[k]; i >= 0 && s.count[i] == 1 {
			f(l, i)
		}
	}
}

// identify gives every bar its identifier. Of several texts at a bar the bold
// one is it.
func (s *sorted) identify(g *draft, legend bool) {
	bold := false
	for _, l := range s.identifiers {
		bold = bold || l.bold
		if legend || l.rotated {
			s.identifyRows(g)
			return
		}
	}
	if bold {
		s.identifiers = slices.DeleteFunc(s.identifiers, func(l *label) bool { return !l.bold })
	}
	s.each(s.identifiers, func(l *label, i int) {
		l.used = true
		g.bars[i].label = l.text
	})
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
	s.each(s.errors, func(l *label, i int) {
		m := &g.test.Measurements[i]
		m.StdError, m.Samples, l.used = splitError(l.text)
	})
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
	s.each(s.spreads, func(l *label, i int) {
		low, rest, ok := strings.Cut(strings.TrimPrefix(l.text, spreadMark), " / Avg: ")
		average, high, ok2 := strings.Cut(rest, " / Max: ")
		if !ok || !ok2 || !isNumber(low) || !isNumber(average) || !isNumber(high) || !g.bars[i].empty {
			return
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
	})
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
	if n, err := strconv.Atoi(count); err == nil && n > 0 {
		return se, n, true
	}
	return "", 0, false
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
	unit, label := s.unit()
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
		want := v * unit
		if off := math.Abs(length - want); off > 3+want/100 && off > 3+want*(s.doubt(label)+0.01) {
			m.Decode = result.DecodeInferred
			p.warn(m.Origin.Offset, "bar-mismatch", "the bar of %q is %.0f long and the value %s asks for %.0f",
				clip(g.bars[i].label), length, m.Value, want)
		}
	}
}

// unit returns the pixels that 1 stands for by the scale's farthest label,
// and that label; 0 where the scale does not say.
func (s *sorted) unit() (float64, string) {
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
		return 0, ""
	}
	return best / v, text
}

// doubt returns how much of a scale's label its rounding may be, as a
// fraction: the labels are multiples of a step that was rounded.
func (s *sorted) doubt(label string) float64 {
	v, _ := tick(label)
	return float64(len(s.ticks)) * result.HalfUnit(label) / v
}

// isNumber reports whether text is written as a decimal number.
func isNumber(text string) bool {
	const long = 32
	digits, points := 0, 0
	for i := 0; i < len(text) && i < long; i++ {
		switch c := text[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c == '.':
			points++
		default:
			if i == 0 && (c < '+' || c > '.') {
				return false
			}
			points = 2 // a sign, an exponent, or no number
		}
	}
	if digits > 0 && points < 2 && len(text) <= long {
		return true
	}
	_, ok := result.ParseNumber(text)
	return ok
}
