package html

import (
	"fmt"
	"strings"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"

	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

// maxNesting is what x/net/html allows of open elements.
const maxNesting = 512

// suite is the name of the program that exports the pages.
const suite = "Phoronix Test Suite"

// expected names what Read wants, for its errors.
const expected = "an HTML export of the Phoronix Test Suite"

// Read reads the pages in doc and hands each to emit as a record: one page
// as a rule, and one for every first heading where pages were put together.
// A page of the suite's result viewer is read, too; one of its kind is one
// record.
//
// It returns a [source.SyntaxError] for an HTML page of something else and
// for one nested too deeply, a [source.LimitError] for one with more systems,
// more tests or longer texts than doc.Limits allow, and what emit returns.
// A page that is cut off gives what it still holds, with a diagnostic.
func Read(doc *source.Doc, emit func(*result.File) error) error {
	root, err := parse(doc)
	if err != nil {
		return err
	}
	locate(root, doc.Text)
	page := goquery.NewDocumentFromNode(root)
	if ok, err := readViewer(doc, page, emit); ok {
		return err
	}
	parts := outline(page.FindMatcher(goquery.Single("body")), nil)
	if err := refuse(doc, page, parts); err != nil {
		return err
	}
	return readPages(doc, parts, emit)
}

// Sniff reports whether text is HTML at all: it looks at the first 4 KiB for
// a document type, a root element or a heading. XML documents are not HTML,
// unless an html element follows.
func Sniff(text string) bool {
	head := text[:min(len(text), 4096)]
	head = strings.ToLower(strings.TrimLeft(strings.TrimPrefix(head, "\ufeff"), " \t\r\n\f"))
	for _, start := range [...]string{"<!doctype html", "<html", "<head", "<body", "<h1", "<title"} {
		if tagAt(head, start) {
			return true
		}
	}
	if !strings.HasPrefix(head, "<?xml") && !strings.HasPrefix(head, "<!") {
		return false
	}
	for {
		i := strings.Index(head, "<html")
		if i < 0 {
			return false
		}
		if tagAt(head[i:], "<html") {
			return true
		}
		head = head[i+1:]
	}
}

// tagAt reports whether text begins with start and the name ends there.
func tagAt(text, start string) bool {
	if !strings.HasPrefix(text, start) {
		return false
	}
	return len(text) == len(start) || strings.IndexByte(" \t\r\n\f/>", text[len(start)]) >= 0
}

func parse(doc *source.Doc) (*html.Node, error) {
	root, err := html.Parse(strings.NewReader(doc.Text))
	if err != nil {
		// A string reader cannot fail: what is left is the parser's own
		// bound on open elements.
		return nil, &source.SyntaxError{
			Origin:   doc.Origin(0, ""),
			Found:    "page too deeply nested",
			Expected: fmt.Sprintf("fewer than %d open elements", maxNesting),
		}
	}
	return root, nil
}

// outline appends the elements that a page is made of to parts, in document
// order. What stands in them is theirs; in other elements they are looked
// for.
func outline(in *goquery.Selection, parts []*html.Node) []*html.Node {
	for _, n := range in.Children().Nodes {
		switch n.Data {
		case "h1", "h2", "h3":
			parts = append(parts, n)
		case "p":
			parts = append(parts, n)
			parts = drawings(n, parts)
		case "svg":
			parts = append(parts, n)
		default:
			if n.FirstChild != nil {
				parts = outline(goquery.NewDocumentFromNode(n).Selection, parts)
			}
		}
	}
	return parts
}

// drawings appends the drawings in a paragraph to parts.
func drawings(n *html.Node, parts []*html.Node) []*html.Node {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type != html.ElementNode:
		case c.Data == "svg":
			parts = append(parts, c)
		default:
			parts = drawings(c, parts)
		}
	}
	return parts
}

// refuse returns an error for a page that is no export of the suite: one
// without a heading or a drawing, or with neither the title nor a mark of
// such a page.
func refuse(doc *source.Doc, page *goquery.Document, parts []*html.Node) error {
	no := func(found string) error {
		return &source.SyntaxError{Origin: doc.Origin(0, ""), Found: found, Expected: expected, Hint: source.HintPage}
	}
	what := "an HTML page"
	title := strings.TrimSpace(page.FindMatcher(goquery.Single("title")).Text())
	if title != "" {
		what = fmt.Sprintf("an HTML page titled %q", clip(title))
	}
	var heading *html.Node
	drawn := false
	ours := title == suite || strings.HasSuffix(title, "- "+suite)
	for _, n := range parts {
		switch n.Data {
		case "h1":
			if heading == nil {
				heading = n
			}
		case "svg":
			drawn = true
			ours = ours || marked(n)
		}
	}
	switch {
	case heading == nil:
		return no(what + " without a heading")
	case !drawn:
		return no(what + " without a graph of results")
	case !ours:
		return no(what + " of something else")
	}
	return nil
}

// marked reports whether a text in n is what the suite marks its drawings
// with.
func marked(n *html.Node) bool {
	if n.Type == html.TextNode {
		return isMark(strings.TrimSpace(n.Data))
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if marked(c) {
			return true
		}
	}
	return false
}

// isMark reports whether text is what the suite marks its drawings with: the
// site's name, or its own with the version behind it or not.
func isMark(text string) bool {
	return text == "OpenBenchmarking.org" || text == suite || strings.HasPrefix(text, suite+" ")
}

// clip shortens text for a message.
func clip(text string) string {
	const most = 60
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
