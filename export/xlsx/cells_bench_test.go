//go:build unix

package xlsx

import (
	"fmt"
	"io"
	"syscall"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"github.com/benchproof/benchproof/result"
)

// half is a file whose workbook has about half a million cells.
func half() *result.File {
	f := &result.File{Title: "big", Source: "big.xml"}
	for s := range 20 {
		f.AddSystem(fmt.Sprint("system ", s))
	}
	for i := range 1450 {
		t := result.Test{Title: "Flexible IO Tester", Version: "3.1", Arguments: fmt.Sprintf("Type: Random Read - Block Size: %dKB", i), Scale: "MB/s", Proportion: result.HIB}
		for s := range 20 {
			v := fmt.Sprintf("%d.%d", 1000+(i*31+s*17)%977, s%10)
			t.Measurements = append(t.Measurements, result.Measurement{
				System: s, Value: v, StdError: "0.41", Samples: 3, RawValues: []string{v, v, v}, Origin: result.Origin{Line: i + s + 1, Column: 16},
			})
		}
		f.Tests = append(f.Tests, t)
	}
	return f
}

// BenchmarkCells writes the sheets Results and Records of half a million
// cells, and the same cells with nothing but the library's own stream, in CPU
// time; and the whole workbook, of which most is the work of its analysis.
func BenchmarkCells(b *testing.B) {
	f := half()
	w := New(io.Discard)
	w.files = []*result.File{f}
	var rows [][]any
	cells := 0
	for _, t := range []*table{w.results(), w.records()} {
		for row := range t.rows {
			line := make([]any, len(row))
			for i, c := range row {
				if c.value != nil {
					line[i] = excelize.Cell{StyleID: 1, Value: c.value}
					cells++
				}
			}
			rows = append(rows, line)
		}
	}
	b.Run("sheets", func(b *testing.B) {
		b.ReportAllocs()
		cpu(b, cells, func() {
			w := New(io.Discard)
			w.files = []*result.File{f}
			w.book = excelize.NewFile()
			defer w.book.Close()
			for _, t := range []*table{w.results(), w.records()} {
				if err := w.add(t); err != nil {
					b.Fatal(err)
				}
			}
			if err := w.finish(); err != nil {
				b.Fatal(err)
			}
		})
	})
	b.Run("workbook", func(b *testing.B) {
		b.ReportAllocs()
		cpu(b, cells, func() {
			w := New(io.Discard)
			if err := w.Write(f); err != nil {
				b.Fatal(err)
			}
			if err := w.Close(); err != nil {
				b.Fatal(err)
			}
		})
	})
	b.Run("library", func(b *testing.B) {
		b.ReportAllocs()
		cpu(b, cells, func() {
			book := excelize.NewFile()
			defer book.Close()
			if _, err := book.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}}); err != nil {
				b.Fatal(err)
			}
			s, err := book.NewStreamWriter("Sheet1")
			if err != nil {
				b.Fatal(err)
			}
			for i, row := range rows {
				cell, _ := excelize.CoordinatesToCellName(1, i+1)
				if err := s.SetRow(cell, row); err != nil {
					b.Fatal(err)
				}
			}
			if err := s.Flush(); err != nil {
				b.Fatal(err)
			}
			if err := book.Write(io.Discard); err != nil {
				b.Fatal(err)
			}
		})
	})
}

// cpu reports the CPU time of work, and how many cells it is of.
func cpu(b *testing.B, cells int, work func()) {
	used := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			b.Fatal(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	begin := used()
	for b.Loop() {
		work()
	}
	b.ReportMetric((used()-begin).Seconds()/float64(b.N), "cpu-s/op")
	b.ReportMetric(float64(cells), "cells")
}
