package xmlscan

// Classes of bytes. Bytes from 0x80 up count as letters: that a name is well
// formed beyond ASCII is of no use here.
const (
	classSpace = 1 << iota // white space of XML
	classStart             // may begin a name
	className              // may be in a name
	unplain                // text with it needs a closer look
)

var classes = func() (t [256]uint8) {
	for c := range t {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_', c == ':', c >= 0x80:
			t[c] = classStart | className
		case c >= '0' && c <= '9', c == '-', c == '.':
			t[c] = className
		case c == ' ', c == '\t', c == '\r', c == '\n':
			t[c] = classSpace
		}
		if c < ' ' && c != '\t' && c != '\n' || c == '&' || c >= 0x80 {
			t[c] |= unplain
		}
	}
	return t
}()

func space(c byte) bool     { return classes[c]&classSpace != 0 }
func nameStart(c byte) bool { return classes[c]&classStart != 0 }
func nameByte(c byte) bool  { return classes[c]&className != 0 }

// markup reports whether "<" before c begins a tag or the like.
func markup(c byte) bool { return nameStart(c) || c == '/' || c == '!' || c == '?' }
