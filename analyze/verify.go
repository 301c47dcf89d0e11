package analyze

import (
	"github.com/benchproof/benchproof/analyze/stats"
	"github.com/benchproof/benchproof/result"
)

// defaultVerifyMargin is the smallest margin within which a replayed figure
// reproduces a published one: 10 %, what disks vary by from one make to the
// next boot.
const defaultVerifyMargin = 0.10

// VerifyOptions say how to hold a replay against what was published. The zero
// value finds out by itself what can be compared.
type VerifyOptions struct {
	// SameMachine says that the replay ran on the published machine in its
	// published state, whatever the hardware strings say.
	SameMachine bool
	// Margin is the fraction within which figures count as reproduced; 0.10
	// if 0. A row's own margin is larger where twice the published error, or
	// twice what the printed digits leave open, is.
	Margin float64
	// Map names the published system, by identifier, that a replayed one
	// stands for. Systems not in it go by their own identifier.
	Map map[string]string
	// Seed of the resampling behind the interval of tau-b.
	Seed uint64
}

// Claim is the kind of what a row of a verification is about.
type Claim string

// The kinds of claims.
const (
	ValueClaim Claim = "value" // a published value
	PairClaim  Claim = "pair"  // that one published system is better than another, and by what ratio
	SetClaim   Claim = "set"   // all testable claims
)

// Outcome is what a replay says of a published claim.
type Outcome string

// The outcomes.
const (
	Reproduced      Outcome = "reproduced"       // shown to be within the margin
	SmallDifference Outcome = "small-difference" // within the margin, and shown to differ
	OrderReproduced Outcome = "order-reproduced" // the same system is better; the ratio is not shown to be the same
	NotReproduced   Outcome = "not-reproduced"   // shown to be outside of the margin, or the other way round
	NotDecided      Outcome = "undecided"        // the figures leave it open
	NotComparable   Outcome = "not-comparable"   // the two figures are not of one thing
	NotReplayable   Outcome = "not-replayable"   // there is no replayed figure
)

// Testable reports whether the outcome is one of a test, decided or not.
func (o Outcome) Testable() bool { return o.holds() || o == NotReproduced || o == NotDecided }

// holds reports whether the published claim holds.
func (o Outcome) holds() bool {
	return o == Reproduced || o == SmallDifference || o == OrderReproduced
}

// Verification is a published result held against a replay of it. It is made
// of the two records alone and can be made again anywhere.
type Verification struct {
	Set     *Set // file 0 is the published one, file 1 the replay
	Options VerifyOptions
	Systems []SystemMatch
	Rows    []VerifyRow
	Claims  ClaimCount
	Order   OrderAgreement
	Values  ValueAgreement
	// Verdict is that of the set, with the reason in words; Sentence sums
	// it up in one sentence of plain words.
	Verdict  Outcome
	Reason   string
	Sentence string
	Warnings []string

	suspect map[*result.Measurement]string
}

// SystemMatch is a replayed system and the published one it stands for.
type SystemMatch struct {
	Published, Replayed int // indexes into Set.Systems
	SameMachine         bool
	// Why says what makes the machines the same or not.
	Why string
}

// VerifyRow is one claim and what the replay says of it.
type VerifyRow struct {
	Claim Claim
	Test  *Test
	// System and, of a pair, SystemB are published identifiers; of a pair
	// System is the one that is better as published. Where a replayed system
	// is called otherwise its name stands behind.
	System, SystemB string
	// Published and Replayed are the two values as printed, or of a pair the
	// two ratios of System to SystemB, above 1 where System is better.
	Published, Replayed string
	// Ratio is replayed over published, of a value normalised so that above
	// 1 the replay is better. Interval holds it at 90 %: the claim is
	// reproduced if it lies within the margin.
	Ratio    Quantity
	Interval Range
	// MarginLow and MarginHigh are the row's own margin.
	MarginLow, MarginHigh Quantity
	// PEqual is the p value of the two one-sided tests for a ratio within
	// the margin, POutside that for one outside, or of a pair for the other
	// direction.
	PEqual, POutside Quantity
	// Prediction holds the mean of so many new runs as the replay has, at
	// 95 %, in the unit of the test, by the published runs alone.
	Prediction Range

	Verdict Outcome
	// RunsNeeded is how many runs here would decide an undecided row, if
	// spread and ratio are as measured; 0 if unknown or if none would.
	RunsNeeded int
	Reason     string

	fidelity result.Fidelity
	scaled   string
	here     float64 // of a pair the replayed ratio
}

// Verify holds a replay against the published result.
//
// A value is tested where the replay ran the published tool unscaled on the
// same machine: by two one-sided tests on the logarithm (Schuirmann 1987) with
// a margin of the largest of VerifyOptions.Margin, twice the published relative
// standard error, and twice what the printed digits leave open; where a mean is
// printed coarsely beside its standard error the tests must hold for all that
// rounding allows; and a mean that lies outside must
// also leave the prediction interval of the published runs (Hahn and Meeker
// 1991) to count as not reproduced.
//
// On any machine it is tested whether the published order of two systems and
// its ratio hold, for those pairs whose published difference stands at 5 %
// among all published pairs (Holm 1979). Figures that are known to measure
// something else than they say are not compared; see [Integrity].
//
// It returns an error for a margin that is none and a *NameError for a system
// of Map that is not there.
func Verify(published, replayed *result.File, o VerifyOptions) (*Verification, error) {
	if o.Margin == 0 {
		o.Margin = defaultVerifyMargin
	}
	if _, _, err := stats.Margin(o.Margin); err != nil {
		return nil, err
	}
	v := &Verification{
		Set: NewSet([]*result.File{published, replayed}), Options: o,
		suspect: suspects(published),
	}
	v.Warnings = append(v.Warnings, v.Set.Warnings...)
	if err := v.match(); err != nil {
		return nil, err
	}
	for i := range v.Set.Tests {
		t := &v.Set.Tests[i]
		if !v.publishedTest(t) {
			if len(t.Cells) > 0 {
				v.Warnings = append(v.Warnings, "the replay has a test that was not published: "+quotedTest(t))
			}
			continue
		}
		for _, m := range v.Systems {
			if t.Cell(m.Published) != nil || t.Cell(m.Replayed) != nil {
				v.Rows = append(v.Rows, v.value(t, m))
			}
		}
	}
	v.pairs()
	v.agreement()
	v.sumUp()
	return v, nil
}

// publishedTest reports whether the published file has the test.
func (v *Verification) publishedTest(t *Test) bool {
	for i := range t.Cells {
		if v.Set.Systems[t.Cells[i].System].File == 0 {
			return true
		}
	}
	return false
}
