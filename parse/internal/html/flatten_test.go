package html

import (
	"os"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/parse/internal/oracle"
	"github.com/benchproof/benchproof/parse/internal/source"
)

func TestTextOfPages(t *testing.T) {
	n := 0
	for _, path := range append(oracle.Glob(t, "flat", "*.html"), oracle.Glob(t, "samples", "forms", "*.html")...) {
		base := strings.TrimSuffix(path, ".html")
		want := base + ".flat.txt"
		if rest, ok := strings.CutSuffix(base, ".ob"); ok {
			want = rest + ".flat.txt"
		} else if _, err := os.Stat(base + ".local.flat.txt"); err == nil {
			want = base + ".local.flat.txt"
		}
		got, err := Text(source.New(path, load(t, path)))
		if err != nil {
			t.Fatal(err)
		}
		n++
		w := load(t, want)
		if got != w {
			i := 0
			for i < len(got) && i < len(w) && got[i] == w[i] {
				i++
			}
			t.Errorf("%s differs at %d: got %q, want %q", path, i, clip(got[i:]), clip(w[i:]))
		}
	}
	t.Log(n)
}
