package xlsx

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/result"
)

// twoDirections is a file with one test of each direction, and what cannot be
// compared.
func twoDirections(source string) *result.File {
	return &result.File{
		Source: source, Systems: []result.System{{Identifier: "A"}, {Identifier: "=B"}},
		Tests: []result.Test{
			{Title: "More", Scale: "MB/s", Proportion: result.HIB, Measurements: []result.Measurement{
				{System: 0, Value: "100.0", StdError: "1.0", Samples: 3}, {System: 1, Value: "150.0", StdError: "1.0", Samples: 3},
			}},
			{Title: "Less", Scale: "s", Proportion: result.LIB, Measurements: []result.Measurement{
				{System: 1, Value: "8", StdError: "0.1", Samples: 3}, {System: 0, Value: "4", StdError: "0.1", Samples: 3},
			}},
			{Title: "Zero", Scale: "s", Proportion: result.LIB, Measurements: []result.Measurement{
				{System: 0, Value: "4"}, {System: 1, Value: "0"},
			}},
			{Title: "Long", Scale: "s", Proportion: result.LIB, Measurements: []result.Measurement{
				{System: 0, Value: "4"}, {System: 1, Value: "1234567890123456789"},
			}},
		},
	}
}

// TestRatioFormulas: the ratios are formulas whose cells give the cached value,
// in every part of the sheet Results. A figure that stands there as text has no
// formula.
func TestRatioFormulas(t *testing.T) {
	for _, maxRows := range []int{excelize.TotalRows, 3} {
		t.Run(strconv.Itoa(maxRows), func(t *testing.T) {
			var b bytes.Buffer
			w := New(&b)
			w.maxRows = maxRows
			x := book(t, w, &b, twoDirections("one"), twoDirections("two"))
			var got []string
			for _, sheet := range x.GetSheetList() {
				if !strings.HasPrefix(sheet, "Compare") {
					continue
				}
				for i, row := range rows(t, x, sheet) {
					if i == 0 {
						continue
					}
					cell := fmt.Sprintf("K%d", i+1)
					formula, err := x.GetCellFormula(sheet, cell)
					if err != nil {
						t.Fatal(err)
					}
					cached, err := x.GetCellValue(sheet, cell, excelize.Options{RawCellValue: true})
					if err != nil {
						t.Fatal(err)
					}
					if formula != "" {
						worked, err := x.CalcCellValue(sheet, cell, excelize.Options{RawCellValue: true})
						if err != nil {
							t.Fatal(err)
						}
						a, _ := strconv.ParseFloat(worked, 64)
						c, _ := strconv.ParseFloat(cached, 64)
						if c == 0 || math.Abs(a-c) > 1e-12*c {
							t.Errorf("%s = %s gives %s, cached is %s", cell, formula, worked, cached)
						}
					}
					if v, err := strconv.ParseFloat(cached, 64); err == nil {
						cached = strconv.FormatFloat(v, 'g', -1, 64)
					}
					got = append(got, row[1]+" "+cached+" "+strconv.FormatBool(formula != ""))
				}
			}
			one := "More 1.5 true, Less 0.5 true, Zero  false, Long 3.2400000291600004e-18 false, OVERALL 1.344421428000414e-06 true"
			if want := one + ", " + one; strings.Join(got, ", ") != want {
				t.Errorf("got  %s\nwant %s", strings.Join(got, ", "), want)
			}
		})
	}
}

// TestGivenAnalysis: what a command has compared and ranked stands in place of
// the default.
func TestGivenAnalysis(t *testing.T) {
	f := twoDirections("one")
	set := analyze.NewSet([]*result.File{f})
	c, err := analyze.Compare(set, analyze.CompareOptions{Baseline: "=B", Adjust: analyze.NoAdjustment})
	if err != nil {
		t.Fatal(err)
	}
	r, err := analyze.Rank(set)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := New(&b)
	w.Compare(c)
	w.Rank(r)
	x := book(t, w, &b, f)
	first := rows(t, x, "Compare")[1]
	if first[5] != "=B" || first[6] != "A" || !strings.HasPrefix(first[9], "0.66") {
		t.Errorf("compare: %q", first)
	}
	text := fmt.Sprint(rows(t, x, "How computed"))
	for _, want := range []string{"are not adjusted", "baseline =B"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in How computed", want)
		}
	}
	for _, sheet := range x.GetSheetList() {
		for _, row := range rows(t, x, sheet) {
			for _, cell := range row {
				if cell == "NaN" || strings.Contains(cell, "Inf") {
					t.Errorf("%s has %q", sheet, cell)
				}
			}
		}
	}
}

// TestTooLargeToAnalyze: a workbook of very many measurements is written
// without comparison, and says so; one that was asked for stays.
func TestTooLargeToAnalyze(t *testing.T) {
	f := twoDirections("one")
	for _, asked := range []bool{false, true} {
		var b bytes.Buffer
		w := New(&b)
		w.maxAnalyzed = 7
		if asked {
			c, err := analyze.Compare(analyze.NewSet([]*result.File{f}), analyze.CompareOptions{})
			if err != nil {
				t.Fatal(err)
			}
			w.Compare(c)
		}
		x := book(t, w, &b, f)
		if got := len(rows(t, x, "Compare")); got != map[bool]int{false: 1, true: 6}[asked] {
			t.Errorf("asked %v: %d rows", asked, got)
		}
		if got := len(rows(t, x, "Rank")); got != 1 {
			t.Errorf("asked %v: %d ranks", asked, got)
		}
		if warnings := fmt.Sprint(w.Warnings()); !strings.Contains(warnings, "8 measurements") {
			t.Errorf("asked %v: warnings %s", asked, warnings)
		}
	}
}
