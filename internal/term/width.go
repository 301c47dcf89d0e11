package term

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// Width returns how many terminal cells s takes: wide letters (CJK, most
// emoji) two, marks that combine with the letter before them none. What a
// terminal draws as one sign counts as one: emoji with a skin tone, joined by
// a joiner or followed by their selector, pairs of regional indicators, Hangul
// syllables of single letters. s must be visible text of one line ([Visible]).
func Width(s string) int {
	n := 0
	for s != "" {
		size, cells := sign(s)
		n += cells
		s = s[size:]
	}
	return n
}

const (
	joiner        = 0x200d // joins two emoji to one, or letters of some scripts
	nonJoiner     = 0x200c // keeps letters of such scripts apart
	emojiSelector = 0xfe0f // makes the sign before it an emoji, two cells wide
)

// sign returns the length in bytes of the sign that s begins with, its marks
// included, and how many cells it takes. s must not be empty.
func sign(s string) (size, cells int) {
	first, size := utf8.DecodeRuneInString(s)
	cells = runeWidth(first)
	if first < 0x80 && (size == len(s) || s[size] < 0x80) {
		return size, cells // the usual case
	}
	for size < len(s) {
		r, n := utf8.DecodeRuneInString(s[size:])
		switch {
		case r == emojiSelector && cells > 0 && first > 0x80:
			cells = 2
		case r == joiner && pictograph(first):
			next, m := utf8.DecodeRuneInString(s[size+n:])
			if pictograph(next) {
				n += m
			}
		case skinTone(r) && pictograph(first):
		case regional(r) && regional(first) && size == utf8.RuneLen(first):
			cells = 2
		case runeWidth(r) > 0:
			return size, cells
		}
		size += n
	}
	return size, cells
}

// pictograph reports whether r is an emoji or a symbol that can be one.
func pictograph(r rune) bool {
	return r >= 0x1f000 && r <= 0x1faff && !regional(r) || r >= 0x2190 && r <= 0x2bff
}

func skinTone(r rune) bool { return r >= 0x1f3fb && r <= 0x1f3ff }
func regional(r rune) bool { return r >= 0x1f1e6 && r <= 0x1f1ff }

func runeWidth(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case r >= 0x1160 && r <= 0x11ff:
		return 0 // vowels and ends of Hangul syllables
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// Pad returns s filled up with spaces to n cells on its right, or on its left
// if right is set. Text of n cells or more stays as it is.
func Pad(s string, n int, right bool) string {
	missing := n - Width(s)
	if missing <= 0 {
		return s
	}
	if right {
		return strings.Repeat(" ", missing) + s
	}
	return s + strings.Repeat(" ", missing)
}

// Cut returns s cut to at most n cells, with mark ("…") as its end where
// something was cut off. n must be at least the width of mark.
func Cut(s string, n int, mark string) string {
	if Width(s) <= n {
		return s
	}
	left := n - Width(mark)
	for i := 0; i < len(s); {
		size, cells := sign(s[i:])
		if left -= cells; left < 0 {
			return s[:i] + mark
		}
		i += size
	}
	return s
}

// Wrap divides s into lines of at most n cells, at spaces where it can, else
// behind a comma, in the middle of a word where it must. n below 1 counts as 1;
// a wide letter takes a line of its own where it does not fit. Newlines of s
// divide too.
func Wrap(s string, n int) []string {
	var lines []string
	for paragraph := range strings.SplitSeq(s, "\n") {
		lines = append(lines, wrap(paragraph, max(n, 1))...)
	}
	return lines
}

func wrap(s string, n int) []string {
	var lines []string
	for {
		cells, space, comma, end := 0, -1, -1, len(s)
		for i := 0; i < len(s); {
			size, wide := sign(s[i:])
			if s[i] == ' ' {
				space = i
			}
			if cells += wide; cells > n && i > 0 {
				end = i
				break
			}
			if s[i] == ',' {
				comma = i + 1
			}
			i += size
		}
		if end == len(s) {
			return append(lines, s)
		}
		if space > 0 && strings.TrimSpace(s[:space]) != "" {
			end = space
		} else if comma > 0 {
			end = comma
		}
		lines = append(lines, strings.TrimRight(s[:end], " "))
		s = strings.TrimLeft(s[end:], " ")
	}
}
