package html

import (
	"math"
	"strconv"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/internal/number"
)

// Digits of ratios and of p values in the page's data: those of the CSV of a
// comparison. What is shown is rounded from them, here and in the page's
// script by the same rules, so that the two never disagree.
const (
	ratioDigits = 6
	pDigits     = 4
)

// num is a number as text, "" where it is not known.
type num string

func ratioNum(q analyze.Quantity) num { return figure(q, ratioDigits) }
func pNum(q analyze.Quantity) num     { return figure(q, pDigits) }

func figure(q analyze.Quantity, digits int) num {
	if !q.Known {
		return ""
	}
	return num(number.Significant(q.X, digits))
}

// value returns the number and whether it is known.
func (n num) value() (float64, bool) {
	x, err := strconv.ParseFloat(string(n), 64)
	return x, err == nil
}

// estimate is a ratio with its interval, as the page's data has it.
type estimate struct{ x, low, high num }

func newEstimate(q analyze.Quantity, iv analyze.Range) estimate {
	return estimate{ratioNum(q), ratioNum(iv.Low), ratioNum(iv.High)}
}

// decimals returns how many decimals a ratio is worth: two digits of half its
// interval, or three digits of itself where it has none.
func (e estimate) decimals(x float64) int {
	d := 2 - int(math.Floor(math.Log10(math.Abs(x))))
	low, okLow := e.low.value()
	high, okHigh := e.high.value()
	if okLow && okHigh && high > low {
		// Never less than two digits of the ratio itself.
		d = max(d-1, 1-int(math.Floor(math.Log10((high-low)/2))))
	}
	return min(max(d, 0), 6)
}

// ratio returns the ratio with the digits that its uncertainty allows.
func (e estimate) ratio() string {
	x, ok := e.x.value()
	switch {
	case !ok || x <= 0:
		return ""
	case x < 0.001 || x >= 1e6:
		return number.Significant(x, 3)
	}
	return strconv.FormatFloat(x, 'f', e.decimals(x), 64)
}

// interval returns the interval, "" where it is not known.
func (e estimate) interval() string {
	low, okLow := e.low.value()
	high, okHigh := e.high.value()
	if !okLow || !okHigh {
		return ""
	}
	if low < 0.001 || high >= 1e6 {
		return number.Significant(low, 3) + " to " + number.Significant(high, 3)
	}
	d := e.decimals(1)
	return strconv.FormatFloat(low, 'f', d, 64) + " to " + strconv.FormatFloat(high, 'f', d, 64)
}

// shownP returns a p value with at most four decimals.
func shownP(n num) string {
	x, ok := n.value()
	switch {
	case !ok:
		return ""
	case x < 0.0001:
		return "<0.0001"
	}
	return strconv.FormatFloat(x, 'f', 4, 64)
}

// signs are marks beside the words of verdicts, so that shape tells them apart
// as well as colour.
var signs = map[analyze.Verdict]string{
	analyze.Better: "▲", analyze.Worse: "▼", analyze.Equivalent: "=",
	analyze.Trivial: "≈", analyze.Undecided: "?", analyze.Untestable: "–",
}
