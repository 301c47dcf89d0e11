package text

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/parse/internal/oracle"
	"github.com/benchproof/benchproof/result"
)

func load(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// one reads text that holds one dump.
func one(t *testing.T, text string) *result.File {
	t.Helper()
	files := checkRead(t, text)
	if len(files) != 1 {
		t.Fatalf("%d dumps, want 1", len(files))
	}
	return files[0]
}

func collapse(text string) string { return strings.Join(strings.Fields(text), " ") }

// forText are the options for records of text: what it does not print is
// not compared.
func forText(tally *oracle.Tally) oracle.Options {
	return oracle.Options{
		JoinTitle: true, CollapseSpace: true, Tally: tally,
		SkipSE: true, SkipXMLFields: true, SkipSource: true, SkipInherited: true, SkipNotes: true, SkipFootnotes: true,
	}
}

// unexpected returns the diagnostics of a file but for those of some codes.
func unexpected(f *result.File, codes ...string) []string {
	var lines []string
	for _, d := range f.Diagnostics {
		if !strings.Contains(" "+strings.Join(codes, " ")+" ", " "+d.Code+" ") {
			lines = append(lines, fmt.Sprintf("%s: %v", d.Code, d))
		}
	}
	return lines
}

// The five published dumps, in both forms, against their truth: everything,
// and every value exact.
func TestSamples(t *testing.T) {
	for _, path := range oracle.Glob(t, "samples", "truth", "*.json") {
		want := oracle.Truth(t, path)
		name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".json"), ".flat")
		for _, form := range []string{"text", "collapsed"} {
			t.Run(name+"/"+form, func(t *testing.T) {
				f := one(t, load(t, oracle.Shared(t, "samples", "forms", name+"."+form+".txt")))
				var tally oracle.Tally
				o := forText(&tally)
				o.Order = true
				o.JoinTitle = form == "collapsed"
				if want.TitleSplit != result.DecodeExact {
					o.JoinTitle = true
				}
				for _, line := range oracle.Diff(f, want, o) {
					t.Error(line)
				}
				if tally.Exact == 0 || tally.Exact != tally.Total() {
					t.Errorf("compared %v", tally)
				}
				for i := range f.Tests {
					if d := f.Tests[i].HeadDecode; d != result.DecodeExact {
						t.Errorf("head of %q is %v", f.Tests[i].Name(), d)
					}
				}
				for _, line := range unexpected(f, "failed-entry", "identifier-guessed") {
					t.Error(line)
				}
				wantFormat := map[string]result.Format{"text": result.FormatText, "collapsed": result.FormatTextCollapsed}[form]
				if f.Format != wantFormat {
					t.Errorf("format %s", f.Format)
				}
			})
		}
	}
}

// The truth names seven tests of one dump whose dots leave room for a system
// without a row.
func TestFailedEntries(t *testing.T) {
	hints := strings.Count(load(t, oracle.Shared(t, "samples", "truth", "linux-5.14-filesystems.json")), `"failed_entry_hint"`)
	for _, form := range []string{"text", "collapsed"} {
		f := one(t, load(t, oracle.Shared(t, "samples", "forms", "linux-5.14-filesystems."+form+".txt")))
		n := 0
		for _, d := range f.Diagnostics {
			if d.Code == "failed-entry" && strings.Contains(d.Message, `"Tests with low-level reformatted nvme 4k sectors and new zfs pool ashift=12"`) && d.Severity == result.SeverityInfo {
				n++
			}
		}
		if n != hints || n != 7 {
			t.Errorf("%s: %d tests with an unseen entry, want %d", form, n, hints)
		}
	}
}

// rendered returns the text exports whose composite.xml is known, with it.
func rendered(t *testing.T) map[string]string {
	t.Helper()
	paths := make(map[string]string)
	for _, text := range oracle.Glob(t, "flat", "*.text.txt") {
		paths[text] = strings.TrimSuffix(text, ".text.txt") + ".xml"
	}
	for _, group := range []string{"real", "defects"} {
		dir := oracle.Shared(t, "corpus", group)
		texts, err := filepath.Glob(filepath.Join(dir, "*", "pts.text.txt"))
		if err != nil || len(texts) == 0 {
			t.Fatalf("no exports in %s: %v", dir, err)
		}
		for _, text := range texts {
			paths[text] = filepath.Join(filepath.Dir(text), "composite.xml")
		}
	}
	return paths
}

// notInText are the exports that do not say what their XML does, and why.
var notInText = map[string]string{
	"m06":                              "a value of 0 has no row",
	"pts01-newtest":                    "PTS reads no results of that age",
	"pts01-sdfdsfdsf-1":                "PTS reads no results of that age",
	"pts01-sdfdsfdsf-2":                "PTS reads no results of that age",
	"d06-duplicate-entry":              "rows that contradict each other are ambiguous",
	"d11-html-escape":                  "tags are stripped from some texts",
	"d18-nonnumeric-formats":           "the export is empty",
	"d19-nan-inf":                      "NaN and inf are blank",
	"d22-empty-results":                "there is no test",
	"d25-truncated":                    "the XML is broken",
	"d27-result-split-per-system":      "PTS drops a result",
	"d28-multi-pass-fail":              "the export is empty",
	"d31-two-unknown-profiles-collide": "PTS drops a result",
	"d32-retry-after-error":            "PTS drops an entry",
	"ub-z3-local-8err":                 "entries without a value name further systems",
}

// Exports that PTS rendered from known XML, as they are and collapsed.
func TestRendered(t *testing.T) {
	var whole [2]oracle.Tally
	heads, inferred := 0, 0
	for path, xml := range rendered(t) {
		name := filepath.Base(filepath.Dir(path))
		if name == "flat" {
			name = strings.TrimSuffix(filepath.Base(path), ".text.txt")
		}
		if notInText[name] != "" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			want := oracle.XML(t, xml)
			for i, text := range []string{load(t, path), collapse(load(t, path))} {
				f := one(t, text)
				var tally oracle.Tally
				o := forText(&tally)
				o.NumericValues = true
				o.JoinHead = true
				for _, line := range oracle.Diff(f, want, o) {
					t.Errorf("form %d: %s", i, line)
				}
				allowed := "failed-entry identifier-guessed ignored-text no-tests duplicate-entry duplicate-system unknown-system"
				if i == 1 {
					allowed += " truncated" // a series that ends the text
				}
				for _, line := range unexpected(f, strings.Fields(allowed)...) {
					t.Errorf("form %d: %s", i, line)
				}
				whole[i].Add(tally)
				for k := range f.Tests {
					heads += i
					if f.Tests[k].HeadDecode != result.DecodeExact {
						inferred += i
					}
				}
			}
		})
	}
	for i, tally := range whole {
		if tally.Exact < 7000 || tally.WrongExact+tally.WrongInferred+tally.Missing+tally.Unwanted > 0 {
			t.Errorf("form %d: %v", i, tally)
		}
		t.Logf("form %d: %v", i, tally)
	}
	t.Logf("heads of the collapsed form: %d, inferred %d", heads, inferred)
}

// Both forms of one export make the same record but for what the collapsed
// form does not say.
func TestFormsAgree(t *testing.T) {
	for path := range rendered(t) {
		if strings.Contains(path, "d06-duplicate-entry") {
			continue // what is ambiguous has no value to agree on
		}
		text := load(t, path)
		lines, words := checkRead(t, text), checkRead(t, collapse(text))
		if len(lines) != len(words) {
			t.Errorf("%s: %d and %d dumps", path, len(lines), len(words))
			continue
		}
		for i := range lines {
			if strings.Contains(path, "d19-nan-inf") || strings.Contains(path, "d11-html-escape") {
				continue // the last row has no value; a name differs in its rows
			}
			o := forText(nil)
			o.JoinHead = true
			o.Order = true
			o.SkipTitle = strings.Contains(path, "d22-empty-results") // "A" may be the title's
			for _, line := range oracle.Diff(words[i], lines[i], o) {
				t.Errorf("%s: %s", path, line)
			}
		}
	}
}
