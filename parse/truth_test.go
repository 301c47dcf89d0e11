package parse

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/parse/internal/oracle"
	"github.com/benchproof/benchproof/result"
)

func open(t *testing.T, path string) *result.File {
	t.Helper()
	r, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	files, err := collect(r)
	if err != nil || len(files) != 1 {
		t.Fatalf("%s: %d files, error %v", path, len(files), err)
	}
	return files[0]
}

// The published dumps against the truth that was checked by hand.
func TestPublishedDumps(t *testing.T) {
	for _, path := range oracle.Glob(t, "samples", "truth", "*.json") {
		name := strings.TrimSuffix(filepath.Base(path), ".json")
		t.Run(name, func(t *testing.T) {
			got := open(t, oracle.Shared(t, "samples", name+".txt"))
			want := oracle.Truth(t, path)
			var tally oracle.Tally
			for _, line := range oracle.Diff(got, want, oracle.Options{JoinTitle: true, Tally: &tally}) {
				t.Error(line)
			}
			t.Log(tally)
			if got.Format != want.Format {
				t.Errorf("format %s, want %s", got.Format, want.Format)
			}
			for _, d := range got.Diagnostics {
				if d.Severity == result.SeverityError {
					t.Error(d)
				}
			}
		})
	}
}

// Every form that PTS renders of a result against its composite.xml: no
// value may be wrong, and only the flattened text may leave some open.
func TestRenderedForms(t *testing.T) {
	forms := []struct {
		ending string
		flat   bool
		o      oracle.Options
	}{
		{".xml", false, oracle.Options{SkipSE: true}},
		{".html", false, oracle.Options{SkipXMLFields: true, ZeroMayBeMissing: true}},
		{".text.txt", false, oracle.Options{SkipXMLFields: true, SkipSE: true, JoinHead: true, ZeroMayBeMissing: true}},
		{".collapsed.txt", false, oracle.Options{SkipXMLFields: true, SkipSE: true, JoinHead: true, JoinTitle: true, CollapseSpace: true, ZeroMayBeMissing: true}},
		{".flat.txt", true, oracle.Options{SkipXMLFields: true, JoinHead: true, CollapseSpace: true, ZeroMayBeMissing: true, SkipAmbiguous: true}},
	}
	sources := append(oracle.Glob(t, "samples", "forms", "*.xml"), oracle.Glob(t, "flat", "*.xml")...)
	if testing.Short() {
		sources = sources[:8]
	}
	for _, form := range forms {
		t.Run(form.ending, func(t *testing.T) {
			t.Parallel()
			var total oracle.Tally
			differences := 0
			for _, source := range sources {
				path := strings.TrimSuffix(source, ".xml") + form.ending
				if _, err := os.Stat(path); err != nil {
					continue // not every form is there of every result
				}
				o := form.o
				o.NumericValues, o.SkipSource = true, true
				o.Tally = new(oracle.Tally)
				// A result tracker's graphs are lines without errors.
				o.SkipMissingSE = filepath.Base(source) == "027.xml"
				for _, line := range oracle.Diff(open(t, path), oracle.XML(t, source), o) {
					differences++
					if !form.flat {
						t.Errorf("%s: %s", filepath.Base(path), line)
					}
				}
				if n := o.Tally.WrongExact + o.Tally.WrongInferred + o.Tally.Unwanted; n > 0 {
					t.Errorf("%s: %d wrong: %v", filepath.Base(path), n, o.Tally)
				}
				total.Add(*o.Tally)
			}
			t.Logf("%v; %d differences", total, differences)
			if total.Total() == 0 {
				t.Error("nothing was compared")
			}
		})
	}
}
