package stats

import (
	"fmt"
	"math"
	"slices"
)

// Shift is a Hodges–Lehmann estimate with its interval.
type Shift struct {
	Estimate float64
	// Interval has the level attained, not the one asked for. With few runs
	// it can be lower: three against three reach 0.9 at most.
	Interval
}

// HodgesLehmann returns by how much a lies above b, in the unit of the test:
// the median of all differences of a run of a and a run of b, with the interval
// that belongs to [MannWhitney]. It assumes that both sides have the same shape.
//
// The ends of the interval are differences themselves, so that its level comes
// in steps. It is the smallest attainable level not below the one asked for, or
// the highest there is. With ties the true level is at least that.
//
// Time grows with the number of runs, not with that of the pairs. It returns
// ErrTooFew if a sample is empty and ErrNotFinite for NaN or an infinity.
// Hodges and Lehmann 1963; Bauer 1972.
func HodgesLehmann(a, b []float64, level float64) (Shift, error) {
	if err := checkLevel("level", level); err != nil {
		return Shift{}, err
	}
	if _, err := pool(a, b); err != nil {
		return Shift{}, err
	}
	a, b = slices.Clone(a), slices.Clone(b)
	slices.Sort(a)
	slices.Sort(b)
	if err := checkResult(a[0]-b[len(b)-1], a[len(a)-1]-b[0]); err != nil {
		return Shift{}, err
	}
	pairs := len(a) * len(b)
	k, attained := shiftRank(len(a), len(b), level)
	return Shift{
		Estimate: midpoint(kthDifference(a, b, (pairs+1)/2), kthDifference(a, b, pairs/2+1)),
		Interval: Interval{
			Low:   kthDifference(a, b, k),
			High:  kthDifference(a, b, pairs+1-k),
			Level: attained,
		},
	}, nil
}

// HodgesLehmannRatio is [HodgesLehmann] for the ratio of a to b: it works on
// logarithms and returns ratios. It returns ErrNotPositive for a value that is
// not above zero.
func HodgesLehmannRatio(a, b []float64, level float64) (Shift, error) {
	logA, err := logs(a)
	if err != nil {
		return Shift{}, err
	}
	logB, err := logs(b)
	if err != nil {
		return Shift{}, err
	}
	s, err := HodgesLehmann(logA, logB, level)
	if err != nil {
		return Shift{}, err
	}
	s.Estimate, s.Low, s.High = math.Exp(s.Estimate), math.Exp(s.Low), math.Exp(s.High)
	if s.Low == 0 {
		return Shift{}, ErrOverflow
	}
	return s, checkResult(s.Estimate, s.Low, s.High)
}

// shiftRank returns which difference from either end bounds an interval of at
// least the level, and the level attained. Where even the outermost pair falls
// short it returns that pair.
func shiftRank(na, nb int, level float64) (k int, attained float64) {
	ranks := make([]int, na+nb)
	for i := range ranks {
		ranks[i] = i + 1
	}
	c, ok := subsetSums(ranks, min(na, nb))
	if !ok {
		a, b := float64(na), float64(nb)
		sd := math.Sqrt(a * b * (a + b + 1) / 12)
		k = int(a*b/2 - 0.5 - sd*normalQuantileUpper((1-level)/2))
		k = max(1, min(k, int(a*b/2)))
		return k, 1 - 2*normalTail((a*b/2-float64(k)+0.5)/sd)
	}
	// The k-th difference from below bounds the shift with the error rate
	// P(U <= k-1) without ties.
	tail := 0.0
	attained = 1 - 2*c.weight[0]/c.total
	k = 1
	for i := 0; i < na*nb/2; i++ {
		tail += c.weight[i]
		next := 1 - 2*tail/c.total
		if next < level {
			break
		}
		k, attained = i+1, next
	}
	return k, max(0, attained)
}

// kthDifference returns the k-th smallest of all a[i]-b[j], counted from 1, for
// sorted a and b. It bisects on the value: there are at most 64 halvings
// between two float64, and counting the differences up to a value takes one
// walk along both samples.
func kthDifference(a, b []float64, k int) float64 {
	low, high := orderedBits(a[0]-b[len(b)-1]), orderedBits(a[len(a)-1]-b[0])
	for low < high {
		mid := low + int64(uint64(high-low)/2)
		if differencesUpTo(a, b, fromOrderedBits(mid)) >= k {
			high = mid
		} else {
			low = mid + 1
		}
	}
	return fromOrderedBits(low)
}

// differencesUpTo counts the differences a[i]-b[j] that are at most x.
func differencesUpTo(a, b []float64, x float64) int {
	n, j := 0, 0
	for _, v := range a {
		for j < len(b) && v-b[j] > x {
			j++
		}
		n += len(b) - j
	}
	return n
}

// orderedBits maps finite numbers to integers in the same order; zero of either
// sign maps to 0.
func orderedBits(x float64) int64 {
	bits := int64(math.Float64bits(x))
	if bits < 0 {
		return math.MinInt64 - bits
	}
	return bits
}

func fromOrderedBits(bits int64) float64 {
	if bits < 0 {
		bits = math.MinInt64 - bits
	}
	return math.Float64frombits(uint64(bits))
}

// midpoint returns the mean of x and y without leaving the range of a float64.
func midpoint(x, y float64) float64 {
	if x == y {
		return x
	}
	return x/2 + y/2
}

// logs returns the logarithms of positive numbers.
func logs(xs []float64) ([]float64, error) {
	out := make([]float64, len(xs))
	for i, x := range xs {
		if err := checkPositive(x); err != nil {
			return nil, fmt.Errorf("value %d: %w", i+1, err)
		}
		out[i] = Ln(x)
	}
	return out, nil
}
