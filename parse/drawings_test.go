package parse

import (
	_ "embed"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// copied is a page as Chromium copies it: each text of a drawing is a line.
//
//go:embed testdata/copied.txt
var copied string

// TestCopiedDrawings: a page whose drawings were copied a text a line is read,
// with the places of the copy.
func TestCopiedDrawings(t *testing.T) {
	want := []string{
		"SQLite 3.22 Seconds LIB SSD 34.75 ±0.04 N=3",
		"SQLite 3.22 Seconds LIB ZFS Mirror 227.00 ±1.84 N=12",
		"FS-Mark 3.3 Files/s HIB SSD 170.40 ±0.41 N=3",
		"FS-Mark 3.3 Files/s HIB ZFS Mirror 32.67 ±0.17 N=3",
	}
	f := mustRead(t, copied, 1)[0]
	var got []string
	for _, test := range f.Tests {
		for _, m := range test.Measurements {
			got = append(got, fmt.Sprintf("%s %s %s %s %s %s ±%s N=%d", test.Title, test.Version, test.Scale, test.Proportion, f.Systems[m.System].Identifier, m.Value, m.StdError, m.Samples))
			lines := strings.Split(copied, "\n")
			if at := lines[m.Origin.Line-1]; !strings.HasPrefix(at[m.Origin.Column-1:], m.Value) {
				t.Errorf("%s is not at %d:%d (%q)", m.Value, m.Origin.Line, m.Origin.Column, at)
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if f.Tests[0].Arguments != "Timed SQLite Insertions" || len(f.Tests[0].Footnotes) != 1 {
		t.Errorf("arguments %q, footnotes %q", f.Tests[0].Arguments, f.Tests[0].Footnotes)
	}
}

// TestCopiedDrawingsLocal: the mark of a page without the site, and a legend above
// it, which is no heading.
func TestCopiedDrawingsLocal(t *testing.T) {
	for name, tt := range map[string]struct {
		lines string
		from  int
		graph bool
	}{
		"graph":           {"A\nB: 1\nPhoronix Test Suite 10.8.4\nMB/s, More Is Better\nA 1.0\nB: 1\nX", 2, true},
		"bare mark":       {"A\nPhoronix Test Suite\nMB/s, More Is Better\nA 1.0\nX", 1, true},
		"legend":          {"A\nB: 1\nHDD\nSSD\nOpenBenchmarking.org\nMB/s, More Is Better\nA 1.0\nB: 1\nX", 2, true},
		"table":           {"T\nProcessor\nX\nOpenBenchmarking.org\nDisk Details", 0, false},
		"prose":           {"It is OpenBenchmarking.org that\nsays so.", 2, false},
		"text of a graph": {"OpenBenchmarking.orgMB/s, More Is BetterA", 1, false},
	} {
		if from, graph := drawingIn(strings.Split(tt.lines, "\n")); from != tt.from || graph != tt.graph {
			t.Errorf("%s: %d, %v, want %d, %v", name, from, graph, tt.from, tt.graph)
		}
	}
}

// TestCopiedNames: names that stand on lines of their own are those, whatever else
// they could be divided into.
func TestCopiedNames(t *testing.T) {
	notes := "Disk Details\n- SSD: MQ-DEADLINE / relatime,rw\n- ZFS Mirror: MQ-DEADLINE / attr2,rw\n"
	if !strings.Contains(copied, notes) {
		t.Fatal("the notes are others")
	}
	page := strings.ReplaceAll(strings.ReplaceAll(strings.Replace(copied, notes, "", 1), "\nSSD\n", "\nfwrap\n"), "ZFS Mirror", "vfno-bool-value")
	f := mustRead(t, page, 1)[0]
	var got []string
	for _, s := range f.Systems {
		got = append(got, fmt.Sprint(s.Identifier, " ", s.Decode))
	}
	if diff := cmp.Diff([]string{"fwrap exact", "vfno-bool-value exact"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if m := f.Tests[0].Measurements; len(m) != 2 || m[1].Value != "227.00" {
		t.Errorf("values %v", m)
	}
}

// TestCopiedBoxPlot: a box plot prints the spread of the runs in place of the
// result: the average stands for it, as in the HTML of such a page.
func TestCopiedBoxPlot(t *testing.T) {
	const old, rows = "SE +/- 0.04, N = 3\nSE +/- 1.84, N = 12\n34.75\n227.00\n1. (CC)", "Min: 34.7 / Avg: 34.75 / Max: 34.83\nMin: 201 / Avg: 227 / Max: 240.1\n1. (CC)"
	for name, page := range map[string]string{
		"of two":  strings.Replace(copied, old, rows, 1),
		"of one":  strings.Replace(copied, old, "Min: 34.7 / Avg: 34.75 / Max: 34.83\n1. (CC)", 1),
		"cut row": strings.Replace(copied, old, "Min: 34.7 / Avg: 34.75 / Max: 34.83\nMin: 201 / Avg: 227\n1. (CC)", 1),
	} {
		f := mustRead(t, page, 1)[0]
		test, got := f.Tests[0], []string(nil)
		for _, m := range test.Measurements {
			got = append(got, fmt.Sprintf("%s %s %s %s %s", f.Systems[m.System].Identifier, m.Min, m.Value, m.Max, m.Decode))
			if at := strings.Split(page, "\n")[m.Origin.Line-1]; !strings.HasPrefix(at[m.Origin.Column-1:], m.Value+" / Max") {
				t.Errorf("%s: %s is not at %d:%d (%q)", name, m.Value, m.Origin.Line, m.Origin.Column, at)
			}
		}
		var want []string
		if name == "of two" {
			want = []string{"SSD 34.7 34.75 34.83 inferred", "ZFS Mirror 201 227 240.1 inferred"}
			if test.DisplayFormat != "HORIZONTAL_BOX_PLOT" || len(test.Footnotes) != 1 {
				t.Errorf("format %s, footnotes %q", test.DisplayFormat, test.Footnotes)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
