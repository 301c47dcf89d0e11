// Package terminal shows result files to a person: systems, then one block a
// test with its values, standard errors and bars, in the width of a terminal.
//
// It prints text of the source with control characters made visible, so that
// nothing published can act on the terminal. Marks say which values are not
// exact; a value that is missing has no bar and is named as missing.
package terminal

import (
	"bufio"
	"io"
	"strings"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/internal/term"
	"github.com/benchproof/benchproof/result"
)

// Options of a view. The zero value is 80 cells wide, without colour.
type Options struct {
	// Width is the number of cells of a line; 80 if 0, never below 40.
	Width int
	// ASCII draws with ASCII letters only. Text of the source stays.
	ASCII bool
	// Color sets titles in bold and the best and worst value of a test in
	// colour.
	Color bool
	// Brief shows of the systems only what tells them apart, a line each.
	Brief bool
	// Long shows also values of great length that all systems share.
	Long bool
}

// New returns a writer of the view. Every file is written as it comes.
func New(w io.Writer, o Options) export.Writer {
	if o.Width == 0 {
		o.Width = 80
	}
	o.Width = max(o.Width, 40)
	return &view{w: bufio.NewWriterSize(w, 64<<10), o: o}
}

type view struct {
	w     *bufio.Writer
	o     Options
	files int

	legend legend // of the file at hand
}

func (v *view) Write(f *result.File) error {
	if v.files++; v.files > 1 {
		v.line("")
	}
	v.legend = legend{}
	v.head(f)
	v.systems(f)
	names := f.SystemNames()
	set := analyze.NewSet([]*result.File{f})
	for i := range f.Tests {
		v.test(&f.Tests[i], &set.Tests[i], names)
	}
	return v.w.Flush()
}

func (v *view) Close() error { return v.w.Flush() }

func (v *view) head(f *result.File) {
	title := f.Title
	if title == "" {
		title = f.Source
	}
	v.paragraph(0, term.Visible(title)+export.Mark(f.TitleSplit), bold)
	v.paragraph(0, term.Visible(f.Description), plain)
	if m := export.Mark(f.TitleSplit); m != "" {
		v.paragraph(0, m+" "+f.TitleSplit.String()+": where the title ends and the description begins", dim)
	}
	facts := []string{f.Source, string(f.Format), phrase.Count(len(f.Systems), "system"), phrase.Count(len(f.Tests), "test")}
	for _, fact := range []string{f.Generator, f.LastModified, f.URL} {
		if fact != "" {
			facts = append(facts, fact)
		}
	}
	v.paragraph(0, term.Visible(strings.Join(facts, ", ")), dim)
}

func (v *view) line(text string) {
	v.w.WriteString(text)
	v.w.WriteByte('\n')
}

// paragraph prints visible text wrapped to the width, indented; further lines
// by two more. Empty text prints nothing.
func (v *view) paragraph(indent int, text string, s style) {
	if text == "" {
		return
	}
	for i, l := range term.Wrap(text, v.o.Width-indent-2) {
		if i == 1 {
			indent += 2
		}
		v.line(strings.Repeat(" ", indent) + v.paint(l, s))
	}
}

// style is what a terminal makes of a piece of text.
type style string

const (
	plain style = ""
	bold  style = "1"
	dim   style = "2"
	best  style = "32"
	worst style = "31"
	calm  style = "36" // of bars between
)

func (v *view) paint(text string, s style) string {
	if !v.o.Color || s == plain || text == "" {
		return text
	}
	return term.Paint(text, string(s))
}
