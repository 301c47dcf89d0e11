package parse

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/benchproof/benchproof/result"
)

const tinyExport = "Tiny Set\n\n\nA: \n\n\tProcessor: X\n\n\tOS: Y\n\n\nSQLite 3.22\nTimed SQLite Insertions\nSeconds < Lower Is Better\nA . 86.08 |=====\n"

// TestText: the text is the one that positions count, whatever the input was
// wrapped in.
func TestText(t *testing.T) {
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	_, _ = z.Write([]byte(tinyExport))
	_ = z.Close()
	wide := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(tinyExport)) {
		wide = append(wide, byte(u), byte(u>>8))
	}
	for name, input := range map[string]string{
		"plain": tinyExport, "crlf": strings.ReplaceAll(tinyExport, "\n", "\r\n"),
		"bom": "\ufeff" + tinyExport, "gzip": zipped.String(), "utf-16": string(wide),
	} {
		r, err := NewReader(strings.NewReader(input), name, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Text() != "" {
			t.Errorf("%s: text before it was read", name)
		}
		values := 0
		for f, err := range r.Files() {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for i := range f.Tests {
				for _, m := range f.Tests[i].Measurements {
					values++
					if at := m.Origin.Offset; at > len(r.Text()) || !strings.HasPrefix(r.Text()[at:], m.Value) {
						t.Errorf("%s: %s does not stand at %s, byte %d", name, m.Value, m.Origin, at)
					}
				}
			}
		}
		if values != 1 {
			t.Errorf("%s: %d values", name, values)
		}
		_ = r.Close()
		if r.Text() != "" {
			t.Errorf("%s: text after Close", name)
		}
	}
}

// TestTextOfRecord: positions of a record that is read back are not those of
// its JSON.
func TestTextOfRecord(t *testing.T) {
	var b bytes.Buffer
	if err := result.EncodeJSON(&b, []*result.File{{Source: "x", Title: "T"}}); err != nil {
		t.Fatal(err)
	}
	r, err := NewReader(&b, "x.json", Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range r.Files() {
		if err != nil || r.Text() != "" {
			t.Errorf("text %q, %v", r.Text(), err)
		}
	}
}
