package result

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"
)

// document wraps the members of one file's object.
func document(members string) string {
	return `{"schema":"benchproof/result/1","files":[{` + members + `}]}`
}

func TestDecodeJSONErrors(t *testing.T) {
	const system = `"systems":[{"identifier":"A"}],`
	// The mark ¦ stands where the error must point to, and is taken out.
	tests := []struct{ name, in, message string }{
		{"empty", "¦", "the document ends too early"},
		{"no object", "¦[]", "found a list, expected an object"},
		{"cut off", `{"schema":"benchproof/result/1","files":[¦`, "ends too early"},
		{"no schema", `{"files":[]¦}`, `key "schema" is missing`},
		{"no files", `{"schema":"benchproof/result/1"¦}`, `key "files" is missing`},
		{"other schema", "{\n \"schema\": ¦\"benchproof/result/2\"}", `found the schema "benchproof/result/2"`},
		{"schema twice", `{"schema":"benchproof/result/1","files":[],¦"schema":"benchproof/result/1"}`, "stands twice"},
		{"trailing", `{"schema":"benchproof/result/1","files":[]} ¦x`, "after the document"},
		{"trailing comma", `{"schema":"benchproof/result/1","files":[],¦}`, "after a comma"},
		{"no tests", document(`"systems":[]¦`), `key "tests" is missing`},
		{"title is a number", document(`"title": ¦5,"systems":[],"tests":[]`), "found a number, expected a string"},
		{"title is null", document(`"title":¦null,"systems":[],"tests":[]`), "found null, expected a string"},
		{"tests is an object", document(`"systems":[],"tests":¦{}`), "found an object, expected a list"},
		{"key twice", document(`"title":"a",¦"title":"b","systems":[],"tests":[]`), `key "title" stands twice`},
		{"unknown proportion", document(system + "\"tests\":[{\"title\":\"\",\"measurements\":[],\n\"proportion\":¦\"UP\"}]"), "unknown proportion"},
		{"unknown decode", document(`"title_split":¦"sure","systems":[],"tests":[]`), "unknown decode"},
		{"long word", document(`"title_split":¦"` + strings.Repeat("x", 100) + `","systems":[],"tests":[]`), "unknown word of 100 bytes"},
		{"no system_index", document(system + `"tests":[{"title":"","measurements":[{"value":"1"¦}]}]`), `key "system_index" is missing`},
		{"no value", document(system + `"tests":[{"title":"","measurements":[{"system_index":0¦}]}]`), `key "value" is missing`},
		{"no such system", document(system + `"tests":[{"title":"","measurements":[{"system_index":¦1,"value":"1"}]}]`), "system 1 is not there: the file has 1"},
		{"negative system", document(system + `"tests":[{"title":"","measurements":[{"system_index":¦-1,"value":"1"}]}]`), "found -1"},
		{"half a system", document(system + `"tests":[{"title":"","measurements":[{"system_index":¦0.5,"value":"1"}]}]`), "found 0.5"},
		{"value is a number", document(system + `"tests":[{"title":"","measurements":[{"system_index":0,"value":¦1}]}]`), "found a number, expected a string"},
		{"unassigned to no system", document(system + `"tests":[{"title":"","measurements":[],"unassigned":[{"std_error":"1","systems":[0,¦7]}]}]`), "system 7"},
		{"severity", document(`"systems":[],"tests":[],"diagnostics":[{"severity":¦"bad","code":"","message":""}]`), "unknown severity"},
		{"raw newline", "{\"schema\":\"\n¦\"}", "control character"},
		{"bad escape", `{"sch\x¦":1}`, "unknown escape"},
		{"lone surrogate", `{"a":"\ud800¦"}`, "surrogate"},
		{"bad UTF-8", "{\"a\":¦\"\xff\"}", "not valid UTF-8"},
		{"leading zero", `{"a":¦01}`, "is no number"},
		{"deep", `{"a":` + strings.Repeat("[", 65) + "¦" + strings.Repeat("[", 35), "nesting over the limit"},
		{"bad word", `{"a":nul}¦`, "null"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before, after, _ := strings.Cut(tt.in, "¦")
			_, err := DecodeJSON(strings.NewReader(before + after))
			var e *JSONError
			if !errors.As(err, &e) {
				t.Fatalf("error %v, want a JSONError", err)
			}
			line := 1 + strings.Count(before, "\n")
			column := len(before) - strings.LastIndexByte(before, '\n')
			if e.Offset != len(before) || e.Line != line || e.Column != column || !strings.Contains(e.Message, tt.message) {
				t.Errorf("got %v, offset %d, want %d:%d: …%s…, offset %d", e, e.Offset, line, column, tt.message, len(before))
			}
		})
	}
}

func TestDecodeJSONTolerates(t *testing.T) {
	for name, in := range map[string]string{
		"unknown keys":     `{"schema":"benchproof/result/1","new":[1,{"a":null}],"files":[{"systems":[],"tests":[],"new":-1.5e+3}],"z":true}`,
		"schema last":      `{"files":[{"systems":[],"tests":[]}],"schema":"benchproof/result/1"}`,
		"tests first":      document(`"tests":[{"title":"","measurements":[{"system_index":0,"value":"1"}]}],"systems":[{"identifier":"A"}]`),
		"samples null":     document(`"systems":[{"identifier":"A"}],"tests":[{"title":"","measurements":[{"system_index":0,"value":"1","samples":null}]}]`),
		"white space":      " \r\n\t{ \"schema\" : \"benchproof/result/1\" ,\"files\" : [ { \"systems\" : [ ] , \"tests\":[] } ] } \n",
		"surrogate pair":   document(`"title":"\ud83d\ude00","systems":[],"tests":[]`),
		"wrong derivation": document(`"systems":[{"identifier":"A"}],"tests":[{"title":"","measurements":[{"system_index":0,"value":"1","number":2,"system":"B"}]}]`),
	} {
		files, err := DecodeJSON(strings.NewReader(in))
		if err != nil || len(files) != 1 {
			t.Errorf("%s: %d files, error %v", name, len(files), err)
		}
	}
}

// TestDecodeJSONDerived: what is derived is derived anew, whatever the
// document says.
func TestDecodeJSONDerived(t *testing.T) {
	in := document(`"systems":[{"identifier":"A"}],"tests":[{"title":"","measurements":[{"system_index":0,"value":"1.50","number":7,"half_unit":null,"system":"B"}]}]`)
	files, err := DecodeJSON(strings.NewReader(in))
	if err != nil {
		t.Fatal(err)
	}
	m := &files[0].Tests[0].Measurements[0]
	if v, ok := m.Number(); v != 1.5 || !ok || m.HalfUnit() != 0.005 {
		t.Errorf("number %v %v, half-unit %v", v, ok, m.HalfUnit())
	}
}

func TestDecoderLimits(t *testing.T) {
	two := document(`"systems":[{"identifier":"A"},{"identifier":"B"}],"tests":[{"title":"x","measurements":[]},{"title":"y","measurements":[]}]`)
	tests := []struct {
		limit string
		d     Decoder
	}{
		{"MaxSystems", Decoder{MaxSystems: 1}},
		{"MaxTests", Decoder{MaxTests: 1}},
		{"MaxText", Decoder{MaxText: 8}},
		{"MaxBytes", Decoder{MaxBytes: 60}},
	}
	for _, tt := range tests {
		d := tt.d
		d.r = strings.NewReader(two)
		_, err := d.Next()
		var e *JSONError
		if !errors.As(err, &e) || e.Limit != tt.limit {
			t.Errorf("%s: error %v", tt.limit, err)
		}
		if _, again := d.Next(); again != err {
			t.Errorf("%s: a failed decoder goes on: %v", tt.limit, again)
		}
	}
}

// TestDecoderKeepsWholeFiles: the files before a damaged one are yielded.
func TestDecoderKeepsWholeFiles(t *testing.T) {
	in := `{"schema":"benchproof/result/1","files":[{"title":"a","systems":[],"tests":[]},{"title":`
	files, err := DecodeJSON(strings.NewReader(in))
	if len(files) != 1 || files[0].Title != "a" || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%d files, error %v", len(files), err)
	}
	broken := errors.New("broken pipe")
	_, err = DecodeJSON(io.MultiReader(strings.NewReader(in), iotest.ErrReader(broken)))
	if !errors.Is(err, broken) {
		t.Errorf("reader's error lost: %v", err)
	}
}

// TestDecodeJSONTruncated cuts a document at every byte.
func TestDecodeJSONTruncated(t *testing.T) {
	doc := strings.TrimRight(smallJSON, "\n")
	for i := range len(doc) {
		if _, err := DecodeJSON(strings.NewReader(doc[:i])); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Fatalf("cut at %d: %v", i, err)
		}
	}
}

// FuzzDecodeJSON: what is accepted is JSON for encoding/json too, and comes
// back equal.
func FuzzDecodeJSON(f *testing.F) {
	f.Add([]byte(smallJSON))
	f.Add([]byte(document(`"systems":[],"tests":[],"x":[0,-0.5e+7,{"k":"\u0000\ud83d\ude00"}]`)))
	f.Fuzz(func(t *testing.T, in []byte) {
		d := NewDecoder(bytes.NewReader(in))
		d.MaxBytes, d.MaxText = 1<<20, 1<<16
		var files []*File
		for {
			file, err := d.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return
			}
			files = append(files, file)
		}
		if !json.Valid(in) {
			t.Fatalf("accepted what encoding/json refuses: %q", in)
		}
		var out bytes.Buffer
		if err := EncodeJSON(&out, files); err != nil {
			t.Fatal(err)
		}
		again, err := DecodeJSON(bytes.NewReader(out.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		var out2 bytes.Buffer
		if err := EncodeJSON(&out2, again); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(out.Bytes(), out2.Bytes()) {
			t.Fatalf("encoded again:\n%s\n%s", out.Bytes(), out2.Bytes())
		}
	})
}

// FuzzJSONScan: the scanner skips exactly the values that encoding/json
// takes, stricter only in UTF-8, surrogates and depth; strings come out the
// same.
func FuzzJSONScan(f *testing.F) {
	for _, s := range []string{`null`, `"a\u00e9\n"`, `[1,2.5e-3,{}]`, `{"a":[true,false]}`, `-`, `1.`, `"\ud800"`, `00`, `[1,]`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		s := newJSONScanner(bytes.NewReader(in), 1<<20, 1<<20)
		err := s.skip(0)
		if err == nil {
			err = s.end()
		}
		valid := json.Valid(in)
		if err == nil && !valid {
			t.Fatalf("accepted %q", in)
		}
		if err != nil && valid {
			m := err.Error()
			if !strings.Contains(m, "surrogate") && !strings.Contains(m, "UTF-8") && !strings.Contains(m, "nesting") && !strings.Contains(m, "400 characters") {
				t.Fatalf("refused %q: %v", in, err)
			}
		}
		var want string
		if json.Unmarshal(in, &want) == nil && utf8.Valid(in) && !strings.Contains(want, "\ufffd") && bytes.HasPrefix(bytes.TrimLeft(in, " \t\r\n"), []byte(`"`)) {
			var got string
			if err := newJSONScanner(bytes.NewReader(in), 1<<20, 1<<20).text(&got); err != nil || got != want {
				t.Fatalf("%q: got %q, %v, want %q", in, got, err, want)
			}
		}
	})
}
