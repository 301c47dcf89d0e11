package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/internal/term"
	"github.com/benchproof/benchproof/result"
)

// testColumns are the columns that tell a test. Where they have no room beside
// each other, one takes what all of them say.
var testColumns = []string{"test", "version", "arguments", "scale", "proportion"}

// wishedRoom is how many cells fitColumns leaves for texts beyond the least that
// they need.
const wishedRoom = 10

// fitColumns fits a table into lines of a width that somebody looks at. Where its
// columns have no room even when their texts wrap, those that tell a test
// become one, which is empty in rows of the test above; columns without a value
// are left out, and then the dispensable ones, the first of them first, until
// the rest has room. It returns the names of the latter in the order of the
// table.
func fitColumns(columns []export.Column, rows [][]string, width int, dispensable []string) ([]export.Column, [][]string, []string) {
	if width <= 0 || lacks(columns, rows, width) <= 0 {
		return columns, rows, nil
	}
	columns, rows = oneTestColumn(columns, rows)
	columns, rows = without(columns, rows, func(i int) bool {
		return len(rows) > 0 && !slices.ContainsFunc(rows, func(row []string) bool { return row[i] != "" })
	})
	var left []string
	names := namesOf(columns)
	for _, name := range dispensable {
		if lacks(columns, rows, width-wishedRoom) <= 0 {
			break
		}
		if !slices.Contains(names, name) {
			continue
		}
		columns, rows = without(columns, rows, func(i int) bool { return columns[i].Name == name })
		left = append(left, name)
	}
	slices.SortFunc(left, func(a, b string) int { return slices.Index(names, a) - slices.Index(names, b) })
	return columns, rows, left
}

// lacks returns by how many cells lines of a table are longer than width.
func lacks(columns []export.Column, rows [][]string, width int) int {
	t := queryTable(columns, export.TextOptions{Width: max(width, 1)})
	for _, row := range rows {
		t.Add(row...)
	}
	return t.LineWidth() - width
}

// oneTestColumn makes one column of those that tell a test.
func oneTestColumn(columns []export.Column, rows [][]string) ([]export.Column, [][]string) {
	n := len(testColumns)
	if len(columns) < n || !slices.Equal(namesOf(columns[:n]), testColumns) {
		return columns, rows
	}
	list := make([][]string, len(rows))
	for i, row := range rows {
		text := ""
		if i == 0 || !slices.Equal(row[:n], rows[i-1][:n]) {
			text = testText(row)
		}
		list[i] = append([]string{text}, row[n:]...)
	}
	return append([]export.Column{columns[0]}, columns[n:]...), list
}

// testText returns what the cells of testColumns say, in words.
func testText(row []string) string {
	text := strings.TrimSpace(row[0] + " " + row[1])
	for _, more := range []string{row[2], row[3], export.ProportionText(result.Proportion(row[4]))} {
		if more != "" {
			text += ", " + more
		}
	}
	return text
}

// without leaves out columns.
func without(columns []export.Column, rows [][]string, out func(int) bool) ([]export.Column, [][]string) {
	var keep []int
	for i := range columns {
		if !out(i) {
			keep = append(keep, i)
		}
	}
	kept := make([]export.Column, len(keep))
	for n, i := range keep {
		kept[n] = columns[i]
	}
	list := make([][]string, len(rows))
	for r, row := range rows {
		list[r] = make([]string, len(keep))
		for n, i := range keep {
			list[r][n] = row[i]
		}
	}
	return kept, list
}

func namesOf(columns []export.Column) []string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.Name
	}
	return names
}

// writeNarrow writes answers for a terminal, and says what it has no room for.
func writeNarrow(w io.Writer, columns []export.Column, rows [][]string, o export.TextOptions, dispensable []string) error {
	columns, rows, left := fitColumns(columns, rows, o.Width, dispensable)
	if err := writeQueryTable(w, columns, slices.Values(rows), o); err != nil || len(left) == 0 {
		return err
	}
	for _, line := range term.Wrap("columns without room: "+strings.Join(left, ", ")+"; --format csv has all", o.Width) {
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}
