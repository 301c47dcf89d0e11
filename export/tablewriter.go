package export

import (
	"iter"

	"github.com/benchproof/benchproof/result"
)

// printTable prints rows of a table with the given columns, after its header
// where header is set.
type printTable func(c []Column, header bool, rows iter.Seq[[]string]) error

// tableWriter feeds one table to a function that prints it: a long one file
// by file, the wide one at Close.
type tableWriter struct {
	o     Options
	print printTable
	files []*result.File // of a wide table
	begun bool           // the header is printed
}

func newTableWriter(o Options, print printTable) *tableWriter {
	return &tableWriter{o: o.withTable(), print: print}
}

func (t *tableWriter) Write(f *result.File) error {
	if t.o.wide() {
		t.files = append(t.files, f)
		return nil
	}
	header := !t.begun
	t.begun = true
	return t.print(t.o.Table.Columns(), header, t.o.Table.Rows(f))
}

// Close prints the wide table, and the header of a long one without files.
func (t *tableWriter) Close() error {
	if t.o.wide() {
		w := NewWideTable(t.files)
		return t.print(w.Columns(), true, w.Rows())
	}
	if !t.begun {
		return t.print(t.o.Table.Columns(), true, func(func([]string) bool) {})
	}
	return nil
}
