package term

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/benchproof/benchproof/result"
)

// Visible returns s with every hidden character and every invalid byte
// written as an escape, as Go writes it: ESC is \x1b, a newline \n, U+202E
// \u202e. A joiner passes behind a letter or sign that can be joined, which no
// Latin one is. The result is one line. Backslashes of s stay as they are.
func Visible(s string) string { return visible(s, "", 0) }

// VisibleLines is Visible that lets newlines and tabs pass.
func VisibleLines(s string) string { return visible(s, "\n\t", 0) }

// odd reports whether r, behind the rune before, is to be shown as an escape.
func odd(r, before rune) bool {
	if r == joiner || r == nonJoiner {
		return before < 0x0590
	}
	return result.Hidden(r)
}

// visible does so for text that stands behind the rune before.
func visible(s, pass string, before rune) string {
	clean, last := true, before
	for _, r := range s {
		if (odd(r, last) || r == utf8.RuneError) && !strings.ContainsRune(pass, r) {
			clean = false
			break
		}
		last = r
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
			r = 0 // what stands there now is a letter of the escape
		case odd(r, before) && !strings.ContainsRune(pass, r):
			b.WriteString(escaped(r))
			r = 0
		default:
			b.WriteRune(r)
		}
		before = r
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
	if r > 0xffff {
		return fmt.Sprintf(`\U%08x`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// EscapeJSON returns JSON text in which the hidden characters that
// json.Marshal passes (DEL, C1, direction marks) are \u escapes. It means the
// same.
func EscapeJSON(doc []byte) []byte {
	if !bytes.ContainsFunc(doc, func(r rune) bool { return r >= 0x7f && result.Hidden(r) }) {
		return doc
	}
	out := make([]byte, 0, len(doc)+16)
	for i := 0; i < len(doc); {
		r, n := utf8.DecodeRune(doc[i:])
		if r >= 0x7f && result.Hidden(r) {
			for _, unit := range utf16.Encode([]rune{r}) {
				out = fmt.Appendf(out, `\u%04x`, unit)
			}
		} else {
			out = append(out, doc[i:i+n]...)
		}
		i += n
	}
	return out
}
