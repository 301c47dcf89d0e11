package xlsx

import (
	"fmt"

	"github.com/xuri/excelize/v2"

	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/result"
)

// maxLookups is how many cells formulas may look through to find their values
// in the sheet Results, some tenths of a second of a spreadsheet's time.
const maxLookups = 20_000_000

// resultPlaces is where the sheet Results shows what other sheets work with.
type resultPlaces struct {
	rows, columns int // of values and heads, from 0; the header not counted
	// sortable is set where the sheet numbers its rows in a last column, by
	// which formulas find them again after a sort.
	sortable bool
	// of is the value of a measurement that is compared, as an expression of
	// a formula; those that stand there as text are left out.
	of map[*result.Measurement]string
	// at is its row and column, counted from 0.
	at map[*result.Measurement][2]int
}

// findPlaces works out the places of what is compared.
func (w *Writer) findPlaces() {
	p := resultPlaces{of: map[*result.Measurement]string{}, at: map[*result.Measurement][2]int{}}
	ratios := 0
	for _, c := range w.comparisons {
		ratios += len(c.Rows)
		for i := range c.Rows {
			if r := &c.Rows[i]; r.Ratio.Known {
				p.of[r.Cell.Measurement], p.of[r.Baseline.Measurement] = "", ""
			}
		}
	}
	wide := export.NewWideTable(w.files)
	p.columns = len(wide.Columns())
	for range wide.Cells() {
		p.rows++
	}
	p.sortable = p.rows < w.maxRows && p.columns < w.maxColumns && p.rows*max(ratios, 1) <= maxLookups
	w.places = &p
	if p.columns > w.maxColumns {
		clear(p.of) // the sheet is left out
		return
	}
	if !p.sortable && ratios > 0 {
		w.mention("not-sortable", fmt.Sprintf("sheet Results is not to be sorted: with %d tests and %d ratios formulas find its values by their address", p.rows, ratios))
	}
	row := 0
	for _, cells := range wide.Cells() {
		for i, m := range cells {
			if _, ok := p.of[m]; !ok || m == nil {
				continue
			}
			if _, number := valueCell(m).value.(float64); number {
				p.of[m], p.at[m] = w.valueAt(row, resultHead+i), [2]int{row, resultHead + i}
			}
		}
		row++
	}
}

// valueAt is the value of a row and column of the sheet Results, counted from 0
// as in its table, as an expression of a formula.
func (w *Writer) valueAt(row, column int) string {
	if !w.places.sortable {
		return w.fixed("Results", row, column)
	}
	last := w.places.rows + 1
	return fmt.Sprintf("INDEX(Results!$%[1]s$2:$%[1]s$%[2]d,MATCH(%[3]d,Results!$%[4]s$2:$%[4]s$%[2]d,0))",
		columnName(column), last, row+1, columnName(w.places.columns))
}

// cellNumberAt is the number of the cell where the value of a row and column of
// the sheet Results is now, as an expression of a formula.
func (w *Writer) cellNumberAt(row, column int) string {
	if !w.places.sortable {
		return fmt.Sprintf(`IFERROR(ROW(%[1]s)*%[2]d+COLUMN(%[1]s),0)`, w.fixed("Results", row, column), excelize.MaxColumns)
	}
	return fmt.Sprintf(`IFERROR((MATCH(%[1]d,Results!$%[2]s$2:$%[2]s$%[3]d,0)+ROW(Results!$%[2]s$2)-1)*%[4]d+COLUMN(Results!$%[5]s$1),0)`,
		row+1, columnName(w.places.columns), w.places.rows+1, excelize.MaxColumns, columnName(column))
}

// fixed is the address of a cell that stays when the row with the formula is
// moved by a sort.
func (w *Writer) fixed(sheet string, row, column int) string {
	part := row / (w.maxRows - 1)
	name, err := excelize.CoordinatesToCellName(column+1, row%(w.maxRows-1)+2, true)
	if err != nil {
		return ""
	}
	return partName(sheet, part) + "!" + name
}
