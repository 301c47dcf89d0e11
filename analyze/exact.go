package analyze

import (
	"math"

	"github.com/benchproof/benchproof/analyze/stats"
)

// exactRuns is how many equal runs a side needs to be compared without a test.
// Were the two means equal and runs normal, the chance that three runs of one
// side and three of the other print as two different values, with another one
// between them, is below 1 % whatever the spreads are.
const exactRuns = 3

// exact compares two sides all of whose runs print alike, such as sizes and
// counts: they have no spread to test with. It reports whether that gave a
// verdict: the values differ by more than their rounding, or lie within the
// margin for all that rounding allows.
func (r *CompareRow) exact(above, below stats.Rounded, low, high float64) bool {
	a, okA := equalRuns(r.Baseline)
	b, okB := equalRuns(r.Cell)
	if !okA || !okB {
		return false
	}
	if r.Test.Proportion != "LIB" {
		a, b = b, a
	}
	// a is above, b is below the line.
	least, most := (above.Mean-a)/(below.Mean+b), (above.Mean+a)/(below.Mean-b)
	if !(above.Mean > a) || !(below.Mean > b) || math.IsInf(most, 0) {
		return false
	}
	differ, within := least > 1 || most < 1, least > low && most < high
	switch {
	case differ && within:
		r.Verdict = Trivial
	case differ && r.Ratio.X > 1:
		r.Verdict = Better
	case differ:
		r.Verdict = Worse
	case within:
		r.Verdict = Equivalent
	default:
		return false
	}
	r.Interval = knownRange(least, most)
	r.Reason = "all runs of a side print alike: compared exactly, without a test; the interval is what rounding allows"
	return true
}

// equalRuns reports whether all runs of a cell print alike, and how far from
// their mean rounding may have moved it.
func equalRuns(c *Cell) (half float64, ok bool) {
	f := c.Figures
	if len(c.Runs) < exactRuns || f.SE != 0 {
		return 0, false
	}
	return math.Max(f.MeanHalf, f.SEHalf*math.Sqrt(float64(f.N-1))), true
}
