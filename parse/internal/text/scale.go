package text

import (
	"strings"

	"github.com/benchproof/benchproof/result"
)

// unknownScale is a head whose unit is not known: the words behind its
// version, of which the last few are the unit.
type unknownScale struct {
	test           int // its number, 0 for none
	title, version string
	tail           string
}

// repeatScale corrects a guessed unit by the test before it, if that has the
// same title and another unknown unit: the words that both end with are the
// unit, if they stand within the last option of both. Words such as "Rate"
// are seldom units of their own, as "Reads/s" is.
func (c *collapsed) repeatScale(h *head) {
	if h.scaleKnown || h.title == "" || strings.IndexByte(h.scale, '/') >= 0 {
		c.unknown = unknownScale{}
		return
	}
	before := c.unknown
	c.unknown = unknownScale{test: len(c.b.file.Tests) + 1, title: h.title, version: h.version, tail: join(h.args, h.scale)}
	if before.test == 0 || before.test != len(c.b.file.Tests) || before.title != h.title || before.version != h.version {
		return
	}
	at := len(c.unknown.tail) - commonEnd(before.tail, c.unknown.tail)
	atBefore := len(before.tail) - (len(c.unknown.tail) - at)
	if !withinOption(c.unknown.tail, at) || !withinOption(before.tail, atBefore) {
		return
	}
	h.args, h.scale = c.unknown.tail[:at-1], c.unknown.tail[at:]
	t := &c.b.file.Tests[before.test-1]
	t.Arguments, t.Scale = before.tail[:atBefore-1], before.tail[atBefore:]
	t.Options = result.ParseOptions(t.Arguments)
}

// commonEnd returns the length of the whole words that both texts end with.
func commonEnd(a, b string) int {
	n, words := 0, 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		if a[len(a)-1-n] == ' ' {
			words = n
		}
		n++
	}
	if (n == len(a) || a[len(a)-1-n] == ' ') && (n == len(b) || b[len(b)-1-n] == ' ') {
		words = n
	}
	return words
}

// withinOption reports whether a place in an option string is behind the last
// key and at least one word of its value, and not at the end.
func withinOption(text string, at int) bool {
	colon := strings.LastIndex(text, ": ")
	return colon > 0 && at > colon+len(": ")+1 && at < len(text)
}

func join(a, b string) string {
	if a == "" {
		return b
	}
	return a + " " + b
}
