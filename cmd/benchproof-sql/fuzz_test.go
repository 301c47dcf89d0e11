package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzServe: whatever is asked, the answer is lines of JSON that end with one
// end or one error, and the exit code says which.
func FuzzServe(f *testing.F) {
	f.Add([]byte(`{"protocol":"benchproof/sql/1","sql":"SELECT 1 AS a, 'x' AS b","limits":{"threads":1,"seconds":5}}`))
	f.Add([]byte(`{"protocol":"benchproof/sql/1","sql":"SELECT * FROM t","tables":[{"schema":"s","name":"t","files":["/nowhere"]}],"limits":{"threads":-1}}`))
	f.Add([]byte(`{"protocol":"benchproof/sql/1","sql":"SELECT ?","params":[{"a":[null]}],"limits":{"rows":-1,"seconds":-1,"memory":"0MB"}}`))
	f.Add([]byte(`{"protocol":"benchproof/sql/1","sql":"SELECT 1","views":[{"name":"v","sql":"SELECT '"}],"limits":{"seconds":1e300}}`))
	f.Add([]byte(`{"protocol":"benchproof/sql/2"}`))
	f.Add([]byte("\xff{"))
	f.Fuzz(func(t *testing.T, doc []byte) {
		// Statements of the fuzzer's own are for the engine's authors; what
		// is tried is how they are asked and answered.
		var q request
		if json.Unmarshal(doc, &q) == nil && (!strings.HasPrefix(q.SQL, "SELECT") || len(q.SQL) > 40 || strings.Contains(q.SQL, "(")) {
			return
		}
		for i := range q.Views {
			if !strings.HasPrefix(q.Views[i].SQL, "SELECT '") {
				return
			}
		}
		var out bytes.Buffer
		code := serve(t.Context(), bytes.NewReader(doc), &out)
		if !utf8.Valid(out.Bytes()) || !bytes.HasSuffix(out.Bytes(), []byte("\n")) {
			t.Fatalf("%q is answered %q", doc, out.Bytes())
		}
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		for i, line := range lines {
			var x struct {
				End   *bool   `json:"end"`
				Error *string `json:"error"`
				Kind  string  `json:"kind"`
			}
			row := strings.HasPrefix(line, "[")
			if !json.Valid([]byte(line)) || !row && json.Unmarshal([]byte(line), &x) != nil {
				t.Fatalf("%q is answered %q", doc, line)
			}
			last := i == len(lines)-1
			if last != (x.End != nil || x.Error != nil) {
				t.Errorf("%q is answered %q", doc, lines)
			}
			if x.Error != nil && (*x.Error == "" || !strings.Contains("request refused sql limit machine data", x.Kind) || code != 1) || x.End != nil && code != 0 {
				t.Errorf("%q is answered %q with the code %d", doc, line, code)
			}
		}
	})
}

// FuzzParams: a parameter is a value, never a part of the statement, and comes
// back as it was.
func FuzzParams(f *testing.F) {
	f.Add("'; DROP TABLE t; --", 1.5)
	f.Add("\x00\u2028\u202e\"\\", -0.0)
	f.Add("$1 ? ::INTEGER", 1e308)
	f.Fuzz(func(t *testing.T, text string, number float64) {
		if !utf8.ValidString(text) {
			return // JSON cannot hold it
		}
		code, lines := ask(t, request{SQL: "SELECT ?::VARCHAR AS v, ?::DOUBLE AS n, 'end'", Params: []any{text, number}, Limits: limits{Threads: 1}})
		if code != 0 || len(lines) != 3 {
			t.Fatalf("%q, %v: %d %q", text, number, code, lines)
		}
		var row []any
		if err := json.Unmarshal([]byte(lines[1]), &row); err != nil || len(row) != 3 || row[0] != text || row[1] != number || row[2] != "end" {
			t.Errorf("%q, %v come back as %s", text, number, lines[1])
		}
	})
}
