package analyze

import (
	"fmt"
	"math"
	"strings"

	"github.com/benchproof/benchproof/analyze/stats"
)

// ClaimCount counts claims by what became of them.
type ClaimCount struct {
	Testable     int // held, failed or open
	Hold         int
	Failed       int // not reproduced
	Open         int // undecided
	Incomparable int
	Unreplayable int
	// Certain is how many of the failed ones stand among all testable claims
	// (Holm): without any true failure one such set in twenty has one.
	Certain int
	// Values and Pairs are the testable ones of each kind.
	Values, Pairs int
}

// OrderAgreement says how far the replay puts systems in the published order.
type OrderAgreement struct {
	// Tests and Pairs are those whose published difference stands.
	Tests, Pairs int
	// TauB is Kendall's over the pairs within each test: 1 if all are in the
	// published order, -1 if all are reversed.
	TauB Quantity
	// Interval holds it at 95 % by resampling tests; unknown for fewer than
	// ten of them.
	Interval Range
	// Seed and Resamples are those of the interval.
	Seed      uint64
	Resamples int
	Reason    string
}

// ValueAgreement says how far replayed values lie from published ones, over
// those that are comparable.
type ValueAgreement struct {
	N int
	// Median and P90 are the middle and the 90 % quantile of the factor
	// between the two of a value, 1 or above; Bias the geometric mean of
	// replayed over published, above 1 better.
	Median, P90, Bias Quantity
	// Within is how many lie within the margin; Share holds the share of
	// such values at 95 % (Clopper and Pearson 1934).
	Within int
	Share  Range
}

// agreement sets what is said over all tests.
func (v *Verification) agreement() {
	v.Order.Seed = v.Options.Seed
	type counts struct{ s, x, y float64 }
	var tests []counts
	at := map[*Test]int{}
	var here, ones []float64
	for i := range v.Rows {
		r := &v.Rows[i]
		switch {
		case r.Claim == PairClaim && r.Verdict.Testable() && r.Ratio.Known:
			k, ok := at[r.Test]
			if !ok {
				k = len(tests)
				at[r.Test] = k
				tests = append(tests, counts{})
			}
			tests[k].x++
			v.Order.Pairs++
			switch {
			case r.here > 1:
				tests[k].s++
				tests[k].y++
			case r.here < 1:
				tests[k].s--
				tests[k].y++
			}
		case r.Claim == ValueClaim && r.Verdict.Testable() && r.Ratio.Known:
			here, ones = append(here, r.Ratio.X), append(ones, 1)
		}
	}
	v.Order.Tests = len(tests)
	tau := func(list []float64) float64 {
		var sum counts
		for _, i := range list {
			c := tests[int(i)]
			sum.s, sum.x, sum.y = sum.s+c.s, sum.x+c.x, sum.y+c.y
		}
		if sum.x == 0 || sum.y == 0 {
			return 0
		}
		return sum.s / math.Sqrt(sum.x*sum.y)
	}
	all := make([]float64, len(tests))
	for i := range all {
		all[i] = float64(i)
	}
	untied := 0.0
	for _, c := range tests {
		untied += c.y
	}
	switch {
	case v.Order.Pairs == 0:
		v.Order.Reason = "there is no pair whose published difference stands"
	case untied == 0:
		v.Order.Reason = "all pairs are equal here: there is no order to hold against the published one"
	default:
		v.Order.TauB = known(tau(all))
		v.Order.interval(all, tau)
	}
	low, high, _ := stats.Margin(v.Options.Margin)
	if a, err := stats.Agreement(ones, here, low, high, Level); err == nil {
		v.Values = ValueAgreement{
			N: a.N, Median: known(a.Median), P90: known(a.P90), Bias: known(a.Bias),
			Within: a.Within, Share: knownRange(a.Share.Low, a.Share.High),
		}
	}
}

// interval resamples tests, whose pairs stay together.
func (o *OrderAgreement) interval(all []float64, tau func([]float64) float64) {
	b, err := stats.Bootstrap([][]float64{all}, func(s [][]float64) float64 { return tau(s[0]) }, Level, stats.Resampling{Seed: o.Seed})
	if err != nil {
		o.Reason = "no interval: " + inWords(err)
		return
	}
	o.Interval, o.Resamples = knownRange(b.Percentile.Low, b.Percentile.High), b.Resamples
}

// sumUp counts the claims and sets the verdict of the set.
func (v *Verification) sumUp() {
	var p []float64
	c := &v.Claims
	for i := range v.Rows {
		r := &v.Rows[i]
		switch {
		case r.Verdict == NotReplayable:
			c.Unreplayable++
			continue
		case r.Verdict == NotComparable:
			c.Incomparable++
			continue
		case r.Verdict == NotReproduced:
			c.Failed++
		case r.Verdict == NotDecided:
			c.Open++
		default:
			c.Hold++
		}
		c.Testable++
		if r.Claim == ValueClaim {
			c.Values++
		} else {
			c.Pairs++
		}
		p = append(p, failureP(r))
	}
	if adjusted, err := stats.Holm(p); err == nil {
		for _, x := range adjusted {
			if x <= Alpha {
				c.Certain++
			}
		}
	}
	v.verdict()
	v.Rows = append(v.Rows, VerifyRow{Claim: SetClaim, Verdict: v.Verdict, Reason: v.Reason})
}

// failureP is the p value of a claim's failure: 1 where nothing speaks for one.
func failureP(r *VerifyRow) float64 {
	if r.Verdict != NotReproduced {
		return 1
	}
	if !r.POutside.Known {
		return 1
	}
	return r.POutside.X
}

func (v *Verification) verdict() {
	c := &v.Claims
	var parts []string
	switch {
	case c.Testable == 0 && c.Incomparable == 0:
		v.Verdict = NotReplayable
		v.Reason = "there is no replayed figure of a published one"
		v.Sentence = "Nothing of the published result was replayed here."
		return
	case c.Testable == 0:
		v.Verdict = NotComparable
		v.Reason = fmt.Sprintf("none of the %s is testable", countText(c.Incomparable+c.Unreplayable, "claim"))
		v.Sentence = "What was replayed here says nothing for or against the published numbers."
		return
	case c.Certain > 0:
		v.Verdict = NotReproduced
	case c.Hold == c.Testable:
		v.Verdict = Reproduced
		for i := range v.Rows {
			if v.Rows[i].Verdict == OrderReproduced {
				v.Verdict = OrderReproduced
			}
		}
	default:
		v.Verdict = NotDecided
	}
	holds := "hold"
	if c.Testable == 1 {
		holds = "holds"
	}
	parts = append(parts, fmt.Sprintf("%d of %s %s", c.Hold, countText(c.Testable, "testable claim"), holds))
	if c.Failed > 0 {
		text := fmt.Sprintf("%d not reproduced", c.Failed)
		if c.Certain < c.Failed {
			text += fmt.Sprintf(", %d of them beyond what so many tests give by chance", c.Certain)
		}
		parts = append(parts, text)
	}
	if c.Open > 0 {
		parts = append(parts, fmt.Sprintf("%d undecided", c.Open))
	}
	if n := c.Incomparable + c.Unreplayable; n > 0 {
		parts = append(parts, fmt.Sprintf("%d not testable", n))
	}
	if v.Order.TauB.Known {
		text := fmt.Sprintf("order: tau-b %.2f over %s of %s", v.Order.TauB.X, countText(v.Order.Pairs, "pair"), countText(v.Order.Tests, "test"))
		if v.Order.Interval.Low.Known {
			text += fmt.Sprintf(" (95 %%: %.2f to %.2f)", v.Order.Interval.Low.X, v.Order.Interval.High.X)
		}
		parts = append(parts, text)
	}
	v.Reason = strings.Join(parts, "; ")
	v.Sentence = v.sentence()
}

// sentence says the outcome so that it can be printed as it stands.
func (v *Verification) sentence() string {
	c := &v.Claims
	what := "published numbers and differences"
	where := "in a replay"
	switch {
	case c.Pairs == 0:
		what = "published numbers"
	case c.Values == 0:
		what = "published differences"
		where = "in a replay on other hardware"
	}
	same := true
	for _, m := range v.Systems {
		same = same && m.SameMachine
	}
	switch {
	case same && c.Values > 0:
		where = "in a replay on the same machine"
	case same:
		where = "in a replay"
	}
	if c.Testable == 1 {
		one := "The one published number"
		if c.Values == 0 {
			one = "The one published difference"
		}
		how := "held up"
		switch {
		case c.Open > 0:
			how = "stayed undecided"
		case c.Failed > 0:
			how = "did not hold up"
		}
		return fmt.Sprintf("%s that could be tested %s %s.", one, where, how)
	}
	text := fmt.Sprintf("Of %d %s that could be tested %s, %d held up", c.Testable, what, where, c.Hold)
	switch {
	case c.Failed == 0 && c.Open == 0:
		return text + "."
	case c.Open == 0:
		return text + fmt.Sprintf(" and %d did not.", c.Failed)
	case c.Failed == 0:
		return text + fmt.Sprintf("; %d stayed undecided.", c.Open)
	}
	return text + fmt.Sprintf(", %d did not, and %d stayed undecided.", c.Failed, c.Open)
}
