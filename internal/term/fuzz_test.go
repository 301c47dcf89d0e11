package term

import (
	"encoding/json"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/benchproof/benchproof/result"
)

// seeds are texts of all that terminals act upon and all widths of letters.
var seeds = []string{
	"", "plain", "\x1b[31mred\x1b[0m", "a\tb\nc\r\n", "\x00\x7f\u0085", "\xff\xc3", "\u202eright\u2066", "👩‍👩‍👧‍👦 ©️ 🇩🇪🇩", "東京 한글 각",
	"a\u200db", "ب\u200cا", "\u200d\u200d", "e\u0301\u0301", "\ufeff\ufffd\ufffe", "\U000e0001", "1,2,3,4,5 6", "👍🏽🏽", "\\x1b",
}

// What is shown has nothing that a terminal acts upon, is shown as itself again,
// and is the text where that has nothing to hide; in pieces it is the same.
func FuzzVisible(f *testing.F) {
	for i, s := range seeds {
		f.Add(s, i)
	}
	f.Fuzz(func(t *testing.T, s string, cut int) {
		lines := VisibleLines(s)
		shown := Visible(s)
		for _, v := range []string{shown, lines} {
			if !utf8.ValidString(v) {
				t.Fatalf("%q shows as %q, no UTF-8", s, v)
			}
			var before rune
			for _, r := range v {
				pass := v == lines && (r == '\n' || r == '\t')
				if odd(r, before) && !pass {
					t.Fatalf("%q shows as %q, with %U", s, v, r)
				}
				before = r
			}
		}
		if again := Visible(shown); again != shown {
			t.Errorf("%q shows as %q, that as %q", s, shown, again)
		}
		if want := strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(lines); shown != want {
			t.Errorf("%q in one line is %q, want %q", s, shown, want)
		}
		plain := utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return result.Hidden(r) || r == joiner || r == nonJoiner })
		if plain && shown != s {
			t.Errorf("%q shows as %q", s, shown)
		}
		var b strings.Builder
		w := &VisibleWriter{W: &b}
		n := 0
		if len(s) > 0 {
			n = int(uint(cut) % uint(len(s)+1))
		}
		for _, part := range []string{s[:n], s[n:]} {
			if _, err := io.WriteString(w, part); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Flush(); err != nil || b.String() != lines {
			t.Errorf("%q cut at %d is written %q, want %q (%v)", s, n, b.String(), lines, err)
		}
	})
}

// Escaped JSON means the same, and hides nothing.
func FuzzEscapeJSON(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		doc, err := json.Marshal(map[string]string{s: s})
		if err != nil {
			t.Fatal(err)
		}
		escaped := EscapeJSON(doc)
		for _, r := range string(escaped) {
			if result.Hidden(r) {
				t.Fatalf("%q is written %q, with %U", s, escaped, r)
			}
		}
		var want, got map[string]string
		if err := json.Unmarshal(doc, &want); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(escaped, &got); err != nil || len(got) != 1 {
			t.Fatalf("%q is written %q: %v", s, escaped, err)
		}
		for k, v := range want {
			if got[k] != v {
				t.Errorf("%q is read as %q", v, got)
			}
		}
	})
}

// Text that is padded, cut or wrapped to a width takes that, and loses nothing
// that it should keep.
func FuzzWidth(f *testing.F) {
	for i, s := range seeds {
		f.Add(s, i)
	}
	f.Fuzz(func(t *testing.T, s string, n int) {
		s, n = Visible(s), 1+int(uint(n)%40)
		width := Width(s)
		if width < 0 || width > 2*len(s) {
			t.Fatalf("%q is %d cells wide", s, width)
		}
		for _, right := range []bool{false, true} {
			p := Pad(s, n, right)
			// A mark at its begin joins the spaces before.
			if w := Width(p); w != max(n, width) || strings.Trim(p, " ") != strings.Trim(s, " ") {
				t.Errorf("%q padded to %d is %q, %d cells", s, n, p, w)
			}
		}
		c := Cut(s, n, "…")
		kept, isCut := strings.CutSuffix(c, "…")
		switch {
		case width <= n:
			if c != s {
				t.Errorf("%q, %d cells, is cut to %d as %q", s, width, n, c)
			}
		case !isCut || !strings.HasPrefix(s, kept) || Width(c) > n:
			t.Errorf("%q cut to %d is %q, %d cells", s, n, c, Width(c))
		}
		var b strings.Builder
		for _, line := range Wrap(s, n) {
			if w := Width(line); w > max(n, 2) {
				t.Errorf("%q wrapped at %d has the line %q of %d cells", s, n, line, w)
			}
			b.WriteString(line)
		}
		drop := strings.NewReplacer(" ", "")
		if got, want := drop.Replace(b.String()), drop.Replace(s); got != want {
			t.Errorf("%q wrapped at %d is %q", s, n, got)
		}
	})
}

// Columns of a table stand below each other, whatever is in them.
func FuzzTable(f *testing.F) {
	for i, s := range seeds {
		f.Add(s, seeds[len(seeds)-1-i], i)
	}
	f.Fuzz(func(t *testing.T, a, b string, width int) {
		table := &Table{Header: []string{"a", "b"}, Width: int(uint(width) % 60)}
		a, b = strings.ReplaceAll(a, "|", ""), strings.ReplaceAll(b, "|", "")
		table.Add(a, "|")
		table.Add(b, "|")
		table.Add(b+a, "|")
		var out strings.Builder
		n, err := table.WriteTo(&out)
		if err != nil || int(n) != out.Len() {
			t.Fatalf("%d bytes of %d, %v", n, out.Len(), err)
		}
		at, rows := -1, 0
		for line := range strings.Lines(out.String()) {
			line = strings.TrimSuffix(line, "\n")
			if Visible(line) != line {
				t.Fatalf("%q is printed", line)
			}
			before, _, ok := strings.Cut(line, "|")
			if !ok {
				continue
			}
			rows++
			if w := Width(before); at >= 0 && w != at {
				t.Errorf("the second column begins at cell %d and %d:\n%s", at, w, out.String())
			} else {
				at = w
			}
		}
		if rows != 3 {
			t.Errorf("%d rows:\n%s", rows, out.String())
		}
	})
}
