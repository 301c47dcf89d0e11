package html

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

// page is one export while it is read.
type page struct {
	doc      *source.Doc
	limits   source.Limits
	cuts     cuts
	file     *result.File
	names    *names
	drawing  drawing
	sorted   sorted
	systems  *table
	overview *table
	drafts   []*draft
	groups   map[string][]string // groups by label, made at first use
	top      phrase              // the first heading
	met      []int               // by system: the last graph that had a bar of it
	graph    int                 // counts graphs, for met
	heading  heading
	foot     bool // the page foot has been read
	err      error
}

func newPage(doc *source.Doc) *page {
	return &page{doc: doc, limits: withDefaults(doc.Limits), cuts: findCuts(doc.Text)}
}

// readPages hands a record to emit for every first heading among parts.
func readPages(doc *source.Doc, parts []*html.Node, emit func(*result.File) error) error {
	p := newPage(doc)
	for _, n := range parts {
		if n.Data == "h1" {
			if err := p.finish(emit); err != nil {
				return err
			}
			p.begin(n)
		} else if p.file != nil {
			p.part(n)
		}
		if p.err != nil {
			return p.err
		}
	}
	return p.finish(emit)
}

// begin starts the record of a page at its first heading.
func (p *page) begin(h1 *html.Node) {
	p.file = &result.File{Source: p.doc.Name, Format: result.FormatHTML}
	p.names = newNames(p.file)
	p.systems, p.overview, p.drafts, p.groups, p.heading, p.foot = nil, nil, nil, nil, heading{}, false
	p.met = nil
	p.top = p.phrase(h1)
}

// part takes the next element of a page.
func (p *page) part(n *html.Node) {
	switch n.Data {
	case "h2":
		p.endSection()
		p.heading = heading{title: p.phrase(n), set: true}
	case "h3":
		p.heading.arguments = p.phrase(n)
	case "p":
		p.paragraph(n)
	case "svg":
		p.svg(n)
	}
}

// svg reads a drawing: before the first result's heading the tables, below
// it the result's graph.
func (p *page) svg(n *html.Node) {
	p.drawing.read(n, p.cuts)
	for i := range p.drawing.labels {
		if len(p.drawing.labels[i].text) > p.limits.Text {
			p.limit("text", p.limits.Text, "--max-text")
			return
		}
	}
	if p.heading.set {
		p.add(p.readGraph(&p.drawing, &p.heading))
		return
	}
	t := readTable(&p.drawing)
	if len(t.columns) > p.limits.Systems {
		p.limit("number of systems", p.limits.Systems, "--max-systems")
		return
	}
	switch {
	case p.systems == nil && !t.linksTests():
		p.systems = t
		p.addSystems(t)
	case p.overview == nil:
		p.overview = t
		for i := range t.below {
			if !isMark(t.below[i].text) {
				p.unplaced(&t.below[i])
			}
		}
	default:
		p.warn(p.drawing.off(), "unknown-drawing", "a further drawing stands before the results and was left out")
		return
	}
	p.leftover(&p.drawing)
}

// paragraph reads the texts of a page outside of its drawings.
func (p *page) paragraph(n *html.Node) {
	if holds(n, "svg") {
		return // the drawing is a part of its own
	}
	ph := p.phrase(n)
	text := ph.text
	if text == "" {
		return
	}
	switch {
	case !p.heading.set && strings.HasPrefix(text, "HTML result view exported from:"):
		p.file.URL = strings.TrimSuffix(strings.TrimSpace(strings.TrimPrefix(text, "HTML result view exported from:")), ".")
		if a := link(n); a != "" {
			p.file.URL = a
		}
		p.file.Identifier = identifier(p.file.URL)
	case strings.HasPrefix(text, suite+" v") && (p.heading.set || p.systems != nil):
		p.file.Generator = text
		p.foot = true
	case !p.heading.set && p.systems == nil && p.file.Description == "":
		p.file.Description = ph.plain()
	case p.heading.set && !p.foot:
		p.below(n)
	default:
		p.info(ph.off, "unplaced-text", "text outside of the results was left out: %q", clip(text))
	}
}

// below keeps the lines of a paragraph below a graph until the systems are
// known.
func (p *page) below(n *html.Node) {
	g := p.current()
	var text strings.Builder
	off := -1
	flush := func() {
		if s := fold(text.String()); s != "" {
			g.failed = append(g.failed, failure{s, off})
		}
		text.Reset()
		off = -1
	}
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			switch {
			case c.Type == html.TextNode:
				if off < 0 {
					off = offset(c)
				}
				text.WriteString(c.Data)
			case c.Data == "br":
				flush()
			default:
				walk(c)
			}
		}
	}
	walk(n)
	flush()
}

// current returns the draft of the section, a new one where it shows no
// graph.
func (p *page) current() *draft {
	if !p.heading.drawn {
		g := &draft{off: p.heading.title.off}
		p.title(g, &p.heading, nil)
		p.arguments(g, &p.heading, nil)
		p.add(g)
	}
	return p.drafts[len(p.drafts)-1]
}

// add takes up the draft of the section.
func (p *page) add(g *draft) {
	if p.drafts = append(p.drafts, g); len(p.drafts) > p.limits.Tests {
		p.limit("number of tests", p.limits.Tests, "--max-tests")
	}
	p.heading.drawn = true
}

// endSection reports a heading that nothing followed.
func (p *page) endSection() {
	if p.heading.set && !p.heading.drawn {
		p.warn(p.heading.title.off, "test-without-graph", "no graph follows the heading %q", clip(p.heading.title.text))
	}
}

// finish settles what the whole page tells and emits the record.
func (p *page) finish(emit func(*result.File) error) error {
	if p.file == nil {
		return nil
	}
	p.endSection()
	p.settle()
	if len(p.file.Systems) > p.limits.Systems {
		p.limit("number of systems", p.limits.Systems, "--max-systems")
		return p.err
	}
	result.SetGroups(p.file.Systems)
	if len(p.file.Tests) == 0 {
		p.info(max(0, p.top.off), "no-tests", "the page has no results: the exporter shows none of a file that it cannot read, nor those of which all runs failed")
	}
	if !p.foot {
		p.warn(len(p.doc.Text), "page-cut", "the page ends before its foot: results may be missing")
	}
	f := p.file
	p.file = nil
	return emit(f)
}

// withDefaults returns limits with defaults for the zero fields that matter
// here.
func withDefaults(l source.Limits) source.Limits {
	d := source.DefaultLimits()
	if l.Text == 0 {
		l.Text = d.Text
	}
	if l.Systems == 0 {
		l.Systems = d.Systems
	}
	if l.Tests == 0 {
		l.Tests = d.Tests
	}
	return l
}

func (p *page) limit(what string, limit int, flag string) {
	p.err = &source.LimitError{Source: p.doc.Name, What: what, Limit: int64(limit), Flag: flag}
}
