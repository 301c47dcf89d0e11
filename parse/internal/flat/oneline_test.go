package flat

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/parse/internal/oracle"
	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

// TestOneLine reads the pages with their paragraphs pasted on one line.
func TestOneLine(t *testing.T) {
	var n tally
	paths := append(oracle.Glob(t, "flat", "*.flat.txt"), oracle.Glob(t, "samples", "forms", "*.flat.txt")...)
	for _, p := range paths {
		base := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(p), ".flat.txt"), ".local")
		data, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		var files []*result.File
		doc := source.New(base, strings.Join(strings.Fields(string(data)), " "))
		if err := Read(doc, func(f *result.File) error { check(t, doc, f); files = append(files, f); return nil }); err != nil {
			t.Errorf("%s: %v", p, err)
			continue
		}
		want := oracle.XML(t, filepath.Join(filepath.Dir(p), base+".xml"))
		if len(files[0].Tests) < len(want.Tests)/2 {
			t.Logf("%s: %d tests of %d", base, len(files[0].Tests), len(want.Tests))
		}
		measure(files[0], want, &n, func(f string, a ...any) { t.Logf(filepath.Base(p)+": "+f, a...) })
	}
	t.Logf("%+v", n)
	if unique := n.exact + n.inferred; unique*100 < n.tests*90 {
		t.Errorf("%d of %d tests decoded, want 90 %%", unique, n.tests)
	}
	if n.wrong > 0 || n.wrongExact > 0 || n.nameWrongExact > 0 {
		t.Errorf("%d tests wrong, %d of them exact; %d names wrong and exact", n.wrong, n.wrongExact, n.nameWrongExact)
	}
}
