package stats

import (
	"fmt"
	"math"
	"slices"
)

// FriedmanTest is the outcome of Friedman's test of several systems over
// several tests.
type FriedmanTest struct {
	Systems, Tests int
	// MeanRanks holds the mean rank of each system, 1 the best.
	MeanRanks []float64
	// W is Kendall's coefficient of concordance: 1 if all tests rank the
	// systems alike, 0 if they cancel out.
	W float64
	// ChiSquared and P are Friedman's statistic, corrected for ties, and
	// its p value from the chi-squared distribution.
	ChiSquared, P float64
	// F and PF are the statistic of Iman and Davenport and its p value, the
	// better approximation of the two. If Perfect, F is +Inf.
	F, PF float64
	// Perfect says that all tests rank the systems exactly alike. PF is
	// then the exact probability of that.
	Perfect bool
	// Rough says that P and PF are poor approximations, with fewer than
	// five tests or three systems. Test pairs with [SignedRank] instead,
	// or nothing.
	Rough bool
}

// Friedman ranks the systems within each test and asks whether their mean ranks
// differ by more than chance. Each row is a test and holds one value a system;
// rows must be complete. higherIsBetter says for each row which end is rank 1;
// nil means that the smallest value is everywhere. Equal values share the mean
// of their ranks.
//
// It assumes that tests are independent: option rows of one profile are not, so
// collapse them first. It returns ErrTooFew for fewer than two rows or systems,
// ErrNotFinite for NaN or an infinity, and ErrNoVariation if every row is all
// equal.
//
// Friedman 1937; Kendall and Babington Smith 1939 for W; Iman and Davenport
// 1980 for F.
func Friedman(rows [][]float64, higherIsBetter []bool) (FriedmanTest, error) {
	if err := checkCount("tests", len(rows), 2); err != nil {
		return FriedmanTest{}, err
	}
	if higherIsBetter != nil && len(higherIsBetter) != len(rows) {
		return FriedmanTest{}, fmt.Errorf("%d directions for %d tests: want one for each test", len(higherIsBetter), len(rows))
	}
	k := len(rows[0])
	if err := checkCount("systems", k, 2); err != nil {
		return FriedmanTest{}, err
	}
	sums := make([]int, k) // of doubled ranks, whole numbers
	var first []int
	var firstGroups []int
	perfect := true
	var spread float64 // of the ranks within rows, summed
	for i, row := range rows {
		if len(row) != k {
			return FriedmanTest{}, fmt.Errorf("test %d has %d values, want %d as in the first", i+1, len(row), k)
		}
		if err := checkFinite(row...); err != nil {
			return FriedmanTest{}, fmt.Errorf("test %d: %w", i+1, err)
		}
		doubled, groups := doubledRanks(row)
		if higherIsBetter != nil && higherIsBetter[i] {
			for j, d := range doubled {
				doubled[j] = 2*(k+1) - d
			}
		}
		if i == 0 {
			first, firstGroups = doubled, groups
		}
		perfect = perfect && slices.Equal(first, doubled)
		fk := float64(k)
		spread += (fk*fk*fk - fk - tieSum(groups)) / 12
		for j, d := range doubled {
			sums[j] += d
		}
	}
	if spread == 0 {
		return FriedmanTest{}, ErrNoVariation
	}
	return newFriedman(sums, len(rows), spread, perfect, firstGroups), nil
}

func newFriedman(sums []int, tests int, spread float64, perfect bool, groups []int) FriedmanTest {
	k, b := float64(len(sums)), float64(tests)
	f := FriedmanTest{
		Systems:   len(sums),
		Tests:     tests,
		MeanRanks: make([]float64, len(sums)),
		Perfect:   perfect,
		Rough:     tests < 5 || len(sums) < 3,
	}
	var between float64
	for j, s := range sums {
		sum := float64(s) / 2
		f.MeanRanks[j] = sum / b
		d := sum - b*(k+1)/2
		between += d * d
	}
	f.W = math.Min(1, between/(b*spread))
	f.ChiSquared = b * (k - 1) * f.W
	f.P = chiSquaredTail(f.ChiSquared, k-1)
	if perfect {
		// Every test after the first must draw the one order of its tied
		// ranks out of k!/(t1!·t2!·…).
		f.W, f.F = 1, math.Inf(1)
		logOrders, _ := math.Lgamma(k + 1)
		for _, t := range groups {
			tied, _ := math.Lgamma(float64(t) + 1)
			logOrders -= tied
		}
		f.PF = math.Exp(-logOrders * (b - 1))
		return f
	}
	f.F = (b - 1) * f.W / (1 - f.W)
	f.PF = fTail(f.F, k-1, (k-1)*(b-1))
	return f
}
