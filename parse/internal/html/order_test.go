package html

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/parse/internal/oracle"
	"github.com/benchproof/benchproof/result"
)

var (
	groupOf  = regexp.MustCompile(`(?s)(<g[^>/]*>)(.*?)(</g>)`)
	memberOf = regexp.MustCompile(`(?s)<a [^>]*>.*?</a>|<text[^>]*>.*?</text>|<[a-z]+[^>]*/>`)
	drawnIn  = regexp.MustCompile(`(?s)(<svg[^>]*>)(.*?)(</svg>)`)
	partOf   = regexp.MustCompile(`(?s)<g[^>]*/>|<g[^>]*>.*?</g>|<a [^>]*>.*?</a>|<text[^>]*>.*?</text>|<[a-z]+[^>]*/>`)
)

// shuffled returns a page whose drawings have their parts, and the parts of
// their groups, in another order. In the first, the systems table, the order
// of cells is that of a system's components.
func shuffled(page string, r *rand.Rand) string {
	i := strings.Index(page, "</svg>")
	if i < 0 {
		return page
	}
	mix := func(text string, part *regexp.Regexp) string {
		parts := part.FindAllString(text, -1)
		if strings.Join(parts, "") != text {
			return text
		}
		r.Shuffle(len(parts), func(a, b int) { parts[a], parts[b] = parts[b], parts[a] })
		return strings.Join(parts, "")
	}
	return page[:i] + drawnIn.ReplaceAllStringFunc(page[i:], func(svg string) string {
		m := drawnIn.FindStringSubmatch(svg)
		body := groupOf.ReplaceAllStringFunc(m[2], func(g string) string {
			m := groupOf.FindStringSubmatch(g)
			return m[1] + mix(m[2], memberOf) + m[3]
		})
		return m[1] + mix(body, partOf) + m[3]
	})
}

// The order of texts in graphs and overview means nothing: their places say
// all.
func TestOrderMeansNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	paths := append(oracle.Glob(t, "flat", "0[0-3]*.html"), oracle.Glob(t, "flat", "m0*.html")...)
	paths = append(paths, oracle.Glob(t, "samples", "forms", "*.html")...)
	for _, path := range paths {
		page := load(t, path)
		_, f := one(t, filepath.Base(path), page)
		mixed := shuffled(page, r)
		if mixed == page {
			t.Fatalf("%s: nothing was shuffled", path)
		}
		doc, g := one(t, filepath.Base(path), mixed)
		sound(t, doc, g)
		want, got := claims(f), claims(g)
		for c, n := range want {
			if got[c] != n {
				t.Errorf("%s: %q is said %d times in another order, not %d", doc.Name, c, got[c], n)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s: %d claims in another order, not %d", doc.Name, len(got), len(want))
		}
		for i := range g.Diagnostics {
			if g.Diagnostics[i].Severity != result.SeverityInfo {
				t.Error(g.Diagnostics[i])
			}
		}
		if a, b := fmt.Sprint(heads(f)), fmt.Sprint(heads(g)); a != b {
			t.Errorf("%s: heads in another order:\n%s\n%s", doc.Name, b, a)
		}
	}
}

// heads returns what a record says of its tests.
func heads(f *result.File) []string {
	var list []string
	for i := range f.Tests {
		t := &f.Tests[i]
		list = append(list, fmt.Sprint(t.Profile, t.Title, t.Version, t.Arguments, t.Scale, t.Proportion, t.HeadDecode, t.DisplayFormat))
	}
	return list
}
