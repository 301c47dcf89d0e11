package parquet

import (
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/result"
)

// A row group is held in memory until it is written: these bound it.
const (
	groupRows  = 64 << 10
	groupBytes = 16 << 20
	batch      = 256 // rows handed over at once
)

// Writer writes result files as they come. It is an [export.Parts].
type Writer struct {
	w     *parquet.GenericWriter[Row]
	rows  []Row
	pool  []string // the lists of rows
	held  int      // rows since the last group
	bytes int      // of them

	f     *result.File
	names export.Names
	tests int64
	loose int
}

// New returns a writer of a Parquet file to w.
func New(w io.Writer) *Writer {
	return &Writer{
		w: parquet.NewGenericWriter[Row](w,
			parquet.Compression(&zstd.Codec{Level: zstd.SpeedDefault}),
			parquet.CreatedBy("benchproof", "1", ""),
			parquet.KeyValueMetadata("benchproof.schema", SchemaID),
			parquet.PageBufferSize(64<<10),
			parquet.DataPageStatistics(true),
		),
		rows: make([]Row, 0, batch),
	}
}

// Write writes f.
func (w *Writer) Write(f *result.File) error {
	if err := w.File(f); err != nil {
		return err
	}
	for i := range f.Tests {
		if err := w.Test(&f.Tests[i]); err != nil {
			return err
		}
	}
	return w.End(f)
}

// File begins a file.
func (w *Writer) File(f *result.File) error {
	w.f, w.names, w.tests = f, export.Names{}, 0
	return nil
}

// Test writes the rows of a test.
func (w *Writer) Test(t *result.Test) error {
	names := w.names.Of(w.f)
	w.tests++
	w.loose += len(t.Unassigned)
	row := Row{
		Source: text(w.f.Source), Title: text(w.f.Title), Test: text(t.Title), Version: text(t.Version),
		Profile: text(t.Profile), Arguments: text(t.Arguments), Scale: text(t.Scale), Proportion: string(t.Proportion),
		Place: w.tests,
	}
	for i := range t.Measurements {
		m := &t.Measurements[i]
		row.System = text(names[m.System])
		w.pool = row.fill(m, w.pool)
		w.rows = append(w.rows, row)
		w.held++
		w.bytes += row.size()
		if len(w.rows) == batch || w.bytes >= groupBytes {
			if err := w.hand(); err != nil {
				return err
			}
		}
	}
	return nil
}

// hand gives the rows at hand to the writer, and ends a group that is full.
func (w *Writer) hand() error {
	if _, err := w.w.Write(w.rows); err != nil {
		return fmt.Errorf("write parquet: %w", err)
	}
	w.rows, w.pool = w.rows[:0], w.pool[:0]
	if w.held >= groupRows || w.bytes >= groupBytes {
		w.held, w.bytes = 0, 0
		if err := w.w.Flush(); err != nil {
			return fmt.Errorf("write parquet: %w", err)
		}
	}
	return nil
}

// End ends a file.
func (w *Writer) End(*result.File) error { return nil }

// Close ends the output. A file without a row is a Parquet file, too.
func (w *Writer) Close() error {
	if err := w.hand(); err != nil {
		return err
	}
	if err := w.w.Close(); err != nil {
		return fmt.Errorf("write parquet: %w", err)
	}
	return nil
}

// Warnings returns what was left out and a reader must know.
func (w *Writer) Warnings() []string {
	if w.loose == 0 {
		return nil
	}
	return []string{fmt.Sprintf("standard errors of one among several systems: %d; not written", w.loose)}
}
