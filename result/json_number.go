package result

import (
	"errors"
	"io"
	"strconv"
)

// count reads an integer that is not negative.
func (s *jsonScanner) count(p *int) error {
	c, err := s.token()
	if err != nil {
		return err
	}
	if kind := jsonKind(c); kind != "a number" {
		return s.fail("found %s, expected a number", kind)
	}
	if err := s.number(); err != nil {
		return err
	}
	n, err := strconv.Atoi(string(s.buf))
	if err != nil || n < 0 {
		return s.failMark("found %s, expected a whole number of at least 0", s.buf)
	}
	*p = n
	return nil
}

// number reads a number's text into s.buf.
func (s *jsonScanner) number() error {
	s.buf = s.buf[:0]
	ended := false
	for {
		b, err := s.r.Peek(1)
		if err != nil && !errors.Is(err, io.EOF) {
			return s.readError(err)
		}
		if ended = err != nil; ended || !isNumberByte(b[0]) {
			break
		}
		c, err := s.next()
		if err != nil {
			return err
		}
		s.buf = append(s.buf, c)
		if len(s.buf) > 400 {
			return s.fail("number of more than 400 characters")
		}
	}
	if !validJSONNumber(s.buf) {
		if ended {
			return s.readError(io.EOF)
		}
		return s.failMark("%q is no number", s.buf)
	}
	return nil
}

func isNumberByte(c byte) bool {
	return c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E'
}

// validJSONNumber reports whether b is a number by JSON's grammar: no
// leading plus or zeros, digits on both sides of a point.
func validJSONNumber(b []byte) bool {
	digits := func() bool {
		n := 0
		for n < len(b) && b[n] >= '0' && b[n] <= '9' {
			n++
		}
		b = b[n:]
		return n > 0
	}
	if len(b) > 0 && b[0] == '-' {
		b = b[1:]
	}
	if len(b) > 1 && b[0] == '0' && b[1] >= '0' && b[1] <= '9' {
		return false
	}
	if !digits() {
		return false
	}
	if len(b) > 0 && b[0] == '.' {
		b = b[1:]
		if !digits() {
			return false
		}
	}
	if len(b) > 0 && (b[0] == 'e' || b[0] == 'E') {
		b = b[1:]
		if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
			b = b[1:]
		}
		if !digits() {
			return false
		}
	}
	return len(b) == 0
}
