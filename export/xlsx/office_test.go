package xlsx

import (
	"archive/zip"
	"bytes"
	"context"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"github.com/benchproof/benchproof/result"
)

// office lets LibreOffice read a workbook and write it again, and returns what
// it wrote.
func office(t *testing.T, archive []byte) []byte {
	t.Helper()
	if testing.Short() {
		t.Skip("LibreOffice takes seconds to start")
	}
	program, err := exec.LookPath("soffice")
	if err != nil {
		t.Skip("LibreOffice is not installed")
	}
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.xlsx"), filepath.Join(dir, "out")
	if err := os.WriteFile(in, archive, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	said, err := exec.CommandContext(ctx, program, "-env:UserInstallation=file://"+filepath.Join(dir, "user"),
		"--headless", "--convert-to", "xlsx", "--outdir", out, in).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	written, err := os.ReadFile(filepath.Join(out, "in.xlsx"))
	if err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	return written
}

var cached = regexp.MustCompile(`(</f>)<v>[^<]*</v>`)

// withoutCache takes the values out of cells with formulas: a program must work
// them out.
func withoutCache(t *testing.T, archive []byte) []byte {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range r.File {
		text := partOf(t, archive, f.Name)
		if strings.HasPrefix(f.Name, "xl/worksheets/sheet") {
			text = cached.ReplaceAllString(text, "$1")
		}
		to, err := w.Create(f.Name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := to.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestLibreOffice: another program opens the workbook with all that is in it,
// and its formulas give it the values that stand in the cells.
func TestLibreOffice(t *testing.T) {
	odd := measured()
	odd.Source, odd.Systems[1].Identifier, odd.Systems[2].Identifier = "odd.txt", "=B*?", "a"
	odd.Tests = append(odd.Tests, result.Test{
		Title: "Tiny", Scale: "s", Proportion: result.LIB,
		Measurements: []result.Measurement{{System: 0, Value: "1e-9"}, {System: 1, Value: "123456.7"}, {System: 2, Status: result.StatusFailed}},
	})
	var b bytes.Buffer
	ours := book(t, New(&b), &b, measured(), odd)
	written := office(t, withoutCache(t, b.Bytes()))
	theirs, err := excelize.OpenReader(bytes.NewReader(written))
	if err != nil {
		t.Fatal(err)
	}
	defer theirs.Close()

	raw := excelize.Options{RawCellValue: true}
	compared := 0
	for _, sheet := range ours.GetSheetList() {
		for row, cells := range rows(t, ours, sheet) {
			for column := range cells {
				name, _ := excelize.CoordinatesToCellName(column+1, row+1)
				formula, err := ours.GetCellFormula(sheet, name)
				if err != nil {
					t.Fatal(err)
				}
				if formula == "" {
					continue
				}
				compared++
				want, _ := ours.GetCellValue(sheet, name, raw)
				got, err := theirs.GetCellValue(sheet, name, raw)
				if err != nil {
					t.Fatal(err)
				}
				w, wErr := strconv.ParseFloat(want, 64)
				g, gErr := strconv.ParseFloat(got, 64)
				// They write 15 digits; a difference of two of these
				// has fewer.
				if wErr == nil && gErr == nil && math.Abs(w-g) <= 1e-12*math.Abs(w)+1e-14 {
					continue
				}
				if want != got {
					t.Errorf("%s!%s: %s gives %q, the cell has %q", sheet, name, formula, got, want)
				}
			}
		}
	}
	if compared < 90 {
		t.Errorf("%d formulas were compared", compared)
	}
	count := func(archive []byte) int {
		n := 0
		r, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.File {
			if strings.HasPrefix(f.Name, "xl/charts/chart") && strings.Contains(partOf(t, archive, f.Name), "<c:errBars>") {
				n++
			}
		}
		return n
	}
	if got, want := count(written), count(b.Bytes()); got != want || want < 8 {
		t.Errorf("%d charts with error bars, want %d", got, want)
	}
	for _, sheet := range []string{"Results", "Compare"} {
		want, err := ours.GetComments(sheet)
		if err != nil {
			t.Fatal(err)
		}
		got, err := theirs.GetComments(sheet)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(want) {
			t.Errorf("%s: %d comments, want %d", sheet, len(got), len(want))
		}
		formats, err := theirs.GetConditionalFormats(sheet)
		if err != nil || len(formats) == 0 {
			t.Errorf("%s: %d conditional formats, %v", sheet, len(formats), err)
		}
	}
}
