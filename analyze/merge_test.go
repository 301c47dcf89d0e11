package analyze

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/benchproof/benchproof/result"
)

// fileOf makes a result file of lines "TEST|SYSTEM|VALUE"; a system may have
// its disk behind a slash.
func fileOf(source string, lines ...string) *result.File {
	f := &result.File{Source: source, Title: "T"}
	tests := map[string]int{}
	for _, l := range lines {
		p := strings.Split(l, "|")
		id, disk, _ := strings.Cut(p[1], "/")
		s := f.SystemIndex(id)
		if s < 0 {
			s = f.AddSystem(id)
			if disk != "" {
				f.Systems[s].Hardware = []result.Component{{Key: "Disk", Value: disk}}
			}
		}
		t, ok := tests[p[0]]
		if !ok {
			t = len(f.Tests)
			tests[p[0]] = t
			f.Tests = append(f.Tests, result.Test{Title: p[0], Scale: "MB/s", Proportion: result.HIB})
		}
		f.Tests[t].Measurements = append(f.Tests[t].Measurements, result.Measurement{System: s, Value: p[2]})
	}
	return f
}

// linesOf lists the values of a file: test, system's printable name, value.
func linesOf(f *result.File) []string {
	names := f.SystemNames()
	var out []string
	for _, t := range f.Tests {
		for _, m := range t.Measurements {
			out = append(out, strings.Join([]string{t.Title, names[m.System], m.Value}, "|"))
		}
	}
	return out
}

func TestMerge(t *testing.T) {
	for _, c := range []struct {
		name  string
		files []*result.File
		want  []string
		said  string
	}{
		{
			"other systems",
			[]*result.File{fileOf("a", "X|A|1", "Y|A|2"), fileOf("b", "X|B|3")},
			[]string{"X|A|1", "X|B|3", "Y|A|2"},
			"b: 1 of 1 test also in the files before it",
		},
		{
			"other tests of one system",
			[]*result.File{fileOf("a", "X|A/ssd|1"), fileOf("b", "Y|A/ssd|3")},
			[]string{"X|A|1", "Y|A|3"},
			`system "A" of b is the one of a`,
		},
		{
			"the same value twice",
			[]*result.File{fileOf("a", "X|A|1"), fileOf("b", "X|A|1", "Y|A|2")},
			[]string{"X|A|1", "Y|A|2"},
			`system "A" of b is the one of a`,
		},
		{
			"many systems",
			[]*result.File{fileOf("a", "X|A|1", "X|B|2", "X|C|3", "X|D|4"), fileOf("b", "X|A|1", "X|B|2", "X|C|3", "X|D|4")},
			[]string{"X|A|1", "X|B|2", "X|C|3", "X|D|4"},
			`4 systems of b are those of a: "A" to "D"`,
		},
		{
			"replicates stay apart",
			[]*result.File{fileOf("a", "X|A|1", "Y|A|5"), fileOf("b", "X|A|1.1", "Y|A|5")},
			[]string{"X|A|1", "X|A #2|1.1", "Y|A|5", "Y|A #2|5"},
			`system "A" of b stays apart from the one of a: 1 value differs; "X" is 1 and 1.1`,
		},
		{
			"other machines of one name",
			[]*result.File{fileOf("a", "X|A/ssd|1"), fileOf("b", "Y|A/hdd|2")},
			[]string{"X|A|1", "Y|A #2|2"},
			`system "A" of b stays apart from the one of a: the hardware differs, in Disk: "ssd" and "hdd"`,
		},
		{
			"text that would be equal if it were joined",
			[]*result.File{fileOf("a", "X|sda1|25"), fileOf("b", "X|sda|125")},
			[]string{"X|sda1|25", "X|sda|125"},
			"",
		},
		{
			"three",
			[]*result.File{fileOf("a", "X|A|1"), fileOf("b", "X|A|2"), fileOf("c", "X|A|2")},
			[]string{"X|A|1", "X|A #2|2"},
			`system "A" of c is the one of b`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := Merge(c.files)
			if d := cmp.Diff(c.want, linesOf(m.File)); d != "" {
				t.Error(d)
			}
			if said := strings.Join(m.Joined, "\n"); !strings.Contains(said, c.said) {
				t.Errorf("said %q, want %q in it", said, c.said)
			}
		})
	}
}

// What tells tests apart keeps them apart.
func TestMergeTests(t *testing.T) {
	a := fileOf("a", "X|A|1")
	for _, c := range []struct {
		name   string
		change func(*result.Test)
		tests  int
	}{
		{"nothing", func(*result.Test) {}, 1},
		{"version", func(t *result.Test) { t.Version = "2" }, 2},
		{"arguments", func(t *result.Test) { t.Arguments = "Size: 1" }, 2},
		{"scale", func(t *result.Test) { t.Scale = "IOPS" }, 2},
		{"direction", func(t *result.Test) { t.Proportion = result.LIB }, 2},
		{"direction unknown", func(t *result.Test) { t.Proportion = "" }, 1},
		{"profile known once", func(t *result.Test) { t.Profile = "pts/x-1.0.0" }, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := fileOf("b", "X|B|2")
			c.change(&b.Tests[0])
			m := Merge([]*result.File{a, b}).File
			if len(m.Tests) != c.tests {
				t.Errorf("%d tests, want %d", len(m.Tests), c.tests)
			}
			if len(a.Tests) != 1 || len(a.Tests[0].Measurements) != 1 || a.Tests[0].Profile != "" {
				t.Error("an input was changed")
			}
		})
	}
	b := fileOf("b", "X|B|2")
	a.Tests[0].Profile, b.Tests[0].Profile = "pts/x-1.0.0", "pts/x-1.1.0"
	if n := len(Merge([]*result.File{a, b}).File.Tests); n != 2 {
		t.Errorf("two versions of a profile became %d test", n)
	}
}

// Runs of one system in several files become one value where that is asked for:
// its mean and standard error are worked out by hand. 10, 11, 12 and 14 have the
// mean 11.75 and the sample variance (3.0625+0.5625+0.0625+5.0625)/3 = 2.916667.
func TestMergePool(t *testing.T) {
	runs := func(source, value string, raw ...string) *result.File {
		f := fileOf(source, "X|A|"+value, "Y|A|7")
		f.Tests[0].Measurements[0].RawValues = raw
		f.Tests[0].Measurements[0].Samples = len(raw)
		f.Tests[0].Measurements[0].Origin.Source = source
		return f
	}
	a, b := runs("a", "11", "10", "11", "12"), runs("b", "14.00", "14.0")
	pool := func(files ...*result.File) *Merged { return MergeWith(files, MergeOptions{Pool: true}) }
	m := pool(a, b)
	if got := linesOf(m.File); strings.Join(got, " ") != "X|A|11.75 Y|A|7" {
		t.Fatalf("%v", got)
	}
	got := m.File.Tests[0].Measurements[0]
	want := result.Measurement{
		Value: "11.75", StdError: "0.853913", StdErrorDerived: true, Samples: 4, RawValues: []string{"10", "11", "12", "14.0"},
		Decode: result.DecodeInferred, Notes: []string{"pooled with 1 run of b, where the value is 14.00"}, Origin: result.Origin{Source: "a"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if s := strings.Join(m.Joined, "\n"); !strings.Contains(s, "b: the runs of 1 value are pooled") {
		t.Errorf("said: %s", s)
	}
	if len(a.Tests[0].Measurements[0].RawValues) != 3 {
		t.Error("an input was changed")
	}
	// Without the runs, on other hardware, or unasked nothing is pooled.
	other := runs("c", "14", "14")
	other.Systems[0].Hardware, a.Systems[0].Hardware = []result.Component{{Key: "Disk", Value: "x"}}, []result.Component{{Key: "Disk", Value: "y"}}
	for name, m := range map[string]*Merged{"no runs": pool(b, runs("d", "15")), "other hardware": pool(a, other), "unasked": Merge([]*result.File{b, runs("d", "15", "15")})} {
		if n := len(m.File.Systems); n != 2 {
			t.Errorf("%s: %d systems", name, n)
		}
	}
}

// What each file says of itself is told of all of them, where the merged file
// has room for one.
func TestMergedFrom(t *testing.T) {
	a, b := fileOf("a.xml", "X|A|1"), fileOf("b.html", "X|B|2", "Y|B|3")
	a.URL, a.LastModified, a.Format = "https://example.org/result/a", "2019-01-28 10:00:00", result.FormatXML
	b.Title, b.URL, b.Generator = "Other", "https://example.org/result/b", "Phoronix Test Suite v8.6"
	var got []string
	for _, d := range Merge([]*result.File{a, b}).File.Diagnostics {
		got = append(got, d.Origin.Source+": "+d.Code+": "+d.Message)
	}
	want := []string{
		`a.xml: merged-from: 1 system and 1 test: title "T", address "https://example.org/result/a", date "2019-01-28 10:00:00", form "xml"`,
		`b.html: merged-from: 1 system and 2 tests: title "Other", address "https://example.org/result/b", client "Phoronix Test Suite v8.6"`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if d := Merge([]*result.File{a}).File.Diagnostics; d != nil {
		t.Errorf("one file alone: %v", d)
	}
}

// Whatever is merged, each value of each input is in the output as often as
// in the input that has it most, and at its test; nothing else is.
func TestMergeLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var files []*result.File
		for k := range rapid.IntRange(1, 4).Draw(t, "files") {
			var lines []string
			seen := map[string]bool{}
			for range rapid.IntRange(1, 8).Draw(t, "lines") {
				cell := fmt.Sprintf("%s|%s", rapid.SampledFrom([]string{"X", "Y", "Z"}).Draw(t, "test"), rapid.SampledFrom([]string{"A", "B"}).Draw(t, "system"))
				if !seen[cell] {
					seen[cell] = true
					lines = append(lines, cell+"|"+rapid.SampledFrom([]string{"1", "2"}).Draw(t, "value"))
				}
			}
			files = append(files, fileOf(fmt.Sprint("f", k), lines...))
		}
		count := func(f *result.File) map[string]int {
			n := map[string]int{}
			for _, test := range f.Tests {
				for _, m := range test.Measurements {
					n[test.Title+"|"+f.Systems[m.System].Identifier+"|"+m.Value]++
				}
			}
			return n
		}
		most, all := map[string]int{}, map[string]int{}
		for _, f := range files {
			for k, n := range count(f) {
				most[k] = max(most[k], n)
				all[k] += n
			}
		}
		got := count(Merge(files).File)
		for k := range most {
			if got[k] < most[k] || got[k] > all[k] {
				t.Fatalf("%s is there %d times, want %d to %d", k, got[k], most[k], all[k])
			}
		}
		if len(got) != len(most) {
			t.Fatalf("got %v, want %v", got, most)
		}
		for _, test := range Merge(files).File.Tests {
			cells := map[int]bool{}
			for _, m := range test.Measurements {
				if cells[m.System] {
					t.Fatalf("two values of one system in %q", test.Title)
				}
				cells[m.System] = true
			}
		}
	})
}
