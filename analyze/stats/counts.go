package stats

import "slices"

// exactWork bounds the steps spent on one exact distribution, some tens of
// milliseconds. Above it the tests fall back to the normal approximation,
// which is then good to three digits and more.
const exactWork = 50_000_000

// counts is a distribution over the whole numbers first, first+step, … given
// by weights, from which exact p values are read. The first and the last weight
// are above zero.
type counts struct {
	weight []float64
	first  int
	step   int
	total  float64
}

// newCounts takes weights that may begin and end with zeros; not all are zero.
func newCounts(weight []float64, first, step int) counts {
	for weight[0] == 0 {
		weight = weight[1:]
		first += step
	}
	for weight[len(weight)-1] == 0 {
		weight = weight[:len(weight)-1]
	}
	c := counts{weight: weight, first: first, step: step}
	for _, w := range weight {
		c.total += w
	}
	return c
}

// atMost returns P(X <= x) and atLeast P(X >= x), x being one of the numbers.
// Each is the sum of its own tail, so that both keep their digits.
func (c counts) atMost(x int) float64 {
	var sum float64
	for i := 0; i < len(c.weight) && c.first+c.step*i <= x; i++ {
		sum += c.weight[i]
	}
	return min(1, sum/c.total)
}

func (c counts) atLeast(x int) float64 {
	var sum float64
	for i := len(c.weight) - 1; i >= 0 && c.first+c.step*i >= x; i-- {
		sum += c.weight[i]
	}
	return min(1, sum/c.total)
}

// smallestTwoSided returns the smallest two-sided p value, twice the smaller
// tail, that the distribution has anywhere.
func (c counts) smallestTwoSided() float64 {
	return min(1, 2*min(c.weight[0], c.weight[len(c.weight)-1])/c.total)
}

// twoSided returns twice the smaller of two tails, at most 1: the two-sided p
// value of a distribution that need not be symmetric.
func twoSided(less, greater float64) float64 { return min(1, 2*min(less, greater)) }

// subsetSums returns the distribution of the sum of n of the values, all
// subsets of that size being equally likely, and false if that takes more than
// exactWork steps. Values are whole, in any order; 0 < n <= len(values).
//
// Weights are numbers of subsets. As float64 they are exact up to 2^53 and
// good to a relative 1e-13 beyond, since only positive numbers are added.
func subsetSums(values []int, n int) (counts, bool) {
	lowest, step := reduction(values)
	reduced := make([]int, len(values))
	for i, v := range values {
		reduced[i] = (v - lowest) / step
	}
	largest := largestSum(reduced, n)
	if work := float64(len(values)) * float64(n) * float64(largest+1); work > exactWork {
		return counts{}, false
	}
	// ways[j][s] is the number of ways to reach the sum s with j values and
	// reached[j] the highest such sum so far, -1 if there is none.
	ways := make([][]float64, n+1)
	reached := make([]int, n+1)
	for j := range ways {
		ways[j] = make([]float64, largest+1)
		reached[j] = -1
	}
	ways[0][0], reached[0] = 1, 0
	for i, v := range reduced {
		for j := min(i+1, n); j >= 1; j-- {
			if reached[j-1] < 0 {
				continue
			}
			from := ways[j-1][:reached[j-1]+1]
			to := ways[j][v : v+len(from)]
			for s, w := range from {
				to[s] += w
			}
			reached[j] = max(reached[j], reached[j-1]+v)
		}
	}
	return newCounts(ways[n], n*lowest, step), true
}

// reduction returns the lowest of the values and the greatest step that leads
// from it to all others, 1 if they are all equal: without both the tables of
// subsetSums would be several times as large.
func reduction(values []int) (lowest, step int) {
	lowest = values[0]
	for _, v := range values {
		lowest = min(lowest, v)
	}
	for _, v := range values {
		for a, b := v-lowest, step; ; a, b = b, a%b {
			if b == 0 {
				step = a
				break
			}
		}
	}
	return lowest, max(step, 1)
}

// largestSum returns the sum of the n largest values.
func largestSum(values []int, n int) int {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	sum := 0
	for _, v := range sorted[len(sorted)-n:] {
		sum += v
	}
	return sum
}
