package term

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// Width returns how many terminal cells s takes: wide letters (CJK, most
// emoji) two, marks that combine with the letter before them none. s must be
// visible text of one line ([Visible]).
func Width(s string) int {
	n := 0
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}

func runeWidth(r rune) int {
	if r < 0x300 {
		return 1
	}
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
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
	for i, r := range s {
		w := runeWidth(r)
		if left -= w; left < 0 {
			return s[:i] + mark
		}
	}
	return s
}

// Wrap divides s into lines of at most n cells, at spaces where it can, else
// behind a comma, in the middle of a word where it must. n below 1 counts as 1; a wide letter
// takes a line of its own where it does not fit. Newlines of s divide too.
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
		for i, r := range s {
			if r == ' ' {
				space = i
			}
			if cells += runeWidth(r); cells > n && i > 0 {
				end = i
				break
			}
			if r == ',' {
				comma = i + 1
			}
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
