package stats

import (
	"fmt"
	"math"
)

// FiellerShape is the form of a Fieller confidence set.
type FiellerShape uint8

// The forms a Fieller set can have. Only the first is an interval.
const (
	// FiellerBounded: the interval [Low, High].
	FiellerBounded FiellerShape = iota
	// FiellerOutside: everything but what lies between Low and High. The
	// denominator cannot be told from zero, the numerator can.
	FiellerOutside
	// FiellerEverything: no value of the ratio can be excluded. Low and
	// High are zero and mean nothing.
	FiellerEverything
)

// String returns "bounded", "unbounded" or "everything".
func (s FiellerShape) String() string {
	switch s {
	case FiellerBounded:
		return "bounded"
	case FiellerOutside:
		return "unbounded"
	case FiellerEverything:
		return "everything"
	}
	return fmt.Sprintf("FiellerShape(%d)", uint8(s))
}

// FiellerSet is a confidence set for a ratio of means. Look at Shape before
// Low and High: only a bounded set is an interval to print.
type FiellerSet struct {
	Shape FiellerShape
	Interval
	Ratio float64
	// G is (t·SEb/b)². At 1 and above the denominator is not significantly
	// different from zero and the set is unbounded; far below 1 the set
	// agrees with the interval of [Ratio].
	G  float64
	DF float64
}

// Bounded reports whether the set is an interval.
func (f FiellerSet) Bounded() bool { return f.Shape == FiellerBounded }

// Fieller returns Fieller's confidence set for the ratio of the means of a and
// b, with the degrees of freedom that [Ratio] uses:
//
//	g = (t·SEb/b)²,  h = (t/b)·√(SEa²(1-g) + r²·SEb²),  (r ± h)/(1-g)
//
// Unlike the log interval it is exact for normal means, also where a standard
// error is a large part of its mean (above some 5 %), and says so when the data
// do not bound the ratio at all. An unbounded set comes with a nil error and
// another Shape.
//
// Errors are those of [Ratio]. Fieller 1954; Franz 2007.
func Fieller(a, b Summary, level float64) (FiellerSet, error) {
	if err := checkLevel("level", level); err != nil {
		return FiellerSet{}, err
	}
	lr, err := compareLogs(a, b)
	if err != nil {
		return FiellerSet{}, err
	}
	t := tQuantile(level, lr.df)
	r := a.Mean / b.Mean
	// Relative standard errors throughout: the set scales with r.
	ta, tb := t*(a.SE/a.Mean), t*(b.SE/b.Mean)
	g := tb * tb
	set := FiellerSet{
		Interval: Interval{Level: level},
		Ratio:    r,
		G:        g,
		DF:       lr.df,
	}
	disc := ta*ta*(1-g) + g
	if disc < 0 || g == 1 {
		// At g = 1 exactly the set is a half-line, on the edge between
		// the two unbounded forms; it is reported as the wider one.
		set.Shape = FiellerEverything
		return set, checkResult(r, g)
	}
	h := math.Sqrt(disc)
	x, y := r*(1-h)/(1-g), r*(1+h)/(1-g)
	set.Low, set.High = math.Min(x, y), math.Max(x, y)
	if g > 1 {
		set.Shape = FiellerOutside
	}
	return set, checkResult(r, g, set.Low, set.High)
}
