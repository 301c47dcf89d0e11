package html

import (
	"math"
	"strconv"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/internal/number"
)

// Digits of ratios and of p values in the page's data: those of the CSV of a
// comparison.
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

// quantity returns the number again, which has lost digits.
func (n num) quantity() analyze.Quantity {
	x, err := strconv.ParseFloat(string(n), 64)
	return analyze.Quantity{X: x, Known: err == nil}
}

// estimate is a ratio with its interval.
type estimate struct{ x, low, high analyze.Quantity }

func newEstimate(q analyze.Quantity, iv analyze.Range) estimate { return estimate{q, iv.Low, iv.High} }

// rounded returns the estimate as the page's data has it.
func (e estimate) rounded() estimate {
	return estimate{ratioNum(e.x).quantity(), ratioNum(e.low).quantity(), ratioNum(e.high).quantity()}
}

// decimals returns how many decimals a ratio is worth: two digits of half its
// interval, or three digits of itself where it has none.
func (e estimate) decimals(x float64) int {
	d := 2 - int(math.Floor(math.Log10(math.Abs(x))))
	if e.low.Known && e.high.Known && e.high.X > e.low.X {
		// Never less than two digits of the ratio itself.
		d = max(d-1, 1-int(math.Floor(math.Log10((e.high.X-e.low.X)/2))))
	}
	return min(max(d, 0), 6)
}

// ratio returns the ratio with the digits that its uncertainty allows.
func (e estimate) ratio() string {
	x := e.x.X
	switch {
	case !e.x.Known || x <= 0:
		return ""
	case x < 0.001 || x >= 1e6:
		return number.Significant(x, 3)
	}
	return strconv.FormatFloat(x, 'f', e.decimals(x), 64)
}

// interval returns the interval, "" where it is not known.
func (e estimate) interval() string {
	if !e.low.Known || !e.high.Known {
		return ""
	}
	low, high := e.low.X, e.high.X
	if low < 0.001 || high >= 1e6 {
		return number.Significant(low, 3) + " to " + number.Significant(high, 3)
	}
	d := e.decimals(1)
	return strconv.FormatFloat(low, 'f', d, 64) + " to " + strconv.FormatFloat(high, 'f', d, 64)
}

// shownP returns a p value with at most four decimals.
func shownP(p analyze.Quantity) string {
	switch {
	case !p.Known:
		return ""
	case p.X < 0.0001:
		return "<0.0001"
	}
	return strconv.FormatFloat(p.X, 'f', 4, 64)
}

// fixes are figures that come out otherwise when they are rounded from the
// page's data, which was rounded before, than from themselves. The key is what
// and which row: "r3" a ratio, "i3" an interval, "p3" an adjusted p value.
type fixes map[string]string

func (f fixes) add(row int, e estimate, p analyze.Quantity) {
	r := e.rounded()
	for _, c := range []struct{ what, exact, again string }{
		{"r", e.ratio(), r.ratio()}, {"i", e.interval(), r.interval()}, {"p", shownP(p), shownP(pNum(p).quantity())},
	} {
		if c.exact != c.again {
			f[c.what+strconv.Itoa(row)] = c.exact
		}
	}
}

// signs are marks beside the words of verdicts, so that shape tells them apart
// as well as colour.
var signs = map[analyze.Verdict]string{
	analyze.Better: "▲", analyze.Worse: "▼", analyze.Equivalent: "=",
	analyze.Trivial: "≈", analyze.Undecided: "?", analyze.Untestable: "–",
}
