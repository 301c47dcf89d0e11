package stats

import (
	"fmt"
	"math"
)

// Prediction returns the interval that the mean of m new runs falls into with
// probability level, given the mean of s.N earlier ones:
//
//	mean ± t(N-1)·sd·√(1/N + 1/m)
//
// in the unit of the test. It assumes near normal runs of the same machine in
// the same state: a mean outside tells of another system or other settings, not
// of a wrong earlier number. The interval can reach below zero.
//
// It returns ErrTooFew if s has fewer than two runs or their number is not
// known, or m is below 1; ErrNoSE if the standard error is not known; and
// ErrZeroSE if it is zero, since an interval of no width would be a claim that
// equal runs cannot support. Hahn and Meeker 1991.
func Prediction(s Summary, m int, level float64) (Interval, error) {
	if err := checkLevel("level", level); err != nil {
		return Interval{}, err
	}
	if err := checkPair(s, s); err != nil {
		return Interval{}, err
	}
	if err := checkCount("new runs", m, 1); err != nil {
		return Interval{}, err
	}
	n := float64(s.N)
	half := tQuantile(level, n-1) * s.SD() * math.Sqrt(1/n+1/float64(m))
	iv := Interval{Low: s.Mean - half, High: s.Mean + half, Level: level}
	return iv, checkResult(iv.Low, iv.High)
}

// SingleRun tests whether a single new run x can come from where s comes from:
// T = (x-mean)/(sd·√(1+1/N)) with N-1 degrees of freedom. It is the test that
// goes with [Prediction] for m = 1 and has its assumptions and errors.
// Crawford and Howell 1998.
func SingleRun(s Summary, x float64) (TTest, error) {
	if err := checkPair(s, s); err != nil {
		return TTest{}, err
	}
	if err := checkFinite(x); err != nil {
		return TTest{}, fmt.Errorf("run %w", err)
	}
	n := float64(s.N)
	spread := s.SD() * math.Sqrt(1+1/n)
	t := (x - s.Mean) / spread
	return TTest{T: t, DF: n - 1, P: tTwoSided(t, n-1)}, checkResult(spread, t)
}
