package analyze

import (
	"fmt"
	"math"

	"github.com/benchproof/benchproof/analyze/stats"
	"github.com/benchproof/benchproof/internal/phrase"
)

// Error rate of all claims, and the level of all intervals.
const (
	Alpha = 0.05
	Level = 1 - Alpha
)

// defaultMargin is the margin of equality where none is given: 5 %.
const defaultMargin = 0.05

// power is the chance that RunsNeeded gives a decision.
const power = 0.8

// Adjust names the adjustment for many tests at once.
type Adjust string

// The adjustments.
const (
	Holm         Adjust = "holm" // the default: no false claim among all rows
	BH           Adjust = "bh"   // a bounded share of false ones among the claims
	NoAdjustment Adjust = "none"
)

// CompareOptions say what to compare with what. The zero value compares all
// systems with the first, adjusted by Holm, with a margin of 5 %.
type CompareOptions struct {
	// Baseline is a system's name, or that of one of several files: then
	// each system is compared with the one of its identifier in that file,
	// or with its only one. Along an axis it is the value to compare with.
	// "" is the first.
	Baseline string
	// By is an axis: the key of an option ("Block Size") or of a component
	// of systems ("File-System"). What differs in nothing else is compared.
	By string
	// Margin is the fraction within which two means count as equal; 0.05 if
	// 0.
	Margin float64
	// Adjust is Holm if empty.
	Adjust Adjust
}

// Verdict is the outcome of one comparison in a word.
type Verdict string

// The verdicts.
const (
	Better     Verdict = "better"     // better than the baseline
	Worse      Verdict = "worse"      // worse
	Equivalent Verdict = "equivalent" // shown to be within the margin
	Trivial    Verdict = "trivial"    // different, and shown to be within the margin
	Undecided  Verdict = "undecided"  // the figures leave it open
	Untestable Verdict = "untestable" // the figures cannot answer
)

// Comparison is a set of systems compared with a baseline.
type Comparison struct {
	Set     *Set
	Options CompareOptions // with its defaults filled in
	// Baseline names what is compared with: a system, a file, a value of
	// the axis.
	Baseline string
	Rows     []CompareRow
	// Family is the number of rows that were tested, which the p values
	// are adjusted for.
	Family  int
	Overall []Overall
	// Residue names what differs between the two sides of a comparison
	// beside the axis, a line each; without axis all that differs.
	Residue   []string
	differing []differing
	// Warnings say what could not be compared at all, a line each.
	Warnings []string
}

// CompareRow is one system in one test compared with its baseline.
type CompareRow struct {
	Test *Test
	// Arguments are those of the test, along an option axis without it.
	Arguments string
	// BaselineName and SystemName name the two sides.
	BaselineName, SystemName string
	// Baseline and Cell are the two measurements. One of them may be nil.
	Baseline, Cell *Cell

	// Ratio is normalised: above 1 is better than the baseline. It is that
	// of the printed values.
	Ratio Quantity
	// Interval holds the ratio at 95 %. Where a mean is printed coarsely
	// beside its standard error it does so for all that rounding allows;
	// where sides all of whose runs print alike are compared exactly, and P
	// is unknown, it is what rounding allows.
	Interval Range
	// P is Welch's t test on the log ratio, PRange what the rounding of
	// means and standard errors makes of it, PAdjusted P within its family.
	P, PAdjusted Quantity
	PRange       Range
	// Equality is the p value of the two one-sided tests for a ratio within
	// the margin, EqualityRange its range over rounding (unknown where P is
	// above the error rate anyway), EqualityAdjusted it within its family.
	Equality, EqualityAdjusted Quantity
	EqualityRange              Range

	Verdict Verdict
	// RunsNeeded is how many runs a side would decide an undecided row with
	// a chance of 80 %, if spread and ratio are as measured; 0 if unknown.
	RunsNeeded int
	// Reason says in words why there is no verdict, and what to know about
	// one.
	Reason string
	// RunsAdded is the part of Reason, its last, that names sides with more
	// than three runs; "" if there are none.
	RunsAdded string

	estimate stats.RatioEstimate // with SELog > 0 where the row was tested
	widened  bool                // Interval allows for the rounding of the means
	pair     pairing
}

// Compare compares the systems of a set. It returns a *NameError for a baseline
// or an axis that is not there. What cannot be compared is a row with a reason,
// or a warning.
func Compare(set *Set, o CompareOptions) (*Comparison, error) {
	if o.Margin == 0 {
		o.Margin = defaultMargin
	}
	if o.Adjust == "" {
		o.Adjust = Holm
	}
	low, high, err := stats.Margin(o.Margin)
	if err != nil {
		return nil, err
	}
	if o.Adjust != Holm && o.Adjust != BH && o.Adjust != NoAdjustment {
		return nil, fmt.Errorf("unknown adjustment %q, want holm, bh or none", o.Adjust)
	}
	c := &Comparison{Set: set, Options: o, Warnings: append([]string(nil), set.Warnings...)}
	pairs, err := c.pairings()
	if err != nil {
		return nil, err
	}
	for _, p := range pairs {
		if p.baseCell != nil || p.cell != nil {
			c.Rows = append(c.Rows, newRow(p, low, high))
		}
	}
	if err := c.adjust(); err != nil {
		return nil, err
	}
	for i := range c.Rows {
		c.decide(&c.Rows[i], low, high)
	}
	c.nameLeastRuns()
	c.sumUp()
	c.warn()
	return c, nil
}

// newRow compares two cells.
func newRow(p pairing, low, high float64) CompareRow {
	r := CompareRow{
		Test: p.test, Arguments: p.arguments, BaselineName: p.baseName, SystemName: p.name,
		Baseline: p.baseCell, Cell: p.cell, Verdict: Untestable, pair: p,
	}
	if r.Reason = noRatio(&r); r.Reason != "" {
		return r
	}
	above, below := r.sides()
	r.Ratio = known(above.Mean / below.Mean)
	if !r.Ratio.Known || r.Ratio.X == 0 {
		r.Ratio = Quantity{}
		r.Reason = "the ratio is out of range"
		return r
	}
	if r.Reason = noTest(&r); r.Reason != "" {
		return r
	}
	if r.exact(above, below, low, high) {
		return r
	}
	pRange, err := stats.RoundedRatioTest(above, below)
	if err == nil {
		a, _ := above.WithFloor()
		b, _ := below.WithFloor()
		r.estimate, err = stats.Ratio(a, b, Level)
	}
	if err != nil {
		r.estimate = stats.RatioEstimate{}
		r.Reason = inWords(err)
		return r
	}
	r.P = known(r.estimate.P)
	r.PRange = knownRange(math.Min(pRange.Min, r.P.X), math.Max(pRange.Max, r.P.X))
	r.interval(above, below)
	r.Verdict = Undecided
	r.equality(above, below, low, high)
	return r
}

// sides returns the measurements as numerator and denominator of the ratio.
func (r *CompareRow) sides() (above, below stats.Rounded) {
	if r.Test.Proportion == "LIB" {
		return r.Baseline.Figures, r.Cell.Figures
	}
	return r.Cell.Figures, r.Baseline.Figures
}

// coarseShare is the half-unit of a printed mean, as a share of its standard
// error, above which the interval allows for the rounding. Below it rounding
// makes the standard error larger by at most one part in a hundred.
const coarseShare = 0.25

// interval sets the interval of a tested row: for all that rounding allows where
// a mean is printed coarsely beside its standard error.
func (r *CompareRow) interval(above, below stats.Rounded) {
	r.Interval = knownRange(r.estimate.Low, r.estimate.High)
	if !coarse(above) && !coarse(below) {
		return
	}
	if iv, err := stats.RoundedRatioInterval(above, below, Level); err == nil {
		r.Interval, r.widened = knownRange(math.Min(iv.Low, r.estimate.Low), math.Max(iv.High, r.estimate.High)), true
	}
}

// coarse reports whether the last place of a mean outweighs its standard error.
func coarse(f stats.Rounded) bool {
	s, _ := f.WithFloor()
	return f.MeanHalf > coarseShare*s.SE
}

// equality tests the ratio for lying within the margin.
func (r *CompareRow) equality(above, below stats.Rounded, low, high float64) {
	a, _ := above.WithFloor()
	b, _ := below.WithFloor()
	nominal, err := stats.Equivalence(a, b, low, high, Alpha)
	if err != nil {
		return
	}
	r.Equality = known(nominal.P)
	if nominal.P > Alpha {
		return // rounding only adds to the largest p value
	}
	bounds, err := stats.RoundedEquivalence(above, below, low, high)
	if err != nil {
		r.Equality = Quantity{}
		return
	}
	r.EqualityRange = knownRange(math.Min(bounds.Min, nominal.P), math.Max(bounds.Max, nominal.P))
}

// tested reports whether the row has a p value.
func (r *CompareRow) tested() bool { return r.P.Known }

// adjust adjusts the p values of all tested rows as one family, and those of
// equality as another.
func (c *Comparison) adjust() error {
	n := len(c.Rows)
	nominal, low, high := make([]float64, n), make([]float64, n), make([]float64, n)
	equal, equalHigh := make([]float64, n), make([]float64, n)
	for i := range c.Rows {
		r := &c.Rows[i]
		nominal[i], low[i], high[i] = orNaN(r.P), orNaN(r.PRange.Low), orNaN(r.PRange.High)
		equal[i], equalHigh[i] = orNaN(r.Equality), orNaN(r.EqualityRange.High)
		if r.Equality.Known && !r.EqualityRange.High.Known {
			equalHigh[i] = 1
		}
		if r.tested() {
			c.Family++
		}
	}
	for _, p := range []*[]float64{&nominal, &low, &high, &equal, &equalHigh} {
		var err error
		if *p, err = c.adjusted(*p); err != nil {
			return err
		}
	}
	for i := range c.Rows {
		r := &c.Rows[i]
		r.PAdjusted = known(nominal[i])
		r.EqualityAdjusted = known(equal[i])
		r.pair.low, r.pair.high, r.pair.equal = low[i], high[i], equalHigh[i]
	}
	return nil
}

// adjusted returns p values adjusted as was asked for.
func (c *Comparison) adjusted(p []float64) ([]float64, error) {
	switch c.Options.Adjust {
	case Holm:
		return stats.Holm(p)
	case BH:
		return stats.BenjaminiHochberg(p)
	}
	return p, nil
}

func orNaN(q Quantity) float64 {
	if !q.Known {
		return math.NaN()
	}
	return q.X
}

// FamilyName says which p values were adjusted together, and how.
func (c *Comparison) FamilyName() string {
	switch {
	case c.Family == 0:
		return "nothing could be tested"
	case c.Options.Adjust == NoAdjustment:
		return fmt.Sprintf("p values of the %s are not adjusted", rowsText(c.Family))
	case c.Options.Adjust == BH:
		return fmt.Sprintf("p values adjusted by Benjamini–Hochberg over the %s", rowsText(c.Family))
	}
	return fmt.Sprintf("p values adjusted by Holm over the %s", rowsText(c.Family))
}

func rowsText(n int) string {
	return phrase.Count(n, "testable row")
}
