package xlsx

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

// sorted is the workbook of measured with the rows of Results in another order,
// as a program leaves them that sorts: SQLite, 4KB, 2MB instead of 4KB, 2MB,
// SQLite.
func sorted(t *testing.T) *excelize.File {
	t.Helper()
	x := open(t, measured())
	raw := excelize.Options{RawCellValue: true}
	cells := map[string]string{}
	for row := 2; row <= 4; row++ {
		for column := 1; column <= 9; column++ {
			from, _ := excelize.CoordinatesToCellName(column, row)
			to, _ := excelize.CoordinatesToCellName(column, (row-1)%3+2)
			cells[to], _ = x.GetCellValue("Results", from, raw)
		}
	}
	for to, text := range cells {
		var err error
		if v, notNumber := strconv.ParseFloat(text, 64); notNumber == nil {
			err = x.SetCellValue("Results", to, v)
		} else {
			err = x.SetCellValue("Results", to, text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return x
}

func worked(t *testing.T, x *excelize.File, sheet, cell string) string {
	t.Helper()
	text, err := x.CalcCellValue(sheet, cell, excelize.Options{RawCellValue: true})
	if err != nil {
		t.Fatalf("%s!%s: %v", sheet, cell, err)
	}
	return text
}

// TestSortedResults: formulas find the values of the sheet Results after a
// sort: B is twice A in both tests of FIO and eight times as fast in SQLite,
// nothing counts as edited, and colours go to where the values went.
func TestSortedResults(t *testing.T) {
	x := sorted(t)
	if got := worked(t, x, "Results", "A2") + worked(t, x, "Results", "I2"); got != "SQLite3" {
		t.Fatalf("the first row of Results is %q", got)
	}
	for i, want := range []struct{ base, value, ratio string }{
		{"100", "200", "2"}, {"100", "50", "0.5"}, {"100", "200", "2"}, {"100", "50", "0.5"}, {"8", "1", "8"}, {"8", "8", "1"},
	} {
		n := i + 2
		got := struct{ base, value, ratio string }{
			worked(t, x, "Compare", fmt.Sprint("H", n)), worked(t, x, "Compare", fmt.Sprint("I", n)), worked(t, x, "Compare", fmt.Sprint("J", n)),
		}
		if got != want {
			t.Errorf("row %d of Compare has %v, want %v", n, got, want)
		}
		if text := worked(t, x, "Compare", fmt.Sprint("U", n)); text != "" {
			t.Errorf("row %d says %q", n, text)
		}
		// B and C stand in columns 7 and 8; the rows went from 2, 3, 4 to 3, 4, 2.
		row := map[int]int{0: 3, 1: 4, 2: 2}[i/2]
		if text, want := worked(t, x, "Compare", fmt.Sprint("X", n)), strconv.Itoa(row*16384+7+i%2); text != want {
			t.Errorf("row %d names cell %s, want %s", n, text, want)
		}
	}
	if v, _ := strconv.ParseFloat(worked(t, x, "Compare", "J8"), 64); math.Abs(v-math.Cbrt(32)) > 1e-12 {
		t.Errorf("the mean is %v", v)
	}
	// An edited value loses its colour with its verdict.
	if err := x.SetCellValue("Results", "G3", 150); err != nil {
		t.Fatal(err)
	}
	if got := worked(t, x, "Compare", "X2") + " " + worked(t, x, "Compare", "I2"); got != "0 150" {
		t.Errorf("an edited row has cell and value %q, want 0 150", got)
	}
}

// TestSortedCompare: formulas of the sheet Compare name cells of their own row,
// or cells that do not move with it; so the sheet may be sorted. The means look
// for their rows in all of it.
func TestSortedCompare(t *testing.T) {
	x := open(t, measured(), measured())
	address := regexp.MustCompile(`('?[A-Za-z ]+'?!)?\$?[A-Z]{1,3}\$?[0-9]+`)
	n := 0
	for row := 2; row <= 17; row++ {
		for column := 1; column <= 25; column++ {
			cell, _ := excelize.CoordinatesToCellName(column, row)
			formula, err := x.GetCellFormula("Compare", cell)
			if err != nil {
				t.Fatal(err)
			}
			for _, a := range address.FindAllString(formula, -1) {
				n++
				if strings.Count(a, "$") == 2 || !strings.ContainsAny(a, "$!") && strings.HasSuffix(a, strconv.Itoa(row)) {
					continue
				}
				t.Errorf("%s holds %s: %s", cell, a, formula)
			}
			if strings.Contains(formula, "AVERAGEIFS") && !strings.Contains(formula, "$2:") && !strings.Contains(formula, "$17") {
				t.Errorf("%s looks at a part only: %s", cell, formula)
			}
		}
	}
	if n < 100 {
		t.Errorf("%d addresses", n)
	}
	for row, want := range map[int]float64{8: math.Cbrt(32), 9: math.Cbrt(0.25), 16: math.Cbrt(32), 17: math.Cbrt(0.25)} {
		if v, _ := strconv.ParseFloat(worked(t, x, "Compare", fmt.Sprint("K", row)), 64); math.Abs(v-want) > 1e-12 {
			t.Errorf("the mean of row %d is %v, want %v", row, v, want)
		}
	}
}

// TestNotSortable: where a sort of Results would mislead, Diagnostics says so.
func TestNotSortable(t *testing.T) {
	var b bytes.Buffer
	w := New(&b)
	w.maxRows = 3
	x := book(t, w, &b, measured())
	if said := fmt.Sprint(rows(t, x, "Diagnostics")); !strings.Contains(said, "not-sortable sheet Results is not to be sorted: with 3 tests and 6 ratios") {
		t.Errorf("diagnostics: %s", said)
	}
	if formula, _ := x.GetCellFormula("Compare", "J2"); !strings.Contains(formula, "Results!$G$2/Results!$F$2") {
		t.Errorf("the ratio is %s", formula)
	}
}

// TestPublished: the sheet Systems has times as times and addresses as text, and
// neither column where no source says it. 2021-08-22 12:00 is day 44430.5 of a
// spreadsheet.
func TestPublished(t *testing.T) {
	f := sample()
	f.URL = "https://openbenchmarking.org/result/1901281-SP-F2FSBENCH59"
	f.Systems[0].Timestamp, f.Systems[1].Timestamp = "2021-08-22 12:00:00", "last week"
	x := open(t, f)
	raw, err := x.GetRows("Systems", excelize.Options{RawCellValue: true})
	if err != nil {
		t.Fatal(err)
	}
	shown := rows(t, x, "Systems")
	got := []string{raw[0][2], raw[0][3], raw[1][2], shown[1][2], raw[2][2], raw[3][3]}
	want := []string{"measured", "address", "44430.5", "2021-08-22 12:00:00", "last week", f.URL}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got %q, want %q", got[i], want[i])
		}
	}
	if got := rows(t, open(t, sample()), "Systems")[0]; len(got) != 4 || got[2] != "Disk" {
		t.Errorf("columns %q", got)
	}
}
