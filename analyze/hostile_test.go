package analyze

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/benchproof/benchproof/result"
)

// anyFile is a file of figures of all kinds, strange ones among them.
func anyFile(t *rapid.T) *result.File {
	number := rapid.SampledFrom([]string{
		"0", "-0", "1", "1.0", "-3", "100.00", "1e308", "5e-324", "1e-300", "9.31", "9.36", "NaN", "inf", "", "1,2,3", "PASS",
		"99999999999999999999", "0.000", "12.3e3", "1e999", "0x10",
	})
	f := &result.File{Source: rapid.SampledFrom([]string{"a", "b", ""}).Draw(t, "source")}
	for range rapid.IntRange(0, 4).Draw(t, "systems") {
		i := f.AddSystem(rapid.SampledFrom([]string{"A", "B", "HDD: A", "SSD: B", ""}).Draw(t, "system"))
		f.Systems[i].Hardware = []result.Component{{Key: "Disk", Value: rapid.SampledFrom([]string{"x", "y"}).Draw(t, "disk")}}
	}
	result.SetGroups(f.Systems)
	for range rapid.IntRange(0, 4).Draw(t, "tests") {
		test := result.Test{
			Title:      rapid.SampledFrom([]string{"T", "Flexible IO Tester", "PostgreSQL pgbench", "MariaDB"}).Draw(t, "title"),
			Version:    rapid.SampledFrom([]string{"", "3.1", "2.1.11", "10.3"}).Draw(t, "version"),
			Arguments:  rapid.SampledFrom([]string{"", "Block Size: 4KB", "Clients: 256", "Clients: 0 - Average Latency", "12 Clients"}).Draw(t, "arguments"),
			Scale:      rapid.SampledFrom([]string{"MB/s", "IOPS", "TPS", "ms", ""}).Draw(t, "scale"),
			Proportion: rapid.SampledFrom([]result.Proportion{result.HIB, result.LIB, ""}).Draw(t, "proportion"),
		}
		for range rapid.IntRange(0, 5).Draw(t, "measurements") {
			if len(f.Systems) == 0 {
				break
			}
			m := result.Measurement{
				System: rapid.IntRange(0, len(f.Systems)-1).Draw(t, "at"), Value: number.Draw(t, "value"),
				StdError: number.Draw(t, "error"), Samples: rapid.IntRange(-1, 5).Draw(t, "n"),
				RawValues: rapid.SliceOfN(number, 0, 4).Draw(t, "runs"),
				Status:    result.Status(rapid.IntRange(0, 1).Draw(t, "status")),
				Decode:    result.Decode(rapid.IntRange(0, 2).Draw(t, "decode")),
			}
			test.Measurements = append(test.Measurements, m)
		}
		f.Tests = append(f.Tests, test)
	}
	return f
}

// TestHostile: whatever the figures are, nothing panics and nothing but finite
// numbers comes out. Only cells with a known error get claims.
func TestHostile(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var files []*result.File
		for range rapid.IntRange(0, 2).Draw(rt, "files") {
			files = append(files, anyFile(rt))
		}
		set := NewSet(files)
		o := CompareOptions{
			By:     rapid.SampledFrom([]string{"", "", "Disk", "Block Size", "Clients"}).Draw(rt, "by"),
			Adjust: rapid.SampledFrom([]Adjust{Holm, BH, NoAdjustment}).Draw(rt, "adjust"),
		}
		if c, err := Compare(set, o); err == nil {
			checkSane(t, c)
			for i := range c.Rows {
				r := &c.Rows[i]
				if r.Verdict != Untestable && !(r.Baseline.Tested() && r.Cell.Tested()) {
					rt.Fatalf("%s of %+v and %+v", r.Verdict, r.Baseline, r.Cell)
				}
			}
		} else if o.By == "" {
			rt.Fatal(err)
		}
		r, err := Rank(set)
		if err != nil {
			rt.Fatal(err)
		}
		for i := range r.Tests {
			for _, k := range r.Tests[i].Ranks {
				if k.Low > 0 && !(k.Low <= k.Place && k.Place <= k.High && k.High <= len(r.Tests[i].Ranks)) {
					rt.Fatalf("rank %d in %d to %d of %d", k.Place, k.Low, k.High, len(r.Tests[i].Ranks))
				}
				if k.Place > 0 && r.Tests[i].Test.Proportion == "" {
					rt.Fatal("a test of unknown direction is ranked")
				}
			}
		}
		for _, f := range files {
			for _, d := range Integrity(f) {
				if d.Code == "" || d.Message == "" {
					rt.Fatalf("finding %+v", d)
				}
			}
		}
		if t.Failed() {
			rt.Fatalf("%+v", files)
		}
	})
}

// TestSwap: the other baseline gives the reciprocal ratio, the same p value and
// the opposite verdict; so does the other direction.
func TestSwap(t *testing.T) {
	opposite := map[Verdict]Verdict{Better: Worse, Worse: Better, Equivalent: Equivalent, Trivial: Trivial, Undecided: Undecided, Untestable: Untestable}
	rapid.Check(t, func(t *rapid.T) {
		figure := func(name string) string {
			return fmt.Sprintf("%.2f ±%.2f N=%d", rapid.Float64Range(90, 110).Draw(t, name), rapid.Float64Range(0, 3).Draw(t, name), rapid.IntRange(2, 6).Draw(t, name))
		}
		a, b := figure("a"), figure("b")
		one := func(base string, p result.Proportion) CompareRow {
			c, err := Compare(NewSet([]*result.File{file("A,B", row("T", p, a, b))}), CompareOptions{Baseline: base})
			if err != nil {
				t.Fatal(err)
			}
			return c.Rows[0]
		}
		r := one("A", result.HIB)
		for name, s := range map[string]CompareRow{"baseline": one("B", result.HIB), "direction": one("A", result.LIB)} {
			if math.Abs(s.Ratio.X*r.Ratio.X-1) > 1e-12 || math.Abs(s.Interval.Low.X*r.Interval.High.X-1) > 1e-9 ||
				math.Abs(s.P.X-r.P.X) > 1e-9 || s.Verdict != opposite[r.Verdict] {
				t.Fatalf("other %s of %s and %s: %v %s, was %v %s", name, a, b, s.Ratio, s.Verdict, r.Ratio, r.Verdict)
			}
		}
	})
}
