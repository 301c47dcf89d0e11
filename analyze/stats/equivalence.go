package stats

import (
	"fmt"
	"math"
)

// Margin returns the limits of a ratio within d of 1, symmetric on the log
// scale: (1-d, 1/(1-d)), so that swapping the two sides changes nothing. d is a
// fraction, 0.05 for 5 %, above 0 and below 1.
func Margin(d float64) (low, high float64, err error) {
	if err := checkLevel("margin", d); err != nil {
		return 0, 0, err
	}
	low = 1 - d
	if low == 1 {
		return 0, 0, fmt.Errorf("margin %v: too small to tell from zero", d)
	}
	return low, 1 / low, nil
}

// EquivalenceTest is the outcome of two one-sided tests on a ratio.
type EquivalenceTest struct {
	// TLow tests against the lower limit and TUp against the upper one;
	// PLow and PUp are their one-sided p values.
	TLow, TUp float64
	PLow, PUp float64
	DF        float64
	// P is the larger of the two: the ratio is within the limits at the
	// error rate P.
	P float64
	// Interval holds the ratio at the level 1-2·alpha. It lies within the
	// limits exactly if Equivalent.
	Interval
	Equivalent bool
}

// Equivalence tests whether the ratio of the means of a and b lies between low
// and high, by two one-sided tests on the log scale with the standard error and
// degrees of freedom of [Ratio]. The null hypothesis is that the ratio lies
// outside: a claim of equivalence is wrong at most at the rate alpha, and too
// few runs lead to no claim rather than to a false one.
//
// low and high are ratios with 0 < low < high; see [Margin] for symmetric ones.
// Errors are those of Ratio. Schuirmann 1987.
func Equivalence(a, b Summary, low, high, alpha float64) (EquivalenceTest, error) {
	if err := checkMargin(low, high, alpha); err != nil {
		return EquivalenceTest{}, err
	}
	lr, err := NewLogRatio(a, b)
	if err != nil {
		return EquivalenceTest{}, err
	}
	return lr.Equivalence(low, high, alpha)
}

// RoundedEquivalence returns the range of the p value of [Equivalence] over the
// rounding of printed numbers. Use its Decide: Yes means equivalent whatever
// the digits behind the printed ones are.
//
// The extremes are found as for [RoundedRatio], in the distance of the log
// ratio to the nearer limit. Errors are those of RoundedRatio.
func RoundedEquivalence(a, b Rounded, low, high float64) (Range, error) {
	if err := checkMargin(low, high, 0.05); err != nil {
		return Range{}, err
	}
	if err := checkRoundedRatio(a, b); err != nil {
		return Range{}, err
	}
	box := newRoundingBox(a, b)
	logLow, logHigh := math.Log(low), math.Log(high)
	q := box.outsideP(logLow, logHigh)
	p := Range{
		Min: math.Min(box.minOfRatio(q, box.ma.Min, box.mb.Max), box.minOfRatio(q, box.ma.Max, box.mb.Min)),
		Max: math.Max(box.maxOfRatio(q, box.ma.Min, box.mb.Max), box.maxOfRatio(q, box.ma.Max, box.mb.Min)),
	}
	// If the ratio can meet the middle of the margin, p is smallest there, at
	// the largest means: they have the smallest relative errors.
	middle := math.Exp((logLow + logHigh) / 2)
	if box.ma.Min < middle*box.mb.Max && box.ma.Max > middle*box.mb.Min {
		mb := math.Min(box.mb.Max, box.ma.Max/middle)
		ma := math.Min(box.ma.Max, middle*mb)
		p.Min = math.Min(p.Min, box.minOfRatio(q, ma, mb))
	}
	return p, nil
}

func checkMargin(low, high, alpha float64) error {
	if err := checkPositive(low, high); err != nil {
		return fmt.Errorf("margin %w", err)
	}
	if low >= high {
		return fmt.Errorf("margin from %v to %v: want the lower limit below the upper", low, high)
	}
	if !(alpha > 0 && alpha < 0.5) {
		return fmt.Errorf("alpha %v: want a number between 0 and 0.5", alpha)
	}
	return nil
}
