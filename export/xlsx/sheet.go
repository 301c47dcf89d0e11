package xlsx

import (
	"fmt"
	"iter"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/benchproof/benchproof/internal/term"
)

// table is one sheet's content. Its rows are gone through twice: once to
// measure, once to write.
type table struct {
	name    string
	columns []column
	rows    iter.Seq[[]cell]
	frozen  int // columns that stay when scrolling
	// pages is how many it is printed across at most though no column is
	// frozen; each of them begins with the column again, counted from 1.
	pages, again int
	// printed is how many columns are printed, 0 for all: what other cells
	// work with stands behind them.
	printed int
	rules   []rule
	// comments returns those of its cells; nil if it has none.
	comments func() []comment
	notes    []comment // what it returned
}

type column struct {
	name string
	// widest is the width in digits from which text wraps; 0 for the
	// default. Numbers never wrap: their column is as wide as they need.
	widest int
	// oneLine is set for text that does not wrap but ends where the next
	// cell begins: what every row repeats must not make all rows higher.
	oneLine bool
	// right is set where the header stands flush right though the column
	// has no numbers.
	right bool
	// indent moves its text away from the column before it.
	indent bool
}

const (
	defaultWidest = 48
	narrowest     = 6  // widths in digits
	headerWidest  = 16 // a header wraps from here on
	filterButton  = 3  // that the filter's button covers
	margin        = 2  // between columns
	lineHeight    = 15 // points
	maxHeight     = 409
)

// measure returns the width of every column, whether half of its cells or
// more are numbers, and the number of rows.
func (t *table) measure() (widths []int, numbers []bool, rows int) {
	widths = make([]int, len(t.columns))
	numbers = make([]bool, len(t.columns))
	more := make([]int, len(t.columns)) // numbers than texts
	for i, c := range t.columns {
		widths[i] = max(narrowest, min(textWidth(c.name)+1+filterButton, headerWidest))
	}
	for row := range t.rows {
		rows++
		for i := range row {
			widths[i] = max(widths[i], min(row[i].width, t.limit(i, &row[i])))
			switch row[i].value.(type) {
			case nil:
			case string:
				more[i]--
			default:
				more[i]++
				numbers[i] = true
			}
		}
	}
	for i, n := range more {
		numbers[i] = numbers[i] && n >= 0
	}
	return widths, numbers, rows
}

// limit is the width that the cell may ask of its column.
func (t *table) limit(i int, c *cell) int {
	if _, text := c.value.(string); !text {
		return 255
	}
	if t.columns[i].widest > 0 {
		return t.columns[i].widest
	}
	return defaultWidest
}

// add writes t as a sheet, or several where it has more rows than one takes.
func (w *Writer) add(t *table) error {
	if len(t.columns) > w.maxColumns {
		w.report("sheet-left-out", fmt.Sprintf("sheet %s is left out: %d columns, a sheet takes %d",
			t.name, len(t.columns), w.maxColumns))
		return nil
	}
	widths, numbers, rows := t.measure()
	parts := max(1, (rows+w.maxRows-2)/(w.maxRows-1))
	if t.comments != nil {
		t.notes = t.comments()
	}
	next, stop := iter.Pull(t.rows)
	defer stop()
	for part := range parts {
		name := t.name
		if part > 0 {
			name += " " + strconv.Itoa(part+1)
		}
		n := min(rows, w.maxRows-1)
		rows -= n
		if err := w.addSheet(t, name, widths, numbers, n, next); err != nil {
			return fmt.Errorf("sheet %s: %w", name, err)
		}
	}
	return nil
}

// newSheet adds an empty sheet. The library begins with one, which becomes
// the first: to delete it at the end would make it read all others again.
func (w *Writer) newSheet(name string) error {
	if w.sheets++; w.sheets == 1 {
		return w.book.SetSheetName(w.book.GetSheetName(0), name)
	}
	_, err := w.book.NewSheet(name)
	return err
}

// addSheet writes the next n rows as one sheet.
func (w *Writer) addSheet(t *table, name string, widths []int, numbers []bool, n int, next func() ([]cell, bool)) error {
	if err := w.newSheet(name); err != nil {
		return err
	}
	// All of the set-up comes before the first row: rows go into the sheet
	// as it stands then.
	if err := w.layout(t, name, widths, n); err != nil {
		return err
	}
	if err := w.book.SetPanes(name, panes(t.frozen)); err != nil {
		return err
	}
	if err := w.addRules(name, t.rules, n); err != nil {
		return err
	}
	if err := w.addComments(name, t.notesOf(n), widths); err != nil {
		return err
	}
	s, err := w.newStream(widths, n+1)
	if err != nil {
		return err
	}

	line := make([]cell, len(t.columns))
	for i, c := range t.columns {
		line[i] = textCell(c.name)
		line[i].look = look{tone: header, wrap: true, right: numbers[i] || c.right}
		// Text that follows figures would touch them.
		t.columns[i].indent = i > 0 && numbers[i-1] && !numbers[i] && !c.right
	}
	for row := 1; ; row++ {
		if err := w.row(s, t, name, row, line, widths); err != nil {
			return err
		}
		if row > n {
			return s.close()
		}
		line, _ = next()
	}
}

// notesOf takes the comments of the next n rows.
func (t *table) notesOf(n int) []comment {
	end := 0
	for end < len(t.notes) && t.notes[end].row < n {
		end++
	}
	notes := t.notes[:end]
	t.notes = t.notes[end:]
	for i := range t.notes {
		t.notes[i].row -= n
	}
	return notes
}

// pageWidth is what a landscape page shows in print that can be read.
const pageWidth = 200

// layout sets filter and print set-up of a sheet of n rows: one page wide, or
// as many as its columns need where frozen ones tell on each page what a row
// is about or the table allows it.
func (w *Writer) layout(t *table, name string, widths []int, n int) error {
	total, printed := 0, widths
	if t.printed > 0 {
		printed = widths[:t.printed]
		last, err := excelize.CoordinatesToCellName(t.printed, n+1, true)
		if err != nil {
			return err
		}
		if err := w.book.SetDefinedName(&excelize.DefinedName{
			Name: "_xlnm.Print_Area", Scope: name, RefersTo: fmt.Sprintf("'%s'!$A$1:%s", name, last),
		}); err != nil {
			return err
		}
	}
	for _, width := range printed {
		total += width + margin
	}
	pages := max(1, (total+pageWidth/2)/pageWidth)
	if t.frozen == 0 {
		pages = min(pages, max(t.pages, 1))
	}
	last, err := excelize.CoordinatesToCellName(len(t.columns), n+1)
	if err != nil {
		return err
	}
	if err := w.book.AutoFilter(name, "A1:"+last, nil); err != nil {
		return err
	}
	yes, many, landscape, a4 := true, 0, "landscape", 9
	if err := w.book.SetSheetProps(name, &excelize.SheetPropsOptions{FitToPage: &yes}); err != nil {
		return err
	}
	if err := w.book.SetPageLayout(name, &excelize.PageLayoutOptions{
		Orientation: &landscape, Size: &a4, FitToWidth: &pages, FitToHeight: &many,
	}); err != nil {
		return err
	}
	if err := w.book.SetHeaderFooter(name, &excelize.HeaderFooterOptions{
		OddHeader: w.printHeader(),
		OddFooter: "&L&A&RPage &P of &N",
	}); err != nil {
		return err
	}
	titles := fmt.Sprintf("'%s'!$1:$1", name)
	if from, to := 1, t.frozen; pages > 1 {
		if to == 0 {
			from, to = t.again, t.again
		}
		first, err := excelize.ColumnNumberToName(from)
		if err != nil {
			return err
		}
		last, err := excelize.ColumnNumberToName(to)
		if err != nil {
			return err
		}
		titles = fmt.Sprintf("'%s'!$%s:$%s,%s", name, first, last, titles)
	}
	return w.book.SetDefinedName(&excelize.DefinedName{
		Name: "_xlnm.Print_Titles", Scope: name, RefersTo: titles,
	})
}

// printHeader names title and source of the only file above every printed
// page; with several files the rows do.
func (w *Writer) printHeader() string {
	if len(w.files) != 1 {
		return ""
	}
	// A header takes 255 letters, and & begins a code in it.
	escape := func(text string, units int) string {
		text, _ = cutTo(term.Visible(text), units)
		return strings.ReplaceAll(text, "&", "&&")
	}
	// A digit behind &L would be taken for a size.
	f := w.files[0]
	return "&L " + escape(f.Title, 70) + "&R " + escape(f.Source, 40)
}

func panes(columns int) *excelize.Panes {
	corner, _ := excelize.CoordinatesToCellName(columns+1, 2)
	p := &excelize.Panes{Freeze: true, XSplit: columns, YSplit: 1, TopLeftCell: corner, ActivePane: "bottomLeft"}
	if columns > 0 {
		p.ActivePane = "bottomRight"
	}
	return p
}

// row writes one row, as high as its wrapped text needs: not every program
// makes room for it on its own.
func (w *Writer) row(s *stream, t *table, sheet string, n int, cells []cell, widths []int) error {
	lines := 1
	w.ids, w.values = w.ids[:0], w.values[:0]
	for i := range cells {
		c := &cells[i]
		w.values = append(w.values, c.value)
		if c.value == nil {
			w.ids = append(w.ids, 0)
			continue
		}
		style := c.look
		if text, ok := c.value.(string); ok {
			if cut, was := cutText(text); was {
				name, _ := excelize.CoordinatesToCellName(i+1, n)
				w.report("cell-cut", fmt.Sprintf("cell %s!%s is cut: %d bytes of text, %d are left",
					sheet, name, len(text), len(cut)))
				w.values[i] = cut
			}
			style.indent = t.columns[i].indent && !style.right
			room := float64(widths[i] + 1)
			if style.indent {
				room--
			}
			if style.tone == header {
				room -= filterButton
			}
			// Of what is not wider than its column the lines need no counting.
			if style.tone == header || !t.columns[i].oneLine && (float64(c.width) > room || strings.Contains(text, "\n")) {
				if n := textLines(text, room); n > 1 {
					style.wrap = true
					lines = max(lines, n)
				}
			}
		}
		id, err := w.style(style)
		if err != nil {
			return err
		}
		w.ids = append(w.ids, id)
	}
	height := 0
	switch {
	case n == 1:
		height = min(lines*lineHeight+3, maxHeight)
	case lines > 1:
		height = min(lines*lineHeight, maxHeight)
	}
	s.begin(n, height)
	for i, value := range w.values {
		if value != nil {
			s.cell(i, n, w.ids[i], cells[i].formula, value)
		}
	}
	return s.end()
}

// style returns the number of a look's style in the workbook.
func (w *Writer) style(l look) (int, error) {
	if id, ok := w.styles[l]; ok {
		return id, nil
	}
	return w.newStyle(l)
}

// newStyle adds the style of a look to the workbook.
func (w *Writer) newStyle(l look) (int, error) {
	s := &excelize.Style{
		Alignment: &excelize.Alignment{Vertical: "top", WrapText: l.wrap},
		Font:      &excelize.Font{Family: "Calibri", Size: 11},
	}
	switch {
	case l.right:
		s.Alignment.Horizontal = "right"
	case l.indent:
		s.Alignment.Horizontal, s.Alignment.Indent = "left", 1
	}
	if l.format != "" {
		s.CustomNumFmt = &l.format
	}
	switch l.tone {
	case header:
		s.Font.Bold = true
		s.Fill = excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{"E7E6E6"}}
		s.Border = []excelize.Border{
			{Type: "bottom", Color: "7F7F7F", Style: 1},
			{Type: "left", Color: "FFFFFF", Style: 1},
			{Type: "right", Color: "FFFFFF", Style: 1},
		}
	case inferred:
		s.Font.Italic = true
	case faded:
		s.Font.Color = "7F7F7F"
	case total:
		s.Font.Bold = true
	case heading:
		s.Font.Bold, s.Font.Size = true, 14
	case small:
		s.Font.Color, s.Font.Size = "595959", 10
	case uncertain:
		s.Font.Color, s.Font.Italic = "7F7F7F", true
	}
	id, err := w.book.NewStyle(s)
	if err != nil {
		return 0, err
	}
	w.styles[l] = id
	return id, nil
}
