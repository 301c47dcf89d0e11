package export

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
	"iter"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/internal/number"
	"github.com/benchproof/benchproof/internal/term"
)

// OverallTest is the test's name in the rows over all tests.
const OverallTest = "OVERALL"

// CompareColumns are the columns of a comparison as a table.
var CompareColumns = join(
	columns(Text, "test", "version", "arguments", "scale", "proportion", "baseline", "system"),
	columns(Figure, "baseline_value", "value", "ratio", "ratio_low", "ratio_high",
		"p_value", "p_low", "p_high", "p_adjusted"),
	columns(Text, "verdict"),
	columns(Count, "runs_needed"),
	columns(Text, "reason"),
)

// CompareRows yields the rows of a comparison, those over all tests last. The
// slice is reused for the next row. A number that is not known is empty.
func CompareRows(c *analyze.Comparison) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		row := make([]string, len(CompareColumns))
		for i := range c.Rows {
			r := &c.Rows[i]
			copy(row, []string{
				r.Test.Title, r.Test.Version, r.Arguments, r.Test.Scale, string(r.Test.Proportion),
				r.BaselineName, r.SystemName, cellValue(r.Baseline), cellValue(r.Cell),
				ratioFigure(r.Ratio), ratioFigure(r.Interval.Low), ratioFigure(r.Interval.High),
				pFigure(r.P), pFigure(r.PRange.Low), pFigure(r.PRange.High), pFigure(r.PAdjusted),
				string(r.Verdict), count(r.RunsNeeded), r.Reason,
			})
			if !yield(row) {
				return
			}
		}
		for i := range c.Overall {
			o := &c.Overall[i]
			m := o.OverTests
			if o.Tested == 0 {
				m = analyze.Mean{}
			}
			copy(row, []string{
				OverallTest, "", "", "", "", o.BaselineName, o.SystemName, "", "",
				ratioFigure(o.GeoMean), ratioFigure(m.Low), ratioFigure(m.High),
				pFigure(m.P), "", "", pFigure(o.PAdjusted), string(o.Verdict), "", o.Reason,
			})
			if !yield(row) {
				return
			}
		}
	}
}

// cellValue is the printed value of a cell, "" where there is none.
func cellValue(c *analyze.Cell) string {
	if c == nil || c.Measurement == nil || c.Problem != "" {
		return ""
	}
	return Value(c.Measurement)
}

func ratioFigure(q analyze.Quantity) string { return figure(q, 6) }
func pFigure(q analyze.Quantity) string     { return figure(q, 4) }

func figure(q analyze.Quantity, digits int) string {
	if !q.Known {
		return ""
	}
	return number.Significant(q.X, digits)
}

// WriteRows writes one table: as "csv", "ndjson", "md" or "txt", in the forms
// that the tables of results have. Equal rows give equal bytes.
func WriteRows(w io.Writer, format string, c []Column, rows iter.Seq[[]string]) error {
	switch format {
	case "csv":
		return writeRowsCSV(w, c, rows)
	case "ndjson":
		out := bufio.NewWriter(w)
		for row := range rows {
			object, err := rowObject(c, row)
			if err != nil {
				return err
			}
			out.Write(term.EscapeJSON(object))
			out.WriteByte('\n')
		}
		return out.Flush()
	case "md":
		out := bufio.NewWriter(w)
		writeRowsMarkdown(out, c, rows)
		return out.Flush()
	case "txt":
		table := textTable(c)
		for row := range rows {
			table.Add(row...)
		}
		_, err := table.WriteTo(w)
		return err
	}
	return fmt.Errorf("a table cannot be written as %q", format)
}

func writeRowsCSV(w io.Writer, c []Column, rows iter.Seq[[]string]) error {
	out := csv.NewWriter(w)
	line := make([]string, len(c))
	for i := range c {
		line[i] = c[i].Name
	}
	if err := out.Write(line); err != nil {
		return err
	}
	for row := range rows {
		for i, cell := range row {
			line[i] = csvCell(c[i].Kind, cell)
		}
		if err := out.Write(line); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func writeRowsMarkdown(out *bufio.Writer, c []Column, rows iter.Seq[[]string]) {
	names, right := make([]string, len(c)), make([]bool, len(c))
	for i := range c {
		names[i], right[i] = c[i].Name, c[i].Kind == Figure || c[i].Kind == Count
	}
	markdownRow(out, names)
	markdownRule(out, right)
	for row := range rows {
		markdownRow(out, row)
	}
}
