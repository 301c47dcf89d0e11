package export

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/benchproof/benchproof/internal/term"
	"github.com/benchproof/benchproof/result"
)

// fuzzFile is a record that has texts in every place where a source can have
// them.
func fuzzFile(title, a, b, value, runs string) *result.File {
	f := &result.File{Title: title, Description: b, Source: a, Format: result.FormatXML, Generator: title}
	f.AddSystem(a)
	f.AddSystem(b)
	result.SetGroups(f.Systems)
	f.Systems[0].Hardware = []result.Component{{Key: title, Value: value}}
	f.Systems[1].Notes = []result.Component{{Key: a, Value: b}}
	m := result.Measurement{System: 0, Value: value, StdError: runs, Samples: 2, Origin: result.Origin{Source: a, Line: 1, Column: 2}}
	if runs != "" {
		m.RawValues = strings.Split(runs, ";")
	}
	f.Tests = []result.Test{{
		Title: title, Version: b, Arguments: a, Options: result.ParseOptions(a), Scale: title, Proportion: result.HIB, Profile: a, Footnotes: []string{value},
		Measurements: []result.Measurement{
			m,
			{System: 1, Status: result.StatusFailed, Reason: value, Notes: []string{title}},
			{System: 1, Value: value, Decode: result.DecodeInferred},
			{System: 0, Decode: result.DecodeAmbiguous, Alternatives: []string{value, runs}},
		},
	}}
	f.Diagnostics = []result.Diagnostic{{Severity: result.SeverityWarning, Code: a, Message: title, Origin: m.Origin}}
	return f
}

// FuzzCSV: each cell of each table is what the record says, guarded and made
// visible, and comes back so from another reader; no cell is a formula, and no
// byte acts upon a terminal.
func FuzzCSV(f *testing.F) {
	for _, s := range hostile {
		f.Add(s, "HDD: EXT4", "SSD: "+s, "12.50", "1;2;"+s)
		f.Add("t", s, s, s, s)
	}
	f.Add("\xff\xfe", "a\r\nb", "-1", "-1.5;-2", "+1,2;;3")
	f.Fuzz(func(t *testing.T, title, a, b, value, runs string) {
		file := fuzzFile(title, a, b, value, runs)
		for _, table := range Tables() {
			var out bytes.Buffer
			w := NewCSV(&out, Options{Table: table})
			if err := w.Write(file); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			checkCSV(t, string(table), out.Bytes())
			if strings.Contains(title+a+b+value+runs, "\r") {
				continue // the reader turns CR LF into a line's end
			}
			rows, err := csv.NewReader(bytes.NewReader(out.Bytes())).ReadAll()
			if err != nil {
				t.Fatalf("%s: %v in %q", table, err, out.Bytes())
			}
			i := 1
			for row := range table.Rows(file) {
				for k, c := range table.Columns() {
					if want := csvCell(c.Kind, row[k]); rows[i][k] != want {
						t.Errorf("%s: %s of row %d is %q, want %q", table, c.Name, i, rows[i][k], want)
					}
					if plain := term.VisibleLines(row[k]); rows[i][k] != plain && rows[i][k] != "'"+plain {
						t.Errorf("%s: %s of row %d is %q, the record says %q", table, c.Name, i, rows[i][k], row[k])
					}
				}
				i++
			}
			if i != len(rows) {
				t.Errorf("%s: %d rows, the record has %d", table, len(rows), i)
			}
		}
		var out bytes.Buffer
		w := NewCSV(&out, Options{Layout: Wide})
		if err := w.Write(file); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		checkCSV(t, "wide", out.Bytes())
		head, err := csv.NewReader(bytes.NewReader(out.Bytes())).Read()
		if err != nil || len(slices.Compact(slices.Sorted(slices.Values(head)))) != len(head) {
			t.Errorf("the header %q has a name twice, or %v", head, err)
		}
	})
}

// checkCSV makes sure that a document is UTF-8 and has nothing hidden and no
// formula.
func checkCSV(t *testing.T, what string, doc []byte) {
	t.Helper()
	if !utf8.Valid(doc) {
		t.Fatalf("%s: %q is no UTF-8", what, doc)
	}
	if plain := strings.ReplaceAll(string(doc), "\r\n", "\n"); term.VisibleLines(plain) != plain {
		t.Errorf("%s: %q", what, doc)
	}
	r := csv.NewReader(bytes.NewReader(doc))
	for {
		row, err := r.Read()
		if err != nil {
			if len(row) > 0 {
				t.Fatalf("%s: %v in %q", what, err, doc)
			}
			return
		}
		for _, cell := range row {
			if cell == "" || !strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
				continue
			}
			for _, x := range strings.FieldsFunc(cell, func(r rune) bool { return strings.ContainsRune(";, ", r) }) {
				word := strings.ToLower(strings.TrimLeft(x, "+-"))
				if strings.Trim(x, "+-.0123456789eE") != "" && word != "nan" && word != "inf" && word != "infinity" || strings.ContainsAny(x[1:], "+-") && !strings.ContainsAny(x, "eE") {
					t.Errorf("%s: the cell %q is a formula", what, cell)
				}
			}
		}
	}
}

// markdownRead undoes what markdownText does, as CommonMark reads it: entities and
// backslashes before punctuation.
var markdownRead = strings.NewReplacer("&amp;", "&", "&lt;", "<", "&gt;", ">", `\\`, `\`, "\\`", "`", `\*`, "*", `\[`, "[", `\]`, "]", `\|`, "|", `\~`, "~", `\$`, "$", `\_`, "_")

// FuzzMarkdown: text in Markdown is read as that text, one line that can end no
// cell and begin no element; every row of a table has as many cells.
func FuzzMarkdown(f *testing.F) {
	for _, s := range hostile {
		f.Add(s, "A")
	}
	f.Add("a|b\n|-|-|\n<b>", "x_y_z __w__ \\| `c`")
	f.Add("\xff![](x)", "http://x.example/_a_")
	f.Fuzz(func(t *testing.T, text, name string) {
		m := markdownText(text)
		if got, want := markdownRead.Replace(m), term.Visible(text); got != want {
			t.Errorf("%q is written %q, which is read %q", text, m, got)
		}
		if strings.ContainsAny(m, "<>\n") {
			t.Errorf("%q is written %q", text, m)
		}
		var out bytes.Buffer
		w := NewMarkdown(&out, Options{Table: Results})
		if err := w.Write(fuzzFile(text, name, "B", "1.5", "")); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			bars := strings.Count(line, "|") - strings.Count(strings.ReplaceAll(line, `\\`, ""), `\|`)
			if bars != len(Results.Columns())+1 {
				t.Errorf("%q: a row of %d bars: %q", text, bars, line)
			}
		}
	})
}

// FuzzRows: NDJSON is one JSON object a row with the record's own texts, and
// hides nothing.
func FuzzRows(f *testing.F) {
	for _, s := range hostile {
		f.Add(s, s, "B", "1.5", s)
	}
	f.Fuzz(func(t *testing.T, title, a, b, value, runs string) {
		file := fuzzFile(title, a, b, value, runs)
		var out bytes.Buffer
		w := NewNDJSON(&out, Options{})
		if err := w.Write(file); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		n := 0
		for line := range bytes.Lines(out.Bytes()) {
			n++
			var row struct {
				Test  string  `json:"test"`
				Value *string `json:"value"`
			}
			if err := json.Unmarshal(line, &row); err != nil {
				t.Fatalf("%v in %q", err, line)
			}
			if want := strings.ToValidUTF8(title, "\ufffd"); utf8.ValidString(title) && row.Test != want {
				t.Errorf("the title %q is written %q", title, row.Test)
			}
			if strings.ContainsFunc(strings.TrimSuffix(string(line), "\n"), result.Hidden) {
				t.Errorf("%q", line)
			}
		}
		if n != 4 {
			t.Errorf("%d rows of 4 measurements: %s", n, out.Bytes())
		}
	})
}
