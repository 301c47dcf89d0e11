package xml

import (
	"strings"
	"unicode/utf8"
)

// allowed reports whether XML 1.0 lets r stand in a document.
func allowed(r rune) bool {
	switch {
	case r == '\t', r == '\n', r == '\r':
		return true
	case r < 0x20, r >= 0xd800 && r < 0xe000, r == 0xfffe, r == 0xffff:
		return false
	}
	return r <= utf8.MaxRune
}

// clean returns text without the characters that XML forbids and the bytes
// that are no UTF-8, and whether there were any.
func clean(text string) (string, bool) {
	bad := false
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && n == 1 || !allowed(r) {
			bad = true
			break
		}
		i += n
	}
	if !bad {
		return text, false
	}
	var b strings.Builder
	b.Grow(len(text))
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if (r != utf8.RuneError || n > 1) && allowed(r) {
			b.WriteString(text[i : i+n])
		}
		i += n
	}
	return b.String(), true
}

// escape returns text as the content of an element. A carriage return needs a
// reference: XML readers turn a bare one into a newline.
func escape(text string) string { return escaper.Replace(text) }

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\r", "&#13;")
