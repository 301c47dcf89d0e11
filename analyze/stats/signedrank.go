package stats

import (
	"math"
	"slices"
)

// SignedRankTest is the outcome of Wilcoxon's signed rank test. Statistic is V,
// the sum of the ranks of the positive values.
type SignedRankTest struct {
	RankTest
	N     int // values that are not zero
	Zeros int // values left out because they are zero
}

// tieTolerance is how near two magnitudes must be, relative to the larger one,
// to tie in the signed rank test. Its input is computed, as logarithms of
// ratios are, so that what ties on paper differs in the last bits.
const tieTolerance = 1e-12

// SignedRank tests whether the values are symmetric about zero: for the ln of
// ratios, whether the tests of a set lean to one side. PLess is the one-sided p
// value for "tends below zero", PGreater that for "tends above".
//
// Zeros are left out and counted, as Wilcoxon did. The p value is exact: all
// ways to give signs to the mid-ranks are counted, up to some 300 values, and
// beyond that approximated by the normal with tie and continuity correction.
// With fewer than six values the test can never be significant at 0.05 (see
// MinP). If all values are zero P is 1 and N is 0.
//
// It returns ErrTooFew for no values and ErrNotFinite for NaN or an infinity.
// Wilcoxon 1945.
func SignedRank(xs []float64) (SignedRankTest, error) {
	if err := checkCount("values", len(xs), 1); err != nil {
		return SignedRankTest{}, err
	}
	if err := checkFinite(xs...); err != nil {
		return SignedRankTest{}, err
	}
	var magnitudes []float64
	var positive []bool
	for _, x := range xs {
		if x != 0 {
			magnitudes = append(magnitudes, math.Abs(x))
			positive = append(positive, x > 0)
		}
	}
	n := len(magnitudes)
	result := SignedRankTest{N: n, Zeros: len(xs) - n}
	if n == 0 {
		result.RankTest = RankTest{P: 1, PLess: 1, PGreater: 1, MinP: 1, Exact: true}
		return result, nil
	}
	mergeNear(magnitudes)
	doubled, groups := doubledRanks(magnitudes)
	v := 0
	for i, d := range doubled {
		if positive[i] {
			v += d
		}
	}
	if c, ok := signSums(doubled); ok {
		result.RankTest = exactRankTest(float64(v)/2, c.atMost(v), c.atLeast(v), c.smallestTwoSided())
		return result, nil
	}
	fn := float64(n)
	mean := fn * (fn + 1) / 4
	sd := math.Sqrt(fn*(fn+1)*(2*fn+1)/24 - tieSum(groups)/48)
	result.RankTest = normalRankTest(float64(v)/2, mean, sd)
	result.MinP = normalRankTest(0, mean, sd).P
	return result, nil
}

// mergeNear makes magnitudes that are equal within tieTolerance equal.
func mergeNear(xs []float64) {
	order := sortedOrder(xs)
	for i := 1; i < len(order); i++ {
		previous, x := xs[order[i-1]], xs[order[i]]
		if x-previous <= tieTolerance*x {
			xs[order[i]] = previous
		}
	}
}

// signSums returns the distribution of the sum of a random subset of the
// values, each in or out with probability one half, and false if that takes
// more than exactWork steps. Values are above zero.
func signSums(values []int) (counts, bool) {
	_, step := reduction(append(slices.Clone(values), 0))
	total := 0
	for _, v := range values {
		total += v / step
	}
	if float64(len(values))*float64(total+1) > exactWork {
		return counts{}, false
	}
	// Probabilities instead of numbers of ways: 2^n leaves the range of a
	// float64 for a large n, these only lose the far tails.
	p := make([]float64, total+1)
	p[0] = 1
	reached := 0
	for _, v := range values {
		v /= step
		for s := reached; s >= 0; s-- {
			p[s] /= 2
			p[s+v] += p[s]
		}
		reached += v
	}
	return newCounts(p, 0, step), true
}
