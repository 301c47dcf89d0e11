package stats

import (
	"math"
	"slices"
)

// Kendall returns Kendall's tau-b of x and y, from -1 to 1: concordant less
// discordant pairs over the geometric mean of the pairs not tied in x and those
// not tied in y. Without ties it equals tau-a. Errors are those of [Spearman].
// It takes time that grows with the square of the number of pairs and returns
// ErrTooLarge above 20 000. Kendall 1945.
func Kendall(x, y []float64) (float64, error) {
	if err := checkPaired(x, y, 2); err != nil {
		return 0, err
	}
	s, err := concordance(x, y)
	if err != nil {
		return 0, err
	}
	return tauB(s, x, y), nil
}

// KendallTest is [Kendall] with a p value. It is exact without ties for up to
// 100 pairs and with ties for up to 10, twice the smaller tail; beyond, the
// normal approximation with tie correction stands in. It needs five pairs: show
// fewer, do not test them.
func KendallTest(x, y []float64) (CorrelationTest, error) {
	if err := checkPaired(x, y, testPairs); err != nil {
		return CorrelationTest{}, err
	}
	s, err := concordance(x, y)
	if err != nil {
		return CorrelationTest{}, err
	}
	p, exact := concordanceP(s, x, y, 0)
	return CorrelationTest{tauB(s, x, y), p, exact}, nil
}

// maxConcordance bounds the work of concordance to some tenths of a second.
const maxConcordance = 20_000

// concordance returns Kendall's S, concordant less discordant pairs.
func concordance(x, y []float64) (int, error) {
	if len(x) > maxConcordance {
		return 0, ErrTooLarge
	}
	s := 0
	for i := range x {
		for j := range i {
			s += sign(x[i], x[j]) * sign(y[i], y[j])
		}
	}
	return s, nil
}

func sign(a, b float64) int {
	switch {
	case a > b:
		return 1
	case a < b:
		return -1
	}
	return 0
}

func tauB(s int, x, y []float64) float64 {
	_, gx := doubledRanks(x)
	_, gy := doubledRanks(y)
	px, py := untiedPairs(gx), untiedPairs(gy)
	return max(-1, min(1, float64(s)/math.Sqrt(px)/math.Sqrt(py)))
}

// untiedPairs returns the number of pairs that do not tie, given the sizes of
// the groups of equal values.
func untiedPairs(groups []int) float64 {
	var n, tied float64
	for _, g := range groups {
		t := float64(g)
		n += t
		tied += t * (t - 1) / 2
	}
	return n*(n-1)/2 - tied
}

// concordanceP returns the two-sided p value of S and whether it is exact. The
// normal approximation moves S towards zero by the given correction.
func concordanceP(s int, x, y []float64, correction float64) (p float64, exact bool) {
	n := len(x)
	_, gx := doubledRanks(x)
	_, gy := doubledRanks(y)
	untied := len(gx) == n && len(gy) == n
	switch {
	case untied && n <= 100:
		c := concordanceCounts(n)
		return twoSided(c.atMost(s), c.atLeast(s)), true
	case n <= subsetPairs:
		c := tiedConcordanceCounts(x, y)
		return twoSided(c.atMost(s), c.atLeast(s)), true
	}
	distance := math.Max(0, math.Abs(float64(s))-correction)
	return min(1, 2*normalTail(distance/math.Sqrt(concordanceVariance(n, gx, gy)))), false
}

// concordanceVariance returns the variance of S with ties in x and y
// (Kendall 1970).
func concordanceVariance(n int, gx, gy []int) float64 {
	a := func(groups []int) (v, two, three float64) {
		for _, g := range groups {
			t := float64(g)
			v += t * (t - 1) * (2*t + 5)
			two += t * (t - 1)
			three += t * (t - 1) * (t - 2)
		}
		return v, two, three
	}
	vx, x2, x3 := a(gx)
	vy, y2, y3 := a(gy)
	f := float64(n)
	v := (f*(f-1)*(2*f+5) - vx - vy) / 18
	v += x2 * y2 / (2 * f * (f - 1))
	if n > 2 {
		v += x3 * y3 / (9 * f * (f - 1) * (f - 2))
	}
	return v
}

// concordanceCounts returns the distribution of S over all orders of n values
// without ties. Weights are shares of all orders.
func concordanceCounts(n int) counts {
	inversions := []float64{1}
	for k := 2; k <= n; k++ {
		// The k-th value makes 0 to k-1 new inversions, all alike.
		next := make([]float64, len(inversions)+k-1)
		for i, w := range inversions {
			for j := range k {
				next[i+j] += w / float64(k)
			}
		}
		inversions = next
	}
	most := n * (n - 1) / 2
	slices.Reverse(inversions)
	return newCounts(inversions, -most, 2)
}
