package html

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// The parser keeps no positions, so locate finds them: it steps through the
// text runs of the source beside the text nodes of the tree, both in
// document order, and takes a run's place for a node only where the run,
// entities resolved, is the node's text. A node that finds no run (the tree
// was built in another order than the source, as in broken tables) stays
// without a place; it never gets a wrong text's place.

// lookahead is how many runs are tried for a node before it is given up.
const lookahead = 32

// locate stores the source offset of every text node in its DataAtom, which
// the parser leaves zero there: offset + 1, and 0 where it is unknown.
func locate(root *html.Node, src string) {
	l := locator{runs: runs{src: src}, budget: 4*len(src) + 1<<16}
	l.walk(root)
}

// offset returns the place of a text node in the source, or -1.
func offset(n *html.Node) int { return int(n.DataAtom) - 1 }

type locator struct {
	runs   runs
	budget int // bytes that may still be looked at ahead
}

func (l *locator) walk(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.TextNode {
			if at := l.find(c.Data); at >= 0 && uint64(at) < 1<<32-1 {
				c.DataAtom = atom.Atom(at + 1)
			}
			continue
		}
		l.walk(c)
	}
}

// find returns where text begins in the runs ahead and steps behind it, or
// returns -1 and stays.
func (l *locator) find(text string) int {
	back := l.runs
	start, end, ok := l.runs.next()
	if ok && l.runs.src[start:end] == text {
		return start // nearly always
	}
	l.runs = back
	for try := 0; try < lookahead && l.budget > 0; try++ {
		if start, end, ok = l.runs.next(); !ok {
			break
		}
		l.budget -= l.runs.pos - back.pos
		if l.matches(text, start, end) {
			return start
		}
	}
	l.runs = back
	return -1
}

// matches reports whether text is that of a run and, where tags that the
// parser dropped divide it, of the runs behind it. If so it steps over those.
func (l *locator) matches(text string, start, end int) bool {
	back := l.runs
	for {
		rest, ok := cutRun(text, l.runs.src[start:end])
		switch {
		case ok && rest == "":
			return true
		case ok:
			text = rest
			start, end, ok = l.runs.next()
		}
		if !ok {
			l.runs = back
			return false
		}
	}
}

// cutRun returns text without a run of source at its start.
func cutRun(text, run string) (rest string, ok bool) {
	if rest, ok = strings.CutPrefix(text, run); ok {
		return rest, true
	}
	if strings.IndexByte(run, '&') < 0 && strings.IndexByte(run, 0) < 0 {
		return text, false
	}
	run = html.UnescapeString(run)
	if rest, ok = strings.CutPrefix(text, run); !ok {
		rest, ok = strings.CutPrefix(text, strings.ReplaceAll(run, "\x00", "\ufffd"))
	}
	return rest, ok
}

const space = " \t\r\n\f"

// cdata stands for the open element of a CDATA section.
const cdata = "<![CDATA["

// runs steps through the texts of a source, those between its tags.
type runs struct {
	src string
	pos int
	raw string // the raw-text element that is open, "" if none
}

// next returns the bounds of the next run that is not empty.
func (r *runs) next() (start, end int, ok bool) {
	for r.pos < len(r.src) {
		start = r.pos
		if r.raw == "" {
			if end = start; r.src[start] != '<' || !r.opens(start) {
				end = r.markup()
				r.pos = end
			}
		} else {
			end = r.rawEnd()
			r.pos = end
			if r.raw == cdata {
				r.pos = min(end+len("]]>"), len(r.src))
			}
			r.raw = ""
		}
		if end > start {
			return start, end, true
		}
		if r.pos == start {
			r.skip()
		}
	}
	return 0, 0, false
}

// markup returns where the next tag, comment or declaration begins.
func (r *runs) markup() int {
	for i := r.pos; ; i++ {
		j := strings.IndexByte(r.src[i:], '<')
		if j < 0 {
			return len(r.src)
		}
		if i += j; r.opens(i) {
			return i
		}
	}
}

// opens reports whether the "<" at i begins markup.
func (r *runs) opens(i int) bool {
	if i+1 >= len(r.src) {
		return false
	}
	c := r.src[i+1]
	return isLetter(c) || c == '!' || c == '?' || c == '/' && i+2 < len(r.src)
}

// rawEnd returns where the end tag of the open raw-text element begins.
func (r *runs) rawEnd() int {
	if r.raw == "plaintext" {
		return len(r.src)
	}
	if r.raw == cdata {
		// Within drawings it is text; a run that is none is passed over.
		if i := strings.Index(r.src[r.pos:], "]]>"); i >= 0 {
			return r.pos + i
		}
		return len(r.src)
	}
	for i := r.pos; ; i++ {
		j := strings.Index(r.src[i:], "</")
		if j < 0 {
			return len(r.src)
		}
		i += j
		if named(r.src[i+2:], r.raw) {
			return i
		}
	}
}

// skip steps over the markup at pos.
func (r *runs) skip() {
	rest := r.src[r.pos:]
	switch {
	case strings.HasPrefix(rest, "<!--"):
		r.skipComment()
	case strings.HasPrefix(rest, "<![CDATA["):
		r.raw = cdata
		r.pos += len("<![CDATA[")
	case rest[1] == '!' || rest[1] == '?', rest[1] == '/' && len(rest) > 2 && !isLetter(rest[2]):
		r.skipTo(strings.IndexByte(rest, '>'))
	default:
		r.skipTag()
	}
}

func (r *runs) skipTo(i int) {
	if i < 0 {
		r.pos = len(r.src)
		return
	}
	r.pos += i + 1
}

func (r *runs) skipComment() {
	rest := r.src[r.pos+4:]
	for _, short := range [...]string{">", "->"} {
		if strings.HasPrefix(rest, short) {
			r.pos += 4 + len(short)
			return
		}
	}
	for from := 0; ; {
		i := strings.Index(rest[from:], "--")
		if i < 0 {
			r.pos = len(r.src)
			return
		}
		i += from
		for _, end := range [...]string{"-->", "--!>"} {
			if strings.HasPrefix(rest[i:], end) {
				r.pos += 4 + i + len(end)
				return
			}
		}
		from = i + 1
	}
}

// skipTag steps over a start or end tag. A quote opens only behind an equals
// sign; a ">" within quotes does not end the tag.
func (r *runs) skipTag() {
	src, i := r.src, r.pos+1
	if src[i] != '/' {
		r.raw = rawElement(src[i:])
	}
	// Tags without a quoted ">" are nearly all: as many quotes open as close
	// before it.
	end := strings.IndexByte(src[i:], '>')
	if end < 0 {
		r.pos, r.raw = len(src), ""
		return
	}
	if tag := src[i : i+end]; tag[0] == '/' && len(tag) < 16 || strings.Count(tag, `"`)%2 == 0 && strings.IndexByte(tag, '\'') < 0 {
		r.pos = i + end + 1
		return
	}
	for i < len(src) {
		switch src[i] {
		case '>':
			r.pos = i + 1
			return
		case '=':
			i++
			for i < len(src) && strings.IndexByte(space, src[i]) >= 0 {
				i++
			}
			if i == len(src) {
				break
			}
			if q := src[i]; q == '"' || q == '\'' {
				end := strings.IndexByte(src[i+1:], q)
				if end < 0 {
					i = len(src)
					break
				}
				i += end + 2
				break
			}
			for i < len(src) && src[i] != '>' && strings.IndexByte(space, src[i]) < 0 {
				i++
			}
		default:
			i++
		}
	}
	r.pos, r.raw = len(src), ""
}

// rawElement returns the name of the raw-text element, one whose content is
// text alone, that tag, a start tag without its bracket, opens; "" for all
// others.
func rawElement(tag string) string {
	if len(tag) < 2 {
		return ""
	}
	name := ""
	switch c, d := tag[0]|0x20, tag[1]|0x20; {
	case c == 's' && d == 'c':
		name = "script"
	case c == 's' && d == 't':
		name = "style"
	case c == 't' && d == 'i':
		name = "title"
	case c == 't' && d == 'e':
		name = "textarea"
	case c == 'i' && d == 'f':
		name = "iframe"
	case c == 'n' && d == 'o':
		for _, name = range [...]string{"noembed", "noframes", "noscript"} {
			if named(tag, name) {
				return name
			}
		}
	case c == 'p' && d == 'l':
		name = "plaintext"
	case c == 'x' && d == 'm':
		name = "xmp"
	default:
		return ""
	}
	if named(tag, name) {
		return name
	}
	return ""
}

// named reports whether name is the name of a tag, without its bracket.
func named(tag, name string) bool {
	return len(tag) > len(name) && strings.IndexByte(space+"/>", tag[len(name)]) >= 0 && strings.EqualFold(tag[:len(name)], name)
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
