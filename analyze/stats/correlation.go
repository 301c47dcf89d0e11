package stats

import (
	"fmt"
	"math"
)

// testPairs is the smallest number of pairs for which an order is tested: with
// four even the best agreement has a two-sided p of 1/12.
const testPairs = 5

// CorrelationTest is a rank correlation with its test against no association.
type CorrelationTest struct {
	Coefficient float64
	P           float64 // two-sided
	// Exact is false where P is an approximation.
	Exact bool
}

// Spearman returns Spearman's rank correlation of x and y: Pearson's
// coefficient of the mid-ranks, from -1 to 1.
//
// Correlation is not agreement: values that are all half of the others have a
// correlation of 1. See [Concordance] and [Agreement]. It returns ErrTooFew for
// fewer than two pairs, ErrNotFinite for NaN or an infinity, and ErrNoVariation
// if all x or all y are equal. Spearman 1904.
func Spearman(x, y []float64) (float64, error) {
	if err := checkPaired(x, y, 2); err != nil {
		return 0, err
	}
	dx, _ := doubledRanks(x)
	dy, _ := doubledRanks(y)
	return rankPearson(dx, dy), nil
}

// SpearmanTest is [Spearman] with a p value. For up to 10 pairs it is exact,
// ties included: all orders of y are counted, and the p value is twice the
// smaller tail. Beyond, Student's t with n-2 degrees of freedom stands in. It
// needs five pairs: show fewer, do not test them.
func SpearmanTest(x, y []float64) (CorrelationTest, error) {
	if err := checkPaired(x, y, testPairs); err != nil {
		return CorrelationTest{}, err
	}
	dx, _ := doubledRanks(x)
	dy, _ := doubledRanks(y)
	rho := rankPearson(dx, dy)
	if len(x) <= subsetPairs {
		sum := 0
		for i := range dx {
			sum += dx[i] * dy[i]
		}
		c := productSums(dx, dy)
		return CorrelationTest{rho, twoSided(c.atMost(sum), c.atLeast(sum)), true}, nil
	}
	df := float64(len(x) - 2)
	if sameOrder(dx, dy) {
		return CorrelationTest{rho, perfectOrderP(dx), true}, nil
	}
	return CorrelationTest{rho, tTwoSided(rho*math.Sqrt(df/(1-rho*rho)), df), false}, nil
}

// rankPearson is Pearson's coefficient of doubled mid-ranks, whose mean is n+1.
func rankPearson(dx, dy []int) float64 {
	mean := len(dx) + 1
	var xx, yy, xy float64
	for i := range dx {
		a, b := float64(dx[i]-mean), float64(dy[i]-mean)
		xx += a * a
		yy += b * b
		xy += a * b
	}
	return max(-1, min(1, xy/math.Sqrt(xx)/math.Sqrt(yy)))
}

// sameOrder reports whether y is ranked just as x is or just the other way
// round.
func sameOrder(dx, dy []int) bool {
	same, opposite := true, true
	for i := range dx {
		same = same && dx[i] == dy[i]
		opposite = opposite && dx[i]+dy[i] == 2*(len(dx)+1)
	}
	return same || opposite
}

// perfectOrderP returns the two-sided p value of a perfect rank correlation:
// twice the share of orders of y that give it, which is the inverse of the
// number of distinct orders.
func perfectOrderP(dx []int) float64 {
	_, groups := doubledRanks(floats(dx))
	logOrders, _ := math.Lgamma(float64(len(dx)) + 1)
	for _, t := range groups {
		tied, _ := math.Lgamma(float64(t) + 1)
		logOrders -= tied
	}
	return min(1, 2*math.Exp(-logOrders))
}

func floats(xs []int) []float64 {
	out := make([]float64, len(xs))
	for i, x := range xs {
		out[i] = float64(x)
	}
	return out
}

// checkPaired refuses samples that are not want or more pairs of finite
// numbers, or do not vary.
func checkPaired(x, y []float64, want int) error {
	if len(x) != len(y) {
		return fmt.Errorf("%d and %d values: want pairs", len(x), len(y))
	}
	if err := checkCount("pairs", len(x), want); err != nil {
		return err
	}
	for _, side := range [][]float64{x, y} {
		if err := checkFinite(side...); err != nil {
			return err
		}
		if allEqual(side) {
			return ErrNoVariation
		}
	}
	return nil
}

func allEqual(xs []float64) bool {
	for _, x := range xs {
		if x != xs[0] {
			return false
		}
	}
	return true
}
