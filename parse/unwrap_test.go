package parse

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/benchproof/benchproof/parse/internal/oracle"
	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

// wrapLine breaks a line as a terminal (hard), fold -s (kept) or a mail client
// (dropped: the blanks go, and long words stay whole where whole is set) does.
func wrapLine(line string, width int, hard, keep, whole bool) []string {
	var out []string
	for utf8.RuneCountInString(line) > width {
		runes := []rune(line)
		cut := width
		if !hard {
			if i := strings.LastIndexByte(string(runes[:width]), ' '); i > 0 {
				cut = utf8.RuneCountInString(string(runes[:width])[:i+1])
			} else if i := strings.IndexByte(line, ' '); whole && i > 0 {
				cut = utf8.RuneCountInString(line[:i+1])
			} else if whole {
				break
			}
		}
		head := string(runes[:cut])
		line = string(runes[cut:])
		if !keep {
			head = strings.TrimRight(head, " ")
		}
		out = append(out, head)
	}
	return append(out, line)
}

func wrapText(text string, width int, hard, keep, whole bool) string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		out = append(out, wrapLine(line, width, hard, keep, whole)...)
	}
	return strings.Join(out, "\n")
}

// readings reads a text and returns what it holds, without places.
func readings(t *testing.T, text string, origins bool) []string {
	t.Helper()
	r, err := NewReader(strings.NewReader(text), "page", Options{})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for f, err := range r.Files() {
		if err != nil {
			t.Fatal(err)
		}
		for i := range f.Tests {
			test := &f.Tests[i]
			for _, m := range test.Measurements {
				out = append(out, strings.Join([]string{
					test.Title, test.Version, test.Arguments, test.Scale, f.Systems[m.System].Identifier, m.Value, m.StdError, string(m.Status), m.Decode.String(),
				}, "|"))
				if at := m.Origin.Offset; origins && m.Value != "" && text[at] != m.Value[0] {
					t.Errorf("%s of %s: the place has %.20q", m.Value, test.Title, text[at:])
				}
			}
		}
		for i := range f.Systems {
			for _, part := range [][]result.Component{f.Systems[i].Hardware, f.Systems[i].Software, f.Systems[i].Notes} {
				for _, c := range part {
					out = append(out, f.Systems[i].Identifier+"|"+c.Key+"|"+c.Value)
				}
			}
		}
	}
	return out
}

// What was in the samples before their lines were broken is read behind it,
// and each value is found where it stands.
func TestUnwrapPage(t *testing.T) {
	tests := []struct {
		name              string
		width             int
		hard, keep, whole bool
	}{
		{"terminal", 80, true, true, false},
		{"narrow terminal", 60, true, true, false},
		{"blanks kept", 76, false, true, false},
		{"blanks dropped", 72, false, false, false},
		{"wide", 132, false, false, false},
		{"long words whole", 76, false, false, true},
	}
	for _, name := range []string{"ssd-vs-zfs-hdds.flat.txt", "f2fs-xfs-ext4-hdd-ssd.flat.txt"} {
		raw, err := os.ReadFile(filepath.Join("../samples", name))
		if err != nil {
			t.Fatal(err)
		}
		want := readings(t, string(raw), true)
		if len(want) < 30 {
			t.Fatalf("%s: %d readings", name, len(want))
		}
		for _, tt := range tests {
			t.Run(name+"/"+tt.name, func(t *testing.T) {
				got := readings(t, wrapText(string(raw), tt.width, tt.hard, tt.keep, tt.whole), true)
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("(-whole +broken):\n%s", d)
				}
				mail := "> " + strings.ReplaceAll(wrapText(string(raw), tt.width, tt.hard, tt.keep, tt.whole), "\n", "\n> ")
				if d := cmp.Diff(want, readings(t, mail, true)); d != "" {
					t.Errorf("(-whole +broken and quoted):\n%s", d)
				}
			})
		}
	}
}

// A page's text with no-break spaces for blanks is read as with blanks.
func TestOddBlanks(t *testing.T) {
	raw, err := os.ReadFile("../samples/ssd-vs-zfs-hdds.flat.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := readings(t, string(raw), true)
	for _, blank := range []string{"\u00a0", "\u202f"} {
		got := readings(t, strings.ReplaceAll(string(raw), " ", blank), true)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%q (-blanks +odd):\n%s", blank, d)
		}
	}
}

// Lines that merely are short stay apart.
func TestUnwrapPageLeaves(t *testing.T) {
	raw, err := os.ReadFile("../samples/ssd-vs-zfs-hdds.flat.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(raw), "\n")
	for _, text := range []string{
		strings.Join(lines[86:146], "\n"),                                   // graphs with empty lines between
		strings.ReplaceAll(strings.Join(lines[86:146], "\n"), "\n\n", "\n"), // and without
		string(raw),
		"",
	} {
		doc := source.New("page", text)
		if got := unwrapPage(doc); got != doc {
			t.Errorf("%.60q is taken for broken lines:\n%s", text, got.Text)
		}
	}
}

// The end of a saved page, cut off anywhere, says nothing that the page does
// not, and has the values of its graphs.
func TestEndOfPage(t *testing.T) {
	for _, path := range oracle.Glob(t, "samples", "forms", "*.html") {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		// A reading without its system, which only the table above the graphs may
		// name, and without the standard error.
		values := func(text string) map[string]bool {
			found := make(map[string]bool)
			for _, r := range readings(t, text, false) {
				if strings.HasSuffix(r, "|exact") || strings.HasSuffix(r, "|inferred") {
					part := strings.Split(r, "|")
					found[strings.Join(append(part[:4:4], part[5]), "|")] = true
				}
			}
			return found
		}
		whole := values(string(raw))
		for _, tenth := range []int{6, 8} {
			part := values(string(raw[len(raw)*tenth/10:]))
			// Without the table, values of a multi-way result are ambiguous.
			if len(part) < 3 {
				t.Errorf("%s: %d of %d values in the last %d tenths", path, len(part), len(whole), 10-tenth)
			}
			for r := range part {
				if !whole[r] {
					t.Errorf("%s from %d/10 on: %s is not in the whole page", path, tenth, r)
				}
			}
		}
	}
}
