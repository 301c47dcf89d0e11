package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
)

// ClopperPearson returns the interval for the probability behind k successes in
// n trials. Its level is attained or exceeded whatever that probability is. The
// interval starts at exactly 0 for k = 0 and ends at exactly 1 for k = n. It
// returns ErrTooFew for n below 1. Clopper and Pearson 1934.
func ClopperPearson(k, n int, level float64) (Interval, error) {
	if err := checkLevel("level", level); err != nil {
		return Interval{}, err
	}
	if err := checkCount("trials", n, 1); err != nil {
		return Interval{}, err
	}
	if k < 0 || k > n {
		return Interval{}, fmt.Errorf("%d successes in %d trials: want none to all", k, n)
	}
	tail := (1 - level) / 2
	iv := Interval{Low: 0, High: 1, Level: level}
	fk, fn := float64(k), float64(n)
	if k > 0 {
		// P(X >= k) = tail
		iv.Low = solveShare(func(p float64) bool { return mathext.RegIncBeta(fk, fn-fk+1, p) < tail })
	}
	if k < n {
		// P(X <= k) = tail
		iv.High = solveShare(func(p float64) bool { return mathext.RegIncBeta(fn-fk, fk+1, 1-p) > tail })
	}
	return iv, nil
}

// solveShare returns the p in (0, 1) below which below holds and above which it
// does not, by halving on the log odds. (The quantile of the beta distribution
// in gonum v0.17.0 is off by a factor of 80 for some small tails.)
func solveShare(below func(p float64) bool) float64 {
	low, high := -60.0, 60.0
	for range 64 {
		middle := (low + high) / 2
		if below(1 / (1 + math.Exp(-middle))) {
			low = middle
		} else {
			high = middle
		}
	}
	return 1 / (1 + math.Exp(-(low+high)/2))
}

// SignTestResult is the outcome of a sign test.
type SignTestResult struct {
	Wins, Decided int
	P             float64 // two-sided, against equal chances
	// Interval holds the probability of a win, by Clopper and Pearson.
	Interval
}

// SignTest tests whether wins out of decided comparisons are more or fewer than
// equal chances give, by the exact binomial distribution. Comparisons too close
// to call belong to neither number. It returns ErrTooFew if nothing is decided.
func SignTest(wins, decided int, level float64) (SignTestResult, error) {
	iv, err := ClopperPearson(wins, decided, level)
	if err != nil {
		return SignTestResult{}, err
	}
	smaller := min(wins, decided-wins)
	return SignTestResult{
		Wins:     wins,
		Decided:  decided,
		P:        min(1, 2*fairCoinAtMost(smaller, decided)),
		Interval: iv,
	}, nil
}

// fairCoinAtMost returns P(X <= k) for the number of heads in n throws, for
// k < n/2, without the loss of a difference from 1.
func fairCoinAtMost(k, n int) float64 {
	if k < 0 {
		return 0
	}
	if k >= n {
		return 1
	}
	return mathext.RegIncBeta(float64(n-k), float64(k+1), 0.5)
}
