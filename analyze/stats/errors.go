package stats

import (
	"errors"
	"fmt"
	"math"
)

// Errors that callers act on: each is a reason why a question cannot be
// answered from the numbers at hand. They arrive wrapped; use errors.Is.
var (
	// ErrTooFew: fewer runs, pairs, tests or systems than the method needs.
	ErrTooFew = errors.New("too few values")
	// ErrNoSE: the standard error is not known.
	ErrNoSE = errors.New("no standard error")
	// ErrZeroSE: no spread at all, so that no test can be made. Compare
	// exactly, or within the rounding of the numbers.
	ErrZeroSE = errors.New("standard error is zero")
	// ErrNotPositive: a ratio or a logarithm of a value that is zero or
	// negative.
	ErrNotPositive = errors.New("value is not positive")
	// ErrNoVariation: the values are all equal, so that there is no order
	// or no correlation to speak of.
	ErrNoVariation = errors.New("values do not vary")
	// ErrNotFinite: NaN or an infinity among the input.
	ErrNotFinite = errors.New("value is not finite")
	// ErrOverflow: the result exceeds what a float64 can hold.
	ErrOverflow = errors.New("result out of range")
	// ErrTooLarge: the input is larger than the method is made for.
	ErrTooLarge = errors.New("too many values")
	// ErrUnreachable: no number of runs reaches what was asked.
	ErrUnreachable = errors.New("not reachable with any number of runs")
)

// checkLevel refuses a confidence level, or an error rate, outside (0, 1).
func checkLevel(name string, level float64) error {
	if level > 0 && level < 1 {
		return nil
	}
	return fmt.Errorf("%s %v: want a number between 0 and 1", name, level)
}

// checkFinite refuses NaN and infinities in xs.
func checkFinite(xs ...float64) error {
	for _, x := range xs {
		if !isFinite(x) {
			return fmt.Errorf("%v: %w", x, ErrNotFinite)
		}
	}
	return nil
}

// checkResult refuses a result that overflowed: finite input can still give
// an infinity, or a NaN out of two of them.
func checkResult(xs ...float64) error {
	for _, x := range xs {
		if !isFinite(x) {
			return ErrOverflow
		}
	}
	return nil
}

// checkPositive refuses NaN, infinities, zero and negative values in xs.
func checkPositive(xs ...float64) error {
	for _, x := range xs {
		if !isFinite(x) {
			return fmt.Errorf("%v: %w", x, ErrNotFinite)
		}
		if x <= 0 {
			return fmt.Errorf("%v: %w", x, ErrNotPositive)
		}
	}
	return nil
}

// checkCount refuses fewer than want things.
func checkCount(what string, n, want int) error {
	if n >= want {
		return nil
	}
	return fmt.Errorf("%s: have %d, need %d: %w", what, n, want, ErrTooFew)
}

func isFinite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
