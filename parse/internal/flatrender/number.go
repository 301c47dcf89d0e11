package flatrender

import (
	"math"
	"strconv"
	"strings"
)

// fixed returns the decimal text of v with so many decimals, halves away from
// zero. v is first taken to 15 significant digits, as PTS's language does it:
// 1.005 to two decimals is 1.01 although its float64 is a little less.
func fixed(v float64, places int) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	mantissa, exp, _ := strings.Cut(strconv.FormatFloat(math.Abs(v), 'e', 14, 64), "e")
	e, _ := strconv.Atoi(exp)
	// The value is 0.DIGITS × 10^(e+1).
	digits := strings.Replace(mantissa, ".", "", 1)
	point := e + 1
	if point < 0 {
		digits, point = strings.Repeat("0", -point)+digits, 0
	}
	if n := point + places; len(digits) < n+1 {
		digits += strings.Repeat("0", n+1-len(digits))
	}
	kept, up := []byte(digits[:point+places]), digits[point+places] >= '5'
	for i := len(kept) - 1; up && i >= 0; i-- {
		if kept[i] == '9' {
			kept[i] = '0'
			continue
		}
		kept[i]++
		up = false
	}
	s := string(kept)
	if up {
		s, point = "1"+s, point+1
	}
	whole, frac := s[:point], s[point:]
	if whole == "" {
		whole = "0"
	}
	out := whole
	if places > 0 {
		out += "." + frac
	}
	if v < 0 && strings.Trim(out, "0.") != "" {
		out = "-" + out
	}
	return out
}

// shown returns v as PTS's language turns a float into text: at most 14
// significant digits, no trailing zeros, and powers of ten as in "9.0E-5".
func shown(v float64) string {
	s := strconv.FormatFloat(v, 'G', 14, 64)
	m, e, ok := strings.Cut(s, "E")
	if !ok {
		return s
	}
	if !strings.Contains(m, ".") {
		m += ".0"
	}
	exp, _ := strconv.Atoi(e)
	if exp > 0 {
		return m + "E+" + strconv.Itoa(exp)
	}
	return m + "E" + strconv.Itoa(exp)
}

// roundTo rounds v half away from zero to a number of decimals that may be
// negative.
func roundTo(v float64, places int) float64 {
	if places >= 0 {
		r, _ := strconv.ParseFloat(fixed(v, places), 64)
		return r
	}
	unit := math.Pow10(-places)
	return math.Round(v/unit) * unit
}

// decimals counts the digits behind the last point of text.
func decimals(text string) int {
	i := strings.LastIndexByte(text, '.')
	if i < 0 {
		return 0
	}
	return len(text) - i - 1
}

// numeric returns the number of text that PTS takes for one.
func numeric(text string) (float64, bool) {
	t := strings.TrimSpace(text)
	if t == "" || strings.ContainsAny(t, "xXpP_nNiI") {
		return 0, false
	}
	v, err := strconv.ParseFloat(t, 64)
	return v, err == nil
}

// same reports whether PTS takes two texts for equal: as numbers where both
// are, so that it takes "5.1" and "5.10" for one name.
func same(a, b string) bool {
	if a == b {
		return true
	}
	x, ok := numeric(a)
	y, ok2 := numeric(b)
	return ok && ok2 && x == y
}

// in reports whether list holds a text that PTS takes for s.
func in(list []string, s string) bool {
	for _, l := range list {
		if same(l, s) {
			return true
		}
	}
	return false
}

// textWidth returns the width in pixels that PTS estimates for a text of a
// font size: it decides which notes are drawn and where lines break.
func textWidth(text string, size float64) float64 {
	if text == "" {
		return 0
	}
	n := float64(len(text))
	return math.Ceil(0.76*n*size - math.Ceil(n*1.05))
}

// wrapped returns the text of a note of an area: a note that is broken into
// lines keeps a blank behind its last word.
func wrapped(text string, size, width float64) string {
	if textWidth(text, size) < width {
		return text
	}
	return text + " "
}
