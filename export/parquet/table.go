package parquet

import (
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"github.com/benchproof/benchproof/internal/phrase"
)

// tableGroupRows is how many rows a group of a Table has: as many as engines
// like to read at once (DuckDB's own files have 122 880).
const tableGroupRows = 128 << 10

// Table writes rows of T, a struct whose tags name the columns, as one Parquet
// file: pages compressed with zstd, groups bounded in rows and bytes, so that
// memory is, too. It is for data sets of several tables; a result file as one
// table is [Writer].
type Table[T any] struct {
	w     *parquet.GenericWriter[T]
	rows  []T
	held  int // rows since the last group
	bytes int // of them
	all   int64
}

// NewTable returns a writer of a table to w. Schema names the columns' version
// and stands in the file's metadata under "benchproof.schema".
func NewTable[T any](w io.Writer, schema string) *Table[T] {
	return &Table[T]{
		w: parquet.NewGenericWriter[T](w,
			parquet.Compression(&zstd.Codec{Level: zstd.SpeedDefault}),
			parquet.CreatedBy("benchproof", "1", ""),
			parquet.KeyValueMetadata("benchproof.schema", schema),
			parquet.PageBufferSize(64<<10),
			parquet.DataPageStatistics(true),
		),
		rows: make([]T, 0, batch),
	}
}

// Append adds a row, whose lists must not change until Close. Size is about
// how many bytes of memory it takes.
func (t *Table[T]) Append(row T, size int) error {
	t.rows = append(t.rows, row)
	t.held++
	t.all++
	t.bytes += size
	if len(t.rows) < batch && t.bytes < groupBytes {
		return nil
	}
	return t.hand()
}

func (t *Table[T]) hand() error {
	if _, err := t.w.Write(t.rows); err != nil {
		return fmt.Errorf("write parquet: %w", err)
	}
	clear(t.rows) // lets go of their text
	t.rows = t.rows[:0]
	if t.held >= tableGroupRows || t.bytes >= groupBytes {
		t.held, t.bytes = 0, 0
		if err := t.w.Flush(); err != nil {
			return fmt.Errorf("write parquet: %w", err)
		}
	}
	return nil
}

// Rows returns how many rows were added.
func (t *Table[T]) Rows() int64 { return t.all }

// Close ends the file. It does not close the writer below.
func (t *Table[T]) Close() error {
	if err := t.hand(); err != nil {
		return err
	}
	if err := t.w.Close(); err != nil {
		return fmt.Errorf("write parquet: %w", err)
	}
	return nil
}

// ErrTable is what errors.Is finds in the error for a file that is no table of
// the wanted schema, or is damaged.
var ErrTable = errors.New("it cannot be read as a table")

// TableReader reads what a [Table] wrote. It is not safe for concurrent use.
type TableReader[T any] struct {
	r *parquet.GenericReader[T]
}

// OpenTable opens a table of size bytes whose schema has that name.
func OpenTable[T any](r io.ReaderAt, size int64, schema string) (t *TableReader[T], err error) {
	defer damaged(&err)
	f, err := parquet.OpenFile(r, size, parquet.SkipBloomFilters(true), parquet.SkipPageIndex(true))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrTable, err)
	}
	if got, _ := f.Lookup("benchproof.schema"); got != schema {
		return nil, fmt.Errorf("%w: it has the schema %q, want %q", ErrTable, got, schema)
	}
	return &TableReader[T]{r: parquet.NewGenericReader[T](f)}, nil
}

// NumRows returns the number of rows.
func (t *TableReader[T]) NumRows() int64 { return t.r.NumRows() }

// Rows returns n rows from the row with the index from.
func (t *TableReader[T]) Rows(from, n int64) (rows []T, err error) {
	defer damaged(&err)
	if from < 0 || n < 0 || from > t.NumRows() || n > t.NumRows()-from {
		return nil, fmt.Errorf("%w: it has %s, want %d from %d", ErrTable, phrase.Count(t.NumRows(), "row"), n, from)
	}
	if n == 0 {
		return nil, nil
	}
	if err := t.r.SeekToRow(from); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrTable, err)
	}
	rows = make([]T, n)
	for got := 0; got < len(rows); {
		k, err := t.r.Read(rows[got:])
		got += k
		if err != nil && (got < len(rows) || !errors.Is(err, io.EOF)) {
			return nil, fmt.Errorf("%w: %w", ErrTable, err)
		}
		if k == 0 && err == nil {
			return nil, fmt.Errorf("%w: %w", ErrTable, io.ErrNoProgress)
		}
	}
	return rows, nil
}

// Close lets go of what was read.
func (t *TableReader[T]) Close() error { return t.r.Close() }

// damaged makes an error of a panic: the library takes damaged files for a
// mistake of the program in places.
func damaged(err *error) {
	if cause := recover(); cause != nil {
		*err = fmt.Errorf("%w: damaged: %v", ErrTable, cause)
	}
}
