package xlsx

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/internal/term"
	"github.com/benchproof/benchproof/result"
)

func TestSheets(t *testing.T) {
	x := open(t, sample())
	if diff := cmp.Diff([]string{"Results", "Records", "Systems", "Compare", "Rank", "Charts", "How computed", "Diagnostics", "Dictionary"}, x.GetSheetList()); diff != "" {
		t.Errorf("sheets (-want +got):\n%s", diff)
	}
	for sheet, want := range map[string][][]string{
		"Results": {
			{"test", "version", "arguments", "scale", "proportion", "EXT4", "XFS", "XFS #2", "row"},
			{"SQLite", "3.22", "Timed SQLite Insertions", "Seconds", "LIB", "274.00", "1234567890123456789", "-0.5", "1"},
			{"FS-Mark", "", "", "Files/s", "HIB", "failed", "? 1.2 or 12", "NaN", "2"},
		},
		"Systems": {
			{"system", "group", "Disk", "Disk (notes)"},
			{"EXT4", "", "SSD", "rw"},
			{"XFS", "", "SSD"},
			{"XFS #2"},
		},
		"Diagnostics": {
			{"source", "line", "column", "severity", "code", "message"},
			{"small.txt", "2", "1", "warning", "twin", "XFS twice"},
			{"", "", "", "info", "charts-left-out", "sheet Charts: 1 test without a value that is one number is not drawn"},
		},
	} {
		if diff := cmp.Diff(want, rows(t, x, sheet)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", sheet, diff)
		}
	}
	records := rows(t, x, "Records")
	var header []string
	for _, c := range export.Results.Columns() {
		header = append(header, c.Name)
	}
	if diff := cmp.Diff(append(header, "reason", "alternatives"), records[0]); diff != "" {
		t.Errorf("header of Records (-want +got):\n%s", diff)
	}
	if len(records) != 7 {
		t.Errorf("Records has %d rows, want a header and 6 measurements", len(records))
	}
	want := []string{"small.txt", "Small", "SQLite", "3.22", "", "Timed SQLite Insertions", "Seconds", "LIB", "EXT4", "274.00", "0.41", "9", "", "ok", "exact", "7", "3"}
	if diff := cmp.Diff(want, records[1]); diff != "" {
		t.Errorf("first record (-want +got):\n%s", diff)
	}
	if got := records[4][13] + "," + records[4][17]; got != "failed,no result" {
		t.Errorf("failed record: %s", got)
	}
}

// TestTypes: numbers are numbers with the printed decimals; all else is
// inline text.
func TestTypes(t *testing.T) {
	x := open(t, sample())
	for _, tt := range []struct {
		sheet, cell string
		kind        excelize.CellType
		format      string
		raw         string
	}{
		{"Results", "F2", excelize.CellTypeUnset, "0.00", "274"},
		{"Results", "G2", excelize.CellTypeInlineString, "", "1234567890123456789"},
		{"Results", "H2", excelize.CellTypeUnset, "0.0", "-0.5"},
		{"Results", "F3", excelize.CellTypeInlineString, "", "failed"},
		{"Results", "B2", excelize.CellTypeInlineString, "", "3.22"},
		{"Records", "J2", excelize.CellTypeUnset, "0.00", "274"},
		{"Records", "K2", excelize.CellTypeUnset, "0.00", "0.41"},
		{"Records", "L2", excelize.CellTypeUnset, "0", "9"},
		{"Records", "P2", excelize.CellTypeUnset, "0", "7"},
		{"Records", "J5", excelize.CellTypeUnset, "", ""},
		{"Records", "J7", excelize.CellTypeInlineString, "", "NaN"},
	} {
		kind, err := x.GetCellType(tt.sheet, tt.cell)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := x.GetCellValue(tt.sheet, tt.cell, excelize.Options{RawCellValue: true})
		if err != nil {
			t.Fatal(err)
		}
		id, err := x.GetCellStyle(tt.sheet, tt.cell)
		if err != nil {
			t.Fatal(err)
		}
		style, err := x.GetStyle(id)
		if err != nil {
			t.Fatal(err)
		}
		format := ""
		if style.CustomNumFmt != nil {
			format = *style.CustomNumFmt
		} else if style.NumFmt == 1 {
			format = "0"
		} else if style.NumFmt == 2 {
			format = "0.00"
		}
		if kind != tt.kind || format != tt.format || raw != tt.raw {
			t.Errorf("%s!%s: type %v, format %q, value %q; want %v, %q, %q", tt.sheet, tt.cell, kind, format, raw, tt.kind, tt.format, tt.raw)
		}
		if tt.cell == "H2" && !style.Font.Italic {
			t.Error("an inferred value is not italic")
		}
	}
}

// TestLayout: every sheet has its header frozen, a filter over all of its
// rows, and is set up for print.
func TestLayout(t *testing.T) {
	x := open(t, sample())
	pages := map[string]int{"Compare": 2}
	for _, sheet := range x.GetSheetList() {
		if sheet == "Charts" {
			continue // no table
		}
		panes, err := x.GetPanes(sheet)
		if err != nil || !panes.Freeze || panes.YSplit != 1 {
			t.Errorf("%s: panes %+v, %v", sheet, panes, err)
		}
		page, err := x.GetPageLayout(sheet)
		if err != nil || *page.Orientation != "landscape" || *page.FitToWidth != max(1, pages[sheet]) || page.FitToHeight != nil && *page.FitToHeight != 0 {
			t.Errorf("%s: page %+v, %v", sheet, page, err)
		}
		props, err := x.GetSheetProps(sheet)
		if err != nil || !*props.FitToPage {
			t.Errorf("%s: does not fit to the page, %v", sheet, err)
		}
		if len(sheet) > 31 {
			t.Errorf("name %q is too long", sheet)
		}
	}
	names := map[string]string{}
	for _, n := range x.GetDefinedName() {
		names[n.Scope+" "+n.Name] = n.RefersTo
	}
	for name, want := range map[string]string{
		"Results _xlnm.Print_Titles": "'Results'!$1:$1",
		"Records _xlnm.Print_Titles": "'Records'!$1:$1",
	} {
		if names[name] != want {
			t.Errorf("%s is %q, want %q", name, names[name], want)
		}
	}
	filters := map[string]string{"Results": `ref="$A$1:$I$3"`, "Records": `ref="$A$1:$S$7"`, "Systems": `ref="$A$1:$D$4"`}
	var b bytes.Buffer
	book(t, New(&b), &b, sample())
	for i, sheet := range []string{"Results", "Records", "Systems"} {
		if part := partOf(t, b.Bytes(), fmt.Sprintf("xl/worksheets/sheet%d.xml", i+1)); !strings.Contains(part, "<autoFilter "+filters[sheet]) {
			t.Errorf("%s has no filter %s", sheet, filters[sheet])
		}
	}
}

func TestSameBytes(t *testing.T) {
	var want []byte
	for range 8 {
		var b bytes.Buffer
		book(t, New(&b), &b, sample(), sample())
		if want == nil {
			want = b.Bytes()
		}
		if !bytes.Equal(want, b.Bytes()) {
			t.Fatal("the same files gave other bytes")
		}
	}
	r, err := zip.NewReader(bytes.NewReader(want), int64(len(want)))
	if err != nil {
		t.Fatal(err)
	}
	if r.File[0].Name != "[Content_Types].xml" {
		t.Errorf("archive begins with %s", r.File[0].Name)
	}
	for _, f := range r.File {
		if !f.Modified.IsZero() && f.Modified.Year() > 1980 {
			t.Errorf("%s bears the time %v", f.Name, f.Modified)
		}
	}
	if core := partOf(t, want, "docProps/core.xml"); strings.Count(core, epoch) != 2 {
		t.Errorf("times in %s", core)
	}
}

// TestSeveralFiles: a test of both files is one row, and columns say which file
// they are of.
func TestSeveralFiles(t *testing.T) {
	b := sample()
	b.Source, b.Title = "b.txt", "B"
	b.Systems[0].Identifier = "ZFS"
	x := open(t, sample(), b)
	r := rows(t, x, "Results")
	if diff := cmp.Diff([][]string{
		{"test", "version", "arguments", "scale", "proportion", "small.txt: EXT4", "small.txt: XFS", "small.txt: XFS #2", "b.txt: ZFS", "b.txt: XFS", "b.txt: XFS #2", "row"},
		{"SQLite", "3.22", "Timed SQLite Insertions", "Seconds", "LIB", "274.00", "1234567890123456789", "-0.5", "274.00", "1234567890123456789", "-0.5", "1"},
		{"FS-Mark", "", "", "Files/s", "HIB", "failed", "? 1.2 or 12", "NaN", "failed", "? 1.2 or 12", "NaN", "2"},
	}, r); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}
	if s := rows(t, x, "Systems"); len(s) != 7 || s[4][0] != "b.txt" || s[4][2] != "ZFS" {
		t.Errorf("systems: %q", s)
	}
	if h, err := x.GetHeaderFooter("Results"); err != nil || h.OddHeader != "" {
		t.Errorf("several files in the head of a page: %+v, %v", h, err)
	}
}

// TestLook: headers stand over their columns; what every row repeats does not
// make it higher; the head of a printed page names the only file.
func TestLook(t *testing.T) {
	f := sample()
	f.Title = strings.Repeat("A & B ", 40)
	x := open(t, f)
	align := func(sheet, cell string) string {
		id, err := x.GetCellStyle(sheet, cell)
		if err != nil {
			t.Fatal(err)
		}
		s, err := x.GetStyle(id)
		if err != nil {
			t.Fatal(err)
		}
		return s.Alignment.Horizontal
	}
	for _, tt := range [][3]string{
		{"Results", "A1", ""}, {"Results", "F1", "right"}, {"Records", "B1", ""}, {"Records", "L1", "right"}, {"Records", "O1", ""}, {"Records", "P1", "right"},
	} {
		if got := align(tt[0], tt[1]); got != tt[2] {
			t.Errorf("%s!%s is set %q, want %q", tt[0], tt[1], got, tt[2])
		}
	}
	if h, err := x.GetRowHeight("Records", 2); err != nil || h > lineHeight+1 {
		t.Errorf("a record is %v points high, %v", h, err)
	}
	h, err := x.GetHeaderFooter("Results")
	if err != nil || !strings.HasPrefix(h.OddHeader, "&L A && B ") || !strings.HasSuffix(h.OddHeader, "&R small.txt") || len(h.OddHeader) > 255 {
		t.Errorf("head of a page: %+v, %v", h, err)
	}
}

// TestPages: records that are too wide for a page that can be read take two,
// both with the test's title.
func TestPages(t *testing.T) {
	f := sample()
	long := strings.Repeat("wide ", 20)
	f.Source = long
	for i := range f.Tests {
		f.Tests[i].Title, f.Tests[i].Profile, f.Tests[i].Arguments = long, long, long
		f.Tests[i].Measurements[0].Reason = long
	}
	x := open(t, f)
	if page, err := x.GetPageLayout("Records"); err != nil || *page.FitToWidth != 2 {
		t.Errorf("page %+v, %v", page, err)
	}
	titles := ""
	for _, n := range x.GetDefinedName() {
		if n.Scope == "Records" && n.Name == "_xlnm.Print_Titles" {
			titles = n.RefersTo
		}
	}
	if want := "'Records'!$C:$C,'Records'!$1:$1"; titles != want {
		t.Errorf("every page begins with %s, want %s", titles, want)
	}
}

func TestEmpty(t *testing.T) {
	x := open(t)
	if r := rows(t, x, "Results"); len(r) != 1 {
		t.Errorf("results: %q", r)
	}
	x = open(t, &result.File{})
	if r := rows(t, x, "Systems"); len(r) != 1 {
		t.Errorf("systems: %q", r)
	}
}

// TestFurtherSheets: rows that do not fit go on in further sheets.
func TestFurtherSheets(t *testing.T) {
	var b bytes.Buffer
	w := New(&b)
	w.maxRows = 3
	x := book(t, w, &b, sample())
	var records [][]string
	for _, sheet := range []string{"Records", "Records 2", "Records 3"} {
		r := rows(t, x, sheet)
		if len(r) != 3 || r[0][0] != "source" {
			t.Fatalf("%s: %q", sheet, r)
		}
		records = append(records, r[1:]...)
	}
	all := rows(t, open(t, sample()), "Records")[1:]
	if diff := cmp.Diff(all, records); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if slices.Contains(x.GetSheetList(), "Records 4") {
		t.Error("an empty further sheet")
	}
}

// TestReports: what does not fit is said, in the workbook and to the caller.
func TestReports(t *testing.T) {
	var b bytes.Buffer
	w := New(&b)
	w.maxColumns = 24
	f := sample()
	f.Tests[0].Title = strings.Repeat("日", maxCellUnits+1)
	for i := range 20 {
		f.AddSystem(fmt.Sprint("more ", i))
	}
	x := book(t, w, &b, f)
	warnings := strings.Join(w.Warnings(), "\n")
	for _, want := range []string{"sheet Results is left out: 28 columns, a sheet takes 24", "cell Records!C2 is cut: 98304 bytes of text, 98301 are left"} {
		if !strings.Contains(warnings, want) {
			t.Errorf("no %q in\n%s", want, warnings)
		}
	}
	// A header, the diagnostic of the file, the warnings, and what is not drawn.
	if r := rows(t, x, "Diagnostics"); len(r) != 2+len(w.Warnings())+1 {
		t.Errorf("diagnostics: %q", r)
	}
	if got := rows(t, x, "Records")[1][2]; got != strings.Repeat("日", maxCellUnits) {
		t.Errorf("cut cell has %d bytes", len(got))
	}
}

// formula finds formulas of cells; ours is all that they are made of: addresses
// in our sheets, functions, numbers and our own words.
var (
	formula = regexp.MustCompile(`<(?:f|formula)>(.*?)</(?:f|formula)>`)
	ours    = regexp.MustCompile(`'?(Results|Compare|Rank|Charts)( \d+)?'?!|\$?[A-Z]{1,3}\$?\d+|IFERROR|IF|INDEX|MATCH|ROW|COLUMN|FALSE|LEN|LEFT|verdict_words|verdict_cells|"(better|worse|equivalent|trivial|undecided|untestable|a)"|ISNUMBER|COUNTIFS|COUNT|SUMIFS|AVERAGEIFS|EXP|LN|NA|ABS|"(|>-1E\+300|` + edited + `)"|[0-9.]+|[-+*/(),:=>]`)
)

// TestHostile: text stays text, whatever it looks like; the parts are
// well-formed XML.
func TestHostile(t *testing.T) {
	texts := []string{
		"=1+1", "+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "=HYPERLINK(\"http://x\",\"y\")", "'quoted",
		"\x00nul", "\x1b[31m", "\u009b", "</t></is></c>", "</script>", "a\nb", "\u202ertl", "_x0041_", "_x005F_", " lead and trail ",
		"12345678901234567890", "1e5", "TRUE", "2024-01-01", "\ufffe", "\uffff", "😀",
	}
	f := &result.File{Title: "=1+1", Source: "=evil"}
	for i, s := range texts {
		f.Systems = append(f.Systems, result.System{Identifier: s + "·", Hardware: []result.Component{{Key: fmt.Sprint("k", i), Value: s}}})
		f.Tests = append(f.Tests, result.Test{Title: s, Arguments: s, Measurements: []result.Measurement{{System: i, Value: "1"}}})
	}
	var b bytes.Buffer
	x := book(t, New(&b), &b, f)
	for i, s := range texts {
		cell := fmt.Sprintf("C%d", i+2)
		got, err := x.GetCellValue("Records", cell)
		if err != nil {
			t.Fatal(err)
		}
		if want := term.VisibleLines(s); got != want {
			t.Errorf("%q came back as %q, want %q", s, got, want)
		}
		if formula, err := x.GetCellFormula("Records", cell); err != nil || formula != "" {
			t.Errorf("%q is a formula: %q, %v", s, formula, err)
		}
		if kind, err := x.GetCellType("Records", cell); err != nil || kind != excelize.CellTypeInlineString {
			t.Errorf("%q has type %v, %v", s, kind, err)
		}
	}
	for _, formula := range formulas(t, b.Bytes()) {
		if rest := ours.ReplaceAllString(formula, ""); rest != "" {
			t.Errorf("a formula holds %q", rest)
		}
	}
	r, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.File {
		text := partOf(t, b.Bytes(), f.Name)
		d := xml.NewDecoder(strings.NewReader(text))
		for {
			_, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", f.Name, err)
			}
		}
	}
}

func BenchmarkWorkbook(b *testing.B) {
	f := &result.File{Title: "big"}
	for s := range 20 {
		f.AddSystem(fmt.Sprint("system ", s))
	}
	for range 1000 {
		t := result.Test{Title: "Flexible IO Tester", Arguments: "Type: Random Read - Block Size: 4KB", Scale: "MB/s"}
		for s := range 20 {
			t.Measurements = append(t.Measurements, result.Measurement{System: s, Value: "1234.50"})
		}
		f.Tests = append(f.Tests, t)
	}
	for b.Loop() {
		w := New(io.Discard)
		if err := w.Write(f); err != nil {
			b.Fatal(err)
		}
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
