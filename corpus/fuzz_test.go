package corpus

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/benchproof/benchproof/result"
)

// FuzzManifest: a manifest is read whole, with names that stay below its
// directory and counts that can be, or the error names its file; written again
// it is the same, and a writer finds it as it was.
func FuzzManifest(f *testing.F) {
	part := `{"name":"part-000001","rows":{"files":1},"bytes":{"files":9},"sha256":{"files":"00"}}`
	head := `{"schema":"` + SchemaID + `","program":"benchproof 1"`
	f.Add(head + `,"parts":[` + part + `],"next":2,"superseded":0}`)
	f.Add(head + `,"parts":[` + part + `],"next":1,"superseded":-1} trailing`)
	f.Add(head + `,"parts":[{"name":"part-000001/../../x"}]}`)
	f.Add(head + `,"parts":[{"name":"part-99999999999999999999","rows":{"files":-9223372036854775808}}],"next":-5}`)
	f.Add(head + `,"parts":[{"name":"part-000001","rows":null},{"name":"part-0000001"}]}`)
	f.Add(`null`)
	f.Add(`{"schema":"\u001b[31m"}`)
	f.Fuzz(func(t *testing.T, text string) {
		dir := t.TempDir()
		name := filepath.Join(dir, manifestName)
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		m, err := readManifest(dir)
		if err != nil {
			if s := err.Error(); !strings.HasPrefix(s, name+": ") || !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return r < ' ' }) {
				t.Errorf("%q: error %q", text, s)
			}
			return
		}
		if !json.Valid([]byte(text)) {
			t.Errorf("%q is no JSON, and read as %+v", text, m)
		}
		if m.Superseded < 0 || m.Next < 1 {
			t.Errorf("%q: %+v", text, m)
		}
		for _, p := range m.Parts {
			if filepath.Base(p.Name) != p.Name || !strings.HasPrefix(p.Name, "part-") || !later(partNameOf(m.Next), p.Name) {
				t.Errorf("%q: part %q, the next is %d", text, p.Name, m.Next)
			}
			for _, table := range Tables() {
				if p.Rows[table] < 0 || p.Bytes[table] < 0 {
					t.Errorf("%q: %d rows, %d bytes", text, p.Rows[table], p.Bytes[table])
				}
			}
		}
		// A corpus of these parts, of which no file is there, says so.
		if c, err := Open(dir); err != nil || len(c.Manifest().Parts) > 0 && c.Check() == nil {
			t.Errorf("%q: all is there (%v)", text, err)
		}
		s, err := openStore(dir, "x")
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		defer s.close()
		if err := s.manifest.write(dir); err != nil {
			t.Fatal(err)
		}
		again, err := readManifest(dir)
		if err != nil || !reflect.DeepEqual(m, again) {
			t.Errorf("%q: %+v is written as %+v, %v", text, m, again, err)
		}
	})
}

// FuzzAnswer: an answer of the engine is read to its end, row by row with a cell
// a column, or is an error: nothing that is cut off counts as whole.
func FuzzAnswer(f *testing.F) {
	whole := `{"columns":[{"name":"title","type":"VARCHAR"},{"name":"n","type":"BIGINT"}],"engine":"DuckDB v1"}` + "\n" +
		`["Disks",9007199254740993]` + "\n" + `[null,{"a":[1]}]` + "\n" + `{"end":true,"rows":2,"more":true,"seconds":0.5}` + "\n"
	f.Add(whole)
	f.Add(whole[:len(whole)-1])
	f.Add(strings.Replace(whole, `"rows":2`, `"rows":3`, 1))
	f.Add(`{"error":"no such table\u001b","kind":"sql"}` + "\n")
	f.Add(`["x"]` + "\n" + whole)
	f.Add(`{"columns":[]}` + "\n[]\n" + `{"end":true}` + "\n")
	f.Add(whole + whole)
	f.Add("\n{}\nnull\n")
	f.Fuzz(func(t *testing.T, text string) {
		heads, rows, columns := 0, int64(0), -1
		a, err := readAnswer(strings.NewReader(text), func(a *Answer) error {
			if heads++; rows > 0 {
				t.Errorf("%q: the head behind a row", text)
			}
			columns = len(a.Columns)
			return nil
		}, func(cells []json.RawMessage) error {
			if rows++; len(cells) != columns {
				t.Errorf("%q: %d cells for %d columns", text, len(cells), columns)
			}
			for _, c := range cells {
				if !json.Valid(c) {
					t.Errorf("%q: cell %q", text, c)
				}
			}
			return nil
		})
		if (a == nil) == (err == nil) {
			t.Fatalf("%q: %+v and %v", text, a, err)
		}
		if err != nil {
			var said *QueryError
			if errors.As(err, &said) && said.Message == "" {
				t.Errorf("%q: an error without words", text)
			}
			return
		}
		if heads != 1 || a.Rows != rows {
			t.Errorf("%q: %d heads, %d rows, said are %+v", text, heads, rows, a)
		}
		// Without its last line it is no answer.
		used := strings.SplitAfter(text, "\n")
		cut := ""
		for i, l := range used {
			var end engineLine
			if json.Unmarshal([]byte(l), &end) == nil && end.End {
				cut = strings.Join(used[:i], "")
				break
			}
		}
		if a, err := readAnswer(strings.NewReader(cut), nil, nil); err == nil {
			t.Errorf("%q is read as %+v", cut, a)
		}
	})
}

// FuzzList: each line of a list is a path, without its line's end; what [ListLine]
// writes is read as the path it was given.
func FuzzList(f *testing.F) {
	f.Add("/a\n\r\n/b c\r\n/d", "x")
	f.Add("\xff\n\n", "a\nb")
	f.Add("", "a\r")
	f.Add(strings.Repeat("a", maxListLine+1)+"\n/b", strings.Repeat("a/", maxListLine/2))
	f.Fuzz(func(t *testing.T, text, path string) {
		text = strings.ReplaceAll(text, "/", "\x01") // no directory of this machine is walked
		if strings.Contains(text, "\x00") || strings.Contains(text, "..") || strings.Contains(text, ".") {
			return
		}
		var want []string
		long := false
		for _, l := range strings.Split(text, "\n") {
			if len(l) >= maxListLine {
				long = true
				break
			}
			if l = strings.TrimSuffix(l, "\r"); l != "" {
				want = append(want, l)
			}
		}
		var got []string
		var failed error
		for in := range List(strings.NewReader(text)) {
			if in.Path == "" {
				failed = in.Err
				continue
			}
			if _, err := os.Lstat(in.Path); err == nil {
				return // a file of this directory
			}
			if in.Err == nil {
				t.Errorf("%q is there", in.Path)
			}
			got = append(got, in.Path)
		}
		if (failed != nil) != long {
			t.Errorf("%.100q: %v", text, failed)
		}
		if !long && fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
			t.Errorf("%q names %q, want %q", text, got, want)
		}
		line, err := ListLine(path)
		if err != nil || strings.Contains(path, "\x00") {
			return
		}
		abs, _ := filepath.Abs(path)
		for in := range List(strings.NewReader(line)) {
			if in.Path == abs {
				return
			}
			if rel, err := filepath.Rel(abs, in.Path); err == nil && filepath.IsLocal(rel) {
				return // it is a directory, walked
			}
			t.Fatalf("%q is listed as %q and read as %q", path, line, in.Path)
		}
	})
}

// FuzzRestore: rows that hold together come back as the record whose texts they
// have; rows that name what is not there are an error, and no record.
func FuzzRestore(f *testing.F) {
	f.Add("title", "A", "hardware", "1.50", "ok", "exact", int32(1), int32(1), int32(1), int32(2))
	f.Add("\xff", "", "notes", "NaN", "failed", "inferred", int32(-1), int32(2), int32(0), int32(0))
	f.Add("=1+1", "HDD: A", "Hardware", "-0", "OK", "", int32(1<<30), int32(-1<<31), int32(3), int32(-5))
	f.Fuzz(func(t *testing.T, title, name, kind, value, status, decode string, test, system, measurement, loose int32) {
		rows := &fileRows{
			file:         fileRow{Title: title, FileID: "00", TitleSplit: decode, Systems: 2, Tests: 1},
			systems:      []systemRow{{Identifier: name, Decode: "exact"}, {Identifier: title, Decode: decode}},
			components:   []componentRow{{System: system, Kind: kind, Key: name, Value: value}},
			tests:        []testRow{{Title: title, Arguments: name, HeadDecode: "exact", Unassigned: []unassignedRow{{StdError: value, Systems: []int32{1, loose}}}}},
			measurements: []measurementRow{{Test: test, System: system, Value: value, Status: status, Decode: decode}},
			runs:         []runRow{{Test: test, Measurement: measurement, Value: &value}},
			diagnostics:  []diagnosticRow{{Severity: "info", Code: name, Message: value}},
		}
		file, err := rows.restore()
		inside := test == 1 && (system == 1 || system == 2) && measurement == 1 && (loose == 1 || loose == 2)
		if err != nil {
			if file != nil || !strings.HasPrefix(err.Error(), "file 00: ") {
				t.Errorf("%+v and %v", file, err)
			}
			words := slices.Contains([]string{"hardware", "software", "notes"}, kind) && (status == "ok" || status == "failed") && slices.Contains([]string{"exact", "inferred", "ambiguous"}, decode)
			if inside && words {
				t.Errorf("rows that hold together: %v", err)
			}
			return
		}
		if !inside {
			t.Fatalf("test %d, system %d, measurement %d, %d: restored as %+v", test, system, measurement, loose, file)
		}
		m := file.Tests[0].Measurements[0]
		if file.Title != title || file.Systems[0].Identifier != name || file.Systems[1].Identifier != title || m.Value != value || m.System != int(system)-1 ||
			len(m.RawValues) != 1 || m.RawValues[0] != value || m.Status.String() != status || m.Decode.String() != decode {
			t.Errorf("restored as %+v", file)
		}
		s := &file.Systems[system-1]
		list := map[string][]result.Component{"hardware": s.Hardware, "software": s.Software, "notes": s.Notes}[kind]
		if len(list) != 1 || list[0] != (result.Component{Key: name, Value: value}) {
			t.Errorf("%s of %+v", kind, s)
		}
		var doc bytes.Buffer
		if err := result.EncodeJSON(&doc, []*result.File{file}); err != nil {
			t.Fatal(err)
		}
		if _, err := result.DecodeJSON(&doc); err != nil {
			t.Errorf("what is restored is not read: %v", err)
		}
	})
}
