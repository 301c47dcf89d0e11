package export

import (
	"io"
	"iter"

	"github.com/benchproof/benchproof/internal/term"
)

// NewText returns a writer of one table as aligned plain text, a header
// above it. Control characters are made visible. Lines are as long as they
// need be. Rows are aligned within one file.
func NewText(w io.Writer, o Options) Writer {
	return newTableWriter(o, func(c []Column, first bool, rows iter.Seq[[]string]) error {
		if !first {
			// Every file's table has a header of its own.
			if _, err := io.WriteString(w, "\n"); err != nil {
				return err
			}
		}
		table := textTable(c)
		table.ASCII = o.ASCII
		for row := range rows {
			table.Add(row...)
		}
		_, err := table.WriteTo(w)
		return err
	})
}

func textTable(c []Column) *term.Table {
	t := &term.Table{Header: make([]string, len(c)), Right: make([]bool, len(c))}
	for i := range c {
		t.Header[i] = c[i].Name
		t.Right[i] = c[i].Kind == Figure || c[i].Kind == Count
	}
	return t
}
