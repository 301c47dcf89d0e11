package analyze

import (
	"errors"
	"fmt"
	"math"

	"github.com/benchproof/benchproof/analyze/stats"
	"github.com/benchproof/benchproof/result"
)

// value holds a replayed value against the published one.
func (v *Verification) value(t *Test, m SystemMatch) VerifyRow {
	published, replayed := t.Cell(m.Published), t.Cell(m.Replayed)
	r := VerifyRow{Claim: ValueClaim, Test: t, System: v.systemName(m), Published: printedValue(published), Replayed: printedValue(replayed)}
	r.fidelity, r.scaled = replayOf(replayed)
	if r.Verdict, r.Reason = v.untestable(published, replayed); r.Verdict != "" {
		return r
	}
	r.Ratio = knownRatio(replayed.Figures.Mean, published.Figures.Mean, t.Proportion == result.LIB)
	r.Verdict = NotComparable
	switch {
	case r.scaled != "":
		r.Reason = "scaled, so no validation: " + r.scaled
		return r
	case r.fidelity != "" && !r.fidelity.Values():
		r.Reason = fmt.Sprintf("%s: its values say nothing of the published tool's, only order and ratios do", r.fidelity)
		return r
	case !m.SameMachine:
		r.Reason = m.Why
		return r
	}
	digits := relativeHalf(published) + relativeHalf(replayed)
	low, high := v.margin(relativeSE(published), digits)
	r.MarginLow, r.MarginHigh = known(low), known(high)
	above, below := replayed.Figures, published.Figures
	if t.Proportion == result.LIB {
		above, below = below, above
	}
	ln, note, err := logRatio(above, below)
	if err != nil {
		r.exactly(low, high, err)
		return r
	}
	if iv, err := stats.Prediction(floored(published.Figures), max(1, replayed.Figures.N), Level); err == nil {
		r.Prediction = knownRange(iv.Low, iv.High)
	}
	slack := roundingSlack(published, replayed)
	r.decide(ln, slack, low, high)
	if r.Verdict == NotReproduced && r.Prediction.Low.Known && within(replayed.Figures.Mean, r.Prediction) {
		r.Verdict = NotDecided
		r.Reason += fmt.Sprintf("; but the published runs scatter so much that a new mean may lie anywhere in %.4g to %.4g", r.Prediction.Low.X, r.Prediction.High.X)
	}
	if r.Verdict == NotDecided {
		r.runsNeeded(published.Figures, replayed.Figures, slack, low, high)
	}
	if note != "" {
		r.Reason += "; " + note
	}
	if r.fidelity == result.NativeOtherVersion {
		r.Reason += "; another version of the tool"
	}
	return r
}

func printedValue(c *Cell) string {
	if c == nil || c.Measurement == nil || c.Problem != "" {
		return ""
	}
	return c.Measurement.Value
}

// replayOf returns how a cell was replayed; nothing where it does not say.
func replayOf(c *Cell) (result.Fidelity, string) {
	if c == nil || c.Measurement == nil || c.Measurement.Replay == nil {
		return "", ""
	}
	return c.Measurement.Replay.Fidelity, c.Measurement.Replay.Scaling
}

// untestable says why two cells cannot be held against each other; "" if they
// can be tried.
func (v *Verification) untestable(published, replayed *Cell) (Outcome, string) {
	switch {
	case replayed == nil:
		return NotReplayable, "there is no replayed value"
	case replayed.Measurement != nil && replayed.Measurement.Censored():
		return NotComparable, "the replayed value is " + replayed.Problem
	case replayed.Problem != "":
		return NotReplayable, "the replay " + problemText(replayed)
	case published == nil:
		return NotComparable, "there is no published value"
	case published.Problem != "":
		return NotComparable, "the published value: " + published.Problem
	case published.Figures.Mean <= 0 || replayed.Figures.Mean <= 0:
		return NotComparable, "a value is zero or below, of which there is no ratio"
	case v.suspect[published.Measurement] != "":
		return NotComparable, "the published value is suspect: " + v.suspect[published.Measurement]
	}
	return "", ""
}

func problemText(c *Cell) string {
	if c.Measurement != nil && c.Measurement.Status == result.StatusFailed {
		return c.Problem
	}
	return "has no number: " + c.Problem
}

// margin returns the margin of a row: the largest of the given one, twice the
// published relative standard error (0 where it is not known) and twice the share
// of the values that their printed digits leave open. It stays below one half.
func (v *Verification) margin(relativeSE, digits float64) (low, high float64) {
	const most = 0.5
	d := math.Min(most, math.Max(v.Options.Margin, 2*math.Max(relativeSE, digits)))
	low, high, err := stats.Margin(d)
	if err != nil {
		return 1 - defaultVerifyMargin, 1 / (1 - defaultVerifyMargin)
	}
	return low, high
}

// relativeSE returns the standard error as a share of the mean, 0 where it is
// not known.
func relativeSE(c *Cell) float64 {
	if !c.Tested() {
		return 0
	}
	return floored(c.Figures).SE / c.Figures.Mean
}

func floored(f stats.Rounded) stats.Summary {
	s, _ := f.WithFloor()
	return s
}

// logRatio returns that of a/b, from the spread of one side alone where that of
// the other is not known; a note says so.
func logRatio(a, b stats.Rounded) (ln stats.LogRatio, note string, err error) {
	x, y := floored(a), floored(b)
	if ln, err = stats.NewLogRatio(x, y); err == nil {
		return ln, "", nil
	}
	if shared, sharedErr := stats.SharedSpreadLogRatio(x, y); sharedErr == nil {
		return shared, "the spread of one side is not known; that of the other stands for both", nil
	}
	return ln, "", err
}

// exactly decides a row whose figures have no spread to test with.
func (r *VerifyRow) exactly(low, high float64, err error) {
	switch {
	case !errors.Is(err, stats.ErrZeroSE):
		r.Verdict, r.Reason = NotDecided, "no uncertainty known of either side: a ratio alone cannot tell noise from difference"
	case r.Ratio.X >= low && r.Ratio.X <= high:
		r.Verdict, r.Reason = Reproduced, "all runs of a side are equal: compared without a test"
	default:
		r.Verdict, r.Reason = NotReproduced, "all runs of a side are equal: compared without a test"
		r.POutside = known(0)
	}
}

// decide sets the verdict on a ratio of replayed to published, which rounding may
// have moved by the slack.
func (r *VerifyRow) decide(ln stats.LogRatio, slack, low, high float64) {
	equal, err := equivalence(ln, slack, low, high)
	if err != nil {
		r.Verdict, r.Reason = NotDecided, inWords(err)
		return
	}
	r.Interval = knownRange(equal.Low, equal.High)
	r.PEqual = known(equal.P)
	outside, err := outsideP(ln, slack, low, high)
	if err == nil {
		r.POutside = known(outside)
	}
	different := nearer(ln, slack).Test().P <= Alpha
	span := fmt.Sprintf("%s to %s of the published", share(equal.Low), share(equal.High))
	limits := fmt.Sprintf("%s to %s", share(low), share(high))
	switch {
	case equal.Equivalent && different:
		r.Verdict, r.Reason = SmallDifference, fmt.Sprintf("%s: a difference, within the margin of %s", span, limits)
	case equal.Equivalent:
		r.Verdict, r.Reason = Reproduced, fmt.Sprintf("%s, within the margin of %s", span, limits)
	case err == nil && outside <= Alpha:
		r.Verdict, r.Reason = NotReproduced, fmt.Sprintf("%s, all of it outside of the margin of %s", span, limits)
	case different:
		r.Verdict, r.Reason = NotDecided, fmt.Sprintf("%s: a difference, and it is open whether it is within the margin of %s", span, limits)
	default:
		r.Verdict, r.Reason = NotDecided, fmt.Sprintf("%s reaches across the margin of %s", span, limits)
	}
}

// share prints a ratio as percent.
func share(ratio float64) string {
	p := ratio * 100
	if p >= 1000 || p < 0.1 {
		return fmt.Sprintf("%.3g %%", p)
	}
	return fmt.Sprintf("%.1f %%", p)
}

func within(x float64, r Range) bool { return r.Low.X <= x && x <= r.High.X }

// mostReplayRuns is where the search for a number of runs ends.
const mostReplayRuns = 1000

// runsNeeded sets how many runs here would decide the row if spread and ratio
// stay as they are.
func (r *VerifyRow) runsNeeded(published, replayed stats.Rounded, slack, low, high float64) {
	p, q := floored(published), floored(replayed)
	if p.N < 2 || q.N < 2 || math.IsNaN(p.SE) || math.IsNaN(q.SE) {
		return
	}
	sd := q.SD()
	for n := q.N + 1; n <= mostReplayRuns; n++ {
		q.N, q.SE = n, sd/math.Sqrt(float64(n))
		a, b := q, p
		if r.Test.Proportion == result.LIB {
			a, b = b, a
		}
		ln, err := stats.NewLogRatio(a, b)
		if err != nil {
			return
		}
		if equal, err := equivalence(ln, slack, low, high); err == nil && equal.Equivalent {
			r.RunsNeeded = n
			return
		}
		if outside, err := outsideP(ln, slack, low, high); err == nil && outside <= Alpha {
			r.RunsNeeded = n
			return
		}
	}
	r.Reason += "; the published error alone leaves it open however often it is run here"
}
