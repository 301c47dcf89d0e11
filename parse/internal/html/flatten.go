package html

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/benchproof/benchproof/parse/internal/source"
)

// Text returns the text of a page as it is left where the tags are dropped:
// block elements are paragraphs with an empty line between them, and all text
// of a drawing runs together. It is the form that package flat reads.
//
// The page's title in its head is no part of it, white space at the ends of
// a paragraph is dropped, and so are empty paragraphs. The error is that for
// a page nested too deeply.
func Text(doc *source.Doc) (string, error) {
	root, err := parse(doc)
	if err != nil {
		return "", err
	}
	f := flattener{}
	f.walk(root)
	f.paragraph()
	return f.out.String(), nil
}

type flattener struct {
	out, text strings.Builder
}

func (f *flattener) walk(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch c.Type {
		case html.TextNode:
			f.text.WriteString(c.Data)
		case html.ElementNode:
			switch c.DataAtom {
			case atom.Head, atom.Script, atom.Style:
				continue
			}
			block := isBlock(c.DataAtom) && c.Namespace == ""
			if block {
				f.paragraph()
			}
			f.walk(c)
			if block {
				f.paragraph()
			}
		}
	}
}

// paragraph ends the paragraph.
func (f *flattener) paragraph() {
	text := strings.Trim(f.text.String(), space)
	f.text.Reset()
	if text == "" {
		return
	}
	if f.out.Len() > 0 {
		f.out.WriteString("\n\n")
	}
	f.out.WriteString(text)
}

// isBlock reports whether an element of HTML stands on lines of its own.
func isBlock(a atom.Atom) bool {
	switch a {
	case atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Body, atom.Dd, atom.Div, atom.Dl, atom.Dt,
		atom.Footer, atom.Form, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Header, atom.Hr,
		atom.Html, atom.Li, atom.Main, atom.Nav, atom.Ol, atom.P, atom.Pre, atom.Section, atom.Table, atom.Td,
		atom.Th, atom.Tr, atom.Ul, atom.Br:
		return true
	}
	return false
}
