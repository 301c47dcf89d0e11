package stats

import "math"

// DifferenceEstimate is the difference of two means a-b with what is known
// about it, in the unit of the test.
type DifferenceEstimate struct {
	Difference float64
	SE         float64 // standard error of the difference
	TTest              // tests the difference against 0
	Interval           // holds the difference
}

// Welch returns the difference of the means of a and b with its confidence
// interval and Welch's t test, from published summaries:
//
//	T = (a-b)/√(SEa²+SEb²),  DF = (SEa²+SEb²)²/(SEa⁴/(na-1)+SEb⁴/(nb-1))
//
// It assumes independent, near normal runs and needs no equal spread. Means
// may be zero or negative; where both are positive [Ratio] says more.
//
// It returns ErrTooFew if a side has fewer than two runs or their number is not
// known, ErrNoSE if a standard error is not known and ErrZeroSE if both are
// zero: then the means are equal or not, and no test can add to that
// ([Rounded.Disjoint] takes rounding into account).
//
// Welch 1947; Satterthwaite 1946.
func Welch(a, b Summary, level float64) (DifferenceEstimate, error) {
	if err := checkLevel("level", level); err != nil {
		return DifferenceEstimate{}, err
	}
	test, err := welchTest(a, b)
	if err != nil {
		return DifferenceEstimate{}, err
	}
	d := DifferenceEstimate{
		Difference: a.Mean - b.Mean,
		SE:         math.Hypot(a.SE, b.SE),
		TTest:      test,
	}
	half := tQuantile(level, d.DF) * d.SE
	d.Interval = Interval{Low: d.Difference - half, High: d.Difference + half, Level: level}
	return d, checkResult(d.Difference, d.SE, d.Low, d.High)
}

// welchTest is the test of Welch alone.
func welchTest(a, b Summary) (TTest, error) {
	if err := checkPair(a, b); err != nil {
		return TTest{}, err
	}
	se := math.Hypot(a.SE, b.SE)
	t := (a.Mean - b.Mean) / se
	df := welchDF(a.SE, b.SE, a.N, b.N)
	return TTest{T: t, DF: df, P: tTwoSided(t, df)}, checkResult(se, t, df)
}

// WelchRuns is [Welch] on raw runs; each side needs two or more.
func WelchRuns(a, b []float64, level float64) (DifferenceEstimate, error) {
	sa, err := Summarize(a)
	if err != nil {
		return DifferenceEstimate{}, err
	}
	sb, err := Summarize(b)
	if err != nil {
		return DifferenceEstimate{}, err
	}
	return Welch(sa, sb, level)
}
