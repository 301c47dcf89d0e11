package flat

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/benchproof/benchproof/parse/internal/oracle"
	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

// spacedText returns the text of a page with a blank between the texts of
// each drawing and a blank line between its blocks.
func spacedText(page string) string {
	var blocks []string
	var words []string
	end := func() {
		if len(words) > 0 {
			blocks = append(blocks, strings.Join(words, " "))
		}
		words = nil
	}
	z := html.NewTokenizer(strings.NewReader(page))
	depth := 0 // within an svg
	for {
		switch z.Next() {
		case html.ErrorToken:
			end()
			return strings.Join(blocks, "\n\n")
		case html.TextToken:
			text := string(z.Text())
			if depth == 0 && len(words) > 0 {
				words[len(words)-1] += html.UnescapeString(text)
			} else if s := strings.TrimSpace(html.UnescapeString(text)); s != "" {
				words = append(words, s)
			}
		case html.StartTagToken:
			switch name, _ := z.TagName(); string(name) {
			case "svg":
				end()
				depth++
			case "p", "h1", "h2", "h3", "body":
				end()
			case "title":
				z.Next()
			}
		case html.EndTagToken:
			switch name, _ := z.TagName(); string(name) {
			case "svg":
				end()
				depth--
			case "p", "h1", "h2", "h3":
				end()
			}
		}
	}
}

// TestSpaced decodes the pages with a blank between the texts of a drawing.
func TestSpaced(t *testing.T) {
	var n tally
	for _, p := range oracle.Glob(t, "flat", "*.html") {
		base := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(p), ".html"), ".ob")
		data, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		var files []*result.File
		doc := source.New(base, spacedText(string(data)))
		if err := Read(doc, func(f *result.File) error { check(t, doc, f); files = append(files, f); return nil }); err != nil {
			t.Errorf("%s: %v", p, err)
			continue
		}
		want := oracle.XML(t, filepath.Join(filepath.Dir(p), base+".xml"))
		measure(files[0], want, &n, func(f string, a ...any) { t.Logf(filepath.Base(p)+": "+f, a...) })
	}
	t.Logf("%+v", n)
	if n.wrong > 0 || n.wrongExact > 0 || n.nameWrongExact > 0 {
		t.Errorf("%d tests wrong, %d of them exact; %d names wrong and exact", n.wrong, n.wrongExact, n.nameWrongExact)
	}
	if unique := n.exact + n.inferred; unique*100 < n.tests*75 {
		t.Errorf("%d of %d tests decoded, want 75 %%", unique, n.tests)
	}
}
