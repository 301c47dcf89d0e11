package stats

import (
	"fmt"
	"math"
)

// maxSystems bounds what is tested in all pairs: 1 000 systems have half a
// million pairs.
const maxSystems = 1000

// Pair is the comparison of two systems among several.
type Pair struct {
	I, J int // indices of the systems, I < J
	// P and Adjusted are the p value alone and after Holm over all testable
	// pairs. Both are NaN if the pair could not be tested, and Err says why.
	P, Adjusted float64
	Err         error
}

// Significant reports whether the pair differs at alpha after adjustment. A
// pair that could not be tested never does.
func (p Pair) Significant(alpha float64) bool { return p.Adjusted <= alpha }

// AllPairs tests all pairs of k systems with test, which returns a p value for
// the systems i and j, i < j, and adjusts the family of testable pairs by
// [Holm]. Pairs come in the order (0,1), (0,2), …, (1,2), …. An error from test
// makes its pair untestable and is kept there; other pairs go on.
//
// It returns ErrTooFew for fewer than two systems and ErrTooLarge for more than
// 1000.
func AllPairs(k int, test func(i, j int) (float64, error)) ([]Pair, error) {
	if err := checkCount("systems", k, 2); err != nil {
		return nil, err
	}
	if k > maxSystems {
		return nil, fmt.Errorf("all pairs of %d systems: %w", k, ErrTooLarge)
	}
	pairs := make([]Pair, 0, k*(k-1)/2)
	p := make([]float64, 0, k*(k-1)/2)
	for i := range k {
		for j := i + 1; j < k; j++ {
			pair := Pair{I: i, J: j}
			pair.P, pair.Err = test(i, j)
			if pair.Err != nil {
				pair.P = math.NaN()
			}
			pairs = append(pairs, pair)
			p = append(p, pair.P)
		}
	}
	adjusted, err := Holm(p)
	if err != nil {
		return nil, err
	}
	for i := range pairs {
		pairs[i].Adjusted = adjusted[i]
	}
	return pairs, nil
}

// Family returns how many of the pairs could be tested, the size of the family
// they were adjusted for.
func Family(pairs []Pair) int {
	n := 0
	for _, p := range pairs {
		if !math.IsNaN(p.P) {
			n++
		}
	}
	return n
}

// RatioPairs tests all pairs of systems of one test by [RatioTest], or, if any
// mean is not positive, all of them by [Welch]: one test has one method.
func RatioPairs(systems []Summary) ([]Pair, error) {
	ratio := true
	for _, s := range systems {
		ratio = ratio && !(s.Mean <= 0)
	}
	return AllPairs(len(systems), func(i, j int) (float64, error) {
		if ratio {
			t, err := RatioTest(systems[i], systems[j])
			return t.P, err
		}
		t, err := welchTest(systems[i], systems[j])
		return t.P, err
	})
}

// RoundedPairs is [RatioPairs] for printed numbers. The p value of a pair is
// the upper end of [RoundedRatioTest] or [RoundedWelch], so that a difference counts only if the
// digits behind the printed ones cannot undo it.
func RoundedPairs(systems []Rounded) ([]Pair, error) {
	ratio := true
	for _, s := range systems {
		ratio = ratio && !(s.meanRange().Min <= 0)
	}
	return AllPairs(len(systems), func(i, j int) (float64, error) {
		a, b := systems[i], systems[j]
		if !ratio {
			p, err := RoundedWelch(a, b)
			return p.Max, err
		}
		if err := checkRoundedRatio(a, b); err != nil {
			return 0, err
		}
		return newRoundingBox(a, b).largestRatioP(), nil
	})
}
