package parse

import (
	"sort"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/parse/internal/oracle"
	"github.com/benchproof/benchproof/result"
)

// cellsOf lists the measurements of a file: SYSTEM=VALUE, then ~ if inferred,
// ? if ambiguous and ! if failed; tests are parted by |.
func cellsOf(f *result.File) string {
	names := f.SystemNames()
	var tests []string
	for _, t := range f.Tests {
		var cells []string
		for _, m := range t.Measurements {
			mark := map[result.Decode]string{result.DecodeInferred: "~", result.DecodeAmbiguous: "?"}[m.Decode]
			if m.Status == result.StatusFailed {
				mark += "!"
			}
			cells = append(cells, names[m.System]+"="+m.Value+mark)
		}
		tests = append(tests, strings.Join(cells, " "))
	}
	return strings.Join(tests, " | ")
}

// codesOf lists the codes of the diagnostics, each once, but for notes.
func codesOf(f *result.File) string {
	seen := map[string]bool{}
	var codes []string
	for _, d := range f.Diagnostics {
		if d.Severity != result.SeverityInfo && !seen[d.Code] {
			seen[d.Code] = true
			codes = append(codes, d.Code)
		}
	}
	sort.Strings(codes)
	return strings.Join(codes, " ")
}

// What is read of exports that are wrong: never a value of another system or
// test as if it were sure, and a word where something may have been lost. The
// truth is that of the XML each was made of.
func TestWrongExports(t *testing.T) {
	for _, c := range []struct{ slug, fault, form, cells, codes string }{
		{"d01-title-comma", "the title's commas are not quoted", "csv", "A=1.5", ""},
		{"d02-identifier-quote", "a quote in an identifier is not doubled", "csv", `SSD 2.5" A=1.5 B=2.5`, ""},
		{"d02-identifier-quote", "a quote in an identifier is not doubled", "raw.csv", `SSD 2.5" A=1.5~ B=2.5~`, ""},
		{"d03-desc-quote", "quotes and commas in a label", "csv", "A=1.5 B=2.5", ""},
		{"d05-zero-value", "a value of 0 is left out", "json", "A=0~ B=2.5", ""},
		{"d06-duplicate-entry", "only the first of two entries is written", "csv", "A=1.5", ""},
		{"d07-two-results-same-hash", "profiles that differ in the last place of the version", "json", "A=1.5 | B=2.5", ""},
		{"d08-line-graph", "a series is a mean without a mark", "csv", "A=45.34~ B=2.5~", ""},
		{"d08-line-graph", "a series is a text", "json", "A=50.123,60.456,70.789,0.001 B=1,2,3,4", ""},
		{"d11-html-escape", "the system's name loses its tags, and the cell its value", "csv", "B=2.5", ""},
		{"d12-numeric-ids-loose-equal", "both columns show the first system's value", "csv", "5.1=100 5.10=?", "columns-mixed"},
		{"d12-numeric-ids-loose-equal", "", "json", "5.1=100 5.10=200", ""},
		{"d13-ids-0-1-2", "systems and entries are lists", "json", "0=10 1=20 2=30", ""},
		{"d15-raw-equals-value", "zeros at the end are gone", "json", "A=5 B=5", ""},
		{"d16-orphan-entry", "the value of an entry without a system is gone", "csv", "A=1.5", ""},
		{"d16-orphan-entry", "", "json", "A=1.5 Ghost=2.5", ""},
		{"d17-all-error", "a failed run is a blank cell", "csv", " | A=2.5", ""},
		{"d17-all-error", "", "json", "A=! | A=2.5", ""},
		{"d18-nonnumeric-formats", "a list of words is 0", "csv", "A=PASS B=FAIL | A=? B=? | A=iVBORw0KGgo= B=iVBORw0KGgp=", "zero-of-words"},
		{"d19-nan-inf", "no numbers", "json", "A=NaN B=inf", "not-a-number"},
		{"d19-nan-inf", "no numbers", "csv", "A=NaN B=inf", ""},
		{"d20-int-precision-big", "floats: the truth is …993 and …789", "json", "A=9007199254740992~ B=1.2345678901234568e+18~", "float-digits"},
		{"d21-newline-in-text", "line breaks as they are", "csv", "A=1.5", ""},
		{"d21-newline-in-text", "line breaks as they are", "raw.csv", "A=1.5~", ""},
		{"d22-empty-results", "an empty list", "json", "", "no-results"},
		{"d24-same-id-two-systems", "one value in two columns", "csv", "A=1.5 A #2=?", "columns-mixed components-mixed duplicate-system"},
		{"d25-truncated", "an empty export", "json", "", "no-results"},
		{"d25-truncated", "an empty export", "csv", "", "no-results"},
		{"d26-csv-formula", "formulas as they are", "csv", "=1+1=1.5 B=2.5", ""},
		{"d28-multi-pass-fail", "a list of words is 0", "csv", "A=? B=?", "zero-of-words"},
		{"d29-partial-error", "a failed run is a blank cell", "csv", "B=2.5", ""},
		{"d29-partial-error", "", "json", "A=! B=2.5", ""},
		{"d30-unknown-profile", "the profile is not named", "json", "A=1.5", ""},
	} {
		t.Run(c.slug+"/"+c.form, func(t *testing.T) {
			f := readOne(t, oracle.Shared(t, "corpus", "defects", c.slug, "pts."+c.form))
			if got := cellsOf(f); got != c.cells {
				t.Errorf("%s: got %s, want %s", c.fault, got, c.cells)
			}
			if got := codesOf(f); got != c.codes {
				t.Errorf("%s: diagnostics %q, want %q", c.fault, got, c.codes)
			}
		})
	}
}

// Every file of the corpus is read, or is one of those that hold nothing that
// could be known.
func TestCorpusWhole(t *testing.T) {
	unread := map[string]bool{
		// Exports of files without a result or a system: nothing but a title.
		"usap-cpu-active-empty/pts.raw.csv": true, "d22-empty-results/pts.raw.csv": true, "d25-truncated/pts.raw.csv": true,
		"pts01-newtest/pts.raw.csv": true, "pts01-sdfdsfdsf-1/pts.raw.csv": true, "pts01-sdfdsfdsf-2/pts.raw.csv": true,
		// The exporter ended with an error before it wrote anything.
		"d18-nonnumeric-formats/pts.text.txt": true, "d25-truncated/pts.text.txt": true, "d28-multi-pass-fail/pts.text.txt": true,
	}
	n := 0
	for _, kind := range []string{"real", "defects"} {
		for _, dir := range oracle.Glob(t, "corpus", kind, "*") {
			for _, path := range oracle.Glob(t, "corpus", kind, lastElement(dir), "*") {
				name := lastElement(dir) + "/" + lastElement(path)
				n++
				r, err := Open(path, Options{})
				if err != nil {
					t.Fatal(err)
				}
				files, err := collect(r)
				if (err != nil || len(files) == 0) != unread[name] {
					t.Errorf("%s: %d files, error %v", name, len(files), err)
				}
				if err := r.Close(); err != nil {
					t.Error(err)
				}
			}
		}
	}
	if n < 300 {
		t.Errorf("%d files", n)
	}
}

func lastElement(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }
