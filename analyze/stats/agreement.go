package stats

import (
	"fmt"
	"math"
)

// ConcordanceEstimate is Lin's coefficient with its interval.
type ConcordanceEstimate struct {
	// Coefficient is 1 for x equal to y throughout and falls with scatter
	// as well as with a constant factor or shift.
	Coefficient float64
	// Pearson is the correlation, the part that scatter alone leaves; the
	// quotient of the two is what factor and shift take.
	Pearson float64
	// Interval is undefined, and HasInterval false, for three pairs or
	// fewer, no correlation at all and agreement to the last digits.
	Interval
	HasInterval bool
}

// Concordance returns Lin's concordance correlation coefficient of x and y, with
// the interval from Fisher's transform:
//
//	2·Sxy / (Sx² + Sy² + (mean x - mean y)²),  moments over n
//
// It measures agreement where a correlation does not. For values over several
// orders of magnitude pass logarithms. It returns ErrTooFew for fewer than two
// pairs, ErrNotFinite for NaN or an infinity, and ErrNoVariation if all x or all
// y are equal. Lin 1989, with the variance as corrected in Lin 2000.
func Concordance(x, y []float64, level float64) (ConcordanceEstimate, error) {
	if err := checkLevel("level", level); err != nil {
		return ConcordanceEstimate{}, err
	}
	if err := checkPaired(x, y, 2); err != nil {
		return ConcordanceEstimate{}, err
	}
	mx, err := Summarize(x)
	if err != nil {
		return ConcordanceEstimate{}, err
	}
	my, err := Summarize(y)
	if err != nil {
		return ConcordanceEstimate{}, err
	}
	// In units of the larger spread, against overflow.
	rx, ry := norm2(x, mx.Mean), norm2(y, my.Mean)
	unit := math.Max(rx, ry)
	if err := checkResult(unit); err != nil {
		return ConcordanceEstimate{}, err
	}
	n := float64(len(x))
	var sxy float64
	for i := range x {
		sxy += (x[i] - mx.Mean) / unit * ((y[i] - my.Mean) / unit)
	}
	sx, sy := rx/unit, ry/unit
	shift := (mx.Mean - my.Mean) / unit * math.Sqrt(n)
	c := ConcordanceEstimate{
		Coefficient: 2 * sxy / (sx*sx + sy*sy + shift*shift),
		Pearson:     max(-1, min(1, sxy/sx/sy)),
	}
	if err := checkResult(c.Coefficient, c.Pearson); err != nil {
		return ConcordanceEstimate{}, err
	}
	c.Interval, c.HasInterval = concordanceInterval(c, shift/math.Sqrt(sx*sy), n, level)
	return c, nil
}

// concordanceInterval returns the interval of Lin's coefficient; u is the shift
// of the means over the geometric mean of the standard deviations.
func concordanceInterval(c ConcordanceEstimate, u, n, level float64) (Interval, bool) {
	r, p := c.Pearson, c.Coefficient
	if n <= 3 || r == 0 || math.Abs(p) > 1-1e-12 {
		return Interval{}, false
	}
	q, u2 := p/r, u*u // p/r stays in range where p and r are both small
	variance := (1-r*r)*q*q*(1-p*p) + 2*p*p*q*(1-p)*u2 - 0.5*p*p*q*q*u2*u2
	se := math.Sqrt(variance/(n-2)) / (1 - p*p)
	half := normalQuantileUpper((1-level)/2) * se
	iv := Interval{Low: math.Tanh(math.Atanh(p) - half), High: math.Tanh(math.Atanh(p) + half), Level: level}
	if checkResult(iv.Low, iv.High) != nil {
		return Interval{}, false
	}
	return iv, true
}

// AgreementSummary says how far two sets of paired measurements lie apart.
type AgreementSummary struct {
	N int
	// Median and P90 are the middle and the 90 % quantile of the factor
	// between the two of a pair, taken so that it is 1 or above.
	Median, P90 float64
	// Bias is the geometric mean of y/x.
	Bias float64
	// Within is the number of pairs whose ratio lies inside the margin, and
	// Share holds the share of such pairs in all there could be.
	Within int
	Share  Interval
}

// Agreement compares pairs of positive numbers, such as published and replayed
// means of many tests, by the ratio y/x within a pair. low and high are the
// margin for y/x, ends included; see [Margin]. It makes no use of the noise of
// single measurements. It returns ErrTooFew for no pairs and ErrNotPositive for
// a value that is zero or negative.
func Agreement(x, y []float64, low, high, level float64) (AgreementSummary, error) {
	if err := checkMargin(low, high, 0.05); err != nil {
		return AgreementSummary{}, err
	}
	if len(x) != len(y) {
		return AgreementSummary{}, fmt.Errorf("%d and %d values: want pairs", len(x), len(y))
	}
	if err := checkPositive(append(append([]float64{}, x...), y...)...); err != nil {
		return AgreementSummary{}, err
	}
	s := AgreementSummary{N: len(x)}
	signed, size := make([]float64, len(x)), make([]float64, len(x))
	for i := range x {
		signed[i] = logOfRatio(y[i], x[i])
		size[i] = math.Abs(signed[i])
		if y[i] >= low*x[i] && y[i] <= high*x[i] {
			s.Within++
		}
	}
	var err error
	if s.Share, err = ClopperPearson(s.Within, s.N, level); err != nil {
		return AgreementSummary{}, err
	}
	mean, err := Summarize(signed)
	if err != nil {
		return AgreementSummary{}, err
	}
	sorted, err := sortedCopy(size)
	if err != nil {
		return AgreementSummary{}, err
	}
	s.Bias = math.Exp(mean.Mean)
	s.Median, s.P90 = math.Exp(sortedQuantile(sorted, 0.5)), math.Exp(sortedQuantile(sorted, 0.9))
	if s.Bias == 0 {
		return AgreementSummary{}, ErrOverflow
	}
	return s, checkResult(s.Bias, s.Median, s.P90)
}
