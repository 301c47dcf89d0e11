package term

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Hidden reports whether r is a character that a terminal may act upon or
// that hides from the eye: a control character (C0 with newline and tab, DEL,
// C1), a mark that turns the direction of text, a byte-order mark, one of the
// two that are no characters.
func Hidden(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r <= 0x9f:
		return true
	case r == 0x061c, r == 0x200e, r == 0x200f:
		return true
	case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return true
	case r == 0xfeff, r == 0xfffe, r == 0xffff:
		return true
	}
	return false
}

// Visible returns s with every hidden character and every invalid byte
// written as an escape, as Go writes it: ESC is \x1b, a newline \n, U+202E
// \u202e. The result is one line. Backslashes of s stay as they are.
func Visible(s string) string { return visible(s, "") }

// VisibleLines is Visible that lets newlines and tabs pass.
func VisibleLines(s string) string { return visible(s, "\n\t") }

func visible(s, pass string) string {
	clean := true
	for _, r := range s {
		if (Hidden(r) || r == utf8.RuneError) && !strings.ContainsRune(pass, r) {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case Hidden(r) && !strings.ContainsRune(pass, r):
			b.WriteString(escaped(r))
		default:
			b.WriteRune(r)
		}
		i += n
	}
	return b.String()
}

func escaped(r rune) string {
	switch {
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	case r == '\t':
		return `\t`
	case r < 0x80:
		return fmt.Sprintf(`\x%02x`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// EscapeJSON returns JSON text in which the hidden characters that
// json.Marshal passes (DEL, C1, direction marks) are \u escapes. It means the
// same.
func EscapeJSON(doc []byte) []byte {
	if !bytes.ContainsFunc(doc, func(r rune) bool { return r >= 0x7f && Hidden(r) }) {
		return doc
	}
	out := make([]byte, 0, len(doc)+16)
	for i := 0; i < len(doc); {
		r, n := utf8.DecodeRune(doc[i:])
		if r >= 0x7f && Hidden(r) {
			out = fmt.Appendf(out, `\u%04x`, r)
		} else {
			out = append(out, doc[i:i+n]...)
		}
		i += n
	}
	return out
}
