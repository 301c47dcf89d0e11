package csv_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/parse"
	"github.com/benchproof/benchproof/parse/internal/oracle"
	"github.com/benchproof/benchproof/result"
)

// table writes files as a CSV table.
func table(t *testing.T, files []*result.File, o export.Options) string {
	t.Helper()
	var b bytes.Buffer
	w := export.NewCSV(&b, o)
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

func readAll(t *testing.T, name, text string) []*result.File {
	t.Helper()
	r, err := parse.NewReader(strings.NewReader(text), name, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	files, err := r.All()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return files
}

// withoutPlaces takes the columns of lines and columns off a long table: they
// are those of the input that was read last. A standard error that the runs
// give is written in any case, so the table is the same.
func withoutPlaces(text string) string {
	lines := strings.SplitAfter(text, "\n")
	for i, l := range lines {
		if p := strings.LastIndexByte(l, ','); p > 0 {
			if p = strings.LastIndexByte(l[:p], ','); p > 0 {
				lines[i] = l[:p] + "\n"
			}
		}
	}
	return strings.Join(lines, "")
}

// A table that is read back and written again is the same table: values,
// errors, runs, certainty, names that begin like formulas, quotes and commas.
func TestTablesReadBack(t *testing.T) {
	paths := append(oracle.Glob(t, "corpus", "defects", "*"), oracle.Glob(t, "corpus", "real", "*")...)
	n := 0
	for _, dir := range paths {
		path := filepath.Join(dir, "composite.xml")
		r, err := parse.Open(path, parse.Options{})
		if err != nil {
			continue // a directory without one
		}
		var files []*result.File
		for f, err := range r.Files() {
			if err != nil {
				t.Fatal(err)
			}
			if len(f.Tests) > 0 {
				files = append(files, f)
			}
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		if len(files) == 0 {
			continue
		}
		n++
		t.Run(filepath.Base(dir), func(t *testing.T) {
			long := table(t, files, export.Options{})
			if strings.Count(long, "\n") > 1 {
				again := table(t, readAll(t, "long.csv", long), export.Options{})
				if d := cmp.Diff(withoutPlaces(long), withoutPlaces(again)); d != "" {
					t.Errorf("long table: %s", d)
				}
			}
			wide := table(t, files, export.Options{Layout: export.Wide})
			again := table(t, readAll(t, "wide.csv", wide), export.Options{Layout: export.Wide})
			if d := cmp.Diff(wide, again); d != "" {
				t.Errorf("wide table: %s", d)
			}
		})
	}
	if n < 50 {
		t.Errorf("only %d files", n)
	}
}

// A list of values is no number with a decimal comma: what is written in any
// dialect and layout reads back as it was.
func TestListsReadBack(t *testing.T) {
	const head = `<PhoronixTestSuite><System><Identifier>A</Identifier></System><System><Identifier>B</Identifier></System>`
	const points = `<Result><Title>T</Title><Scale>s</Scale><DisplayFormat>BAR_GRAPH</DisplayFormat><Data>
<Entry><Identifier>A</Identifier><Value>1.5</Value><RawString>1.4:1.6</RawString></Entry></Data></Result>`
	const lists = `<Result><Title>Heat</Title><Scale>Celsius</Scale><DisplayFormat>LINE_GRAPH</DisplayFormat><Data>
<Entry><Identifier>A</Identifier><Value>12,5</Value><RawString>1,2:3,4</RawString></Entry>
<Entry><Identifier>B</Identifier><Value>1,234</Value><RawString>1.5,2.5</RawString></Entry></Data></Result>`
	type cell struct{ value, runs, decode string }
	want := []cell{{"12,5", "1,2 3,4", "exact"}, {"1,234", "1.5,2.5", "exact"}}
	doubt := []cell{{"", "1,2 3,4", "ambiguous"}, {"", "1.5,2.5", "ambiguous"}}
	for _, c := range []struct {
		name, tests string
		o           export.Options
		want        []cell
	}{
		{"point", points + lists, export.Options{}, want},
		{"comma", points + lists, export.Options{DecimalComma: true}, want},
		// Nothing tells pairs from the numbers of a spreadsheet that prints 12,5 for 12.5.
		{"no point", lists, export.Options{}, doubt},
		{"wide", points + lists, export.Options{Layout: export.Wide}, []cell{{"12,5", "", "inferred"}, {"1,234", "", "inferred"}}},
		{"wide comma", points + lists, export.Options{Layout: export.Wide, DecimalComma: true}, []cell{{"12,5", "", "inferred"}, {"1,234", "", "inferred"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := table(t, readAll(t, "in.xml", head+c.tests+`</PhoronixTestSuite>`), c.o)
			f := readAll(t, "out.csv", text)[0]
			var got []cell
			for _, m := range f.Tests[len(f.Tests)-1].Measurements {
				got = append(got, cell{m.Value, strings.Join(m.RawValues, " "), m.Decode.String()})
			}
			if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(cell{})); diff != "" {
				t.Errorf("(-want +got)\n%s%s", diff, text)
			}
			errors := 0
			for _, d := range f.Diagnostics {
				if d.Code == "number-ambiguous" && d.Severity == result.SeverityError && d.Origin.Line == 2+errors {
					errors++
				}
			}
			if want := map[bool]int{true: 2}[c.name == "no point"]; errors != want {
				t.Errorf("%d values are said to be unsure, want %d: %v", errors, want, f.Diagnostics)
			}
		})
	}
}

// Text that begins like a formula, or like one that is guarded, reads back as it
// was, in all columns.
func TestGuardedReadsBack(t *testing.T) {
	texts := []string{"=1+1", "'=1+1", "''-O2", "'a", "'", "-x", "'+", "@", "plain"}
	f := &result.File{Source: "s", Title: "t"}
	for i, text := range texts {
		f.AddSystem(text)
		f.Tests = append(f.Tests, result.Test{
			Title: text, Version: text, Profile: text, Arguments: text, Scale: text,
			Measurements: []result.Measurement{{System: i, Value: text}},
		})
	}
	got := readAll(t, "in.csv", table(t, []*result.File{f}, export.Options{}))[0]
	for i, text := range texts {
		x := got.Tests[i]
		for _, s := range []string{x.Title, x.Version, x.Profile, x.Arguments, x.Scale, x.Measurements[0].Value, got.Systems[x.Measurements[0].System].Identifier} {
			if s != text {
				t.Errorf("%q reads back as %q", text, s)
			}
		}
	}
}
