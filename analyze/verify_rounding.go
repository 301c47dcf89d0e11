package analyze

import (
	"math"

	"github.com/benchproof/benchproof/analyze/stats"
)

// What a verification says of a ratio must hold for all that rounding allows, as
// what a comparison says of one. Here the ratio may be of four printed values, or
// of a spread that stands for two, so that rounding is taken as a shift of its
// logarithm; the standard errors are taken as printed.

// roundingSlack returns by how much rounding may have moved the logarithm of a
// ratio of the cells' means. It is 0 where no mean is printed coarsely beside its
// standard error, as rounding is next to nothing then.
func roundingSlack(cells ...*Cell) float64 {
	slack, matters := 0.0, false
	for _, c := range cells {
		half := math.Min(relativeHalf(c), 0.5)
		slack -= math.Log1p(-half)
		matters = matters || c.Tested() && coarse(c.Figures)
	}
	if !matters {
		return 0
	}
	return slack
}

// nearer returns l moved towards a ratio of 1 by the slack.
func nearer(l stats.LogRatio, slack float64) stats.LogRatio {
	l.Log = math.Copysign(math.Max(0, math.Abs(l.Log)-slack), l.Log)
	return l
}

// moved returns l and both ends of what the slack allows.
func moved(l stats.LogRatio, slack float64) (down, up stats.LogRatio) {
	down, up = l, l
	down.Log -= slack
	up.Log += slack
	return down, up
}

// equivalence tests for a ratio within the margin wherever the slack has it. The
// interval holds it wherever that is.
func equivalence(l stats.LogRatio, slack, low, high float64) (stats.EquivalenceTest, error) {
	down, up := moved(l, slack)
	e, err := down.Equivalence(low, high, Alpha)
	if err != nil || slack == 0 {
		return e, err
	}
	other, err := up.Equivalence(low, high, Alpha)
	if err != nil {
		return e, err
	}
	e.High = other.High
	e.PUp, e.TUp = other.PUp, other.TUp
	e.P = math.Max(e.PLow, e.PUp)
	e.Equivalent = e.P <= Alpha
	return e, nil
}

// outsideP tests for a ratio outside of the margin wherever the slack has it.
func outsideP(l stats.LogRatio, slack, low, high float64) (float64, error) {
	down, up := moved(l, slack)
	p, err := down.OutsideP(low, high)
	if err != nil || slack == 0 {
		return p, err
	}
	other, err := up.OutsideP(low, high)
	return math.Max(p, other), err
}

// knownRatio returns x over y, or y over x where less is better; unknown where no
// float64 holds it.
func knownRatio(x, y float64, lessIsBetter bool) Quantity {
	r, err := stats.Speedup(y, x, !lessIsBetter)
	if err != nil {
		return Quantity{}
	}
	return known(r)
}
