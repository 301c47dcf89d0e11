package stats

import (
	"fmt"
	"math"
)

// Rounded is a published measurement together with what its printing hides: a
// number printed as 9.31 stands for all of [9.305, 9.315], a standard error
// printed as 0.00 for all of [0, 0.005].
//
// The halves are half a unit of the last printed place, in the unit of the
// test, and zero for a number that is exact.
type Rounded struct {
	Summary
	MeanHalf float64
	SEHalf   float64
}

// Range is the set of values a quantity takes while the printed numbers move
// within their rounding, both ends included.
type Range struct {
	Min, Max float64
}

// Contains reports whether x lies in the range or on one of its ends.
func (r Range) Contains(x float64) bool { return r.Min <= x && x <= r.Max }

// Decide answers "is the p value at most alpha" for a p value known to lie in
// the range: Yes or No only if both ends agree.
func (r Range) Decide(alpha float64) Answer {
	switch {
	case r.Max <= alpha:
		return Yes
	case r.Min > alpha:
		return No
	}
	return Undecided
}

// Answer is the answer to a question that rounding can leave open.
type Answer uint8

// The zero Answer is Undecided.
const (
	Undecided Answer = iota
	Yes
	No
)

// String returns "undecided", "yes" or "no".
func (a Answer) String() string {
	switch a {
	case Undecided:
		return "undecided"
	case Yes:
		return "yes"
	case No:
		return "no"
	}
	return fmt.Sprintf("Answer(%d)", uint8(a))
}

// RoundedFromDeviation is [FromDeviation] for printed numbers: meanHalf is half
// a unit of the last place of the mean, percentHalf that of the deviation.
func RoundedFromDeviation(mean, percent float64, n int, meanHalf, percentHalf float64) (Rounded, error) {
	s, err := FromDeviation(mean, percent, n)
	if err != nil {
		return Rounded{}, err
	}
	high, err := FromDeviation(math.Abs(mean)+meanHalf, percent+percentHalf, n)
	if err != nil {
		return Rounded{}, err
	}
	r := Rounded{Summary: s, MeanHalf: meanHalf, SEHalf: high.SE - s.SE}
	return r, r.check()
}

// Disjoint reports whether the two means differ by more than rounding explains:
// whether their intervals have no point in common. Neighbours, such as 9.31 and
// 9.32, share one. It says nothing about noise.
func (r Rounded) Disjoint(other Rounded) bool {
	// Decimal fractions are not met exactly, so that intervals that touch
	// come out some last bits apart.
	const ulps = 4 * 0x1p-52
	slack := ulps * (math.Abs(r.Mean) + math.Abs(other.Mean))
	return math.Abs(r.Mean-other.Mean) > r.MeanHalf+other.MeanHalf+slack
}

// WithFloor returns the summary with a standard error that printed as zero
// raised to the largest value that prints so, and whether it did. A formula
// that needs one number for the standard error then errs towards caution.
func (r Rounded) WithFloor() (Summary, bool) {
	s := r.Summary
	if s.N >= 2 && s.SE == 0 && r.SEHalf > 0 {
		s.SE = r.SEHalf
		return s, true
	}
	return s, false
}

func (r Rounded) meanRange() Range { return Range{r.Mean - r.MeanHalf, r.Mean + r.MeanHalf} }

func (r Rounded) seRange() Range { return Range{math.Max(0, r.SE-r.SEHalf), r.SE + r.SEHalf} }

func (r Rounded) check() error {
	if err := r.Summary.check(); err != nil {
		return err
	}
	if err := checkFinite(r.MeanHalf, r.SEHalf); err != nil {
		return fmt.Errorf("half-unit %w", err)
	}
	if r.MeanHalf < 0 || r.SEHalf < 0 {
		return fmt.Errorf("half-unit %v: want zero or more", math.Min(r.MeanHalf, r.SEHalf))
	}
	m, se := r.meanRange(), r.seRange()
	return checkResult(m.Min, m.Max, se.Max)
}

// checkRoundedPair is checkPair for printed numbers. Two standard errors that
// print as zero are fine as long as one of them can be more than zero.
func checkRoundedPair(a, b Rounded) error {
	if err := a.check(); err != nil {
		return err
	}
	if err := b.check(); err != nil {
		return err
	}
	if a.seRange().Max == 0 && b.seRange().Max == 0 {
		return ErrZeroSE
	}
	return nil
}

// checkRoundedRatio is checkRoundedPair for a ratio: no part of a mean's
// interval may reach zero.
func checkRoundedRatio(a, b Rounded) error {
	if err := checkRoundedPair(a, b); err != nil {
		return err
	}
	ma, mb := a.meanRange(), b.meanRange()
	if err := checkPositive(ma.Min, mb.Min); err != nil {
		return fmt.Errorf("mean within rounding %w", err)
	}
	return checkResult(ma.Max/mb.Min, mb.Max/ma.Min, a.seRange().Max/ma.Min, b.seRange().Max/mb.Min)
}
