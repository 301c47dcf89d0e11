package systable

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/parse/internal/oracle"
	"github.com/benchproof/benchproof/result"
)

const watermark = "OpenBenchmarking.org"

// samplePage reads a published flattened page: the repository's own copy, or
// that of the facts directory.
func samplePage(t testing.TB, name string) string {
	t.Helper()
	path := filepath.Join(oracle.Root(t), "samples", name+".txt")
	data, err := os.ReadFile(path)
	if err != nil {
		data, err = os.ReadFile(oracle.Shared(t, "samples", name+".txt"))
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// tableLine returns the line of a page that is its systems table.
func tableLine(t testing.TB, page string) string {
	t.Helper()
	for line := range strings.Lines(page) {
		if strings.Contains(line, "OSKernel") {
			return strings.TrimSuffix(line, "\n")
		}
	}
	t.Fatal("no systems table")
	return ""
}

func truthNames(f *result.File) []string {
	var names []string
	for i := range f.Systems {
		names = append(names, f.Systems[i].Identifier)
	}
	return names
}

// TestSamples decodes the two published pages whole and compares with their
// hand-checked truth, inherited keys included.
func TestSamples(t *testing.T) {
	for _, path := range oracle.Glob(t, "samples", "truth", "*.flat.json") {
		truth := oracle.Truth(t, path)
		line := tableLine(t, samplePage(t, strings.TrimSuffix(filepath.Base(path), ".json")))
		text, _, ok := strings.Cut(line, watermark)
		if !ok {
			t.Fatalf("%s: no watermark", path)
		}
		keys, end, ok := Keys(text, truth.Title)
		if !ok {
			t.Fatalf("%s: no keys", path)
		}
		names := truthNames(truth)
		run := identifierRun(text[end:], names)
		if run < 0 {
			t.Fatalf("%s: the identifiers do not follow the keys: %q", path, text[end:end+60])
		}
		table := Split(text[end+run:], keys, names)
		for i := range truth.Systems {
			got, want := &table.Columns[i], &truth.Systems[i]
			if !slices.Equal(got.Hardware, want.Hardware) {
				t.Errorf("%s: %s: hardware\n got %q\nwant %q", path, names[i], got.Hardware, want.Hardware)
			}
			if !slices.Equal(got.Software, want.Software) {
				t.Errorf("%s: %s: software\n got %q\nwant %q", path, names[i], got.Software, want.Software)
			}
			if !slices.Equal(got.Inherited, want.InheritedKeys) {
				t.Errorf("%s: %s: inherited\n got %q\nwant %q", path, names[i], got.Inherited, want.InheritedKeys)
			}
			if got.Decode == result.DecodeExact {
				t.Errorf("%s: %s is called exact", path, names[i])
			}
		}
	}
}

// identifierRun returns the length of the identifiers' run at the start of
// text: the names one after another, or, of a multi-way comparison, the
// groups, then each label after a blank. It returns -1 if neither is there.
func identifierRun(text string, names []string) int {
	if run := strings.Join(names, ""); strings.HasPrefix(text, run) {
		return len(run)
	}
	groups, labels := "", ""
	last := ""
	for _, name := range names {
		group, label, ok := strings.Cut(name, ": ")
		if !ok {
			return -1
		}
		if group != last {
			groups += group
		}
		last = group
		labels += " " + label
	}
	if run := groups + labels; strings.HasPrefix(text, run) {
		return len(run)
	}
	return -1
}

func readFile(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
