package stats

import (
	"fmt"
	"math"
)

// RankTest is the outcome of a rank test.
type RankTest struct {
	// Statistic is U of Mann and Whitney or V of Wilcoxon.
	Statistic float64
	// P is two-sided: twice the smaller one-sided p value, at most 1.
	P float64
	// PLess is the one-sided p value for "a tends to be smaller", PGreater
	// that for "a tends to be larger".
	PLess, PGreater float64
	// MinP is the smallest two-sided p value that any arrangement of these
	// values can give. If it is above the error rate the test can never be
	// significant, whatever the data: say so instead of testing.
	MinP float64
	// Exact is false where a normal approximation stands in.
	Exact bool
}

// MannWhitney compares two samples of raw runs by their ranks. Statistic is U,
// the number of pairs with a above b, ties counting half. It assumes that runs
// are independent and, under the null hypothesis, exchangeable; nothing about
// their distribution.
//
// The p value is exact, ties included: all ways to deal the pooled mid-ranks to
// two groups of these sizes are counted. Beyond some 60 runs a side (50 with
// ties) the normal approximation with tie and continuity correction is used.
// Twice the smaller tail is the two-sided p: the tails differ with ties, so
// that doubling one fixed tail would be wrong.
//
// Three runs against three can never be significant at 0.05: MinP is 0.1. See
// [MannWhitneySmallestP] and [MannWhitneyRuns] for planning.
//
// It returns ErrTooFew if a sample is empty and ErrNotFinite for NaN or an
// infinity. Equal values throughout give P = 1. Mann and Whitney 1947;
// Klotz 1966 for ties.
func MannWhitney(a, b []float64) (RankTest, error) {
	pooled, err := pool(a, b)
	if err != nil {
		return RankTest{}, err
	}
	doubled, groups := doubledRanks(pooled)
	sumA, sumB := 0, 0
	for i, d := range doubled {
		if i < len(a) {
			sumA += d
		} else {
			sumB += d
		}
	}
	na := float64(len(a))
	u := float64(sumA)/2 - na*(na+1)/2
	if len(a) <= len(b) {
		if c, ok := subsetSums(doubled, len(a)); ok {
			return exactRankTest(u, c.atMost(sumA), c.atLeast(sumA), c.smallestTwoSided()), nil
		}
	} else if c, ok := subsetSums(doubled, len(b)); ok {
		// b has what a has not: a low sum of a is a high sum of b.
		return exactRankTest(u, c.atLeast(sumB), c.atMost(sumB), c.smallestTwoSided()), nil
	}
	return mannWhitneyNormal(u, doubled, groups, len(a)), nil
}

func exactRankTest(statistic, less, greater, minP float64) RankTest {
	return RankTest{
		Statistic: statistic,
		P:         twoSided(less, greater),
		PLess:     less,
		PGreater:  greater,
		MinP:      minP,
		Exact:     true,
	}
}

// mannWhitneyNormal is the normal approximation with tie and continuity
// correction.
func mannWhitneyNormal(u float64, doubled, groups []int, na int) RankTest {
	n := float64(len(doubled))
	a := float64(na)
	b := n - a
	mean := a * b / 2
	sd := math.Sqrt(a * b / 12 * (n + 1 - tieSum(groups)/(n*(n-1))))
	top := largestSum(doubled, na)
	bottom := int(n)*int(n+1) - largestSum(doubled, len(doubled)-na)
	toU := func(doubledSum int) float64 { return float64(doubledSum)/2 - a*(a+1)/2 }
	t := normalRankTest(u, mean, sd)
	t.MinP = math.Min(normalRankTest(toU(bottom), mean, sd).P, normalRankTest(toU(top), mean, sd).P)
	return t
}

// normalRankTest returns the test of a statistic with the given mean and
// standard deviation, corrected for continuity, and MinP unset.
func normalRankTest(statistic, mean, sd float64) RankTest {
	t := RankTest{Statistic: statistic, P: 1, PLess: 1, PGreater: 1}
	if sd > 0 {
		t.PLess = normalTail(-(statistic - mean + 0.5) / sd)
		t.PGreater = normalTail((statistic - mean - 0.5) / sd)
		t.P = twoSided(t.PLess, t.PGreater)
	}
	return t
}

// pool checks two samples and joins them, a first.
func pool(a, b []float64) ([]float64, error) {
	if err := checkCount("runs", min(len(a), len(b)), 1); err != nil {
		return nil, err
	}
	pooled := make([]float64, 0, len(a)+len(b))
	pooled = append(append(pooled, a...), b...)
	return pooled, checkFinite(pooled...)
}

// MannWhitneySmallestP returns the smallest two-sided p value that MannWhitney
// can give for samples of these sizes without ties, 2/C(na+nb, na) and at most
// 1. With ties it can only be larger (see MinP of the test). It is 1 for an
// empty sample, and 0 where it is below the range of a float64.
func MannWhitneySmallestP(na, nb int) float64 {
	if na < 1 || nb < 1 {
		return 1
	}
	k, n := min(na, nb), float64(max(na, nb))
	arrangements := 1.0
	for i := 1; i <= k && !math.IsInf(arrangements, 1); i++ {
		arrangements *= (n + float64(i)) / float64(i)
	}
	return min(1, 2/arrangements)
}

// MannWhitneyRuns returns the smallest number of runs for the other side with
// which na runs on this side can be significant at alpha at all. For 0.05 it is
// 8 for two runs, 5 for three and 4 for four. It returns ErrTooFew if na is
// below 1, and ErrUnreachable if it would take more than a million.
func MannWhitneyRuns(na int, alpha float64) (int, error) {
	if err := checkLevel("alpha", alpha); err != nil {
		return 0, err
	}
	if err := checkCount("runs", na, 1); err != nil {
		return 0, err
	}
	const most = 1_000_000
	if MannWhitneySmallestP(na, most) > alpha {
		return 0, fmt.Errorf("%d runs at alpha %v: %w", na, alpha, ErrUnreachable)
	}
	low, high := 0, most // not enough, enough
	for high-low > 1 {
		if mid := (low + high) / 2; MannWhitneySmallestP(na, mid) <= alpha {
			high = mid
		} else {
			low = mid
		}
	}
	return high, nil
}
