package stats

import (
	"math"

	"gonum.org/v1/gonum/integrate/quad"
)

// largestRange is a studentized range whose tail is below 1e-300 for any number
// of systems in reach.
const largestRange = 60

// gaussNodes and gaussWeights are those of Gauss and Legendre for an interval
// of length 1 that starts at 0.
var gaussNodes, gaussWeights = legendre(20)

func legendre(n int) (nodes, weights []float64) {
	nodes, weights = make([]float64, n), make([]float64, n)
	quad.Legendre{}.FixedLocations(nodes, weights, 0, 1)
	return nodes, weights
}

// integrate returns the integral of a smooth f over panels of length 1 from
// low on, as many as reach high.
func integrate(f func(float64) float64, low, high float64) float64 {
	var sum float64
	for ; low < high; low++ {
		for i, x := range gaussNodes {
			sum += gaussWeights[i] * f(low+x)
		}
	}
	return sum
}

// studentizedRangeTail returns the probability that the range of k independent
// standard normal values exceeds q: the upper tail of the studentized range
// with unlimited degrees of freedom. It is integrated as a tail, so that small
// probabilities keep ten digits and more. It returns 1 for q at or below zero
// or NaN, and for k below 2.
//
// Tukey 1953; the integral is that of Pearson and Hartley 1942.
func studentizedRangeTail(q float64, k int) float64 {
	if !(q > 0) || k < 2 {
		return 1
	}
	if q > largestRange {
		return 0
	}
	m := float64(k - 1)
	// With the largest value at z: all others below it, less all others
	// within q of it.
	density := func(z float64) float64 {
		below, far := normalTail(-z), normalTail(q-z)
		return math.Exp(-z*z/2) * math.Pow(below, m) * -math.Expm1(m*math.Log1p(-far/below))
	}
	p := float64(k) / math.Sqrt(2*math.Pi) * integrate(density, -9, q+9)
	return math.Min(1, p)
}

// studentizedRangeQuantile returns the range that k independent standard normal
// values exceed with probability alpha. It returns ErrTooFew for k below 2.
func studentizedRangeQuantile(alpha float64, k int) (float64, error) {
	if err := checkLevel("alpha", alpha); err != nil {
		return 0, err
	}
	if err := checkCount("systems", k, 2); err != nil {
		return 0, err
	}
	target := math.Log(alpha)
	return falsePosition(0, largestRange, func(q float64) float64 {
		return math.Log(studentizedRangeTail(q, k)) - target
	}), nil
}

// falsePosition returns the root of a falling f with f(low) > 0 > f(high), by
// the method of false position in the Illinois form, with a halving wherever
// that does not halve the bracket in two steps. f(high) may be -Inf.
func falsePosition(low, high float64, f func(float64) float64) float64 {
	fl, fh := f(low), f(high)
	for step := 0; step < 200 && high-low > 1e-14*high; step++ {
		x := low + (high-low)*fl/(fl-fh)
		if step%3 == 2 || !(x > low && x < high) {
			x = low + (high-low)/2
		}
		switch y := f(x); {
		case y == 0:
			return x
		case y > 0:
			low, fl, fh = x, y, fh/2
		default:
			high, fh, fl = x, y, fl/2
		}
	}
	return low + (high-low)/2
}
