package main

import (
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// exampleLine is the line above a table of doc/analysis.md: what is compared.
var exampleLine = regexp.MustCompile("^File `(.*)`, baseline `(.*)`, tests `(.*)`, systems `(.*)`:$")

// TestAnalysisExamples: the command says what doc/analysis.md works out by
// hand, row by row, for all five samples.
func TestAnalysisExamples(t *testing.T) {
	samples := sampleDir(t)
	if samples == "" {
		t.Skip("the published samples are not at hand")
	}
	text, err := os.ReadFile("../../doc/analysis.md")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	tables := 0
	for i, line := range lines {
		m := exampleLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		tables++
		e, stdout, stderr := testEnv(nil)
		args := []string{"compare", filepath.Join(samples, m[1]), "--baseline", m[2], "--test", m[3], "--system", m[4], "--format", "csv"}
		if code := run(t.Context(), e, args); code != exitOK {
			t.Fatalf("doc/analysis.md:%d: code %d: %s", i+1, code, stderr)
		}
		got, err := csv.NewReader(stdout).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		n := 1 // row of got
		for j := i + 4; j < len(lines) && strings.HasPrefix(lines[j], "|"); j++ {
			if n >= len(got) || got[n][0] == "OVERALL" {
				t.Fatalf("doc/analysis.md:%d: the command has no such row", j+1)
			}
			want := strings.Split(strings.Trim(lines[j], "|"), "|")
			for k, column := range []int{0, 6, 9, 10, 11, 12, 15, 16} {
				if w := strings.TrimSpace(want[k]); !sameFigure(w, got[n][column]) {
					t.Errorf("doc/analysis.md:%d: %s, the command says %s in %q", j+1, w, got[n][column], got[n])
				}
			}
			n++
		}
		if n < 4 || got[n][0] != "OVERALL" {
			t.Errorf("doc/analysis.md:%d: %d rows, the command has more: %q", i+1, n-1, got[n])
		}
	}
	if tables != 5 {
		t.Errorf("%d tables, want one a sample", tables)
	}
}

// sameFigure compares text, or numbers to the four digits that are printed.
func sameFigure(want, got string) bool {
	w, err1 := strconv.ParseFloat(want, 64)
	g, err2 := strconv.ParseFloat(got, 64)
	if err1 != nil || err2 != nil {
		return want == got
	}
	return math.Abs(w-g) <= 2e-4*math.Abs(w)
}
