package stats

import (
	"fmt"
	"math"
)

// Plan asks how many runs a comparison needs. Both sides make the same number
// of runs.
type Plan struct {
	// CVA and CVB are the coefficients of variation of a single run on
	// each side, standard deviation over mean: 0.02 for 2 %. See
	// [Summary.CV].
	CVA, CVB float64
	// Ratio is the true ratio of the means that is assumed.
	Ratio float64
	// Alpha is the error rate of the test that will be made.
	Alpha float64
}

// mostRuns is where a search for a number of runs ends.
const mostRuns = 1_000_000

// DifferencePower returns the probability that n runs a side show the ratio to
// differ from 1 at the error rate, by the test of [Ratio]. As is usual it takes
// the degrees of freedom as known, while the test has to estimate them: with
// very few runs the true power is a little lower (0.25 for a stated 0.29 at
// three runs a side, no difference to speak of from six on). It returns ErrTooFew for fewer than two runs, ErrNotPositive for a
// ratio that is zero or negative and ErrZeroSE if nothing varies.
func (p Plan) DifferencePower(n int) (float64, error) {
	if err := p.check(n); err != nil {
		return 0, err
	}
	return p.differencePower(n), nil
}

// DifferenceRuns returns the smallest number of runs a side with which
// DifferencePower reaches power. It returns ErrUnreachable where a million runs
// do not, as for a ratio of 1.
func (p Plan) DifferenceRuns(power float64) (int, error) {
	if err := p.check(2); err != nil {
		return 0, err
	}
	if p.Ratio == 1 {
		return 0, fmt.Errorf("a ratio of 1: %w", ErrUnreachable)
	}
	return runsFor(power, p.guess(math.Abs(math.Log(p.Ratio)), p.Alpha/2, power), p.differencePower)
}

// EquivalencePower returns the probability that n runs a side prove by
// [Equivalence] that the ratio lies between low and high. Exactness and errors
// are those of DifferencePower.
func (p Plan) EquivalencePower(n int, low, high float64) (float64, error) {
	if err := p.checkEquivalence(n, low, high); err != nil {
		return 0, err
	}
	return p.equivalencePower(n, low, high), nil
}

// EquivalenceRuns returns the smallest number of runs a side with which
// EquivalencePower reaches power. It returns ErrUnreachable where a million
// runs do not, as for a true ratio outside the margin.
func (p Plan) EquivalenceRuns(low, high, power float64) (int, error) {
	if err := p.checkEquivalence(2, low, high); err != nil {
		return 0, err
	}
	if p.Ratio <= low || p.Ratio >= high {
		return 0, fmt.Errorf("a ratio of %v with a margin from %v to %v: %w", p.Ratio, low, high, ErrUnreachable)
	}
	nearest := math.Min(math.Log(high/p.Ratio), math.Log(p.Ratio/low))
	return runsFor(power, p.guess(nearest, p.Alpha, power), func(n int) float64 { return p.equivalencePower(n, low, high) })
}

// CV returns the coefficient of variation of a single run, standard deviation
// over mean. Errors are those of DeviationPercent.
func (s Summary) CV() (float64, error) {
	p, err := s.DeviationPercent()
	return p / 100, err
}

func (p Plan) check(n int) error {
	if err := checkLevel("alpha", p.Alpha); err != nil {
		return err
	}
	if err := checkFinite(p.CVA, p.CVB); err != nil {
		return fmt.Errorf("coefficient of variation %w", err)
	}
	if p.CVA < 0 || p.CVB < 0 {
		return fmt.Errorf("coefficient of variation %v: want zero or more", math.Min(p.CVA, p.CVB))
	}
	if p.CVA == 0 && p.CVB == 0 {
		return ErrZeroSE
	}
	if err := checkPositive(p.Ratio); err != nil {
		return fmt.Errorf("ratio %w", err)
	}
	return checkCount("runs", n, 2)
}

func (p Plan) checkEquivalence(n int, low, high float64) error {
	if err := checkMargin(low, high, p.Alpha); err != nil {
		return err
	}
	return p.check(n)
}

// noise returns the standard error of the log ratio and its degrees of freedom
// for n runs a side.
func (p Plan) noise(n int) (se, df float64) {
	return math.Hypot(p.CVA, p.CVB) / math.Sqrt(float64(n)), welchDF(p.CVA, p.CVB, n, n)
}

func (p Plan) differencePower(n int) float64 {
	se, df := p.noise(n)
	t := tQuantile(1-p.Alpha, df)
	shift := clampShift(math.Abs(math.Log(p.Ratio)) / se)
	return overEstimates(df, math.Inf(1), func(s float64) float64 {
		return normalTail(t*s-shift) + normalTail(t*s+shift)
	})
}

func (p Plan) equivalencePower(n int, low, high float64) float64 {
	se, df := p.noise(n)
	t := tQuantile(1-2*p.Alpha, df)
	up := clampShift((math.Log(high) - math.Log(p.Ratio)) / se)
	down := clampShift((math.Log(p.Ratio) - math.Log(low)) / se)
	// Above this estimate the two tests cannot both reject.
	most := (up + down) / (2 * t)
	return overEstimates(df, most, func(s float64) float64 {
		return math.Max(0, normalTail(t*s-up)-normalTail(down-t*s))
	})
}

// clampShift keeps a distance in standard errors finite where the noise is next
// to nothing; no tail is left that far out.
func clampShift(x float64) float64 { return math.Max(-1e9, math.Min(1e9, x)) }

// guess returns about how many runs a side show a distance of the log ratio by
// a one-sided test at the error rate alpha, as if the noise were normal and
// known, and some more for few runs.
func (p Plan) guess(distance, alpha, power float64) int {
	z := normalQuantileUpper(alpha)
	sum := math.Max(0, z+normalQuantileUpper(1-power)) * math.Hypot(p.CVA, p.CVB) / distance
	n := sum*sum + z*z/4
	if !(n < mostRuns) {
		return mostRuns
	}
	return max(2, int(n))
}

// runsFor returns the smallest n from 2 up with power(n) at least want, for a
// power that grows with n. (That of two one-sided tests can shrink a little
// where it is next to nothing, below any power worth asking for.) The search
// starts at a guess and goes away from it in growing steps.
func runsFor(want float64, guess int, power func(n int) float64) (int, error) {
	if err := checkLevel("power", want); err != nil {
		return 0, err
	}
	short, enough := 1, guess
	step := max(1, guess/32)
	if power(guess) >= want {
		for enough > 2 {
			n := max(2, enough-step)
			if power(n) < want {
				short = n
				break
			}
			enough = n
			step *= 2
		}
	} else {
		short = guess
		for {
			if short == mostRuns {
				return 0, ErrUnreachable
			}
			enough = min(mostRuns, short+step)
			if power(enough) >= want {
				break
			}
			short = enough
			step *= 2
		}
	}
	for enough-short > 1 {
		if mid := (short + enough) / 2; power(mid) >= want {
			enough = mid
		} else {
			short = mid
		}
	}
	return enough, nil
}

// overEstimates returns the expectation of f(s) where s is the estimate of a
// standard deviation of 1 with df degrees of freedom, taking f to be zero above
// most. s² is chi-squared over df.
func overEstimates(df, most float64, f func(s float64) float64) float64 {
	const panels = 8
	reach := 9 / math.Sqrt(df)
	low, high := math.Max(0, 1-reach), math.Min(1+reach, most)
	if high <= low {
		return 0
	}
	lg, _ := math.Lgamma(df / 2)
	logScale := math.Ln2 + df/2*math.Log(df/2) - lg
	// In w = s^(1/4) the density is smooth at zero too, where it is a broken
	// power of s for few degrees of freedom.
	from, to := math.Sqrt(math.Sqrt(low)), math.Sqrt(math.Sqrt(high))
	width := (to - from) / panels
	sum := integrate(func(x float64) float64 {
		w := from + width*x
		s := w * w * w * w
		// Written around its top the large terms of the density cancel
		// before they are exponentiated.
		logDensity := logScale - df/2 + (df-1)*math.Log(s) - df/2*(s-1)*(s+1)
		return width * 4 * w * w * w * math.Exp(logDensity) * f(s)
	}, 0, panels)
	return math.Min(1, sum)
}
