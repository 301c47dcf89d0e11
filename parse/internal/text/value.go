package text

import (
	"strings"

	"github.com/benchproof/benchproof/parse/internal/vocab"
)

// certainty is the answer of a rule that may not know.
type certainty uint8

const (
	unknown certainty = iota
	yes
	no
)

// fitsKey says whether a value can be that of a component.
func fitsKey(key, value string, values map[string]map[string]bool) certainty {
	if values[key][value] {
		return yes
	}
	if n := grammar(key, value); n >= 0 {
		if n == len(value) && n > 0 {
			return yes
		}
		return no
	}
	if value == "" {
		return no
	}
	return unknown
}

// grammar returns the length of the value of a component that text begins
// with, for the keys whose values have a form of their own, -1 for others.
func grammar(key, text string) int {
	end := strings.IndexByte(text, ' ')
	if end < 0 {
		end = len(text)
	}
	switch key {
	case "Screen Resolution":
		digits, crosses := 0, 0
		for i := 0; i < end; i++ {
			switch c := text[i]; {
			case isDigit(c):
				digits++
			case c == 'x':
				crosses++
			default:
				return -1
			}
		}
		if digits < 2 || crosses != 1 {
			return -1
		}
		return end
	case "File-System":
		for i := 0; i < end; i++ {
			if c := text[i]; !isDigit(c) && (c < 'a' || c > 'z') && c != '-' && c != '_' && c != '.' {
				return -1
			}
		}
		if strings.HasPrefix(text[end:], " +") {
			return -1
		}
		return end
	}
	return -1
}

// valueEnd returns where the value of a component that begins at lo ends,
// if other words follow it before hi. sure is false where it is a guess.
func valueEnd(c *collapsed, key string, lo, hi int, values map[string]map[string]bool) (end int, sure bool) {
	const most = 1024 // bytes of a value and a title
	lo, hi = trim(c.text, lo, hi)
	text := c.v.words(lo, min(hi, lo+most))
	if n := grammar(key, text); n > 0 {
		return forwardWords(c.text, lo, words(text[:n])), true
	}
	// Candidates are the ends of words. The first that a known value or a
	// known title speaks for is taken, first where both do.
	known, title, later := -1, -1, -1
	for i := 0; i < len(text); i++ {
		if text[i] != ' ' {
			continue
		}
		isKnown := values[key][text[:i]]
		isTitle := vocab.TitlePrefix(text[i+1:]) != ""
		if isKnown && isTitle {
			return forwardWords(c.text, lo, words(text[:i])), true
		}
		if isKnown {
			known = i
		}
		if isTitle && title < 0 {
			title = i
		}
		if later < 0 && c.likeLater(text[i+1:]) {
			later = i
		}
	}
	switch {
	case known >= 0:
		return forwardWords(c.text, lo, words(text[:known])), later == known
	case title >= 0:
		return forwardWords(c.text, lo, words(text[:title])), true
	case later >= 0:
		return forwardWords(c.text, lo, words(text[:later])), false
	}
	n := usualLength(text)
	return forwardWords(c.text, lo, words(text[:n])), false
}

// likeLater reports whether text begins like the head of a later test: with
// the same two words.
func (c *collapsed) likeLater(text string) bool {
	n := strings.IndexByte(text, ' ')
	if n < 0 {
		return false
	}
	second := strings.IndexByte(text[n+1:], ' ')
	if second < 0 {
		return false
	}
	n += 1 + second + 1
	for _, head := range c.heads {
		if len(head) >= n && head[:n] == text[:n] {
			return true
		}
	}
	return false
}

// usualLength returns the length of a value of the usual form: a name, a
// version behind it, what stands in parentheses, and the same behind a plus.
func usualLength(text string) int {
	n := 0
	depth := 0
	var before string
	for n < len(text) {
		start := n
		if n > 0 {
			start++
		}
		end := strings.IndexByte(text[start:], ' ')
		if end < 0 {
			end = len(text)
		} else {
			end += start
		}
		word := text[start:end]
		goesOn := n == 0 || depth > 0 || word == "+" || before == "+" || strings.HasPrefix(word, "(") || isDigit(word[0])
		if !goesOn {
			break
		}
		depth = max(0, depth+strings.Count(word, "(")-strings.Count(word, ")"))
		before, n = word, end
	}
	return n
}

// forwardWords returns where the n-th word of text[lo:] ends.
func forwardWords(text string, lo, n int) int {
	for range n {
		lo = wordAfter(text, lo, len(text)).end
	}
	return lo
}
