package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/internal/term"
)

// historyRows are answers of corpus history, of two tests.
func historyRows() ([]export.Column, [][]string) {
	return columnsOf("test", "version", "arguments", "scale", "proportion", "date", "#systems", "#files", "#values", "#min", "#median", "#max", "#geometric_mean", "reason"), [][]string{
		{"SQLite", "3.30.1", "Threads / Copies: 1", "Seconds", "LIB", "2019-01-28", "6", "1", "6", "34.75", "134.405", "289", "100.659", ""},
		{"SQLite", "3.30.1", "Threads / Copies: 1", "Seconds", "LIB", "", "13", "1", "13", "2.02", "2.79", "35.67", "4.19254", ""},
		{"FIO", "", "", "MB/s", "HIB", "2021-02-03", "2", "1", "2", "471.5", "472", "472.5", "472", ""},
	}
}

func TestWriteNarrow(t *testing.T) {
	columns, rows := historyRows()
	write := func(width int, dispensable ...string) string {
		var b strings.Builder
		if err := writeNarrow(&b, columns, rows, export.TextOptions{Width: width, ASCII: true}, dispensable); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	// Where there is room, and for other programs, nothing is left out.
	for _, width := range []int{0, 200} {
		got := write(width, "values")
		first, _, _ := strings.Cut(got, "\n")
		if diff := cmp.Diff(namesOf(columns), strings.Fields(first)); diff != "" || strings.Contains(got, "without room") {
			t.Errorf("width %d (-want +got):\n%s", width, diff)
		}
	}
	want := `test                            date        systems    min   median    max
------------------------------  ----------  -------  -----  -------  -----
SQLite 3.30.1, Threads /        2019-01-28        6  34.75  134.405    289
Copies: 1, Seconds, less is
better
                                                 13   2.02     2.79  35.67
FIO, MB/s, more is better       2021-02-03        2  471.5      472  472.5
3 rows
columns without room: files, values, geometric_mean; --format csv has all
`
	if diff := cmp.Diff(want, write(74, "values", "files", "geometric_mean")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// No more goes than must: one column is enough here, and those that are not
	// named stay whatever the width.
	if got := write(90, "values", "files", "geometric_mean"); !strings.HasSuffix(got, "columns without room: values; --format csv has all\n") {
		t.Error(got)
	}
	got := write(40, "values", "files", "geometric_mean")
	for _, name := range []string{"date", "systems", "min", "median", "max"} {
		if first, _, _ := strings.Cut(got, "\n"); !slices.Contains(strings.Fields(first), name) {
			t.Errorf("no %s in %q", name, first)
		}
	}
	for line := range strings.Lines(write(60, "values", "files", "geometric_mean", "systems", "median")) {
		if n := term.Width(strings.TrimSuffix(line, "\n")); n > 60 {
			t.Errorf("%d cells: %s", n, line)
		}
	}
}
