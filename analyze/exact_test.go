package analyze

import (
	"strings"
	"testing"

	"github.com/benchproof/benchproof/result"
)

// TestExact: runs that all print alike are compared by what is printed, where
// that is more than rounding can make, and never get a p value for it.
func TestExact(t *testing.T) {
	const same = "compared exactly"
	for _, tt := range []struct {
		name          string
		p             result.Proportion
		base, cell    string
		want          Verdict
		reason        string
		tested, ratio bool
	}{
		{"a size that grew", result.LIB, "1024=1024;1024;1024", "2048=2048;2048;2048", Worse, same, false, true},
		{"a rate that grew", result.HIB, "1024=1024;1024;1024", "2048=2048;2048;2048", Better, same, false, true},
		{"identical", result.HIB, "1024=1024;1024;1024", "1024=1024;1024;1024", Equivalent, same, false, true},
		{"one byte more", result.LIB, "1024=1024;1024;1024", "1026=1026;1026;1026", Trivial, same, false, true},
		{"neighbours: both may be 7.5", result.HIB, "7=7;7;7", "8=8;8;8", Undecided, "rounding", true, true},
		{"one above the neighbour", result.HIB, "7=7;7;7", "9=9;9;9", Better, same, false, true},
		{"the same, but rounded beyond the margin", result.HIB, "7=7;7;7", "7=7;7;7", Undecided, "rounding", true, true},
		{"two runs are tested", result.HIB, "1024=1024;1024", "2048=2048;2048", Better, "printed as zero", true, true},
		{"one side with spread", result.HIB, "1024=1024;1024;1024", "2048=2047;2048;2049", Better, "", true, true},
		{"no runs: an error printed as zero is none", result.HIB, "7 ±0.00 N=3", "9 ±0.00 N=3", Better, "printed as zero", true, true},
		{"zero", result.HIB, "0=0;0;0", "9=9;9;9", Untestable, "zero", false, false},
		{"zero within rounding", result.HIB, "0.4=0;0;0", "9=9;9;9", Undecided, "rounding", true, true},
	} {
		r := compare(t, CompareOptions{}, file("A,B", row("T", tt.p, tt.base, tt.cell))).Rows[0]
		if r.Verdict != tt.want || !strings.Contains(r.Reason, tt.reason) || r.P.Known != tt.tested || r.Ratio.Known != tt.ratio {
			t.Errorf("%s: %s, p %v, ratio %v, %q", tt.name, r.Verdict, r.P, r.Ratio, r.Reason)
		}
	}
	// 2047.5/1024.5 and 2048.5/1023.5.
	r := compare(t, CompareOptions{}, file("A,B", row("T", result.HIB, "1024=1024;1024;1024", "2048=2048;2048;2048"))).Rows[0]
	if !near(r.Interval.Low, 1.998536) || !near(r.Interval.High, 2.001466) {
		t.Errorf("interval %v", r.Interval)
	}
}

// TestUnitsOfOneFile: systems of one file whose values stand in two units of
// one kind are named, two results of one run are not.
func TestUnitsOfOneFile(t *testing.T) {
	kb, mb := row("T", result.HIB, "10000", "-"), row("T", result.HIB, "-", "10.0")
	kb.Scale = "KB/s"
	c := compare(t, CompareOptions{}, file("A,B", kb, mb))
	if text := strings.Join(c.Warnings, "|"); !strings.Contains(text, `T is in "KB/s" of some systems and in "MB/s" of others`) {
		t.Errorf("%q", text)
	}
	mb, iops := row("T", result.HIB, "10.0", "-"), row("T", result.HIB, "-", "2500")
	iops.Scale = "IOPS"
	c = compare(t, CompareOptions{}, file("A,B", mb, iops))
	if text := strings.Join(c.Warnings, "|"); strings.Contains(text, "units") {
		t.Errorf("%q", text)
	}
}

// TestWhyUndecided: a mean without a verdict says what is in its way.
func TestWhyUndecided(t *testing.T) {
	at := func(title string, cells ...string) result.Test { return row(title, result.HIB, cells...) }
	const base = "100.0 ±0.1 N=3"
	for _, tt := range []struct {
		want  string
		tests []result.Test
	}{
		{"not shown to differ from 1", []result.Test{at("T", base, "120.0 ±0.1 N=3"), at("U", base, "80.0 ±0.1 N=3"), at("V", base, "101.0 ±0.1 N=3")}},
		{"too few tests", []result.Test{at("T", base, "120.0 ±0.1 N=3")}},
		{"no uncertainty known", []result.Test{at("T", "100.0", "120.0"), at("U", "100.0", "121.0")}},
		{"alone and", []result.Test{
			at("T", base, "101.0 ±0.1 N=3", "99.0 ±0.1 N=3"), at("U", base, "108.0 ±0.1 N=3", "110.0 ±0.1 N=3"),
			at("V", base, "106.0 ±0.1 N=3", "85.0 ±0.1 N=3"),
			at("W", base, "107.0 ±0.1 N=3", "130.0 ±0.1 N=3"),
		}},
	} {
		names := "A,B,C"[:2*len(tt.tests[0].Measurements)-1]
		o := compare(t, CompareOptions{}, file(names, tt.tests...)).Overall[0]
		if !strings.Contains(o.Why, tt.want) || !strings.Contains(o.Reason, o.Why) || o.Verdict == Better || o.Verdict == Worse {
			t.Errorf("want %q: %s, %q", tt.want, o.Verdict, o.Reason)
		}
	}
}

// TestSuspectBeyondRange: values further apart than a number can say are told
// of without one.
func TestSuspectBeyondRange(t *testing.T) {
	list := Integrity(file("A,B", row("T", result.HIB, "1e-308", "1e308")))
	for _, d := range list {
		if strings.Contains(d.Message, "Inf") {
			t.Errorf("%q", d.Message)
		}
		if d.Code == "unit-suspect" {
			return
		}
	}
	t.Errorf("no unit-suspect: %v", list)
}
