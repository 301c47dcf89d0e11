package phrase

import (
	"strconv"
	"strings"
)

// Count returns a number with what it counts, in the plural unless it is one:
// "1 input", "0 inputs", "3 entries". What is a regular noun in the singular, or
// words that end with one.
func Count[N int | int32 | int64](n N, what string) string {
	return strconv.FormatInt(int64(n), 10) + " " + noun(n, what)
}

// noun returns a regular noun, or words that end with one, as a number asks for
// it: in the singular for one, else in the plural.
func noun[N int | int32 | int64](n N, what string) string {
	if n == 1 || what == "" {
		return what
	}
	if stem, ok := strings.CutSuffix(what, "y"); ok && !strings.ContainsRune("aeiou\x00", rune(before(stem))) {
		return stem + "ies"
	}
	for _, end := range []string{"s", "x", "ch"} {
		if strings.HasSuffix(what, end) {
			return what + "es"
		}
	}
	return what + "s"
}

// before returns the last byte of text, 0 where there is none.
func before(text string) byte {
	if text == "" {
		return 0
	}
	return text[len(text)-1]
}

// Verb returns the form of a verb that a number of things asks for: one of one,
// many of all other numbers.
func Verb[N int | int32 | int64](n N, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
