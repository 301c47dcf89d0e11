package stats

import (
	"math"
	"slices"
)

// Quantile returns the p-quantile of xs by linear interpolation between order
// statistics, the rule that spreadsheets and R use by default (type 7 of
// Hyndman and Fan 1996). xs need not be sorted. It returns ErrTooFew for no
// values and ErrNotFinite for NaN or an infinity; p lies in [0, 1], both ends
// allowed.
func Quantile(xs []float64, p float64) (float64, error) {
	sorted, err := sortedCopy(xs)
	if err != nil {
		return 0, err
	}
	if p != 0 && p != 1 {
		if err := checkLevel("quantile", p); err != nil {
			return 0, err
		}
	}
	return sortedQuantile(sorted, p), nil
}

// Median returns the middle of xs, the mean of the two middle values if there
// is an even number of them. Errors are those of [Quantile].
func Median(xs []float64) (float64, error) { return Quantile(xs, 0.5) }

// sortedQuantile is Quantile for sorted finite values, at least one.
func sortedQuantile(sorted []float64, p float64) float64 {
	at := p * float64(len(sorted)-1)
	i := int(at)
	if i >= len(sorted)-1 {
		return sorted[len(sorted)-1]
	}
	low, high := sorted[i], sorted[i+1]
	if f := at - float64(i); f == 0.5 {
		return midpoint(low, high)
	} else if f > 0 && low != high {
		return (1-f)*low + f*high
	}
	return low
}

func sortedCopy(xs []float64) ([]float64, error) {
	if err := checkCount("values", len(xs), 1); err != nil {
		return nil, err
	}
	if err := checkFinite(xs...); err != nil {
		return nil, err
	}
	sorted := slices.Clone(xs)
	slices.Sort(sorted)
	return sorted, nil
}

// MAD returns the median of the absolute distances from the median, in the unit
// of xs and without a factor: times 1.4826 it estimates a standard deviation.
// Errors are those of [Quantile].
func MAD(xs []float64) (float64, error) {
	center, err := Median(xs)
	if err != nil {
		return 0, err
	}
	distances := make([]float64, len(xs))
	for i, x := range xs {
		distances[i] = math.Abs(x - center)
	}
	return Median(distances)
}

// MedianInterval returns an interval for the median of the distribution behind
// xs, made of two of its values. Its level is the smallest attainable one not
// below the level asked for, or that of the smallest and the largest value
// where even they fall short: 0.75 for three runs, 0.9375 for five. It assumes
// independent runs and nothing else. Errors are those of [Quantile].
func MedianInterval(xs []float64, level float64) (Interval, error) {
	if err := checkLevel("level", level); err != nil {
		return Interval{}, err
	}
	sorted, err := sortedCopy(xs)
	if err != nil {
		return Interval{}, err
	}
	n := len(sorted)
	k := 1
	for k < (n+1)/2 && orderLevel(n, k+1) >= level {
		k++
	}
	return Interval{Low: sorted[k-1], High: sorted[n-k], Level: orderLevel(n, k)}, nil
}

// orderLevel returns how likely the median lies between the k-th smallest and
// the k-th largest of n values, for k up to the middle.
func orderLevel(n, k int) float64 {
	return math.Max(0, 1-2*fairCoinAtMost(k-1, n))
}
