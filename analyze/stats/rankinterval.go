package stats

import (
	"fmt"
	"math"
)

// RankInterval is the rank of one system in one test with its uncertainty.
type RankInterval struct {
	// Rank is the place by value, 1 the best; equal values share the better
	// place and Tied says so.
	Rank int
	Tied bool
	// Low and High bound the true rank, for all systems of the test at
	// once.
	Low, High int
	// Tested is false if no pair with this system could be tested; Low and
	// High are then the first and the last place.
	Tested bool
}

// RankIntervals returns the rank of each system with an interval. values are
// the means, pairs what [AllPairs] made of the same systems. A system's
// interval runs from 1 plus the number of systems significantly better than it
// to the number of systems less those significantly worse. All intervals of the
// test hold their true rank at once with probability 1-alpha, since the pairs
// are adjusted together.
//
// It returns ErrTooFew for fewer than two systems and ErrNotFinite for a value
// that is NaN or infinite. Al Mohamad, van Zwet, Solari and Goeman 2019.
func RankIntervals(values []float64, higherIsBetter bool, pairs []Pair, alpha float64) ([]RankInterval, error) {
	if err := checkLevel("alpha", alpha); err != nil {
		return nil, err
	}
	k := len(values)
	if err := checkCount("systems", k, 2); err != nil {
		return nil, err
	}
	if err := checkFinite(values...); err != nil {
		return nil, err
	}
	intervals := make([]RankInterval, k)
	seen := make(map[int]int, k)
	for i, r := range CompetitionRanks(values, higherIsBetter) {
		intervals[i] = RankInterval{Rank: r, Low: 1, High: k}
		seen[r]++
	}
	for i := range intervals {
		intervals[i].Tied = seen[intervals[i].Rank] > 1
	}
	for _, p := range pairs {
		if err := checkIndices(p, k); err != nil {
			return nil, err
		}
		if !math.IsNaN(p.P) {
			intervals[p.I].Tested, intervals[p.J].Tested = true, true
		}
		if !p.Significant(alpha) {
			continue
		}
		better, worse := p.I, p.J
		switch {
		case values[better] == values[worse]:
			continue
		case (values[better] < values[worse]) == higherIsBetter:
			better, worse = worse, better
		}
		intervals[worse].Low++
		intervals[better].High--
	}
	return intervals, nil
}

func checkIndices(p Pair, k int) error {
	if p.I < 0 || p.J < 0 || p.I >= k || p.J >= k || p.I == p.J {
		return fmt.Errorf("pair of systems %d and %d among %d", p.I, p.J, k)
	}
	return nil
}
