package export

import (
	"encoding/csv"
	"io"
	"iter"
)

// NewCSV returns a writer of one table as CSV (RFC 4180 with "\n", UTF-8
// without byte-order mark), a header line first.
//
// Cells of text are guarded ([Guard]); figures never are, so that -5 stays a
// number. A long table is written file by file; the wide one at Close.
func NewCSV(w io.Writer, o Options) Writer {
	out := csv.NewWriter(w)
	var line []string
	return newTableWriter(o, func(c []Column, header bool, rows iter.Seq[[]string]) error {
		if header {
			line = line[:0]
			for i := range c {
				line = append(line, Guard(c[i].Name))
			}
			if err := out.Write(line); err != nil {
				return err
			}
		}
		for row := range rows {
			line = line[:0]
			for i, cell := range row {
				if c[i].Kind == Text {
					cell = Guard(cell)
				}
				line = append(line, cell)
			}
			if err := out.Write(line); err != nil {
				return err
			}
		}
		out.Flush()
		return out.Error()
	})
}

// Guard returns text as a CSV cell that no spreadsheet takes for a formula:
// with a leading ' where it begins with =, +, -, @, a tab or a carriage
// return.
func Guard(text string) string {
	if text != "" {
		switch text[0] {
		case '=', '+', '-', '@', '\t', '\r':
			return "'" + text
		}
	}
	return text
}
