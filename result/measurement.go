package result

import (
	"math"
	"strconv"
	"strings"
)

// Measurement is one cell: the value of one test on one system.
type Measurement struct {
	// System is the index into File.Systems.
	System int
	// Value as printed in the source: a number, "NaN", "PASS", the comma
	// list "1,2,3" of a line graph. Empty for a failed measurement and for
	// an ambiguous one.
	Value string
	// StdError as printed, or derived from RawValues (6 significant
	// digits), then StdErrorDerived; "" if unknown. In the unit of Value.
	StdError        string
	StdErrorDerived bool
	// Samples is N, the number of runs; 0 if unknown.
	Samples int
	// RawValues are the single runs as printed, in order.
	RawValues []string
	// Min and Max as printed, "" if unknown.
	Min, Max string
	// Notes are what the source prints beside the value and is no figure of
	// it: the compiler options that a graph prints at this system's bar
	// alone, as printed, in order.
	Notes []string
	// RunTimes are seconds a run, as printed.
	RunTimes []string
	// Precise is the value with more digits than Value where the source
	// prints it twice (the overview table of a page), "" otherwise.
	Precise string

	Status Status
	// Reason says why the measurement failed, as published.
	Reason string

	// Decode says how sure the value is, its system's name included.
	Decode Decode
	// Alternatives are the survivors of an ambiguous value, as printed.
	Alternatives []string

	// Replay is set on measurements that a replay made.
	Replay *Replay
	// Details is the entry's JSON of composite.xml, the published text.
	Details []byte

	Origin Origin
}

// CensoredReason begins the Reason of a replayed measurement that is censored:
// the tool ran and measured, but what it printed the published test does not
// read, so that there would be no published value either.
const CensoredReason = "censored: "

// Censored reports whether the measurement has no value because of how large or
// small it was. Its Status is StatusFailed, as there is no value; the run has
// not failed.
func (m *Measurement) Censored() bool {
	return m.Status == StatusFailed && strings.HasPrefix(m.Reason, CensoredReason)
}

// FailureWord returns "failed" or "censored" of a measurement without a value.
func (m *Measurement) FailureWord() string {
	if m.Censored() {
		return "censored"
	}
	return "failed"
}

// Failure returns in words why a failed measurement has no value: "failed",
// "failed: REASON" or "censored: REASON".
func (m *Measurement) Failure() string {
	switch {
	case m.Censored():
		return m.Reason
	case m.Reason == "":
		return "failed"
	}
	return "failed: " + m.Reason
}

// Replay says how a replayed measurement was made.
type Replay struct {
	Driver   string   `json:"driver"` // the tool and its version
	Fidelity Fidelity `json:"fidelity"`
	Scaling  string   `json:"scaling,omitempty"` // what was shrunk, "" if nothing
}

// Number returns the float64 of Value, and false where Value is no finite
// decimal number.
func (m *Measurement) Number() (float64, bool) { return ParseNumber(m.Value) }

// HalfUnit returns half a unit of the last printed place of Value: the
// printed number stands for everything within it. 0 where Value is no number.
func (m *Measurement) HalfUnit() float64 { return HalfUnit(m.Value) }

// StdErrorNumber returns the float64 of StdError, and false where it is
// unknown.
func (m *Measurement) StdErrorNumber() (float64, bool) { return ParseNumber(m.StdError) }

// ParseNumber returns the float64 of printed decimal text such as "-12.50"
// or "1.5e+06", and false for everything else, "NaN", "inf", "0x1p-2" and
// "1_000" included. Values too large for a float64 are no number.
func ParseNumber(text string) (float64, bool) {
	if v, _, ok := shortDecimal(text); ok {
		return v, true
	}
	if !isDecimal(text) {
		return 0, false
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
		return 0, false
	}
	return v, true
}

// shortDigits is how many digits a number may have whose whole number of last
// places is exact as a float64.
const shortDigits = 15

// shortDecimal is [ParseNumber] for nearly all numbers that are printed: those
// of up to 15 digits without an exponent. The digits as a whole number and the
// power of ten are exact as float64, so their quotient is the nearest one
// (Clinger, How to read floating point numbers accurately, 1990). places is
// how many digits stand behind the point.
func shortDecimal(text string) (v float64, places int, ok bool) {
	i, negative := 0, false
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		i, negative = 1, text[0] == '-'
	}
	if len(text) > i+shortDigits+1 {
		return 0, 0, false
	}
	digits, point, whole := 0, -1, int64(0)
	for ; i < len(text); i++ {
		c := text[i] - '0'
		if c > 9 {
			if text[i] != '.' || point >= 0 {
				return 0, 0, false
			}
			point = digits
			continue
		}
		whole = whole*10 + int64(c)
		digits++
	}
	if digits == 0 || digits > shortDigits {
		return 0, 0, false
	}
	v = float64(whole)
	if point >= 0 {
		places = digits - point
		v /= powers[places]
	}
	if negative {
		v = -v
	}
	return v, places, true
}

var powers = [shortDigits + 1]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// halves are half a unit of the last of so many places.
var halves = [shortDigits + 1]float64{
	5e-1, 5e-2, 5e-3, 5e-4, 5e-5, 5e-6, 5e-7, 5e-8, 5e-9, 5e-10, 5e-11, 5e-12, 5e-13, 5e-14, 5e-15, 5e-16,
}

// isDecimal reports whether text is sign, digits with at most one point, and
// an exponent, only the digits being required.
func isDecimal(text string) bool {
	i := 0
	if i < len(text) && (text[i] == '-' || text[i] == '+') {
		i++
	}
	digits, dots := 0, 0
	for ; i < len(text); i++ {
		switch c := text[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c == '.' && dots == 0:
			dots++
		case (c == 'e' || c == 'E') && digits > 0:
			i++
			if i < len(text) && (text[i] == '-' || text[i] == '+') {
				i++
			}
			if i == len(text) {
				return false
			}
			for ; i < len(text); i++ {
				if text[i] < '0' || text[i] > '9' {
					return false
				}
			}
			return true
		default:
			return false
		}
	}
	return digits > 0
}

// HalfUnit returns half a unit of the last place of printed decimal text:
// 0.005 for "86.08", 0.5 for "476", 50 for "12.3e3"; 0 where text is no
// number. Trailing zeros count as printed places.
func HalfUnit(text string) float64 {
	if _, places, ok := shortDecimal(text); ok {
		return halves[places]
	}
	if _, ok := ParseNumber(text); !ok {
		return 0
	}
	mantissa, exponent := text, 0
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		mantissa = text[:i]
		exponent, _ = strconv.Atoi(text[i+1:])
	}
	if i := strings.IndexByte(mantissa, '.'); i >= 0 {
		exponent -= len(mantissa) - i - 1
	}
	// Parsed from text, since math.Pow10 times 5 is not always the nearest.
	v, err := strconv.ParseFloat("5e"+strconv.Itoa(exponent-1), 64)
	if err != nil {
		return 0
	}
	return v
}

// Decimals returns how many digits stand behind the decimal point of printed
// text; 0 for integers and for text that is no number.
func Decimals(text string) int {
	i := strings.IndexByte(text, '.')
	if i < 0 {
		return 0
	}
	n := 0
	for _, c := range text[i+1:] {
		if c < '0' || c > '9' {
			break
		}
		n++
	}
	return n
}

func itoa(n int) string { return strconv.Itoa(n) }
