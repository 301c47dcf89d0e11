package source

import (
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// byteOrder is one of the two orders of UTF-16.
type byteOrder struct {
	name string
	unit func([]byte) uint16
}

var (
	littleEndian = &byteOrder{"UTF-16LE", binary.LittleEndian.Uint16}
	bigEndian    = &byteOrder{"UTF-16BE", binary.BigEndian.Uint16}
)

// utf16Order returns the byte order of UTF-16 text, nil for other input. It
// goes by the byte-order mark, else by NULs: text of these forms is nearly
// all ASCII, so that every second byte is NUL and hardly any other.
func utf16Order(raw string) *byteOrder {
	switch {
	case strings.HasPrefix(raw, "\xff\xfe\x00\x00"):
		return nil // UTF-32
	case strings.HasPrefix(raw, "\xff\xfe"):
		return littleEndian
	case strings.HasPrefix(raw, "\xfe\xff"):
		return bigEndian
	}
	head := raw[:min(len(raw), 4<<10)&^1]
	if len(head) < 4 {
		return nil
	}
	var nuls [2]int // at even and odd offsets
	for i := 0; i < len(head); i++ {
		if head[i] == 0 {
			nuls[i&1]++
		}
	}
	units := len(head) / 2
	switch {
	case nuls[1] > units*3/4 && nuls[0] <= units/16:
		return littleEndian
	case nuls[0] > units*3/4 && nuls[1] <= units/16:
		return bigEndian
	}
	return nil
}

// fromUTF16 returns raw as UTF-8, and how many units of it, or a last odd
// byte, are no character and became U+FFFD.
func fromUTF16(raw string, order *byteOrder) (text string, bad int) {
	var b strings.Builder
	b.Grow(len(raw)/2 + len(raw)/16)
	var pair [2]byte
	unit := func(i int) rune {
		copy(pair[:], raw[i:i+2])
		return rune(order.unit(pair[:]))
	}
	i := 0
	for ; i+1 < len(raw); i += 2 {
		r := unit(i)
		if utf16.IsSurrogate(r) {
			second := rune(0)
			if i+3 < len(raw) {
				second = unit(i + 2)
			}
			r = utf16.DecodeRune(r, second)
			if r == utf8.RuneError {
				bad++
			} else {
				i += 2
			}
		}
		b.WriteRune(r)
	}
	if i < len(raw) {
		bad++
		b.WriteString(Replacement)
	}
	return b.String(), bad
}
