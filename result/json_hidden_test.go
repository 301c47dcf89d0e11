package result

import (
	"bytes"
	"strings"
	"testing"
)

// What hides from the eye, or makes a terminal do something, stands in the
// document as an escape and comes back; joiners, which emoji need, stand as
// they are.
func TestEncodeHidden(t *testing.T) {
	hides := []rune{0, 0x1b, 0x7f, 0x85, 0x9b, 0xad, 0x34f, 0x61c, 0x115f, 0x180e, 0x200b, 0x200e, 0x2028, 0x202e, 0x2060, 0x2069, 0x206f, 0x3164, 0xfeff, 0xffa0, 0xfff9, 0xfffe, 0xffff, 0xe0041, 0xe01ef}
	for _, r := range hides {
		var b bytes.Buffer
		want := "a" + string(r) + "b"
		if err := EncodeJSON(&b, []*File{{Title: want}}); err != nil {
			t.Fatal(err)
		}
		if strings.ContainsRune(b.String(), r) {
			t.Errorf("%U stands in the document", r)
		}
		if files, err := DecodeJSON(&b); err != nil || files[0].Title != want {
			t.Errorf("%U: read back %q, %v", r, files[0].Title, err)
		}
	}
	var b bytes.Buffer
	if err := EncodeJSON(&b, []*File{{Title: "👩\u200d👧 é 日本 ½"}}); err != nil || !strings.Contains(b.String(), "👩\u200d👧 é 日本 ½") {
		t.Errorf("%s, %v", b.String(), err)
	}
}
