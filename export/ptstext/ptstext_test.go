package ptstext_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/benchproof/benchproof/export/ptstext"
	"github.com/benchproof/benchproof/export/xml"
	"github.com/benchproof/benchproof/parse"
	"github.com/benchproof/benchproof/result"
)

func read(t testing.TB, path string) *result.File {
	t.Helper()
	files, err := parse.ReadFile(path, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return files[0]
}

func write(t testing.TB, files ...*result.File) string {
	t.Helper()
	var b strings.Builder
	w := ptstext.New(&b)
	for _, f := range files {
		if err := w.Write(f); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The text that PTS itself made of the same composite.xml is the same, byte
// for byte.
func TestLikePTS(t *testing.T) {
	var paths []string
	for _, pattern := range []string{"flat/*.xml", "samples/forms/*.xml"} {
		found, err := filepath.Glob(filepath.Join("../../../shared", pattern))
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, found...)
	}
	if len(paths) == 0 {
		t.Skip("no ../shared with PTS's texts next to the repository")
	}
	same := 0
	for _, path := range paths {
		want, err := os.ReadFile(strings.TrimSuffix(path, ".xml") + ".text.txt")
		if err != nil {
			t.Fatal(err)
		}
		got := write(t, read(t, path))
		if got == string(want) {
			same++
			continue
		}
		t.Errorf("%s (-PTS +ours):\n%s", path, cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")))
	}
	t.Logf("%d of %d texts are byte-identical", same, len(paths))
}

// said is what PTS's command prints besides the text.
var said = regexp.MustCompile(`(?m)^ +\[NOTICE\].*\n|^ {9}\n`)

func plain(text string) []string {
	return strings.Split(strings.Trim(said.ReplaceAllString(text, ""), "\n"), "\n")
}

// otherwise are real files of which PTS makes another text: it reads no result
// of PTS 0.1, and does not list systems that only entries name.
var otherwise = map[string]bool{"pts01-newtest": true, "pts01-sdfdsfdsf-1": true, "pts01-sdfdsfdsf-2": true, "ub-z3-local-8err": true}

// wide is what PTS's command writes on a terminal of 80 columns.
func wide(t *testing.T, f *result.File) string {
	t.Helper()
	var b strings.Builder
	w := ptstext.New(&b)
	w.Columns = 80
	if err := w.Write(f); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Of files of other people, too, but where PTS itself goes wrong. Its command
// prints empty lines around the text.
func TestLikePTSOnRealFiles(t *testing.T) {
	paths, err := filepath.Glob("../../../shared/corpus/real/*/composite.xml")
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) == 0 {
		t.Skip("no ../shared with published files next to the repository")
	}
	same := 0
	for _, path := range paths {
		want, err := os.ReadFile(filepath.Join(filepath.Dir(path), "pts.text.txt"))
		if err != nil {
			t.Fatal(err)
		}
		first := read(t, path)
		got := wide(t, first)
		if diff := cmp.Diff(plain(string(want)), plain(got)); diff == "" {
			same++
		} else if !otherwise[filepath.Base(filepath.Dir(path))] {
			t.Errorf("%s (-PTS +ours):\n%s", path, diff)
		}
		// A composite.xml of ours gives the same text.
		written := filepath.Join(t.TempDir(), "composite.xml")
		var b strings.Builder
		x := xml.New(&b)
		if err := errors.Join(x.Write(first), x.Close(), os.WriteFile(written, []byte(b.String()), 0o666)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(got, wide(t, read(t, written))); diff != "" {
			t.Errorf("%s (-original +written as XML):\n%s", path, diff)
		}
	}
	t.Logf("%d of %d texts are identical", same, len(paths))
}

// What a value of a test becomes, and whether it has a row at all. The rows
// are worked out by hand.
func TestRows(t *testing.T) {
	ok := func(values ...string) []result.Measurement {
		var list []result.Measurement
		for i, v := range values {
			list = append(list, result.Measurement{System: i, Value: v})
		}
		return list
	}
	for _, test := range []struct {
		name     string
		list     []result.Measurement
		rows     string
		warnings int
	}{
		{"decimals of all", ok("1.5", "2", "1.0625"), "A . 1.5000|B . 2.0000|C . 1.0625", 0},
		{"two from 10 on", ok("10", "299.625"), "A . 10.00|B . 299.63", 0},
		{"more below 10", ok("9.9999", "299.625"), "A . 9.9999|B . 299.6250", 0},
		{"carries", ok("10.999", "99.995"), "A . 11.00|B . 100.00", 0},
		{"large", ok("9007199254740993", "1234567890123456789"), "A . 9007199254740993|B . 1234567890123456789", 0},
		{"negative", ok("-1.25", "-0.001"), "A . -1.250|B . -0.001", 0},
		{"exponents", ok("1e3", "2500"), "A . 1000|B . 2500", 0},
		{"words", ok("PASS", "NaN", "-inf"), "A . PASS|B . |C . ", 1},
		{"nothing", ok("0", "7"), "B . 7", 1},
		{"nothing with decimals", ok("0", "7.5"), "A . 0.0|B . 7.5", 0},
		{"lists", ok("50.123,60.456,70.789,0.001", "1,2,3,4"), "A . MIN: 0.0  AVG: 45.3  MAX: 70.8|B . MIN: 1.0  AVG: 2.5   MAX: 4.0", 0},
		{"no value", []result.Measurement{{Status: result.StatusFailed}, {System: 1, Decode: result.DecodeAmbiguous, Alternatives: []string{"1"}}, {System: 2, Value: "3", Decode: result.DecodeInferred}}, "C . 3", 3},
	} {
		f := &result.File{
			Systems: []result.System{{Identifier: "A"}, {Identifier: "B"}, {Identifier: "C"}},
			Tests:   []result.Test{{Title: "T", Arguments: "x", Scale: "s", Measurements: test.list}},
		}
		var b strings.Builder
		w := ptstext.New(&b)
		if err := w.Write(f); err != nil {
			t.Fatal(err)
		}
		_, rows, ok := strings.Cut(b.String(), "\nT\nx\ns\n")
		if !ok {
			t.Fatalf("%s: no head in\n%s", test.name, b.String())
		}
		var got []string
		for line := range strings.SplitSeq(strings.TrimSuffix(rows, "\n\n"), "\n") {
			text, bar, hasBar := strings.Cut(line, "|")
			if hasBar && strings.Trim(bar, "=") != "" {
				t.Errorf("%s: bar %q", test.name, bar)
			}
			if text != "A . " && text != "B . " && text != "C . " {
				text = strings.TrimRight(text, " ")
			}
			got = append(got, text)
		}
		if rows := strings.Join(got, "|"); rows != test.rows {
			t.Errorf("%s:\n got %q\nwant %q", test.name, rows, test.rows)
		}
		if n := len(w.Warnings()); n != test.warnings {
			t.Errorf("%s: %d warnings, want %d: %v", test.name, n, test.warnings, w.Warnings())
		}
	}
}

// No text of a record starts a line of its own or acts on a terminal.
func TestHostileText(t *testing.T) {
	const evil = "a\nb\r\x1b[31m\u202e\x00"
	text := write(t, &result.File{
		Title: evil, Description: evil, Systems: []result.System{{Identifier: evil, Hardware: []result.Component{{Key: evil, Value: evil}}}},
		Tests: []result.Test{{Title: evil, Version: evil, Arguments: evil, Scale: evil, Measurements: []result.Measurement{{Value: evil}, {Value: "1"}}}},
	})
	if strings.ContainsAny(text, "\r\x1b\x00\u202e") || strings.Count(text, "\n") != 17 {
		t.Errorf("%d lines: %q", strings.Count(text, "\n"), text)
	}
}

// One name or figure that is very long does not make every row as long.
func TestLongTextIsNotRepeated(t *testing.T) {
	f := &result.File{Systems: []result.System{{Identifier: strings.Repeat("x", 1<<20)}}}
	test := result.Test{Measurements: []result.Measurement{{Value: "0." + strings.Repeat("0", 1<<20) + "1"}}}
	for i := range 50 {
		f.AddSystem("s")
		test.Measurements = append(test.Measurements, result.Measurement{System: i + 1, Value: "1"})
	}
	f.Tests = []result.Test{test}
	if n := len(write(t, f)); n > 3<<20 {
		t.Errorf("%d bytes of a file of 2 MB", n)
	}
}

func BenchmarkWrite(b *testing.B) {
	f := &result.File{}
	for i := range 20 {
		f.Systems = append(f.Systems, result.System{Identifier: "System " + string(rune('A'+i))})
	}
	for range 500 {
		t := result.Test{Title: "Test", Scale: "MB/s", Proportion: result.HIB}
		for i := range f.Systems {
			t.Measurements = append(t.Measurements, result.Measurement{System: i, Value: "1234.56"})
		}
		f.Tests = append(f.Tests, t)
	}
	for b.Loop() {
		var n countWriter
		w := ptstext.New(&n)
		if err := w.Write(f); err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(n))
	}
}

type countWriter int

func (c *countWriter) Write(p []byte) (int, error) { *c += countWriter(len(p)); return len(p), nil }
