package stats

import "math"

// RoundedRatioEstimate is what printed numbers say about a ratio of means a/b.
// All quantities are ranges over the rounding of the two means and the two
// standard errors.
type RoundedRatioEstimate struct {
	// Nominal is the estimate from the printed numbers as they stand, but
	// for a standard error that prints as zero: that is taken to be the
	// largest that prints so, and Floored says it happened.
	Nominal RatioEstimate
	Floored bool

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
// The ends of a range are the extremes over the whole box of four roundings,
// good to some ten digits. They need not lie at its corners: with one quiet and
// one noisy side, a p value can be smallest or largest between them. Where a
// standard error can be more than a tenth of its mean a range can come out
// wider than it must, never narrower.
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
	sa, raisedA := a.WithFloor()
	sb, raisedB := b.WithFloor()
	if est.Nominal, err = Ratio(sa, sb, level); err != nil {
		return est, err
	}
	est.Floored = raisedA || raisedB
	box := newRoundingBox(a, b)
	est.Ratio = Range{box.ma.Min / box.mb.Max, box.ma.Max / box.mb.Min}
	low, high := box.end(level, -1), box.end(level, 1)
	est.Low = Range{
		math.Exp(box.minOfRatio(low, box.ma.Min, box.mb.Max)),
		math.Exp(box.maxOfRatio(low, box.ma.Max, box.mb.Min)),
	}
	est.High = Range{
		math.Exp(box.minOfRatio(high, box.ma.Min, box.mb.Max)),
		math.Exp(box.maxOfRatio(high, box.ma.Max, box.mb.Min)),
	}
	if est.Low.Min == 0 {
		return est, ErrOverflow
	}
	return est, checkResult(est.Ratio.Min, est.Ratio.Max,
		est.Low.Min, est.Low.Max, est.High.Min, est.High.Max)
}

// RoundedRatioInterval returns the outermost ends that the interval of a ratio
// of means has over the rounding of what is printed: it holds the ratio at the
// level or better also where a mean is printed so coarsely that its last place
// outweighs its standard error. Printed to the unit, with standard errors of a
// third of one, means of three runs have an interval by [Ratio] that covers
// about 60 % instead of 95 %. Errors are those of [RoundedRatio].
func RoundedRatioInterval(a, b Rounded, level float64) (Interval, error) {
	if err := checkLevel("level", level); err != nil {
		return Interval{}, err
	}
	if err := checkRoundedRatio(a, b); err != nil {
		return Interval{}, err
	}
	box := newRoundingBox(a, b)
	iv := Interval{
		Low:   math.Exp(box.minOfRatio(box.end(level, -1), box.ma.Min, box.mb.Max)),
		High:  math.Exp(box.maxOfRatio(box.end(level, 1), box.ma.Max, box.mb.Min)),
		Level: level,
	}
	if iv.Low == 0 {
		return Interval{}, ErrOverflow
	}
	return iv, checkResult(iv.Low, iv.High)
}

// RoundedRatioTest returns the range of the p value alone, the quicker part of
// [RoundedRatio].
func RoundedRatioTest(a, b Rounded) (Range, error) {
	if err := checkRoundedRatio(a, b); err != nil {
		return Range{}, err
	}
	box := newRoundingBox(a, b)
	p := box.differenceP()
	r := Range{1, 1}
	if box.ma.Max >= box.mb.Min {
		r.Min = math.Min(r.Min, box.minOfRatio(p, box.ma.Max, box.mb.Min))
	}
	if box.mb.Max >= box.ma.Min {
		r.Min = math.Min(r.Min, box.minOfRatio(p, box.ma.Min, box.mb.Max))
	}
	r.Max = box.largestRatioP()
	return r, nil
}

// largestRatioP returns the largest p value of a ratio against 1 in the box.
func (box roundingBox) largestRatioP() float64 {
	switch {
	case box.ma.Min > box.mb.Max:
		return box.maxOfRatio(box.differenceP(), box.ma.Min, box.mb.Max)
	case box.mb.Min > box.ma.Max:
		return box.maxOfRatio(box.differenceP(), box.ma.Max, box.mb.Min)
	}
	return 1
}

// RoundedWelch returns the range of the p value of [Welch] for printed numbers.
// Means and standard errors move independently here. Errors are those of Welch,
// with ErrZeroSE only if both standard errors are zero and exact.
func RoundedWelch(a, b Rounded) (Range, error) {
	if err := checkRoundedPair(a, b); err != nil {
		return Range{}, err
	}
	box := newRoundingBox(a, b)
	up, down := box.ma.Max-box.mb.Min, box.mb.Max-box.ma.Min
	if err := checkResult(up, down, math.Hypot(box.sa.Max, box.sb.Max)); err != nil {
		return Range{}, err
	}
	p := box.differenceP()
	negativeMin, _, _ := box.maxOverErrors(p.negative(), math.Max(up, down), box.sa, box.sb)
	r := Range{-negativeMin, 1}
	if nearest := -math.Min(up, down); nearest > 0 {
		r.Max, _, _ = box.maxOverErrors(p, nearest, box.sa, box.sb)
	}
	return r, nil
}
