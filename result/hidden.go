package result

import "unicode"

// Hidden reports whether r is a character of published text that a terminal or
// a page may act upon or that hides from the eye: a control character (C0 with
// newline and tab, DEL, C1), a separator of lines, a mark that turns the direction
// of text or annotates it, a space or letter of no width, a byte-order mark, a tag,
// one of the two that are no characters. The joiners that scripts and emoji need
// are none.
func Hidden(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r <= 0x9f:
		return true
	case r < 0xa0:
		return false
	case r == 0x00ad, r == 0x180e, r == 0x200b, r >= 0x2060 && r <= 0x206f:
		return true
	case r == 0x2028, r == 0x2029, unicode.Is(unicode.Bidi_Control, r):
		return true
	case r >= 0xfff9 && r <= 0xfffb, r == 0xfeff, r == 0xfffe, r == 0xffff:
		return true
	case r >= 0xe0000 && r <= 0xe0fff:
		return true
	}
	return unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
}
