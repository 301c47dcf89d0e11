package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Holm returns p values adjusted so that the chance of any false claim among
// all tests of the family stays below the error rate, whatever the tests depend
// on. Values keep their order.
//
// Use it where one claim must hold: pairs of systems within a test, "there is a
// difference somewhere". The family is what is printed together; write its size
// beside the result.
//
// A NaN is a test that could not be made: it stays NaN and is not counted. An
// empty slice gives an empty slice. A value outside [0, 1] is an error.
// Holm 1979.
func Holm(p []float64) ([]float64, error) {
	return adjust(p, func(sorted []float64) {
		m := len(sorted)
		running := 0.0
		for i, v := range sorted {
			running = math.Max(running, float64(m-i)*v)
			sorted[i] = math.Min(1, running)
		}
	})
}

// BenjaminiHochberg returns p values adjusted so that the expected share of
// false ones among those called significant stays below the error rate, for
// tests that are independent or positively dependent. Use it for a list of
// changes. NaN and errors are as in [Holm]. Benjamini and Hochberg 1995.
func BenjaminiHochberg(p []float64) ([]float64, error) {
	return adjust(p, func(sorted []float64) { stepUp(sorted, 1) })
}

// BenjaminiYekutieli is [BenjaminiHochberg] for tests with any dependence; it
// is larger by the factor 1 + 1/2 + … + 1/m. Benjamini and Yekutieli 2001.
func BenjaminiYekutieli(p []float64) ([]float64, error) {
	return adjust(p, func(sorted []float64) {
		var harmonic float64
		for i := range sorted {
			harmonic += 1 / float64(i+1)
		}
		stepUp(sorted, harmonic)
	})
}

func stepUp(sorted []float64, factor float64) {
	m := float64(len(sorted))
	running := 1.0
	for i := len(sorted) - 1; i >= 0; i-- {
		running = math.Min(running, factor*m*sorted[i]/float64(i+1))
		sorted[i] = running
	}
}

// adjust sorts the numbers among p, lets step change them in place and puts
// them back where they were.
func adjust(p []float64, step func(sorted []float64)) ([]float64, error) {
	adjusted := slices.Clone(p)
	order := make([]int, 0, len(p))
	for i, v := range p {
		switch {
		case math.IsNaN(v):
		case v < 0 || v > 1:
			return nil, fmt.Errorf("p value %v: want a number from 0 to 1", v)
		default:
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(p[i], p[j]) })
	sorted := make([]float64, len(order))
	for i, at := range order {
		sorted[i] = p[at]
	}
	step(sorted)
	for i, at := range order {
		adjusted[at] = sorted[i]
	}
	return adjusted, nil
}
