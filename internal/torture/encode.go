package torture

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
)

// encoding writes the seed in another encoding of characters, or breaks the
// one it has.
func (m *maker) encoding() bool {
	text := string(m.seed.Data)
	var out []byte
	switch m.IntN(13) {
	case 0, 1, 2, 3:
		order, mark := binary.AppendByteOrder(binary.LittleEndian), m.IntN(2) == 0
		if m.IntN(2) == 0 {
			order = binary.BigEndian
		}
		units := utf16.Encode([]rune(text))
		if mark {
			units = append([]uint16{0xfeff}, units...)
		}
		for range m.IntN(3) { // lone surrogates
			units[m.IntN(len(units))] = uint16(0xd800 + m.IntN(0x800))
		}
		for _, u := range units {
			out = order.AppendUint16(out, u)
		}
		if m.IntN(4) == 0 {
			out = out[:len(out)-1]
		}
	case 4: // Latin-1
		for _, r := range text {
			out = append(out, byte(r))
		}
		out = append(out, 0xe9, 0xfc)
	case 5: // marks before, in the middle, of another encoding
		out = append([]byte(pick(m, []string{"\ufeff", "\ufeff\ufeff", "\xff\xfe", "\xfe\xff", "\xff\xfe\x00\x00", "\x00\x00\xfe\xff", "+/v8", "\x0e\xfe\xff"})), text...)
	case 6: // CR alone
		out = bytes.ReplaceAll([]byte(text), []byte("\n"), []byte("\r"))
	case 7:
		out = bytes.ReplaceAll([]byte(text), []byte("\n"), []byte("\r\n"))
	case 8:
		out = bytes.ReplaceAll([]byte(text), []byte("\n"), []byte(pick(m, []string{"\u2028", "\u0085", "\v", "\n\n", "\r\r\n", "\x00\n"})))
	case 9: // NULs between
		for i := range len(text) {
			out = append(out, text[i], 0)
		}
	case 10: // surrogates and overlong letters in UTF-8
		at := m.IntN(len(text) + 1)
		out = []byte(text[:at] + pick(m, []string{"\xed\xa0\x80", "\xed\xa0\x80\xed\xb0\x80", "\xc0\xaf", "\xf8\x88\x80\x80\x80", "\xf4\x90\x80\x80", "\x80", "\xff", "\xe2\x82"}) + text[at:])
	case 11: // an encoding that it says it has
		out = bytes.Replace([]byte(text), []byte("UTF-8"), []byte(pick(m, []string{"UTF-16", "latin1", "UTF-7", "EBCDIC", "", "\x00", "utf-8\"?><x a=\""})), 1)
	default: // blanks of other kinds
		out = bytes.ReplaceAll([]byte(text), []byte(" "), []byte(pick(m, []string{"\u00a0", "\t", "\u3000", "\u200b", "  ", "\u2009"})))
	}
	return m.set(out)
}
