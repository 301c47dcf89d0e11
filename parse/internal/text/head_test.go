package text

import (
	"strings"
	"testing"

	"github.com/benchproof/benchproof/parse/internal/readertest"
	"github.com/benchproof/benchproof/result"
)

// PTS prints an empty line for arguments that a test does not have. A head
// without it has lost a line, and which test it is of is not sure.
func TestShortHead(t *testing.T) {
	row := printRow("A", 2, "1.5", 4, 71)
	for _, c := range []struct {
		name, head       string
		title, arguments string
		decode           result.Decode
		codes            string
	}{
		{"whole", "SQLite 3.22\nThreads / Copies: 1\n", "SQLite", "Threads / Copies: 1", result.DecodeExact, ""},
		{"no arguments", "SQLite 3.22\n\n", "SQLite", "", result.DecodeExact, ""},
		{"arguments lost", "SQLite 3.22\n", "SQLite", "", result.DecodeInferred, "warning head-short"},
		{"title lost", "Threads / Copies: 1\n", "Threads / Copies:", "", result.DecodeInferred, "warning head-short"},
		{"title twice", "SQLite 3.22\nSQLite 3.22\nThreads / Copies: 1\n", "SQLite", "SQLite 3.22 Threads / Copies: 1", result.DecodeInferred, ""},
	} {
		text := dump([]string{"A"}, c.head+"Seconds < Lower Is Better\n"+row+"\n")
		f := readertest.Files(t, Read, "in.txt", text)[0]
		test := f.Tests[0]
		if test.Title != c.title || test.Arguments != c.arguments || test.HeadDecode != c.decode || codes(f) != c.codes {
			t.Errorf("%s: got %q, %q, %s, %s; want %q, %q, %s, %s", c.name,
				test.Title, test.Arguments, test.HeadDecode, codes(f), c.title, c.arguments, c.decode, c.codes)
		}
		if len(f.Diagnostics) > 0 && f.Diagnostics[0].Origin.Line != 12 {
			t.Errorf("%s: said of line %d, want 12", c.name, f.Diagnostics[0].Origin.Line)
		}
	}
	// The same in one line: a head that stands twice is not one.
	twice := dump([]string{"A"}, "SQLite 3.22\nSQLite 3.22\nThreads / Copies: 1\nSeconds < Lower Is Better\n"+row+"\n")
	f := readertest.Files(t, Read, "in.txt", strings.Join(strings.Fields(twice), " "))[0]
	if f.Tests[0].HeadDecode != result.DecodeInferred {
		t.Errorf("a head twice in one line is %s", f.Tests[0].HeadDecode)
	}
}

// Quoted text whose line ends were lost has its marks between the words.
func TestQuotedInOneLine(t *testing.T) {
	lines := dump([]string{"A", "B > c"}, "SQLite 3.22\nThreads / Copies: 1\nMB/s > Higher Is Better\n"+
		printRow("A", 6, "1.5", 4, 40)+"\n"+printRow("B > c", 6, "2.5", 4, 67)+"\n")
	want := readertest.Files(t, Read, "in.txt", strings.Join(strings.Fields(strings.ReplaceAll(lines, "B > c", "B c")), " "))[0]
	for _, mark := range []string{"> ", "> > "} {
		quoted := mark + strings.ReplaceAll(strings.TrimRight(lines, "\n"), "\n", " "+mark)
		f := readertest.Files(t, Read, "in.txt", quoted)[0]
		if len(f.Systems) != 2 || values(f, 0) != values(want, 0) || f.Tests[0].Title != "SQLite" || f.Tests[0].Proportion != result.HIB {
			t.Errorf("%q: %d systems, %s, %q %s; want %s", mark, len(f.Systems), values(f, 0), f.Tests[0].Title, f.Tests[0].Proportion, values(want, 0))
		}
	}
}
