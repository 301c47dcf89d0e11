package stats

import (
	"cmp"
	"slices"
)

// MidRanks returns the ranks of xs, 1 for the smallest; equal values share the
// mean of the ranks they take up. xs must hold no NaN. Equality is that of the
// numbers: values printed alike are parsed alike and tie.
func MidRanks(xs []float64) []float64 {
	doubled, _ := doubledRanks(xs)
	ranks := make([]float64, len(xs))
	for i, d := range doubled {
		ranks[i] = float64(d) / 2
	}
	return ranks
}

// CompetitionRanks returns the ranks of xs for display, 1 for the best: equal
// values share the best rank they take up and the next rank is left out
// (1, 2, 2, 4). xs must hold no NaN.
func CompetitionRanks(xs []float64, higherIsBetter bool) []int {
	order := sortedOrder(xs)
	if higherIsBetter {
		slices.Reverse(order)
	}
	ranks := make([]int, len(xs))
	for i, at := range order {
		ranks[at] = i + 1
		if i > 0 && xs[at] == xs[order[i-1]] {
			ranks[at] = ranks[order[i-1]]
		}
	}
	return ranks
}

// doubledRanks returns twice the mid-ranks of xs, which are whole numbers, and
// the sizes of the groups of equal values in rising order, ones included.
func doubledRanks(xs []float64) (doubled []int, groups []int) {
	order := sortedOrder(xs)
	doubled = make([]int, len(xs))
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && xs[order[to]] == xs[order[from]] {
			to++
		}
		for _, at := range order[from:to] {
			doubled[at] = from + to + 1 // (from+1) + to, twice their mean
		}
		groups = append(groups, to-from)
		from = to
	}
	return doubled, groups
}

// sortedOrder returns the indices of xs in rising order of value, equal values
// in their own order.
func sortedOrder(xs []float64) []int {
	order := make([]int, len(xs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(xs[i], xs[j]) })
	return order
}

// tieSum returns the sum of t³-t over groups of equal values.
func tieSum(groups []int) float64 {
	var sum float64
	for _, t := range groups {
		f := float64(t)
		sum += f*f*f - f
	}
	return sum
}
