package terminal

import (
	"math"
	"strings"

	"github.com/benchproof/benchproof/result"
)

var eighths = [...]string{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"}

// bar returns a bar of value's share of top in at most cells cells: in
// eighths of a cell, or whole ones in ASCII. A value above zero always has
// some bar, one of zero or below has none.
func bar(value, top float64, cells int, ascii bool) string {
	if value <= 0 || top <= 0 || cells <= 0 {
		return ""
	}
	share := min(value/top, 1)
	if ascii {
		n := max(1, int(math.Round(share*float64(cells))))
		return strings.Repeat("#", n)
	}
	n := max(1, int(math.Round(share*float64(cells)*8)))
	return strings.Repeat("█", n/8) + eighths[n%8]
}

// alignPoints pads numbers so that their decimal points stand below each
// other; other text is set flush right with the digits before the point.
func alignPoints(texts []string) []string {
	before, after := 0, 0
	for _, t := range texts {
		whole, rest := splitPoint(t)
		before, after = max(before, len(whole)), max(after, len(rest))
	}
	aligned := make([]string, len(texts))
	for i, t := range texts {
		whole, rest := splitPoint(t)
		if whole == "" && rest == "" {
			whole = t
		}
		left, right := before-len(whole), after-len(rest)
		aligned[i] = strings.Repeat(" ", max(left, 0)) + t + strings.Repeat(" ", max(right, 0))
	}
	return aligned
}

// splitPoint divides a number's text before its point; both parts are empty
// where text is no number.
func splitPoint(text string) (whole, rest string) {
	if _, ok := result.ParseNumber(text); !ok {
		return "", ""
	}
	i := strings.IndexAny(text, ".eE")
	if i < 0 {
		return text, ""
	}
	return text[:i], text[i:]
}
