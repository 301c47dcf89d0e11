package analyze

import (
	"fmt"
	"math"

	"github.com/benchproof/benchproof/analyze/stats"
	"github.com/benchproof/benchproof/internal/number"
	"github.com/benchproof/benchproof/result"
)

// claimed is a pair of systems in one test as published.
type claimed struct {
	test   *Test
	a, b   SystemMatch // a is the better one once known
	ln     stats.LogRatio
	ratio  float64 // of a to b, above 1
	reason string  // why it cannot be tested, "" if it can
	kind   Outcome // with reason
	note   string  // what was assumed, "" if nothing
	p      float64 // the largest that rounding allows; NaN where not tested
}

// pairs holds the published order and ratios of systems against the replayed
// ones, for every two systems in every test that both results have.
func (v *Verification) pairs() {
	var list []claimed
	var p []float64
	for i := range v.Set.Tests {
		t := &v.Set.Tests[i]
		for j, a := range v.Systems {
			for _, b := range v.Systems[j+1:] {
				if a.Published == b.Published || t.Cell(a.Published) == nil || t.Cell(b.Published) == nil {
					continue
				}
				c := v.claim(t, a, b)
				list, p = append(list, c), append(p, c.p)
			}
		}
	}
	adjusted, err := stats.Holm(p)
	if err != nil {
		v.Warnings = append(v.Warnings, "pairs are not tested: "+err.Error())
		return
	}
	for i := range list {
		v.Rows = append(v.Rows, v.pair(&list[i], adjusted[i]))
	}
}

// claim is what the published figures say of two systems.
func (v *Verification) claim(t *Test, a, b SystemMatch) claimed {
	c := claimed{test: t, a: a, b: b, p: math.NaN()}
	for _, m := range [...]SystemMatch{a, b} {
		if c.kind, c.reason = v.untestable(t.Cell(m.Published), t.Cell(m.Replayed)); c.reason != "" {
			c.reason = v.systemName(m) + ": " + c.reason
			return c
		}
	}
	x, y := t.Cell(a.Published), t.Cell(b.Published)
	if x.Figures.Mean < y.Figures.Mean != (t.Proportion == result.LIB) {
		c.a, c.b = b, a
		x, y = y, x
	}
	above, below := sidesOf(t, x, y)
	c.ratio = above.Mean / below.Mean
	if !x.Tested() || !y.Tested() {
		c.ln = assumed(above, below, [2]*Cell{x, y}, [2]*Cell{t.Cell(c.a.Replayed), t.Cell(c.b.Replayed)})
		c.p = c.ln.Test().P
		c.note = fmt.Sprintf("no published error, %.1f %% assumed", 100*c.ln.SE/math.Sqrt2)
		return c
	}
	ln, err := stats.NewLogRatio(floored(above), floored(below))
	if err != nil {
		c.kind, c.reason = NotComparable, "whether the published difference stands is not known: "+inWords(err)
		return c
	}
	bounds, err := stats.RoundedRatioTest(above, below)
	if err != nil {
		c.kind, c.reason = NotComparable, "whether the published difference stands is not known: "+inWords(err)
		return c
	}
	c.ln, c.p = ln, math.Max(bounds.Max, ln.Test().P)
	return c
}

// Assumptions about a published value without a standard error. All profiles
// that can be replayed run three times, and the suite adds runs while the
// deviation is above 3.5 % (later versions: 3 % or less), so where three sufficed
// their mean shows an error of 2.02 % at most. It is an assumption: a later metric
// of the same run may have more, and so may runs that did not settle by the
// greatest number the suite makes (12 runs that vary by 10 %: 2.9 %).
const (
	assumedRelativeSE = 0.0202 // 3.5 %/√3
	assumedRuns       = 3
)

// assumed returns the log ratio of two published values where a standard error
// is not known: the suite's bound stands in for it, or what three runs with the
// replay's spread have if that is more. It is assumed and no estimate, so the
// normal distribution goes with it.
func assumed(above, below stats.Rounded, published, replayed [2]*Cell) stats.LogRatio {
	var squares float64
	for i, c := range published {
		se := assumedRelativeSE
		if again := floored(replayed[i].Figures); again.N >= 2 && !math.IsNaN(again.SE) {
			se = math.Max(se, again.SD()/again.Mean/math.Sqrt(assumedRuns))
		}
		if c.Tested() {
			se = relativeSE(c)
		}
		// The digits that are not printed are as good as uniform.
		digits := relativeHalf(c) / math.Sqrt(3)
		squares += se*se + digits*digits
	}
	const normal = 1e6 // degrees of freedom as good as endless
	return stats.LogRatio{Log: stats.Ln(above.Mean) - stats.Ln(below.Mean), SE: math.Sqrt(squares), DF: normal}
}

// sidesOf returns the figures of x and y so that the first over the second is
// above 1 where x is better. Where the direction is not known more counts as
// better, which an order does not depend on.
func sidesOf(t *Test, x, y *Cell) (above, below stats.Rounded) {
	if t.Proportion == result.LIB {
		return y.Figures, x.Figures
	}
	return x.Figures, y.Figures
}

// pair holds the replayed ratio of two systems against the published one.
func (v *Verification) pair(c *claimed, adjusted float64) VerifyRow {
	t := c.test
	r := VerifyRow{Claim: PairClaim, Test: t, System: v.systemName(c.a), SystemB: v.systemName(c.b), Verdict: c.kind, Reason: c.reason}
	if c.ratio > 0 {
		r.Published = number.Significant(c.ratio, 6)
	}
	if c.reason != "" {
		return r
	}
	x, y := t.Cell(c.a.Replayed), t.Cell(c.b.Replayed)
	above, below := sidesOf(t, x, y)
	here := above.Mean / below.Mean
	r.Replayed, r.here = number.Significant(here, 6), here
	r.Ratio = known(here / c.ratio)
	fidelity, scaled := replayOf(x)
	if other, otherScaled := replayOf(y); other != fidelity || otherScaled != scaled {
		r.Verdict, r.Reason = NotComparable, "the two systems were not replayed by the same means"
		return r
	}
	r.fidelity, r.scaled = fidelity, scaled
	if !(adjusted <= Alpha) {
		r.Verdict, r.Reason = NotComparable, fmt.Sprintf("a tie as published: the difference does not stand among all pairs (p = %.2g)", adjusted)
		if c.note != "" {
			r.Reason += "; " + c.note
		}
		return r
	}
	ln, note, err := logRatio(above, below)
	if err != nil {
		r.Verdict, r.Reason = NotDecided, "the replay has no uncertainty: "+inWords(err)
		return r
	}
	px, py := t.Cell(c.a.Published), t.Cell(c.b.Published)
	low, high := v.margin(math.Hypot(relativeSE(px), relativeSE(py)),
		relativeHalf(px)+relativeHalf(py)+relativeHalf(x)+relativeHalf(y))
	r.MarginLow, r.MarginHigh = known(low), known(high)
	r.order(ln, c, low, high, roundingSlack(x, y), roundingSlack(px, py, x, y))
	for _, text := range []string{c.note, note} {
		if text != "" {
			r.Reason += "; " + text
		}
	}
	if r.scaled != "" {
		if r.Verdict == Reproduced {
			r.Verdict = OrderReproduced
		}
		r.Reason += "; scaled, so no validation: " + r.scaled
	}
	if r.fidelity != "" && !r.fidelity.Values() {
		r.Reason += "; by " + string(r.fidelity)
	}
	return r
}

// order sets the verdict on the order and the ratio of two systems. Rounding may
// have moved the ratio here by slack, and that to the published one by both.
func (r *VerifyRow) order(ln stats.LogRatio, c *claimed, low, high, slack, both float64) {
	apart := ln.Minus(c.ln)
	equal, err := equivalence(apart, both, low, high)
	if err != nil {
		r.Verdict, r.Reason = NotDecided, inWords(err)
		return
	}
	r.Interval = knownRange(equal.Low, equal.High)
	r.PEqual = known(equal.P)
	here, err := ln.Interval(Level)
	if err != nil {
		r.Verdict, r.Reason = NotDecided, inWords(err)
		return
	}
	test := nearer(ln, slack).Test()
	better := test.P <= Alpha && ln.Log > 0
	reversed := test.P <= Alpha && ln.Log < 0
	span := fmt.Sprintf("%.3g times here (95 %%: %.3g to %.3g), %.3g as published", math.Exp(ln.Log), here.Low, here.High, c.ratio)
	here.Low, here.High = here.Low*math.Exp(-slack), here.High*math.Exp(slack)
	// That there is no difference here is a claim of its own.
	tieLow, tieHigh, _ := stats.Margin(defaultMargin)
	tie, tieErr := equivalence(ln, slack, tieLow, tieHigh)
	outside, outsideErr := outsideP(apart, both, low, high)
	flat := tieErr == nil && outsideErr == nil && tie.Equivalent && outside <= Alpha
	switch {
	case reversed:
		r.Verdict, r.Reason = NotReproduced, "the other way round: "+span
		r.POutside = known(test.P)
	case flat:
		r.Verdict, r.Reason = NotReproduced, "no difference to speak of: "+span
		r.POutside = known(math.Max(tie.P, outside))
	case better && equal.Equivalent:
		r.Verdict, r.Reason = Reproduced, span
	case better:
		r.Verdict, r.Reason = OrderReproduced, span+"; the ratio is not shown to be the same"
		if outsideErr == nil && outside <= Alpha {
			r.Reason = span + "; the ratio is another"
		}
	default:
		r.Verdict, r.Reason = NotDecided, span+": which one is better here is open"
		r.pairRunsNeeded(ln, c)
	}
}

// pairRunsNeeded sets how many runs of both systems would show the published
// order if the ratio here is what was measured.
func (r *VerifyRow) pairRunsNeeded(ln stats.LogRatio, c *claimed) {
	x, y := c.test.Cell(c.a.Replayed).Figures, c.test.Cell(c.b.Replayed).Figures
	cvX, errX := floored(x).CV()
	cvY, errY := floored(y).CV()
	if errX != nil || errY != nil || ln.Log == 0 {
		return
	}
	plan := stats.Plan{CVA: cvX, CVB: cvY, Ratio: math.Exp(ln.Log), Alpha: Alpha}
	if n, err := plan.DifferenceRuns(power); err == nil && n <= mostReplayRuns {
		r.RunsNeeded = n
	}
}
