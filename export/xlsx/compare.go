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
	lowColumn     = columnAt("ratio_low")
	highColumn    = columnAt("ratio_high")
	verdictColumn = columnAt("verdict")

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
		start := 0
		for _, c := range list {
			places := w.places(c)
			pairs := pairNumbers(c)
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
					w.setRatio(cells, r.Ratio, ratioFormula(r, places), pairs[pairOf(r)], first, at)
					if r.Ratio.Known {
						cells[cellColumn] = cellNumber(places[r.Cell.Measurement])
					}
				} else {
					n := i - len(c.Rows)
					w.setRatio(cells, c.Overall[n].GeoMean, w.meanFormula(start, len(c.Rows), at, first), n+1, first, at)
					cells[lnColumn] = cell{} // is in no mean itself
					totalRow(row)
				}
				i++
				if !yield(row) {
					return
				}
			}
			start += i
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
func pairOf(r *analyze.Row) [2]string { return [2]string{r.BaselineName, r.SystemName} }

// pairNumbers numbers the pairs of a comparison from 1, as its rows over all
// tests come. Formulas pick rows by number, since names would act as patterns.
func pairNumbers(c *analyze.Comparison) map[[2]string]int {
	numbers := make(map[[2]string]int, len(c.Overall))
	for i := range c.Overall {
		numbers[[2]string{c.Overall[i].BaselineName, c.Overall[i].SystemName}] = i + 1
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
	at := func(column int) string {
		_, name, _ := strings.Cut(w.reference("Compare", row, first+column), "!")
		return name
	}
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

// ratioFormula is the quotient of two cells on the sheet Results, empty where
// one of them has been emptied; "" where they hold no numbers.
func ratioFormula(r *analyze.Row, places map[*result.Measurement]string) string {
	if !r.Ratio.Known {
		return ""
	}
	value, base := places[r.Cell.Measurement], places[r.Baseline.Measurement]
	if value == "" || base == "" {
		return ""
	}
	if r.Test.Proportion == result.LIB {
		value, base = base, value
	}
	return fmt.Sprintf(`IF(COUNT(%[1]s,%[2]s)=2,%[1]s/%[2]s,"")`, value, base)
}

// meanFormula is the geometric mean of the ratios of the pair that a row is
// about, out of n rows from a row on: exp of the mean of their logarithms.
func (w *Writer) meanFormula(start, n, row, first int) string {
	if n == 0 {
		return ""
	}
	_, pair, _ := strings.Cut(w.reference("Compare", row, first+pairColumn), "!")
	lns, pairs := w.ranges("Compare", start, n, first+lnColumn), w.ranges("Compare", start, n, first+pairColumn)
	if len(lns) == 1 {
		return fmt.Sprintf(`IFERROR(EXP(AVERAGEIFS(%s,%s,%s)),"")`, lns[0], pairs[0], pair)
	}
	var sums, counts []string
	for i := range lns {
		sums = append(sums, fmt.Sprintf("SUMIFS(%s,%s,%s)", lns[i], pairs[i], pair))
		counts = append(counts, fmt.Sprintf(`COUNTIFS(%s,%s,%s,">-1E+300")`, pairs[i], pair, lns[i]))
	}
	return fmt.Sprintf(`IFERROR(EXP((%s)/(%s)),"")`, strings.Join(sums, "+"), strings.Join(counts, "+"))
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
