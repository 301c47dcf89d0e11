package analyze

import (
	"errors"
	"fmt"

	"github.com/benchproof/benchproof/analyze/stats"
	"github.com/benchproof/benchproof/internal/phrase"
)

// oneRun is why a side of a single run has no standard error.
const oneRun = "one run"

// lacksRuns reports whether more runs are all that a row lacks for a test.
func (r *CompareRow) lacksRuns() bool {
	if !r.Ratio.Known || !r.Baseline.usable() || !r.Cell.usable() {
		return false
	}
	base, cell := r.Baseline.NoSE, r.Cell.NoSE
	return (base == oneRun || cell == oneRun) && (base == oneRun || base == "") && (cell == oneRun || cell == "")
}

// nameLeastRuns adds to the reasons of rows with a side of one run how many
// runs a test takes. With them these rows would be in the family too, so that
// the adjustment counts them.
func (c *Comparison) nameLeastRuns() {
	var rows []*CompareRow
	for i := range c.Rows {
		if r := &c.Rows[i]; r.lacksRuns() {
			rows = append(rows, r)
		}
	}
	if len(rows) == 0 {
		return
	}
	text := leastRuns(c.Options.Adjust, c.Family+len(rows))
	for _, r := range rows {
		r.Reason += "; " + text
	}
}

// leastRuns says how many runs a side Welch's t test takes, which verdicts rest
// on, and how many an exact Mann–Whitney test, alone and adjusted in a family.
func leastRuns(adjust Adjust, family int) string {
	alone := mannWhitneyLeast(Alpha)
	text := fmt.Sprintf("a verdict (Welch's t test) needs at least %s a side, an exact Mann–Whitney test at %v at least %d",
		phrase.Count(welchLeast(), "run"), Alpha, alone)
	// The smallest p value of a family must be this small if it is the only
	// small one. By Holm it must be so in any case; by Benjamini and Hochberg
	// equally small ones help each other.
	adjusted := mannWhitneyLeast(Alpha / float64(family))
	switch {
	case family < 2 || adjusted == alone:
	case adjust == Holm:
		text += fmt.Sprintf(", adjusted by Holm over %s %d", phrase.Count(family, "row"), adjusted)
	case adjust == BH:
		text += fmt.Sprintf(", adjusted by Benjamini–Hochberg over %s %d to %d", phrase.Count(family, "row"), alone, adjusted)
	}
	return text
}

// welchLeast returns the fewest runs a side for which Welch's t test on the log
// ratio has an answer. It can have any p value then, however small: that depends
// on the spread.
func welchLeast() int {
	for n := 1; ; n++ {
		s := stats.Summary{Mean: 1, SE: 0.1, N: n}
		if _, err := stats.Ratio(s, s, Level); !errors.Is(err, stats.ErrTooFew) {
			return n
		}
	}
}

// mannWhitneyLeast returns the fewest runs n on either side with which the exact
// Mann–Whitney test can reach a two-sided p of alpha, which is positive: those
// with 2/C(2n, n) at most alpha, where all runs of one side are above all of the
// other and none are equal (Mann and Whitney 1947).
func mannWhitneyLeast(alpha float64) int {
	n := 1
	for stats.MannWhitneySmallestP(n, n) > alpha {
		n++
	}
	return n
}
