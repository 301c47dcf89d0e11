package text

import (
	"strings"

	"github.com/benchproof/benchproof/result"
)

// rowLine reads a line that is a row.
func (l *layout) rowLine(ln textLine) bool {
	line := l.text[:ln.end]
	if pipe := strings.LastIndexByte(line[ln.start:], '|'); pipe >= 0 {
		if s, ok := barRowAt(line, ln.start, ln.start+pipe); ok && s.end == ln.end {
			ident := l.v.piece(ln.start, s.identEnd)
			r := row{
				kind: barRow, system: ident, systemAt: ln.start, leader: len(ident) + s.dots.end - s.dots.start,
				value: l.v.printed(s.value.start, s.value.end), start: s.value.start, end: s.value.end, bar: s.bar,
			}
			if l.v.plain {
				r.column = ln.start + pipe - s.value.start
			}
			if _, end, ok := damagedMark(line, ln.start, s.identEnd); ok && l.b.names[ident] == nil && l.state != inPreamble {
				// The head's last line and the row are one line.
				l.damagedHead(ln, end)
				ln.start, _ = trim(line, end, s.identEnd)
				ln.blank = 0
				r.leader -= len(ident)
				r.system, r.systemAt = l.v.piece(ln.start, s.identEnd), ln.start
				r.leader += len(r.system)
			}
			return l.row(ln, &r)
		}
	}
	if !l.b.open || !l.afterRow || ln.blank > 0 {
		return false
	}
	dots, ok := l.leaderIn(ln)
	if !ok {
		return false
	}
	_, end := trim(line, ln.start, dots.start)
	ident := l.v.piece(ln.start, end)
	r := row{system: ident, systemAt: ln.start, leader: len(ident) + dots.end - dots.start}
	value := wordAfter(line, dots.end, ln.end)
	if s, ok := seriesAt(line, dots.end, ln.end); ok && s.end == ln.end {
		r.kind = lineRow
		r.minimum = l.v.printed(s.minimum.start, s.minimum.end)
		r.maximum = l.v.printed(s.maximum.start, s.maximum.end)
		value = s.average
		if ln.end == len(l.text) {
			r.decode = result.DecodeInferred
			l.b.diag(result.SeverityWarning, s.maximum.start, "truncated", "the input ends with the number %q, which may go on", r.maximum)
		}
	} else if value.end < ln.end || !isVerdict(line[value.start:value.end]) {
		if value.start < value.end || strings.IndexByte(l.text[ln.end:], '\n') < 0 {
			l.cut(ln)
			return true
		}
		r.kind = blankRow
		r.start, r.end = dots.start, dots.end
		return l.row(ln, &r)
	} else {
		r.kind = wordRow
	}
	r.start, r.end = value.start, value.end
	r.value = l.v.printed(value.start, value.end)
	return l.row(ln, &r)
}

// leaderIn returns the dots of a row without a bar: the first ones behind an
// identifier that is known, else the first ones at all.
func (l *layout) leaderIn(ln textLine) (span, bool) {
	first, ok := dotsIn(l.text, ln.start, ln.end)
	dots, more := first, ok
	for range 16 { // no identifier holds more words of dots
		if !more {
			break
		}
		_, end := trim(l.text, ln.start, dots.start)
		if l.b.names[l.v.piece(ln.start, end)] != nil {
			return dots, true
		}
		dots, more = dotsIn(l.text, dots.end-1, ln.end)
	}
	return first, ok
}

// cut reports a row without its bar: its number may have lost its end. What
// follows may be the rest of another test.
func (l *layout) cut(ln textLine) {
	l.b.doubt()
	if _, _, ok := damagedMark(l.text, ln.start, ln.end); ok {
		l.b.endTest() // the head of what follows is lost
	}
	l.b.diag(result.SeverityError, ln.start, "truncated", "the row %q has no bar: its value may be cut and is not read", clip(l.text[ln.start:ln.end]))
}

// row adds a row, first beginning a test if the pending lines are the head
// of one that does not say which way is better.
func (l *layout) row(ln textLine, r *row) bool {
	switch {
	case len(l.pending) > 0 && l.b.open && l.afterRow && ln.blank == 0 && l.inBlock(r):
		for _, p := range l.pending {
			l.b.diag(result.SeverityError, p.start, "unreadable-row", "among the rows stands %q, which is none", clip(l.text[p.start:p.end]))
		}
		l.pending = l.pending[:0]
		l.b.doubt()
	case len(l.pending) > 0:
		l.startTest(l.plainHead(ln))
	case !l.b.open:
		l.b.diag(result.SeverityWarning, ln.start, "truncated", "the text begins within a test: its head is not here")
		l.startTest(head{at: ln.start, decode: result.DecodeInferred})
		r.decode = result.DecodeInferred // its identifier may be cut
	}
	l.afterRow, l.half = true, false
	l.b.addRow(r)
	return true
}

// inBlock reports whether a row's dots go on with the open test's.
func (l *layout) inBlock(r *row) bool {
	cells := l.b.last()
	return len(cells) > 0 && cells[len(cells)-1].leader == small(r.leader)
}
