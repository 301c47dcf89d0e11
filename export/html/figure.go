package html

import (
	"strconv"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/export"
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

// ratio and interval return what is shown.
func (e estimate) ratio() string    { return export.RatioText(e.x, e.bounds()) }
func (e estimate) interval() string { return export.IntervalText(e.bounds()) }

func (e estimate) bounds() analyze.Range { return analyze.Range{Low: e.low, High: e.high} }

// fixes are figures that come out otherwise when they are rounded from the
// page's data, which was rounded before, than from themselves. The key is what
// and which row: "r3" a ratio, "i3" an interval, "p3" an adjusted p value.
type fixes map[string]string

func (f fixes) add(row int, e estimate, p analyze.Quantity) {
	r := e.rounded()
	for _, c := range []struct{ what, exact, again string }{
		{"r", e.ratio(), r.ratio()}, {"i", e.interval(), r.interval()}, {"p", export.PText(p), export.PText(pNum(p).quantity())},
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
