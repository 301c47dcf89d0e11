package flatrender

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/benchproof/benchproof/parse/internal/oracle"
)

// flatten returns the text of a page as [Page] writes it.
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
	var rest strings.Builder
	walk(doc, &rest)
	return strings.Join(blocks, "\n\n")
}

func TestCorpusX(t *testing.T) {
	equal := 0
	paths, _ := filepath.Glob(filepath.Join(oracle.Shared(t, "corpus"), "*", "*", "pts.html"))
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(filepath.Dir(path))
		want := flatten(t, data)
		x, err := os.ReadFile(filepath.Join(filepath.Dir(path), "composite.xml"))
		if err != nil {
			t.Log(name, err)
			continue
		}
		f, err := oracle.ReadXML(x)
		if err != nil {
			t.Log(name, err)
			continue
		}
		o := Options{Local: true, Footer: want[strings.LastIndexByte(want, '\n')+1:]}
		got, err := Page(f, o)
		if err != nil {
			t.Logf("%s: %v", name, err)
			continue
		}
		if got == want {
			equal++
			continue
		}
		t.Logf("%s: %s", name, firstDifference(got, want))
	}
	t.Logf("%d of %d pages are equal", equal, len(paths))
}
