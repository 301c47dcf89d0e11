package xlsx

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/benchproof/benchproof/result"
)

// measured is a file of two families of tests with what charts and verdicts
// need: three systems, one clearly better, one clearly worse than the first.
func measured() *result.File {
	f := &result.File{
		Title: "Measured", Source: "measured.txt",
		Systems: []result.System{{Identifier: "A"}, {Identifier: "B"}, {Identifier: "C"}},
	}
	value := func(system int, value, se string) result.Measurement {
		return result.Measurement{System: system, Value: value, StdError: se, Samples: 3, Origin: result.Origin{Line: 7 + system, Column: 3, Rule: "text/bar-row"}}
	}
	for _, size := range []string{"4KB", "2MB"} {
		f.Tests = append(f.Tests, result.Test{
			Title: "FIO", Version: "3.1", Arguments: "Type: Read - Block Size: " + size, Scale: "MB/s", Proportion: result.HIB,
			Measurements: []result.Measurement{value(0, "100.0", "0.1"), value(1, "200.0", "0.1"), value(2, "50.0", "0.1")},
		})
	}
	f.Tests = append(f.Tests, result.Test{
		Title: "SQLite", Arguments: "Threads: 1", Scale: "Seconds", Proportion: result.LIB,
		Measurements: []result.Measurement{value(0, "8.00", "0.01"), value(1, "1.00", "0.01"), value(2, "8.00", "0.01")},
	})
	return f
}

// chartsOf follows a workbook's own ties from its sheets to their charts, as
// programs do, and returns how many charts each sheet shows.
func chartsOf(t *testing.T, archive []byte) map[string]int {
	t.Helper()
	names := map[string]string{}
	var book struct {
		Sheets []struct {
			Name string `xml:"name,attr"`
			ID   string `xml:"id,attr"`
		} `xml:"sheets>sheet"`
	}
	decode(t, archive, "xl/workbook.xml", &book)
	ties := tiesOf(t, archive, "xl/_rels/workbook.xml.rels")
	for _, s := range book.Sheets {
		names[ties[s.ID]] = s.Name
	}
	charts := map[string]int{}
	for target, name := range names {
		base := target[strings.LastIndex(target, "/")+1:]
		var sheet struct {
			Drawing struct {
				ID string `xml:"id,attr"`
			} `xml:"drawing"`
		}
		decode(t, archive, "xl/worksheets/"+base, &sheet)
		if sheet.Drawing.ID == "" {
			continue
		}
		drawing := strings.TrimPrefix(tiesOf(t, archive, "xl/worksheets/_rels/"+base+".rels")[sheet.Drawing.ID], "../drawings/")
		var anchors struct {
			Charts []struct {
				ID string `xml:"id,attr"`
			} `xml:"oneCellAnchor>graphicFrame>graphic>graphicData>chart"`
		}
		decode(t, archive, "xl/drawings/"+drawing, &anchors)
		chartTies := tiesOf(t, archive, "xl/drawings/_rels/"+drawing+".rels")
		for _, c := range anchors.Charts {
			part := strings.TrimPrefix(chartTies[c.ID], "../")
			if !strings.Contains(partOf(t, archive, contentTypes), `PartName="/xl/`+part+`"`) {
				t.Errorf("%s has no content type", part)
			}
			if strings.Contains(partOf(t, archive, "xl/"+part), "<c:ser>") {
				charts[name]++
			}
		}
	}
	return charts
}

func tiesOf(t *testing.T, archive []byte, part string) map[string]string {
	t.Helper()
	var list struct {
		Ties []struct {
			ID     string `xml:"Id,attr"`
			Target string `xml:"Target,attr"`
		} `xml:"Relationship"`
	}
	decode(t, archive, part, &list)
	ties := map[string]string{}
	for _, r := range list.Ties {
		ties[r.ID] = r.Target
	}
	return ties
}

func decode(t *testing.T, archive []byte, part string, to any) {
	t.Helper()
	if err := xml.Unmarshal([]byte(partOf(t, archive, part)), to); err != nil {
		t.Fatalf("%s: %v", part, err)
	}
}

// TestNothingIsLost: charts, conditional formats, comments and formulas are in
// the file that was written, tied to their sheets. A library may take them and
// leave them out without a word.
func TestNothingIsLost(t *testing.T) {
	var b bytes.Buffer
	x := book(t, New(&b), &b, measured())

	// The means, the ranking, a chart for each of two systems, a chart a
	// family.
	if got := chartsOf(t, b.Bytes()); got["Charts"] != 6 || len(got) != 1 {
		t.Errorf("charts %v, want 6 on the sheet Charts", got)
	}
	for sheet, want := range map[string]int{"Compare": 13, "Rank": 1, "Results": 2} {
		formats, err := x.GetConditionalFormats(sheet)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, list := range formats {
			n += len(list)
			for _, f := range list {
				if f.Type != "formula" || f.Format == nil {
					t.Errorf("%s: %+v", sheet, f)
				}
			}
		}
		if n != want {
			t.Errorf("%s has %d conditional formats, want %d", sheet, n, want)
		}
	}
	// A value each; a ratio each and two means.
	for sheet, want := range map[string]int{"Results": 9, "Compare": 8, "Records": 0} {
		comments, err := x.GetComments(sheet)
		if err != nil {
			t.Fatal(err)
		}
		if len(comments) != want {
			t.Errorf("%s has %d comments, want %d", sheet, len(comments), want)
		}
	}
	// Six ratios with their values, logarithm, mark and cell, two means with
	// their mark.
	if n := strings.Count(partOf(t, b.Bytes(), "xl/worksheets/sheet4.xml"), "<f>"); n != 6*6+2*2 {
		t.Errorf("Compare has %d formulas, want 40", n)
	}
	// Nine values, six ratios and two means with two ends of an interval each.
	if n := strings.Count(partOf(t, b.Bytes(), "xl/worksheets/sheet6.xml"), "<f>"); n != 9+3*8 {
		t.Errorf("Charts has %d formulas, want 33", n)
	}
}

// TestComments: a comment has the value's interval, worked out by hand (t of 2
// degrees of freedom is 4.30265), and where it was read.
func TestComments(t *testing.T) {
	x := open(t, measured())
	text := map[string]string{}
	for _, sheet := range []string{"Results", "Compare"} {
		comments, err := x.GetComments(sheet)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range comments {
			all := c.Text
			for _, run := range c.Paragraph {
				all += run.Text
			}
			text[sheet+"!"+c.Cell] = all
		}
	}
	want := "100.0 MB/s\n95 % CI 99.57 to 100.43 (SE 0.1, N 3)\nmeasured.txt, line 7, column 3, by rule text/bar-row: exact"
	if got := text["Results!F2"]; got != want {
		t.Errorf("Results!F2: %q, want %q", got, want)
	}
	if got := text["Results!G2"]; !strings.Contains(got, "better than A: ratio 2,") {
		t.Errorf("Results!G2 has no verdict: %q", got)
	}
	for _, want := range []string{"ratio 2, 95 % CI ", "verdict: better", "A: 100.0 MB/s", "B: 200.0 MB/s", "line 8, column 3", "as printed: 100 % more MB/s than A"} {
		if got := text["Compare!J2"]; !strings.Contains(got, want) {
			t.Errorf("Compare!J2 has no %q: %q", want, got)
		}
	}
	if got := text["Compare!J8"]; !strings.Contains(got, "geometric mean of 3 ratios, 3 of them with uncertainty: 3.1748") {
		t.Errorf("Compare!J8: %q", got)
	}
}

// TestLiveMeans: the mean over tests is the cube root of 2·2·8 for B and of
// ½·½·1 for C; after an edit it follows, what was printed stays beside it, and
// the row says that it was edited.
func TestLiveMeans(t *testing.T) {
	x := open(t, measured())
	number := func(cell string) float64 {
		t.Helper()
		text, err := x.CalcCellValue("Compare", cell, excelize.Options{RawCellValue: true})
		if err != nil {
			t.Fatal(err)
		}
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatalf("%s: %v", cell, err)
		}
		return v
	}
	near := func(cell string, want float64) {
		t.Helper()
		if got := number(cell); math.Abs(got-want) > 1e-12 {
			t.Errorf("%s is %v, want %v", cell, got, want)
		}
	}
	near("J8", math.Cbrt(32))
	near("J9", math.Cbrt(0.25))
	if text, _ := x.CalcCellValue("Compare", "U2"); text != "" {
		t.Errorf("edited before an edit: %q", text)
	}
	// Of 200 make 50: the ratios are ½, 2, 8.
	if err := x.SetCellValue("Results", "G2", 50); err != nil {
		t.Fatal(err)
	}
	near("J2", 0.5)
	near("J8", 2)
	near("J9", math.Cbrt(0.25))
	near("T8", math.Cbrt(32))
	for cell, want := range map[string]string{"U2": edited, "U8": edited, "U9": ""} {
		if text, err := x.CalcCellValue("Compare", cell); err != nil || text != want {
			t.Errorf("%s says %q, %v, want %q", cell, text, err, want)
		}
	}
}

// TestManyComments: a sheet with more cells than it takes comments has none,
// and says so.
func TestManyComments(t *testing.T) {
	var b bytes.Buffer
	w := New(&b)
	w.maxComments = 8
	x := book(t, w, &b, measured())
	for sheet, want := range map[string]int{"Results": 0, "Compare": 8} {
		if comments, err := x.GetComments(sheet); err != nil || len(comments) != want {
			t.Errorf("%s has %d comments, want %d, %v", sheet, len(comments), want, err)
		}
	}
	said := rows(t, x, "Diagnostics")[1]
	if said[3] != "info" || !strings.Contains(said[5], "sheet Results have no comments: 9 would be needed, a sheet takes 8; the sheet Records says the same") {
		t.Errorf("diagnostics: %q", said)
	}
	if len(w.Warnings()) > 0 {
		t.Errorf("warnings for what loses nothing: %q", w.Warnings())
	}
}

// TestShapeNumbers: the boxes of all comments have numbers of their own, in the
// blocks that their drawing names.
func TestShapeNumbers(t *testing.T) {
	var b bytes.Buffer
	w := New(&b)
	f := measured()
	for range 8 { // 768 tests, 2304 values
		f.Tests = append(f.Tests, f.Tests...)
	}
	book(t, w, &b, f)
	seen := map[int]bool{}
	for i := 1; i <= 2; i++ {
		drawing := partOf(t, b.Bytes(), fmt.Sprintf("xl/drawings/vmlDrawing%d.vml", i))
		blocks := strings.Split(regexp.MustCompile(`idmap v:ext="edit" data="([0-9,]+)"`).FindStringSubmatch(drawing)[1], ",")
		shapes := regexp.MustCompile(`id="_x0000_s(\d+)"`).FindAllStringSubmatch(drawing, -1)
		if len(shapes) < 1500 {
			t.Errorf("drawing %d has %d boxes", i, len(shapes))
		}
		for _, m := range shapes {
			n, _ := strconv.Atoi(m[1])
			if seen[n] || !slices.Contains(blocks, strconv.Itoa(n/1024)) {
				t.Fatalf("box %d stands twice or in none of the blocks %v", n, blocks)
			}
			seen[n] = true
		}
	}
}

// TestManyTests: of more tests than the sheet Charts takes it draws some, each
// chart within its bounds and all of them with bars, and says how many are
// left.
func TestManyTests(t *testing.T) {
	f := &result.File{Source: "many.txt", Systems: []result.System{{Identifier: "A"}, {Identifier: "B"}}}
	for i := range 60 {
		for j := range 20 {
			f.Tests = append(f.Tests, result.Test{
				Title: fmt.Sprint("Program ", i), Arguments: fmt.Sprint("Threads: ", j), Scale: "s", Proportion: result.LIB,
				Measurements: []result.Measurement{{System: 0, Value: "4.0"}, {System: 1, Value: "5.0"}},
			})
		}
	}
	var b bytes.Buffer
	x := book(t, New(&b), &b, f)
	charts := chartsOf(t, b.Bytes())["Charts"]
	if charts <= maxFamilyCharts || charts > maxFamilyCharts+maxRatioCharts+maxRankCharts {
		t.Errorf("%d charts", charts)
	}
	drawn := 0
	for i := range charts {
		text := partOf(t, b.Bytes(), fmt.Sprintf("xl/charts/chart%d.xml", i+1))
		n := strings.Count(text, "<c:ser>")
		bars, _ := strconv.Atoi(regexp.MustCompile(`<c:cat>.*?<c:ptCount val="(\d+)"/>`).FindStringSubmatch(text)[1])
		if bars == 0 || bars*n > maxBars {
			t.Errorf("chart %d has %d bars of %d colours", i+1, bars, n)
		}
		if strings.Contains(text, "Program") && n == 2 {
			drawn += bars
		}
	}
	if want := fmt.Sprintf("%d more tests are not drawn", 1200-drawn); !strings.Contains(fmt.Sprint(rows(t, x, "Charts")), want) ||
		!strings.Contains(fmt.Sprint(rows(t, x, "Diagnostics")), want) {
		t.Errorf("no %q in\n%q\n%q", want, rows(t, x, "Charts")[:5], rows(t, x, "Diagnostics"))
	}
}

// TestManySystems: a test of more systems than a chart takes is in several, and
// all charts together keep to their limit.
func TestManySystems(t *testing.T) {
	for n, want := range map[int]int{maxBars: 1, maxBars + 1: 2, maxBars * (maxFamilyCharts + 1): maxFamilyCharts} {
		f := manySystems(n)
		f.Tests[0].Proportion = result.ProportionUnknown // neither ratio nor rank
		var b bytes.Buffer
		x := book(t, New(&b), &b, f)
		if got := chartsOf(t, b.Bytes())["Charts"]; got != want {
			t.Errorf("%d systems: %d charts, want %d", n, got, want)
		}
		said := strings.Contains(fmt.Sprint(rows(t, x, "Diagnostics")), "1 more test is not drawn, or not for all systems")
		if said != (n > maxBars*maxFamilyCharts) {
			t.Errorf("%d systems: said %v", n, said)
		}
	}
}

// TestHostileDecorations: published text in charts and comments is text: parts
// stay well-formed, nothing refers to the outside, and long names are cut
// where they are drawn.
func TestHostileDecorations(t *testing.T) {
	long := strings.Repeat("long name ", 1100)
	for _, name := range []string{
		`=cmd|' /C calc'!A0`, "</c:v></c:pt><script>alert(1)</script>", `[]:*?/\`, "\x1b[31m\x00", "a\"b'c&d", "javascript:alert(1)", long, "\u202ertl", "_x0041_", "*", "<>", "日本語の名前",
	} {
		f := measured()
		f.Title, f.Source = name, name
		f.Systems[1].Identifier = name
		for i := range f.Tests {
			f.Tests[i].Title, f.Tests[i].Arguments, f.Tests[i].Scale = name, name+": "+strconv.Itoa(i), name
			f.Tests[i].Measurements[1].Notes = []string{name}
			f.Tests[i].Measurements[1].Origin.Rule = name
		}
		var b bytes.Buffer
		x := book(t, New(&b), &b, f)
		if got := chartsOf(t, b.Bytes())["Charts"]; got == 0 {
			t.Errorf("%.20q: no charts", name)
		}
		if comments, err := x.GetComments("Results"); err != nil || len(comments) != 9 {
			t.Errorf("%.20q: %d comments, %v", name, len(comments), err)
		}
		for _, formula := range formulas(t, b.Bytes()) {
			if rest := ours.ReplaceAllString(formula, ""); rest != "" {
				t.Errorf("%.20q: a formula holds %q", name, rest)
			}
		}
		z, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range z.File {
			text := partOf(t, b.Bytes(), p.Name)
			if err := wellFormed(text); err != nil {
				t.Errorf("%.20q: %s: %v", name, p.Name, err)
			}
			if strings.Contains(text, "TargetMode") || strings.Contains(text, "<script") {
				t.Errorf("%.20q: %s reaches outside", name, p.Name)
			}
			if strings.HasPrefix(p.Name, "xl/charts/") && strings.Contains(text, long[:100]) {
				t.Errorf("%s has a name of 100 letters", p.Name)
			}
		}
	}
}

func wellFormed(text string) error {
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := d.Token(); err != nil {
			if err == io.EOF {
				return nil
			}
			return err
		}
	}
}
