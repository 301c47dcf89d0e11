package flatrender_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/benchproof/benchproof/parse/internal/flat"
	"github.com/benchproof/benchproof/parse/internal/flatrender"
	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

// decode reads a page with the decoder and rates what it made of it.
func decode(t *testing.T, c *flatrender.Case) (text string, s *flatrender.Score) {
	t.Helper()
	text, err := flatrender.Page(c.File, c.Options)
	if err != nil {
		t.Fatalf("%s: %v", c.Name(), err)
	}
	var got *result.File
	pages := 0
	err = flat.Read(source.New(c.Name(), text), func(f *result.File) error {
		got, pages = f, pages+1
		return nil
	})
	if err != nil || pages != 1 {
		t.Fatalf("%s: %d pages, error %v", c.Name(), pages, err)
	}
	return text, flatrender.Rate(got, c)
}

// TestDecoder decodes pages of every kind. A wrong value or name that is said
// to be exact is the worst that the decoder can do and must not happen; of the
// tests of everyday pages nearly all must have one reading.
func TestDecoder(t *testing.T) {
	everydaySeeds, rareSeeds := uint64(7), uint64(4)
	if testing.Short() {
		everydaySeeds, rareSeeds = 2, 1
	}
	run := func(kinds []flatrender.Kind, seeds uint64) *flatrender.Score {
		sum := new(flatrender.Score)
		for _, k := range kinds {
			for seed := range seeds {
				c := flatrender.Generate(k, seed+1)
				_, s := decode(t, c)
				if s.WrongExact+s.NamesWrongExact > 0 {
					t.Errorf("%s: wrong and said to be exact:\n%s", c.Name(), strings.Join(s.Problems, "\n"))
				}
				sum.Add(s)
			}
		}
		return sum
	}
	everyday := run(flatrender.Everyday, everydaySeeds)
	if u := everyday.Unique(); u < 0.97 {
		t.Errorf("%.1f %% of the tests of everyday pages have one reading, want 97: %+v", 100*u, *everyday)
	}
	t.Logf("everyday: %+v", *everyday)
	t.Logf("rare: %+v", *run(flatrender.Rare, rareSeeds))
}

// TestMeasure decodes many pages and prints how it went by kind. It runs only
// where FLATRENDER_SEEDS says which seeds ("1-100"); FLATRENDER_KINDS names the
// kinds, all by default, and FLATRENDER_SAVE a directory for pages that were
// decoded wrong or slowly, made as small as the fault allows.
func TestMeasure(t *testing.T) {
	seeds := os.Getenv("FLATRENDER_SEEDS")
	if seeds == "" {
		t.Skip("set FLATRENDER_SEEDS to measure the decoder")
	}
	from, to, _ := strings.Cut(seeds, "-")
	first, err1 := strconv.ParseUint(from, 10, 64)
	last, err2 := strconv.ParseUint(to, 10, 64)
	if err1 != nil || err2 != nil {
		t.Fatalf("FLATRENDER_SEEDS is %q, want 1-100", seeds)
	}
	kinds := flatrender.Kinds
	if v := os.Getenv("FLATRENDER_KINDS"); v != "" {
		kinds = nil
		for k := range strings.SplitSeq(v, ",") {
			kinds = append(kinds, flatrender.Kind(k))
		}
	}
	var total flatrender.Score
	var out strings.Builder
	w := tabwriter.NewWriter(&out, 0, 0, 1, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "kind\tpages\ttests\texact\tinferred\tambig.\tby name\tundec.\twrong\twrong exact\tunique %\twithout\tnames: exact\tinf.\tambig.\twrong\tnone\twrong exact\tSE wrong\tSE lost\theads\tbounds\tmean ms\tmax ms\tslowest\t")
	row := func(name string, s *flatrender.Score, mean, slowest time.Duration, slow string) {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%.1f\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%s\t\n", name, s.Pages, s.Tests, s.Exact, s.Inferred, s.Ambiguous, s.ByName, s.Undecoded,
			s.Wrong, s.WrongExact, 100*s.Unique(), s.AmbiguousWithout, s.NamesExact, s.NamesInferred, s.NamesAmbiguous, s.NamesWrong, s.NamesNone, s.NamesWrongExact,
			s.ErrorsWrong, s.ErrorsLost, s.HeadsWrong, s.BoundsWrong, mean.Milliseconds(), slowest.Milliseconds(), slow)
	}
	for _, k := range kinds {
		var sum flatrender.Score
		var slowest, spent time.Duration
		slow := ""
		saved := make(map[string]int) // by fault: two of each tell enough
		for seed := first; seed <= last; seed++ {
			c := flatrender.Generate(k, seed)
			begin := cpuTime()
			_, s := decode(t, c)
			d := cpuTime() - begin
			spent += d
			if d > slowest {
				slowest, slow = d, c.Name()
			}
			if f := fault(s); f != "" && saved[f] < 2 {
				saved[f]++
				save(t, f, flatrender.Shrink(c, func(c *flatrender.Case) bool {
					_, s := decode(t, c)
					return fault(s) == f
				}))
			}
			if d > 2*time.Second {
				save(t, "slow", c)
			}
			sum.Add(s)
		}
		total.Add(&sum)
		row(string(k), &sum, spent/time.Duration(sum.Pages), slowest, slow)
	}
	row("all", &total, 0, 0, "")
	w.Flush()
	t.Log("\n" + out.String())
}

// fault names the worst that is wrong with a page's reading, "" if nothing is.
func fault(s *flatrender.Score) string {
	for _, f := range []struct {
		name string
		n    int
	}{
		{"wrong-exact", s.WrongExact},
		{"names-wrong-exact", s.NamesWrongExact},
		{"wrong", s.Wrong},
		{"names-wrong", s.NamesWrong},
		{"names-none", s.NamesNone},
		{"errors-wrong", s.ErrorsWrong},
		{"errors-lost", s.ErrorsLost},
		{"bounds-wrong", s.BoundsWrong},
		{"heads-wrong", s.HeadsWrong},
		{"without", s.AmbiguousWithout},
		{"undecoded", s.Undecoded},
	} {
		if f.n > 0 {
			return f.name
		}
	}
	return ""
}

// save writes a page, what it was made of and what is wrong with its reading.
func save(t *testing.T, fault string, c *flatrender.Case) {
	dir := os.Getenv("FLATRENDER_SAVE")
	if dir == "" {
		return
	}
	text, s := decode(t, c)
	var want bytes.Buffer
	if err := result.EncodeJSON(&want, []*result.File{c.File}); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, fault+"-"+c.Name())
	for ending, data := range map[string]string{
		".flat.txt": text, ".want.json": want.String(), ".problems.txt": strings.Join(s.Problems, "\n") + "\n",
	} {
		if err := os.WriteFile(name+ending, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
