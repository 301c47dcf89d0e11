package stats

import "math"

// RoundedRatioEstimate is what printed numbers say about a ratio of means a/b.
// All quantities are ranges over the rounding of the two means and the two
// standard errors.
type RoundedRatioEstimate struct {
	// Nominal is the estimate from the printed numbers as they stand. It is
	// the zero value where HasNominal is false: both standard errors print
	// as zero.
	Nominal    RatioEstimate
	HasNominal bool

	Ratio Range
	P     Range // of the test against a ratio of 1
	Low   Range // of the lower end of the interval
	High  Range // of the upper end of the interval
	Level float64
}

// Different says whether the ratio differs from 1 at the error rate alpha
// whatever the digits behind the printed ones are.
func (r RoundedRatioEstimate) Different(alpha float64) Answer { return r.P.Decide(alpha) }

// RoundedRatio is [Ratio] for printed numbers: everything it says is a range
// over the rounding of what is printed.
//
// The extremes are those over the whole box of four roundings. In the means
// they lie at the two opposite corners where the means are nearest to each
// other and farthest apart, since the shift of the logarithm outweighs what the
// same shift does to the relative standard errors; where the two means can be
// equal the largest p is 1. In the standard errors they can lie inside an edge
// of the box, which is searched.
//
// A p range that starts at 0 belongs to standard errors that print as zero: the
// runs may have been equal. Errors are those of [Ratio], with ErrNotPositive
// already if a mean can be zero within its rounding, and ErrZeroSE only if both
// standard errors are zero and exact.
func RoundedRatio(a, b Rounded, level float64) (RoundedRatioEstimate, error) {
	var est RoundedRatioEstimate
	if err := checkLevel("level", level); err != nil {
		return est, err
	}
	p, err := RoundedRatioTest(a, b)
	if err != nil {
		return est, err
	}
	est.P, est.Level = p, level
	if nominal, err := Ratio(a.Summary, b.Summary, level); err == nil {
		est.Nominal, est.HasNominal = nominal, true
	}
	low, high := ratioCorners(a, b)
	est.Ratio = Range{math.Exp(low.log), math.Exp(high.log)}
	est.Low = Range{
		math.Exp(low.log - low.box.maxWidth(level)),
		math.Exp(high.log - high.box.minWidth(level)),
	}
	est.High = Range{
		math.Exp(low.log + low.box.minWidth(level)),
		math.Exp(high.log + high.box.maxWidth(level)),
	}
	if est.Low.Min == 0 {
		return est, ErrOverflow
	}
	return est, checkResult(est.Ratio.Min, est.Ratio.Max,
		est.Low.Min, est.Low.Max, est.High.Min, est.High.Max)
}

// RoundedRatioTest returns the range of the p value alone, the quicker part of
// [RoundedRatio].
func RoundedRatioTest(a, b Rounded) (Range, error) {
	if err := checkRoundedRatio(a, b); err != nil {
		return Range{}, err
	}
	low, high := ratioCorners(a, b)
	if err := checkResult(low.log, high.log, low.box.a.Max, low.box.b.Max, high.box.a.Max, high.box.b.Max); err != nil {
		return Range{}, err
	}
	p := Range{
		2 * math.Min(low.box.minTail(math.Abs(low.log)), high.box.minTail(math.Abs(high.log))),
		2 * math.Max(low.box.maxTail(math.Abs(low.log)), high.box.maxTail(math.Abs(high.log))),
	}
	if low.log <= 0 && high.log >= 0 {
		p.Max = 1
	}
	return p, nil
}

// RoundedWelch returns the range of the p value of [Welch] for printed numbers.
// Here the means and the standard errors move independently, so that the
// extremes are exact. Errors are those of Welch, with ErrZeroSE only if both
// standard errors are zero and exact.
func RoundedWelch(a, b Rounded) (Range, error) {
	if err := checkRoundedPair(a, b); err != nil {
		return Range{}, err
	}
	box := errorBox{a: a.seRange(), b: b.seRange(), na: a.N, nb: b.N}
	ma, mb := a.meanRange(), b.meanRange()
	d1, d2 := math.Abs(ma.Max-mb.Min), math.Abs(ma.Min-mb.Max)
	if err := checkResult(d1, d2); err != nil {
		return Range{}, err
	}
	p := Range{2 * box.minTail(math.Max(d1, d2)), 1}
	if a.Disjoint(b) {
		p.Max = 2 * box.maxTail(math.Min(d1, d2))
	}
	return p, nil
}

// ratioCorner is one corner of the box of two means: the logarithm of their
// ratio and the relative standard errors left to move.
type ratioCorner struct {
	log float64
	box errorBox
}

// ratioCorners returns the corners with the lowest and the highest ratio a/b.
func ratioCorners(a, b Rounded) (low, high ratioCorner) {
	ma, mb := a.meanRange(), b.meanRange()
	return newRatioCorner(a, b, ma.Min, mb.Max), newRatioCorner(a, b, ma.Max, mb.Min)
}

func newRatioCorner(a, b Rounded, ma, mb float64) ratioCorner {
	sa, sb := a.seRange(), b.seRange()
	return ratioCorner{
		log: logOfRatio(ma, mb),
		box: errorBox{
			a:  Range{sa.Min / ma, sa.Max / ma},
			b:  Range{sb.Min / mb, sb.Max / mb},
			na: a.N, nb: b.N,
		},
	}
}
