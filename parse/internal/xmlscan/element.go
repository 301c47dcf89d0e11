package xmlscan

import (
	"bytes"
	"io"
)

// ElementText reads the rest of the element whose Start was the last token
// and returns its text without white space around it. Text of child elements
// is part of it, and [Scanner.Nested] then reports so. The current token
// afterwards is the End; its origin is where the text begins, or where it
// would.
func (s *Scanner) ElementText() ([]byte, error) {
	s.nested = false
	if s.err != nil {
		return nil, s.err
	}
	if s.empty {
		s.empty = false
		s.pop()
		return nil, nil
	}
	rest := s.buf[s.pos:s.end]
	i := bytes.IndexByte(rest, '<')
	if top := s.top(); i >= 0 && i <= s.limits.Text && len(rest) > i+len(top)+2 && rest[i+1] == '/' &&
		rest[i+len(top)+2] == '>' && string(rest[i+2:i+2+len(top)]) == string(top) {
		lead := 0
		for lead < i && space(rest[lead]) {
			lead++
		}
		s.mark(s.pos + lead)
		text := trim(s.decode(rest[lead:i], s.pos+lead, true))
		s.pos += i + len(top) + 3
		s.pop()
		return text, nil
	}
	return s.joinText()
}

// joinText is ElementText for text in several tokens or longer than the
// window.
func (s *Scanner) joinText() ([]byte, error) {
	depth, skip := s.Depth(), s.SkipSpace
	s.SkipSpace = true
	defer func() { s.SkipSpace = skip }()
	s.joined = s.joined[:0]
	tok, line, col := s.base+int64(s.pos), 0, 0
	for {
		kind, err := s.Next()
		if err != nil {
			return nil, err
		}
		switch kind {
		case Text:
			if s.SkipSpace && len(trim(s.text)) > 0 {
				s.SkipSpace = false
				s.place()
				tok, line, col = s.tok, s.tokLine, s.tokCol
			}
			if s.joined = append(s.joined, s.text...); len(s.joined) > s.limits.Text {
				_, err := s.fail(s.tooLong())
				return nil, err
			}
		case Start:
			if s.Breaks != nil && s.Breaks(s.name) {
				return nil, s.broken()
			}
			s.nested = true
		case End:
			if s.Depth() >= depth {
				continue
			}
			if line > 0 {
				s.tok, s.tokLine, s.tokCol, s.tokFound = tok, line, col, true
			}
			return trim(s.joined), nil
		}
	}
}

// Nested reports whether the element of the last ElementText had child
// elements.
func (s *Scanner) Nested() bool { return s.nested }

// broken returns the error for the current Start, which breaks the text of
// the element around it. The tag stays unread.
func (s *Scanner) broken() error {
	found := "<" + clip(s.name) + ">"
	s.pos = int(s.tok - s.base)
	s.empty = false
	s.pop()
	_, err := s.syntax(found, "</"+clip(s.top())+">")
	return err
}

// CloseTo takes the element of the current Start for a child of the outermost
// depth elements: what is open between counts as closed. It is for callers
// that see by its name that an end tag must be missing.
func (s *Scanner) CloseTo(depth int) {
	last := len(s.marks) - 1
	if depth >= last {
		return
	}
	s.open = append(s.open[:s.marks[depth]], s.open[s.marks[last]:]...)
	s.marks = s.marks[:depth+1]
	s.name = s.open[s.marks[depth]:]
}

// Unread makes the Start that was the last token the next one as well.
func (s *Scanner) Unread() { s.again = true }

// Resync goes on after a syntax error: it looks for the next place where one
// of tags stands ("<Result>", "</Results>"), that of the error included, and
// takes up the tokens there as if only the outermost depth elements were
// open. A place where that failed before is passed over, unless fewer are
// open this time. It reports whether there is such a place; if not, the tokens end
// there. What lies between is lost, and it is for the caller to say so.
func (s *Scanner) Resync(depth int, tags ...string) bool {
	if s.truncated {
		s.err = io.EOF
		return false
	}
	s.err, s.empty, s.again = nil, false, false
	if depth < len(s.marks) {
		s.open = s.open[:s.marks[depth]]
		s.marks = s.marks[:depth]
	}
	if s.base+int64(s.pos) == s.synced && len(s.marks) >= s.syncDepth {
		s.pos++ // it was of no use to go on here
	}
	for ; ; s.pos++ {
		i := -1
		if s.pos < s.end {
			i = bytes.IndexByte(s.buf[s.pos:s.end], '<')
		}
		for i < 0 {
			s.pos = s.end
			if !s.fill() {
				s.open, s.marks = s.open[:0], s.marks[:0]
				return false
			}
			i = bytes.IndexByte(s.buf[s.pos:s.end], '<')
		}
		s.pos += i
		for _, tag := range tags {
			if s.hasPrefix(tag) {
				s.synced, s.syncDepth = s.base+int64(s.pos), len(s.marks)
				return true
			}
		}
	}
}

const spaces = " \t\r\n"

// trim is bytes.TrimSpace for XML's white space, without its look at
// Unicode's.
func trim(text []byte) []byte {
	for len(text) > 0 && space(text[0]) {
		text = text[1:]
	}
	for len(text) > 0 && space(text[len(text)-1]) {
		text = text[:len(text)-1]
	}
	return text
}
