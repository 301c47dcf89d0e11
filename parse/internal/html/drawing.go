package html

import (
	"math"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// drawing is an SVG element flattened: its texts and rectangles with their
// places, in document order. One is reused for all drawings of a page.
type drawing struct {
	labels []label
	boxes  []box
	lines  int // polylines
	cuts   cuts
	groups int32 // g elements met so far
}

// label is one text of a drawing.
type label struct {
	text    string // without white space at its ends
	fill    string
	link    string // address of the enclosing link, "" if none
	off     int    // offset in the source, -1 if unknown
	x, y    float64
	size    float32 // font size, 0 if not said
	group   int32   // number of the innermost g, 0 outside of any
	anchor  anchor
	bold    bool
	rotated bool
	spaced  bool // began with white space
	lost    bool // no usable place, or cut off
	used    bool // has found its meaning
}

// anchor is the point of a text that stands at its x.
type anchor uint8

const (
	atStart anchor = iota
	atMiddle
	atEnd
)

// box is one rectangle of a drawing.
type box struct {
	x, y, w, h float64
	fill       string
	group      int32
}

func (b *box) right() float64  { return b.x + b.w }
func (b *box) bottom() float64 { return b.y + b.h }
func (b *box) middle() float64 { return b.x + b.w/2 }

// style is what a text inherits.
type style struct {
	fill, link string
	size       float32
	group      int32
	anchor     anchor
	bold, lost bool
}

// read flattens svg into d, whose former content is dropped.
func (d *drawing) read(svg *html.Node, cuts cuts) {
	*d = drawing{labels: d.labels[:0], boxes: d.boxes[:0], cuts: cuts}
	d.walk(svg, style{})
}

// off returns the place of the drawing's first text, -1 if unknown.
func (d *drawing) off() int {
	if len(d.labels) == 0 {
		return -1
	}
	return d.labels[0].off
}

func (d *drawing) walk(n *html.Node, inherited style) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.ElementNode {
			continue
		}
		s := inherited
		switch c.Data {
		case "g":
			d.groups++
			s.group = d.groups
			s.set(c)
			d.grow(c)
			d.walk(c, s)
		case "a":
			s.set(c)
			d.walk(c, s)
		case "svg":
			s.lost = true // its own coordinates
			d.walk(c, s)
		case "text":
			d.text(c, s)
		case "rect":
			d.rect(c, s)
		case "polyline":
			d.lines++
		}
	}
}

// grow makes room for what a group holds.
func (d *drawing) grow(g *html.Node) {
	n := 0
	for c := g.FirstChild; c != nil; c = c.NextSibling {
		n++
	}
	if free := cap(d.labels) - len(d.labels); free < n {
		d.labels = append(make([]label, 0, len(d.labels)+max(n+16, 128)), d.labels...)
	}
}

// set takes what n says over what was inherited.
func (s *style) set(n *html.Node) {
	for i := range n.Attr {
		s.attribute(&n.Attr[i])
	}
}

func (s *style) attribute(a *html.Attribute) {
	switch a.Key {
	case "fill":
		s.fill = a.Val
	case "font-size":
		size, _ := coordinate(a.Val)
		s.size = float32(size)
	case "font-weight":
		s.bold = a.Val == "bold"
	case "style":
		if strings.Contains(a.Val, "bold") {
			s.bold = true
		}
	case "text-anchor":
		switch a.Val {
		case "middle":
			s.anchor = atMiddle
		case "end":
			s.anchor = atEnd
		default:
			s.anchor = atStart
		}
	case "href":
		s.link = a.Val
	case "transform":
		// A rotated text keeps its place; one that is moved or scaled is
		// somewhere else than it says.
		if !strings.HasPrefix(a.Val, "rotate(") {
			s.lost = true
		}
	}
}

func (d *drawing) text(n *html.Node, s style) {
	l := label{off: -1}
	haveX, haveY := false, false
	for i := range n.Attr {
		a := &n.Attr[i]
		switch a.Key {
		case "x":
			l.x, haveX = coordinate(a.Val)
		case "y":
			l.y, haveY = coordinate(a.Val)
		case "transform":
			l.rotated = true
			s.attribute(a)
		default:
			s.attribute(a)
		}
	}
	l.lost = s.lost || !haveX || !haveY
	l.size, l.fill, l.link, l.group, l.anchor, l.bold = s.size, s.fill, s.link, s.group, s.anchor, s.bold
	if c := n.FirstChild; c != nil && c.NextSibling == nil && c.Type == html.TextNode {
		l.text = c.Data
		l.off = offset(c)
	} else {
		var b strings.Builder
		l.join(&b, n)
		l.text = b.String()
	}
	l.lost = l.lost || d.cuts.open("text", l.off)
	l.trim()
	d.labels = append(d.labels, l)
}

// trim drops white space at the ends of the label's text.
func (l *label) trim() {
	s := l.text
	if s == "" || s[0] > ' ' && s[len(s)-1] > ' ' {
		return
	}
	s = strings.TrimLeft(s, space)
	if l.spaced = len(s) < len(l.text); l.spaced && l.off >= 0 {
		l.off += len(l.text) - len(s)
	}
	l.text = strings.TrimRight(s, space)
}

// join writes the texts in n, the lines of a wrapped text, one behind
// another: the break stands at a space that the next line keeps.
func (l *label) join(b *strings.Builder, n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type != html.TextNode:
			l.join(b, c)
		case b.Len() > 0 || strings.Trim(c.Data, space) != "":
			if l.off < 0 {
				l.off = offset(c)
			}
			b.WriteString(c.Data)
		}
	}
}

func (d *drawing) rect(n *html.Node, s style) {
	b := box{fill: s.fill, group: s.group}
	have := 0
	for i := range n.Attr {
		a := &n.Attr[i]
		var to *float64
		switch a.Key {
		case "x":
			to = &b.x
		case "y":
			to = &b.y
		case "width":
			to = &b.w
		case "height":
			to = &b.h
		case "fill":
			b.fill = a.Val
		case "transform":
			return
		}
		if to != nil {
			v, ok := coordinate(a.Val)
			if !ok {
				return
			}
			*to = v
			have++
		}
	}
	if have == 4 && !s.lost && b.w >= 0 && b.h >= 0 {
		d.boxes = append(d.boxes, b)
	}
}

// coordinate reads a length of a drawing in its own units.
func coordinate(text string) (float64, bool) {
	const most = 1e9
	v := 0
	for i := 0; i < len(text) && i < 9; i++ {
		c := text[i]
		if c < '0' || c > '9' {
			break
		}
		if v = v*10 + int(c-'0'); i == len(text)-1 {
			return float64(v), true
		}
	}
	f, err := strconv.ParseFloat(strings.TrimSuffix(text, "px"), 64)
	return f, err == nil && math.Abs(f) <= most
}
