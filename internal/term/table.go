package term

import (
	"bufio"
	"io"
	"slices"
	"strings"
)

// Table lays out text in aligned columns. Cells are made visible and take
// one line each, unless Width makes them wrap.
type Table struct {
	// Header names the columns.
	Header []string
	// Right marks the columns that are set flush right and never wrapped:
	// figures. It may be shorter than Header.
	Right []bool
	// Width is the number of cells a line may take; 0 for any. Columns of
	// text are wrapped to keep to it, the widest first, as far as they can
	// be: below minWrap a column is not narrowed, and lines get longer.
	Width int
	// Indent is the number of spaces before every line.
	Indent int
	// ASCII draws the line below the header with "-".
	ASCII bool
	// Fixed marks the columns of text that are never wrapped: drawings. It
	// may be shorter than Header.
	Fixed []bool
	// Least are the widths that columns have at least, so that several
	// tables can stand below each other. It may be shorter than Header.
	Least []int
	// Color paints cells that have a style, but for the letter Plain, an
	// axis, say, behind what has been drawn.
	Color bool
	Plain rune

	rows   [][]string
	styles []map[int]string // by row, the styles of columns
}

// Style sets how a cell of the last row is painted on a terminal: the numbers
// of an SGR sequence, "31" for red.
func (t *Table) Style(column int, style string) {
	row := len(t.rows) - 1
	if t.styles[row] == nil {
		t.styles[row] = make(map[int]string)
	}
	t.styles[row][column] = style
}

// Paint returns text between an SGR sequence of that style and the one that
// ends it; text alone where one of both is empty.
func Paint(text, style string) string {
	if style == "" || text == "" {
		return text
	}
	return "\x1b[" + style + "m" + text + "\x1b[0m"
}

const (
	columnGap = 2
	minWrap   = 12
)

// Add adds a row. Cells that are missing are empty.
func (t *Table) Add(cells ...string) {
	row := make([]string, len(t.Header))
	for i := range row {
		if i < len(cells) {
			row[i] = Visible(cells[i])
		}
	}
	t.rows = append(t.rows, row)
	t.styles = append(t.styles, nil)
}

// Len returns the number of rows.
func (t *Table) Len() int { return len(t.rows) }

func (t *Table) right(i int) bool { return i < len(t.Right) && t.Right[i] }
func (t *Table) fixed(i int) bool { return i < len(t.Fixed) && t.Fixed[i] }

// Widths returns the widths of the columns, as Least of another table takes
// them.
func (t *Table) Widths() []int {
	header := make([]string, len(t.Header))
	for i, h := range t.Header {
		header[i] = Visible(h)
	}
	return t.widths(header)
}

// LineWidth returns how many cells the longest line may take: more than Width
// where the columns have no room for less.
func (t *Table) LineWidth() int {
	n := t.Indent
	for i, w := range t.Widths() {
		if i > 0 {
			n += columnGap
		}
		n += w
	}
	return n
}

// widths returns the width of every column.
func (t *Table) widths(header []string) []int {
	w := make([]int, len(header))
	copy(w, t.Least)
	for _, row := range append([][]string{header}, t.rows...) {
		for i, cell := range row {
			w[i] = max(w[i], Width(cell))
		}
	}
	if t.Width == 0 {
		return w
	}
	spare := t.Width - t.Indent - columnGap*(len(w)-1)
	var text []int
	for i := range w {
		spare -= w[i]
		if !t.right(i) && !t.fixed(i) && w[i] > minWrap {
			text = append(text, i)
		}
	}
	// The widest columns are cut down to the next one's width, then all
	// of them together, until the line fits or all are at the minimum.
	slices.SortStableFunc(text, func(a, b int) int { return w[b] - w[a] })
	for n := 1; n <= len(text) && spare < 0; n++ {
		next := minWrap
		if n < len(text) {
			next = w[text[n]]
		}
		top := w[text[0]]
		target := max(next, top-(-spare+n-1)/n)
		for _, i := range text[:n] {
			spare += w[i] - target
			w[i] = target
		}
	}
	return w
}

// WriteTo prints the table. A table without columns prints nothing.
func (t *Table) WriteTo(w io.Writer) (int64, error) {
	if len(t.Header) == 0 {
		return 0, nil
	}
	header := make([]string, len(t.Header))
	for i, h := range t.Header {
		header[i] = Visible(h)
	}
	widths := t.widths(header)
	out := &countWriter{w: w}
	b := bufio.NewWriter(out)
	t.row(b, header, widths, nil)
	rule := "─"
	if t.ASCII {
		rule = "-"
	}
	b.WriteString(strings.Repeat(" ", t.Indent))
	for i, n := range widths {
		if i > 0 {
			b.WriteString(strings.Repeat(" ", columnGap))
		}
		b.WriteString(strings.Repeat(rule, n))
	}
	b.WriteByte('\n')
	for i, row := range t.rows {
		t.row(b, row, widths, t.styles[i])
	}
	err := b.Flush()
	return out.n, err
}

// row prints one row, on as many lines as its most wrapped cell needs.
func (t *Table) row(b *bufio.Writer, row []string, widths []int, styles map[int]string) {
	cells := make([][]string, len(row))
	lines := 1
	for i, cell := range row {
		cells[i] = []string{cell}
		if Width(cell) > widths[i] {
			cells[i] = Wrap(cell, widths[i])
		}
		lines = max(lines, len(cells[i]))
	}
	for l := range lines {
		var line strings.Builder
		line.WriteString(strings.Repeat(" ", t.Indent))
		for i := range cells {
			if i > 0 {
				line.WriteString(strings.Repeat(" ", columnGap))
			}
			cell := ""
			if l < len(cells[i]) {
				cell = cells[i][l]
			}
			padded := Pad(cell, widths[i], t.right(i))
			if style := styles[i]; style != "" && t.Color {
				before, after, _ := strings.Cut(padded, cell)
				padded = before + t.paint(cell, style) + after
			}
			line.WriteString(padded)
		}
		b.WriteString(strings.TrimRight(line.String(), " "))
		b.WriteByte('\n')
	}
}

// paint paints a cell but for the letter that stays plain.
func (t *Table) paint(cell, style string) string {
	at := strings.IndexRune(cell, t.Plain)
	if t.Plain == 0 || at < 0 {
		return Paint(cell, style)
	}
	before, axis := cell[:at], string(t.Plain)
	if strings.TrimSpace(before) != "" {
		before = Paint(before, style)
	}
	return before + axis + Paint(cell[at+len(axis):], style)
}

type countWriter struct {
	w io.Writer
	n int64
}

func (c *countWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}
