package text

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/parse/internal/oracle"
)

// Every stored file of every form, told by its name.
func TestSniff(t *testing.T) {
	empty := map[string]bool{"d18-nonnumeric-formats": true, "d25-truncated": true, "d28-multi-pass-fail": true}
	var paths []string
	for _, directory := range []string{"samples", "samples/forms", "flat", "corpus/real/*", "corpus/defects/*", "corpus/site"} {
		found, err := filepath.Glob(filepath.Join(oracle.Shared(t), directory, "*.*"))
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, found...)
	}
	yes, no := 0, 0
	for _, path := range paths {
		name := filepath.Base(path)
		dir := filepath.Base(filepath.Dir(path))
		var want bool
		switch {
		case strings.HasSuffix(name, ".text.txt"), strings.HasSuffix(name, ".collapsed.txt"), name == "result.txt":
			want = !empty[dir]
		case dir == "samples" && !strings.HasSuffix(name, ".flat.txt"):
			want = true
		}
		if want {
			yes++
		} else {
			no++
		}
		if got := Sniff(load(t, path)); got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
	if yes < 150 || no < 500 {
		t.Errorf("%d exports and %d others, want more", yes, no)
	}
}

func TestSniffMangled(t *testing.T) {
	for _, text := range []string{smallDump, collapse(smallDump)} {
		for how, text := range mangled(text, 72) {
			if !Sniff(text) {
				t.Errorf("%s: not seen as an export", how)
			}
		}
		if !Sniff(text[:400]) {
			t.Error("only systems: not seen as an export")
		}
	}
}
