package xml

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

var memberTests = []struct {
	in, want string // key=text, one a word; "bad" if the data is none
}{
	{`{}`, ""},
	{` { } `, ""},
	{`[]`, ""},
	{`null`, ""},
	{`false`, ""},
	{`{"a":"b"}`, "a=b"},
	{` { "a" : "b" , "c":1.50e+3 }` + "\n", "a=b c=1.50e+3"},
	{`{"a":{"b":["c",{}],"d":null},"e":[]}`, `a={"b":["c",{}],"d":null} e=[]`},
	{`{"a":null,"b":true,"c":""}`, "a= b=true c="},
	{`{"\u0061\n":"x\/\"y\u00e9"}`, "a\n=x/\"yé"},
	{`{"a":-0.5,"b":0}`, "a=-0.5 b=0"},
	{``, "bad"},
	{`{`, "bad"},
	{`{"a"`, "bad"},
	{`{"a":`, "bad"},
	{`{"a":"b"`, "a=b bad"},
	{`{"a":"b",}`, "a=b bad"},
	{`{"a":"b"} x`, "a=b bad"},
	{`{,}`, "bad"},
	{`{"a":01}`, "a=0 bad"},
	{`{"a":1.}`, "bad"},
	{`{"a":tru}`, "bad"},
	{`{"a":"` + "\n" + `"}`, "bad"},
	{`{"a":"\x"}`, "bad"},
	{`{"a":"\u12g4"}`, "bad"},
	{`{a:1}`, "bad"},
	{`[1]`, "bad"},
	{`"a"`, "bad"},
	{`{"a":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}`, "bad"},
}

func listMembers(data []byte) (string, bool) {
	var list []string
	m := walk(data)
	for m.next() {
		list = append(list, string(m.key)+"="+string(m.text()))
	}
	if m.bad {
		list = append(list, "bad")
	}
	return strings.Join(list, " "), m.bad
}

func TestMembers(t *testing.T) {
	for _, test := range memberTests {
		if got, _ := listMembers([]byte(test.in)); got != test.want {
			t.Errorf("%s: got %s, want %s", test.in, got, test.want)
		}
	}
}

// FuzzMembers checks the members against encoding/json: the same documents
// are objects, with the same members.
func FuzzMembers(f *testing.F) {
	for _, test := range memberTests {
		f.Add([]byte(test.in))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if !utf8.Valid(data) {
			return // text of the scanner always is
		}
		got, bad := listMembers(data)
		d := json.NewDecoder(bytes.NewReader(data))
		d.UseNumber()
		var all map[string]json.RawMessage
		err := d.Decode(&all)
		if !json.Valid(data) {
			if !bad {
				t.Fatalf("%q is no JSON, but gives %s", data, got)
			}
			return
		}
		if bytes.Count(data, []byte("["))+bytes.Count(data, []byte("{")) > jsonDepth {
			return // may be too deep
		}
		if object := err == nil && all != nil; object == bad {
			trimmed := bytes.Trim(data, "[] \t\r\n")
			if len(trimmed) == 0 || string(trimmed) == "null" || string(trimmed) == "false" {
				return
			}
			t.Fatalf("%q is an object for encoding/json: %v, here: %v", data, object, !bad)
		}
		if bad {
			return
		}
		// Of equal keys the last holds there.
		mine := make(map[string]string)
		m := walk(data)
		for m.next() {
			mine[string(m.key)] = string(m.text())
		}
		if len(mine) != len(all) {
			t.Fatalf("%q: %d members, want %d", data, len(mine), len(all))
		}
		for key, raw := range all {
			want := string(raw)
			var s string
			if string(raw) == "null" {
				want = ""
			} else if json.Unmarshal(raw, &s) == nil {
				want = s
			}
			if mine[key] != want {
				t.Fatalf("%q: %q is %q, want %q", data, key, mine[key], want)
			}
		}
	})
}
