package flatrender

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/parse/internal/oracle"
)

// TestRendered compares the package's pages with those that PTS rendered.
func TestRendered(t *testing.T) {
	var paths []string
	paths = append(paths, oracle.Glob(t, "flat", "*.flat.txt")...)
	paths = append(paths, oracle.Glob(t, "samples", "forms", "*.flat.txt")...)
	equal := 0
	for _, path := range paths {
		name := filepath.Base(path)
		base := strings.TrimSuffix(strings.TrimSuffix(path, ".flat.txt"), ".local")
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want := string(data)
		f := oracle.XML(t, base+".xml")
		o := Options{Local: !strings.Contains(want, "OpenBenchmarking.org"), Footer: want[strings.LastIndexByte(want, '\n')+1:]}
		if _, after, ok := strings.Cut(want, "HTML result view exported from: "); ok {
			f.URL = strings.TrimSuffix(strings.SplitN(after, "\n", 2)[0], ".")
		}
		got, err := Page(f, o)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got == want {
			equal++
			continue
		}
		t.Errorf("%s: %s", name, firstDifference(got, want))
	}
	t.Logf("%d of %d pages are equal", equal, len(paths))
}

// firstDifference shows where two texts part.
func firstDifference(got, want string) string {
	i := 0
	for i < len(got) && i < len(want) && got[i] == want[i] {
		i++
	}
	from := max(0, i-60)
	cut := func(s string) string { return s[min(from, len(s)):min(len(s), i+80)] }
	return "\n got … " + strings.ReplaceAll(cut(got), "\n", "¶") + "\nwant … " + strings.ReplaceAll(cut(want), "\n", "¶")
}
