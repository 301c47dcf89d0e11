package stats

import (
	"errors"
	"math"
	"testing"
)

// TestMeanInterval: bounds by the printed quantiles of t, 12.7062 for one
// degree of freedom, 4.30265 for two and 2.30600 for eight.
func TestMeanInterval(t *testing.T) {
	for _, tt := range []struct {
		s         Summary
		low, high float64
		err       error
	}{
		{Summary{Mean: 100, SE: 1, N: 2}, 87.2938, 112.7062, nil},
		{Summary{Mean: 100, SE: 2, N: 3}, 91.3947, 108.6053, nil},
		{Summary{Mean: 274, SE: 0.41, N: 9}, 273.05454, 274.94546, nil},
		{Summary{Mean: 274, SE: 0.41, N: 1}, 0, 0, ErrTooFew},
		{Summary{Mean: 274, SE: 0.41}, 0, 0, ErrTooFew},
		{Summary{Mean: 274, SE: math.NaN(), N: 9}, 0, 0, ErrNoSE},
		{Summary{Mean: 274, SE: 0, N: 9}, 0, 0, ErrZeroSE},
	} {
		got, err := MeanInterval(tt.s, 0.95)
		if !errors.Is(err, tt.err) {
			t.Errorf("%+v: error %v, want %v", tt.s, err, tt.err)
		}
		// The quantiles have six digits.
		if err == nil && (math.Abs(got.Low-tt.low) > 1e-4 || math.Abs(got.High-tt.high) > 1e-4 || got.Level != 0.95) {
			t.Errorf("%+v: %+v, want %v to %v", tt.s, got, tt.low, tt.high)
		}
	}
}
