package xml

import (
	"math"
	"math/bits"
	"strconv"

	"github.com/benchproof/benchproof/internal/number"
	"github.com/benchproof/benchproof/result"
)

// exactRuns is up to how many runs the standard error is worked out in exact
// fractions, which take time.
const exactRuns = 1000

// stdError is [number.StdError], which works in exact fractions, with a way
// that is some twenty times faster where it gives the same digits for sure:
// for few runs with few digits, in whole numbers of the last place. Of more
// runs than anyone makes it is worked out in floating point.
func (r *reader) stdError(runs []string) string {
	var room [24]byte
	if text, ok := fastStdError(room[:0], runs); ok {
		return r.text.string(text)
	}
	if len(runs) > exactRuns {
		return floatStdError(runs)
	}
	return number.StdError(runs)
}

// floatStdError works in floating point, about the first run.
func floatStdError(runs []string) string {
	n := float64(len(runs))
	first, _ := result.ParseNumber(runs[0])
	var sum, squares float64
	for _, run := range runs {
		v, ok := result.ParseNumber(run)
		if !ok {
			return ""
		}
		sum += v - first
	}
	mean := first + sum/n
	for _, run := range runs {
		v, _ := result.ParseNumber(run)
		squares += (v - mean) * (v - mean)
	}
	return number.Significant(math.Sqrt(squares/n/(n-1)), 6)
}

// fastStdError appends the standard error to out. It returns false where it is
// not sure of a digit.
func fastStdError(out []byte, runs []string) ([]byte, bool) {
	const mostRuns = 32
	n := len(runs)
	if n < 2 || n > mostRuns {
		return nil, false
	}
	var scaled [mostRuns]int64
	var places [mostRuns]int
	most := 0
	for i, run := range runs {
		v, p, ok := decimal(run)
		if !ok {
			return nil, false
		}
		scaled[i], places[i] = v, p
		most = max(most, p)
	}
	for i := range n {
		for ; places[i] < most; places[i]++ {
			if scaled[i] *= 10; scaled[i] > 1e16 || scaled[i] < -1e16 {
				return nil, false
			}
		}
	}
	// n Σd² − (Σd)² with d counted from the first run: a whole number.
	var sum, squares int64
	for i := range n {
		d := scaled[i] - scaled[0]
		if d > 1e8 || d < -1e8 {
			return nil, false
		}
		sum += d
		squares += d * d // at most 32e16
	}
	hi, lo := bits.Mul64(uint64(squares), uint64(n))
	hi2, lo2 := bits.Mul64(uint64(max(sum, -sum)), uint64(max(sum, -sum)))
	lo, borrow := bits.Sub64(lo, lo2, 0)
	hi, _ = bits.Sub64(hi, hi2, borrow)
	if hi == 0 && lo == 0 {
		return append(out, '0'), true
	}
	if hi != 0 {
		return nil, false
	}
	v := math.Sqrt(float64(lo)/float64(n*n*(n-1))) / pow10[most]
	return sixDigits(out, v)
}

// decimal reads printed text as a whole number of its last place, false for
// what is no plain decimal of at most 15 digits.
func decimal(text string) (v int64, places int, ok bool) {
	digits := text
	if digits != "" && (digits[0] == '-' || digits[0] == '+') {
		digits = digits[1:]
	}
	point := -1
	for i := 0; i < len(digits); i++ {
		c := digits[i]
		switch {
		case c >= '0' && c <= '9':
			v = v*10 + int64(c-'0')
		case c == '.' && point < 0:
			point = i
		default:
			return 0, 0, false
		}
	}
	n := len(digits)
	if point >= 0 {
		places = n - point - 1
		n--
	}
	if n == 0 || n > 15 {
		return 0, 0, false
	}
	if text[0] == '-' {
		v = -v
	}
	return v, places, true
}

var pow10 = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// sixDigits appends v to six significant digits as number.Significant does. It
// returns false where v is so near the middle between two such numbers that
// its own error may decide, or so large or small that it takes an exponent.
func sixDigits(out []byte, v float64) ([]byte, bool) {
	const (
		unsure = 1e-6 // of the sixth digit; far more than the error of v
		least  = 1e-8
		most   = 1e14
	)
	if v < least || v >= most {
		return nil, false
	}
	// v = scaled × 10^exponent with six digits before the point of scaled.
	exponent, scaled := 0, v
	for scaled >= 1e6 {
		exponent++
		scaled = v / pow10[exponent]
	}
	for scaled < 1e5 {
		exponent--
		scaled = v * pow10[-exponent]
	}
	whole := math.Floor(scaled)
	if rest := scaled - whole; rest > 0.5+unsure {
		whole++
	} else if rest > 0.5-unsure {
		return nil, false
	}
	n := uint64(whole)
	for n%10 == 0 {
		n /= 10
		exponent++
	}
	var room [8]byte
	digits := strconv.AppendUint(room[:0], n, 10)
	point := len(digits) + exponent // digits before the decimal point
	switch {
	case point <= 0:
		out = append(out, "0."...)
		for range -point {
			out = append(out, '0')
		}
		out = append(out, digits...)
	case exponent >= 0:
		out = append(out, digits...)
		for range exponent {
			out = append(out, '0')
		}
	default:
		out = append(out, digits[:point]...)
		out = append(out, '.')
		out = append(out, digits[point:]...)
	}
	return out, true
}
