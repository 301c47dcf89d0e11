package export

import (
	"bufio"
	"io"
	"iter"
	"strings"
)

// CSVDialect is how a CSV file is written.
type CSVDialect struct {
	Separator    byte // between cells: ',', ';' or a tab
	DecimalComma bool // in figures
	CRLF         bool // at the end of lines
	// More is how many empty cells are behind each row, for columns that
	// others have added.
	More int
}

// NewCSVRows returns a writer of rows of the long table of results as
// [NewCSV] writes them, but in a dialect and without header: to be put behind
// those of a file that has one.
func NewCSVRows(w io.Writer, d CSVDialect) Writer {
	return newTableWriter(Options{}, d.printer(bufio.NewWriterSize(w, 64<<10), false))
}

// printer prints tables, with their header or without.
func (d CSVDialect) printer(out *bufio.Writer, withHeader bool) printTable {
	var line []byte
	return func(c []Column, header bool, rows iter.Seq[[]string]) error {
		if header && withHeader {
			line = d.appendHeader(line[:0], c)
			if _, err := out.Write(line); err != nil {
				return err
			}
		}
		for row := range rows {
			line = line[:0]
			for i, cell := range row {
				if i > 0 {
					line = append(line, d.Separator)
				}
				line = appendFieldBy(line, d.cell(c[i].Kind, cell), d.Separator)
			}
			line = d.end(line)
			if _, err := out.Write(line); err != nil {
				return err
			}
		}
		return out.Flush()
	}
}

func (d CSVDialect) appendHeader(line []byte, columns []Column) []byte {
	for i, c := range columns {
		if i > 0 {
			line = append(line, d.Separator)
		}
		line = appendFieldBy(line, csvCell(Text, c.Name), d.Separator)
	}
	return d.end(line)
}

func (d CSVDialect) end(line []byte) []byte {
	for range d.More {
		line = append(line, d.Separator)
	}
	if d.CRLF {
		line = append(line, '\r')
	}
	return append(line, '\n')
}

// cell is the content of a cell of a column of the kind.
func (d CSVDialect) cell(kind Kind, cell string) string {
	cell = csvCell(kind, cell)
	if kind == Figure && d.DecimalComma {
		return commaFigure(cell)
	}
	return cell
}

// commaFigure returns a figure, or a list of figures, with decimal commas. Lists
// of values have commas between them, lists of runs semicolons: both get
// semicolons. The values of each of several runs get "|" between them. What is
// no figure stays as it is.
func commaFigure(cell string) string {
	if cell == "" || !figures(cell) {
		return cell
	}
	between := ";"
	if strings.Contains(cell, ";") {
		between = "|"
	}
	return strings.NewReplacer(",", between, ".", ",").Replace(cell)
}
