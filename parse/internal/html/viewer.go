package html

import (
	"regexp"
	"strings"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"

	"github.com/benchproof/benchproof/parse/internal/build"
	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/parse/internal/vocab"
	"github.com/benchproof/benchproof/result"
)

// viewerTitle is the id of the first heading of a page of the suite's result
// viewer.
const viewerTitle = "result_file_title"

// readViewer reads a page of the suite's result viewer, whose graphs are those
// of an export in other surroundings. It reports false where page is none.
//
// A section has a title of its own only where it differs from the section
// before, and names its arguments in the graph alone. What failed stands
// below with the reason. What repeats the graphs and the systems, the table of
// results and the drawing of a table of systems, is not read.
func readViewer(doc *source.Doc, page *goquery.Document, emit func(*result.File) error) (bool, error) {
	title := page.FindMatcher(goquery.Single("h1#" + viewerTitle))
	if title.Length() == 0 {
		return false, nil
	}
	p := newPage(doc)
	p.begin(title.Nodes[0])
	p.file.Format = result.FormatViewer
	if d := page.FindMatcher(goquery.Single("#result_file_desc")); d.Length() > 0 {
		p.file.Description = p.phrase(d.Nodes[0]).plain()
	}
	p.viewerSystems(page)
	sections := page.FindMatcher(goquery.Single("#results")).ChildrenFiltered("section")
	for _, n := range sections.Nodes {
		p.section(n)
		if p.err != nil {
			return true, p.err
		}
	}
	if m := viewerFoot.FindStringSubmatch(page.FindMatcher(goquery.Single("#footer")).Text()); m != nil {
		p.file.Generator = suite + " v" + m[1]
		p.foot = true
	}
	return true, p.finish(emit)
}

// viewerFoot is how the page ends.
var viewerFoot = regexp.MustCompile(suite + `\s+v?([0-9][0-9A-Za-z.]*)`)

// viewerSystems reads the systems of a page: a heading each, below it the
// components and the notes. Where systems share their components, the page
// prints them for one of them, and the others stay without.
func (p *page) viewerSystems(page *goquery.Document) {
	var s *result.System
	for _, n := range page.FindMatcher(goquery.Single("div.print_notes")).Children().Nodes {
		ph := p.phrase(n)
		switch {
		case n.Data == "h2" && ph.plain() != "":
			if len(p.file.Systems) == p.limits.Systems {
				p.limit("number of systems", p.limits.Systems, source.FlagSystems)
				return
			}
			i := p.names.add(ph.plain(), p.origin(ph.off, "html/notes-heading"))
			s = &p.file.Systems[i]
		case n.Data != "p" || s == nil:
		case hasClass(n, "mini"):
			p.viewerNotes(s, n)
		default:
			for _, c := range build.Components(fold(ph.text)) {
				if vocab.KeyKind(c.Key) == vocab.Software {
					s.Software = append(s.Software, c)
				} else if c.Key != "" {
					s.Hardware = append(s.Hardware, c)
				}
			}
		}
	}
	for i := range p.file.Systems {
		if s := &p.file.Systems[i]; len(s.Hardware)+len(s.Software) == 0 {
			p.info(s.Origin.Offset, "no-components", "the page prints no components of %q: they may be those of a system beside it", clip(s.Identifier))
		}
	}
}

// viewerNotes reads the notes of a system: a line each, its key ending with
// the word Notes.
func (p *page) viewerNotes(s *result.System, n *html.Node) {
	var key string
	var text strings.Builder
	flush := func() {
		if key != "" {
			s.Notes = append(s.Notes, result.Component{Key: key, Value: fold(text.String())})
		}
		key = ""
		text.Reset()
	}
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			switch {
			case c.Type == html.TextNode:
				text.WriteString(c.Data)
			case c.Data == "br":
				flush()
			case c.Data == "strong":
				flush()
				key = strings.TrimSuffix(strings.TrimSuffix(p.phrase(c).plain(), ":"), " Notes")
			default:
				walk(c)
			}
		}
	}
	walk(n)
	flush()
}

// section reads one section of the results: one graph as a rule, several
// where sensors were read during the test, none where all runs failed.
func (p *page) section(n *html.Node) {
	p.endSection()
	title := p.heading.title
	p.heading = heading{title: title, set: true, bare: true}
	var errors []*html.Node
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		for c := n.FirstChild; c != nil && p.err == nil; c = c.NextSibling {
			if c.Type != html.ElementNode {
				continue
			}
			switch {
			case c.Data == "h2":
				p.heading.title = p.phrase(c)
			case c.Data == "svg":
				p.svg(c)
			case c.Data == "p" && hasClass(c, "test_error"):
				errors = append(errors, c)
			case c.Data == "p" && !hasClass(c, "mini") && only(c, "strong") != nil && !p.heading.drawn:
				// The arguments of a test without a graph.
				p.heading.arguments = p.phrase(only(c, "strong"))
			case c.Data == "form" || c.Data == "script":
			case c.FirstChild != nil:
				walk(c)
			}
		}
	}
	walk(n)
	for _, e := range errors {
		p.below(e)
	}
}

// hasClass reports whether an element has the class.
func hasClass(n *html.Node, class string) bool {
	for _, a := range n.Attr {
		if a.Key == "class" {
			for _, c := range strings.Fields(a.Val) {
				if c == class {
					return true
				}
			}
		}
	}
	return false
}

// only returns the element that is all that n holds, nil if n holds anything
// else.
func only(n *html.Node, name string) *html.Node {
	c := n.FirstChild
	if c == nil || c.NextSibling != nil || c.Type != html.ElementNode || c.Data != name {
		return nil
	}
	return c
}
