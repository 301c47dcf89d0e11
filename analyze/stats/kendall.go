package stats

import (
	"cmp"
	"math"
	"slices"
)

// Kendall returns Kendall's tau-b of x and y, from -1 to 1: concordant less
// discordant pairs over the geometric mean of the pairs not tied in x and those
// not tied in y. Without ties it equals tau-a. Errors are those of [Spearman].
// Kendall 1945.
func Kendall(x, y []float64) (float64, error) {
	if err := checkPaired(x, y, 2); err != nil {
		return 0, err
	}
	return tauB(concordance(x, y), x, y), nil
}

// KendallTest is [Kendall] with a p value. It is exact without ties for up to
// 100 pairs and with ties for up to 10, twice the smaller tail; beyond, the
// normal approximation with tie correction stands in. It needs five pairs: show
// fewer, do not test them.
func KendallTest(x, y []float64) (CorrelationTest, error) {
	if err := checkPaired(x, y, testPairs); err != nil {
		return CorrelationTest{}, err
	}
	s := concordance(x, y)
	p, exact := concordanceP(s, x, y, 0)
	return CorrelationTest{tauB(s, x, y), p, exact}, nil
}

// concordance returns Kendall's S, concordant less discordant pairs, by Knight's
// method (1966): with the pairs in order of x, those discordant are the
// inversions of y that a merge sort removes.
func concordance(x, y []float64) int {
	n := len(x)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(x[i], x[j]), cmp.Compare(y[i], y[j]))
	})
	sorted := make([]float64, n)
	tiedX, tiedBoth := 0, 0
	runX, runBoth := 0, 0 // how many just before are equal
	for k, i := range order {
		sorted[k] = y[i]
		if k == 0 {
			continue
		}
		previous := order[k-1]
		if x[i] != x[previous] {
			runX, runBoth = 0, 0
			continue
		}
		runX++
		tiedX += runX
		if y[i] != y[previous] {
			runBoth = 0
			continue
		}
		runBoth++
		tiedBoth += runBoth
	}
	discordant := inversions(sorted, make([]float64, n))
	tiedY := 0
	for k, run := 1, 0; k < n; k++ {
		if sorted[k] != sorted[k-1] {
			run = 0
			continue
		}
		run++
		tiedY += run
	}
	// Pairs tied in x are in order of y and so never count as inversions.
	concordant := n*(n-1)/2 - tiedX - tiedY + tiedBoth - discordant
	return concordant - discordant
}

// inversions sorts xs and returns how many pairs were out of order. spare is as
// long as xs.
func inversions(xs, spare []float64) int {
	if len(xs) < 2 {
		return 0
	}
	half := len(xs) / 2
	left, right := xs[:half], xs[half:]
	count := inversions(left, spare[:half]) + inversions(right, spare[half:])
	copy(spare, xs)
	left, right = spare[:half], spare[half:]
	for k := range xs {
		if len(right) == 0 || len(left) > 0 && left[0] <= right[0] {
			xs[k], left = left[0], left[1:]
			continue
		}
		xs[k], right = right[0], right[1:]
		count += len(left)
	}
	return count
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
