package ptstext

import (
	"math"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/result"
)

// decimalsMost bounds the decimals of a value, which all others of its test
// get too. No measurement has as many.
const decimalsMost = 100

// precision returns the number of decimals of all values of a test: the most
// that one of them has, and at most two where the smallest is 10 or more.
func precision(values []string) int {
	most, smallest := 0, math.Inf(1)
	for _, v := range values {
		most = max(most, result.Decimals(v))
		n, _ := result.ParseNumber(v)
		smallest = min(smallest, n)
	}
	if smallest >= 10 {
		most = min(most, 2)
	}
	return min(most, decimalsMost)
}

// round returns printed decimal text with a number of decimals, halves away
// from zero. It works on the digits, so that none is lost to binary.
func round(text string, decimals int) string {
	if strings.ContainsAny(text, "eE") {
		v, _ := result.ParseNumber(text)
		return strconv.FormatFloat(v, 'f', decimals, 64)
	}
	sign := ""
	switch text[0] {
	case '-':
		sign, text = "-", text[1:]
	case '+':
		text = text[1:]
	}
	whole, fraction, _ := strings.Cut(text, ".")
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	if pad := decimals - len(fraction); pad >= 0 {
		fraction += strings.Repeat("0", pad)
	} else {
		up := fraction[decimals] >= '5'
		digits := []byte(whole + fraction[:decimals])
		for i := len(digits) - 1; up && i >= 0; i-- {
			if up = digits[i] == '9'; up {
				digits[i] = '0'
			} else {
				digits[i]++
			}
		}
		if up {
			digits = append([]byte{'1'}, digits...)
		}
		n := len(digits) - decimals
		whole, fraction = string(digits[:n]), string(digits[n:])
	}
	if strings.Trim(whole+fraction, "0") == "" {
		sign = ""
	}
	if decimals == 0 {
		return sign + whole
	}
	return sign + whole + "." + fraction
}

// notNumber reports whether text is one of the words for what is no number.
func notNumber(text string) bool {
	v, err := strconv.ParseFloat(text, 64)
	return err == nil && (math.IsNaN(v) || math.IsInf(v, 0))
}

// spread is what PTS's text says of a list of values.
type spread struct{ least, mean, most float64 }

// parseSpread returns the spread of a comma list of numbers, nil if text is
// none.
func parseSpread(text string) *spread {
	if !strings.Contains(text, ",") {
		return nil
	}
	s := &spread{least: math.Inf(1), most: math.Inf(-1)}
	n := 0
	for part := range strings.SplitSeq(text, ",") {
		v, ok := result.ParseNumber(part)
		if !ok {
			if part == "" {
				continue // a sensor gave nothing at that moment
			}
			return nil
		}
		n++
		s.mean += v
		s.least, s.most = min(s.least, v), max(s.most, v)
	}
	if n == 0 {
		return nil
	}
	s.mean /= float64(n)
	return s
}

// writeSpreads sets the values of a test's rows, of which at least one is a
// list.
func writeSpreads(rows []row) {
	most := math.Inf(-1)
	for _, r := range rows {
		if r.list != nil {
			most = max(most, r.list.most)
		}
	}
	decimals := 0
	if most < 100 {
		decimals = 1
	}
	text := func(v float64) string { return strconv.FormatFloat(v, 'f', decimals, 64) }
	wideLeast, wideMean := 0, 0
	for _, r := range rows {
		if r.list != nil {
			wideLeast = max(wideLeast, len(text(r.list.least)))
			wideMean = max(wideMean, len(text(r.list.mean)), len(text(r.list.most)))
		}
	}
	pad := func(s string, width int) string { return s + strings.Repeat(" ", width-len(s)) }
	for i := range rows {
		if l := rows[i].list; l != nil {
			rows[i].value = "MIN: " + pad(text(l.least), wideLeast) + "  AVG: " + pad(text(l.mean), wideMean) +
				"  MAX: " + text(l.most) + " "
		}
	}
}
