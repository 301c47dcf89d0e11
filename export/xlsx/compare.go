package xlsx

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/internal/number"
	"github.com/benchproof/benchproof/result"
)

// Columns of the sheet Compare, from 0, without the source: those of the table
// that are more than text and figures, and those behind the table.
var (
	ratioColumn   = columnAt("ratio")
	highColumn    = columnAt("ratio_high")
	verdictColumn = columnAt("verdict")

	baselineColumn = columnAt("baseline_value")
	valueColumn    = columnAt("value")

	publishedColumn = len(export.CompareColumns) // the ratio as it was worked out
	editedColumn    = publishedColumn + 1        // in words, whether a value was changed since
	pairColumn      = publishedColumn + 2        // number of the pair of systems
	lnColumn        = publishedColumn + 3        // logarithm of the ratio
	cellColumn      = publishedColumn + 4        // number of the cell of Results with the value
)

func columnAt(name string) int {
	return slices.IndexFunc(export.CompareColumns, func(c export.Column) bool { return c.Name == name })
}

// edited is what the sheet Compare says where a value was changed.
const edited = "edited: verdict, p and interval are of the published values"

// compare is one row a comparison. Its ratios are formulas on the sheet
// Results, the means over tests formulas on the ratios; what they were when the
// workbook was written stands beside.
func (w *Writer) compare(list []*analyze.Comparison) *table {
	first := sourceColumns(len(list))
	t := &table{name: "Compare", pages: 2, again: first + 1}
	if first > 0 {
		t.columns = named("source")
	}
	t.columns = long(append(t.columns, same(export.CompareColumns)...))
	t.printed = len(t.columns)
	t.columns = append(t.columns, named("ratio_published", "edited", "pair", "ln_ratio", "result_cell")...)
	t.columns[first+editedColumn].oneLine = true
	t.rules = append(
		[]rule{{first + ratioColumn, first + ratioColumn, fmt.Sprintf(`LEN($%s2)>0`, columnName(first+editedColumn)), tintEdited}},
		append(verdictRules(first+ratioColumn, first+highColumn, first+verdictColumn),
			verdictRules(first+verdictColumn, first+verdictColumn, first+verdictColumn)...)...)
	t.comments = func() []comment { return w.ratioComments(list) }
	t.rows = func(yield func([]cell) bool) {
		row := make([]cell, len(t.columns))
		start, pairsBefore := 0, 0
		for _, c := range list {
			pairs := pairNumbers(c, pairsBefore)
			mean := w.meanRange(start, len(c.Rows)+len(c.Overall))
			i := 0
			for texts := range export.CompareRows(c) {
				clear(row)
				if first > 0 {
					row[0] = textCell(sources(c.Set))
				}
				cells := row[first:]
				for j, column := range export.CompareColumns {
					cells[j] = analysisCell(column, texts[j])
				}
				at := start + i
				if i < len(c.Rows) {
					r := &c.Rows[i]
					w.setRatio(cells, r.Ratio, w.ratioFormula(r, `""`), pairs[pairOf(r)], first, at)
					w.setValues(cells, r, first, at)
				} else {
					n := i - len(c.Rows)
					w.setRatio(cells, c.Overall[n].GeoMean, w.meanFormula(mean, first, w.cellOf(at, first+pairColumn), `""`), pairsBefore+n+1, first, at)
					cells[lnColumn] = cell{} // is in no mean itself
					totalRow(row)
				}
				i++
				if !yield(row) {
					return
				}
			}
			start += i
			pairsBefore += len(c.Overall)
		}
	}
	return t
}

// sourceColumns is how many columns say which file a row is about.
func sourceColumns(files int) int {
	if files > 1 {
		return 1
	}
	return 0
}

// columnName is the letters of a column, from 0.
func columnName(i int) string {
	name, _ := excelize.ColumnNumberToName(i + 1)
	return name
}

func analysisCell(c export.Column, text string) cell {
	switch c.Kind {
	case export.Figure, export.Count:
		figure := figureCell(text)
		if x, ok := figure.value.(float64); ok && strings.HasPrefix(c.Name, "ratio") {
			figure.look.format = ratioFormat(x) // as the ratio itself
		}
		if p, ok := figure.value.(float64); ok && strings.HasPrefix(c.Name, "p_") && p < 0.001 && p > 0 {
			figure.look.format, figure.width = "0.00E+00", 8
		}
		return figure
	}
	return textCell(text)
}

// totalRow makes the text of a row over all tests bold.
func totalRow(row []cell) {
	for i := range row {
		if row[i].value != nil {
			row[i].look.tone = total
		}
	}
}

// pairOf names the two sides of a row.
func pairOf(r *analyze.CompareRow) [2]string { return [2]string{r.BaselineName, r.SystemName} }

// pairNumbers numbers the pairs of a comparison, as its rows over all tests
// come, behind those of the comparisons before it. Formulas pick rows by number,
// since names would act as patterns.
func pairNumbers(c *analyze.Comparison, before int) map[[2]string]int {
	numbers := make(map[[2]string]int, len(c.Overall))
	for i := range c.Overall {
		numbers[[2]string{c.Overall[i].BaselineName, c.Overall[i].SystemName}] = before + i + 1
	}
	return numbers
}

// setRatio sets the ratio of a row of the sheet Compare, and what belongs to
// it behind the table.
func (w *Writer) setRatio(cells []cell, q analyze.Quantity, formula string, pair, first, row int) {
	if !q.Known {
		return
	}
	// All digits, for what is worked out of it; shown with six.
	format := ratioFormat(q.X)
	ratio := cell{value: q.X, look: look{format: format}, width: len(number.Significant(q.X, 6))}
	cells[publishedColumn] = ratio
	cells[pairColumn] = countCell(pair)
	ratio.formula = formula
	cells[ratioColumn] = ratio
	at := func(column int) string { return w.cellOf(row, first+column) }
	cells[lnColumn] = cell{
		value: math.Log(q.X), formula: fmt.Sprintf(`IFERROR(LN(%s),"")`, at(ratioColumn)),
		look: look{format: "0.000000"}, width: 9,
	}
	if formula != "" {
		cells[editedColumn] = cell{
			value: "",
			formula: fmt.Sprintf(`IF(ISNUMBER(%[1]s),IF(ABS(%[1]s-%[2]s)>0.000000001*%[2]s,"%[3]s",""),"%[3]s")`,
				at(ratioColumn), at(publishedColumn), edited),
		}
	}
}

// ratioFormat shows a ratio with four decimals, or with as many digits as the
// table where that would hide it.
func ratioFormat(x float64) string {
	if x >= 0.1 && x < 1e6 {
		return "0.0000"
	}
	return figureCell(number.Significant(x, 6)).look.format
}

// cellOf is the address of a cell of the sheet Compare for formulas of its own
// row.
func (w *Writer) cellOf(row, column int) string {
	_, name, _ := strings.Cut(w.reference("Compare", row, column), "!")
	return name
}

// setValues makes the values of a row follow the sheet Results, and says by
// number in which of its cells the system's stands: in none once the row was
// edited, since its verdict is that of the published value.
func (w *Writer) setValues(cells []cell, r *analyze.CompareRow, first, row int) {
	if !r.Ratio.Known {
		return
	}
	for _, v := range []struct {
		column int
		m      *result.Measurement
	}{{baselineColumn, r.Baseline.Measurement}, {valueColumn, r.Cell.Measurement}} {
		if place := w.places.of[v.m]; place != "" {
			cells[v.column].formula = fmt.Sprintf(`IF(COUNT(%[1]s)=1,%[1]s,"")`, place)
		}
	}
	if cells[cellColumn] = w.cellNumber(r.Cell.Measurement); cells[cellColumn].value == nil {
		return
	}
	at := w.places.at[r.Cell.Measurement]
	if cells[cellColumn].formula = w.cellNumberAt(at[0], at[1]); cells[editedColumn].formula != "" {
		cells[cellColumn].formula = fmt.Sprintf(`IF(LEN(%s)>0,0,%s)`, w.cellOf(row, first+editedColumn), cells[cellColumn].formula)
	}
}

// ratioFormula is the quotient of two cells on the sheet Results, or otherwise
// where one of them has been emptied; "" where they hold no numbers.
func (w *Writer) ratioFormula(r *analyze.CompareRow, otherwise string) string {
	if !r.Ratio.Known {
		return ""
	}
	value, base := w.places.of[r.Cell.Measurement], w.places.of[r.Baseline.Measurement]
	if value == "" || base == "" {
		return ""
	}
	if r.Test.Proportion == result.LIB {
		value, base = base, value
	}
	return fmt.Sprintf(`IF(COUNT(%[1]s,%[2]s)=2,%[1]s/%[2]s,%[3]s)`, value, base, otherwise)
}

// rowRange is n rows of the sheet Compare from one on, counted from 0.
type rowRange struct{ start, n int }

// meanRange is the rows among which means look for those of their pair: all of
// the sheet, so that it may be sorted, or those of the comparison where there
// are too many.
func (w *Writer) meanRange(start, n int) rowRange {
	all, means := 0, 0
	for _, c := range w.comparisons {
		all += len(c.Rows) + len(c.Overall)
		means += len(c.Overall)
	}
	if all*means <= maxLookups {
		return rowRange{0, all}
	}
	return rowRange{start, n}
}

// meanFormula is the geometric mean of the ratios of the pair whose number a
// cell has, or otherwise where there is none: exp of the mean of their
// logarithms. Rows over all tests have no logarithm.
func (w *Writer) meanFormula(of rowRange, first int, pair, otherwise string) string {
	if of.n == 0 {
		return ""
	}
	lns, pairs := w.ranges("Compare", of.start, of.n, first+lnColumn), w.ranges("Compare", of.start, of.n, first+pairColumn)
	if len(lns) == 1 {
		// Not every program passes over cells that are empty by itself.
		return fmt.Sprintf(`IFERROR(EXP(AVERAGEIFS(%[1]s,%[2]s,%[3]s,%[1]s,">-1E+300")),%[4]s)`, lns[0], pairs[0], pair, otherwise)
	}
	var sums, counts []string
	for i := range lns {
		sums = append(sums, fmt.Sprintf("SUMIFS(%s,%s,%s)", lns[i], pairs[i], pair))
		counts = append(counts, fmt.Sprintf(`COUNTIFS(%s,%s,%s,">-1E+300")`, pairs[i], pair, lns[i]))
	}
	return fmt.Sprintf(`IFERROR(EXP((%s)/(%s)),%s)`, strings.Join(sums, "+"), strings.Join(counts, "+"), otherwise)
}

// ranges are the addresses of n cells of a column from a row on, one a sheet
// that they stand in.
func (w *Writer) ranges(sheet string, row, n, column int) []string {
	var list []string
	name := columnName(column)
	for n > 0 {
		part, at := row/(w.maxRows-1), row%(w.maxRows-1)
		here := min(n, w.maxRows-1-at)
		list = append(list, fmt.Sprintf("%[1]s!$%[2]s$%[3]d:$%[2]s$%[4]d", partName(sheet, part), name, at+2, at+here+1))
		row, n = row+here, n-here
	}
	return list
}
