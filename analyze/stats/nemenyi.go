package stats

import "math"

// NemenyiDifference is the critical difference of mean ranks.
type NemenyiDifference struct {
	// Q is the quantile of the studentized range over √2.
	Q float64
	// CD is the difference of two mean ranks that is significant from there
	// on.
	CD float64
}

// Nemenyi returns the critical difference of the mean ranks of any two of k
// systems over b tests at the error rate alpha for all pairs together:
//
//	CD = q·√(k(k+1)/(6b)),  q = studentized range(alpha; k, ∞)/√2
//
// It belongs behind [Friedman], with its assumptions. Its verdict on a pair
// depends on which other systems are in the pool (Benavoli and others 2016);
// for conclusions about a pair prefer [SignedRank] with [Holm].
//
// It returns ErrTooFew for fewer than two systems or tests. Nemenyi 1963;
// Demšar 2006.
func Nemenyi(k, b int, alpha float64) (NemenyiDifference, error) {
	if err := checkCount("tests", b, 2); err != nil {
		return NemenyiDifference{}, err
	}
	q, err := studentizedRangeQuantile(alpha, k)
	if err != nil {
		return NemenyiDifference{}, err
	}
	q /= math.Sqrt2
	return NemenyiDifference{Q: q, CD: q * rankSE(k, b)}, nil
}

// NemenyiP returns the p value of a difference of mean ranks of two of k
// systems over b tests, adjusted for all pairs. Errors are those of [Nemenyi],
// and ErrNotFinite.
func NemenyiP(k, b int, difference float64) (float64, error) {
	if err := checkCount("tests", b, 2); err != nil {
		return 0, err
	}
	if err := checkCount("systems", k, 2); err != nil {
		return 0, err
	}
	if err := checkFinite(difference); err != nil {
		return 0, err
	}
	return studentizedRangeTail(math.Sqrt2*math.Abs(difference)/rankSE(k, b), k), nil
}

// rankSE returns the standard error of the difference of two mean ranks.
func rankSE(k, b int) float64 {
	fk := float64(k)
	return math.Sqrt(fk * (fk + 1) / (6 * float64(b)))
}
