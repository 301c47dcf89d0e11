package html

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/benchproof/benchproof/parse/internal/oracle"
	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

// load returns a file's content.
func load(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// one reads a text that holds one page.
func one(t testing.TB, name, text string) (*source.Doc, *result.File) {
	t.Helper()
	doc := source.New(name, text)
	var files []*result.File
	if err := Read(doc, func(f *result.File) error { files = append(files, f); return nil }); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if len(files) != 1 {
		t.Fatalf("%s: %d files, want 1", name, len(files))
	}
	return doc, files[0]
}

// sound reports what no record may be, whatever the page: places that are
// not where the text stands, values without a place, systems out of range.
func sound(t testing.TB, doc *source.Doc, f *result.File) {
	t.Helper()
	at := func(what, text string, o result.Origin) {
		t.Helper()
		switch {
		case o.Line == 0:
			t.Errorf("%s: %s %q has no place", doc.Name, what, text)
		case !strings.HasPrefix(doc.Text[o.Offset:], text):
			t.Errorf("%s: %s %q is said to stand at %d, where %q does", doc.Name, what, text, o.Offset, clip(doc.Text[o.Offset:]))
		default:
			before := doc.Text[:o.Offset]
			if line := strings.Count(before, "\n") + 1; line != o.Line {
				t.Errorf("%s: %s %q: line %d, want %d", doc.Name, what, text, o.Line, line)
			}
			if column := o.Offset - strings.LastIndexByte(before, '\n'); column != o.Column {
				t.Errorf("%s: %s %q: column %d, want %d", doc.Name, what, text, o.Column, column)
			}
		}
	}
	checked := 0
	for i := range f.Tests {
		test := &f.Tests[i]
		for k := range test.Measurements {
			m := &test.Measurements[k]
			if checked++; checked > 300 {
				return // counting lines is slow
			}
			if m.System < 0 || m.System >= len(f.Systems) {
				t.Fatalf("%s: %q: system %d of %d", doc.Name, test.Title, m.System, len(f.Systems))
			}
			switch {
			case m.Status == result.StatusFailed:
				if m.Value != "" {
					t.Errorf("%s: %q: failed and a value %q", doc.Name, test.Title, m.Value)
				}
				continue
			case m.Decode == result.DecodeAmbiguous:
				if m.Value != "" || len(m.Alternatives) == 0 {
					t.Errorf("%s: %q: ambiguous: value %q of %q", doc.Name, test.Title, m.Value, m.Alternatives)
				}
				continue
			case m.Value == "":
				t.Errorf("%s: %q: no value", doc.Name, test.Title)
			}
			at("value", m.Value, m.Origin)
			if !slices.Contains([]string{"html/svg-value", "html/overview", "html/pass-fail", "html/line-average", "html/box-average"}, m.Origin.Rule) {
				t.Errorf("%s: value %q by rule %q", doc.Name, m.Value, m.Origin.Rule)
			}
		}
	}
	for i := range f.Systems {
		s := &f.Systems[i]
		if s.Origin.Rule != "html/systems-table" || s.Identifier == "" {
			continue
		}
		// The place is that of the name as it is written, entities and all.
		written, _, _ := strings.Cut(doc.Text[s.Origin.Offset:], "<")
		if name := strings.ReplaceAll(html.UnescapeString(written), "\x00", "\ufffd"); !strings.HasSuffix(s.Identifier, strings.TrimSpace(name)) || name == "" {
			t.Errorf("%s: system %q is said to stand where %q does", doc.Name, s.Identifier, clip(written))
		}
	}
}

// pageOptions are those for a page against the composite.xml that it was
// rendered from.
var pageOptions = oracle.Options{NumericValues: true, SkipXMLFields: true, SkipSource: true, SkipMissingTests: true}

// lost is what a page cannot tell, since the exporter had lost or changed it
// before it wrote the page, by the directory of the page and a part of the line
// that the oracle gives for it.
var lost = map[string][]string{
	"d04-hw-comma-colon":               {`Disk: got "2 x 480GB SSD", want "2 x 480GB SSD, RAID0"`},               // a component cut at its comma
	"d06-duplicate-entry":              {`"A": missing, want "9.9"`},                                             // one bar for two entries
	"d11-html-escape":                  {"title: got", "description: got", "systems: got 3"},                     // tags stripped
	"d12-numeric-ids-loose-equal":      {`"5.10": got standard error "1.00", N = 0`},                             // no bar: N is not printed
	"d20-int-precision-big":            {`got standard error "1.00", N = 2, want 2.00`},                          // float arithmetic at 2^53
	"d24-same-id-two-systems":          {"system 1", "system 1", "system 2", "system 2", "system 2", "system 2"}, // the second's in the first's place
	"d27-result-split-per-system":      {`"A": missing, want "1.5"`, `"B": unwanted exact value "2.5"`},          // one result replaced the other
	"d28-multi-pass-fail":              {`inferred ok value "PASS", want "PASS,FAIL,PASS"`, `inferred ok value "PASS", want "PASS,PASS,PASS"`},
	"d31-two-unknown-profiles-collide": {`"A": got exact ok value "99", want "1.5"`}, // one result replaced the other
	"d32-retry-after-error":            {`want a failed one`, `missing, want "2.5"`}, // the retry replaced the failure
	"gen-monitor-linegraph":            {`"Bro-PC A, v5.1": missing, want "100.00,`}, // a line left out
	"pts01-newtest":                    {"Screen Resolution: got", "Compiler: got"},  // white space at the end
	"pts01-sdfdsfdsf-1":                {"Screen Resolution: got", "Compiler: got"},
	"pts01-sdfdsfdsf-2":                {"Screen Resolution: got", "Compiler: got"},
	"ub-z3-local-8err":                 {"systems: got 4"}, // entries without a System element, all failed
	"ucd-pjdfstest-passfail":           {`proportion: got "", want "LIB"`},
	// Line graphs print no standard errors.
	"027": slices.Repeat([]string{"no standard error, want"}, 40),
}

// Every page against the XML that it was rendered from.
func TestPages(t *testing.T) {
	var pairs [][3]string // name, page, XML
	for _, path := range oracle.Glob(t, "flat", "*.html") {
		name := strings.TrimSuffix(filepath.Base(path), ".html")
		pairs = append(pairs, [3]string{name, path, filepath.Join(filepath.Dir(path), strings.TrimSuffix(name, ".ob")+".xml")})
	}
	for _, path := range oracle.Glob(t, "samples", "forms", "*.html") {
		name := strings.TrimSuffix(path, ".html")
		pairs = append(pairs, [3]string{filepath.Base(name), path, name + ".xml"})
	}
	for _, kind := range []string{"defects", "real"} {
		for _, path := range oracle.Glob(t, "corpus", kind, "*") {
			pairs = append(pairs, [3]string{filepath.Base(path), filepath.Join(path, "pts.html"), filepath.Join(path, "composite.xml")})
		}
	}
	var total oracle.Tally
	pages, whole, part := 0, 0, 0
	for _, p := range pairs {
		name, path, xml := p[0], p[1], p[2]
		if _, err := os.Stat(path); err != nil {
			continue // the exporter wrote no page
		}
		pages++
		t.Run(name, func(t *testing.T) {
			doc, got := one(t, filepath.Base(path), load(t, path))
			sound(t, doc, got)
			want, err := oracle.ReadXML([]byte(load(t, xml)))
			if err != nil {
				if name != "d25-truncated" {
					t.Fatal(err)
				}
				return
			}
			o := pageOptions
			var tally oracle.Tally
			o.Tally = &tally
			left := slices.Clone(lost[name])
			for _, line := range oracle.Diff(got, want, o) {
				i := slices.IndexFunc(left, func(s string) bool { return strings.Contains(line, s) })
				if i < 0 {
					t.Error(line)
					continue
				}
				left = slices.Delete(left, i, i+1)
			}
			for _, s := range left {
				t.Errorf("expected a difference with %q: the list of what pages lose is out of date", s)
			}
			total.Add(tally)
			for _, m := range profiles(got, want, &whole, &part) {
				t.Error(m)
			}
			for _, d := range got.Diagnostics {
				if d.Severity != result.SeverityInfo && !slices.Contains(doubtful[name], d.Code) {
					t.Errorf("diagnostic %v", d)
				}
			}
		})
	}
	t.Logf("%d pages, %v; profiles: %d whole, %d without version", pages, total, whole, part)
	// The wrong ones are those of the list above.
	if total.Exact < 9000 || total.WrongExact > 1 || total.WrongInferred > 2 || total.Ambiguous > 0 {
		t.Errorf("%d pages, %v", pages, total)
	}
}

// doubtful lists the pages that deserve a warning.
var doubtful = map[string][]string{
	"d06-duplicate-entry":     {"overview-mismatch"},
	"d24-same-id-two-systems": {"duplicate-identifier"},
}

// profiles counts the tests by what their profile is, and returns a line for
// each that is not the published one: all of it, or without its version.
func profiles(got, want *result.File, whole, part *int) []string {
	var lines []string
	next := 0
	for i := range got.Tests {
		g := &got.Tests[i]
		for next < len(want.Tests) && (want.Tests[next].Title != g.Title || fold(want.Tests[next].Arguments) != fold(g.Arguments)) {
			next++
		}
		if next == len(want.Tests) {
			break
		}
		w := &want.Tests[next]
		next++
		switch {
		case g.Profile == "":
		case g.Profile == w.Profile:
			*whole++
		case strings.HasPrefix(w.Profile, g.Profile+"-"):
			*part++
		default:
			lines = append(lines, fmt.Sprintf("%q: profile %q, want %q", g.Title, g.Profile, w.Profile))
		}
	}
	return lines
}

// The five published sets against their hand-checked truth. The truth of text
// dumps knows nothing of columns; the flattened pages' leaves standard errors
// open, which the page itself does not.
func TestTruth(t *testing.T) {
	for _, path := range oracle.Glob(t, "samples", "truth", "*.json") {
		flat := strings.HasSuffix(path, ".flat.json")
		name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".json"), ".flat")
		t.Run(name, func(t *testing.T) {
			want := oracle.Truth(t, path)
			doc, got := one(t, name, load(t, oracle.Shared(t, "samples", "forms", name+".html")))
			sound(t, doc, got)
			var tally oracle.Tally
			for _, line := range oracle.Diff(got, want, oracle.Options{
				JoinTitle: !flat, SkipSource: !flat, SkipInherited: !flat, SkipSE: flat, SkipXMLFields: true, Tally: &tally,
			}) {
				t.Error(line)
			}
			if tally.Exact == 0 || tally.Exact != tally.Total() {
				t.Errorf("compared %v", tally)
			}
			if !flat {
				return
			}
			// Every error that the truth leaves open is tied to a system here.
			open, tied := 0, 0
			for i := range want.Tests {
				open += len(want.Tests[i].Unassigned)
				for k := range want.Tests[i].Measurements {
					if want.Tests[i].Measurements[k].StdError != "" {
						open++
					}
				}
			}
			for i := range got.Tests {
				for k := range got.Tests[i].Measurements {
					if got.Tests[i].Measurements[k].StdError != "" {
						tied++
					}
				}
			}
			if open != tied {
				t.Errorf("%d standard errors are tied to systems, the page prints %d", tied, open)
			}
		})
	}
}

// The graph of one group in a multi-way comparison: the last two tests of
// this page are the SSD's, which no word in them says.
func TestSingleGroup(t *testing.T) {
	_, f := one(t, "page", load(t, oracle.Shared(t, "samples", "forms", "f2fs-xfs-ext4-hdd-ssd.html")))
	last := f.Tests[len(f.Tests)-1]
	var names []string
	for _, m := range last.Measurements {
		names = append(names, f.Systems[m.System].Identifier+"="+m.Value)
	}
	// Read off the published page's overview.
	if got, want := strings.Join(names, " "), "SSD: EXT4=91267 SSD: F2FS=91133 SSD: XFS=91133"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Published pages whose XML is not known: they must read without a doubt.
func TestPublishedPages(t *testing.T) {
	for _, dir := range oracle.Glob(t, "corpus", "real", "html-*") {
		name, path := filepath.Base(dir), filepath.Join(dir, "result.html")
		t.Run(name, func(t *testing.T) {
			doc, f := one(t, name, load(t, path))
			sound(t, doc, f)
			graphs := strings.Count(doc.Text, "<h2>")
			if len(f.Tests) != graphs || graphs == 0 {
				t.Errorf("%d tests, the page has %d", len(f.Tests), graphs)
			}
			for _, d := range f.Diagnostics {
				if d.Severity != result.SeverityInfo {
					t.Error(d)
				}
			}
			// Box plots all: every row is tied to a system.
			printed, tied := strings.Count(doc.Text, "Min: "), 0
			for i := range f.Tests {
				for k := range f.Tests[i].Measurements {
					m := &f.Tests[i].Measurements[k]
					if m.Min != "" && m.Max != "" && m.Origin.Rule == "html/box-average" {
						tied++
					}
				}
			}
			if printed != tied {
				t.Errorf("%d rows tied, %d printed", tied, printed)
			}
		})
	}
}
