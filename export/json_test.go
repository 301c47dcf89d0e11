package export

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/benchproof/benchproof/result"
)

func TestJSONReadsBack(t *testing.T) {
	hard := nasty()
	for i := range hard.Tests {
		// A value that is empty has failed, once it is read.
		if m := &hard.Tests[i].Measurements[1]; m.Value == "" {
			m.Status = result.StatusFailed
		}
	}
	text := write(t, func(b *strings.Builder) Writer { return NewJSON(b, Options{}) }, small(), hard)
	files, err := result.DecodeJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]*result.File{small(), hard}, files); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func ndjsonOf(o Options) func(*strings.Builder) Writer {
	return func(b *strings.Builder) Writer { return NewNDJSON(b, o) }
}

func TestNDJSON(t *testing.T) {
	lines := strings.Split(write(t, ndjsonOf(Options{}), small()), "\n")
	for i, want := range map[int]string{
		0: `{"source":"small.txt","title":"Small","test":"FS-Mark","version":"3.3","profile":"pts/fs-mark-1.0.2","arguments":"Test: 1000 Files, 1MB Size","options":[{"key":"Test","value":"1000 Files, 1MB Size"}],"scale":"Files/s","proportion":"HIB","system":"HDD: EXT4","value":"698.00","number":698,"std_error":"0.41","std_error_derived":false,"samples":9,"raw_values":[],"status":"ok","reason":"","decode":"exact","alternatives":[],"line":7,"column":3}`,
		1: `{"source":"small.txt","title":"Small","test":"FS-Mark","version":"3.3","profile":"pts/fs-mark-1.0.2","arguments":"Test: 1000 Files, 1MB Size","options":[{"key":"Test","value":"1000 Files, 1MB Size"}],"scale":"Files/s","proportion":"HIB","system":"HDD: XFS","value":"-5","number":-5,"std_error":"1","std_error_derived":true,"samples":2,"raw_values":["-4","-6"],"status":"ok","reason":"","decode":"exact","alternatives":[],"line":null,"column":null}`,
		2: `{"source":"small.txt","title":"Small","test":"FS-Mark","version":"3.3","profile":"pts/fs-mark-1.0.2","arguments":"Test: 1000 Files, 1MB Size","options":[{"key":"Test","value":"1000 Files, 1MB Size"}],"scale":"Files/s","proportion":"HIB","system":"HDD: XFS #2","value":"","number":null,"std_error":"","std_error_derived":false,"samples":null,"raw_values":[],"status":"failed","reason":"did not produce a result","decode":"exact","alternatives":[],"line":null,"column":null}`,
		6: `{"source":"small.txt","title":"Small","test":"Unsure","version":"","profile":"","arguments":"","options":[],"scale":"s","proportion":"","system":"HDD: EXT4","value":"","number":null,"std_error":"","std_error_derived":false,"samples":null,"raw_values":[],"status":"ok","reason":"","decode":"ambiguous","alternatives":["1.2","12"],"line":null,"column":null}`,
	} {
		if diff := cmp.Diff(want, lines[i]); diff != "" {
			t.Errorf("line %d (-want +got):\n%s", i+1, diff)
		}
	}
	if len(lines) != 8 || lines[7] != "" {
		t.Errorf("%d lines", len(lines))
	}
}

// TestNDJSONTables: the other tables have the names and texts of their
// columns, counts as numbers, and inherited as a boolean.
func TestNDJSONTables(t *testing.T) {
	for _, f := range []*result.File{small(), nasty()} {
		for _, table := range []Table{Systems, Runs, Diagnostics} {
			lines := strings.Split(strings.TrimSuffix(write(t, ndjsonOf(Options{Table: table}), f), "\n"), "\n")
			i := 0
			for row := range table.Rows(f) {
				var got map[string]any
				if err := json.Unmarshal([]byte(lines[i]), &got); err != nil {
					t.Fatalf("%v: %s", err, lines[i])
				}
				for c, cell := range row {
					column := table.Columns()[c]
					var want any = cell
					switch {
					case column.Kind == Bool:
						want = cell == "true"
					case column.Kind == Count && cell == "":
						want = nil
					case column.Kind == Count:
						var n float64
						if err := json.Unmarshal([]byte(cell), &n); err != nil {
							t.Fatal(err)
						}
						want = n
					}
					if !reflect.DeepEqual(got[column.Name], want) {
						t.Errorf("%s line %d, %s: got %v, want %v", table, i+1, column.Name, got[column.Name], want)
					}
				}
				if len(got) != len(row) {
					t.Errorf("%s: %d names, want %d", table, len(got), len(row))
				}
				i++
			}
			if i != len(lines) {
				t.Errorf("%s: %d lines, want %d", table, len(lines), i)
			}
		}
	}
}

// TestJSONRows: a table as JSON is the lines of NDJSON in an array.
func TestJSONRows(t *testing.T) {
	for _, o := range []Options{{Table: Results}, {Layout: Long}, {Layout: Wide}, {Table: Systems}, {Table: Runs}, {Table: Diagnostics}} {
		for _, files := range [][]*result.File{nil, {{}}, {small()}, {small(), nasty()}} {
			var rows []json.RawMessage
			text := write(t, func(b *strings.Builder) Writer { return NewJSON(b, o) }, files...)
			if err := json.Unmarshal([]byte(text), &rows); err != nil {
				t.Fatalf("%+v: %v\n%s", o, err, text)
			}
			lines := strings.SplitAfter(write(t, ndjsonOf(o), files...), "\n")
			lines = lines[:len(lines)-1]
			if len(rows) != len(lines) || rows == nil {
				t.Fatalf("%+v: %d rows, %d lines", o, len(rows), len(lines))
			}
			for i := range rows {
				if string(rows[i])+"\n" != lines[i] {
					t.Errorf("%+v: row %s, line %s", o, rows[i], lines[i])
				}
			}
		}
	}
}

func TestNDJSONWide(t *testing.T) {
	want := `{"test":"FS-Mark","version":"3.3","arguments":"Test: 1000 Files, 1MB Size","scale":"Files/s","proportion":"HIB","values":{"HDD: EXT4":"698.00","HDD: XFS":"-5"}}
{"test":"Sensor","version":"","arguments":"","scale":"Celsius","proportion":"LIB","values":{"HDD: EXT4":"0.50","HDD: XFS":"1,2,3"}}
{"test":"Sensor","version":"","arguments":"","scale":"Celsius","proportion":"LIB","values":{"HDD: XFS":"7"}}
{"test":"Unsure","version":"","arguments":"","scale":"s","proportion":"","values":{}}
{"test":"Empty","version":"","arguments":"","scale":"","proportion":"","values":{}}
`
	if diff := cmp.Diff(want, write(t, ndjsonOf(Options{Layout: Wide}), small())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestNothingHidden: no form made for people or terminals passes a control
// character or a mark of direction.
func TestNothingHidden(t *testing.T) {
	for name, open := range map[string]func(*strings.Builder) Writer{
		"json":          func(b *strings.Builder) Writer { return NewJSON(b, Options{}) },
		"ndjson":        ndjsonOf(Options{}),
		"ndjson tables": ndjsonOf(Options{Table: Systems}),
		"markdown":      func(b *strings.Builder) Writer { return NewMarkdown(b, Options{}) },
		"markdown wide": func(b *strings.Builder) Writer { return NewMarkdown(b, Options{Layout: Wide}) },
		"text":          func(b *strings.Builder) Writer { return NewText(b, Options{Table: Results}) },
	} {
		text := write(t, open, nasty())
		if i := strings.IndexFunc(text, func(r rune) bool { return r != '\n' && (result.Hidden(r) || unicode.IsControl(r)) }); i >= 0 {
			t.Errorf("%s passes %q", name, text[i:min(i+20, len(text))])
		}
		if strings.Contains(text, "<script>") {
			if name != "text" {
				t.Errorf("%s passes a script element", name)
			}
		}
	}
}

func BenchmarkNDJSON(b *testing.B) {
	f := &result.File{Systems: []result.System{{Identifier: "A"}}}
	for range 1000 {
		f.Tests = append(f.Tests, result.Test{Title: "T", Measurements: []result.Measurement{{Value: "1.5"}}})
	}
	for b.Loop() {
		var s strings.Builder
		if err := NewNDJSON(&s, Options{}).Write(f); err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(s.Len()))
	}
}
