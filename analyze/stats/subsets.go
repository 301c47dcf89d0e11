package stats

import (
	"math/bits"
	"slices"
)

// subsetPairs is the largest number of pairs for which all orders are counted
// by going through the subsets of what has been placed: 2^10 tables instead of
// 10! orders.
const subsetPairs = 10

// productSums returns the distribution of Σ x[i]·y[π(i)] over all orders π of
// at most subsetPairs whole numbers. Weights are numbers of orders.
func productSums(x, y []int) counts {
	n := len(x)
	// Products relative to the lowest x and y: the rest of the sum is the
	// same for all orders.
	lowX, stepX := reduction(x)
	lowY, stepY := reduction(y)
	rx, ry := make([]int, n), make([]int, n)
	first := 0
	for i := range x {
		rx[i], ry[i] = (x[i]-lowX)/stepX, (y[i]-lowY)/stepY
		first += lowX*(y[i]-lowY) + lowY*(x[i]-lowX) + lowX*lowY
	}
	tables := newSubsetTables(n, largestProductSum(rx, ry))
	for set := range tables.all {
		at := bits.OnesCount(uint(set)) // the next x
		if at == n {
			break
		}
		for j := range n {
			if set&(1<<j) == 0 {
				tables.add(set, set|1<<j, rx[at]*ry[j])
			}
		}
		tables.done(set)
	}
	return newCounts(tables.full(), first, stepX*stepY)
}

// largestProductSum returns the largest Σ x[i]·y[π(i)], which pairs the values in
// order of size.
func largestProductSum(x, y []int) int {
	x, y = slices.Clone(x), slices.Clone(y)
	slices.Sort(x)
	slices.Sort(y)
	sum := 0
	for i := range x {
		sum += x[i] * y[i]
	}
	return sum
}

// tiedConcordanceCounts returns the distribution of Kendall's S over all orders
// of y, ties or not, for at most subsetPairs pairs.
func tiedConcordanceCounts(x, y []float64) counts {
	n := len(x)
	_, groups := doubledRanks(x)
	// The y that go to one group of equal x are placed at once: they form no
	// pairs that count among themselves. startsAt[p] is the size of the
	// group that begins after p placed values.
	size := make([]int, n+1)
	placed := 0
	for _, g := range groups {
		size[placed] = g
		placed += g
	}
	most := n * (n - 1) / 2
	tables := newSubsetTables(n, 2*most)
	for set := range tables.all {
		g := size[bits.OnesCount(uint(set))]
		if g == 0 || !tables.reached(set) {
			continue
		}
		forSubsets(n, set, g, func(next int) {
			s := 0
			for i := range n {
				for j := range n {
					if set&(1<<i) != 0 && next&(1<<j) != 0 {
						s += sign(y[j], y[i])
					}
				}
			}
			tables.add(set, set|next, s+g*bits.OnesCount(uint(set)))
		})
		tables.done(set)
	}
	// Every pair of x that is not tied added one to keep sums above zero.
	return newCounts(tables.full(), -int(untiedPairs(groups)), 1)
}

func sign(a, b float64) int {
	switch {
	case a > b:
		return 1
	case a < b:
		return -1
	}
	return 0
}

// forSubsets calls f for all subsets of size g of the n lowest bits that have
// none in common with set.
func forSubsets(n, set, g int, f func(subset int)) {
	free := (1<<n - 1) &^ set
	for sub := free; sub > 0; sub = (sub - 1) & free {
		if bits.OnesCount(uint(sub)) == g {
			f(sub)
		}
	}
}

// subsetTables holds one table of weights for each subset of n things, made
// when it is first reached and dropped when it has been used. Subsets are gone
// through in rising order, which puts every subset before those it is part of.
type subsetTables struct {
	all    int // number of subsets
	length int
	table  [][]float64
}

func newSubsetTables(n, most int) *subsetTables {
	t := &subsetTables{all: 1 << n, length: most + 1, table: make([][]float64, 1<<n)}
	t.table[0] = make([]float64, t.length)
	t.table[0][0] = 1
	return t
}

func (t *subsetTables) reached(set int) bool { return t.table[set] != nil }

// add adds the weights of one subset to those of another, moved up by shift.
func (t *subsetTables) add(from, to, shift int) {
	if t.table[to] == nil {
		t.table[to] = make([]float64, t.length)
	}
	target := t.table[to]
	for i, w := range t.table[from] {
		if w != 0 {
			target[i+shift] += w
		}
	}
}

func (t *subsetTables) done(set int) { t.table[set] = nil }

func (t *subsetTables) full() []float64 { return t.table[t.all-1] }
