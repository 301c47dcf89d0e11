package main

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/export/parquet"
	"github.com/benchproof/benchproof/export/ptstext"
	"github.com/benchproof/benchproof/export/sqlite"
	"github.com/benchproof/benchproof/export/terminal"
	"github.com/benchproof/benchproof/export/xlsx"
	"github.com/benchproof/benchproof/export/xml"
)

// format is one form of output.
type format struct {
	name    string
	endings []string
	what    string // for help
	binary  bool   // not for a terminal
	data    bool   // for programs: published text passes as it is
	fixed   bool   // result files as they are: no table to choose, no analysis
	open    func(io.Writer, view) export.Writer
}

// view is what the flags of a command choose among.
type view struct {
	options  export.Options
	terminal terminal.Options
	dir      string // for files beside the output, "" for none
}

// formats lists all forms, in the order that help names them.
var formats = []format{
	{"csv", []string{".csv"}, "one table, RFC 4180", false, true, false, func(w io.Writer, v view) export.Writer {
		return export.NewCSV(w, v.options)
	}},
	{"json", []string{".json"}, "everything, which reads back; or one table", false, false, false, func(w io.Writer, v view) export.Writer {
		return export.NewJSON(w, v.options)
	}},
	{"ndjson", []string{".ndjson", ".jsonl"}, "one table, one JSON object a line", false, false, false, func(w io.Writer, v view) export.Writer {
		return export.NewNDJSON(w, v.options)
	}},
	{"md", []string{".md", ".markdown"}, "Markdown: a document, or one table", false, false, false, func(w io.Writer, v view) export.Writer {
		return export.NewMarkdown(w, v.options)
	}},
	{"txt", []string{".txt"}, "plain text: what show prints, or one table", false, false, false, func(w io.Writer, v view) export.Writer {
		if v.options.IsDocument() {
			return terminal.New(w, v.terminal)
		}
		return export.NewText(w, v.options)
	}},
	{"xlsx", []string{".xlsx"}, "a workbook with everything", true, false, false, func(w io.Writer, _ view) export.Writer {
		return xlsx.New(w)
	}},
	{"xml", []string{".xml"}, "composite.xml, which PTS loads", false, true, true, func(w io.Writer, _ view) export.Writer {
		return xml.New(w)
	}},
	{"pts-text", nil, "text as PTS exports it", false, false, true, func(w io.Writer, _ view) export.Writer {
		return ptstext.New(w)
	}},
	{"parquet", []string{".parquet"}, "the long table as Parquet", true, false, true, func(w io.Writer, _ view) export.Writer {
		return parquet.New(w)
	}},
	{"sqlite", []string{".sqlite", ".sqlite3", ".db"}, "a SQLite database with everything", true, false, true, func(w io.Writer, v view) export.Writer {
		return sqlite.New(w, v.dir)
	}},
}

// formatAliases are other names that --format takes.
var formatAliases = map[string]string{"markdown": "md", "text": "txt", "jsonl": "ndjson", "excel": "xlsx", "composite": "xml"}

func formatNames() []string {
	var names []string
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}

// tableFormats names the formats that hold one table or an analysis.
func tableFormats() []string {
	var names []string
	for _, f := range formats {
		if !f.fixed {
			names = append(names, f.name)
		}
	}
	return names
}

// answerFormats are those of an answer that is one table, or a text.
var answerFormats = []string{"txt", "json", "csv", "ndjson", "md"}

// formatByName returns the format of that name, in any case of letters, or a
// usage error that names the choice.
func formatByName(name string, choice []string) (*format, error) {
	known := strings.ToLower(name)
	if other, ok := formatAliases[known]; ok {
		known = other
	}
	for i := range formats {
		if formats[i].name == known {
			return &formats[i], nil
		}
	}
	hint := otherHint("."+known, "FILE")
	if hint == "" {
		hint = didYouMean(nearest(name, choice))
	}
	return nil, usage(hint, fmt.Errorf("--format %q: want %s", name, listed(choice)))
}

// formatByPath returns the format of a path's ending, or a usage error.
func formatByPath(path string) (*format, error) {
	if f := endingFormat(path); f != nil {
		return f, nil
	}
	var all []string
	for i := range formats {
		all = append(all, formats[i].endings...)
	}
	hint := otherHint(strings.ToLower(filepath.Ext(path)), strings.TrimSuffix(path, filepath.Ext(path)))
	if hint == "" {
		hint = "--format names the format whatever the ending is"
	}
	return nil, usage(hint,
		fmt.Errorf("the ending of %q says no format: want %s", path, listed(all)))
}

// otherHint returns what to do to have what a program makes into files of an
// ending that stands for no format, of which stem is the name; "" for others.
func otherHint(ending, stem string) string {
	switch {
	case slices.Contains(pageFormat.endings, ending):
		return "benchproof report makes a page"
	case slices.Contains([]string{".pdf", ".ps", ".docx", ".odt"}, ending):
		return "benchproof report makes a page, which a browser prints and saves as PDF"
	case slices.Contains([]string{".png", ".svg", ".jpg"}, ending):
		return "benchproof report -o DIR/ makes pictures of all charts"
	case slices.Contains([]string{".xls", ".ods", ".xlsm", ".xlsb"}, ending):
		return "-o " + shellWord(stem+".xlsx") + " makes a workbook, which LibreOffice and Excel open"
	case ending == ".tsv":
		return "-o " + shellWord(stem+".csv") + " has commas between columns, or semicolons with --decimal comma"
	}
	return ""
}

// endingFormat returns the format that the ending of a path stands for, nil if
// it stands for none.
func endingFormat(path string) *format {
	ending := strings.ToLower(filepath.Ext(path))
	for i := range formats {
		if slices.Contains(formats[i].endings, ending) {
			return &formats[i]
		}
	}
	return nil
}

// fits reports whether a file of the format may have a path: one whose ending
// stands for no other format. Everything but binary files may be a .txt.
func (f *format) fits(path string) bool {
	of := endingFormat(path)
	return of == nil || of.name == f.name || of.name == "txt" && !f.binary
}

// showsSystems reports whether what the format writes, with these options,
// holds the components of systems.
func (f *format) showsSystems(v view) bool {
	if v.options.Table == export.Systems {
		return true
	}
	switch f.name {
	case "csv", "ndjson", "parquet":
		return false
	case "json", "md":
		return v.options.IsDocument()
	case "txt":
		return v.options.IsDocument() && !v.terminal.Brief
	}
	return true
}
