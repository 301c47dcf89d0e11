package result

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
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
		e.Message, e.Err = "unexpected end of document", io.ErrUnexpectedEOF
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

// boolean reads true or false.
func (s *jsonScanner) boolean(p *bool) error {
	c, err := s.token()
	if err != nil {
		return err
	}
	switch c {
	case 't':
		*p = true
		return s.literal("true")
	case 'f':
		*p = false
		return s.literal("false")
	}
	return s.fail("found %s, expected a boolean", jsonKind(c))
}

// null takes a null and reports whether there was one.
func (s *jsonScanner) null() (bool, error) {
	c, err := s.token()
	if err != nil || c != 'n' {
		return false, err
	}
	return true, s.literal("null")
}

func (s *jsonScanner) literal(word string) error {
	for i := range len(word) {
		c, err := s.next()
		if err != nil {
			return err
		}
		if c != word[i] {
			return s.fail("found %q within what began as %s", c, word)
		}
	}
	return nil
}

// skip reads any value and forgets it.
func (s *jsonScanner) skip(depth int) error {
	if depth > maxJSONDepth {
		return s.limit("MaxDepth", "nesting", maxJSONDepth)
	}
	c, err := s.token()
	if err != nil {
		return err
	}
	switch jsonKind(c) {
	case "an object":
		_, _ = s.next()
		for n := 0; ; n++ {
			more, err := s.more(n, '}')
			if err != nil || !more {
				return err
			}
			if err := s.scanString("a key"); err != nil {
				return err
			}
			if err := s.expect(':', "':'"); err != nil {
				return err
			}
			if err := s.skip(depth + 1); err != nil {
				return err
			}
		}
	case "a list":
		return s.array(func() error { return s.skip(depth + 1) })
	case "a string":
		return s.scanString("a string")
	case "a number":
		return s.number()
	case "a boolean":
		var b bool
		return s.boolean(&b)
	case "null":
		return s.literal("null")
	}
	return s.fail("found %s, expected a value", jsonKind(c))
}
