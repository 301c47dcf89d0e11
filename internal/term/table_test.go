package term

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestTable(t *testing.T) {
	fill := func(width int, ascii bool) string {
		table := &Table{Header: []string{"system", "value", "remark"}, Right: []bool{false, true}, Width: width, Indent: 1, ASCII: ascii}
		table.Add("EXT4", "12.50", "")
		table.Add("日本語", "3", "a rather long remark with \x1b[31m in it")
		table.Add("XFS")
		var b strings.Builder
		n, err := table.WriteTo(&b)
		if err != nil || n != int64(b.Len()) || table.Len() != 3 {
			t.Errorf("wrote %d of %d, %v", n, b.Len(), err)
		}
		return b.String()
	}
	for name, tt := range map[string]struct{ got, want string }{
		"any width": {fill(0, false), "" +
			" system  value  remark\n" +
			" ──────  ─────  " + strings.Repeat("─", 40) + "\n" +
			" EXT4    12.50\n" +
			" 日本語      3  a rather long remark with \\x1b[31m in it\n" +
			" XFS\n"},
		"wrapped": {fill(36, true), "" +
			" system  value  remark\n" +
			" ------  -----  --------------------\n" +
			" EXT4    12.50\n" +
			" 日本語      3  a rather long remark\n" +
			"                with \\x1b[31m in it\n" +
			" XFS\n"},
	} {
		if diff := cmp.Diff(tt.want, tt.got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if n, err := (&Table{}).WriteTo(nil); n != 0 || err != nil {
		t.Errorf("empty table wrote %d, %v", n, err)
	}
}

// TestTableStyles: cells are painted without the spaces around them, but for the
// letter that stays plain; drawings are not wrapped; columns have their least
// width.
func TestTableStyles(t *testing.T) {
	table := &Table{
		Header: []string{"name", "line", "n"}, Right: []bool{false, false, true}, Fixed: []bool{false, true},
		Least: []int{6}, Width: 24, Color: true, Plain: '|', ASCII: true,
	}
	table.Add("A", "  | o", "1")
	table.Style(1, "31")
	table.Style(2, "32")
	table.Add("B", "o-|----------", "")
	table.Style(1, "33")
	table.Style(2, "31")
	var b strings.Builder
	if _, err := table.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	want := "name    line           n\n" +
		"------  -------------  -\n" +
		"A         |\x1b[31m o\x1b[0m          \x1b[32m1\x1b[0m\n" +
		"B       \x1b[33mo-\x1b[0m|\x1b[33m----------\x1b[0m\n"
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]int{6, 13, 1}, table.Widths()); diff != "" {
		t.Errorf("widths (-want +got):\n%s", diff)
	}
}

// TestTableKeepsToWidth: a table of text that can be narrowed enough never
// has a longer line, and loses no letter.
func TestTableKeepsToWidth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 4).Draw(t, "columns")
		table := &Table{Header: make([]string, n), Width: rapid.IntRange(n*minWrap+columnGap*(n-1), 100).Draw(t, "width")}
		cell := rapid.StringOfN(rapid.RuneFrom([]rune("ab 日")), 0, 40, -1)
		letters := 0
		for range rapid.IntRange(0, 4).Draw(t, "rows") {
			var row []string
			for range n {
				c := cell.Draw(t, "cell")
				letters += len(strings.ReplaceAll(c, " ", ""))
				row = append(row, c)
			}
			table.Add(row...)
		}
		var b strings.Builder
		if _, err := table.WriteTo(&b); err != nil {
			t.Fatal(err)
		}
		for line := range strings.SplitSeq(b.String(), "\n") {
			if Width(line) > table.Width {
				t.Fatalf("line %q is wider than %d", line, table.Width)
			}
		}
		body := strings.NewReplacer("─", "", " ", "", "\n", "").Replace(b.String())
		if len(body) != letters {
			t.Fatalf("%d letters of %d in\n%s", len(body), letters, b.String())
		}
	})
}

// TestLineWidth: the gaps and the indent count, and a figure is not narrowed.
func TestLineWidth(t *testing.T) {
	tab := Table{Header: []string{"name", "n"}, Right: []bool{false, true}, Indent: 1}
	tab.Add("twenty letters in all", "123456")
	if n := tab.LineWidth(); n != 1+21+2+6 {
		t.Errorf("%d cells", n)
	}
	for width, want := range map[int]int{25: 25, 10: 1 + 12 + 2 + 6} {
		if tab.Width = width; tab.LineWidth() != want {
			t.Errorf("width %d: %d cells, want %d", width, tab.LineWidth(), want)
		}
	}
}
