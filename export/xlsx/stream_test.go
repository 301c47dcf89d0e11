package xlsx

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"math"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
	"pgregory.net/rapid"

	"github.com/benchproof/benchproof/result"
)

// What is written into cells, the library reads back.
func TestCellsComeBack(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.OneOf(
			rapid.StringMatching(`[a-z<>&"'é日 _x0-9A-F]{1,12}`),
			rapid.SampledFrom([]string{"_x000D_", "_x005F_", "a_x0041_b", "_x00", " lead", "tail ", "a  b", "a\nb", "a\tb", "_x000d__x000D_"}),
		).Draw(rt, "text")
		number := rapid.Float64().Filter(func(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }).Draw(rt, "number")
		var b bytes.Buffer
		w := New(&b)
		w.book = excelize.NewFile()
		table := &table{name: "T", columns: named("a", "b", "c"), rows: func(yield func([]cell) bool) {
			yield([]cell{{value: text}, {value: number}, {value: 7}})
		}}
		if err := w.add(table); err != nil {
			rt.Fatal(err)
		}
		if err := w.finish(); err != nil {
			rt.Fatal(err)
		}
		book, err := excelize.OpenReader(&b)
		if err != nil {
			rt.Fatal(err)
		}
		defer book.Close()
		got, err := book.GetCellValue("T", "A2")
		if err != nil || got != text {
			rt.Errorf("text %q became %q, %v", text, got, err)
		}
		raw, err := book.GetCellValue("T", "B2", excelize.Options{RawCellValue: true})
		if v, ok := result.ParseNumber(raw); err != nil || !ok || v != number {
			rt.Errorf("%v became %q, %v", number, raw, err)
		}
		if dimension, err := book.GetSheetDimension("T"); err != nil || dimension != "A1:C2" {
			rt.Errorf("dimension %q, %v", dimension, err)
		}
	})
}

// A sheet too large for memory goes through a file and is the same.
func TestSpool(t *testing.T) {
	var s spool
	var want bytes.Buffer
	piece := bytes.Repeat([]byte("0123456789abcdef"), 4096)
	for i := range 100 {
		p := piece[:len(piece)-i]
		want.Write(p)
		if n, err := s.Write(p); n != len(p) || err != nil {
			t.Fatal(n, err)
		}
	}
	if s.file == nil || s.size != int64(want.Len()) {
		t.Fatalf("file %v, size %d", s.file, s.size)
	}
	var got bytes.Buffer
	if err := s.copyTo(&got); err != nil || !bytes.Equal(got.Bytes(), want.Bytes()) {
		t.Errorf("%d bytes, want %d, %v", got.Len(), want.Len(), err)
	}
	if s.file != nil {
		t.Error("the file is left")
	}
	s.discard()
}

// A sheet's checksum and sizes are those of its text, and the text is XML.
func TestSheetIsWhole(t *testing.T) {
	var b bytes.Buffer
	w := New(&b)
	f := sample()
	for range 12 {
		f.Tests = append(f.Tests, f.Tests...)
	}
	if err := w.Write(f); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	sheets := 0
	for _, file := range z.File {
		if !strings.HasPrefix(file.Name, "xl/worksheets/sheet") {
			continue
		}
		sheets++
		r, err := file.Open()
		if err != nil {
			t.Fatal(err)
		}
		var rows struct {
			Rows []struct {
				R int `xml:"r,attr"`
			} `xml:"sheetData>row"`
		}
		if err := xml.NewDecoder(r).Decode(&rows); err != nil {
			t.Errorf("%s: %v", file.Name, err)
		}
		for i, row := range rows.Rows {
			if row.R != i+1 {
				t.Fatalf("%s: row %d has the number %d", file.Name, i+1, row.R)
			}
		}
		// Reading to the end checks the sum.
		if _, err := bytes.NewBuffer(nil).ReadFrom(r); err != nil {
			t.Errorf("%s: %v", file.Name, err)
		}
	}
	if sheets < 5 {
		t.Errorf("%d sheets", sheets)
	}
}
