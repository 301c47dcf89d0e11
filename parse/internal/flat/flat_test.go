package flat

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/parse/internal/oracle"
	"github.com/benchproof/benchproof/parse/internal/readertest"
	"github.com/benchproof/benchproof/result"
)

func readFlat(t testing.TB, path string) *result.File {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	files := readertest.Files(t, Read, filepath.Base(path), string(data))
	if len(files) != 1 {
		t.Fatalf("%s: %d files, want 1", path, len(files))
	}
	return files[0]
}

// tally counts tests by how they were decoded.
type tally struct{ lost, tests, exact, inferred, ambiguous, wrong, wrongExact, namePages, nameExact, nameWrong, nameWrongExact int }

// measure compares a decoded page with the record it was rendered from, test
// by test: the values by system, as printed.
func measure(got, want *result.File, n *tally, say func(string, ...any)) {
	gi := 0
	n.namePages++
	same := len(got.Systems) == len(want.Systems)
	for i := range got.Systems {
		if i < len(want.Systems) && got.Systems[i].Identifier != want.Systems[i].Identifier {
			same = false
		}
		if got.Systems[i].Decode == result.DecodeExact && (i >= len(want.Systems) || got.Systems[i].Identifier != want.Systems[i].Identifier) {
			n.nameWrongExact++
		}
	}
	if len(got.Systems) > 0 && got.Systems[0].Decode == result.DecodeExact {
		n.nameExact++
	}
	if !same {
		n.nameWrong++
		dec := result.DecodeExact
		if len(got.Systems) > 0 {
			dec = got.Systems[0].Decode
		}
		say("names %q (%v), want %q", got.SystemNames(), dec, want.SystemNames())
	}
	for wi := range want.Tests {
		wt := &want.Tests[wi]
		wantVals := map[string]float64{}
		for _, m := range wt.Measurements {
			if strings.Contains(m.Value, ",") {
				v, _ := strconv.ParseFloat(gotAverage(got, wt, m.System), 64)
				wantVals[want.Systems[m.System].Identifier] = v
			} else if v, ok := m.Number(); ok {
				wantVals[want.Systems[m.System].Identifier] = v
			}
		}
		if len(wantVals) == 0 {
			continue
		}
		n.tests++
		if gi >= len(got.Tests) {
			n.wrong++
			continue
		}
		gt := &got.Tests[gi]
		if gt.Title != wt.Title || gt.Arguments != wt.Arguments {
			n.lost++
			say("lost %q %q", wt.Title, wt.Arguments)
			continue
		}
		gi++
		dec := result.DecodeExact
		if len(got.Systems) > 0 && got.Systems[0].Identifier == "system 1" {
			dec = result.DecodeAmbiguous // whose the values are is not said
		}
		bad := ""
		seen := 0
		for _, m := range gt.Measurements {
			dec = max(dec, m.Decode)
			v, ok := m.Number()
			if !ok {
				continue
			}
			seen++
			w, has := wantVals[got.Systems[m.System].Identifier]
			if !has || v-w > m.HalfUnit()*1.0001 || w-v > m.HalfUnit()*1.0001 {
				bad += fmt.Sprintf(" %s=%s want %v;", got.Systems[m.System].Identifier, m.Value, w)
			}
		}
		switch {
		case dec == result.DecodeAmbiguous || gt.HeadDecode == result.DecodeAmbiguous || len(gt.Measurements) == 0:
			n.ambiguous++
			say("ambiguous %q %q", gt.Title, gt.Arguments)
		case bad != "" || seen != len(wantVals):
			n.wrong++
			if dec == result.DecodeExact {
				n.wrongExact++
			}
			say("WRONG (%v) %q %q %d/%d:%s", dec, gt.Title, gt.Arguments, seen, len(wantVals), bad)
		case dec == result.DecodeExact:
			n.exact++
		default:
			n.inferred++
		}
	}
}

// gotAverage returns the average that a page prints for a line graph: the
// points are compared by it alone.
func gotAverage(got *result.File, wt *result.Test, sys int) string {
	for _, t := range got.Tests {
		if t.Title == wt.Title && t.Arguments == wt.Arguments {
			for _, m := range t.Measurements {
				if m.System == sys {
					return m.Value
				}
			}
		}
	}
	return ""
}

// TestRendered decodes pages that PTS rendered from known files, knowing
// their text alone.
func TestRendered(t *testing.T) {
	var n tally
	for _, p := range oracle.Glob(t, "flat", "*.flat.txt") {
		base := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(p), ".flat.txt"), ".local")
		want := oracle.XML(t, filepath.Join(filepath.Dir(p), base+".xml"))
		got := readFlat(t, p)
		measure(got, want, &n, func(f string, a ...any) { t.Logf(filepath.Base(p)+": "+f, a...) })
	}
	t.Logf("%+v", n)
	if n.lost > 0 {
		t.Errorf("%d tests lost", n.lost)
	}
	if n.wrong > 0 || n.wrongExact > 0 || n.nameWrongExact > 0 {
		t.Errorf("%d tests wrong, %d of them exact; %d names wrong and exact", n.wrong, n.wrongExact, n.nameWrongExact)
	}
	if unique := n.exact + n.inferred; unique*100 < n.tests*98 {
		t.Errorf("%d of %d tests decoded, want 98 %%", unique, n.tests)
	}
}
