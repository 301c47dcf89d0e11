package xlsx

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/benchproof/benchproof/internal/term"
)

// Widths of letters in the fonts that spreadsheets use, in digits, the unit
// of a column's width, rather too large than too small: a row that is too
// low hides text.
func letterWidth(r rune) float64 {
	if r >= 0 && r < utf8.RuneSelf {
		return asciiWidths[r]
	}
	if unicode.IsUpper(r) {
		return 1.2
	}
	return 1.1 * float64(term.Width(string(r)))
}

var asciiWidths = func() (widths [utf8.RuneSelf]float64) {
	for r := range widths {
		widths[r] = asciiWidth(rune(r))
	}
	return widths
}()

func asciiWidth(r rune) float64 {
	switch {
	case r == ' ':
		return 0.6
	case strings.ContainsRune("iljtfrI.,:;'|!()[]-/", r):
		return 0.65
	case strings.ContainsRune("mwMW@%&", r):
		return 1.6
	case unicode.IsUpper(r):
		return 1.2
	}
	return 1
}

// textWidth returns the width of the widest line of text in digits, rounded
// up.
func textWidth(text string) int {
	widest := 0.0
	for line := range strings.SplitSeq(text, "\n") {
		w := 0.0
		for _, r := range line {
			w += letterWidth(r)
		}
		widest = max(widest, w)
	}
	return int(math.Ceil(widest))
}

// textLines returns how many lines text takes when wrapped to a width in
// digits.
func textLines(text string, width float64) int {
	lines := 0
	for paragraph := range strings.SplitSeq(text, "\n") {
		lines += paragraphLines(paragraph, width)
	}
	return lines
}

func paragraphLines(text string, width float64) int {
	lines, line, word := 1, 0.0, 0.0
	for _, r := range text {
		w := letterWidth(r)
		switch {
		case r == ' ':
			line, word = line+w, 0
			continue
		case word+w > width: // a word that fills a line is cut
			lines++
			line, word = 0, 0
		case line+w > width:
			lines++
			line = word
		}
		line, word = line+w, word+w
	}
	return lines
}
