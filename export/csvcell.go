package export

import (
	"errors"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/internal/term"
)

// guard returns text as a CSV cell that no spreadsheet takes for a formula:
// with a leading ' where it begins with =, +, -, @, a tab or a carriage
// return. Text that begins like a guarded one gets a further one, so that it is
// told from it when it is read.
func guard(text string) string {
	if formula(strings.TrimLeft(text, "'")) {
		return "'" + text
	}
	return text
}

// formula reports whether a spreadsheet could take text for a formula.
func formula(text string) bool {
	if text == "" {
		return false
	}
	switch text[0] {
	case '=', '+', '-', '@', '\t', '\r':
		return true
	}
	return false
}

// csvCell returns the content of a CSV cell of a column of the kind: text
// guarded, figures only where they are none, both with what hides made
// visible.
func csvCell(kind Kind, cell string) string {
	switch kind {
	case Text:
		return visibleCell(guard(cell))
	case Figure:
		return figureCell(cell)
	}
	return cell
}

// figureCell returns a value, a standard error or runs as a cell. Files may
// print anything in their place: what begins as a formula is guarded unless it
// is a number or a list of numbers.
func figureCell(cell string) string {
	if !figures(cell) {
		cell = guard(cell)
	}
	return visibleCell(cell)
}

// figures reports whether cell is numbers divided by semicolons or commas.
// NaN and the infinities count as numbers, an empty place in the list as one
// that is missing.
func figures(cell string) bool {
	found := false
	for list := range strings.SplitSeq(cell, ";") {
		for item := range strings.SplitSeq(list, ",") {
			if item = strings.TrimLeft(item, " "); item == "" {
				continue
			}
			if !isFigure(item) {
				return false
			}
			found = true
		}
	}
	return found
}

// isFigure reports whether text is a decimal number of any size, NaN or an
// infinity.
func isFigure(text string) bool {
	switch strings.ToLower(strings.TrimLeft(text[:1], "+-") + text[1:]) {
	case "nan", "inf", "infinity":
		return true
	}
	if strings.Trim(text, "+-.0123456789eE") != "" {
		return false
	}
	_, err := strconv.ParseFloat(text, 64)
	return err == nil || errors.Is(err, strconv.ErrRange)
}

// visibleCell returns cell with control characters, marks that turn the
// direction of text and invalid UTF-8 written as escapes (\x1b, \u202e): many
// programs pass a cell on to a terminal. Tabs and line breaks, CR LF too,
// stay.
func visibleCell(cell string) string {
	plain := true
	for i := 0; i < len(cell) && plain; i++ {
		c := cell[i]
		plain = c >= ' ' && c < 0x7f || c == '\n' || c == '\t'
	}
	if plain {
		return cell
	}
	if !strings.Contains(cell, "\r\n") {
		return term.VisibleLines(cell)
	}
	lines := strings.Split(cell, "\r\n")
	for i, l := range lines {
		lines[i] = term.VisibleLines(l)
	}
	return strings.Join(lines, "\r\n")
}

// csvNames returns the columns with names of which no two are one cell in a
// header of CSV: a later one gets " #2" and so on.
func csvNames(columns []Column) []Column {
	taken := make(map[string]bool, len(columns))
	for i := range columns {
		taken[csvCell(Text, columns[i].Name)] = true
	}
	seen := make(map[string]int, len(columns))
	for i := range columns {
		name := columns[i].Name
		cell := csvCell(Text, name)
		if seen[cell]++; seen[cell] == 1 {
			continue
		}
		for {
			columns[i].Name = name + " #" + strconv.Itoa(seen[cell])
			if next := csvCell(Text, columns[i].Name); !taken[next] {
				taken[next] = true
				break
			}
			seen[cell]++
		}
	}
	return columns
}
