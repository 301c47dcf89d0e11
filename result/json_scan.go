package result

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// JSONError says where a JSON document is not the form of [Decoder].
type JSONError struct {
	// Line and Column count from 1, the column in bytes; Offset from 0.
	Line, Column, Offset int
	// Limit names the limit of the Decoder that was broken ("MaxTests"),
	// "" if the error is another.
	Limit string
	// Message says what is wrong, lower case, without position.
	Message string
	// Err is the cause where it lies outside the document: the reader's
	// error, or io.ErrUnexpectedEOF where the document ends too early.
	Err error
}

// Error returns "line:column: message".
func (e *JSONError) Error() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Message) }

// Unwrap returns Err.
func (e *JSONError) Unwrap() error { return e.Err }

// jsonScanner pulls JSON values from a stream. It is stricter than
// encoding/json where leniency could hide damage: keys match by case and
// stand once, strings are valid UTF-8 without lone surrogates.
type jsonScanner struct {
	r       *bufio.Reader
	line    int
	column  int // of the next byte
	offset  int
	mark    position // of the last token's first byte
	left    int64    // bytes that may still be read
	maxText int
	buf     []byte
	interns map[string]string
}

type position struct{ line, column, offset int }

// maxJSONDepth bounds values that the decoder does not know and skips.
const maxJSONDepth = 64

func newJSONScanner(r io.Reader, maxBytes int64, maxText int) *jsonScanner {
	return &jsonScanner{
		r: bufio.NewReaderSize(r, 64<<10), line: 1, column: 1,
		left: maxBytes, maxText: maxText, interns: map[string]string{},
	}
}

func (s *jsonScanner) fail(format string, args ...any) error {
	return &JSONError{Line: s.line, Column: s.column, Offset: s.offset, Message: fmt.Sprintf(format, args...)}
}

// failMark is fail at the start of the last token.
func (s *jsonScanner) failMark(format string, args ...any) error {
	m := s.mark
	return &JSONError{Line: m.line, Column: m.column, Offset: m.offset, Message: fmt.Sprintf(format, args...)}
}

func (s *jsonScanner) limit(name, what string, max int64) error {
	err := s.fail("%s over the limit of %d", what, max).(*JSONError)
	err.Limit = name
	return err
}

// readError is the error for a read that gave no byte.
func (s *jsonScanner) readError(err error) error {
	e := &JSONError{Line: s.line, Column: s.column, Offset: s.offset, Err: err}
	if errors.Is(err, io.EOF) {
		e.Message, e.Err = "the document ends too early", io.ErrUnexpectedEOF
	} else {
		e.Message = err.Error()
	}
	return e
}

func (s *jsonScanner) peek() (byte, error) {
	b, err := s.r.Peek(1)
	if err != nil {
		return 0, s.readError(err)
	}
	return b[0], nil
}

func (s *jsonScanner) next() (byte, error) {
	c, err := s.r.ReadByte()
	if err != nil {
		return 0, s.readError(err)
	}
	if s.left--; s.left < 0 {
		return 0, s.limit("MaxBytes", "document", int64(s.offset))
	}
	s.offset++
	s.column++
	if c == '\n' {
		s.line, s.column = s.line+1, 1
	}
	return c, nil
}

// token skips white space and returns the byte that follows without taking
// it.
func (s *jsonScanner) token() (byte, error) {
	for {
		c, err := s.peek()
		if err != nil {
			return 0, err
		}
		if c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			s.mark = position{s.line, s.column, s.offset}
			return c, nil
		}
		if _, err := s.next(); err != nil {
			return 0, err
		}
	}
}

// end makes sure that nothing but white space is left.
func (s *jsonScanner) end() error {
	c, err := s.token()
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil
	case err != nil:
		return err
	}
	return s.fail("found %q after the document", c)
}

// expect takes the punctuation c, or fails.
func (s *jsonScanner) expect(c byte, what string) error {
	got, err := s.token()
	if err != nil {
		return err
	}
	if got != c {
		return s.fail("found %s, expected %s", jsonKind(got), what)
	}
	_, err = s.next()
	return err
}

// jsonKind names the value that begins with c.
func jsonKind(c byte) string {
	switch {
	case c == '{':
		return "an object"
	case c == '[':
		return "a list"
	case c == '"':
		return "a string"
	case c == 't', c == 'f':
		return "a boolean"
	case c == 'n':
		return "null"
	case c == '-', c >= '0' && c <= '9':
		return "a number"
	}
	return strconv.QuoteRuneToASCII(rune(c))
}

// object calls field for each key of an object that is one of keys, with the
// key's index; the values of other keys are skipped. Keys whose bit is set in
// required must be there.
func (s *jsonScanner) object(keys []string, required uint64, field func(i int) error) error {
	if err := s.expect('{', "an object"); err != nil {
		return err
	}
	var seen uint64
	for n := 0; ; n++ {
		more, err := s.more(n, '}')
		if err != nil {
			return err
		}
		if !more {
			break
		}
		if err := s.scanString("a key"); err != nil {
			return err
		}
		at, i := s.mark, 0
		for i < len(keys) && keys[i] != string(s.buf) {
			i++
		}
		if err := s.expect(':', "':'"); err != nil {
			return err
		}
		if i == len(keys) {
			err = s.skip(0)
		} else {
			if seen&(1<<i) != 0 {
				s.mark = at
				return s.failMark("key %q stands twice", keys[i])
			}
			seen |= 1 << i
			err = field(i)
		}
		if err != nil {
			return err
		}
	}
	if missing := required &^ seen; missing != 0 {
		for i, k := range keys {
			if missing&(1<<i) != 0 {
				return s.failMark("key %q is missing", k)
			}
		}
	}
	return nil
}

// array calls element at the start of each element of an array.
func (s *jsonScanner) array(element func() error) error {
	if err := s.expect('[', "a list"); err != nil {
		return err
	}
	for n := 0; ; n++ {
		more, err := s.more(n, ']')
		if err != nil || !more {
			return err
		}
		if err := element(); err != nil {
			return err
		}
	}
}

// more takes the comma before the nth member of an object or array, and
// reports whether there is one; it takes the closing byte otherwise.
func (s *jsonScanner) more(n int, closing byte) (bool, error) {
	c, err := s.token()
	if err != nil {
		return false, err
	}
	if c == closing {
		_, err := s.next()
		return false, err
	}
	if n == 0 {
		return true, nil
	}
	if c != ',' {
		return false, s.fail("found %s, expected ',' or '%c'", jsonKind(c), closing)
	}
	if _, err := s.next(); err != nil {
		return false, err
	}
	if c, err = s.token(); err == nil && c == closing {
		return false, s.fail("found '%c' after a comma", closing)
	}
	return true, err
}
