package csv

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/benchproof/benchproof/parse/internal/oracle"
	"github.com/benchproof/benchproof/parse/internal/readertest"
	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

func read(t testing.TB, text string) []*result.File {
	t.Helper()
	return readertest.Files(t, Read, "in.csv", text)
}

// rows lists the measurements of a file, each in a line: the test's title,
// arguments and scale, the system, value, decode and status.
func rows(f *result.File) []string {
	var out []string
	for _, test := range f.Tests {
		for _, m := range test.Measurements {
			out = append(out, strings.Join([]string{
				test.Title, test.Arguments, test.Scale, string(test.Proportion),
				f.Systems[m.System].Identifier, m.Value, m.Decode.String(), m.Status.String(),
			}, "|"))
		}
	}
	return out
}

func codes(f *result.File) string {
	var all []string
	for _, d := range f.Diagnostics {
		all = append(all, d.Code)
	}
	return strings.Join(all, " ")
}

// two is an export of two systems with the given rows of results.
func two(rows string) string {
	return ",Title, of disks,\n\n ,,\"A\",\"B\"\nProcessor,,P1,P2\nDisk,,D1,\nOS,,Linux,Linux\n\n ,,\"A\",\"B\"\n" + rows + "\n"
}

func TestRows(t *testing.T) {
	for _, c := range []struct {
		name, rows string
		want       []string
		codes      string
	}{
		{"plain", `"X - Size: 1 (MB/s)",HIB,1.50,2`, []string{"X|Size: 1|MB/s|HIB|A|1.50|exact|ok", "X|Size: 1|MB/s|HIB|B|2|exact|ok"}, ""},
		{"blank cell stays in its column", `"X - Size: 1 (MB/s)",HIB,,2`, []string{"X|Size: 1|MB/s|HIB|B|2|exact|ok"}, "blank-cell"},
		{"quotes and commas", `"X "a", b - Q: "1", c (sec)",LIB,1,2`, []string{`X "a", b|Q: "1", c|sec|LIB|A|1|exact|ok`, `X "a", b|Q: "1", c|sec|LIB|B|2|exact|ok`}, ""},
		{"line break", "\"X - a\nb (sec)\",LIB,1,2", []string{"X|a\nb|sec|LIB|A|1|exact|ok", "X|a\nb|sec|LIB|B|2|exact|ok"}, ""},
		{"unit with parentheses", `"X - a (us (99th))",LIB,1,2`, []string{"X|a|us (99th)|LIB|A|1|exact|ok", "X|a|us (99th)|LIB|B|2|exact|ok"}, ""},
		{"words", `"X - a ()",,PASS,FAIL`, []string{"X|a|||A|PASS|exact|ok", "X|a|||B|FAIL|exact|ok"}, ""},
		{"words lost", `"X - a ()",,0,0`, []string{"X|a|||A||ambiguous|ok", "X|a|||B||ambiguous|ok"}, "zero-of-words zero-of-words"},
		{"one value too many", `"X - a (sec)",LIB,1,2,3`, []string{"X|a|sec|LIB|A||ambiguous|ok", "X|a|sec|LIB|B||ambiguous|ok"}, "shifted-row"},
		{"one value too few", `"X - a (sec)",LIB,1`, []string{"X|a|sec|LIB|A||ambiguous|ok", "X|a|sec|LIB|B||ambiguous|ok"}, "shifted-row"},
		{"sensor", `"X - CPU Temp Monitor (Celsius)",LIB,45.34,2.5`, []string{"X|CPU Temp Monitor|Celsius|LIB|A|45.34|inferred|ok", "X|CPU Temp Monitor|Celsius|LIB|B|2.5|inferred|ok"}, "mean-of-series mean-of-series"},
		{"no row", "what is this\n\"X - a (sec)\",LIB,1,2", []string{"X|a|sec|LIB|A|1|exact|ok", "X|a|sec|LIB|B|2|exact|ok"}, "unread-row"},
		{"row cut off", "\"X - a (sec)\",LIB,1,2\n\"X - b (se", []string{"X|a|sec|LIB|A|1|exact|ok", "X|a|sec|LIB|B|2|exact|ok"}, "unread-row"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := read(t, two(c.rows))[0]
			if d := cmp.Diff(c.want, rows(f)); d != "" {
				t.Error(d)
			}
			if got := codes(f); got != c.codes {
				t.Errorf("diagnostics %q, want %q", got, c.codes)
			}
			if f.Title != "Title, of disks" || len(f.Systems) != 2 {
				t.Errorf("title %q, %d systems", f.Title, len(f.Systems))
			}
		})
	}
	f := read(t, two(`"X - a (sec)",LIB,1,2`))[0]
	want := []result.Component{{Key: "Processor", Value: "P1"}, {Key: "Disk", Value: "D1"}}
	if d := cmp.Diff(want, f.Systems[0].Hardware); d != "" {
		t.Error(d)
	}
	if at := f.Tests[0].Measurements[1].Origin; at.Line != 9 || at.Column != 21 {
		t.Errorf("the second value stands at %s, want 9:21", at)
	}
}

// A column too few or too many must not move any value: see the two systems
// that the exporter takes for one, too.
func TestColumns(t *testing.T) {
	numbers := strings.NewReplacer(`"A"`, `"5.1"`, `"B"`, `"5.10"`).Replace(two(`"X - a (sec)",LIB,100,100` + "\n" + `"X - b (sec)",LIB,1,2`))
	want := []string{
		"X|a|sec|LIB|5.1|100|exact|ok", "X|a|sec|LIB|5.10||ambiguous|ok",
		"X|b|sec|LIB|5.1|1|exact|ok", "X|b|sec|LIB|5.10|2|exact|ok",
	}
	if d := cmp.Diff(want, rows(read(t, numbers)[0])); d != "" {
		t.Error(d)
	}
	same := strings.ReplaceAll(two(`"X - a (sec)",LIB,1.5,1.5`), `"B"`, `"A"`)
	f := read(t, same)[0]
	if d := cmp.Diff([]string{"X|a|sec|LIB|A|1.5|exact|ok", "X|a|sec|LIB|A||ambiguous|ok"}, rows(f)); d != "" {
		t.Error(d)
	}
	if len(f.Systems[0].Hardware)+len(f.Systems[1].Hardware) > 0 {
		t.Error("components that are one system's were given to both")
	}
}

// A spreadsheet writes the file again with its own quotes and separators.
func TestSpreadsheet(t *testing.T) {
	text := ";T;;\n\n ;;A 2.5\"\";B\nOS;;Linux;Linux\n\n ;;A 2.5\"\";B\n\"X \"\"y\"\" - a; b (sec)\";LIB;1.5;2\n"
	f := read(t, strings.Replace(text, `2.5""`, "2", 2))[0]
	if d := cmp.Diff([]string{`X "y"|a; b|sec|LIB|A 2|1.5|exact|ok`, `X "y"|a; b|sec|LIB|B|2|exact|ok`}, rows(f)); d != "" {
		t.Error(d)
	}
}

func TestRaw(t *testing.T) {
	text := `t,

"Mini I/O, "dd" test 1.0 - Block Size, KB: 4KB",
Higher Results Are Better

"A, v5.1",14.4,13.3,12.1
"B 2.5" x",16.09

"X - b
c",
Lower Results Are Better

"A, v5.1",

"Words 3 - d",

"A, v5.1",PASS,FAIL

`
	f := read(t, text)[0]
	var got []string
	for _, test := range f.Tests {
		got = append(got, strings.Join([]string{test.Title, test.Version, test.Arguments, string(test.Proportion), test.HeadDecode.String()}, "|"))
		for _, m := range test.Measurements {
			got = append(got, strings.Join([]string{f.Systems[m.System].Identifier, m.Value, m.Decode.String(), strings.Join(m.RawValues, ";"), m.StdError}, "|"))
		}
	}
	want := []string{
		`Mini I/O, "dd" test|1.0|Block Size, KB: 4KB|HIB|inferred`,
		// (14.4+13.3+12.1)/3 = 13.266…; sd 1.150362, over root 3 0.664162
		"A, v5.1|13.3|inferred|14.4;13.3;12.1|0.664162",
		`B 2.5" x|16.09|inferred|16.09|`,
		"X||b\nc|LIB|inferred",
		"Words|3|d||inferred",
		"A, v5.1||ambiguous|PASS;FAIL|",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if codes(f) != "values-derived no-runs not-a-number" {
		t.Error(codes(f))
	}
}

const longHead = "source,title,test,version,profile,arguments,scale,proportion,system,value,std_error,samples,raw_values,status,decode,line,column\n"

func TestLong(t *testing.T) {
	text := longHead +
		"a.txt,T,X,1.0,pts/x-1.0.0,\"Size: 1, 2\",MB/s,HIB,'=A,1.50,0.1,3,1.4;1.5;1.6,ok,exact,7,3\n" +
		"a.txt,T,X,1.0,pts/x-1.0.0,\"Size: 1, 2\",MB/s,HIB,B,-2,,,,ok,inferred,8,3\n" +
		"a.txt,T,X,1.0,pts/x-1.0.0,\"Size: 1, 2\",MB/s,HIB,C,,,,,failed,exact,,\n" +
		"a.txt,T,Y,,,,,,B,,,,,ok,ambiguous,9,3\n" +
		"b.txt,T,X,1.0,,,MB/s,HIB,B,7,,,,ok,exact,1,1\n" +
		"too,short\n" +
		"b.txt,T,X,1.0,,,MB/s,HIB,D,8,,,,ok,exact,1,1\n"
	files := read(t, text)
	if len(files) != 2 {
		t.Fatalf("%d files, want 2", len(files))
	}
	want := []string{
		"X|Size: 1, 2|MB/s|HIB|=A|1.50|exact|ok", "X|Size: 1, 2|MB/s|HIB|B|-2|inferred|ok",
		"X|Size: 1, 2|MB/s|HIB|C||exact|failed", "Y||||B||ambiguous|ok",
	}
	if d := cmp.Diff(want, rows(files[0])); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"X||MB/s|HIB|B|7|exact|ok", "X||MB/s|HIB|D|8|exact|ok"}, rows(files[1])); d != "" {
		t.Error(d)
	}
	if codes(files[1]) != "shifted-row" {
		t.Errorf("diagnostics %q", codes(files[1]))
	}
	m := files[0].Tests[0].Measurements[0]
	if m.StdError != "0.1" || m.Samples != 3 || strings.Join(m.RawValues, " ") != "1.4 1.5 1.6" || m.Origin.Line != 2 || m.Origin.Column != 53 {
		t.Errorf("%+v", m)
	}
}

func TestWide(t *testing.T) {
	text := "test,version,arguments,scale,proportion,A,\"B, 2\"\nX,1,\"a\nb\",MB/s,HIB,1.50,\nX,1,c,MB/s,,,3\n"
	f := read(t, text)[0]
	if d := cmp.Diff([]string{"X|a\nb|MB/s|HIB|A|1.50|inferred|ok", "X|c|MB/s||B, 2|3|inferred|ok"}, rows(f)); d != "" {
		t.Error(d)
	}
	if at := f.Tests[0].Measurements[0].Origin; at.Line != 3 || at.Column != 13 || at.Offset != strings.Index(text, "1.50") {
		t.Errorf("the first value stands at %+v", at)
	}
}

func TestRefuse(t *testing.T) {
	for _, text := range []string{"", "a,b\n1,2\n", "source,title,test\n"} {
		var syntax *source.SyntaxError
		if err := Read(source.New("in", text), func(*result.File) error { return nil }); !errors.As(err, &syntax) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(two(`"X - Size: 1 (MB/s)",HIB,1.50,2`))
	f.Add("t,\n\n\"X 1 - a\",\nLower Results Are Better\n\n\"A\",1,2\n\n")
	f.Add(longHead + "a,T,X,1,,,MB/s,HIB,A,1.5,,,,ok,exact,1,1\n")
	f.Add("test,version,arguments,scale,proportion,A\nX,,,,,1\n")
	paths, _ := filepath.Glob("../../../../shared/corpus/defects/*/pts*.csv")
	for _, p := range paths {
		if data, err := os.ReadFile(p); err == nil {
			f.Add(string(data))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		_ = Read(source.New("in", text), func(file *result.File) error {
			if file.Format == result.FormatRawCSV {
				for i := range file.Tests { // means stand nowhere
					for j := range file.Tests[i].Measurements {
						m := &file.Tests[i].Measurements[j]
						if m.Value != "" && m.Decode == result.DecodeExact {
							t.Errorf("mean %q is called exact", m.Value)
						}
						if m.Value != "" {
							m.Value = m.RawValues[0]
						}
					}
				}
			}
			if !strings.Contains(text, `""`) && !strings.Contains(text, "\r") {
				oracle.Stands(t, file, text)
			}
			return nil
		})
	})
}

// An export cut anywhere gives no value for sure that the whole one does not.
func TestTruncated(t *testing.T) {
	whole := two("\"X - a (sec)\",LIB,1.5,22.75\n\"Y \"q\" - b, c (MB/s)\",HIB,,1234\n\"Z - d (sec)\",LIB,7,8")
	sure := map[string]bool{}
	for _, r := range rows(read(t, whole)[0]) {
		sure[r] = true
	}
	for n := strings.Index(whole, "OS,,"); n < len(whole)-1; n++ {
		for _, r := range rows(read(t, whole[:n])[0]) {
			if strings.Contains(r, "|exact|") && !sure[r] {
				t.Errorf("cut at %d: %s", n, r)
			}
		}
	}
}

// A last line without its end may be a part of a row, whose last cell then is
// another figure: 1.5 of what was 1.57.
func TestNoEnd(t *testing.T) {
	for text, want := range map[string]string{
		longHead + "a.txt,T,X,1.0,,,MB/s,HIB,A,1.50,,,,ok,exact,7,35\n":        "",
		longHead + "a.txt,T,X,1.0,,,MB/s,HIB,A,1.50,,,,ok,exact,7,3":           "cut-short",
		"test,version,arguments,scale,proportion,A\nX,1,c,MB/s,HIB,1.57\n":     "decode-unknown",
		"test,version,arguments,scale,proportion,A\r\nX,1,c,MB/s,HIB,1.57\r\n": "decode-unknown",
		"test,version,arguments,scale,proportion,A\nX,1,c,MB/s,HIB,1.5":        "cut-short decode-unknown",
	} {
		if got := codes(read(t, text)[0]); got != want {
			t.Errorf("%q: diagnostics %q, want %q", text, got, want)
		}
	}
}

// A header that is no row of CSV ends in an error that names the file, not in
// a bare end of file.
func TestBrokenHeader(t *testing.T) {
	for _, head := range []string{longHead[:len(longHead)-1], "test,version,arguments,scale,proportion"} {
		doc := source.New("x.csv", head+",a\"b\n")
		err := Read(doc, func(*result.File) error { return nil })
		if err == nil || !strings.Contains(err.Error(), "x.csv:1:1: found a header that is no row of CSV") {
			t.Errorf("%v", err)
		}
	}
}

// PTS ends each test of a raw CSV with a blank line: where there is none behind
// the last one, it may be cut, as one is that has a head and no rows.
func TestRawCut(t *testing.T) {
	const whole = "T,\n\n\"SQLite 3.41.2 - Threads / Copies: 1\",\nLower Results Are Better\n\n\"A\",99,101\n\"B\",5,6\n\n\n"
	for text, want := range map[string]string{
		whole:                    "values-derived",
		whole[:len(whole)-1]:     "values-derived",
		whole[:len(whole)-2]:     "values-derived cut-short",
		whole[:len(whole)-3]:     "values-derived cut-short",
		whole[:len(whole)-9]:     "values-derived unread-row cut-short",
		whole + "\"X 1 - a\",\n": "values-derived no-rows cut-short",
	} {
		if got := codes(read(t, text)[0]); got != want {
			t.Errorf("%q: diagnostics %q, want %q", text, got, want)
		}
	}
}
