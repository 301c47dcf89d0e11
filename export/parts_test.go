package export

import (
	"bytes"
	"encoding/csv"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/benchproof/benchproof/result"
)

// In parts, with systems that come late, a file gives what it gives whole.
func TestParts(t *testing.T) {
	for name, open := range map[string]func(io.Writer) Writer{
		"csv":    func(w io.Writer) Writer { return NewCSV(w, Options{}) },
		"ndjson": func(w io.Writer) Writer { return NewNDJSON(w, Options{}) },
		"json":   func(w io.Writer) Writer { return NewJSON(w, Options{Table: Results}) },
	} {
		var want, got bytes.Buffer
		whole, parts := open(&want), open(&got).(Parts)
		for _, f := range []*result.File{small(), nasty(), {}} {
			if err := whole.Write(f); err != nil {
				t.Fatal(err)
			}
			head := *f
			head.Tests, head.Systems = nil, f.Systems[:min(1, len(f.Systems))]
			if err := parts.File(&head); err != nil {
				t.Fatal(err)
			}
			for i := range f.Tests {
				test := f.Tests[i]
				for _, m := range test.Measurements {
					head.Systems = f.Systems[:max(len(head.Systems), m.System+1)]
				}
				if err := parts.Test(&test); err != nil {
					t.Fatal(err)
				}
			}
			if err := parts.End(f); err != nil {
				t.Fatal(err)
			}
		}
		for _, w := range []Writer{whole, parts} {
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if want.String() != got.String() {
			t.Errorf("%s: whole\n%s\nin parts\n%s", name, want.String(), got.String())
		}
	}
}

// Systems that come late never take the name of another.
func TestNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := &result.File{}
		var n Names
		var before []string
		for range rapid.IntRange(1, 6).Draw(t, "steps") {
			for range rapid.IntRange(0, 3).Draw(t, "systems") {
				f.AddSystem(rapid.SampledFrom([]string{"A", "A #2", "A #3", "A #2 #2", "B", ""}).Draw(t, "name"))
			}
			names := n.Of(f)
			if len(names) != len(f.Systems) {
				t.Fatalf("%d names of %d systems", len(names), len(f.Systems))
			}
			seen := map[string]bool{}
			for i, name := range names {
				if seen[name] {
					t.Fatalf("%q twice in %q", name, names)
				}
				seen[name] = true
				if i < len(before) && before[i] != name {
					t.Fatalf("system %d was %q and is %q", i, before[i], name)
				}
				if !strings.HasPrefix(name, f.Systems[i].Identifier) {
					t.Fatalf("%q for %q", name, f.Systems[i].Identifier)
				}
			}
			before = append(before[:0], names...)
		}
	})
}

// Cells are written as the standard library writes them.
func FuzzField(f *testing.F) {
	for _, s := range append(hostile, `\.`, `\.x`, " a", "\u00a0a", "\u3000", "\xff", "a\"\"b\"") {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, cell string) {
		var b strings.Builder
		w := csv.NewWriter(&b)
		// A line of one empty cell is written in quotes, so there are two.
		if err := w.Write([]string{cell, "x"}); err != nil {
			t.Fatal(err)
		}
		w.Flush()
		if got := string(appendField(nil, cell)) + ",x\n"; got != b.String() {
			t.Errorf("%q is written %q, want %q", cell, got, b.String())
		}
	})
}

func BenchmarkLongCSV(b *testing.B) {
	benchmark(b, func(w io.Writer) Writer { return NewCSV(w, Options{}) })
}

func BenchmarkLongNDJSON(b *testing.B) {
	benchmark(b, func(w io.Writer) Writer { return NewNDJSON(w, Options{}) })
}

func benchmark(b *testing.B, open func(io.Writer) Writer) {
	f := &result.File{Source: "composite.xml", Title: "Synthetic"}
	for range 24 {
		f.AddSystem("System " + string(rune('A'+len(f.Systems))))
	}
	for range 500 {
		t := result.Test{Title: "Flexible IO Tester", Version: "3.1", Arguments: "Type: Random Read - Block Size: 4KB", Scale: "MB/s", Proportion: result.HIB}
		for i := range f.Systems {
			t.Measurements = append(t.Measurements, result.Measurement{
				System: i, Value: "1234.5", RawValues: []string{"1233.4", "1234.5", "1235.6"}, StdError: "0.635085", StdErrorDerived: true, Samples: 3,
				Origin: result.Origin{Line: 100 + i, Column: 16},
			})
		}
		f.Tests = append(f.Tests, t)
	}
	b.ReportAllocs()
	for b.Loop() {
		var n counter
		if err := open(&n).Write(f); err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(n))
	}
}

type counter int

func (c *counter) Write(p []byte) (int, error) { *c += counter(len(p)); return len(p), nil }
