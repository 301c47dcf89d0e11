package export_test

import (
	"archive/zip"
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	pq "github.com/parquet-go/parquet-go"

	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/export/parquet"
	"github.com/benchproof/benchproof/export/ptstext"
	"github.com/benchproof/benchproof/export/sqlite"
	"github.com/benchproof/benchproof/export/terminal"
	"github.com/benchproof/benchproof/export/xlsx"
	"github.com/benchproof/benchproof/export/xml"
	"github.com/benchproof/benchproof/result"
)

// marked is a file whose every field holds a text that stands nowhere else,
// by the name of the field in doc/formats.md.
func marked() (*result.File, [][2]string) {
	var fields [][2]string
	mark := func(field, text string) string {
		fields = append(fields, [2]string{field, text})
		return text
	}
	f := &result.File{
		Title: mark("file: title", "Qtitle"), Description: mark("file: description", "Qdescription"),
		TitleDescription: mark("file: title and description undivided", "Qundivided"), TitleSplit: result.DecodeInferred,
		Source: mark("file: source", "Qsource"), URL: mark("file: URL", "http://Qurl"), Identifier: mark("file: identifier", "Qpublished"),
		Generator: mark("file: generator", "Qgenerator"), Format: result.FormatHTML, LastModified: mark("file: last modified", "Qmodified"),
		Notes: mark("file: notes", "Qfilenotes"), InternalTags: mark("file: internal tags", "Qtags"), ReferenceID: mark("file: reference", "Qreference"),
		Environment: mark("file: environment", "Qenvironment"),
		Systems: []result.System{
			{
				Identifier: mark("system: identifier", "Qsystem"), Hardware: []result.Component{{Key: "Disk", Value: mark("system: hardware", "Qhardware")}},
				Software: []result.Component{{Key: "OS", Value: mark("system: software", "Qsoftware")}},
				Notes:    []result.Component{{Key: "Python", Value: mark("system: notes", "Qpython")}},
				User:     mark("system: user", "Quser"), Timestamp: mark("system: time", "Qtime"), ClientVersion: mark("system: client version", "Qclient"),
				NotesText: mark("system: free notes", "Qfree"),
			},
			{Identifier: "Second", Details: []byte(`{"security":"` + mark("system: published JSON", "Qsystemjson") + `"}`)},
		},
		Diagnostics: []result.Diagnostic{{Severity: result.SeverityWarning, Code: "Qcode", Message: mark("diagnostics", "Qmessage")}},
	}
	f.Tests = []result.Test{
		{
			Profile: mark("test: profile", "Qprofile"), Title: mark("test: title", "Qtest"), Version: mark("test: version", "7.77"),
			Arguments: mark("test: arguments", "Qargument"), CommandArguments: mark("test: command arguments", "Qcommand"), Scale: mark("test: scale", "Qscale"),
			Proportion: result.HIB, DisplayFormat: mark("test: display format", "QGRAPH"), Footnotes: []string{mark("test: footnotes", "Qfootnote")},
			Parent: mark("test: parent", "Qparent"), Annotation: mark("test: annotation", "Qannotation"),
			Unassigned: []result.Unassigned{{StdError: mark("test: standard errors of one of several", "0.6161"), Systems: []int{0, 1}}},
			Measurements: []result.Measurement{
				{
					System: 0, Value: mark("value", "1234.5671"), Precise: mark("value: more digits", "1234.56712345"), StdError: mark("standard error as printed", "0.3131"), Samples: 9,
					Notes: []string{mark("value: notes", "Qvaluenote")}, Replay: &result.Replay{Driver: mark("value: replay", "Qdriver")},
					Min: mark("minimum and maximum", "1212.3131"), RunTimes: []string{mark("run times", "4.3939")},
					Origin: result.Origin{Source: "Qsource", Line: 81818, Column: 3},
				},
				{System: 1, Value: "1235.5", RawValues: []string{mark("runs", "1235.4141"), "1235.6"}, Samples: 2, Details: []byte(`{"x":"` + mark("value: published JSON", "Qentryjson") + `"}`)},
			},
		},
		{
			Title: "Other", Measurements: []result.Measurement{
				{System: 0, Status: result.StatusFailed, Reason: mark("reason of a failure", "Qreason")},
				{System: 1, Decode: result.DecodeAmbiguous, Alternatives: []string{mark("alternatives of an ambiguous value", "1.5151"), "15.151"}},
			},
		},
	}
	fields = append(fields, [2]string{"value: line", "81818"})
	for i := range f.Tests {
		f.Tests[i].Options = result.ParseOptions(f.Tests[i].Arguments)
	}
	return f, fields
}

// forms are the columns of the table in doc/formats.md: each returns all the
// text that a form holds of a file.
var forms = []struct {
	name string
	text func(t *testing.T, f *result.File) string
}{
	{"json", plain(func(w io.Writer) export.Writer { return export.NewJSON(w, export.Options{}) })},
	{"sqlite", func(t *testing.T, f *result.File) string {
		path := filepath.Join(t.TempDir(), "x.sqlite")
		data := output(t, f, func(w io.Writer) export.Writer { return sqlite.New(w, "") })
		if err := os.WriteFile(path, []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
		db, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		// Texts stand in the file as they are, numbers do not.
		var lines string
		if err := db.QueryRow("SELECT group_concat(line) FROM measurements").Scan(&lines); err != nil {
			t.Fatal(err)
		}
		return data + lines
	}},
	{"xlsx", func(t *testing.T, f *result.File) string {
		data := output(t, f, func(w io.Writer) export.Writer { return xlsx.New(w) })
		z, err := zip.NewReader(strings.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, file := range z.File {
			r, err := file.Open()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.Copy(&b, r); err != nil {
				t.Fatal(err)
			}
		}
		return b.String()
	}},
	{"csv", tables(export.NewCSV)},
	{"ndjson", tables(export.NewNDJSON)},
	{"parquet", func(t *testing.T, f *result.File) string {
		data := output(t, f, func(w io.Writer) export.Writer { return parquet.New(w) })
		rows, err := pq.Read[parquet.Row](bytes.NewReader([]byte(data)), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(rows)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}},
	{"xml", plain(func(w io.Writer) export.Writer { return xml.New(w) })},
	{"pts-text", plain(func(w io.Writer) export.Writer { return ptstext.New(w) })},
	{"md", plain(func(w io.Writer) export.Writer { return export.NewMarkdown(w, export.Options{}) })},
	{"txt", plain(func(w io.Writer) export.Writer { return terminal.New(w, terminal.Options{Width: 200}) })},
}

func output(t *testing.T, f *result.File, open func(io.Writer) export.Writer) string {
	t.Helper()
	var b strings.Builder
	w := open(&b)
	if err := w.Write(f); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func plain(open func(io.Writer) export.Writer) func(*testing.T, *result.File) string {
	return func(t *testing.T, f *result.File) string { return output(t, f, open) }
}

// tables is the text of all tables.
func tables(open func(io.Writer, export.Options) export.Writer) func(*testing.T, *result.File) string {
	return func(t *testing.T, f *result.File) string {
		text := ""
		for _, table := range export.Tables() {
			text += output(t, f, func(w io.Writer) export.Writer { return open(w, export.Options{Table: table}) })
		}
		return text
	}
}

// The table in doc/formats.md says of every field and form whether the form
// holds it. What it says is true.
func TestKept(t *testing.T) {
	f, fields := marked()
	got := []string{"| |"}
	for _, form := range forms {
		got[0] += " " + form.name + " |"
	}
	got = append(got, "|---|"+strings.Repeat(":-:|", len(forms)))
	var texts []string
	for _, form := range forms {
		texts = append(texts, form.text(t, f))
	}
	for _, field := range fields {
		line := fmt.Sprintf("| %s |", field[0])
		for _, text := range texts {
			if strings.Contains(text, field[1]) {
				line += " ● |"
			} else {
				line += " |"
			}
		}
		got = append(got, line)
	}
	doc, err := os.ReadFile("../doc/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{}
	for line := range strings.SplitSeq(string(doc), "\n") {
		want[line] = true
	}
	for _, line := range got {
		if !want[line] {
			t.Errorf("doc/formats.md has no line\n%s", line)
		}
	}
	if t.Failed() {
		t.Log("\n" + strings.Join(got, "\n"))
	}
}
