package xmlscan

import (
	"encoding/binary"
	"fmt"
	"html"
	"strconv"
	"unicode/utf8"

	"github.com/benchproof/benchproof/result"
)

// Note is something that the scanner read although XML does not allow it.
type Note struct {
	Origin result.Origin
	// Code is one of "stray-lt", "stray-ampersand", "html-entity",
	// "unknown-entity", "bad-reference", "control-character",
	// "invalid-utf8".
	Code    string
	Message string
}

// notesKept is how many notes of one code are kept; the rest is counted.
const notesKept = 50

// note adds a note. The format's one argument, if any, is a character or a
// byte.
func (s *Scanner) note(code string, at int, format string, args ...rune) {
	if s.counts == nil {
		s.counts = make(map[string]int)
	}
	n := s.counts[code] + 1
	s.counts[code] = n
	if n > notesKept {
		return
	}
	message := format
	if len(args) > 0 {
		message = fmt.Sprintf(format, args[0])
	}
	s.notes = append(s.notes, Note{Origin: s.originAt(at), Code: code, Message: message})
}

// TakeNotes returns the notes since it was last called, in order, and how
// many more there were of each code where these were too many to keep.
func (s *Scanner) TakeNotes() (notes []Note, more map[string]int) {
	for code, n := range s.counts {
		if n > notesKept {
			if more == nil {
				more = make(map[string]int)
			}
			more[code] = n - notesKept
		}
	}
	notes, s.notes, s.counts = s.notes, nil, nil
	return notes, more
}

// decode returns raw, which stands at buf[at], as text: line ends as "\n",
// references replaced if refs says so, bytes that are no UTF-8 as U+FFFD.
// What it returns is raw itself wherever nothing needs a change.
func (s *Scanner) decode(raw []byte, at int, refs bool) []byte {
	if plain(raw) {
		return raw
	}
	out := s.scratch[:0]
	for i := 0; i < len(raw); {
		c := raw[i]
		switch {
		case c == '&' && refs:
			n := 0
			out, n = s.reference(out, raw[i:], at+i)
			i += n
		case c == '\r':
			out = append(out, '\n')
			if i++; i < len(raw) && raw[i] == '\n' {
				i++
			}
		case c < 0x20 && c != '\n' && c != '\t':
			s.note("control-character", at+i, "control character %U in text", rune(c))
			out = append(out, c)
			i++
		case c < utf8.RuneSelf:
			out = append(out, c)
			i++
		default:
			r, n := utf8.DecodeRune(raw[i:])
			switch {
			case r == utf8.RuneError && n == 1:
				s.note("invalid-utf8", at+i, "byte 0x%02x is no UTF-8, read as U+FFFD", rune(c))
				out = append(out, "\ufffd"...)
			case r == 0xfffe || r == 0xffff:
				s.note("control-character", at+i, "character %U in text", r)
				out = append(out, raw[i:i+n]...)
			default:
				out = append(out, raw[i:i+n]...)
			}
			i += n
		}
	}
	s.scratch = out
	return out
}

// reference appends what the reference at the front of raw stands for, and
// returns how long it is. What is no reference is kept as it stands.
func (s *Scanner) reference(out, raw []byte, at int) ([]byte, int) {
	if len(raw) > 1 && raw[1] == '#' {
		return s.character(out, raw, at)
	}
	n := 1
	for n < len(raw) && n < maxEntity && nameByte(raw[n]) {
		n++
	}
	if n == 1 || n == len(raw) || raw[n] != ';' {
		s.note("stray-ampersand", at, `"&" that begins no reference, read as text`)
		return append(out, '&'), 1
	}
	n++
	switch string(raw[1 : n-1]) {
	case "lt":
		return append(out, '<'), n
	case "gt":
		return append(out, '>'), n
	case "amp":
		return append(out, '&'), n
	case "quot":
		return append(out, '"'), n
	case "apos":
		return append(out, '\''), n
	}
	name := string(raw[:n])
	if text := html.UnescapeString(name); whole(name, text) {
		s.note("html-entity", at, "HTML entity "+name+" in XML")
		return append(out, text...), n
	}
	s.note("unknown-entity", at, "unknown entity "+strconv.Quote(name)+", kept as it stands")
	return append(out, raw[:n]...), n
}

// maxEntity is longer than the longest name of HTML's entities.
const maxEntity = 40

// whole reports whether text is the expansion of all of an HTML reference,
// not of a shorter one that begins it, as in "&notit;".
func whole(reference, text string) bool {
	return text != reference && (text[len(text)-1] != ';' || reference == "&semi;")
}

// character is reference for numeric ones.
func (s *Scanner) character(out, raw []byte, at int) ([]byte, int) {
	n, base := 2, rune(10)
	if n < len(raw) && raw[n] == 'x' {
		n, base = 3, 16
	}
	first, r := n, rune(0)
	for ; n < len(raw); n++ {
		d := digit(raw[n])
		if d >= base {
			break
		}
		if r = r*base + d; r > utf8.MaxRune {
			r = utf8.MaxRune + 1
		}
	}
	if n == first || n == len(raw) || raw[n] != ';' {
		s.note("stray-ampersand", at, `"&" that begins no reference, read as text`)
		return append(out, '&'), 1
	}
	n++
	allowed := r >= 0x20 || r == '\t' || r == '\n' || r == '\r'
	if !allowed || r > utf8.MaxRune || r == 0xfffe || r == 0xffff {
		s.note("bad-reference", at, "reference to a character that XML does not allow, kept as it stands")
		return append(out, raw[:n]...), n
	}
	if !utf8.ValidRune(r) {
		s.note("bad-reference", at, "reference to half of a surrogate pair, read as U+FFFD")
	}
	return utf8.AppendRune(out, r), n
}

// digit returns the value of a hexadecimal digit, and 99 for other bytes.
func digit(c byte) rune {
	switch {
	case c >= '0' && c <= '9':
		return rune(c - '0')
	case c >= 'a' && c <= 'f':
		return rune(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return rune(c-'A') + 10
	}
	return 99
}

// plain reports whether p is ASCII without control characters, line feed and
// tab apart, and without "&". It looks at eight bytes at a time.
func plain(p []byte) bool {
	const (
		ones = 0x0101010101010101
		high = 0x8080808080808080
	)
	for len(p) >= 8 {
		w := binary.LittleEndian.Uint64(p)
		amp := w ^ '&'*ones
		if (w|(w-' '*ones)&^w|(amp-ones)&^amp)&high != 0 && !plainBytes(p[:8]) {
			return false
		}
		p = p[8:]
	}
	return plainBytes(p)
}

func plainBytes(p []byte) bool {
	for _, c := range p {
		if classes[c]&unplain != 0 {
			return false
		}
	}
	return true
}
