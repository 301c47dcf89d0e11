package stats

import (
	"errors"
	"fmt"
	"math"
)

// overallTests is the smallest number of tests over which ranks are resampled.
const overallTests = 10

// OverallRank is the rank of a system over many tests.
type OverallRank struct {
	MeanRank float64 // mean of its ranks within the tests, 1 the best
	Rank     int     // its place by MeanRank; equal ones share the better
	// Low and High bound the place by resampling the tests.
	Low, High int
}

// OverallRanks ranks systems by their mean rank over many tests and bounds each
// place by resampling the tests, which are taken as a sample of possible ones.
// Rows and directions are those of [Friedman], the interval of each system is
// for itself alone, not for all at once. Percentile bounds are rounded outward
// to whole places.
//
// Tests, not runs, are resampled: it says how much the order hangs on which
// tests were chosen. It returns ErrTooFew for fewer than ten tests or two
// systems, ErrNotFinite for NaN or an infinity, and ErrTooLarge where
// resamples times tests times systems exceed five thousand million.
func OverallRanks(rows [][]float64, higherIsBetter []bool, level float64, r Resampling) ([]OverallRank, error) {
	r, err := r.withDefaults()
	if err != nil {
		return nil, err
	}
	if err := checkLevel("level", level); err != nil {
		return nil, err
	}
	if err := checkCount("tests", len(rows), overallTests); err != nil {
		return nil, err
	}
	// Friedman checks the shape of the rows; no variation is no error here.
	if _, err := Friedman(rows, higherIsBetter); err != nil && !errors.Is(err, ErrNoVariation) {
		return nil, err
	}
	k := len(rows[0])
	if work := float64(r.Resamples) * float64(len(rows)) * float64(k); work > resampleWork {
		return nil, fmt.Errorf("%d resamples of %d tests of %d systems: %w", r.Resamples, len(rows), k, ErrTooLarge)
	}
	doubled := make([][]int, len(rows))
	sums := make([]float64, k)
	for i, row := range rows {
		doubled[i], _ = doubledRanks(row)
		for j, d := range doubled[i] {
			if higherIsBetter != nil && higherIsBetter[i] {
				d = 2*(k+1) - d
				doubled[i][j] = d
			}
			sums[j] += float64(d)
		}
	}
	ranks := make([]OverallRank, k)
	for j, place := range CompetitionRanks(sums, false) {
		ranks[j] = OverallRank{MeanRank: sums[j] / 2 / float64(len(rows)), Rank: place}
	}
	tail := (1 - level) / 2
	last := float64(r.Resamples - 1)
	for j, histogram := range resamplePlaces(doubled, r) {
		low := histogram.at(int(math.Floor(tail * last)))
		high := histogram.at(int(math.Ceil((1 - tail) * last)))
		ranks[j].Low, ranks[j].High = low/2, (high+1)/2
	}
	return ranks, nil
}

// placeCounts counts how often a system took each place; the index is twice the
// place, since equal systems take the middle of the places they share.
type placeCounts []int

// at returns the doubled place at index i of all places in rising order.
func (c placeCounts) at(i int) int {
	for doubled, n := range c {
		if i < n {
			return doubled
		}
		i -= n
	}
	return len(c) - 1
}

// resamplePlaces returns for each system its places in all resamples of the
// tests.
func resamplePlaces(doubled [][]int, r Resampling) []placeCounts {
	random := r.source()
	k := len(doubled[0])
	places := make([]placeCounts, k)
	for j := range places {
		places[j] = make(placeCounts, 2*k+1)
	}
	sums := make([]float64, k)
	for range r.Resamples {
		clear(sums)
		for range doubled {
			for j, d := range doubled[random.IntN(len(doubled))] {
				sums[j] += float64(d)
			}
		}
		taken, _ := doubledRanks(sums)
		for j, place := range taken {
			places[j][place]++
		}
	}
	return places
}
