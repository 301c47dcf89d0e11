package export

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/internal/term"
	"github.com/benchproof/benchproof/result"
)

var update = flag.Bool("update", false, "rewrite the expected reports in testdata/text")

// reportFile is a result of systems with names of all widths, and tests of
// every verdict.
func reportFile() *result.File {
	names := []string{"EXT4", "日本語 NVMe", "cafe\u0301 👩\u200d💻 🇩🇪", "a\x1b]8;;http://x\x07b\x1b[31m\u202e\u200b\u009b31m", "none of it at all, which is a long name of a system"}
	f := &result.File{Source: "names.txt", Title: "Names and verdicts", Format: result.FormatText}
	for _, n := range names {
		f.Systems = append(f.Systems, result.System{Identifier: n})
	}
	m := func(system int, value, se string, n int) result.Measurement {
		return result.Measurement{System: system, Value: value, StdError: se, Samples: n}
	}
	f.Tests = []result.Test{
		{
			Title: "FS-Mark", Version: "3.3", Arguments: "Test: 1000 Files", Scale: "Files/s", Proportion: result.HIB,
			Measurements: []result.Measurement{m(0, "100.0", "0.5", 3), m(1, "150.0", "0.9", 3), m(2, "100.2", "0.4", 5), m(3, "55.1", "0.7", 3), m(4, "104.0", "3.0", 3)},
		},
		{
			Title: "SQLite", Version: "3.22", Scale: "Seconds", Proportion: result.LIB,
			Measurements: []result.Measurement{m(0, "10.00", "", 0), m(1, "2.5", "", 0), {System: 2, Status: result.StatusFailed, Reason: "timeout\x1b[2J"}, m(3, "40", "", 0)},
		},
		{
			Title: "Wide", Scale: "s", Proportion: result.LIB,
			Measurements: []result.Measurement{m(0, "10.0", "0.1", 3), m(1, "9.0", "4", 2), {System: 2, Value: "9.9", StdError: "0.2", Samples: 3, Decode: result.DecodeInferred}},
		},
	}
	return f
}

// reports writes both reports of a file.
func reports(t interface{ Fatal(...any) }, f *result.File, o TextOptions) map[string]string {
	set := analyze.NewSet([]*result.File{f})
	c, err := analyze.Compare(set, analyze.CompareOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := analyze.Rank(set)
	if err == nil {
		err = r.Sort(analyze.SortRank)
	}
	if err != nil {
		t.Fatal(err)
	}
	var compared, ranked strings.Builder
	if err := WriteCompareText(&compared, c, o); err != nil {
		t.Fatal(err)
	}
	if err := WriteRankText(&ranked, r, o); err != nil {
		t.Fatal(err)
	}
	return map[string]string{"compare": compared.String(), "rank": ranked.String()}
}

// TestReportText: the reports in 80 and 200 columns, in Unicode and ASCII,
// with colour and without.
func TestReportText(t *testing.T) {
	for _, width := range []int{80, 200} {
		for _, ascii := range []bool{false, true} {
			plain := reports(t, reportFile(), TextOptions{Width: width, ASCII: ascii})
			colored := reports(t, reportFile(), TextOptions{Width: width, ASCII: ascii, Color: true})
			for name, got := range plain {
				checkReport(t, got, width)
				if bare := sgr.ReplaceAllString(colored[name], ""); bare != got {
					t.Errorf("%s in colour is another text:\n%s", name, cmp.Diff(got, bare))
				}
				file := fmt.Sprintf("%s-%d", name, width)
				if ascii {
					file += "-ascii"
				}
				golden(t, file+".txt", got)
				golden(t, file+"-color.txt", strings.ReplaceAll(colored[name], "\x1b", "␛"))
			}
		}
	}
}

// sgr are the only sequences that reports may have.
var sgr = regexp.MustCompile(`\x1b\[(0|1|2|31|32|33|36)m`)

// checkReport checks that a report without colour has nothing hidden, and no
// line of more cells than its width.
func checkReport(t interface{ Errorf(string, ...any) }, text string, width int) {
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if strings.ContainsFunc(line, result.Hidden) {
			t.Errorf("hidden letters in %q", line)
		}
		if n := term.Width(line); n > width {
			t.Errorf("%d cells, want %d: %q", n, width, line)
		}
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "text", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// TestReportHostile: whatever names a file has, no letter of theirs acts on a
// terminal, in colour neither.
func TestReportHostile(t *testing.T) {
	text := rapid.OneOf(rapid.StringN(0, 40, -1), rapid.SampledFrom([]string{
		"\x1b[2J", "\a", "\x1b]8;;file:///etc\x07x\x1b]8;;\x07", "\u009d0;title\u009c", "\u009b31m", "\x90q\x9c", "\u202egnp.exe",
		"a\u200bb", "a\u200db", "\u2066x\u2069", "line\nbreak", "cr\rover", "\x0e\x0f", "日本語日本語日本語日本語日本語", "👨\u200d👩\u200d👧",
	}))
	rapid.Check(t, func(t *rapid.T) {
		f := &result.File{Source: text.Draw(t, "source"), Title: text.Draw(t, "title")}
		test := result.Test{Title: text.Draw(t, "test"), Arguments: text.Draw(t, "arguments"), Scale: text.Draw(t, "scale"), Proportion: result.HIB}
		for i := range rapid.IntRange(2, 4).Draw(t, "systems") {
			f.Systems = append(f.Systems, result.System{Identifier: text.Draw(t, "system")})
			m := result.Measurement{System: i, Value: "1000.5", StdError: "1.5", Samples: 3}
			if rapid.Bool().Draw(t, "failed") {
				m = result.Measurement{System: i, Status: result.StatusFailed, Reason: text.Draw(t, "reason")}
			}
			test.Measurements = append(test.Measurements, m)
		}
		f.Tests = []result.Test{test}
		width := rapid.IntRange(80, 220).Draw(t, "width")
		for _, out := range reports(t, f, TextOptions{Width: width, Color: true}) {
			checkReport(t, sgr.ReplaceAllString(out, ""), width)
		}
	})
}

// TestForest: places worked out by hand on an axis of 17 cells from 1/2 to 2,
// where a cell is a factor of 2^(1/8).
func TestForest(t *testing.T) {
	known := func(low, high float64) analyze.Range { return analyze.Range{Low: q(low), High: q(high)} }
	f := forest{cells: 17, limit: 2}
	for _, tt := range []struct {
		ratio analyze.Quantity
		in    analyze.Range
		want  string
	}{
		{q(1), analyze.Range{}, "        ○"},
		{q(2), analyze.Range{}, "        │       ○"},
		{q(0.5), analyze.Range{}, "○       │"},
		{analyze.Quantity{}, analyze.Range{}, "        │"},
		{q(0.7071), known(0.5946, 0.8409), "  ├─●─┤ │"},
		{q(1.1892), known(0.8409, 1.6818), "      ├─┼─●───┤"},
		{q(1.4142), known(1.40, 1.43), "        │   ●"},
		{q(1.2), known(0.1, 20), "◂───────┼─●─────▸"},
		{q(50), known(40, 60), "        │       ▸"}, // all of it beyond the end
		{q(0.01), analyze.Range{}, "◂       │"},
	} {
		if got := f.draw(tt.ratio, tt.in); got != tt.want {
			t.Errorf("%v in %v:\n%q, want\n%q", tt.ratio, tt.in, got, tt.want)
		}
	}
	if got, want := f.header(), "0.5     1       2"; got != want {
		t.Errorf("header %q, want %q", got, want)
	}
	f.ascii = true
	if got, want := f.draw(q(1.1892), known(0.8409, 1.6818)), "      [-+-O---]"; got != want {
		t.Errorf("ASCII %q, want %q", got, want)
	}
	for x, want := range map[float64]float64{1: 1.1, 1.1: 1.1, 1.15: 1.2, 4: 5, 5.1: 10, 11: 20, 21: 50, 51: 100, 1e6: 1e6} {
		if got := axisLimit(x); got != want {
			t.Errorf("axis for %v ends at %v, want %v", x, got, want)
		}
	}
}

// TestStripAndLetters: the drawn range of a rank, and letters below each other.
func TestStripAndLetters(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{stripCell(2, 1, 3, 4, false), "─●─·"},
		{stripCell(1, 1, 1, 3, false), "●··"},
		{stripCell(3, 2, 3, 3, true), ".-O"},
		{stripCell(3, 0, 0, 3, false), ""},
		{stripHeader(12), "1         12"},
		{stripHeader(3), "1 3"},
		{stripHeader(2), ""},
		{lettersCell("a"), "a"},
		{lettersCell("bc"), " bc"},
		{lettersCell("ac"), "a c"},
		{lettersCell("z"), "z"},
		{lettersCell("ba"), "ba"},
		{lettersCell(""), ""},
		{meanRankLine(1, 3, 5, false), "●····"},
		{meanRankLine(2, 3, 5, false), "··●··"},
		{meanRankLine(3, 3, 5, true), "....O"},
	} {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}
