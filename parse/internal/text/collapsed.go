package text

import (
	"strings"

	"github.com/benchproof/benchproof/parse/internal/vocab"
	"github.com/benchproof/benchproof/result"
)

// collapsed reads a dump whose white space is lost, or means nothing.
type collapsed struct {
	v    *view
	b    *builder
	text string
	from int // the dump's text begins here
	to   int // and ends here at the latest, where the text ends

	systems []rawSystem
	// idents are the identifiers that rows print between marks.
	idents map[string]bool
	// heads are the beginnings of test heads whose start a mark gives.
	heads []string
	// firstHead is where the first test's head begins: behind the last
	// system's last value.
	firstHead int
	// firstSure is set where that place is no guess.
	firstSure bool

	leader int // of the last row of the open test, 0 before its first
	more   bool
}

// readCollapsed reads the dump that begins at or behind from. It returns nil
// if there is none, and where the text behind the dump begins.
func readCollapsed(v *view, from int) (b *builder, next int) {
	c := &collapsed{
		v: v, b: newBuilder(v, result.FormatTextCollapsed), text: v.text, from: from, to: len(v.text),
		idents: make(map[string]bool),
	}
	first, _ := v.stops(from).after(from)
	c.rawSystems(from, first.at)
	c.firstHead = from
	if len(c.systems) > 0 {
		c.firstHead = c.systems[len(c.systems)-1].last
	}
	end := c.survey()
	c.resolve(first)
	next = c.tests(end)
	if len(c.b.file.Systems) == 0 && len(c.b.file.Tests) == 0 {
		return nil, next
	}
	c.title()
	return c.b, next
}

// survey passes over the tests to learn the identifiers that rows print, and
// returns where the text of the dump's last row or head ends.
func (c *collapsed) survey() (end int) {
	s := c.v.stops(c.firstHead)
	lo := c.firstHead
	// Dumps print the same identifiers in the same order in most tests.
	var order []string
	at := 0
	keep := func(ident string) {
		if at < len(order) && order[at] == ident {
			at++
			return
		}
		if c.idents[ident] {
			at = 0
			return
		}
		c.idents[ident] = true
		order = append(order, ident)
		at = len(order)
	}
	afterHead := false
	previous, waiting := 0, "" // the leader of the row before, and its identifier if it is not sure
	for {
		st, ok := s.after(lo)
		if lo > c.firstHead && beginsDump(c.text, lo, st.at) || !ok {
			if afterHead {
				c.surveyLoose(lo, st.at, 0, keep)
			}
			c.more = ok || lo > c.firstHead && beginsDump(c.text, lo, st.at)
			return lo
		}
		if !st.isRow {
			if afterHead {
				c.surveyLoose(lo, st.at, 0, keep)
			}
			if lo > c.firstHead && len(c.heads) < 64 {
				c.heads = append(c.heads, c.v.words(lo, min(st.at, lo+128)))
			}
			lo, afterHead, previous, waiting = st.end, true, 0, ""
			at = 0
			continue
		}
		ident := c.v.words(lo, st.row.identEnd)
		leader := len(ident) + st.row.dots.end - st.row.dots.start
		switch {
		case afterHead:
			if _, loose := dotsIn(c.text, lo, st.row.identEnd); !loose || !c.surveyLoose(lo, st.at, st.row.dots.end, keep) {
				keep(ident)
			}
			waiting = ""
		case leader == previous:
			if waiting != "" {
				keep(waiting)
			}
			keep(ident)
			waiting = ""
		default:
			waiting = ident
		}
		lo, afterHead, previous = st.end, false, leader
	}
}

// surveyLoose keeps the identifiers of the rows without bars with which
// text[lo:hi], behind a head, begins. Identifier and dots are of one length in
// all rows of a test, so that a row without a value is told from an identifier
// that holds dots. It reports whether the rows fill the text to last, where
// the dots of a row with a bar end.
func (c *collapsed) surveyLoose(lo, hi, last int, keep func(string)) bool {
	leader := 0
	var idents []string
	marked := 0 // of idents, how many a value vouches for
	for {
		dots, ok := dotsIn(c.text, lo, hi)
		if !ok {
			break
		}
		_, end := trim(c.text, lo, dots.start)
		ident := c.v.words(lo, end)
		width := dots.end - dots.start
		if leader != 0 && len(ident)+width != leader {
			// The value of a row that has lost its bar?
			word := wordAfter(c.text, lo, end)
			ident = c.v.words(word.end, end)
			if !hasDigit(c.text[word.start:word.end]) || len(ident)+width != leader {
				break
			}
		}
		leader = len(ident) + width
		idents = append(idents, ident)
		lo = dots.end
		word := wordAfter(c.text, lo, hi)
		if s, ok := seriesAt(c.text, lo, hi); ok {
			lo, marked = s.end, len(idents)
		} else if isVerdict(c.text[word.start:word.end]) {
			lo, marked = word.end, len(idents)
		} else if dots.end == last {
			marked = len(idents)
			break
		}
	}
	if len(idents) > 1 && marked == 0 {
		marked = len(idents)
	}
	if last > 0 && lo != last {
		return false
	}
	for _, ident := range idents[:marked] {
		keep(ident)
	}
	return last > 0
}

// beginsDump reports whether another dump's systems begin in text[lo:hi].
func beginsDump(text string, lo, hi int) bool {
	const shortest = 40
	if hi-lo < shortest {
		return false
	}
	_, ok := firstSystem(text, lo, hi)
	return ok
}

// tests reads the tests up to end, and what is left behind it. It returns
// where the text that is not this dump's begins.
func (c *collapsed) tests(end int) int {
	s := c.v.stops(c.firstHead)
	lo := c.firstHead
	for lo < end && c.b.err == nil {
		st, ok := s.after(lo)
		if !ok {
			break
		}
		if st.isRow {
			lo = c.row(lo, &st)
		} else {
			lo = c.head(lo, &st)
		}
	}
	stop := c.to
	if c.more {
		st, _ := s.after(end)
		stop = st.at
	}
	lo = c.looseRows(lo, stop, true)
	if !c.more {
		c.tail(lo)
		return c.to
	}
	return lo
}

// head reads the head that ends at a stop, and the rows without bars that
// stand before it.
func (c *collapsed) head(lo int, st *stop) int {
	lo = c.looseRows(lo, st.at, false)
	start, end := trim(c.text, lo, st.at)
	h := head{decode: result.DecodeInferred}
	if start < end {
		h = splitHead(c.v.words(start, end))
	}
	if h.title == "" {
		c.b.diag(result.SeverityWarning, start, "truncated", "the head of this test is not here")
	}
	if lo == c.firstHead && !c.firstSure {
		h.decode = result.DecodeInferred
	}
	h.at = start
	h.proportion = result.LIB
	if st.higher {
		h.proportion = result.HIB
	}
	c.startTest(h)
	return st.end
}

func (c *collapsed) startTest(h head) {
	if len(c.b.file.Systems) == 0 && len(c.b.file.Tests) == 0 {
		c.b.headless = true
		c.b.diag(result.SeverityWarning, h.at, "truncated", "the text begins within a dump: its systems are not here")
	}
	c.leader = 0
	c.b.startTest(h)
}

// row reads the row that ends at a stop.
func (c *collapsed) row(lo int, st *stop) int {
	dots := st.row.dots.end - st.row.dots.start
	ident := c.v.words(lo, st.row.identEnd)
	decode := result.DecodeExact
	if !c.known(ident) {
		if moved := c.looseRows(lo, st.row.identEnd, false); moved != lo {
			lo = moved
			ident = c.v.words(lo, st.row.identEnd)
		}
	}
	at, _ := trim(c.text, lo, st.row.identEnd)
	if !c.known(ident) && (!c.b.open || c.leader != 0 && len(ident)+dots != c.leader) {
		// The head of a test that does not say which way is better stands
		// before the identifier.
		if short := c.identAtEnd(lo, st.row.identEnd); short != "" && len(short) < len(ident) {
			at = backWords(c.text, st.row.identEnd, words(short))
			h := splitHead(c.v.words(lo, at))
			h.at, _ = trim(c.text, lo, at)
			h.decode = result.DecodeInferred
			c.startTest(h)
			ident = short
		}
	}
	if !c.b.open {
		c.b.diag(result.SeverityWarning, at, "truncated", "the text begins within a test: its head is not here")
		c.startTest(head{at: at, decode: result.DecodeInferred})
		decode = result.DecodeInferred
	}
	c.leader = len(ident) + dots
	value := st.row.value
	c.b.addRow(&row{
		kind: barRow, system: ident, systemAt: at, leader: c.leader, decode: decode,
		value: c.v.printed(value.start, value.end), start: value.start, end: value.end, bar: st.row.bar,
	})
	return st.end
}

// known reports whether an identifier is one of the systems', or one that a
// row prints between marks.
func (c *collapsed) known(ident string) bool {
	// Rows mostly stand in the order of the systems.
	if systems := c.b.file.Systems; c.b.next < len(systems) && systems[c.b.next].Identifier == ident {
		return true
	}
	return c.b.names[ident] != nil || c.idents[ident]
}

// identAtEnd returns the longest identifier that text[lo:hi] ends with, ""
// if there is none.
func (c *collapsed) identAtEnd(lo, hi int) string {
	found := ""
	c.suffixes(lo, hi, func(s string) bool {
		if c.known(s) {
			found = s
		}
		return found == ""
	})
	return found
}

// suffixes calls use with the last words of text[lo:hi], all of the last
// 1024 bytes first, until it returns false.
func (c *collapsed) suffixes(lo, hi int, use func(string) bool) {
	const longest = 1024
	text := c.v.words(max(lo, hi-longest), hi)
	whole := hi-lo <= longest
	for i := 0; i < len(text); {
		if (whole || i > 0) && !use(text[i:]) {
			return
		}
		space := strings.IndexByte(text[i:], ' ')
		if space < 0 {
			return
		}
		i += space + 1
	}
}

// words returns how many words s has that single spaces separate.
func words(s string) int {
	if s == "" {
		return 0
	}
	return strings.Count(s, " ") + 1
}

// backWords returns where the n-th last word of text[:end] begins.
func backWords(text string, end, n int) int {
	w := span{end, end}
	for range n {
		w = wordBefore(text, 0, w.start)
	}
	return w.start
}

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
			return hi
		default:
			c.b.diag(result.SeverityError, at, "truncated", "the row %q has no bar: its value may be cut and is not read", clip(c.v.words(at, word.end)))
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
	if start == end || len(c.b.file.Tests) == 0 {
		return
	}
	if newline := strings.IndexByte(c.text[lo:start], '\n'); newline >= 0 && c.to-c.from > 4096 {
		c.b.diag(result.SeverityInfo, start, "ignored-text", "the text from %q on is no part of the dump", clip(c.v.words(start, min(end, start+80))))
		return
	}
	c.b.diag(result.SeverityWarning, start, "truncated", "the text ends with %q, which is no whole test or row", clip(c.v.words(start, min(end, start+80))))
}
