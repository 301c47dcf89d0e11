package xlsx

import (
	"fmt"

	"github.com/xuri/excelize/v2"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/result"
)

// maxAnalyzed is how many measurements a workbook compares and ranks without
// having been asked to, some seconds of work.
const maxAnalyzed = 100_000

// Compare makes c the comparison of the workbook, in place of one of every file
// with its first system. Its files must be those that are written.
func (w *Writer) Compare(c *analyze.Comparison) { w.comparison = c }

// Rank makes r the ranking of the workbook, in place of one of every file.
func (w *Writer) Rank(r *analyze.Ranking) { w.ranking = r }

// analyze compares and ranks what has not been given.
func (w *Writer) analyze() ([]*analyze.Comparison, []*analyze.Ranking, error) {
	var comparisons []*analyze.Comparison
	var rankings []*analyze.Ranking
	if w.comparison != nil {
		comparisons = append(comparisons, w.comparison)
	}
	if w.ranking != nil {
		rankings = append(rankings, w.ranking)
	}
	measurements := 0
	for _, f := range w.files {
		for i := range f.Tests {
			measurements += len(f.Tests[i].Measurements)
		}
	}
	for _, f := range w.files {
		if w.comparison != nil && w.ranking != nil {
			break
		}
		if measurements > w.maxAnalyzed {
			w.report("sheet-left-out", fmt.Sprintf("nothing is compared or ranked here: %d measurements, the limit of a workbook is %d; compare and rank do it",
				measurements, w.maxAnalyzed))
			break
		}
		set := analyze.NewSet([]*result.File{f})
		if w.comparison == nil {
			c, err := analyze.Compare(set, analyze.CompareOptions{})
			if err != nil {
				return nil, nil, err
			}
			comparisons = append(comparisons, c)
		}
		if w.ranking == nil {
			r, err := analyze.Rank(set)
			if err != nil {
				return nil, nil, err
			}
			rankings = append(rankings, r)
		}
	}
	return comparisons, rankings, nil
}

// sources names the files of a set in one cell.
func sources(s *analyze.Set) string {
	text := ""
	for i, f := range s.Files {
		if i > 0 {
			text += ", "
		}
		text += f.Source
	}
	return text
}

// reference is the address of a cell of a sheet by its row, counted from 0
// below the header, and its column. A table of several sheets goes on in its
// next one.
func (w *Writer) reference(sheet string, row, column int) string {
	part := row / (w.maxRows - 1)
	name, err := excelize.CoordinatesToCellName(column+1, row%(w.maxRows-1)+2)
	if err != nil {
		return ""
	}
	return partName(sheet, part) + "!" + name
}

// partName is the name of a part of a table's sheets, as formulas write it.
func partName(sheet string, part int) string {
	if part > 0 {
		return fmt.Sprintf("'%s %d'", sheet, part+1)
	}
	return sheet
}

// rank is one row a system and test.
func (w *Writer) rank(list []*analyze.Ranking) *table {
	t := &table{name: "Rank"}
	first := 0
	if len(list) > 1 {
		t.columns, first = named("source"), 1
	}
	t.columns = long(append(t.columns, same(export.RankColumns)...))
	t.rules = rankRules(first)
	t.rows = func(yield func([]cell) bool) {
		row := make([]cell, len(t.columns))
		for _, r := range list {
			for texts := range export.RankRows(r) {
				if first > 0 {
					row[0] = textCell(sources(r.Set))
				}
				for j, column := range export.RankColumns {
					row[first+j] = analysisCell(column, texts[j])
				}
				if texts[0] == export.OverallTest {
					totalRow(row)
				}
				if !yield(row) {
					return
				}
			}
		}
	}
	return t
}
