package flatrender

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/benchproof/benchproof/parse/internal/oracle"
	"github.com/benchproof/benchproof/result"
)

// optionsOf returns how a rendered page was exported, and sets the address of
// its file, which composite.xml does not hold.
func optionsOf(page string, f *result.File) Options {
	if _, after, ok := strings.Cut(page, "HTML result view exported from: "); ok {
		f.URL = strings.TrimSuffix(strings.SplitN(after, "\n", 2)[0], ".")
	}
	return Options{
		Local:  !strings.Contains(page, "OpenBenchmarking.org"),
		Footer: page[strings.LastIndexByte(page, '\n')+1:],
	}
}

// TestRendered makes the pages anew that PTS itself rendered from
// composite.xml: every byte must be the same.
func TestRendered(t *testing.T) {
	paths := oracle.Glob(t, "flat", "*.flat.txt")
	paths = append(paths, oracle.Glob(t, "samples", "forms", "*.flat.txt")...)
	for _, path := range paths {
		name := filepath.Base(path)
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			want := string(data)
			f := oracle.XML(t, strings.TrimSuffix(strings.TrimSuffix(path, ".flat.txt"), ".local")+".xml")
			got, err := Page(f, optionsOf(want, f))
			if err != nil {
				t.Fatal(err)
			}
			if got != want {
				t.Error(firstDifference(got, want))
			}
		})
	}
}

// others are the exports in the corpus that the package does not make, and
// why.
var others = map[string]string{
	"d06-duplicate-entry":              "PTS keeps one of two entries with one name",
	"d07-two-results-same-hash":        "PTS loses one of two results",
	"d27-result-split-per-system":      "PTS loses one of two results",
	"d11-html-escape":                  "PTS takes tags out of texts",
	"d16-orphan-entry":                 "a value of a system that is none",
	"d20-int-precision-big":            "integers that no float64 holds",
	"d24-same-id-two-systems":          "PTS merges two systems of one name",
	"d25-truncated":                    "no XML",
	"d28-multi-pass-fail":              "no graph of values",
	"ucd-pjdfstest-passfail":           "no graph of values",
	"d30-unknown-profile":              "a profile that the client does not know",
	"d31-two-unknown-profiles-collide": "a profile that the client does not know",
	"gen-monitor-linegraph":            "a line without any change is not drawn",
	"ub-z3-local-8err":                 "values of systems that are none",
}

// TestExports makes the text of exports that PTS made of files of other
// people: files of all ages and with all faults.
func TestExports(t *testing.T) {
	dir := oracle.Shared(t, "corpus")
	paths, err := filepath.Glob(filepath.Join(dir, "*", "*", "pts.html"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d exports in %s, error %v", len(paths), dir, err)
	}
	for _, path := range paths {
		name := filepath.Base(filepath.Dir(path))
		t.Run(name, func(t *testing.T) {
			if why, ok := others[name]; ok {
				t.Skip(why)
			}
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			want := flatten(t, data)
			f := oracle.XML(t, filepath.Join(filepath.Dir(path), "composite.xml"))
			got, err := Page(f, optionsOf(want, f))
			if err != nil {
				t.Fatal(err)
			}
			if got != want {
				t.Error(firstDifference(got, want))
			}
		})
	}
}

// flatten returns the text of a page in the form of [Page].
func flatten(t *testing.T, data []byte) string {
	t.Helper()
	doc, err := html.Parse(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	var walk func(n *html.Node, b *strings.Builder)
	walk = func(n *html.Node, b *strings.Builder) {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			switch c.Data {
			case "head":
			case "p", "h1", "h2", "h3":
				var inner strings.Builder
				walk(c, &inner)
				if s := strings.TrimSpace(inner.String()); s != "" {
					blocks = append(blocks, s)
				}
			default:
				walk(c, b)
			}
		}
	}
	walk(doc, new(strings.Builder))
	return strings.Join(blocks, "\n\n")
}

// firstDifference shows where two texts part.
func firstDifference(got, want string) string {
	i := 0
	for i < len(got) && i < len(want) && got[i] == want[i] {
		i++
	}
	cut := func(s string) string {
		return strings.ReplaceAll(s[min(max(0, i-60), len(s)):min(len(s), i+80)], "\n", "¶")
	}
	return "\n got … " + cut(got) + "\nwant … " + cut(want)
}
