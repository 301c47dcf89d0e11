package json

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
	return readertest.Files(t, Read, "in.json", text)
}

// export returns an export of one test with the given entries.
func export(entries string) string {
	return `{"title":"T","systems":{"A":{"identifier":"A","hardware":{"Processor":"P","Disk":"D"},"software":[]}},
"results":{"bdab":{"identifier":"pts\/x-1.0.0","title":"X","app_version":"1","description":"Size: 1 - Fast","scale":"MB\/s","proportion":"HIB","results":` + entries + `}}}`
}

// only returns the measurements of a file with one test, each in a line:
// system, value, decode, status, runs, error and N, reason, alternatives.
func only(t testing.TB, files []*result.File) []string {
	t.Helper()
	if len(files) != 1 || len(files[0].Tests) != 1 {
		t.Fatalf("%d files, want 1 with 1 test", len(files))
	}
	f := files[0]
	var out []string
	for _, m := range f.Tests[0].Measurements {
		out = append(out, strings.Join([]string{
			f.Systems[m.System].Identifier, m.Value, m.Decode.String(), m.Status.String(),
			strings.Join(m.RawValues, ";"), m.StdError, m.Reason, strings.Join(m.Alternatives, ";"),
		}, "|"))
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

func TestEntries(t *testing.T) {
	for _, c := range []struct {
		name, entries string
		want          []string
		codes         string
	}{
		{"number as printed", `{"A":{"value":1.50}}`, []string{"A|1.50|exact|ok||||"}, ""},
		{"exponent", `{"A":{"value":1.5e+18}}`, []string{"A|1.5e+18|exact|ok||||"}, ""},
		{"runs", `{"A":{"value":2,"raw_values":[1,2,3]}}`, []string{"A|2|exact|ok|1;2;3|0.57735||"}, ""},
		{"runs as an object", `{"A":{"value":2,"raw_values":{"0":1,"2":3}}}`, []string{"A|2|exact|ok|1;3|1||"}, ""},
		{"series", `{"A":{"value":"1,2,3"}}`, []string{"A|1,2,3|exact|ok||||"}, ""},
		{"list of entries", `[{"value":7}]`, []string{"0|7|exact|ok||||"}, "system-missing"},
		{"error", `{"A":{"details":{"error":"E: disk full"}}}`, []string{"A||exact|failed|||E: disk full|"}, ""},
		{"no value", `{"A":{}}`, []string{"A||ambiguous|ok||||0"}, "value-left-out"},
		{"null", `{"A":{"value":null}}`, []string{"A||ambiguous|ok||||0"}, "value-left-out"},
		{"zero left out", `{"A":{"raw_values":[0,0.0]}}`, []string{"A|0|inferred|ok|0;0.0|0||"}, "zero-left-out"},
		{"runs without a value", `{"A":{"raw_values":[0,2]}}`, []string{"A||exact|failed|0;2|1|the source gives runs, but neither a value nor an error message|"}, ""},
		{"NaN", `{"A":{"value":NaN}}`, []string{"A|NaN|exact|ok||||"}, "not-a-number"},
		{"-nan", `{"A":{"value":-nan}}`, []string{"A|-nan|exact|ok||||"}, "not-a-number"},
		{"Infinity", `{"A":{"value":-Infinity,"raw_values":[inf,1]}}`, []string{"A|-Infinity|exact|ok|inf;1|||"}, "not-a-number not-a-number"},
		{"past 2^53", `{"A":{"value":9007199254740992}}`, []string{"A|9007199254740992|inferred|ok||||"}, "float-digits"},
		{"below 2^53", `{"A":{"value":9007199254740991}}`, []string{"A|9007199254740991|exact|ok||||"}, ""},
		{"two values", `{"A":{"value":1,"value":2}}`, []string{"A||ambiguous|ok||||1;2"}, "repeated-key"},
		{"two entries", `{"A":{"value":1},"A":{"value":2}}`, []string{"A|1|exact|ok||||", "A|2|exact|ok||||"}, "duplicate-entry"},
		{"unknown system", `{"B":{"value":1}}`, []string{"B|1|exact|ok||||"}, "system-missing"},
		{"escapes", `{"A\u00e9\ud83d\ude00\/":{"value":1}}`, []string{"Aé😀/|1|exact|ok||||"}, "system-missing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := read(t, export(c.entries))
			if d := cmp.Diff(c.want, only(t, files)); d != "" {
				t.Error(d)
			}
			if got := codes(files[0]); got != c.codes {
				t.Errorf("diagnostics %q, want %q", got, c.codes)
			}
		})
	}
}

func TestRecord(t *testing.T) {
	text := export(`{"A":{"value":3,"min_result":["1.4"],"max_result":["4"],"test_run_times":[1.5,2],
"details":{"compiler-options":{"compiler-type":"CC","compiler":"gcc","compiler-options":"-O3"},"install-footnote":"ruby 2.5"}}}`)
	f := read(t, text)[0]
	line := strings.Index(text, "\n") + 1
	value, hash := strings.Index(text, `3,"min_result"`), strings.Index(text, `"bdab"`)
	want := result.Test{
		Profile: "pts/x-1.0.0", Title: "X", Version: "1", Arguments: "Size: 1 - Fast", Scale: "MB/s", Proportion: result.HIB,
		Options:   []result.Option{{Key: "Size", Value: "1"}, {Value: "Fast"}},
		Footnotes: []string{"(CC) gcc options: -O3", "ruby 2.5"},
		Measurements: []result.Measurement{{
			Value: "3", Min: "1.4", Max: "4", RunTimes: []string{"1.5", "2"},
			Details: []byte(`{"compiler-options":{"compiler-type":"CC","compiler":"gcc","compiler-options":"-O3"},"install-footnote":"ruby 2.5"}`),
			Origin:  result.Origin{Source: "in.json", Line: 2, Column: value - line + 1, Offset: value, Rule: "json/value"},
		}},
		Origin: result.Origin{Source: "in.json", Line: 2, Column: hash - line + 1, Offset: hash, Rule: "json/result"},
	}
	if d := cmp.Diff(want, f.Tests[0]); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]result.Component{{Key: "Processor", Value: "P"}, {Key: "Disk", Value: "D"}}, f.Systems[0].Hardware); d != "" {
		t.Error(d)
	}
}

// A document that is cut anywhere gives a part of what the whole one gives.
func TestTruncated(t *testing.T) {
	whole := export(`{"A":{"value":123,"raw_values":[122,124]},"B":{"value":4.5}}`)
	all := map[string]bool{}
	for _, m := range read(t, whole)[0].Tests[0].Measurements {
		all[m.Value] = true
	}
	for n := len(`{"title":`); n < len(whole); n++ {
		files := read(t, whole[:n])
		if len(files) != 1 {
			t.Fatalf("cut at %d: %d files", n, len(files))
		}
		if !strings.Contains(codes(files[0]), "truncated") {
			t.Errorf("cut at %d: not said to be cut: %s", n, codes(files[0]))
		}
		for _, test := range files[0].Tests {
			for _, m := range test.Measurements {
				if !all[m.Value] {
					t.Errorf("cut at %d: value %q", n, m.Value)
				}
				if runs := strings.Join(m.RawValues, " "); runs != "" && (runs != "122 124" || m.Samples != 2) {
					t.Errorf("cut at %d: runs %q, N = %d, of two", n, runs, m.Samples)
				}
			}
		}
	}
}

// A number that breaks the JSON is not what of it the JSON can have.
func TestBrokenNumber(t *testing.T) {
	for _, c := range []struct{ entry, value, alternatives, runs string }{
		{`{"value":3,099.96,"raw_values":[3000,3200]}`, "", "3", ""},
		{`{"raw_values":[3000,3200],"value":3,099.96}`, "", "3", "3000 3200"},
		{`{"value":3099.96,"raw_values":[3,000.5,3,199.4]}`, "3099.96", "", ""},
		{`{"value":3099.96,"details":nothing}`, "3099.96", "", ""},
	} {
		f := read(t, export(`{"A":`+c.entry+`}`))[0]
		m := f.Tests[0].Measurements[0]
		if m.Value != c.value || strings.Join(m.Alternatives, " ") != c.alternatives || strings.Join(m.RawValues, " ") != c.runs ||
			(m.Decode == result.DecodeAmbiguous) != (c.value == "") || codes(f) != "malformed" {
			t.Errorf("%s: %q %s %q, runs %q, %s", c.entry, m.Value, m.Decode, m.Alternatives, m.RawValues, codes(f))
		}
	}
}

func TestSeveral(t *testing.T) {
	one := export(`{"A":{"value":1}}`)
	files := read(t, "Notice: no network\n"+one+"\n"+one+"done\n")
	if len(files) != 2 || codes(files[0]) != "stray-text" || codes(files[1]) != "stray-text" {
		t.Errorf("got %d files", len(files))
	}
	if at := files[1].Tests[0].Origin; at.Line != 5 {
		t.Errorf("the second file's test stands in line %d, want 5", at.Line)
	}
}

func TestRefuse(t *testing.T) {
	for _, text := range []string{"", "{}", "[1,2]", `{"schema":1}`} {
		err := Read(source.New("in", text), func(*result.File) error { return nil })
		var syntax *source.SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("%q: %v", text, err)
		}
	}
	deep := export(`{"A":` + strings.Repeat("[", 1000))
	var limit *source.LimitError
	if err := Read(source.New("in", deep), func(*result.File) error { return nil }); err != nil && !errors.As(err, &limit) {
		t.Errorf("nested lists: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(export(`{"A":{"value":1.50,"raw_values":[1,2],"details":{"error":"E"}},"B":{"value":NaN}}`))
	f.Add(export(`[{"value":"1,2","min_result":["1"]},{}]`))
	paths, _ := filepath.Glob("../../../../shared/corpus/defects/*/pts.json")
	for _, p := range paths {
		if data, err := os.ReadFile(p); err == nil {
			f.Add(string(data))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		doc := source.New("in", text)
		_ = Read(doc, func(file *result.File) error {
			if !strings.Contains(text, `\`) { // escapes print otherwise
				oracle.Stands(t, file, text)
			}
			return nil
		})
	})
}
