package stats

import (
	"fmt"
	"math"
)

// Summary is one measurement as it is published: the mean of N runs and the
// standard error of that mean.
//
// SE is s/√N with s the standard deviation over N-1. It is NaN where it is not
// known, never zero; zero says that all runs were equal. With N below 2 SE
// means nothing and is ignored. N is 0 where the number of runs is not known.
type Summary struct {
	Mean float64 // in the unit of the test
	SE   float64 // in the unit of the test
	N    int     // runs
}

// Summarize returns mean, standard error and number of the runs. The standard
// error is exactly zero if all runs are equal, and NaN for a single run. It
// returns ErrTooFew for no runs, ErrNotFinite for NaN or an infinity among
// them.
func Summarize(runs []float64) (Summary, error) {
	if err := checkCount("runs", len(runs), 1); err != nil {
		return Summary{}, err
	}
	if err := checkFinite(runs...); err != nil {
		return Summary{}, err
	}
	n := float64(len(runs))
	// Sums of differences from the first run, so that equal runs give their
	// own value and no spread to the last bit.
	var sum float64
	for _, x := range runs {
		sum += x - runs[0]
	}
	mean := runs[0] + sum/n
	var rest float64
	for _, x := range runs {
		rest += x - mean
	}
	mean += rest / n
	if len(runs) == 1 {
		return Summary{Mean: mean, SE: math.NaN(), N: 1}, checkResult(mean)
	}
	sd := norm2(runs, mean) / math.Sqrt(n-1)
	s := Summary{Mean: mean, SE: sd / math.Sqrt(n), N: len(runs)}
	return s, checkResult(s.Mean, s.SE)
}

// norm2 returns the square root of the sum of (x-center)², scaled so that
// neither large nor tiny differences leave the range of a float64.
func norm2(xs []float64, center float64) float64 {
	var largest float64
	for _, x := range xs {
		largest = math.Max(largest, math.Abs(x-center))
	}
	if largest == 0 || !isFinite(largest) {
		return largest
	}
	var ss float64
	for _, x := range xs {
		d := (x - center) / largest
		ss += d * d
	}
	return largest * math.Sqrt(ss)
}

// SD returns the standard deviation of a single run, SE·√N, over N-1. It is
// NaN where the standard error is not known or N is below 2.
func (s Summary) SD() float64 {
	if s.N < 2 {
		return math.NaN()
	}
	return s.SE * math.Sqrt(float64(s.N))
}

// PopulationSD returns the standard deviation over N instead of N-1, the
// quantity behind the three-sigma check of PTS. It is NaN where SD is.
func (s Summary) PopulationSD() float64 {
	return s.SD() * math.Sqrt(float64(s.N-1)/float64(s.N))
}

// DeviationPercent returns the standard deviation as a percentage of the mean,
// what PTS prints as "Deviation". It returns ErrNotPositive for a mean that is
// not above zero.
func (s Summary) DeviationPercent() (float64, error) {
	if err := s.check(); err != nil {
		return 0, err
	}
	if err := checkPositive(s.Mean); err != nil {
		return 0, fmt.Errorf("deviation: mean %w", err)
	}
	p := 100 * (s.SD() / s.Mean)
	return p, checkResult(p)
}

// FromDeviation returns the summary behind a mean printed with its deviation
// in percent over n runs: SE = mean·deviation/100/√n. A deviation printed with
// few digits leaves the standard error uncertain by the same relative amount;
// see [RoundedFromDeviation].
func FromDeviation(mean, percent float64, n int) (Summary, error) {
	if err := checkCount("runs", n, 2); err != nil {
		return Summary{}, err
	}
	if err := checkFinite(mean, percent); err != nil {
		return Summary{}, err
	}
	if percent < 0 {
		return Summary{}, fmt.Errorf("deviation %v %%: want zero or more", percent)
	}
	s := Summary{Mean: mean, SE: math.Abs(mean) * (percent / 100) / math.Sqrt(float64(n)), N: n}
	return s, checkResult(s.SE)
}

// check refuses a summary that carries no information about its own spread.
func (s Summary) check() error {
	if err := checkFinite(s.Mean); err != nil {
		return fmt.Errorf("mean %w", err)
	}
	if err := checkCount("runs", s.N, 2); err != nil {
		return err
	}
	switch {
	case math.IsNaN(s.SE):
		return ErrNoSE
	case math.IsInf(s.SE, 0):
		return fmt.Errorf("standard error %v: %w", s.SE, ErrNotFinite)
	case s.SE < 0:
		return fmt.Errorf("standard error %v: want zero or more", s.SE)
	}
	return nil
}

// checkPair checks two summaries that are to be tested against each other: at
// least one must have some spread.
func checkPair(a, b Summary) error {
	if err := a.check(); err != nil {
		return err
	}
	if err := b.check(); err != nil {
		return err
	}
	if a.SE == 0 && b.SE == 0 {
		return ErrZeroSE
	}
	return nil
}
