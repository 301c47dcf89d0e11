package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// TTest is the outcome of a t test.
type TTest struct {
	T  float64 // the statistic; its sign is that of the difference
	DF float64 // degrees of freedom, fractional for Welch's
	P  float64 // two-sided
}

// hillDF is the number of degrees of freedom from which the normal expansion
// of Hill serves. Below it the incomplete beta function is good to 1e-11,
// above it that function loses digits in a power with a large exponent, while
// the expansion is good to 1e-12 for tails above 1e-16.
const hillDF = 2000

// minDF is the smallest number of degrees of freedom that a test can have, less
// a rounding error.
const minDF = 1 - 1e-9

// tTail returns P(T > t) for t >= 0 and Student's t with df degrees of
// freedom, minDF or more. It is computed as the small tail, so that p values far below 1e-16
// keep their digits.
func tTail(t, df float64) float64 {
	switch {
	case df >= hillDF:
		return normalTail(hillNormal(t, df))
	case t < 1:
		// The argument of the tail form is near 1 here and would lose
		// small t.
		tt := t * t
		return 0.5 - 0.5*mathext.RegIncBeta(0.5, df/2, tt/(df+tt))
	}
	// df/(df+t²) without squaring a large t.
	x := 1 / (1 + (t/df)*t)
	return 0.5 * mathext.RegIncBeta(df/2, 0.5, x)
}

// tTwoSided returns P(|T| > |t|).
func tTwoSided(t, df float64) float64 { return math.Min(1, 2*tTail(math.Abs(t), df)) }

// tSurvival returns P(T > t) for t of either sign.
func tSurvival(t, df float64) float64 {
	if t < 0 {
		return 1 - tTail(-t, df)
	}
	return tTail(t, df)
}

// hillNormal maps a t >= 0 with df degrees of freedom to the standard normal
// deviate with the same tail (Hill 1970, algorithm 395).
func hillNormal(t, df float64) float64 {
	a := df - 0.5
	b := 48 * a * a
	z2 := a * math.Log1p(t/df*t)
	c := (((-0.4*z2-3.3)*z2-24)*z2 - 85.5) / (0.8*z2*z2 + 100 + b)
	return ((c+z2+3)/b + 1) * math.Sqrt(z2)
}

// tQuantile returns the t with P(|T| <= t) = level, the factor of a two-sided
// interval.
//
// It solves ln tail = ln q for ln t by Newton's method: in these coordinates
// the tail of any t distribution is close to a straight line.
func tQuantile(level, df float64) float64 {
	q := (1 - level) / 2
	u := math.Log(normalQuantileUpper(q))
	lg1, _ := math.Lgamma((df + 1) / 2)
	lg2, _ := math.Lgamma(df / 2)
	logDensity0 := lg1 - lg2 - 0.5*math.Log(df*math.Pi)
	for range 60 {
		t := math.Exp(u)
		tail := tTail(t, df)
		if tail == 0 {
			u--
			continue
		}
		density := math.Exp(logDensity0 - (df+1)/2*math.Log1p(t/df*t))
		step := (math.Log(tail) - math.Log(q)) * tail / (t * density)
		// A wild first step can only come from a start far too low; the
		// solution is then approached in bounded strides.
		step = math.Max(-4, math.Min(4, step))
		u += step
		// The error squares with each step.
		if math.Abs(step) < 1e-8 {
			break
		}
	}
	return math.Exp(u)
}

// normalTail returns P(Z > z) for the standard normal Z.
func normalTail(z float64) float64 { return 0.5 * math.Erfc(z/math.Sqrt2) }

// normalQuantileUpper returns the z with P(Z > z) = q.
func normalQuantileUpper(q float64) float64 { return math.Sqrt2 * math.Erfcinv(2*q) }

// chiSquaredTail returns P(X > x) for chi-squared with df degrees of freedom.
func chiSquaredTail(x, df float64) float64 {
	if x <= 0 {
		return 1
	}
	return distuv.ChiSquared{K: df}.Survival(x)
}

// fTail returns P(F > f) for the F distribution with d1 and d2 degrees of
// freedom, keeping the digits of a small tail.
func fTail(f, d1, d2 float64) float64 {
	if f <= 0 {
		return 1
	}
	return mathext.RegIncBeta(d2/2, d1/2, 1/(1+f*(d1/d2)))
}
