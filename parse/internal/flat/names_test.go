package flat

import (
	"encoding/xml"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/parse/internal/oracle"
)

// nameLists returns the identifiers of real and rendered result files, a list
// a file.
func nameLists(t *testing.T) [][]string {
	var paths []string
	for _, pat := range []string{"flat/*.xml", "corpus/real/*/composite.xml", "samples/forms/*.xml"} {
		m, _ := filepath.Glob(filepath.Join(oracle.Shared(t), pat))
		paths = append(paths, m...)
	}
	var out [][]string
	for _, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		var doc struct {
			System []struct{ Identifier string }
		}
		if xml.Unmarshal(data, &doc) != nil {
			continue
		}
		var names []string
		for _, s := range doc.System {
			if id := strings.TrimSpace(s.Identifier); id != "" && !slices.Contains(names, id) {
				names = append(names, id)
			}
		}
		if len(names) > 0 {
			out = append(out, names)
		}
	}
	return out
}

// TestNameLead draws identifiers of real results at random, runs them
// together with some graphs that lack some of them, and checks that the lead
// that is taken as decisive is: names that win by it are right.
func TestNameLead(t *testing.T) {
	lists := nameLists(t)
	rng := rand.New(rand.NewPCG(1, 2))
	var all []string
	for _, l := range lists {
		for _, n := range l {
			if i := strings.Index(n, ": "); i >= 0 {
				n = n[i+2:]
			}
			if !slices.Contains(all, n) {
				all = append(all, n)
			}
		}
	}
	draws := 500
	if testing.Short() {
		draws = 100
	}
	won := 0
	for i := 0; i < draws; i++ {
		var names []string
		switch i % 3 {
		case 0:
			names = slices.Clone(lists[rng.IntN(len(lists))])
			rng.Shuffle(len(names), func(a, b int) { names[a], names[b] = names[b], names[a] })
			if len(names) > 8 {
				names = names[:8]
			}
		default:
			for len(names) < 2+rng.IntN(7) {
				n := all[rng.IntN(len(all))]
				if !slices.Contains(names, n) {
					names = append(names, n)
				}
			}
		}
		if len(names) < 2 {
			continue
		}
		run := strings.Join(names, "")
		var classes []class
		for k := rng.IntN(4); k > 0; k-- {
			var in []string
			for _, n := range names {
				if rng.IntN(4) > 0 {
					in = append(in, n)
				}
			}
			if len(in) > 0 && len(in) < len(names) {
				c := class{run: strings.Join(in, "")}
				if rng.IntN(2) == 0 {
					c.dots = len(in)
				}
				classes = append(classes, c)
			}
		}
		count := len(names)
		out, slack := segmentations(run, count, classes, "", 50, &budget{left: pageBudget})
		if len(out) == 0 {
			continue
		}
		next := slack
		for _, o := range out[1:] {
			if !slices.Equal(o.names, out[0].names) {
				next = min(next, o.cost-out[0].cost)
				break
			}
		}
		if next < nameLead {
			continue
		}
		won++
		if !slices.Equal(out[0].names, names) {
			t.Errorf("wrong by %.1f: %q, want %q; graphs %v", next, out[0].names, names, classes)
		}
	}
	t.Logf("%d of %d draws decided", won, draws)
	if won < draws/3 {
		t.Errorf("only %d of %d draws decided", won, draws)
	}
}
