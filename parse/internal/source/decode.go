package source

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"

	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/result"
)

// Decode returns the text of an input as readers want it: UTF-8 without
// byte-order mark, lines ended by LF, without terminal escape sequences,
// overstrikes and NULs. Notes say what had to be done to characters, one for
// each kind of it, their offsets in the returned text.
//
// The encoding is that of a byte-order mark; UTF-16 also where every second
// byte is NUL; else the one that a page or XML document declares; else UTF-8
// where the bytes are that, up to a few that are damaged; else Windows-1252,
// of which Latin-1 is a part. Bytes that are no character of their encoding
// become U+FFFD.
//
// Text that needs nothing done to it is returned as it is, not copied.
func Decode(raw string) (text string, notes []Note) {
	text, note := toUTF8(raw)
	text, more := clean(text, note)
	return text, more
}

// Replacement stands in decoded text for what is no character.
const Replacement = "\uFFFD"

// toUTF8 transcodes raw and drops byte-order marks. The text it returns is
// valid UTF-8. The note, if there is one, is of code "encoding".
func toUTF8(raw string) (string, *Note) {
	if order := utf16Order(raw); order != nil {
		text, bad := fromUTF16(raw, order)
		return trimMarks(text, encodingNote(order.name, bad, text))
	}
	if strings.HasPrefix(raw, "\uFEFF") {
		raw = strings.TrimLeft(raw, "\uFEFF")
	} else if e, name := declared(raw); e != nil {
		if text, note, ok := transcode(raw, e, name); ok {
			return trimMarks(text, note)
		}
	}
	if utf8.ValidString(raw) {
		return raw, nil
	}
	good, bad := countRunes(raw)
	if good >= bad {
		text := repair(raw, func(b *strings.Builder, _ byte) { b.WriteString(Replacement) })
		return trimMarks(text, encodingNote("UTF-8", bad, text))
	}
	text := repair(raw, func(b *strings.Builder, c byte) { b.WriteRune(charmap.Windows1252.DecodeByte(c)) })
	at := strings.IndexFunc(text, func(r rune) bool { return r >= 0x80 })
	return trimMarks(text, &Note{
		Severity: result.SeverityWarning, Offset: at, Code: "encoding",
		Message: fmt.Sprintf("not UTF-8 and no encoding declared: read as Windows-1252, %s", phrase.Count(bad, "character")),
	})
}

// trimMarks drops byte-order marks and keeps the note's place right.
func trimMarks(text string, note *Note) (string, *Note) {
	trimmed := strings.TrimLeft(text, "\uFEFF")
	if note != nil && note.Offset >= 0 {
		note.Offset = max(0, note.Offset-(len(text)-len(trimmed)))
	}
	return trimmed, note
}

// encodingNote says which encoding an input was in, as a warning where bad
// characters in it became U+FFFD.
func encodingNote(name string, bad int, text string) *Note {
	if bad == 0 {
		return &Note{Severity: result.SeverityInfo, Code: "encoding", Message: "read as " + name}
	}
	return &Note{
		Severity: result.SeverityWarning, Offset: max(0, strings.Index(text, Replacement)), Code: "encoding",
		Message: fmt.Sprintf("read as %s; %s in it %s no character, shown as U+FFFD, the first one here", name, phrase.Count(bad, "place"), phrase.Verb(bad, "is", "are")),
	}
}

// declared returns the encoding that a page or an XML document says it has,
// nil if it says none that is known.
func declared(raw string) (encoding.Encoding, string) {
	head := raw[:min(len(raw), 1024)]
	trimmed := strings.TrimLeft(head, " \t\r\n\f")
	if !strings.HasPrefix(trimmed, "<") {
		return nil, ""
	}
	m := xmlEncoding.FindStringSubmatch(trimmed)
	if m == nil {
		m = metaCharset.FindStringSubmatch(trimmed)
	}
	if m == nil {
		return nil, ""
	}
	return charset.Lookup(m[1])
}

var (
	xmlEncoding = regexp.MustCompile(`^<\?xml[^>]*\sencoding\s*=\s*["']([^"'>]+)["']`)
	metaCharset = regexp.MustCompile(`(?i)<meta[\s/][^>]*\bcharset\s*=\s*["']?\s*([^\s"'/>;]+)`)
)

// transcode reads raw as the declared encoding e. It reports false where the
// declaration is not to be followed: UTF-8, which needs none, encodings that
// browsers refuse, and a one-byte encoding declared of what is UTF-8 through
// and through, as tools leave it that change the bytes and not the mark.
func transcode(raw string, e encoding.Encoding, name string) (string, *Note, bool) {
	switch name {
	case "utf-8", "replacement", "x-user-defined", "utf-16le", "utf-16be":
		return "", nil, false
	case "windows-1252", "iso-8859-15", "iso-8859-2", "windows-1250":
		if good, bad := countRunes(raw); bad == 0 && good > 0 {
			return "", nil, false
		}
	}
	text, err := e.NewDecoder().String(raw)
	if err != nil {
		return "", nil, false
	}
	return text, encodingNote(name, strings.Count(text, Replacement), text), true
}

// countRunes counts the characters above ASCII that are valid UTF-8, and the
// bytes that belong to none.
func countRunes(raw string) (good, bad int) {
	for i := 0; i < len(raw); {
		if raw[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(raw[i:])
		if r == utf8.RuneError && n == 1 {
			bad++
		} else {
			good++
		}
		i += n
	}
	return good, bad
}

// repair copies raw, giving bytes that belong to no UTF-8 character to put.
func repair(raw string, put func(b *strings.Builder, c byte)) string {
	var b strings.Builder
	b.Grow(len(raw) + len(raw)/8)
	start := 0
	for i := 0; i < len(raw); {
		if raw[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(raw[i:])
		if r == utf8.RuneError && n == 1 {
			b.WriteString(raw[start:i])
			put(&b, raw[i])
			start = i + 1
		}
		i += n
	}
	b.WriteString(raw[start:])
	return b.String()
}
