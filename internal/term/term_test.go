package term

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/benchproof/benchproof/result"
)

func TestVisible(t *testing.T) {
	for _, tt := range []struct{ in, line, lines string }{
		{"EXT4 – 日本", "EXT4 – 日本", "EXT4 – 日本"},
		{"\x1b[31mred\x1b[0m", `\x1b[31mred\x1b[0m`, `\x1b[31mred\x1b[0m`},
		{"a\tb\nc\r", `a\tb\nc\r`, "a\tb\nc\\r"},
		{"\u009b31m", `\u009b31m`, `\u009b31m`},
		{"\u202egnp.exe", `\u202egnp.exe`, `\u202egnp.exe`},
		{"\x1b]8;;http://x\x07", `\x1b]8;;http://x\x07`, `\x1b]8;;http://x\x07`},
		{"a\u200bb\u00ad", `a\u200bb\u00ad`, `a\u200bb\u00ad`},
		{"a\u200db", `a\u200db`, `a\u200db`},
		{"👨\u200d👩", "👨\u200d👩", "👨\u200d👩"},
		{"می\u200cخواهم", "می\u200cخواهم", "می\u200cخواهم"},
		{"\u2028\U000e0041", `\u2028\U000e0041`, `\u2028\U000e0041`},
		{"a\x00\x7f", `a\x00\x7f`, `a\x00\x7f`},
		{"\xff\xfe", `\xff\xfe`, `\xff\xfe`},
		{"\ufffd", "\ufffd", "\ufffd"},
		{`C:\n`, `C:\n`, `C:\n`},
		{"", "", ""},
	} {
		if got := Visible(tt.in); got != tt.line {
			t.Errorf("Visible(%q) = %q, want %q", tt.in, got, tt.line)
		}
		if got := VisibleLines(tt.in); got != tt.lines {
			t.Errorf("VisibleLines(%q) = %q, want %q", tt.in, got, tt.lines)
		}
	}
}

func anyBytes(t *rapid.T) string { return string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) }

func TestVisibleHidesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.OneOf(rapid.String(), rapid.Custom(anyBytes)).Draw(t, "in")
		out := Visible(in)
		if !utf8.ValidString(out) || strings.ContainsFunc(out, result.Hidden) {
			t.Fatalf("Visible(%q) = %q", in, out)
		}
		if Visible(out) != out {
			t.Fatalf("Visible is not at rest on %q", out)
		}
	})
}

// TestVisibleWriter: however the text is cut into writes, the same comes out.
func TestVisibleWriter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.OneOf(rapid.String(), rapid.Custom(anyBytes)).Draw(t, "in")
		var b strings.Builder
		w := &VisibleWriter{W: &b}
		for rest := in; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "n")
			if m, err := w.Write([]byte(rest[:n])); m != n || err != nil {
				t.Fatalf("wrote %d of %d, %v", m, n, err)
			}
			rest = rest[n:]
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		if want := VisibleLines(in); b.String() != want {
			t.Fatalf("%q came out as %q, want %q", in, b.String(), want)
		}
	})
}

func TestEscapeJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.String().Draw(t, "in")
		doc, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		out := EscapeJSON(doc)
		if strings.ContainsFunc(string(out), result.Hidden) {
			t.Fatalf("%q has hidden characters", out)
		}
		var back string
		if err := json.Unmarshal(out, &back); err != nil || back != in {
			t.Fatalf("%q came back as %q, %v", in, back, err)
		}
	})
	if got := string(EscapeJSON([]byte("\"\x7f\u202e\""))); got != `"\u007f\u202e"` {
		t.Errorf("got %s", got)
	}
}

func TestWidth(t *testing.T) {
	for s, want := range map[string]int{
		"": 0, "abc": 3, "日本語": 6, "ﾊﾝｶｸ": 4, "e\u0301": 1, "ﬀ": 1, "😀": 2, "Ａ": 2, "한국": 4, "a\u200db": 2, "±": 1,
		"👨\u200d👩\u200d👧": 2, "👍🏽": 2, "❤\ufe0f": 2, "❤": 1, "🇩🇪": 2, "🇩🇪🇫🇷": 4, "\u1112\u1161\u11ab": 2, "한글": 4,
		"क्ष": 2, "e\u0301\u0302x": 2, "1\ufe0f": 1, "ก\u0e33": 2, "👩\u200d💻 x": 4,
	} {
		if got := Width(s); got != want {
			t.Errorf("Width(%q) = %d, want %d", s, got, want)
		}
	}
}

func TestPadAndCut(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{Pad("日本", 6, false), "日本  "},
		{Pad("日本", 6, true), "  日本"},
		{Pad("abc", 2, false), "abc"},
		{Cut("abcdef", 4, "…"), "abc…"},
		{Cut("abcd", 4, "…"), "abcd"},
		{Cut("日本語", 4, "…"), "日…"},
		{Cut("日本語", 5, "..."), "日..."},
		{Cut("👩\u200d💻👩\u200d💻ab", 5, "…"), "👩\u200d💻👩\u200d💻…"},
		{Cut("🇩🇪🇫🇷", 3, "…"), "🇩🇪…"},
	} {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, tt := range []struct {
		in   string
		n    int
		want []string
	}{
		{"", 10, []string{""}},
		{"one two three", 8, []string{"one two", "three"}},
		{"one two", 7, []string{"one two"}},
		{"abcdefgh", 3, []string{"abc", "def", "gh"}},
		{"acl,rw,user_xattr", 9, []string{"acl,rw,", "user_xatt", "r"}},
		{"日本語", 4, []string{"日本", "語"}},
		{"日", 1, []string{"日"}},
		{"👩\u200d💻👍🏽e\u0301", 3, []string{"👩\u200d💻", "👍🏽e\u0301"}},
		{"a b", 0, []string{"a", "b"}},
		{"a\nb c", 9, []string{"a", "b c"}},
		{"    indented", 6, []string{"    in", "dented"}},
	} {
		if diff := cmp.Diff(tt.want, Wrap(tt.in, tt.n)); diff != "" {
			t.Errorf("Wrap(%q, %d) (-want +got):\n%s", tt.in, tt.n, diff)
		}
	}
}

// TestWrapKeeps: wrapping loses nothing but spaces and keeps to the width.
func TestWrapKeeps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.StringOfN(rapid.RuneFrom([]rune("ab, 日é-")), 0, 60, -1).Draw(t, "in")
		n := rapid.IntRange(2, 20).Draw(t, "n")
		lines := Wrap(in, n)
		for _, l := range lines {
			if Width(l) > n {
				t.Fatalf("%q is wider than %d", l, n)
			}
		}
		squeeze := func(s string) string { return strings.ReplaceAll(s, " ", "") }
		if squeeze(strings.Join(lines, "")) != squeeze(in) {
			t.Fatalf("%q became %q", in, lines)
		}
	})
}
