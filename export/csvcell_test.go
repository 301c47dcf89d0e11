package export

import (
	"strings"
	"testing"

	"github.com/benchproof/benchproof/result"
)

func TestGuard(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "=1": "'=1", "+1": "'+1", "-1": "'-1", "@a": "'@a", "\ta": "'\ta", "\ra": "'\ra",
		"a=1": "a=1", " =1": " =1", "'=1": "''=1", "''-a": "'''-a", "'a": "'a", "'": "'", "\na": "\na",
	} {
		if got := guard(in); got != want {
			t.Errorf("Guard(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestFigureCell: numbers, lists of them and words stay as they are printed;
// nothing that a spreadsheet could work out goes out unguarded.
func TestFigureCell(t *testing.T) {
	for _, same := range []string{
		"", "5", "-5", "+5", "-0.50", "-.5", "-5.", "+1.5e-06", "-1e999", "-4;-6", "-1,-2,-3", "-1, -2", "-1;;-2", "-1,,2;3",
		"-inf", "+Inf", "-Infinity", "-nan", "NaN", "inf", "PASS", "FAIL", "1=2", "1;=2", "a@b", "1,234.5", "'1", "'",
	} {
		if got := figureCell(same); got != same {
			t.Errorf("figureCell(%q) = %q", same, got)
		}
	}
	for _, bad := range []string{
		"=1", "=cmd|'/c calc'!A1", "+1+1", "-1-1", "-", "+", "@SUM(1)", "\t=1", "\t5", "\t", "-5 s", "-5%", "--5", "-0x1p4", "-1_000",
		"-1;=2", "-1,@x", "-1;cmd|'/c calc'!A1", "=1;2", "+,", "-e", "-.", "-infinit", "-1e+", "-A1", "'=1", "'-5",
	} {
		if got := figureCell(bad); got != "'"+bad {
			t.Errorf("figureCell(%q) = %q, want a guard", bad, got)
		}
	}
}

func TestVisibleCell(t *testing.T) {
	for in, want := range map[string]string{
		"plain ® 日本 e\u0301 \ufffd": "plain ® 日本 e\u0301 \ufffd",
		"a\tb\nc\r\nd":              "a\tb\nc\r\nd",
		"good\rbad":                 `good\rbad`,
		"a\r\nb\rc\x1b[31m\r\n":     "a\r\nb\\rc\\x1b[31m\r\n",
		"\x00\x07\x7f":              `\x00\x07\x7f`,
		"\u009b31m\u0085":           `\u009b31m\u0085`,
		"\u202egnp.exe\u2066":       `\u202egnp.exe\u2066`,
		"\ufeffbom":                 `\ufeffbom`,
		"\xffoo\xc3":                `\xffoo\xc3`,
	} {
		if got := visibleCell(in); got != want {
			t.Errorf("visibleCell(%q) = %q, want %q", in, got, want)
		}
	}
	// The guard goes by what was published.
	if got := csvCell(Text, "\r=1"); got != `'\r=1` {
		t.Errorf("carriage return first: %q", got)
	}
}

// TestCSVFormulaFigures: a file that prints a formula where a figure belongs
// makes none in any table; what stands beside it is not touched.
func TestCSVFormulaFigures(t *testing.T) {
	f := &result.File{Source: "f", Systems: []result.System{{Identifier: "A"}}, Tests: []result.Test{{
		Title: "T", Measurements: []result.Measurement{
			{Value: "=1+1", StdError: "@x", RawValues: []string{"=2", "-3"}, Samples: 2},
			{Value: "-2", StdError: "-1", RawValues: []string{"-1", "-3"}, Samples: 2},
			{Value: "+1\x1b[31m"},
		},
	}}}
	for name, tt := range map[string]struct {
		o    Options
		want string
	}{
		"long": {Options{}, `source,title,test,version,profile,arguments,scale,proportion,system,value,std_error,samples,raw_values,status,decode,line,column
f,,T,,,,,,A,'=1+1,'@x,2,'=2;-3,ok,exact,,
f,,T,,,,,,A,-2,-1,2,-1;-3,ok,exact,,
f,,T,,,,,,A,'+1\x1b[31m,,,,ok,exact,,
`},
		"wide": {Options{Layout: Wide}, `test,version,arguments,scale,proportion,A
T,,,,,'=1+1
T,,,,,-2
T,,,,,'+1\x1b[31m
`},
		"runs": {Options{Table: Runs}, `source,test,version,arguments,scale,system,run,value
f,T,,,,A,1,'=2
f,T,,,,A,2,-3
f,T,,,,A,1,-1
f,T,,,,A,2,-3
`},
	} {
		if got := write(t, csvOf(tt.o), f); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, tt.want)
		}
	}
}

// TestWideNames: no two columns of a wide table have one name, as it is
// published or as CSV writes it.
func TestWideNames(t *testing.T) {
	f := &result.File{Source: "f"}
	for _, name := range []string{"test", "version", "test", "test #2", "=a", "'=a", "a\x1b", `a\x1b`, "scale"} {
		f.Systems = append(f.Systems, result.System{Identifier: name})
	}
	got := write(t, csvOf(Options{Layout: Wide}), f)
	want := "test,version,arguments,scale,proportion,test #4,version #2,test #3,test #2,'=a,''=a,a\\x1b,a\\x1b #2,scale #2\n"
	if got != want {
		t.Errorf("header %s\nwant   %s", got, want)
	}
	names := strings.Split(strings.TrimSpace(got), ",")
	seen := map[string]bool{}
	for _, n := range names {
		if seen[n] {
			t.Errorf("twice: %s", n)
		}
		seen[n] = true
	}
}
