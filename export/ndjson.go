package export

import (
	"bufio"
	"io"

	"github.com/benchproof/benchproof/internal/term"
	"github.com/benchproof/benchproof/result"
)

// NewNDJSON returns a writer of one table, one JSON object a line, with the
// names of the table's columns.
//
// A line of the results says more than a row of CSV: the value is also a
// number (null where it is none), options are the parts of the arguments,
// raw_values a list, and reason and alternatives tell why a value is not
// there. What is unknown is null or "". In the wide layout the values of a
// test are an object by system, without those that are missing; it is
// written at Close. Equal files give equal bytes. The writer of the long table
// of results is a [Parts].
func NewNDJSON(w io.Writer, o Options) Writer {
	out := bufio.NewWriterSize(w, 64<<10)
	return newRows(rowsWriter{
		o: o.withTable(),
		row: func(line []byte) error {
			if _, err := out.Write(term.EscapeJSON(line)); err != nil {
				return err
			}
			return out.WriteByte('\n')
		},
		flush: out.Flush,
		end:   out.Flush,
	})
}

// newJSONRows is NewNDJSON as one JSON array.
func newJSONRows(w io.Writer, o Options) Writer {
	out := bufio.NewWriterSize(w, 64<<10)
	before := "[\n"
	return newRows(rowsWriter{
		o: o.withTable(),
		row: func(line []byte) error {
			out.WriteString(before)
			before = ",\n"
			_, err := out.Write(term.EscapeJSON(line))
			return err
		},
		flush: out.Flush,
		end: func() error {
			if before == "[\n" {
				out.WriteString("[]\n")
			} else {
				out.WriteString("\n]\n")
			}
			return out.Flush()
		},
	})
}

// newRows returns w, as a Parts where the table allows it.
func newRows(w rowsWriter) Writer {
	if w.o.Table == Results && !w.o.wide() {
		return &longRows{rowsWriter: w}
	}
	return &w
}

// rowsWriter turns the rows of a table into JSON objects.
type rowsWriter struct {
	o     Options
	row   func(object []byte) error
	flush func() error
	end   func() error
	files []*result.File // of the wide layout
}

func (w *rowsWriter) Write(f *result.File) error {
	if w.o.wide() {
		w.files = append(w.files, f)
		return nil
	}
	columns := w.o.Table.Columns()
	for cells := range w.o.Table.Rows(f) {
		object, err := rowObject(columns, cells)
		if err == nil {
			err = w.row(object)
		}
		if err != nil {
			return err
		}
	}
	return w.flush()
}

func (w *rowsWriter) Close() error {
	if w.o.wide() {
		table := NewWideTable(w.files)
		for cells := range table.Rows() {
			object, err := wideObject(table.Columns(), cells)
			if err == nil {
				err = w.row(object)
			}
			if err != nil {
				return err
			}
		}
	}
	return w.end()
}
