package analyze

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/benchproof/benchproof/result"
)

// TestCompareAgainstR: ratios, intervals, p values and equality of single rows
// are those that R 4.2 gives (pt, qt) for the formulas of the package comment
// of stats. The first four are published figures. Where the last place of a mean
// outweighs its standard error the ends are the outermost of a grid of all that
// prints so (scipy 1.10).
func TestCompareAgainstR(t *testing.T) {
	for _, tt := range []struct {
		name             string
		p                result.Proportion
		base, other      string
		ratio, low, high float64
		pValue, equality float64
		verdict          Verdict
		reason           string
	}{
		{
			"SQLite, SSD against ZFS mirror", result.LIB, "86.08 ±1.03 N=3", "299.63 ±19.40 N=9",
			0.287288, 0.24721, 0.333863, 2.93072e-08, 1, Worse, "more than 3 runs",
		},
		{
			"FS-Mark with 4 threads, XFS against an EXT4 whose error is a third of its mean", result.HIB, "91.29 ±30.78 N=9", "297.17 ±2.96 N=3",
			3.25523, 1.49578, 7.08426, 0.00806876, 0.99495, Better, "Fieller's exact interval: 1.83 to 14.6; a standard error above a tenth of its mean: A 34 %",
		},
		{
			"FS-Mark with 4 threads, both with such an error", result.HIB, "91.29 ±30.78 N=9", "109.08 ±37.09 N=9",
			1.19487, 0.43297, 3.29751, 0.714915, 0.602686, Undecided, "no difference shown",
		},
		{
			"SQLite, F2FS against EXT4", result.LIB, "274.00 ±3.82 N=3", "289.00 ±2.38 N=3",
			0.948097, 0.902395, 0.996113, 0.0410695, 0.54564, Worse, "",
		},
		{
			"rounding leaves it open", result.HIB, "9.31 ±0.01 N=3", "9.36 ±0.01 N=3",
			1.00537, 0.997978, 1.01282, 0.0241119, 3.52421e-06, Equivalent, "the interval allows for the rounding of the means",
		},
		{
			"better by 6 %", result.HIB, "1523 ±11 N=3", "1610 ±12 N=4",
			1.05712, 1.02905, 1.08597, 0.00333851, 0.650484, Better, "",
		},
		{
			"within the margin", result.HIB, "100.0 ±0.3 N=5", "100.5 ±0.3 N=5",
			1.005, 0.99524, 1.01486, 0.27246, 2.15999e-06, Equivalent, "",
		},
		{
			"different and within the margin", result.HIB, "100.0 ±0.1 N=5", "102.0 ±0.1 N=5",
			1.02, 1.01407, 1.02597, 6.10635e-07, 8.13747e-09, Trivial, "within the margin",
		},
		{
			"less is better", result.LIB, "100 ±1 N=5", "120 ±1 N=5",
			0.833333, 0.7891032, 0.8798922, 8.8683e-07, 0.999995, Worse, "",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := compare(t, CompareOptions{}, file("A,B", row("T", tt.p, tt.base, tt.other)))
			r := c.Rows[0]
			if !near(r.Ratio, tt.ratio) || !near(r.Interval.Low, tt.low) || !near(r.Interval.High, tt.high) ||
				!near(r.P, tt.pValue) || !near(r.Equality, tt.equality) {
				t.Errorf("ratio %v in %v, p %v, equality %v", r.Ratio, r.Interval, r.P, r.Equality)
			}
			if r.Verdict != tt.verdict || !strings.Contains(r.Reason, tt.reason) {
				t.Errorf("%s, %q; want %s, %q", r.Verdict, r.Reason, tt.verdict, tt.reason)
			}
		})
	}
}

// TestRoundingUndecided: where the digits behind the printed ones decide, there
// is no verdict, though the printed figures alone are significant. The ends are
// those of a search over the whole box.
func TestRoundingUndecided(t *testing.T) {
	c := compare(t, CompareOptions{Margin: 0.001}, file("A,B", row("T", result.HIB, "9.31 ±0.01 N=3", "9.36 ±0.01 N=3")))
	r := c.Rows[0]
	if r.P.X > Alpha || r.PRange.Low.X > 0.0012 || r.PRange.High.X < 0.131 || r.PRange.High.X > 0.133 {
		t.Errorf("p %v in %v", r.P, r.PRange)
	}
	if r.Verdict != Undecided || !strings.Contains(r.Reason, "rounding leaves p between 0.001 and 0.13") {
		t.Errorf("%s: %s", r.Verdict, r.Reason)
	}
}

// TestFiellerDoubts: where a standard error is a large part of its mean, the
// exact set must agree before a difference is claimed. Here (t·SE/mean)² is
// above 1 for the denominator: (4.17·26/100)² with 2.04 degrees of freedom, so
// that no ratio is excluded upwards.
func TestFiellerDoubts(t *testing.T) {
	c := compare(t, CompareOptions{}, file("A,B", row("T", result.HIB, "100.0 ±26.0 N=3", "1000.0 ±40.0 N=3")))
	r := c.Rows[0]
	if r.PRange.High.X > Alpha || r.Verdict != Undecided || !strings.Contains(r.Reason, "Fieller does not exclude") {
		t.Errorf("p %v, %s: %s", r.PRange, r.Verdict, r.Reason)
	}
}

// TestAdjustment: the family is all testable rows; p values are those of R's
// p.adjust, and a row that is significant alone is not among many.
func TestAdjustment(t *testing.T) {
	tests := []result.Test{
		row("one", result.LIB, "274.00 ±3.82 N=3", "289.00 ±2.38 N=3"),
		row("none", result.LIB, "274.00", "289.00"),
		row("two", result.LIB, "10 ±1 N=5", "10 ±1 N=5"),
		row("three", result.LIB, "10 ±1 N=5", "10 ±1 N=5"),
	}
	for _, tt := range []struct {
		adjust   Adjust
		adjusted float64
		verdict  Verdict
		family   string
	}{
		{Holm, 3 * 0.0410695, Undecided, "p values adjusted by Holm over the 3 testable rows"},
		{BH, 3 * 0.0410695, Undecided, "p values adjusted by Benjamini–Hochberg over the 3 testable rows"},
		{NoAdjustment, 0.0410695, Worse, "p values of the 3 testable rows are not adjusted"},
	} {
		c := compare(t, CompareOptions{Adjust: tt.adjust}, file("A,B", tests...))
		r := c.Rows[0]
		if c.Family != 3 || c.FamilyName() != tt.family || !near(r.PAdjusted, tt.adjusted) || r.Verdict != tt.verdict {
			t.Errorf("%s: %d, %s, adjusted %v, %s", tt.adjust, c.Family, c.FamilyName(), r.PAdjusted, r.Verdict)
		}
		if tt.verdict == Undecided && (!strings.Contains(r.Reason, "alone and 0.12 among 3 testable rows") || r.RunsNeeded < 4) {
			t.Errorf("%s: reason %q, %d runs", tt.adjust, r.Reason, r.RunsNeeded)
		}
	}
}

// TestUntestable: what cannot be answered has a reason, and never a p value.
func TestUntestable(t *testing.T) {
	unknown := row("T", result.ProportionUnknown, "1 ±0.1 N=3", "2 ±0.1 N=3")
	shared := row("T", result.HIB, "5769", "1096")
	shared.Unassigned = []result.Unassigned{{StdError: "44.00", Samples: 3, Systems: []int{0, 1}}}
	twice := row("T", result.HIB, "1 ±0.1 N=3", "2 ±0.1 N=3")
	twice.Measurements = append(twice.Measurements, result.Measurement{System: 1, Value: "3"})
	for _, tt := range []struct {
		name   string
		test   result.Test
		ratio  string // "" if there is none
		reason string
	}{
		{"single runs", row("T", result.LIB, "143.62 N=1", "130.26 N=1"), "1.10", "no uncertainty known: one run each"},
		{"no errors", row("T", result.HIB, "10", "20"), "2", "no uncertainty known: no standard error"},
		{"one error", row("T", result.HIB, "10 ±1 N=3", "20"), "2", "no uncertainty known: B: no standard error"},
		{"no N", row("T", result.HIB, "10 ±1", "20 ±1 N=3"), "2", "A: the number of runs is not known"},
		{"an error of one of two", shared, "0.189", "the standard error 44.00 is of one of A, B"},
		{"failed", row("T", result.HIB, "10 ±1 N=3", "failed"), "", "B: failed: timeout"},
		{"ambiguous", row("T", result.HIB, "ambiguous", "10 ±1 N=3"), "", "A: the value is ambiguous"},
		{"no number", row("T", result.HIB, "10 ±1 N=3", "NaN"), "", "B: the value is no number: NaN"},
		{"a list", row("T", result.HIB, "10 ±1 N=3", "1,2,3"), "", "B: the value is no number: 1,2,3"},
		{"zero", row("T", result.HIB, "0 ±1 N=3", "10 ±1 N=3"), "", "A: the value is zero"},
		{"negative", row("T", result.HIB, "10 ±1 N=3", "-10 ±1 N=3"), "", "B: the value is negative"},
		{"zero within rounding", row("T", result.HIB, "10 ±1 N=3", "0.0001 ±0.1 N=3"), "1e-05", ""},
		{"no baseline", row("T", result.HIB, "-", "10 ±1 N=3"), "", "A: no value"},
		{"direction unknown", unknown, "", "it is not known whether more or less is better"},
		{"several values", twice, "", "B: 2 values in one test"},
		{"out of range", row("T", result.HIB, "1e-300 ±0 N=3", "1e300 ±0 N=3"), "", "out of range"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := compare(t, CompareOptions{}, file("A,B", tt.test))
			r := c.Rows[0]
			if tt.name == "zero within rounding" {
				if r.Verdict == Better || r.Verdict == Equivalent {
					t.Errorf("%s: %s", r.Verdict, r.Reason)
				}
				return
			}
			if r.Verdict != Untestable || !strings.Contains(r.Reason, tt.reason) || r.Ratio.Known != (tt.ratio != "") || r.RunsNeeded != 0 {
				t.Errorf("%s, ratio %v, %q; want %q", r.Verdict, r.Ratio, r.Reason, tt.reason)
			}
			if o := c.Overall[0]; o.OverTests.P.Known || o.Verdict != Untestable || (o.LeftOutCount == 1) != (tt.ratio == "") {
				t.Errorf("overall: %+v", o)
			}
		})
	}
}

// TestKnownWrongAnswers are cases that other tools are known to answer wrongly:
// equal runs that differ between systems called "no difference", a zero that
// turns a mean to nothing, a failed test counted as zero, a mean over tests that
// one side lacks, the first of several runs compared alone, a ratio that is the
// mean of ratios.
func TestKnownWrongAnswers(t *testing.T) {
	c := compare(t, CompareOptions{}, file("A,B",
		row("equal runs", result.HIB, "115=115;115;115;115;115", "78.8=78.8;78.8;78.8;78.8;78.8"),
		row("zero", result.HIB, "10 ±0.1 N=3", "0 ±0 N=3"),
		row("failed", result.HIB, "10 ±0.1 N=3", "failed"),
		row("missing", result.HIB, "10 ±0.1 N=3", "-"),
		row("unequal N", result.HIB, "10=9;11;10", "10=10;9;11;10;10"),
	))
	equal, last := c.Rows[0], c.Rows[3]
	if equal.Verdict != Worse || !strings.Contains(equal.Reason, "compared exactly") {
		t.Errorf("equal runs: %s, %s", equal.Verdict, equal.Reason)
	}
	if !near(last.Ratio, 1) || last.P.X < 0.99 {
		t.Errorf("unequal N: ratio %v, p %v", last.Ratio, last.P)
	}
	o := c.Overall[0]
	if o.Ratios != 2 || !near(o.GeoMean, 0.8277781) { // √(78.8/115)
		t.Errorf("mean %v of %d", o.GeoMean, o.Ratios)
	}
	var left []string
	for _, l := range o.LeftOut {
		left = append(left, l.Test+": "+l.Reason)
	}
	want := []string{
		"zero (MB/s): B: the value is zero, of which there is no ratio", "failed (MB/s): B: failed: timeout", "missing (MB/s): B: no value",
	}
	if diff := cmp.Diff(want, left); diff != "" || o.LeftOutCount != 3 {
		t.Errorf("left out %d (-want +got):\n%s", o.LeftOutCount, diff)
	}
	m := c.Rows[3].Methods()
	if !m.MannWhitneyP.Known || m.MannWhitneyP.X != 1 {
		t.Errorf("Mann–Whitney of one set of runs twice: %v", m.MannWhitneyP)
	}
	// Three runs a side can never be significant by ranks, and the smallest
	// p value says so.
	three := compare(t, CompareOptions{}, file("A,B", row("T", result.HIB, "2=1;2;3", "12=11;12;13"))).Rows[0].Methods()
	if three.MannWhitneyMinP.X != 0.1 || three.MannWhitneyP.X != 0.1 {
		t.Errorf("3 against 3: p %v, smallest %v", three.MannWhitneyP, three.MannWhitneyMinP)
	}
}

// TestOverallAgainstR: the geometric mean of four ratios and its interval are
// those of R, wins and losses count decided rows only, and a profile with three
// rows counts once beside one with one.
func TestOverallAgainstR(t *testing.T) {
	c := compare(t, CompareOptions{}, file("A,B",
		row("P", result.HIB, "100 ±1 N=5", "50 ±1 N=5"),
		row("P", result.HIB, "100 ±1 N=5", "25 ±1 N=5"),
		row("P", result.LIB, "80 ±1 N=5", "100 ±1 N=5"),
		row("Q", result.LIB, "12 ±9 N=5", "10 ±9 N=5"),
	))
	o := c.Overall[0]
	if !near(o.GeoMean, 0.5885662) || !near(o.OverTests.Low, 0.2014939) || !near(o.OverTests.High, 1.719209) || !near(o.OverTests.P, 0.2136174) {
		t.Errorf("mean %v, %+v", o.GeoMean, o.OverTests)
	}
	// The median of 0.25, 0.5 and 0.8 is 0.5; √(0.5·1.2).
	if o.Profiles != 2 || !near(o.ByProfile, 0.7745967) {
		t.Errorf("%d profiles: %v", o.Profiles, o.ByProfile)
	}
	if o.Wins != 0 || o.Losses != 3 || o.Even != 1 || !near(o.SignP, 0.25) || o.Verdict != Undecided {
		t.Errorf("%d wins, %d losses, %d even, p %v, %s", o.Wins, o.Losses, o.Even, o.SignP, o.Verdict)
	}
	if !o.TheseTests.P.Known || o.TheseTests.Low.X < o.OverTests.Low.X {
		t.Errorf("these tests: %+v", o.TheseTests)
	}
}

func TestBaseline(t *testing.T) {
	old := file("EXT4,XFS", row("T", result.HIB, "10", "20"))
	old.Source = "old"
	fresh := file("XFS,EXT4,ZFS", row("T", result.HIB, "30", "50", "70"))
	fresh.Source = "new"
	for _, tt := range []struct {
		baseline string
		files    []*result.File
		want     string
	}{
		{"", []*result.File{old}, "EXT4>XFS=2"},
		{"XFS", []*result.File{old}, "XFS>EXT4=0.5"},
		{"old", []*result.File{old, fresh}, "old: XFS>new: XFS=1.5 old: EXT4>new: EXT4=5"},
		{"new: ZFS", []*result.File{old, fresh}, "new: ZFS>old: EXT4=0.142857 new: ZFS>old: XFS=0.285714 new: ZFS>new: XFS=0.428571 new: ZFS>new: EXT4=0.714286"},
		{"ZFS", []*result.File{old, fresh}, "new: ZFS>old: EXT4=0.142857 new: ZFS>old: XFS=0.285714 new: ZFS>new: XFS=0.428571 new: ZFS>new: EXT4=0.714286"},
	} {
		c := compare(t, CompareOptions{Baseline: tt.baseline}, tt.files...)
		if got := ratios(c); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.baseline, got, tt.want)
		}
	}
	for _, tt := range []struct {
		baseline string
		files    []*result.File
		several  bool
		nearest  []string
	}{
		{"ext", []*result.File{old}, false, []string{"EXT4", "XFS"}},
		{"XSF", []*result.File{old}, false, []string{"XFS", "EXT4"}},
		{"XFS", []*result.File{old, fresh}, true, []string{"old: XFS", "new: XFS"}},
	} {
		_, err := Compare(NewSet(tt.files), CompareOptions{Baseline: tt.baseline})
		var e *NameError
		if !errors.As(err, &e) || e.Several != tt.several || cmp.Diff(tt.nearest, e.Nearest) != "" {
			t.Errorf("%q: %v", tt.baseline, err)
		}
	}
}

func ratios(c *Comparison) string {
	var parts []string
	for i := range c.Rows {
		r := &c.Rows[i]
		parts = append(parts, r.BaselineName+">"+r.SystemName+"="+short(r.Ratio))
	}
	return strings.Join(parts, " ")
}

func short(q Quantity) string { return strconv.FormatFloat(q.X, 'g', 6, 64) }

// TestUnitsThatDiffer: a test in two units of two files is not compared, and
// that is said; two results of one run in one file are no such thing.
func TestUnitsThatDiffer(t *testing.T) {
	a, b := file("A", row("T", result.HIB, "10")), file("B", row("T", result.HIB, "20"))
	b.Tests[0].Scale = "MiB/s"
	c := compare(t, CompareOptions{}, a, b)
	if c.Comparable() || !strings.Contains(strings.Join(c.Warnings, "\n"), `"MB/s" here and in "MiB/s" there`) {
		t.Errorf("warnings %q", c.Warnings)
	}
	both := file("A", row("T", result.HIB, "10"), row("T", result.HIB, "1000"))
	both.Tests[1].Scale = "IOPS"
	if c := compare(t, CompareOptions{}, both, both); len(c.Rows) != 2 || len(c.Warnings) != 1 {
		t.Errorf("%d rows, warnings %q", len(c.Rows), c.Warnings)
	}
}

// TestNothingToCompare: every such set has an explanation and no claim.
func TestNothingToCompare(t *testing.T) {
	apart := file("A,B", row("one", result.HIB, "10", "-"), row("two", result.HIB, "-", "10"))
	failed := file("A,B", row("one", result.HIB, "failed", "failed"))
	for name, tt := range map[string]struct {
		files []*result.File
		want  string
	}{
		"no file":      {nil, "there is no system"},
		"no system":    {[]*result.File{file("")}, "there is no system"},
		"one system":   {[]*result.File{file("A", row("one", result.HIB, "10"))}, "there is 1 system"},
		"no test":      {[]*result.File{file("A,B")}, "there is no test"},
		"none shared":  {[]*result.File{apart}, "no test has a value on both sides"},
		"all failed":   {[]*result.File{failed}, "no row has a ratio"},
		"none in both": {[]*result.File{file("A", row("x", result.HIB, "1")), file("B", row("y", result.HIB, "1"))}, "no test has a value on both sides"},
	} {
		c := compare(t, CompareOptions{}, tt.files...)
		if c.Comparable() || !strings.Contains(strings.Join(c.Warnings, "\n"), tt.want) {
			t.Errorf("%s: warnings %q", name, c.Warnings)
		}
	}
}

// TestTestsApart: tests that the baseline's file has not are no rows but a
// warning; a test that it has without a value of the baseline is a row.
func TestTestsApart(t *testing.T) {
	a := file("A,B", row("both", result.HIB, "1", "2"), row("hole", result.HIB, "-", "2"))
	b := file("C", row("both", result.HIB, "3"), row("hole", result.HIB, "3"), row("only", result.HIB, "3"), row("too", result.HIB, "3"))
	a.Source, b.Source = "a", "b"
	c := compare(t, CompareOptions{}, a, b)
	if got, want := ratios(c), "A>B=2 A>C=3 A>B=0 A>C=0"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if len(c.Warnings) == 0 || c.Warnings[0] != "b has 2 tests that the baseline's file has not" {
		t.Errorf("warnings %q", c.Warnings)
	}
}

// TestTestsAlmostThere: of a test that the baseline's file has in another version
// or unit it is said what keeps the two apart.
func TestTestsAlmostThere(t *testing.T) {
	as := func(version, profile, scale string) result.Test {
		r := row("fio", result.HIB, "1")
		r.Version, r.Profile, r.Scale = version, profile, scale
		return r
	}
	for _, tt := range []struct {
		old, new result.Test
		want     string
	}{
		{
			as("3.35", "pts/fio-2.0.0", "MiB/s"), as("3.36", "pts/fio-2.1.0", "MB/s"),
			`b has 1 test that the baseline's file has not; 1 is there as another test: "fio 3.36": version 3.35 there and 3.36 here, profile pts/fio-2.0.0 there and pts/fio-2.1.0 here, unit MiB/s there and MB/s here`,
		},
		{as("3.1", "pts/fio-1.11.2", "MB/s"), as("", "", "MB/s"), `b has 1 test that the baseline's file has not; 1 is there as another test: "fio": version 3.1 there and none here`},
		{row("dbench", result.HIB, "1"), as("3.1", "", "MB/s"), "b has 1 test that the baseline's file has not"},
	} {
		a, b := file("A", tt.old), file("B", tt.new)
		a.Source, b.Source = "a", "b"
		c := compare(t, CompareOptions{}, a, b)
		if len(c.Warnings) == 0 || c.Warnings[0] != tt.want {
			t.Errorf("warnings %q, want %q", c.Warnings, tt.want)
		}
	}
}

// TestOverallFamily: the means over all tests are adjusted for their number. Of
// two systems B has twelve ratios around 1.1, of a profile each, with p about
// 0.03: worth a claim alone, and not beside eleven others.
func TestOverallFamily(t *testing.T) {
	var tests []result.Test
	for i, v := range []string{"105", "125", "95", "130", "110", "100", "128", "92", "118", "121", "99", "112"} {
		figures := []string{"100 ±5 N=3"}
		for range 12 {
			figures = append(figures, v+" ±5 N=3")
		}
		tests = append(tests, row("p"+strconv.Itoa(i), result.HIB, figures...))
	}
	many := compare(t, CompareOptions{}, file("A,B,C,D,E,F,G,H,I,J,K,L,M", tests...)).Overall
	none := compare(t, CompareOptions{Adjust: NoAdjustment}, file("A,B,C,D,E,F,G,H,I,J,K,L,M", tests...)).Overall
	if p := none[0].OverTests.P.X; none[0].Verdict != Better || p < 0.005 || p > Alpha || none[0].PAdjusted.X != p {
		t.Errorf("alone: %s, p %v, %v", none[0].Verdict, p, none[0].PAdjusted)
	}
	if many[0].Verdict != Undecided || !near(many[0].PAdjusted, 12*none[0].OverTests.P.X) {
		t.Errorf("of twelve: %s, adjusted %v", many[0].Verdict, many[0].PAdjusted)
	}
}
