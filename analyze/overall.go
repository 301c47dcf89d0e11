package analyze

import (
	"fmt"
	"math"
	"strings"

	"github.com/benchproof/benchproof/analyze/stats"
	"github.com/benchproof/benchproof/internal/phrase"
)

// Overall is one system over all tests that it shares with its baseline.
type Overall struct {
	BaselineName, SystemName string
	// Ratios is the number of ratios, Tested how many of them have an
	// uncertainty.
	Ratios, Tested int
	// GeoMean is the geometric mean of the ratios, above 1 better.
	GeoMean Quantity
	// OverTests takes the tests for a sample of all one could have run,
	// TheseTests for all there are: then only the noise of the runs counts,
	// and it is known only if all ratios were tested. Both hold the
	// geometric mean at 95 %.
	OverTests, TheseTests Mean
	// Profiles is the number of test profiles, ByProfile the geometric mean
	// with one ratio a profile, the median of its rows.
	Profiles  int
	ByProfile Quantity
	// OverProfiles is OverTests with one ratio a profile.
	OverProfiles Mean
	// PAdjusted is the p value of OverTests among all overall rows, which
	// are a family of their own; unknown where no ratio was tested.
	PAdjusted Quantity
	// Wins and Losses count decided rows, Even the tested rest: equivalent,
	// trivial and undecided.
	Wins, Losses, Even int
	// SignP tests wins against losses, two-sided and exact.
	SignP Quantity
	// LeftOut are the tests without a ratio, at most maxLeftOut of them;
	// LeftOutCount counts all.
	LeftOut      []LeftOut
	LeftOutCount int

	Verdict Verdict
	// Reason says over what the mean is and how it is bounded. Why is the
	// part of it that says what stands in the way of a verdict; "" with one.
	Reason, Why string

	parts []stats.RatioEstimate
	all   []float64
	group []int
}

// Mean is an interval of a geometric mean with the p value of its test
// against 1.
type Mean struct {
	Range
	P Quantity `json:"p_value"`
}

// LeftOut is a test that is in no mean.
type LeftOut struct {
	Test   string `json:"test"`
	Reason string `json:"reason"`
}

// maxLeftOut bounds the list of tests that were left out.
const maxLeftOut = 1000

// sumUp makes the overall rows, one for each pair of system and baseline in the
// order of the rows.
func (c *Comparison) sumUp() {
	type pair struct{ base, system string }
	index := map[pair]int{}
	profiles := map[profile]int{}
	for i := range c.Rows {
		r := &c.Rows[i]
		k := pair{r.BaselineName, r.SystemName}
		at, ok := index[k]
		if !ok {
			at = len(c.Overall)
			index[k] = at
			c.Overall = append(c.Overall, Overall{BaselineName: k.base, SystemName: k.system})
		}
		o := &c.Overall[at]
		if !r.Ratio.Known {
			o.leaveOut(r.Test, r.Reason)
			continue
		}
		p := r.Test.profile()
		if _, ok := profiles[p]; !ok {
			profiles[p] = len(profiles)
		}
		o.all = append(o.all, r.Ratio.X)
		o.group = append(o.group, profiles[p])
		if r.tested() {
			o.parts = append(o.parts, r.estimate)
		}
		switch r.Verdict {
		case Better:
			o.Wins++
		case Worse:
			o.Losses++
		case Untestable:
		default:
			o.Even++
		}
	}
	c.missing()
	for i := range c.Overall {
		c.Overall[i].finish()
	}
	c.judge()
}

func (o *Overall) leaveOut(t *Test, reason string) {
	o.LeftOutCount++
	if len(o.LeftOut) < maxLeftOut {
		o.LeftOut = append(o.LeftOut, LeftOut{t.Name() + scaleText(t), reason})
	}
}

func scaleText(t *Test) string {
	if t.Scale == "" {
		return ""
	}
	return " (" + t.Scale + ")"
}

// missing adds the tests that a baseline has and the system has not: they have
// no row.
func (c *Comparison) missing() {
	type pair struct{ base, system int }
	pairs := map[pair]int{} // index into Overall
	both := map[pair]int{}  // rows with a cell on both sides
	bases := map[int]int{}  // tests of a baseline
	at := map[[2]string]int{}
	for i := range c.Overall {
		at[[2]string{c.Overall[i].BaselineName, c.Overall[i].SystemName}] = i
	}
	var order []pair
	for i := range c.Rows {
		r := &c.Rows[i]
		p := pair{r.pair.base, r.pair.system}
		if p.base == p.system {
			continue // two tests of one system
		}
		if _, ok := pairs[p]; !ok {
			pairs[p] = at[[2]string{r.BaselineName, r.SystemName}]
			bases[p.base] = 0
			order = append(order, p)
		}
		if r.Baseline != nil && r.Cell != nil {
			both[p]++
		}
	}
	for i := range c.Set.Tests {
		for _, cell := range c.Set.Tests[i].Cells {
			if n, ok := bases[cell.System]; ok {
				bases[cell.System] = n + 1
			}
		}
	}
	// Naming them looks at every test once a pair, which a set of very many
	// of both cannot afford; nor the memory for all names.
	const most, mostNames = 20_000_000, 100_000
	name, named := len(order) <= most/max(1, len(c.Set.Tests)), 0
	for _, p := range order {
		o := &c.Overall[pairs[p]]
		lost := bases[p.base] - both[p]
		o.LeftOutCount += lost
		for j := 0; name && named < mostNames && lost > 0 && j < len(c.Set.Tests) && len(o.LeftOut) < maxLeftOut; j++ {
			if t := &c.Set.Tests[j]; t.Cell(p.base) != nil && t.Cell(p.system) == nil {
				o.LeftOut = append(o.LeftOut, LeftOut{t.Name() + scaleText(t), o.SystemName + ": no value"})
				lost--
				named++
			}
		}
	}
}

// finish works out the means.
func (o *Overall) finish() {
	o.Ratios, o.Tested = len(o.all), len(o.parts)
	o.Verdict = Untestable
	g, err := stats.GeometricMean(o.all)
	if err != nil {
		o.Reason = "no ratio"
		return
	}
	o.GeoMean = known(g)
	o.OverTests = sampleMean(o.all)
	if collapsed, err := stats.CollapseRatios(o.all, o.group); err == nil {
		o.Profiles = len(collapsed)
		if g, err := stats.GeometricMean(collapsed); err == nil {
			o.ByProfile = known(g)
		}
		o.OverProfiles = sampleMean(collapsed)
	}
	if o.Tested == o.Ratios {
		if e, err := stats.GeoMeanOfFixed(o.parts, Level); err == nil {
			o.TheseTests = newMean(e)
		}
	}
	if s, err := stats.SignTest(o.Wins, o.Wins+o.Losses, Level); err == nil {
		o.SignP = known(s.P)
	}
}

func sampleMean(ratios []float64) Mean {
	e, err := stats.GeoMeanOfSample(ratios, Level)
	if err != nil {
		return Mean{}
	}
	return newMean(e)
}

func newMean(e stats.GeoMeanEstimate) Mean { return Mean{knownRange(e.Low, e.High), known(e.P)} }

// judge gives the overall verdicts: better or worse only if the mean over tests
// and the one over profiles agree, each tested as a sample and adjusted for the
// number of overall rows.
func (c *Comparison) judge() {
	n := len(c.Overall)
	tests, profiles := make([]float64, n), make([]float64, n)
	for i := range c.Overall {
		o := &c.Overall[i]
		tests[i], profiles[i] = math.NaN(), math.NaN()
		if o.Tested > 0 {
			tests[i], profiles[i] = orNaN(o.OverTests.P), orNaN(o.OverProfiles.P)
		}
	}
	// The p values are in [0, 1] or NaN, which is all that can be wrong.
	tests, _ = c.adjusted(tests)
	profiles, _ = c.adjusted(profiles)
	for i := range c.Overall {
		c.Overall[i].judge(known(tests[i]), known(profiles[i]))
	}
}

func (o *Overall) judge(tests, profiles Quantity) {
	if o.Ratios == 0 {
		return
	}
	o.PAdjusted = tests
	significant := tests.Known && profiles.Known && tests.X <= Alpha && profiles.X <= Alpha
	switch {
	case o.Tested == 0:
		o.Why = "no uncertainty known"
	case !tests.Known || !profiles.Known:
		o.Why = "too few tests or profiles that differ for an interval over tests"
	case significant && o.GeoMean.X > 1 && o.ByProfile.X > 1:
		o.Verdict = Better
	case significant && o.GeoMean.X < 1 && o.ByProfile.X < 1:
		o.Verdict = Worse
	default:
		o.Verdict = Undecided
		o.Why = o.undecided(tests, profiles)
	}
	parts := []string{fmt.Sprintf("geometric mean of %d of %s", o.Ratios, phrase.Count(o.Ratios+o.LeftOutCount, "test"))}
	if o.Why != "" {
		parts = append(parts, o.Why)
	}
	if o.Verdict != Untestable {
		parts = append(parts, "interval: the tests as a sample of all possible ones")
	}
	o.Reason = strings.Join(parts, "; ")
}

// undecided says what leaves a mean undecided, given its adjusted p values.
func (o *Overall) undecided(tests, profiles Quantity) string {
	switch {
	case o.OverTests.P.X > Alpha:
		return "the mean is not shown to differ from 1"
	case tests.X > Alpha:
		return fmt.Sprintf("p is %s for this mean alone and %s among all means", pText(o.OverTests.P.X), pText(tests.X))
	case o.OverProfiles.P.X > Alpha:
		return "over profiles the mean is not shown to differ from 1"
	case profiles.X > Alpha:
		return fmt.Sprintf("over profiles p is %s for this mean alone and %s among all means", pText(o.OverProfiles.P.X), pText(profiles.X))
	}
	return "the means over tests and over profiles point to different sides"
}

// warn adds what the comparison as a whole has to say: that nothing could be
// compared, that no uncertainty is known, that means are over different tests.
func (c *Comparison) warn() {
	ratios, tested := 0, 0
	for i := range c.Rows {
		if c.Rows[i].Ratio.Known {
			ratios++
		}
		if c.Rows[i].tested() {
			tested++
		}
	}
	add := func(text string) { c.Warnings = append(c.Warnings, text) }
	switch {
	case len(c.Set.Systems) < 2 && c.Options.By == "":
		add(fmt.Sprintf("a comparison needs two systems; there is %s", countText(len(c.Set.Systems), "system")))
	case len(c.Set.Tests) == 0:
		add("there is no test")
	case len(c.Rows) == 0 || c.noneShared():
		add("no test has a value on both sides: nothing can be compared")
	case ratios == 0:
		add("no row has a ratio: see the reasons")
	case tested == 0:
		add("no uncertainty known: ratios only, and nothing is claimed")
	}
	if len(c.Set.Tests) > 0 {
		for _, i := range c.Set.empty() {
			add(c.Set.Systems[i].Name + " has no value in any test")
		}
	}
	for i := 1; i < len(c.Overall); i++ {
		if c.Overall[i].Ratios != c.Overall[0].Ratios {
			add("the geometric means are over different numbers of tests: they compare with the baseline, not with each other")
			break
		}
	}
}

func (c *Comparison) noneShared() bool {
	for i := range c.Rows {
		if c.Rows[i].Baseline != nil && c.Rows[i].Cell != nil {
			return false
		}
	}
	return true
}

// Comparable reports whether any row has a ratio.
func (c *Comparison) Comparable() bool {
	for i := range c.Rows {
		if c.Rows[i].Ratio.Known {
			return true
		}
	}
	return false
}

func countText(n int, what string) string {
	if n == 0 {
		return "no " + what
	}
	return phrase.Count(n, what)
}
