package analyze

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/benchproof/benchproof/analyze/stats"
	"github.com/benchproof/benchproof/result"
)

// noRatio says why a row has no ratio, "" if it has one.
func noRatio(r *CompareRow) string {
	for _, side := range []struct {
		name string
		cell *Cell
	}{{r.BaselineName, r.Baseline}, {r.SystemName, r.Cell}} {
		switch {
		case side.cell == nil:
			return side.name + ": no value"
		case side.cell.Problem != "":
			return side.name + ": " + side.cell.Problem
		}
	}
	switch r.Test.Proportion {
	case result.HIB, result.LIB:
	default:
		return "it is not known whether more or less is better"
	}
	for _, side := range []struct {
		name string
		cell *Cell
	}{{r.BaselineName, r.Baseline}, {r.SystemName, r.Cell}} {
		switch m := side.cell.Figures.Mean; {
		case m == 0:
			return side.name + ": the value is zero, of which there is no ratio"
		case m < 0:
			return side.name + ": the value is negative, of which there is no ratio"
		}
	}
	return ""
}

// noTest says why a row with a ratio cannot be tested, "" if it can be tried.
func noTest(r *CompareRow) string {
	base, cell := r.Baseline.NoSE, r.Cell.NoSE
	switch {
	case base == "" && cell == "":
		return ""
	case base == cell && base == oneRun:
		return "no uncertainty known: one run each"
	case base == cell:
		return "no uncertainty known: " + base
	case base == "":
		return "no uncertainty known: " + r.SystemName + ": " + cell
	case cell == "":
		return "no uncertainty known: " + r.BaselineName + ": " + base
	}
	return fmt.Sprintf("no uncertainty known: %s: %s; %s: %s", r.BaselineName, base, r.SystemName, cell)
}

// inWords turns an error of package stats into a reason.
func inWords(err error) string {
	switch {
	case errors.Is(err, stats.ErrZeroSE):
		return "all runs are equal: there is no spread to test with"
	case errors.Is(err, stats.ErrNotPositive):
		return "a value may be zero within its rounding"
	case errors.Is(err, stats.ErrOverflow):
		return "the standard errors are so large that they say nothing about the ratio"
	case errors.Is(err, stats.ErrTooFew):
		return "too few runs"
	case errors.Is(err, stats.ErrNoSE):
		return "no uncertainty known"
	}
	return err.Error()
}

// decide sets the verdict of a tested row. It must hold for all that rounding
// allows.
func (c *Comparison) decide(r *CompareRow, low, high float64) {
	if !r.tested() {
		return
	}
	different := r.pair.high <= Alpha
	equal := r.pair.equal <= Alpha
	set, checked := r.fieller()
	doubted := different && checked && (!set.Bounded() || set.Contains(1))
	different = different && !doubted
	switch {
	case different && equal:
		r.Verdict = Trivial
	case different && r.Ratio.X > 1:
		r.Verdict = Better
	case different && r.Ratio.X < 1:
		r.Verdict = Worse
	case equal:
		r.Verdict = Equivalent
	default:
		r.Verdict = Undecided
		r.RunsNeeded = c.runsNeeded(r, low, high)
	}
	why := c.why(r)
	if doubted && r.Verdict == Undecided {
		why = []string{"with so large an error the exact set of Fieller does not exclude a ratio of 1"}
	} else if checked {
		text := set.Shape.String()
		if set.Bounded() {
			text = fmt.Sprintf("%.3g to %.3g", set.Low, set.High)
		}
		why = append(why, "Fieller's exact interval: "+text)
	}
	r.RunsAdded = runsAdded(r)
	why = append(why, remarks(r)...)
	if r.RunsAdded != "" {
		why = append(why, r.RunsAdded)
	}
	r.Reason = strings.Join(why, "; ")
}

// noisyShare is the standard error, as a share of its mean, from which the
// interval on logarithms is held against Fieller's, which is exact for normal
// means.
const noisyShare = 0.1

// fieller returns Fieller's set for a row with a standard error above that.
func (r *CompareRow) fieller() (stats.FiellerSet, bool) {
	above, below := r.sides()
	a, _ := above.WithFloor()
	b, _ := below.WithFloor()
	if a.SE <= noisyShare*a.Mean && b.SE <= noisyShare*b.Mean {
		return stats.FiellerSet{}, false
	}
	set, err := stats.Fieller(a, b, Level)
	return set, err == nil
}

// why says what leaves a row undecided, or makes a difference trivial.
func (c *Comparison) why(r *CompareRow) []string {
	switch {
	case r.Verdict == Trivial:
		return []string{"different, but within the margin of " + percent(c.Options.Margin)}
	case r.Verdict != Undecided:
		return nil
	case r.PRange.Low.X <= Alpha && r.PRange.High.X > Alpha:
		return []string{fmt.Sprintf("rounding leaves p between %s and %s", pText(r.PRange.Low.X), pText(r.PRange.High.X))}
	case r.pair.low <= Alpha && r.pair.high > Alpha:
		return []string{fmt.Sprintf("rounding leaves the adjusted p between %s and %s", pText(r.pair.low), pText(r.pair.high))}
	case r.EqualityAdjusted.Known && r.EqualityAdjusted.X <= Alpha:
		return []string{"equality within " + percent(c.Options.Margin) + " is shown by the printed figures, not for all that rounding allows"}
	case r.PRange.High.X <= Alpha:
		return []string{fmt.Sprintf("p is %s alone and %s among %s", pText(r.P.X), pText(r.PAdjusted.X), rowsText(c.Family))}
	}
	why := "no difference shown"
	if r.Equality.Known && r.Equality.X <= Alpha {
		return []string{why + ", and equality within " + percent(c.Options.Margin) + " only before adjustment"}
	}
	return []string{why + ", and the figures are too rough to show equality within " + percent(c.Options.Margin)}
}

// runsAdded names the sides of a row that have more than three runs, which are
// what PTS makes where it adds none; "" if there is none.
func runsAdded(r *CompareRow) string {
	var list []string
	if n := r.Baseline.Figures.N; n > 3 {
		list = append(list, fmt.Sprintf("%s N=%d", r.BaselineName, n))
	}
	if n := r.Cell.Figures.N; n > 3 {
		list = append(list, fmt.Sprintf("%s N=%d", r.SystemName, n))
	}
	if len(list) == 0 {
		return ""
	}
	return "more than 3 runs, so that the standard error may be too small: " + strings.Join(list, " and ")
}

// remarks says what else to know about a row whatever its verdict is.
func remarks(r *CompareRow) []string {
	var list []string
	add := func(format string, names []string) {
		if len(names) > 0 {
			list = append(list, fmt.Sprintf(format, strings.Join(names, " and ")))
		}
	}
	var guessed, floored, noisy []string
	for _, side := range []struct {
		name string
		cell *Cell
	}{{r.BaselineName, r.Baseline}, {r.SystemName, r.Cell}} {
		f := side.cell.Figures
		if side.cell.inferred() {
			guessed = append(guessed, side.name)
		}
		if _, raised := f.WithFloor(); raised {
			floored = append(floored, side.name)
		}
		if f.SE > noisyShare*f.Mean {
			noisy = append(noisy, fmt.Sprintf("%s %s", side.name, percent(f.SE/f.Mean)))
		}
	}
	add("inferred values: %s", guessed)
	add("standard error printed as zero, taken as the largest that prints so: %s", floored)
	add("a standard error above a tenth of its mean: %s", noisy)
	if r.widened {
		list = append(list, "the interval allows for the rounding of the means")
	}
	return list
}

// runsNeeded returns how many runs a side would decide the row, if spread and
// ratio are as measured: for a ratio within the margin to show equality, else
// to show the difference. It counts on no other row's luck: with an adjustment
// the error rate is divided by the family.
func (c *Comparison) runsNeeded(r *CompareRow, low, high float64) int {
	above, below := r.sides()
	a, _ := above.WithFloor()
	b, _ := below.WithFloor()
	cva, err := a.CV()
	if err != nil {
		return 0
	}
	cvb, err := b.CV()
	if err != nil {
		return 0
	}
	plan := stats.Plan{CVA: cva, CVB: cvb, Ratio: r.Ratio.X, Alpha: Alpha}
	if c.Options.Adjust != NoAdjustment {
		plan.Alpha /= float64(c.Family)
	}
	var n int
	if r.Ratio.X > low && r.Ratio.X < high {
		n, err = plan.EquivalenceRuns(low, high, power)
	} else {
		n, err = plan.DifferenceRuns(power)
	}
	if err != nil || n <= min(a.N, b.N) {
		return 0 // as many did not
	}
	return n
}

// percent returns a fraction in percent with two digits.
func percent(x float64) string { return fmt.Sprintf("%.2g %%", 100*x) }

// pText returns a p value for a sentence.
func pText(p float64) string {
	switch {
	case p < 0.0001:
		return "<0.0001"
	case p < 0.01:
		return fmt.Sprintf("%.1g", p)
	case math.Abs(p-Alpha) < 0.005:
		// Two digits would hide on which side it is.
		return fmt.Sprintf("%.3g", p)
	}
	return fmt.Sprintf("%.2g", p)
}
