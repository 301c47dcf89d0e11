package stats

import (
	"fmt"
	"math"
)

// RatioEstimate is the ratio of two means a/b with what is known about it.
type RatioEstimate struct {
	Ratio float64
	// SELog is the standard error of ln Ratio: for small values the
	// relative standard error of the ratio.
	SELog float64
	// TTest tests the ratio against 1.
	TTest
	// Interval holds the ratio.
	Interval
}

// Ratio returns the ratio of the means of a and b with its confidence interval
// and the test of equal means, by the delta method on the logarithm:
//
//	SE² = (SEa/a)² + (SEb/b)²,  interval = exp(ln(a/b) ± t·SE),  T = ln(a/b)/SE
//
// with Welch–Satterthwaite degrees of freedom on the two terms. It assumes
// runs that are independent and near normal on either scale; it needs no equal
// spread. Simulated, a nominal 95 % interval covers 96.6 % at n = 3, 95.6 % at
// n = 5 and 95.2 % at n = 10, for runs that vary by 1, 5 and 15 % alike; 93.6 %
// where 3 runs that vary by 5 % stand against 12 that vary by 2 %. Far out in the
// tails, where adjusted p values come from, few runs of unequal spread err more:
// at 0.0025 that last case errs 7 times as often, 3 runs a side that vary by 1 and
// 5 % twice, those of one spread half as often.
//
// For a test where lower is better swap the arguments: Ratio(b, a) is the
// reciprocal. Both means must be in the same unit.
//
// It returns ErrNotPositive if a mean is zero or negative ([Welch] still works
// then), ErrTooFew if a side has fewer than two runs or their number is not
// known, ErrNoSE if a standard error is not known, and ErrZeroSE if both are
// zero. One zero is accepted but makes that side's spread nothing at all; where
// it comes from rounding use [RoundedRatio]. ErrOverflow means an interval
// wider than a float64 can hold: the runs say nothing about the ratio.
//
// Delta method: Casella and Berger 2002. Degrees of freedom: Welch 1947,
// Satterthwaite 1946.
func Ratio(a, b Summary, level float64) (RatioEstimate, error) {
	if err := checkLevel("level", level); err != nil {
		return RatioEstimate{}, err
	}
	lr, err := compareLogs(a, b)
	if err != nil {
		return RatioEstimate{}, err
	}
	half := tQuantile(level, lr.df) * lr.se
	est := RatioEstimate{
		Ratio:    a.Mean / b.Mean,
		SELog:    lr.se,
		TTest:    lr.test(),
		Interval: Interval{Low: math.Exp(lr.log - half), High: math.Exp(lr.log + half), Level: level},
	}
	if est.Low == 0 {
		return RatioEstimate{}, ErrOverflow
	}
	return est, checkResult(est.Ratio, est.SELog, est.T, est.Low, est.High)
}

// RatioTest returns the test of Ratio alone. It is several times faster, which
// matters for all pairs of many systems.
func RatioTest(a, b Summary) (TTest, error) {
	lr, err := compareLogs(a, b)
	if err != nil {
		return TTest{}, err
	}
	return lr.test(), nil
}

// Inverse returns the estimate of b/a. The test keeps its p value and changes
// the sign of T.
func (r RatioEstimate) Inverse() RatioEstimate {
	r.Ratio = 1 / r.Ratio
	r.T = -r.T
	r.Interval = r.reciprocal()
	return r
}

// logRatio is ln(a/b), its standard error and degrees of freedom.
type logRatio struct {
	log, se, df float64
}

func (lr logRatio) test() TTest {
	t := lr.log / lr.se
	return TTest{T: t, DF: lr.df, P: tTwoSided(t, lr.df)}
}

// compareLogs compares two summaries on the log scale. Its numbers are finite
// and se is above zero if the error is nil.
func compareLogs(a, b Summary) (logRatio, error) {
	if err := checkPair(a, b); err != nil {
		return logRatio{}, err
	}
	if err := checkPositive(a.Mean, b.Mean); err != nil {
		return logRatio{}, fmt.Errorf("mean %w", err)
	}
	ra, rb := a.SE/a.Mean, b.SE/b.Mean
	lr := logRatio{
		log: logOfRatio(a.Mean, b.Mean),
		se:  math.Hypot(ra, rb),
		df:  welchDF(ra, rb, a.N, b.N),
	}
	if lr.se == 0 { // underflow: SE many orders below the mean
		return logRatio{}, ErrZeroSE
	}
	return lr, checkResult(lr.log, lr.se, lr.df, lr.log/lr.se)
}

// logOfRatio returns ln(a/b) for positive a and b with full relative precision
// near a = b, where the logarithm of a quotient would lose it.
func logOfRatio(a, b float64) float64 {
	if a < 2*b && b < 2*a {
		return math.Log1p((a - b) / b)
	}
	return Ln(a) - Ln(b)
}

// Ln returns the natural logarithm of x as [math.Log] does, and right also for
// numbers below the smallest normal one, 2.2e-308, of which math.Log makes -709
// on some machines (Go 1.26 on amd64).
func Ln(x float64) float64 {
	if x > 0 && x < 0x1p-1022 {
		return math.Log(x*0x1p100) - 100*math.Ln2
	}
	return math.Log(x)
}

// welchDF returns the Welch–Satterthwaite degrees of freedom of a sum of two
// independent errors with the standard errors sa and sb, not both zero.
func welchDF(sa, sb float64, na, nb int) float64 {
	largest := math.Max(sa, sb)
	sa, sb = sa/largest, sb/largest
	va, vb := sa*sa, sb*sb
	sum := va + vb
	return sum * sum / (va*va/float64(na-1) + vb*vb/float64(nb-1))
}
