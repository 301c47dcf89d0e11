package stats

import (
	"fmt"
	"math"
)

// LogRatio is the logarithm of a ratio of means with its standard error and
// degrees of freedom: what tests of ratios work with. The difference of two of
// them is the logarithm of a ratio of ratios.
type LogRatio struct {
	Log float64 // ln(a/b)
	SE  float64 // of Log, above zero
	DF  float64
}

// NewLogRatio returns that of a/b by the delta method, with the degrees of
// freedom of [Ratio] and its errors.
func NewLogRatio(a, b Summary) (LogRatio, error) {
	lr, err := compareLogs(a, b)
	if err != nil {
		return LogRatio{}, err
	}
	return LogRatio{lr.log, lr.se, lr.df}, nil
}

// SharedSpreadLogRatio returns that of a/b where only the spread of one side is
// known, and is taken for the relative spread of the other too:
//
//	SE = cv·√(1/Na + 1/Nb),  DF = N-1 of the known side
//
// which for a single run on the other side is the test of Crawford and Howell
// (1998) on the logarithm. A side whose number of runs is not known counts as a
// single run, since more would claim more.
//
// It returns ErrNotPositive if a mean is zero or negative, ErrNoSE unless
// exactly one side has a standard error of two runs or more, and ErrZeroSE
// where that is zero.
func SharedSpreadLogRatio(a, b Summary) (LogRatio, error) {
	if err := checkFinite(a.Mean, b.Mean); err != nil {
		return LogRatio{}, fmt.Errorf("mean %w", err)
	}
	if err := checkPositive(a.Mean, b.Mean); err != nil {
		return LogRatio{}, fmt.Errorf("mean %w", err)
	}
	known, other := a, b
	if !hasSpread(a) {
		known, other = b, a
	}
	if !hasSpread(known) || hasSpread(other) {
		return LogRatio{}, ErrNoSE
	}
	if known.SE < 0 {
		return LogRatio{}, fmt.Errorf("standard error %v: want zero or more", known.SE)
	}
	n, m := float64(known.N), float64(max(1, other.N))
	lr := LogRatio{
		Log: logOfRatio(a.Mean, b.Mean),
		SE:  known.SD() / known.Mean * math.Sqrt(1/n+1/m),
		DF:  n - 1,
	}
	if lr.SE == 0 {
		return LogRatio{}, ErrZeroSE
	}
	return lr, checkResult(lr.Log, lr.SE, lr.Log/lr.SE)
}

// hasSpread reports whether a standard error is known.
func hasSpread(s Summary) bool { return s.N >= 2 && !math.IsNaN(s.SE) }

// Minus returns the logarithm of the ratio of two ratios that come from
// independent runs, with degrees of freedom by Satterthwaite (1946) over the
// two.
func (l LogRatio) Minus(o LogRatio) LogRatio {
	largest := math.Max(l.SE, o.SE)
	a, b := l.SE/largest, o.SE/largest
	va, vb := a*a, b*b
	return LogRatio{
		Log: l.Log - o.Log,
		SE:  math.Hypot(l.SE, o.SE),
		DF:  (va + vb) * (va + vb) / (va*va/l.DF + vb*vb/o.DF),
	}
}

// Inverse returns that of b/a.
func (l LogRatio) Inverse() LogRatio {
	l.Log = -l.Log
	return l
}

// Test tests the ratio against 1, two-sided.
func (l LogRatio) Test() TTest {
	t := l.Log / l.SE
	return TTest{T: t, DF: l.DF, P: tTwoSided(t, l.DF)}
}

// Interval returns the interval of the ratio, not of its logarithm. It returns
// ErrOverflow for one wider than a float64 can hold.
func (l LogRatio) Interval(level float64) (Interval, error) {
	if err := checkLevel("level", level); err != nil {
		return Interval{}, err
	}
	half := tQuantile(level, l.DF) * l.SE
	iv := Interval{Low: math.Exp(l.Log - half), High: math.Exp(l.Log + half), Level: level}
	if iv.Low == 0 {
		return Interval{}, ErrOverflow
	}
	return iv, checkResult(iv.Low, iv.High)
}

// Equivalence is the function of that name, see there.
func (l LogRatio) Equivalence(low, high, alpha float64) (EquivalenceTest, error) {
	if err := checkMargin(low, high, alpha); err != nil {
		return EquivalenceTest{}, err
	}
	toLow, toHigh := l.Log-math.Log(low), math.Log(high)-l.Log
	e := EquivalenceTest{TLow: toLow / l.SE, TUp: -toHigh / l.SE, DF: l.DF}
	e.PLow = tSurvival(e.TLow, e.DF)
	e.PUp = tSurvival(-e.TUp, e.DF)
	e.P = math.Max(e.PLow, e.PUp)
	e.Equivalent = e.P <= alpha
	var err error
	if e.Interval, err = l.Interval(1 - 2*alpha); err != nil {
		return EquivalenceTest{}, err
	}
	return e, checkResult(e.TLow, e.TUp)
}

// OutsideP returns the p value for the ratio lying outside of the margin from
// low to high: of the one-sided test against its nearer end, 1 for a ratio
// within it. At most alpha means that the interval of level 1-2·alpha has no
// point in common with the margin. It is the counterpart of
// [LogRatio.Equivalence]: with few runs neither is shown.
func (l LogRatio) OutsideP(low, high float64) (float64, error) {
	if err := checkMargin(low, high, 0.05); err != nil {
		return 0, err
	}
	switch logLow, logHigh := math.Log(low), math.Log(high); {
	case l.Log < logLow:
		return tSurvival((logLow-l.Log)/l.SE, l.DF), nil
	case l.Log > logHigh:
		return tSurvival((l.Log-logHigh)/l.SE, l.DF), nil
	}
	return 1, nil
}
