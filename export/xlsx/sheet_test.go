package xlsx

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/benchproof/benchproof/result"
)

// widths returns the width of each column of a sheet, in the library's eyes.
func widths(t *testing.T, book *excelize.File, sheet string, columns int) []float64 {
	t.Helper()
	var got []float64
	for i := range columns {
		name, err := excelize.ColumnNumberToName(i + 1)
		if err != nil {
			t.Fatal(err)
		}
		width, err := book.GetColWidth(sheet, name)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, width)
	}
	return got
}

// TestColumnWidths: every column has a width of its own, also where its
// neighbours have the same, and none is wider than a sheet allows.
func TestColumnWidths(t *testing.T) {
	var b bytes.Buffer
	w := New(&b)
	w.book = excelize.NewFile()
	texts := []string{strings.Repeat("a", 10), strings.Repeat("b", 10), "c", strings.Repeat("d", 30), "e"}
	cells := make([]cell, 0, len(texts)+1)
	for _, s := range texts {
		cells = append(cells, textCell(s))
	}
	long := cell{value: 1.5, width: 300}
	table := &table{name: "T", columns: named("a", "b", "c", "d", "e", "f"), rows: func(yield func([]cell) bool) {
		yield(append(slices.Clone(cells), long))
	}}
	if err := w.add(table); err != nil {
		t.Fatal(err)
	}
	if err := w.finish(); err != nil {
		t.Fatal(err)
	}
	book, err := excelize.OpenReader(&b)
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	// 10 and 30 letters and the narrowest column, with a margin of 2.
	if got := widths(t, book, "T", 6); !slices.Equal(got, []float64{12, 12, 8, 32, 8, 255}) {
		t.Errorf("widths %v", got)
	}
}

// manySystems is a file of n systems whose columns differ in width.
func manySystems(n int) *result.File {
	f := &result.File{Source: "many"}
	test := result.Test{Title: "T", Scale: "s"}
	for i := range n {
		f.AddSystem(strings.Repeat("s", 1+i%9))
		test.Measurements = append(test.Measurements, result.Measurement{System: i, Value: strings.Repeat("1", 5+i%7)})
	}
	f.Tests = append(f.Tests, test)
	return f
}

// BenchmarkManySystems: the time is linear in the number of systems.
func BenchmarkManySystems(b *testing.B) {
	for _, n := range []int{1000, 10_000} {
		f := manySystems(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				w := New(&bytes.Buffer{})
				if err := w.Write(f); err != nil {
					b.Fatal(err)
				}
				if err := w.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
