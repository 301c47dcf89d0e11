package text

import (
	"fmt"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/parse/internal/oracle"
	"github.com/benchproof/benchproof/result"
)

// pairs returns what the exact measurements of files say, with the place of
// the test in its file.
func pairs(files []*result.File, place bool) map[string]bool {
	set := make(map[string]bool)
	for _, f := range files {
		for i := range f.Tests {
			for _, m := range f.Tests[i].Measurements {
				if m.Decode != result.DecodeExact || m.Status != result.StatusOK {
					continue
				}
				p := fmt.Sprintf("%q %q %q %q", f.Systems[m.System].Identifier, m.Value, m.Min, m.Max)
				if place {
					p = fmt.Sprintf("%d %s", i, p)
				}
				set[p] = true
			}
		}
	}
	return set
}

// checkCut checks that a dump cut at its end or beginning says nothing
// exactly that the whole one does not say.
func checkCut(t *testing.T, name, text string, at int, whole, anywhere map[string]bool) {
	t.Helper()
	for p := range pairs(checkRead(t, text[:at]), true) {
		if !whole[p] {
			t.Errorf("%s cut behind %d: %s is not in the whole dump", name, at, p)
		}
	}
	for p := range pairs(checkRead(t, text[at:]), false) {
		if !anywhere[p] {
			t.Errorf("%s cut before %d: %s is not in the whole dump", name, at, p)
		}
	}
}

func TestCut(t *testing.T) {
	for form, text := range map[string]string{"lines": smallDump, "collapsed": strings.Join(strings.Fields(smallDump), " ")} {
		files := checkRead(t, text)
		for at := range text {
			checkCut(t, form, text, at, pairs(files, true), pairs(files, false))
		}
	}
}

func TestCutSamples(t *testing.T) {
	for _, form := range []string{"text", "collapsed"} {
		for _, path := range oracle.Glob(t, "samples", "forms", "*."+form+".txt") {
			text := load(t, path)
			files := checkRead(t, text)
			whole, anywhere := pairs(files, true), pairs(files, false)
			for at := 0; at < len(text); at += 97 {
				checkCut(t, path, text, at, whole, anywhere)
			}
		}
	}
}
