package terminal

import (
	"strings"

	"github.com/benchproof/benchproof/result"
)

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
