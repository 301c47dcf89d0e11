package analyze

import (
	"fmt"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/result"
)

// TestMannWhitneyLeast: by hand from 2/C(2n, n), where R's choose(2n, n) is 2, 6,
// 20, 70, 252, 924, 3432 for n from 1 to 7.
func TestMannWhitneyLeast(t *testing.T) {
	for _, tt := range []struct {
		alpha float64
		want  int
	}{
		{1, 1},        // 2/2
		{0.34, 2},     // 2/6 = 0.333
		{0.1, 3},      // 2/20 is 0.1 itself
		{0.0999, 4},   // just below it
		{0.05, 4},     // 2/70 = 0.0286
		{0.05 / 2, 5}, // below 0.0286; 2/252 = 0.0079
		{0.01, 5},
		{0.05 / 10, 6}, // 2/924 = 0.0022
		{0.001, 7},     // 2/3432 = 0.00058
	} {
		if got := mannWhitneyLeast(tt.alpha); got != tt.want {
			t.Errorf("at %v: %d, want %d", tt.alpha, got, tt.want)
		}
	}
	// A t test has one degree of freedom or more from two runs a side on.
	if got := welchLeast(); got != 2 {
		t.Errorf("Welch: %d, want 2", got)
	}
}

// TestLeastRuns: rows of one run say how many a test takes, counted into the
// family that they would be in; what more runs would not mend does not.
func TestLeastRuns(t *testing.T) {
	const alone = "a verdict (Welch's t test) needs at least 2 runs a side, an exact Mann–Whitney test at 0.05 at least 4"
	single := func(n int) []result.Test {
		var list []result.Test
		for i := range n {
			list = append(list, row(fmt.Sprint("T", i), result.LIB, "143.62 N=1", "130.26 N=1"))
		}
		return list
	}
	for _, tt := range []struct {
		name   string
		adjust Adjust
		tests  []result.Test
		want   string // of the first row
	}{
		{"one row", Holm, single(1), "no uncertainty known: one run each; " + alone},
		{"two rows", Holm, single(2), "no uncertainty known: one run each; " + alone + ", adjusted by Holm over 2 rows 5"},
		{
			"nine rows and a tested one", Holm, append(single(9), row("tested", result.HIB, "10 ±0.1 N=3", "12 ±0.1 N=3")),
			"no uncertainty known: one run each; " + alone + ", adjusted by Holm over 10 rows 6",
		},
		{"by Benjamini and Hochberg", BH, single(10), "no uncertainty known: one run each; " + alone + ", adjusted by Benjamini–Hochberg over 10 rows 4 to 6"},
		{"not adjusted", NoAdjustment, single(10), "no uncertainty known: one run each; " + alone},
		{"one side", Holm, []result.Test{row("T", result.HIB, "10 ±1 N=3", "20 N=1")}, "no uncertainty known: B: one run; " + alone},
		{"the other side has no error", Holm, []result.Test{row("T", result.HIB, "10", "20 N=1")}, "no uncertainty known: A: no standard error; B: one run"},
		{"direction unknown", Holm, []result.Test{row("T", result.ProportionUnknown, "10 N=1", "20 N=1")}, "it is not known whether more or less is better"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := compare(t, CompareOptions{Adjust: tt.adjust}, file("A,B", tt.tests...))
			for i := range c.Rows {
				if r := &c.Rows[i]; strings.Contains(r.Reason, "needs at least") == r.tested() && i > 0 {
					t.Errorf("row %d: %q", i, r.Reason)
				}
			}
			if r := &c.Rows[0]; r.Reason != tt.want || r.Verdict != Untestable || r.RunsNeeded != 0 {
				t.Errorf("%s, %q\nwant %q", r.Verdict, r.Reason, tt.want)
			}
		})
	}
}
