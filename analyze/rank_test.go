package analyze

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/benchproof/benchproof/analyze/stats"
	"github.com/benchproof/benchproof/result"
)

func rank(t *testing.T, f ...*result.File) *Ranking {
	t.Helper()
	r, err := Rank(NewSet(f))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// ranksText is a test's ranks as "A 1 (1-2) a, …".
func ranksText(r *Ranking, i int) string {
	var parts []string
	for _, k := range r.Tests[i].Ranks {
		parts = append(parts, strings.TrimSpace(fmt.Sprintf("%s %d (%d-%d) %s", r.Set.Systems[k.System].Name, k.Place, k.Low, k.High, k.Letters)))
	}
	return strings.Join(parts, ", ")
}

// TestRanks: places, their ranges and letters, worked out by hand: all pairs of
// systems apart by many errors differ, those within one do not.
func TestRanks(t *testing.T) {
	for _, tt := range []struct {
		name   string
		test   result.Test
		want   string
		reason string
	}{
		{
			"clear", row("T", result.HIB, "10.00 ±0.01 N=5", "30.00 ±0.01 N=5", "20.00 ±0.01 N=5"),
			"A 3 (3-3) c, B 1 (1-1) a, C 2 (2-2) b", "",
		},
		{
			"less is better", row("T", result.LIB, "10.00 ±0.01 N=5", "30.00 ±0.01 N=5", "20.00 ±0.01 N=5"),
			"A 1 (1-1) a, B 3 (3-3) c, C 2 (2-2) b", "",
		},
		{
			"two alike", row("T", result.HIB, "10.00 ±0.01 N=5", "20.00 ±0.50 N=5", "20.10 ±0.50 N=5"),
			"A 3 (3-3) b, B 2 (1-2) a, C 1 (1-2) a", "",
		},
		{
			"one without an error", row("T", result.HIB, "10.00 ±0.01 N=5", "20.00", "30.00 ±0.01 N=5"),
			"A 3 (2-3) b, B 2 (0-0), C 1 (1-2) a", "",
		},
		{"no errors", row("T", result.HIB, "10", "20", "20"), "A 3 (0-0), B 1 (0-0), C 1 (0-0)", "no uncertainty known"},
		{"failed", row("T", result.HIB, "10", "failed", "20"), "A 2 (0-0), B 0 (0-0), C 1 (0-0)", "no uncertainty known"},
		{"missing", row("T", result.HIB, "10", "-", "20"), "A 2 (0-0), C 1 (0-0)", "no uncertainty known"},
		{"one value", row("T", result.HIB, "10", "-", "ambiguous"), "A 0 (0-0), C 0 (0-0)", "fewer than two systems with a value"},
		{"direction unknown", row("T", result.ProportionUnknown, "10", "20", "30"), "A 0 (0-0), B 0 (0-0), C 0 (0-0)", "it is not known whether more or less is better"},
		{
			"negative", row("T", result.HIB, "-10.00 ±0.01 N=5", "0.00 ±0.01 N=5", "10.00 ±0.01 N=5"),
			"A 3 (3-3) c, B 2 (2-2) b, C 1 (1-1) a", "",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := rank(t, file("A,B,C", tt.test))
			if got := ranksText(r, 0); got != tt.want || r.Tests[0].Reason != tt.reason {
				t.Errorf("%s (%s)\nwant %s (%s)", got, r.Tests[0].Reason, tt.want, tt.reason)
			}
		})
	}
}

// TestRankWithinGroups: systems of a multi-way result are ranked within their
// group, each with an order of its own.
func TestRankWithinGroups(t *testing.T) {
	r := rank(t, file("HDD: A,HDD: B,SSD: A,SSD: B", row("T", result.HIB, "1", "2", "200", "100")))
	if len(r.Tests) != 2 || ranksText(r, 0) != "HDD: A 2 (0-0), HDD: B 1 (0-0)" || ranksText(r, 1) != "SSD: A 1 (0-0), SSD: B 2 (0-0)" {
		t.Errorf("%d rankings: %s; %s", len(r.Tests), ranksText(r, 0), ranksText(r, 1))
	}
	if len(r.Overall) != 2 || r.Overall[0].Group != "HDD" || r.Set.Systems[r.Overall[1].Systems[0].System].Name != "SSD: A" {
		t.Errorf("overall: %+v", r.Overall)
	}
}

// TestProfileCountsOnce: a profile with many rows does not outvote others.
func TestProfileCountsOnce(t *testing.T) {
	var tests []result.Test
	for range 12 {
		tests = append(tests, row("many", result.HIB, "2", "1"))
	}
	for _, title := range []string{"p", "q", "r", "s", "t"} {
		tests = append(tests, row(title, result.LIB, "2", "1"))
	}
	o := rank(t, file("A,B", tests...)).Overall[0]
	if o.Tests != 17 || o.Profiles != 6 || o.Systems[0].System != 1 || o.Systems[0].TestsPlace != 2 {
		t.Errorf("%d tests, %d profiles: %+v", o.Tests, o.Profiles, o.Systems)
	}
	if want := 1 + 1./6; math.Abs(o.Systems[0].MeanRank-want) > 1e-12 {
		t.Errorf("mean rank %v, want %v", o.Systems[0].MeanRank, want)
	}
	if o.Systems[0].Low != 0 || o.Systems[0].TestsLow != 1 || !o.Ranges {
		t.Errorf("ranges: %+v", o.Systems[0])
	}
}

// TestFriedmanOverProfiles: four systems over six profiles that agree. W is 1,
// and the critical difference is that of Demšar's table, q = 2.569 for four
// systems: 2.569·√(4·5/(6·6)).
func TestFriedmanOverProfiles(t *testing.T) {
	var tests []result.Test
	for i := range 6 {
		tests = append(tests, row(fmt.Sprint("p", i), result.HIB, "1 ±0.1 N=3", "2 ±0.1 N=3", "3 ±0.1 N=3", "4 ±0.1 N=3"))
	}
	tests = append(tests, row("hole", result.HIB, "1", "2", "-", "3"), row("zero", result.HIB, "1", "2", "0", "3"))
	o := rank(t, file("A,B,C,D,E", tests...)).Overall[0]
	if o.Tests != 6 || o.LeftOutCount != 2 || len(o.NoValues) != 1 || o.W.X != 1 || o.P.X > 1e-6 {
		t.Errorf("%+v", o)
	}
	if math.Abs(o.CriticalDifference.X-2.569*math.Sqrt(20./36)) > 1e-3 {
		t.Errorf("critical difference %v", o.CriticalDifference)
	}
	var letters []string
	for _, s := range o.Systems {
		letters = append(letters, s.Letters)
	}
	if got := strings.Join(letters, " "); got != "a ab bc c" {
		t.Errorf("letters %s", got)
	}
}

// TestDecidedPairs: the quick bounds decide as the search over all rounding
// does.
func TestDecidedPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(2, 6).Draw(t, "k")
		systems := make([]stats.Rounded, k)
		for i := range systems {
			unit := []float64{1, 0.1, 0.01}[rapid.IntRange(0, 2).Draw(t, "unit")]
			mean := unit * float64(rapid.IntRange(-1, 2000).Draw(t, "mean"))
			systems[i] = stats.Rounded{
				Summary:  stats.Summary{Mean: mean, SE: 0.01 * float64(rapid.IntRange(0, 60).Draw(t, "se")), N: rapid.IntRange(0, 9).Draw(t, "n")},
				MeanHalf: unit / 2, SEHalf: 0.005,
			}
		}
		want, err := stats.RoundedPairs(systems)
		if err != nil {
			t.Fatal(err)
		}
		got, err := decidedPairs(systems)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			if want[i].Significant(Alpha) != got[i].Significant(Alpha) || (want[i].Err == nil) != (got[i].Err == nil) {
				t.Fatalf("pair %d of %+v: %+v, want %+v", i, systems, got[i], want[i])
			}
		}
	})
}

// large is a file of many tests and systems, with errors of some per cent.
func large(tests, systems int) *result.File {
	r := rand.New(rand.NewPCG(1, 1))
	f := &result.File{Source: "large"}
	for j := range systems {
		f.AddSystem(fmt.Sprint("system ", j))
	}
	for i := range tests {
		t := result.Test{Title: fmt.Sprint("test ", i/10), Arguments: fmt.Sprint("option ", i%10), Scale: "MB/s", Proportion: result.HIB}
		for j := range systems {
			mean := 1000 * math.Exp(0.1*r.NormFloat64())
			t.Measurements = append(t.Measurements, result.Measurement{
				System: j, Value: fmt.Sprintf("%.2f", mean), StdError: fmt.Sprintf("%.2f", mean*0.01*r.Float64()), Samples: 3 + r.IntN(6),
			})
		}
		f.Tests = append(f.Tests, t)
	}
	return f
}

// BenchmarkRank ranks 2 000 tests of 30 systems: all pairs, by Holm.
func BenchmarkRank(b *testing.B) {
	f := large(2000, 30)
	for b.Loop() {
		if _, err := Rank(NewSet([]*result.File{f})); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCompare compares 30 systems with one of them in 2 000 tests.
func BenchmarkCompare(b *testing.B) {
	f := large(2000, 30)
	for b.Loop() {
		if _, err := Compare(NewSet([]*result.File{f}), CompareOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkIntegrity checks 2 000 tests of 30 systems.
func BenchmarkIntegrity(b *testing.B) {
	f := large(2000, 30)
	for b.Loop() {
		Integrity(f)
	}
}
