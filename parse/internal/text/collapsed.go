package text

import (
	"strings"

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

	unknown unknownScale // of the last test
	leader  int          // of the last row of the open test, 0 before its first
	more    bool         // another dump follows
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
	lo = c.damagedHeads(lo, st.at)
	start, end := trim(c.text, lo, st.at)
	h := head{decode: result.DecodeInferred}
	if start < end {
		h = c.splitHead(start, end)
	}
	if h.title == "" {
		c.b.diag(result.SeverityWarning, start, "truncated", "the head of this test is not here")
	}
	c.repeatScale(&h)
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

// splitHead divides the head text[start:end]. Of one with the rest of a row
// before it only what is beyond doubt is kept.
func (c *collapsed) splitHead(start, end int) head {
	text := c.v.words(start, end)
	h := splitHead(text)
	if isWreck(text) {
		h.decode = result.DecodeInferred
		h.clear()
		c.b.diag(result.SeverityError, start, "damaged-head", "the text %q before a test is neither row nor head", clip(text))
	}
	return h
}

// damagedHeads reads the heads in text[lo:hi] whose words that say which way
// is better are damaged, and the rows without bars behind each. It returns
// where they end. Which way is better is not known of such a test.
func (c *collapsed) damagedHeads(lo, hi int) int {
	for {
		at, end, ok := damagedMark(c.text, lo, hi)
		if !ok {
			return lo
		}
		start, stop := trim(c.text, lo, at)
		c.b.diag(result.SeverityError, start, "damaged-head", "the head of a test ends with %q, which does not say which way is better", clip(c.text[at:end]))
		h := head{}
		if start < stop {
			h = splitHead(c.v.words(start, stop))
			h.clear()
		}
		h.at, h.decode = start, result.DecodeInferred
		c.startTest(h)
		lo = c.looseRows(end, hi, false)
	}
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
		moved := c.looseRows(lo, st.row.identEnd, false)
		if moved = c.damagedHeads(moved, st.row.identEnd); moved != lo {
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
			start, end := trim(c.text, lo, at)
			h := c.splitHead(start, end)
			h.at = start
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
