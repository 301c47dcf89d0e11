package native

import (
	"math"
	"math/rand/v2"
)

// knot is one known point of a distribution: a share of the values is not
// above size.
type knot struct {
	share float64
	size  int64
}

// sizesOf returns n sizes whose sum is total and whose distribution runs
// through the knots, the first of which has share 0 and the last share 1.
//
// Between two knots the sizes follow a curve of one shape for all pieces,
// geometric with an exponent that is searched so that the sum comes out just
// below total; what is then left is spread evenly over the values between
// knots. The knots themselves stay as they are. The sizes are in rising order
// but for those few bytes.
func sizesOf(n int, total int64, knots []knot) []int64 {
	curve := func(bend float64) ([]int64, int64) {
		sizes := make([]int64, n)
		sum := int64(0)
		k := 0
		for i := range sizes {
			at := float64(i) / float64(n-1)
			for k < len(knots)-2 && at > knots[k+1].share {
				k++
			}
			a, b := knots[k], knots[k+1]
			t := math.Pow((at-a.share)/(b.share-a.share), bend)
			low, high := float64(a.size)+1, float64(b.size)+1
			sizes[i] = int64(low*math.Pow(high/low, t)) - 1
			sum += sizes[i]
		}
		// Rounding must not take the greatest its last byte.
		sum += knots[len(knots)-1].size - sizes[n-1]
		sizes[n-1] = knots[len(knots)-1].size
		return sizes, sum
	}
	// A greater bend gives smaller sizes.
	low, high := 0.02, 50.0
	for range 60 {
		mid := (low + high) / 2
		if _, sum := curve(mid); sum > total {
			low = mid
		} else {
			high = mid
		}
	}
	sizes, sum := curve(high)
	var middle []int
	for i := range sizes {
		if sizes[i] > 0 && i < n-1 {
			middle = append(middle, i)
		}
	}
	left := total - sum
	for i, at := range middle {
		share := left / int64(len(middle)-i)
		sizes[at] += share
		left -= share
	}
	return sizes
}

// shuffle puts values into an order that only rng decides.
func shuffle[T any](rng *rand.Rand, values []T) {
	rng.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
}

// newRand returns the generator of a seed and a purpose: others draw from
// streams of their own.
func newRand(seed, stream uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, stream)) }
