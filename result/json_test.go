package result

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// smallFile is written out by hand in TestEncodeJSONGolden.
func smallFile() *File {
	return &File{
		Title: "A <b>", Source: "a.txt", Format: FormatText,
		Systems: []System{{
			Identifier: "EXT4", Hardware: []Component{{"Disk", "SSD 2.5\""}},
			InheritedKeys: []string{"Disk"}, Origin: Origin{Source: "a.txt", Line: 2, Column: 1, Offset: 9},
		}, {Identifier: "EXT4"}},
		Tests: []Test{{
			Title: "FS-Mark", Version: "3.3", Arguments: "Test: 1000 Files - 12 Clients",
			Options: ParseOptions("Test: 1000 Files - 12 Clients"), Scale: "Files/s", Proportion: HIB,
			Measurements: []Measurement{
				{Value: "698.00", StdError: "0.5", Samples: 3, Origin: Origin{Line: 7, Column: 3, Offset: 80, Rule: "text/bar-row"}},
				{System: 1, Status: StatusFailed, Reason: "no result"},
			},
		}},
		Diagnostics: []Diagnostic{{Severity: SeverityWarning, Code: "duplicate", Message: "EXT4 twice"}},
	}
}

const smallJSON = `{
 "schema": "benchproof/result/1",
 "files": [
  {
   "title": "A \u003cb\u003e",
   "description": "",
   "title_split": "exact",
   "source": "a.txt",
   "url": "",
   "published_identifier": "",
   "generator": "",
   "format": "text",
   "systems": [
    {
     "identifier": "EXT4",
     "group_path": [],
     "decode": "exact",
     "hardware": [
      {
       "key": "Disk",
       "value": "SSD 2.5\""
      }
     ],
     "software": [],
     "notes": [],
     "inherited_keys": [
      "Disk"
     ],
     "origin": {
      "source": "a.txt",
      "line": 2,
      "column": 1,
      "offset": 9
     }
    },
    {
     "identifier": "EXT4",
     "group_path": [],
     "decode": "exact",
     "hardware": [],
     "software": [],
     "notes": [],
     "inherited_keys": [],
     "origin": {
      "line": 0,
      "column": 0,
      "offset": 0
     }
    }
   ],
   "tests": [
    {
     "profile": "",
     "title": "FS-Mark",
     "version": "3.3",
     "head_decode": "exact",
     "arguments": "Test: 1000 Files - 12 Clients",
     "options": [
      {
       "key": "Test",
       "value": "1000 Files"
      },
      {
       "value": "12 Clients"
      }
     ],
     "scale": "Files/s",
     "proportion": "HIB",
     "display_format": "",
     "footnotes": [],
     "measurements": [
      {
       "system": "EXT4",
       "system_index": 0,
       "value": "698.00",
       "number": 698,
       "half_unit": 0.005,
       "std_error": "0.5",
       "std_error_number": 0.5,
       "std_error_half_unit": 0.05,
       "std_error_derived": false,
       "samples": 3,
       "raw_values": [],
       "status": "ok",
       "decode": "exact",
       "origin": {
        "line": 7,
        "column": 3,
        "offset": 80,
        "rule": "text/bar-row"
       }
      },
      {
       "system": "EXT4 #2",
       "system_index": 1,
       "value": "",
       "number": null,
       "half_unit": null,
       "std_error": "",
       "std_error_number": null,
       "std_error_half_unit": null,
       "std_error_derived": false,
       "samples": null,
       "raw_values": [],
       "status": "failed",
       "reason": "no result",
       "decode": "exact",
       "origin": {
        "line": 0,
        "column": 0,
        "offset": 0
       }
      }
     ],
     "unassigned": [],
     "origin": {
      "line": 0,
      "column": 0,
      "offset": 0
     }
    }
   ],
   "diagnostics": [
    {
     "severity": "warning",
     "origin": {
      "line": 0,
      "column": 0,
      "offset": 0
     },
     "code": "duplicate",
     "message": "EXT4 twice"
    }
   ]
  }
 ]
}
`

func TestEncodeJSONGolden(t *testing.T) {
	var b bytes.Buffer
	if err := EncodeJSON(&b, []*File{smallFile()}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(smallJSON, b.String()); diff != "" {
		t.Errorf("document (-want +got):\n%s", diff)
	}
}

func TestEncodeJSONEmpty(t *testing.T) {
	var b bytes.Buffer
	if err := EncodeJSON(&b, nil); err != nil {
		t.Fatal(err)
	}
	if want := "{\n \"schema\": \"benchproof/result/1\",\n \"files\": []\n}\n"; b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
	files, err := DecodeJSON(&b)
	if err != nil || len(files) != 0 {
		t.Errorf("decoded %d files, error %v", len(files), err)
	}
}

// fill returns a generator for any type of the record: every field set to
// something, lists empty (nil) now and then. A field that is new in the
// record but not in its JSON form therefore breaks the round trip.
func fill(typ reflect.Type) *rapid.Generator[reflect.Value] {
	return rapid.Custom(func(t *rapid.T) reflect.Value {
		v := reflect.New(typ).Elem()
		switch {
		case typ == reflect.TypeFor[Decode]():
			v.SetUint(uint64(rapid.IntRange(0, 2).Draw(t, "decode")))
		case typ == reflect.TypeFor[Status]():
			v.SetUint(uint64(rapid.IntRange(0, 1).Draw(t, "status")))
		case typ == reflect.TypeFor[Proportion]():
			v.SetString(string(rapid.SampledFrom([]Proportion{HIB, LIB, ""}).Draw(t, "proportion")))
		case typ == reflect.TypeFor[Severity]():
			v.SetString(string(rapid.SampledFrom([]Severity{SeverityInfo, SeverityWarning, SeverityError}).Draw(t, "severity")))
		case typ == reflect.TypeFor[[]byte]():
			if s := rapid.String().Draw(t, "details"); s != "" {
				v.SetBytes([]byte(s))
			}
		case typ.Kind() == reflect.String:
			v.SetString(rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
				"\x00\x1b[31m", "\u009b0m", "\u202eabc", "</script>", "a\u2028b", "\"\\/", "\ufeff", "日本", "1e9", "-12.50",
			})).Draw(t, "text"))
		case typ.Kind() == reflect.Int:
			v.SetInt(int64(rapid.IntRange(0, 1<<40).Draw(t, "n")))
		case typ.Kind() == reflect.Bool:
			v.SetBool(rapid.Bool().Draw(t, "b"))
		case typ.Kind() == reflect.Pointer:
			if rapid.Bool().Draw(t, "set") {
				v.Set(reflect.New(typ.Elem()))
				v.Elem().Set(fill(typ.Elem()).Draw(t, "elem"))
			}
		case typ.Kind() == reflect.Slice:
			for range rapid.IntRange(0, 2).Draw(t, "len") {
				v.Set(reflect.Append(v, fill(typ.Elem()).Draw(t, "elem")))
			}
		case typ.Kind() == reflect.Struct:
			for i := range typ.NumField() {
				v.Field(i).Set(fill(typ.Field(i).Type).Draw(t, typ.Field(i).Name))
			}
		default:
			panic("record has a field of kind " + typ.Kind().String())
		}
		return v
	})
}

// anyFile draws a whole record whose indexes are in range.
func anyFile(t *rapid.T) *File {
	f := fill(reflect.TypeFor[File]()).Draw(t, "file").Interface().(File)
	if len(f.Systems) == 0 {
		f.Systems = []System{{Identifier: "A"}}
	}
	for i := range f.Tests {
		for j := range f.Tests[i].Measurements {
			f.Tests[i].Measurements[j].System %= len(f.Systems)
		}
		for j := range f.Tests[i].Unassigned {
			for k := range f.Tests[i].Unassigned[j].Systems {
				f.Tests[i].Unassigned[j].Systems[k] %= len(f.Systems)
			}
		}
	}
	for i := range f.Tests {
		for k := range f.Tests[i].Measurements {
			// Others than these are put right.
			switch m := &f.Tests[i].Measurements[k]; {
			case m.Decode == DecodeAmbiguous || m.Status == StatusFailed:
				m.Value = ""
			case m.Value == "":
				m.Value = "7"
			}
		}
	}
	return &f
}

func TestJSONRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var files []*File
		for range rapid.IntRange(0, 2).Draw(t, "files") {
			files = append(files, anyFile(t))
		}
		var first bytes.Buffer
		e := NewEncoder(&first)
		e.Compact = rapid.Bool().Draw(t, "compact")
		for _, f := range files {
			if err := e.Encode(f); err != nil {
				t.Fatal(err)
			}
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		if !json.Valid(first.Bytes()) {
			t.Fatalf("not JSON: %s", first.Bytes())
		}
		for _, r := range first.String() {
			if r != '\n' && Hidden(r) {
				t.Fatalf("%U in the document", r)
			}
		}

		got, err := DecodeJSON(bytes.NewReader(first.Bytes()))
		if err != nil {
			t.Fatalf("%v\n%s", err, first.Bytes())
		}
		if diff := cmp.Diff(files, got); diff != "" {
			t.Fatalf("record (-want +got):\n%s", diff)
		}

		var second bytes.Buffer
		e2 := NewEncoder(&second)
		e2.Compact = e.Compact
		for _, f := range got {
			if err := e2.Encode(f); err != nil {
				t.Fatal(err)
			}
		}
		if err := e2.Close(); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Fatalf("encoded again:\n%s\n%s", first.Bytes(), second.Bytes())
		}
	})
}

// TestCompactJSON shows that both layouts say the same to another decoder.
func TestCompactJSON(t *testing.T) {
	var b bytes.Buffer
	e := NewEncoder(&b)
	e.Compact = true
	if err := e.Encode(smallFile()); err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if strings.Count(b.String(), "\n") != 1 {
		t.Errorf("compact document has inner newlines: %s", b.String())
	}
	var compact, indented any
	if err := json.Unmarshal(b.Bytes(), &compact); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(smallJSON), &indented); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(indented, compact); diff != "" {
		t.Errorf("compact (-indented +compact):\n%s", diff)
	}
}

func TestEncodeJSONErrors(t *testing.T) {
	for name, f := range map[string]*File{
		"measurement": {Tests: []Test{{Measurements: []Measurement{{System: 1}}}}},
		"negative":    {Systems: []System{{}}, Tests: []Test{{Measurements: []Measurement{{System: -1}}}}},
		"unassigned":  {Systems: []System{{}}, Tests: []Test{{Unassigned: []Unassigned{{Systems: []int{0, 1}}}}}},
	} {
		if err := EncodeJSON(io.Discard, []*File{f}); err == nil {
			t.Errorf("%s: no error for a system that is not there", name)
		}
	}
	full := errors.New("disk full")
	if err := EncodeJSON(failingWriter{full}, []*File{smallFile()}); !errors.Is(err, full) {
		t.Errorf("writer's error lost: %v", err)
	}
	e := NewEncoder(io.Discard)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if err := e.Encode(smallFile()); err == nil {
		t.Error("a closed encoder takes files")
	}
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

func BenchmarkEncodeJSON(b *testing.B) {
	f := wideFile()
	var n countingWriter
	if err := EncodeJSON(&n, []*File{f}); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(n))
	for b.Loop() {
		if err := EncodeJSON(io.Discard, []*File{f}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecodeJSON(b *testing.B) {
	var doc bytes.Buffer
	if err := EncodeJSON(&doc, []*File{wideFile()}); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(doc.Len()))
	for b.Loop() {
		if _, err := DecodeJSON(bytes.NewReader(doc.Bytes())); err != nil {
			b.Fatal(err)
		}
	}
}

type countingWriter int

func (w *countingWriter) Write(p []byte) (int, error) {
	*w += countingWriter(len(p))
	return len(p), nil
}

// wideFile has 1000 tests on 20 systems.
func wideFile() *File {
	f := &File{Title: "wide"}
	for i := range 20 {
		f.AddSystem("system " + itoa(i))
	}
	for i := range 1000 {
		t := Test{Title: "Flexible IO Tester", Arguments: "Type: Random Read - Block Size: " + itoa(i) + "KB", Scale: "MB/s", Proportion: HIB}
		for s := range 20 {
			t.Measurements = append(t.Measurements, Measurement{System: s, Value: itoa(1000+i*s) + ".25", StdError: "0.12", Samples: 3})
		}
		f.Tests = append(f.Tests, t)
	}
	return f
}
