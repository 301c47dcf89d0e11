package export

import (
	"encoding/csv"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/benchproof/benchproof/result"
)

func csvOf(o Options) func(*strings.Builder) Writer {
	return func(b *strings.Builder) Writer { return NewCSV(b, o) }
}

func TestCSV(t *testing.T) {
	for name, tt := range map[string]struct {
		o    Options
		want string
	}{
		"results": {Options{}, `source,title,test,version,profile,arguments,scale,proportion,system,value,std_error,samples,raw_values,status,decode,line,column
small.txt,Small,FS-Mark,3.3,pts/fs-mark-1.0.2,"Test: 1000 Files, 1MB Size",Files/s,HIB,HDD: EXT4,698.00,0.41,9,,ok,exact,7,3
small.txt,Small,FS-Mark,3.3,pts/fs-mark-1.0.2,"Test: 1000 Files, 1MB Size",Files/s,HIB,HDD: XFS,-5,1,2,-4;-6,ok,exact,,
small.txt,Small,FS-Mark,3.3,pts/fs-mark-1.0.2,"Test: 1000 Files, 1MB Size",Files/s,HIB,HDD: XFS #2,,,,,failed,exact,,
small.txt,Small,Sensor,,,,Celsius,LIB,HDD: XFS,"1,2,3",,,,ok,exact,,
small.txt,Small,Sensor,,,,Celsius,LIB,HDD: EXT4,0.50,,,,ok,inferred,,
small.txt,Small,Sensor,,,,Celsius,LIB,HDD: XFS,7,,,,ok,exact,,
small.txt,Small,Unsure,,,,s,,HDD: EXT4,,,,,ok,ambiguous,,
`},
		"wide": {Options{Layout: Wide}, `test,version,arguments,scale,proportion,HDD: EXT4,HDD: XFS,HDD: XFS #2
FS-Mark,3.3,"Test: 1000 Files, 1MB Size",Files/s,HIB,698.00,-5,
Sensor,,,Celsius,LIB,0.50,"1,2,3",
Sensor,,,Celsius,LIB,,7,
Unsure,,,s,,,,
Empty,,,,,,,
`},
		"systems": {Options{Table: Systems}, `source,system,group,kind,key,value,inherited
small.txt,HDD: EXT4,HDD,hardware,Disk,"500GB Foo, Inc",false
small.txt,HDD: EXT4,HDD,hardware,Memory,16GB,false
small.txt,HDD: EXT4,HDD,software,File-System,ext4,false
small.txt,HDD: EXT4,HDD,notes,Disk,"relatime,rw",false
small.txt,HDD: XFS,HDD,hardware,Disk,"500GB Foo, Inc",true
small.txt,HDD: XFS,HDD,hardware,Memory,16GB,false
small.txt,HDD: XFS,HDD,software,File-System,xfs,false
small.txt,HDD: XFS #2,HDD,,,,false
`},
		"runs": {Options{Table: Runs}, `source,test,version,arguments,scale,system,run,value
small.txt,FS-Mark,3.3,"Test: 1000 Files, 1MB Size",Files/s,HDD: XFS,1,-4
small.txt,FS-Mark,3.3,"Test: 1000 Files, 1MB Size",Files/s,HDD: XFS,2,-6
`},
		"diagnostics": {Options{Table: Diagnostics}, `source,line,column,severity,code,message
small.txt,3,1,warning,twin,HDD: XFS twice
small.txt,,,info,note,no place
`},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, write(t, csvOf(tt.o), small())); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestCSVHeaders keeps the headers as they are promised.
func TestCSVHeaders(t *testing.T) {
	for table, want := range map[Table]string{
		Results:     "source,title,test,version,profile,arguments,scale,proportion,system,value,std_error,samples,raw_values,status,decode,line,column\n",
		Systems:     "source,system,group,kind,key,value,inherited\n",
		Runs:        "source,test,version,arguments,scale,system,run,value\n",
		Diagnostics: "source,line,column,severity,code,message\n",
	} {
		if got := write(t, csvOf(Options{Table: table})); got != want {
			t.Errorf("%s without files: %q, want %q", table, got, want)
		}
	}
	if got := write(t, csvOf(Options{Layout: Wide})); got != "test,version,arguments,scale,proportion\n" {
		t.Errorf("wide without files: %q", got)
	}
}

// TestCSVSeveralFiles: one header; the systems of different files stay apart,
// and a test that both have is one row of the wide table.
func TestCSVSeveralFiles(t *testing.T) {
	a := &result.File{Source: "a", Systems: []result.System{{Identifier: "X"}, {Identifier: "Y"}}, Tests: []result.Test{
		{Title: "T", Measurements: []result.Measurement{{System: 1, Value: "1"}}},
	}}
	b := &result.File{Source: "b", Systems: []result.System{{Identifier: "X"}}, Tests: []result.Test{
		{Title: "T", Measurements: []result.Measurement{{System: 0, Value: "2"}}},
	}}
	want := `source,title,test,version,profile,arguments,scale,proportion,system,value,std_error,samples,raw_values,status,decode,line,column
a,,T,,,,,,Y,1,,,,ok,exact,,
b,,T,,,,,,X,2,,,,ok,exact,,
`
	if diff := cmp.Diff(want, write(t, csvOf(Options{}), a, b)); diff != "" {
		t.Errorf("long (-want +got):\n%s", diff)
	}
	want = `test,version,arguments,scale,proportion,a: X,a: Y,b: X
T,,,,,,1,2
`
	if diff := cmp.Diff(want, write(t, csvOf(Options{Layout: Wide}), a, b)); diff != "" {
		t.Errorf("wide (-want +got):\n%s", diff)
	}
}

// readBack reads CSV as another program would.
func readBack(t interface{ Fatalf(string, ...any) }, text string) [][]string {
	records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return records
}

// asRead is how encoding/csv gives a cell back: it takes CR LF within quotes
// for LF.
func asRead(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }

// hides reports whether a terminal acts upon a part of s, or an eye misses it.
// ignorable are characters that no terminal shows.
var ignorable = &unicode.RangeTable{
	R16: []unicode.Range16{{0xad, 0xad, 1}, {0x180e, 0x180e, 1}, {0x200b, 0x200b, 1}, {0x2060, 0x206f, 1}, {0xfff9, 0xfffb, 1}},
	R32: []unicode.Range32{{0xe0000, 0xe0fff, 1}},
}

func hides(s string) bool {
	return !utf8.ValidString(s) || strings.ContainsFunc(strings.ReplaceAll(s, "\r\n", ""), func(r rune) bool {
		return unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.In(r, unicode.Bidi_Control, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point) ||
			unicode.Is(ignorable, r) || strings.ContainsRune("\ufeff\ufffe\uffff", r)
	})
}

// sameCell checks a cell of a column that was read back: it is the text, with
// a quote before what may be a formula, and with escapes for what hides.
func sameCell(kind Kind, got, cell string) string {
	want := cell
	if kind == Text || kind == Figure && strings.HasPrefix(cell, "=") {
		want = guard(cell)
	}
	switch {
	case hides(got):
		return "it hides something"
	case hides(cell), strings.ContainsAny(cell, "\u200c\u200d"):
		// Joiners are escaped behind some letters only.
		if len(got) < len(want) || hides(cell) && len(got) == len(want) {
			return "something was dropped"
		}
	case kind == Figure && got != asRead(want) && got != asRead("'"+want):
		return fmt.Sprintf("want %q", want)
	case kind != Figure && got != asRead(want):
		return fmt.Sprintf("want %q", want)
	case strings.HasPrefix(got, "=") || strings.HasPrefix(got, "@") || strings.HasPrefix(got, "\t"):
		return "a formula"
	}
	return ""
}

// TestCSVHostile: every cell comes back, guarded where it must be.
func TestCSVHostile(t *testing.T) {
	f := nasty()
	for _, table := range Tables() {
		records := readBack(t, write(t, csvOf(Options{Table: table}), f))
		i := 1
		for row := range table.Rows(f) {
			for c, cell := range row {
				if bad := sameCell(table.Columns()[c].Kind, records[i][c], cell); bad != "" {
					t.Errorf("%s row %d, %s: got %q of %q: %s", table, i, table.Columns()[c].Name, records[i][c], cell, bad)
				}
			}
			i++
		}
		if i != len(records) {
			t.Errorf("%s: %d records, want %d", table, len(records), i)
		}
	}
	wide := readBack(t, write(t, csvOf(Options{Layout: Wide}), f))
	if got := wide[0][5]; got != "'=1+1·" {
		t.Errorf("system in the header: %q", got)
	}
}

// TestCSVReadBack: whatever text a record holds, it comes back cell by cell.
func TestCSVReadBack(t *testing.T) {
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom(hostile))
	rapid.Check(t, func(t *rapid.T) {
		f := &result.File{Source: text.Draw(t, "source"), Title: text.Draw(t, "title"), Systems: []result.System{{Identifier: text.Draw(t, "system")}}}
		for range rapid.IntRange(0, 3).Draw(t, "tests") {
			f.Tests = append(f.Tests, result.Test{
				Title: text.Draw(t, "test"), Arguments: text.Draw(t, "arguments"), Scale: text.Draw(t, "scale"),
				Measurements: []result.Measurement{{Value: text.Draw(t, "value")}},
			})
		}
		var b strings.Builder
		w := NewCSV(&b, Options{})
		if err := errors.Join(w.Write(f), w.Close()); err != nil {
			t.Fatal(err)
		}
		records := readBack(t, b.String())
		i := 0
		for row := range Results.Rows(f) {
			i++
			for c, cell := range row {
				if bad := sameCell(Results.Columns()[c].Kind, records[i][c], cell); bad != "" {
					t.Fatalf("%s: got %q of %q: %s", Results.Columns()[c].Name, records[i][c], cell, bad)
				}
			}
		}
		if len(records) != i+1 {
			t.Fatalf("%d records, want %d", len(records), i+1)
		}
	})
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

// TestWriteErrors: every writer passes on the error of what it writes to.
func TestWriteErrors(t *testing.T) {
	full := errors.New("disk full")
	for name, w := range map[string]Writer{
		"csv": NewCSV(failingWriter{full}, Options{}), "wide": NewCSV(failingWriter{full}, Options{Layout: Wide}),
		"json": NewJSON(failingWriter{full}, Options{}), "ndjson": NewNDJSON(failingWriter{full}, Options{}),
		"markdown": NewMarkdown(failingWriter{full}, Options{}), "text": NewText(failingWriter{full}, Options{Table: Systems}),
	} {
		err := w.Write(small())
		if err == nil {
			err = w.Close()
		}
		if !errors.Is(err, full) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
