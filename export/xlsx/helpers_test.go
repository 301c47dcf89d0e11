package xlsx

import (
	"archive/zip"
	"bytes"
	"html"
	"io"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/benchproof/benchproof/result"
)

func sample() *result.File {
	return &result.File{
		Title: "Small", Source: "small.txt",
		Systems: []result.System{
			{Identifier: "EXT4", Hardware: []result.Component{{Key: "Disk", Value: "SSD"}}, Notes: []result.Component{{Key: "Disk", Value: "rw"}}},
			{Identifier: "XFS", Hardware: []result.Component{{Key: "Disk", Value: "SSD"}}, InheritedKeys: []string{"Disk"}},
			{Identifier: "XFS"},
		},
		Tests: []result.Test{
			{
				Title: "SQLite", Version: "3.22", Arguments: "Timed SQLite Insertions", Scale: "Seconds", Proportion: result.LIB,
				Measurements: []result.Measurement{
					{System: 0, Value: "274.00", StdError: "0.41", Samples: 9, Origin: result.Origin{Line: 7, Column: 3}},
					{System: 1, Value: "1234567890123456789"},
					{System: 2, Value: "-0.5", Decode: result.DecodeInferred},
				},
			},
			{
				Title: "FS-Mark", Scale: "Files/s", Proportion: result.HIB,
				Measurements: []result.Measurement{
					{System: 0, Status: result.StatusFailed, Reason: "no result"},
					{System: 1, Decode: result.DecodeAmbiguous, Alternatives: []string{"1.2", "12"}},
					{System: 2, Value: "NaN"},
				},
			},
		},
		Diagnostics: []result.Diagnostic{{Severity: result.SeverityWarning, Origin: result.Origin{Source: "small.txt", Line: 2, Column: 1}, Code: "twin", Message: "XFS twice"}},
	}
}

// book writes files with w and opens what came out.
func book(t *testing.T, w *Writer, b *bytes.Buffer, files ...*result.File) *excelize.File {
	t.Helper()
	for _, f := range files {
		if err := w.Write(f); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	x, err := excelize.OpenReader(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.Close() })
	return x
}

func open(t *testing.T, files ...*result.File) *excelize.File {
	t.Helper()
	var b bytes.Buffer
	return book(t, New(&b), &b, files...)
}

func rows(t *testing.T, x *excelize.File, sheet string) [][]string {
	t.Helper()
	r, err := x.GetRows(sheet)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func partOf(t *testing.T, archive []byte, name string) string {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		t.Fatal(err)
	}
	f, err := r.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// formulas returns the formulas of all cells, and those of conditional formats.
func formulas(t *testing.T, archive []byte) []string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, f := range z.File {
		if strings.HasPrefix(f.Name, "xl/worksheets/") {
			for _, m := range formula.FindAllStringSubmatch(partOf(t, archive, f.Name), -1) {
				list = append(list, html.UnescapeString(m[1]))
			}
		}
	}
	return list
}
