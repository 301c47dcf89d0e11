// Package number turns figures into text and works out the few that the
// record leaves to its readers.
package number

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/result"
)

// Significant returns v rounded to n significant digits, without exponent
// and trailing zeros where its size allows (1e-9 to 1e15), else with one. It
// returns "" for NaN and the infinities.
func Significant(v float64, n int) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	text := strconv.FormatFloat(v, 'g', n, 64)
	// From the rounded decimal, so that 1234567 becomes 1234570, and what is
	// rounded up to a limit is written as the limit is.
	rounded, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text
	}
	if a := math.Abs(rounded); a != 0 && (a < 1e-9 || a >= 1e15) {
		return text
	}
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}

// StdError returns the standard error of the mean of printed runs, the
// sample standard deviation over the root of N, to 6 significant digits. It
// returns "" where fewer than two runs are given or one of them is no number
// or is longer than any measurement (400 characters, exponents past 400).
//
// It is worked out in exact fractions: runs that differ in their last digits
// only give no noise, and equal runs give exactly 0.
func StdError(runs []string) string {
	n := int64(len(runs))
	if n < 2 {
		return ""
	}
	values := make([]*big.Rat, n)
	sum := new(big.Rat)
	for i, r := range runs {
		if !Measured(r) {
			return ""
		}
		v, ok := new(big.Rat).SetString(r)
		if !ok {
			return ""
		}
		values[i] = v
		sum.Add(sum, v)
	}
	mean := sum.Quo(sum, new(big.Rat).SetInt64(n))
	squares := new(big.Rat)
	for _, v := range values {
		d := v.Sub(v, mean)
		squares.Add(squares, d.Mul(d, d))
	}
	f, _ := squares.Quo(squares, new(big.Rat).SetInt64(n*(n-1))).Float64()
	return Significant(math.Sqrt(f), 6)
}

// Measured reports whether text is a printed number that a measurement can be:
// not longer than 400 characters, nor with an exponent past 400. As an exact
// fraction it is then no huge one.
func Measured(text string) bool {
	_, ok := result.ParseNumber(text)
	return ok && len(text) <= 400 && exponent(text) <= 400
}

// exponent returns the size of the printed exponent of text.
func exponent(text string) int {
	i := strings.IndexAny(text, "eE")
	if i < 0 {
		return 0
	}
	e, err := strconv.Atoi(text[i+1:])
	if err != nil {
		return math.MaxInt
	}
	return max(e, -e)
}

// Figures returns the standard error and N of m as a table prints them: as
// the record has them, else worked out from its raw runs. Unknown ones are
// "" and 0.
func Figures(m *result.Measurement) (stdError string, samples int) {
	stdError, samples = m.StdError, m.Samples
	if samples == 0 {
		samples = len(m.RawValues)
	}
	if stdError == "" {
		stdError = StdError(m.RawValues)
	}
	return stdError, samples
}

// MeanText returns the mean of printed values as the test suite prints it: a
// whole number where none of them has a decimal point, else with two decimals,
// below 10 with as many as a value has. Halves are rounded away from zero, as
// PHP's round does.
// It returns "" where there is none, or one of them is no number that a
// measurement can be.
func MeanText(values []string) string {
	if len(values) == 0 {
		return ""
	}
	sum := new(big.Rat)
	digits, point := 0, false
	for _, v := range values {
		if !Measured(v) {
			return ""
		}
		x, ok := new(big.Rat).SetString(v)
		if !ok {
			return ""
		}
		sum.Add(sum, x)
		point = point || strings.ContainsRune(v, '.')
		digits = max(digits, min(result.Decimals(v), 9))
	}
	sum.Quo(sum, big.NewRat(int64(len(values)), 1))
	switch {
	case !point:
		digits = 0
	case new(big.Rat).Abs(sum).Cmp(big.NewRat(10, 1)) >= 0:
		digits = 2
	default:
		digits = max(digits, 2)
	}
	return sum.FloatString(digits)
}
