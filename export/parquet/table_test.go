package parquet_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/benchproof/benchproof/export/parquet"
)

// tableRow is a row of a table of tests.
type tableRow struct {
	Key  int64    `parquet:"key,dict"`
	Text string   `parquet:"text,optional"`
	List []string `parquet:"list,list"`
	Zero *float64 `parquet:"zero,optional"`
}

// What was written comes back from any row on, over the bounds of groups; a
// zero that is known stays apart from nothing.
func TestTable(t *testing.T) {
	const n = 200_000
	row := func(i int) tableRow {
		r := tableRow{Key: int64(i / 100)}
		if i%3 > 0 {
			r.Text, r.List = fmt.Sprint(i), []string{"", fmt.Sprint(i)}
			r.Zero = new(float64)
		}
		return r
	}
	var b bytes.Buffer
	w := parquet.NewTable[tableRow](&b, "rows/1")
	for i := range n {
		if err := w.Append(row(i), 64); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil || w.Rows() != n {
		t.Fatal(w.Rows(), err)
	}
	open := func(schema string) (*parquet.TableReader[tableRow], error) {
		return parquet.OpenTable[tableRow](bytes.NewReader(b.Bytes()), int64(b.Len()), schema)
	}
	r, err := open("rows/1")
	if err != nil || r.NumRows() != n {
		t.Fatal(err)
	}
	for _, from := range []int{131_000, 0, n - 300, 65_500, n} {
		rows, err := r.Rows(int64(from), int64(min(300, n-from)))
		if err != nil {
			t.Fatal(err)
		}
		for i, got := range rows {
			if len(got.List) == 0 {
				got.List = nil // the library gives an empty list for none
			}
			if diff := cmp.Diff(row(from+i), got); diff != "" {
				t.Fatalf("row %d: %s", from+i, diff)
			}
		}
	}
	for _, bad := range [][2]int64{{-1, 1}, {0, n + 1}, {n, 1}, {1, -1}, {1 << 62, 1 << 62}} {
		if _, err := r.Rows(bad[0], bad[1]); !errors.Is(err, parquet.ErrTable) {
			t.Errorf("rows %v: %v", bad, err)
		}
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if _, err := open("rows/2"); !errors.Is(err, parquet.ErrTable) {
		t.Errorf("another schema: %v", err)
	}
	if _, err := parquet.OpenTable[tableRow](bytes.NewReader([]byte("PAR1")), 4, "rows/1"); !errors.Is(err, parquet.ErrTable) {
		t.Errorf("no table: %v", err)
	}
}
