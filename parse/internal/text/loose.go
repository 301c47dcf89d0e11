package text

import (
	"strings"

	"github.com/benchproof/benchproof/parse/internal/vocab"
	"github.com/benchproof/benchproof/result"
)

// looseRows reads rows without bars at the start of text[lo:hi]: series,
// verdicts, rows without a value. It returns where they end. At the end of
// the dump (final) what follows the last dots may be cut.
func (c *collapsed) looseRows(lo, hi int, final bool) int {
	if !c.b.open {
		return lo
	}
	for {
		dots, ok := dotsIn(c.text, lo, hi)
		if !ok {
			return lo
		}
		_, end := trim(c.text, lo, dots.start)
		ident := c.v.words(lo, end)
		if !c.known(ident) {
			return lo
		}
		at, _ := trim(c.text, lo, end)
		leader := len(ident) + dots.end - dots.start
		if c.leader != 0 && leader != c.leader {
			return lo
		}
		r := row{kind: blankRow, system: ident, systemAt: at, leader: leader, start: dots.start, end: dots.end}
		next := dots.end
		word := wordAfter(c.text, dots.end, hi)
		switch s, isSeries := seriesAt(c.text, dots.end, hi); {
		case isSeries:
			r.kind = lineRow
			r.start, r.end = s.average.start, s.average.end
			r.value = c.v.printed(r.start, r.end)
			r.minimum = c.v.printed(s.minimum.start, s.minimum.end)
			r.maximum = c.v.printed(s.maximum.start, s.maximum.end)
			next = s.end
			if s.end == len(c.v.text) {
				r.decode = result.DecodeInferred
				c.b.diag(result.SeverityWarning, s.maximum.start, "truncated", "the input ends with the number %q, which may go on", r.maximum)
			}
		case isVerdict(c.text[word.start:word.end]):
			r.kind = wordRow
			r.start, r.end = word.start, word.end
			r.value = c.v.printed(r.start, r.end)
			next = word.end
		case c.blank(dots.end, hi) && !(final && !c.more && word.start == word.end):
		case word.start == word.end:
			c.b.diag(result.SeverityWarning, at, "truncated", "the text ends behind the dots of %q: its value may be cut off", clip(ident))
			c.b.doubt()
			return hi
		default:
			c.b.diag(result.SeverityError, at, "truncated", "the row %q has no bar: its value may be cut and is not read", clip(c.v.words(at, word.end)))
			c.b.doubt()
			c.leader = leader
			lo = word.end
			continue
		}
		c.leader = leader
		c.b.addRow(&r)
		lo = next
	}
}

// blank reports whether no value stands behind the dots that end at lo: a
// head or the next row's identifier does.
func (c *collapsed) blank(lo, hi int) bool {
	word := wordAfter(c.text, lo, hi)
	if word.start == word.end {
		return true
	}
	if dots, ok := dotsIn(c.text, lo, hi); ok {
		if _, end := trim(c.text, lo, dots.start); c.known(c.v.words(lo, end)) {
			return true
		}
	}
	rest := c.v.words(word.start, min(hi, word.start+128))
	return vocab.TitlePrefix(rest) != "" || c.known(rest) || !hasDigit(c.text[word.start:word.end])
}

// tail reports what is left at the end of the text.
func (c *collapsed) tail(lo int) {
	start, end := trim(c.text, lo, c.to)
	c.b.ended = start == end
	if len(c.b.file.Tests) == 0 && len(c.b.file.Systems) > 0 {
		c.b.diag(result.SeverityInfo, c.to, "no-tests", "the dump has systems and no test")
		return
	}
	if start == end {
		c.b.endsBehindHead()
	}
	if start == end || len(c.b.file.Tests) == 0 {
		return
	}
	if newline := strings.IndexByte(c.text[lo:start], '\n'); newline >= 0 && c.to-c.from > 4096 {
		c.b.diag(result.SeverityInfo, start, "ignored-text", "the text from %q on is no part of the dump", clip(c.v.words(start, min(end, start+80))))
		return
	}
	c.b.diag(result.SeverityWarning, start, "truncated", "the text ends with %q, which is no whole test or row", clip(c.v.words(start, min(end, start+80))))
}
