package json

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/benchproof/benchproof/parse/internal/source"
)

// scanner reads JSON from front to back, once, without building anything.
type scanner struct {
	doc   *source.Doc
	text  string
	at    int
	depth int
	odd   int // tokens met that JSON does not have, such as NaN
}

// kind is what a value is.
type kind uint8

const (
	isString kind = iota
	isNumber
	isNull
	isBool
	isOdd // NaN, -nan, Infinity
	isObject
	isArray
)

// token is a value that is neither object nor list, or the beginning of one
// of these.
type token struct {
	kind kind
	text string // strings decoded, everything else as it stands
	at   int
}

// brokenError says where the JSON ends to be JSON.
type brokenError struct {
	at              int
	found, expected string
}

func (e *brokenError) Error() string { return e.found }

func (s *scanner) broken(expected string) error {
	found := "the end of the input"
	if s.at < len(s.text) {
		r, _ := utf8.DecodeRuneInString(s.text[s.at:])
		found = strconv.QuoteRune(r)
	}
	return &brokenError{s.at, found, expected}
}

func (s *scanner) space() {
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case ' ', '\t', '\n', '\r':
			s.at++
		default:
			return
		}
	}
}

// accept goes past c, after white space, if it comes next.
func (s *scanner) accept(c byte) bool {
	s.space()
	if s.at < len(s.text) && s.text[s.at] == c {
		s.at++
		return true
	}
	return false
}

func (s *scanner) enter() error {
	if s.depth++; s.depth > s.doc.Limits.Depth {
		return &source.LimitError{
			Source: s.doc.Name, Origin: s.doc.Origin(s.at, ""), What: "depth of the JSON",
			Limit: int64(s.doc.Limits.Depth), Flag: source.FlagDepth,
		}
	}
	return nil
}

// object calls member for each member of the object that comes next. The
// member must read the value, to its end.
func (s *scanner) object(member func(key string, at int) error) error {
	if !s.accept('{') {
		return s.broken("an object")
	}
	if err := s.enter(); err != nil {
		return err
	}
	for more := !s.accept('}'); more; {
		s.space()
		at := s.at
		key, err := s.str()
		if err != nil {
			return err
		}
		if !s.accept(':') {
			return s.broken(`":"`)
		}
		if err := member(key, at); err != nil {
			return err
		}
		if more = s.accept(','); !more && !s.accept('}') {
			return s.broken(`"," or "}"`)
		}
	}
	s.depth--
	return nil
}

// array calls element for each element of the list that comes next.
func (s *scanner) array(element func(i int) error) error {
	if !s.accept('[') {
		return s.broken("a list")
	}
	if err := s.enter(); err != nil {
		return err
	}
	for i, more := 0, !s.accept(']'); more; i++ {
		if err := element(i); err != nil {
			return err
		}
		if more = s.accept(','); !more && !s.accept(']') {
			return s.broken(`"," or "]"`)
		}
	}
	s.depth--
	return nil
}

// each calls use for the members of an object, or the elements of a list
// with their number as key: PHP writes an array as either.
func (s *scanner) each(use func(key string, at int) error) (list bool, err error) {
	if s.peek() == isArray {
		return true, s.array(func(i int) error {
			s.space()
			return use(strconv.Itoa(i), s.at)
		})
	}
	return false, s.object(use)
}

// peek returns the kind of the next value, as its first byte tells.
func (s *scanner) peek() kind {
	s.space()
	if s.at < len(s.text) {
		switch s.text[s.at] {
		case '{':
			return isObject
		case '[':
			return isArray
		case '"':
			return isString
		}
	}
	return isNumber
}

// token reads the next value; of objects and lists nothing is read.
func (s *scanner) token() (token, error) {
	k := s.peek()
	t := token{kind: k, at: s.at}
	var err error
	switch k {
	case isObject, isArray:
	case isString:
		t.text, err = s.str()
	default:
		t.text, t.kind, err = s.word()
	}
	return t, err
}

// word reads a number or a word.
func (s *scanner) word() (string, kind, error) {
	start := s.at
	for s.at < len(s.text) && isWordByte(s.text[s.at]) {
		s.at++
	}
	text := s.text[start:s.at]
	if s.at == len(s.text) {
		// There may have been more of it.
		return "", isNull, s.broken("the rest of a value")
	}
	switch {
	case text == "null":
		return "", isNull, nil
	case text == "true" || text == "false":
		return text, isBool, nil
	case isJSONNumber(text):
		return text, isNumber, nil
	case isNoNumber(text):
		s.odd++
		return text, isOdd, nil
	}
	s.at = start
	return "", isNull, s.broken("a value")
}

func isWordByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '-' || c == '+' || c == '.'
}

// isNoNumber reports whether text is how programs print what is no number.
func isNoNumber(text string) bool {
	switch strings.ToLower(strings.TrimLeft(text, "+-")) {
	case "nan", "inf", "infinity":
		return true
	}
	return false
}

// isJSONNumber reports whether text is a number as JSON writes them.
func isJSONNumber(text string) bool {
	digits := func() bool {
		n := 0
		for n < len(text) && text[n] >= '0' && text[n] <= '9' {
			n++
		}
		text = text[n:]
		return n > 0
	}
	text = strings.TrimPrefix(text, "-")
	if len(text) > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9' || !digits() {
		return false
	}
	if strings.HasPrefix(text, ".") {
		if text = text[1:]; !digits() {
			return false
		}
	}
	if text != "" && (text[0] == 'e' || text[0] == 'E') {
		text = text[1:]
		if text != "" && (text[0] == '-' || text[0] == '+') {
			text = text[1:]
		}
		if !digits() {
			return false
		}
	}
	return text == ""
}

// skip reads the next value and drops it.
func (s *scanner) skip() error {
	switch s.peek() {
	case isObject:
		return s.object(func(string, int) error { return s.skip() })
	case isArray:
		return s.array(func(int) error { return s.skip() })
	}
	_, err := s.token()
	return err
}

// raw reads the next value and returns it as it stands. It is "" where it
// holds what JSON does not have.
func (s *scanner) raw() (string, error) {
	s.space()
	start, odd := s.at, s.odd
	if err := s.skip(); err != nil || s.odd > odd {
		return "", err
	}
	return s.text[start:s.at], nil
}

// str reads a string.
func (s *scanner) str() (string, error) {
	if s.at >= len(s.text) || s.text[s.at] != '"' {
		return "", s.broken("a string")
	}
	start := s.at + 1
	end, escaped := start, false
	for end < len(s.text) && s.text[end] != '"' {
		if s.text[end] == '\\' {
			escaped = true
			end++
		}
		end++
	}
	if end >= len(s.text) {
		s.at = len(s.text)
		return "", s.broken("the end of a string")
	}
	if end-start > s.doc.Limits.Text {
		return "", &source.LimitError{
			Source: s.doc.Name, Origin: s.doc.Origin(start, ""), What: fmt.Sprintf("a string of %d bytes", end-start),
			Limit: int64(s.doc.Limits.Text), Flag: source.FlagText,
		}
	}
	text := s.text[start:end]
	if escaped {
		var ok bool
		if text, ok = unescape(text); !ok {
			return "", s.broken("a string with escapes of JSON")
		}
	}
	s.at = end + 1
	return text, nil
}

// unescape decodes what stands in a string. Half a pair of surrogates
// becomes U+FFFD.
func unescape(text string) (string, bool) {
	var b strings.Builder
	for {
		i := strings.IndexByte(text, '\\')
		if i < 0 {
			b.WriteString(text)
			return b.String(), true
		}
		b.WriteString(text[:i])
		c := text[i+1]
		text = text[i+2:]
		switch c {
		case '"', '\\', '/':
			b.WriteByte(c)
		case 'b':
			b.WriteByte('\b')
		case 'f':
			b.WriteByte('\f')
		case 'n':
			b.WriteByte('\n')
		case 'r':
			b.WriteByte('\r')
		case 't':
			b.WriteByte('\t')
		case 'u':
			r, ok := hex4(text)
			if !ok {
				return "", false
			}
			text = text[4:]
			if utf16.IsSurrogate(r) {
				low, ok := rune(0), false
				if strings.HasPrefix(text, `\u`) {
					low, ok = hex4(text[2:])
				}
				if r = utf16.DecodeRune(r, low); ok && r != utf8.RuneError {
					text = text[6:]
				}
			}
			b.WriteRune(r)
		default:
			return "", false
		}
	}
}

func hex4(text string) (rune, bool) {
	if len(text) < 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(text[:4], 16, 32)
	return rune(n), err == nil && text[0] != '+'
}
