package result

import (
	"unicode/utf16"
	"unicode/utf8"
)

// text reads a string.
func (s *jsonScanner) text(p *string) error {
	if err := s.scanString("a string"); err != nil {
		return err
	}
	*p = string(s.buf)
	return nil
}

// word reads a string of which a document has many equal ones.
func (s *jsonScanner) word(p *string) error {
	if err := s.scanString("a string"); err != nil {
		return err
	}
	w, ok := s.interns[string(s.buf)]
	if !ok {
		w = string(s.buf)
		if len(s.interns) < 4096 && len(w) < 256 {
			s.interns[w] = w
		}
	}
	*p = w
	return nil
}

// scanString reads a string into s.buf.
func (s *jsonScanner) scanString(what string) error {
	if err := s.expect('"', what); err != nil {
		return err
	}
	s.buf = s.buf[:0]
	for {
		c, err := s.next()
		if err != nil {
			return err
		}
		switch {
		case c == '"':
			if !utf8.Valid(s.buf) {
				return s.failMark("string is not valid UTF-8")
			}
			return nil
		case c < 0x20:
			return s.fail("control character %#02x within a string", c)
		case c == '\\':
			if err := s.escape(); err != nil {
				return err
			}
		default:
			s.buf = append(s.buf, c)
		}
		if len(s.buf) > s.maxText {
			return s.limit("MaxText", "string", int64(s.maxText))
		}
	}
}

func (s *jsonScanner) escape() error {
	c, err := s.next()
	if err != nil {
		return err
	}
	switch c {
	case '"', '\\', '/':
	case 'b':
		c = '\b'
	case 'f':
		c = '\f'
	case 'n':
		c = '\n'
	case 'r':
		c = '\r'
	case 't':
		c = '\t'
	case 'u':
		r, err := s.hex4()
		if err != nil {
			return err
		}
		if utf16.IsSurrogate(r) {
			low := rune(0)
			if b, _ := s.r.Peek(2); string(b) == `\u` {
				_, _ = s.next()
				_, _ = s.next()
				if low, err = s.hex4(); err != nil {
					return err
				}
			}
			if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
				return s.fail("half of a surrogate pair")
			}
		}
		s.buf = utf8.AppendRune(s.buf, r)
		return nil
	default:
		return s.fail("unknown escape %q", "\\"+string(rune(c)))
	}
	s.buf = append(s.buf, c)
	return nil
}

func (s *jsonScanner) hex4() (rune, error) {
	var r rune
	for range 4 {
		c, err := s.next()
		if err != nil {
			return 0, err
		}
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, s.fail("found %q, expected a hexadecimal digit", c)
		}
		r = r<<4 | rune(c)
	}
	return r, nil
}
