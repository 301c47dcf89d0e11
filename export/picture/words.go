package picture

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/benchproof/benchproof/internal/number"
)

func count(n int) string { return strconv.Itoa(n) }

// significant prints a figure that was worked out with six digits.
func significant(x float64) string { return number.Significant(x, 6) }

func percent(share float64) string { return number.Significant(100*share, 3) + " %" }

// probability prints a p value with at most four decimals.
func probability(p float64) string {
	if p < 0.0001 {
		return "<0.0001"
	}
	return strconv.FormatFloat(p, 'f', 4, 64)
}

// sentence returns a reason as a sentence.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	r, n := utf8.DecodeRuneInString(text)
	return shown(string(unicode.ToUpper(r)) + strings.TrimSuffix(text[n:], ".") + ".")
}

// slugMost is the length of the words in a file's name.
const slugMost = 48

// slug returns the letters and digits of ASCII in text, small and with dashes
// between them: what stands in a file's name. It may be empty.
func slug(text string) string {
	var b strings.Builder
	dash := false
	for _, r := range strings.ToLower(text) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			if dash && b.Len() > 0 {
				b.WriteByte('-')
			}
			dash = false
			b.WriteRune(r)
			if b.Len() >= slugMost {
				break
			}
			continue
		}
		dash = true
	}
	return strings.TrimRight(b.String()[:min(b.Len(), slugMost)], "-")
}
