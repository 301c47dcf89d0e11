package source

import (
	"strings"
	"testing"
)

// slowPosition counts lines the plain way.
func slowPosition(text string, offset int) (line, column int) {
	before := text[:offset]
	return strings.Count(before, "\n") + 1, offset - strings.LastIndexByte(before, '\n')
}

func TestPosition(t *testing.T) {
	long := strings.Repeat("x", 3*chunk)
	texts := map[string]string{
		"empty":      "",
		"one line":   "abc",
		"two lines":  "ab\ncd",
		"ends":       "ab\n",
		"newlines":   strings.Repeat("\n", 2*chunk+1),
		"long lines": long + "\n" + long + "\n",
		"mixed":      strings.Repeat("a line\n\nanother\n", chunk/4),
		"exact":      strings.Repeat("y", chunk-1) + "\n" + strings.Repeat("z", chunk),
	}
	for name, text := range texts {
		t.Run(name, func(t *testing.T) {
			d := New("x", text)
			step := max(1, len(text)/500)
			for offset := 0; offset <= len(text); offset += step {
				line, column := d.Position(offset)
				if l, c := slowPosition(text, offset); l != line || c != column {
					t.Fatalf("offset %d: got %d:%d, want %d:%d", offset, line, column, l, c)
				}
			}
			end, _ := d.Position(len(text) + 10)
			if l, _ := slowPosition(text, len(text)); l != end {
				t.Errorf("beyond the end: got line %d, want %d", end, l)
			}
		})
	}
}

func TestPositionOfParts(t *testing.T) {
	d := New("page", "<pre>\nA &lt; B\nsecond</pre>")
	// "A < B\nsecond" without its markup.
	whole := func(s string) int { return strings.Index(d.Text, s) }
	part := d.Part("A < B\nsecond", []Span{{0, whole("A ")}, {2, whole("&lt;")}, {3, whole(" B")}})
	section := part.Section(6, len(part.Text))
	for _, test := range []struct {
		doc    *Doc
		offset int
		want   string // what stands there in the page
	}{
		{part, 0, "A &lt;"},
		{part, 2, "&lt;"},
		{part, 4, "B\nsec"},
		{part, 6, "second"},
		{section, 0, "second"},
		{section, 3, "ond"},
	} {
		o := test.doc.Origin(test.offset, "rule")
		if !strings.HasPrefix(d.Text[o.Offset:], test.want) {
			t.Errorf("offset %d: got %q, want %q", test.offset, d.Text[o.Offset:], test.want)
		}
		if l, c := slowPosition(d.Text, o.Offset); l != o.Line || c != o.Column {
			t.Errorf("offset %d: got %d:%d, want %d:%d", test.offset, o.Line, o.Column, l, c)
		}
		if o.Source != "page" || o.Rule != "rule" {
			t.Errorf("origin %+v", o)
		}
	}
}

func BenchmarkPosition(b *testing.B) {
	for name, text := range map[string]string{
		"one line": strings.Repeat("x", 16<<20),
		"newlines": strings.Repeat("\n", 16<<20),
	} {
		b.Run(name, func(b *testing.B) {
			d := New("x", text)
			d.Position(0)
			for i := 0; b.Loop(); i++ {
				d.Position((i * 7919) % len(text))
			}
		})
	}
}
