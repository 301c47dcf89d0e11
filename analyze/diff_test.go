package analyze

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/benchproof/benchproof/result"
)

// diffLines lists differences: kind, system, what, both sides.
func diffLines(a, b *result.File) []string {
	var out []string
	for _, d := range Diff(a, b) {
		out = append(out, strings.Join([]string{string(d.Kind), d.System, d.What, d.A, d.B}, "|"))
	}
	return out
}

func TestDiff(t *testing.T) {
	base := func() *result.File { return fileOf("a", "X|A/ssd|1.50", "X|B|2", "Y|A|3") }
	if got := diffLines(base(), base()); got != nil {
		t.Errorf("a file differs from itself: %v", got)
	}
	for _, c := range []struct {
		name   string
		change func(*result.File)
		want   []string
	}{
		{"value", func(f *result.File) { f.Tests[0].Measurements[0].Value = "1.51" }, []string{"value|A|value|1.50|1.51"}},
		{"rounded", func(f *result.File) { f.Tests[0].Measurements[0].Value = "1.5" }, []string{"digits|A|value|1.50|1.5"}},
		{"rounded up", func(f *result.File) { f.Tests[0].Measurements[0].Value = "2" }, []string{"digits|A|value|1.50|2"}},
		{"more digits", func(f *result.File) { f.Tests[0].Measurements[0].Value = "1.504" }, []string{"digits|A|value|1.50|1.504"}},
		{"no number", func(f *result.File) { f.Tests[0].Measurements[0].Value = "PASS" }, []string{"value|A|value|1.50|PASS"}},
		{"missing", func(f *result.File) { f.Tests[0].Measurements = f.Tests[0].Measurements[:1] }, []string{"missing|B||2|"}},
		{"failed", func(f *result.File) {
			m := &f.Tests[0].Measurements[1]
			m.Value, m.Status, m.Reason = "", result.StatusFailed, "E"
		}, []string{"status|B|value|2|failed: E"}},
		{"ambiguous", func(f *result.File) {
			m := &f.Tests[0].Measurements[1]
			m.Value, m.Decode, m.Alternatives = "", result.DecodeAmbiguous, []string{"2", "3"}
		}, []string{"status|B|value|2|ambiguous: 2 or 3"}},
		{"runs", func(f *result.File) {
			m := &f.Tests[0].Measurements[1]
			m.RawValues, m.Samples, m.StdError, m.StdErrorDerived = []string{"1", "3"}, 2, "1", true
		}, []string{"runs|B|runs||1;3", "std_error|B|std_error||1"}},
		{"test gone", func(f *result.File) { f.Tests = f.Tests[:1] }, []string{"test|||Y|"}},
		{"test more", func(f *result.File) { f.Tests = append(f.Tests, result.Test{Title: "Z"}) }, []string{"test||||Z"}},
		{"unit shortened", func(f *result.File) { f.Tests[1].Scale = "MB" }, []string{"field||scale|MB/s|MB"}},
		{"version left out", func(f *result.File) { f.Tests[1].Version = "7" }, []string{"field||version||7"}},
		{"system renamed", func(f *result.File) { f.Systems[1].Identifier = "C" }, []string{
			"system|B||B|", "system|C|||C", "missing|B||2|", "missing|C|||2",
		}},
		{"component", func(f *result.File) { f.Systems[0].Hardware[0].Value = "ss" }, []string{"component|A|hardware: Disk|ssd|ss"}},
		{"component more", func(f *result.File) {
			f.Systems[1].Software = []result.Component{{Key: "OS", Value: "Linux"}}
		}, []string{"component|B|software: OS||Linux"}},
		{"title", func(f *result.File) { f.Title = "U" }, []string{"head||title|T|U"}},
		{"title not divided", func(f *result.File) { f.Title, f.TitleDescription = "", "T" }, nil},
		{"order of systems", func(f *result.File) {
			f.Systems[0], f.Systems[1] = f.Systems[1], f.Systems[0]
			for i := range f.Tests {
				for j := range f.Tests[i].Measurements {
					f.Tests[i].Measurements[j].System = 1 - f.Tests[i].Measurements[j].System
				}
			}
		}, nil},
		{"certainty", func(f *result.File) { f.Tests[0].Measurements[0].Decode = result.DecodeInferred }, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := base()
			c.change(b)
			if d := cmp.Diff(c.want, diffLines(base(), b)); d != "" {
				t.Error(d)
			}
		})
	}
}

// Twins are compared one by one.
func TestDiffTwins(t *testing.T) {
	twins := func(values ...string) *result.File {
		f := fileOf("a", "X|A|"+values[0])
		for _, v := range values[1:] {
			f.Tests = append(f.Tests, fileOf("a", "X|A|"+v).Tests...)
		}
		return f
	}
	want := []string{"value|A|value|2|9", "test|||X|"}
	if d := cmp.Diff(want, diffLines(twins("1", "2", "3"), twins("1", "9"))); d != "" {
		t.Error(d)
	}
}

func TestSameValue(t *testing.T) {
	for _, c := range []struct {
		a, b string
		kind DifferenceKind
		same bool
	}{
		{"1", "1", "", true},
		{"5", "5.00", DiffDigits, false},
		{"2583.807", "2583.81", DiffDigits, false},
		{"2583.807", "2583.80", DiffValue, false}, // truncated: off by 0.007
		{"9007199254740993", "9007199254740992", DiffValue, false},
		{"0.5", "0", DiffDigits, false}, // half of the last place
		{"0.51", "0", DiffValue, false},
		{"1e3", "1000", DiffDigits, false},
		{"NaN", "nan", DiffValue, false},
		{"", "1", DiffValue, false},
		{"1e999999999", "1", DiffValue, false},
	} {
		if kind, same := sameValue(c.a, c.b); kind != c.kind || same != c.same {
			t.Errorf("%q, %q: %q, %t", c.a, c.b, kind, same)
		}
	}
}
