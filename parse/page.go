package parse

import (
	"errors"
	"io"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/benchproof/benchproof/parse/internal/source"
)

// pageText returns the text of an HTML page as a part of it: what a browser
// would copy, with the lines of pre and textarea as they are, elsewhere one
// paragraph a line. It returns where in it the texts of pre and textarea are,
// too.
func pageText(doc *source.Doc) (part *source.Doc, blocks [][2]int, err error) {
	p := pageWriter{}
	z := html.NewTokenizer(strings.NewReader(doc.Text))
	z.SetMaxBuf(doc.Limits.Text)
	offset := 0
	for {
		kind := z.Next()
		raw := z.Raw()
		if kind == html.ErrorToken {
			switch err := z.Err(); {
			case errors.Is(err, io.EOF):
				return doc.Part(p.out.String(), p.spans), p.finish(), nil
			case errors.Is(err, html.ErrBufferExceeded):
				return nil, nil, &LimitError{
					Source: doc.Name, Origin: doc.Origin(offset, ""), What: "a text or tag",
					Limit: int64(doc.Limits.Text), Flag: source.FlagText,
				}
			default:
				return nil, nil, err
			}
		}
		switch kind {
		case html.TextToken:
			p.text(doc.Text[offset:offset+len(raw)], offset)
		case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken:
			name, _ := z.TagName()
			p.tag(atom.Lookup(name), kind)
		}
		offset += len(raw)
	}
}

// pageWriter writes a page's text.
type pageWriter struct {
	out   strings.Builder
	spans []source.Span
	// How many elements are open of which nothing is written, and whose
	// white space counts.
	hidden, verbatim int
	space            bool // white space is due before the next character
	last             byte // last byte written
	blocks           [][2]int
	block            int // where the open pre or textarea begins
}

// finish ends what is open and returns the blocks.
func (p *pageWriter) finish() [][2]int {
	if p.verbatim > 0 {
		p.blocks = append(p.blocks, [2]int{p.block, p.out.Len()})
	}
	return p.blocks
}

// tag heeds what an element's beginning or end does to the text.
func (p *pageWriter) tag(name atom.Atom, kind html.TokenType) {
	depth := func(n *int) {
		switch kind {
		case html.StartTagToken:
			*n++
		case html.EndTagToken:
			*n = max(0, *n-1)
		}
	}
	switch name {
	case atom.Script, atom.Style, atom.Title, atom.Template, atom.Noscript:
		depth(&p.hidden)
	case atom.Pre, atom.Textarea, atom.Xmp, atom.Plaintext:
		if kind == html.EndTagToken && p.verbatim == 1 {
			p.blocks = append(p.blocks, [2]int{p.block, p.out.Len()})
		}
		p.newline()
		if kind == html.StartTagToken && p.verbatim == 0 {
			p.block = p.out.Len()
		}
		depth(&p.verbatim)
	case atom.Br:
		p.last, p.space = '\n', false
		p.out.WriteByte('\n')
	case atom.Address, atom.Article, atom.Blockquote, atom.Body, atom.Center, atom.Dd, atom.Div, atom.Dl, atom.Dt,
		atom.Footer, atom.Form, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Header, atom.Hr,
		atom.Li, atom.Main, atom.Ol, atom.P, atom.Section, atom.Svg, atom.Table, atom.Tr, atom.Ul:
		p.newline()
	case atom.Td, atom.Th:
		p.space = true
	}
}

// newline ends the line, if one is begun.
func (p *pageWriter) newline() {
	if p.last != '\n' && p.out.Len() > 0 {
		p.out.WriteByte('\n')
	}
	p.last, p.space = '\n', false
}

// text writes a text that stands at offset, its character references
// resolved.
func (p *pageWriter) text(raw string, offset int) {
	if p.hidden > 0 {
		return
	}
	for len(raw) > 0 {
		n := strings.IndexByte(raw, '&')
		switch {
		case n < 0:
			n = len(raw)
			p.write(raw, offset)
		case n > 0:
			p.write(raw[:n], offset)
		default:
			n = reference(raw)
			p.write(html.UnescapeString(raw[:n]), offset)
		}
		raw, offset = raw[n:], offset+n
	}
}

// maxReference is longer than every named character reference.
const maxReference = 40

// reference returns the length of the character reference, or of what looks
// like one, that raw begins with.
func reference(raw string) int {
	i := 1
	for i < len(raw) && i < maxReference {
		c := raw[i]
		if c == ';' {
			return i + 1
		}
		if c != '#' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			break
		}
		i++
	}
	return i
}

// write writes text that stands at offset in the page.
func (p *pageWriter) write(s string, offset int) {
	if p.verbatim > 0 {
		p.put(s, offset)
		return
	}
	start := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case ' ', '\t', '\n', '\f':
			p.put(s[start:i], offset+start)
			start = i + 1
			p.space = true
		}
	}
	p.put(s[start:], offset+start)
}

// put writes text as it is, after white space that is due.
func (p *pageWriter) put(s string, offset int) {
	if s == "" {
		return
	}
	if p.space && p.last != '\n' && p.out.Len() > 0 {
		p.out.WriteByte(' ')
	}
	p.space = false
	if n := len(p.spans); n == 0 || p.spans[n-1].Whole-p.spans[n-1].Part != offset-p.out.Len() {
		p.spans = append(p.spans, source.Span{Part: p.out.Len(), Whole: offset})
	}
	p.out.WriteString(s)
	p.last = s[len(s)-1]
}
