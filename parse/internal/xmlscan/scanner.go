package xmlscan

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

// Kind is the kind of a token.
type Kind uint8

// The kinds of tokens. An empty-element tag gives a Start and an End.
const (
	None    Kind = iota // no token: the end of the input, or an error
	Start               // start tag
	End                 // end tag
	Text                // character data or a CDATA section
	Comment             // comment
	Inst                // processing instruction, the XML declaration included
	Doctype             // document type or other declaration; not read
)

// Scanner reads the tokens of one document. Make one with [New]. It is not
// safe for concurrent use.
type Scanner struct {
	// SkipSpace leaves out white space between tags. It also takes the
	// white space off the front of other text.
	SkipSpace bool
	// Breaks, if not nil, names elements that never stand inside text. One
	// that begins inside an element that [Scanner.ElementText] reads is a
	// syntax error: the end tag before it must be missing.
	Breaks func(name []byte) bool

	window
	limits source.Limits

	name []byte // of the current token
	text []byte // of the current token
	attr []byte // raw attributes of the current Start

	attrAt int // where attr stands in the window

	// The names of the open elements lie end to end in open, so that they
	// outlive the window; marks holds where each begins.
	open  []byte
	marks []int
	empty bool // the current Start is an empty-element tag
	again bool // the current Start comes once more

	scratch []byte // decoded text
	joined  []byte // text of an element in several pieces
	nested  bool   // the last ElementText met child elements

	notes  []Note
	counts map[string]int

	err       error
	truncated bool
	synced    int64 // where Resync left off last, -1 if nowhere yet
	syncDepth int   // with how many elements open
}

// New returns a Scanner of r. Positions name the document name. Zero limits
// stand for the defaults; Input, Text and Depth are the ones that hold here.
func New(r io.Reader, name string, limits source.Limits) *Scanner {
	return newScanner(r, name, limits, windowSize)
}

// NewText is [New] for a document that is in memory.
func NewText(text, name string, limits source.Limits) *Scanner {
	return newScanner(strings.NewReader(text), name, limits, min(len(text)+1, windowSize))
}

// newScanner is New with a window of size bytes to begin with.
func newScanner(r io.Reader, name string, limits source.Limits, size int) *Scanner {
	limits = limits.WithDefaults()
	s := &Scanner{limits: limits, synced: -1}
	s.window = newWindow(r, name, limits, size)
	return s
}

// StartAt says that the input is a part of a larger one, where it begins at o.
// Positions are then those of the larger one. Call it before the first Next.
func (s *Scanner) StartAt(o result.Origin) {
	s.line, s.shift = o.Line, o.Offset
	s.lineStart = s.counted - int64(o.Column-1)
}

// Name returns the name of the current Start, End or Inst. It stays valid
// until the next start tag is read.
func (s *Scanner) Name() []byte { return s.name }

// Bytes returns the text of the current Text, with references replaced and
// line ends made "\n", or the raw content of a Comment, Inst or Doctype.
func (s *Scanner) Bytes() []byte { return s.text }

// Depth returns how many elements are open. It counts the element of a Start
// and no longer that of an End.
func (s *Scanner) Depth() int { return len(s.marks) }

// Truncated reports whether the error that ended the tokens is that the input
// ends too early.
func (s *Scanner) Truncated() bool { return s.truncated }

// Next reads the next token. At the end of a whole document it returns
// [io.EOF]; a document that breaks XML's structure ends in a
// *[source.SyntaxError], one that breaks a limit in a *[source.LimitError].
// Errors repeat, until [Scanner.Resync].
func (s *Scanner) Next() (Kind, error) {
	if s.err != nil {
		return None, s.err
	}
	if s.again {
		s.again = false
		return Start, nil
	}
	s.attr, s.text = nil, nil
	if s.empty {
		s.empty = false
		return s.pop(), nil
	}
	if s.SkipSpace {
		s.skipSpace()
	}
	if s.pos == s.end && !s.fill() {
		return s.finish()
	}
	s.mark(s.pos)
	if s.buf[s.pos] != '<' {
		return s.characters(0)
	}
	if !s.need(2) {
		return s.early("a tag")
	}
	switch c := s.buf[s.pos+1]; {
	case nameStart(c):
		return s.startTag()
	case c == '/':
		return s.endTag()
	case c == '!':
		return s.declaration()
	case c == '?':
		return s.instruction()
	}
	s.note("stray-lt", s.pos, `"<" that begins no tag, read as text`)
	return s.characters(1)
}

// characters reads text up to the next tag. Its first from bytes are known
// to belong to it.
func (s *Scanner) characters(from int) (Kind, error) {
	n := s.index(from, '<')
	for n >= 0 && s.need(n+2) && !markup(s.buf[s.pos+n+1]) {
		s.note("stray-lt", s.pos+n, `"<" that begins no tag, read as text`)
		n = s.index(n+1, '<')
	}
	if n < 0 {
		n = s.end - s.pos
		if s.failure() != nil {
			return s.finish()
		}
	}
	if n > s.limits.Text {
		return s.fail(s.tooLong())
	}
	s.text = s.decode(s.buf[s.pos:s.pos+n], s.pos, true)
	s.pos += n
	return Text, nil
}

// startTag reads a start tag. The byte behind "<" begins a name.
func (s *Scanner) startTag() (Kind, error) {
	n, ok := s.nameEnd(1)
	if !ok {
		return s.early("the end of a start tag")
	}
	nameLen := n - 1
	for quote := byte(0); ; n++ {
		if !s.need(n + 1) {
			return s.early("the end of a start tag")
		}
		c := s.buf[s.pos+n]
		if c == '<' {
			return s.syntax(fmt.Sprintf("%q inside the tag <%s", "<", clip(s.buf[s.pos+1:s.pos+1+nameLen])), `">"`)
		}
		if quote != 0 {
			if c == quote {
				quote = 0
			}
			continue
		}
		if c == '>' {
			break
		}
		if c == '"' || c == '\'' {
			quote = c
		}
	}
	tag := s.buf[s.pos+1 : s.pos+n]
	s.attr = tag[nameLen:]
	if last := len(s.attr) - 1; last >= 0 && s.attr[last] == '/' {
		s.empty, s.attr = true, s.attr[:last]
	}
	if len(s.attr) > 0 {
		if s.attrAt = s.pos + 1 + nameLen; !wellFormed(s.attr) {
			return s.syntax(fmt.Sprintf("a bad attribute in the tag <%s", clip(tag[:nameLen])), `name="value"`)
		}
	}
	if len(s.marks) >= s.limits.Depth {
		return s.fail(&source.LimitError{
			Source: s.source, Origin: s.origin(), What: "depth of elements",
			Limit: int64(s.limits.Depth), Flag: source.FlagDepth,
		})
	}
	mark := len(s.open)
	s.marks = append(s.marks, mark)
	s.open = append(s.open, tag[:nameLen]...)
	s.name = s.open[mark:]
	s.pos += n + 1
	return Start, nil
}

// endTag reads an end tag and closes its element.
func (s *Scanner) endTag() (Kind, error) {
	if top := s.top(); s.end-s.pos > len(top)+2 && len(top) > 0 &&
		s.buf[s.pos+2+len(top)] == '>' && string(s.buf[s.pos+2:s.pos+2+len(top)]) == string(top) {
		s.pos += len(top) + 3
		return s.pop(), nil
	}
	n, ok := s.nameEnd(2)
	nameLen := n - 2
	for ok && space(s.buf[s.pos+n]) {
		n++
		ok = s.need(n + 1)
	}
	if !ok {
		return s.early("the end of an end tag")
	}
	name := s.buf[s.pos+2 : s.pos+2+nameLen]
	if s.buf[s.pos+n] != '>' || nameLen == 0 {
		return s.syntax(fmt.Sprintf("%q in the end tag </%s", s.buf[s.pos+n], clip(name)), `">"`)
	}
	if len(s.marks) == 0 {
		return s.syntax(fmt.Sprintf("</%s>", clip(name)), "no end tag, since no element is open")
	}
	if !bytes.Equal(name, s.top()) {
		return s.syntax(fmt.Sprintf("</%s>", clip(name)), fmt.Sprintf("</%s>", clip(s.top())))
	}
	s.pos += n + 1
	return s.pop(), nil
}

// instruction reads a processing instruction.
func (s *Scanner) instruction() (Kind, error) {
	n, ok := s.nameEnd(2)
	if !ok {
		return s.early(`"?>"`)
	}
	if n == 2 {
		return s.syntax(`"<?" without a name`, "a processing instruction")
	}
	end := s.indexString(n, "?>")
	if end < 0 {
		return s.early(`"?>"`)
	}
	s.name = s.buf[s.pos+2 : s.pos+n]
	s.text = bytes.TrimLeft(s.buf[s.pos+n:s.pos+end], " \t\r\n")
	s.pos += end + 2
	return Inst, nil
}

// declaration reads what begins with "<!".
func (s *Scanner) declaration() (Kind, error) {
	if !s.need(3) {
		return s.early("a declaration")
	}
	switch s.buf[s.pos+2] {
	case '-':
		if !s.hasPrefix("<!--") {
			return s.syntax(`"<!-"`, "a comment")
		}
		n := s.indexString(4, "-->")
		if n < 0 {
			return s.early(`"-->"`)
		}
		s.text = s.buf[s.pos+4 : s.pos+n]
		s.pos += n + 3
		return Comment, nil
	case '[':
		if !s.hasPrefix("<![CDATA[") {
			return s.syntax(`"<!["`, "a CDATA section")
		}
		n := s.indexString(9, "]]>")
		if n < 0 {
			return s.early(`"]]>"`)
		}
		s.text = s.decode(s.buf[s.pos+9:s.pos+n], s.pos+9, false)
		s.pos += n + 3
		return Text, nil
	}
	return s.doctype()
}

// doctype skips a document type: up to the ">" that closes it, quoted text,
// comments and inner declarations apart.
func (s *Scanner) doctype() (Kind, error) {
	depth, quote := 0, byte(0)
	for n := 3; ; n++ {
		if !s.need(n + 1) {
			return s.early(`">" of a declaration`)
		}
		switch c := s.buf[s.pos+n]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			if depth--; depth < 0 {
				s.text = s.buf[s.pos+2 : s.pos+n]
				s.pos += n + 1
				return Doctype, nil
			}
		case c == '<':
			if s.need(n+4) && string(s.buf[s.pos+n+1:s.pos+n+4]) == "!--" {
				end := s.indexString(n+4, "-->")
				if end < 0 {
					return s.early(`"-->"`)
				}
				n = end + 2
				continue
			}
			depth++
		}
	}
}

// finish ends the tokens at the end of the input.
func (s *Scanner) finish() (Kind, error) {
	if len(s.marks) > 0 {
		return s.early(fmt.Sprintf("</%s>", clip(s.top())))
	}
	if s.failure() != nil {
		return s.early("more of it")
	}
	s.err = io.EOF
	return None, io.EOF
}

// early ends the tokens where the input ends inside a construct.
func (s *Scanner) early(expected string) (Kind, error) {
	if err := s.failure(); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return s.fail(err)
	}
	s.truncated = true
	return s.syntax("the end of the input", expected)
}

func (s *Scanner) syntax(found, expected string) (Kind, error) {
	at := s.pos
	if s.truncated {
		at = s.end
	}
	return s.fail(&source.SyntaxError{Origin: s.originAt(at), Found: found, Expected: expected})
}

func (s *Scanner) fail(err error) (Kind, error) {
	s.err = err
	return None, err
}

// top returns the name of the innermost open element, "" if there is none.
func (s *Scanner) top() []byte {
	if len(s.marks) == 0 {
		return nil
	}
	return s.open[s.marks[len(s.marks)-1]:]
}

func (s *Scanner) pop() Kind {
	mark := s.marks[len(s.marks)-1]
	s.name = s.open[mark:]
	s.open, s.marks = s.open[:mark], s.marks[:len(s.marks)-1]
	return End
}

// Origin returns where the current token begins; after [Scanner.ElementText]
// where the text begins.
func (s *Scanner) Origin(rule string) result.Origin {
	o := s.origin()
	o.Rule = rule
	return o
}

// clip shortens a name for a message.
func clip(name []byte) string {
	const most = 40
	if len(name) > most {
		return string(bytes.ToValidUTF8(name[:most], nil)) + "…"
	}
	return string(bytes.ToValidUTF8(name, nil))
}
