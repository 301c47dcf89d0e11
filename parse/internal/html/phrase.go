package html

import (
	"path"
	"strings"

	"golang.org/x/net/html"
)

// phrase is a text of HTML that the exporter may not have escaped: as the
// parser reads it, and as it stands in the source ("" if the same). tags says
// that the parser met elements in it.
type phrase struct {
	text, raw string
	tags      bool
	off       int // of its first text, -1 if unknown
}

// plain returns the likelier reading: nothing but text is meant to stand
// there, so elements were text.
func (p phrase) plain() string {
	if p.tags && p.raw != "" {
		return p.raw
	}
	return p.text
}

// is returns the reading that fits, the parser's where both do, and false
// with the likelier one where none does.
func (p phrase) is(fits func(string) bool) (string, bool) {
	if fits(p.text) {
		return p.text, true
	}
	if p.raw != "" && fits(p.raw) {
		return p.raw, true
	}
	return p.plain(), false
}

// phrase returns the text of an element, and its source where tags that were
// meant as text, or entities, stand in it. It is empty for a text that the
// end of the page cuts off.
func (p *page) phrase(n *html.Node) phrase {
	var b strings.Builder
	ph := phrase{off: -1}
	last := -1
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		ph.tags = ph.tags || c.Type != html.TextNode
	}
	gather(n, &b, &ph.off, &last)
	ph.text = strings.Trim(b.String(), space)
	switch {
	case len(ph.text) > p.limits.Text:
		p.limit("text", p.limits.Text, "--max-text")
	case p.cuts.open(n.Data, last):
		p.warn(last, "text-cut", "the page ends within a text, which was left out: %q", clip(ph.text))
		return phrase{off: ph.off}
	case ph.off < 0:
	case ph.tags:
		ph.raw = inner(p.doc.Text, n.Data, ph.off, last)
	case !strings.HasPrefix(p.doc.Text[ph.off:], b.String()):
		raw, _, _ := strings.Cut(p.doc.Text[ph.off:], "<")
		ph.raw = strings.Trim(raw, space)
	}
	return ph
}

// gather writes the texts in n and notes where the first and last stand.
func gather(n *html.Node, b *strings.Builder, first, last *int) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.TextNode {
			gather(c, b, first, last)
			continue
		}
		b.WriteString(c.Data)
		if off := offset(c); off >= 0 {
			if *first < 0 {
				*first = off
			}
			*last = off
		}
	}
}

// inner returns the source between the tags of an element whose first and
// last texts stand at the offsets, and "" where the tags are not near.
func inner(src, tag string, first, last int) string {
	const near = 1 << 12
	from := max(0, first-near)
	i := strings.LastIndex(src[from:first], "<"+tag)
	if i < 0 {
		return ""
	}
	j := strings.IndexByte(src[from+i:first], '>')
	if j < 0 {
		return ""
	}
	start := from + i + j + 1
	k := strings.Index(src[last:min(len(src), last+near)], "</"+tag)
	if k < 0 {
		return ""
	}
	return strings.Trim(src[start:last+k], space)
}

// holds reports whether n has a child element of that name.
func holds(n *html.Node, name string) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode && (c.Data == name || holds(c, name)) {
			return true
		}
	}
	return false
}

// link returns the address of the first link in n, "" if there is none.
func link(n *html.Node) string {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.ElementNode {
			continue
		}
		if c.Data == "a" {
			for _, a := range c.Attr {
				if a.Key == "href" {
					return a.Val
				}
			}
		}
		if s := link(c); s != "" {
			return s
		}
	}
	return ""
}

// identifier returns the last element of a result's address.
func identifier(url string) string {
	url, _, _ = strings.Cut(url, "?")
	url, _, _ = strings.Cut(url, "#")
	if url == "" {
		return ""
	}
	return path.Base(url)
}
