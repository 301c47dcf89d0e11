package export

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"strings"
	"unicode"

	"github.com/benchproof/benchproof/internal/term"
	"github.com/benchproof/benchproof/result"
)

// NewMarkdown returns a writer of Markdown with tables (GFM).
//
// With a table or layout in o it writes that one table. Without, it writes a
// document: title, systems, a table of the results with standard errors, and
// what the marks in it mean. Text of the source is escaped, so that it can
// make neither markup nor HTML.
func NewMarkdown(w io.Writer, o Options) Writer {
	out := bufio.NewWriterSize(w, 64<<10)
	if o.IsDocument() {
		return &markdownDocument{w: out, ascii: o.ASCII}
	}
	return newTableWriter(o, func(c []Column, header bool, rows iter.Seq[[]string]) error {
		if header {
			names, right := make([]string, len(c)), make([]bool, len(c))
			for i := range c {
				names[i], right[i] = c[i].Name, c[i].Kind == Figure || c[i].Kind == Count
			}
			markdownRow(out, names)
			markdownRule(out, right)
		}
		for row := range rows {
			markdownRow(out, row)
		}
		return out.Flush()
	})
}

// markdownRow prints the cells of one row.
func markdownRow(w *bufio.Writer, cells []string) {
	w.WriteByte('|')
	for _, c := range cells {
		w.WriteByte(' ')
		w.WriteString(markdownText(c))
		w.WriteString(" |")
	}
	w.WriteByte('\n')
}

// markdownRule prints the line below a header; right marks the columns that
// are set flush right.
func markdownRule(w *bufio.Writer, right []bool) {
	for _, r := range right {
		if r {
			w.WriteString("| ---: ")
		} else {
			w.WriteString("| --- ")
		}
	}
	w.WriteString("|\n")
}

// markdownText returns text as Markdown that shows just that text, in one line,
// within a table's cell or behind other text.
func markdownText(text string) string {
	var b strings.Builder
	runes := []rune(term.Visible(text))
	word := func(i int) bool {
		return i >= 0 && i < len(runes) && (unicode.IsLetter(runes[i]) || unicode.IsDigit(runes[i]))
	}
	for i, r := range runes {
		switch r {
		case '&':
			b.WriteString("&amp;")
			continue
		case '<':
			b.WriteString("&lt;")
			continue
		case '>':
			b.WriteString("&gt;")
			continue
		case '_':
			// Within a word it is no markup.
			if !word(i-1) || !word(i+1) {
				b.WriteByte('\\')
			}
		case '\\', '`', '*', '[', ']', '|', '~', '$':
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// markdownLine is Markdown for text at the start of a line, where a first
// letter can make a heading or a list of it.
func markdownLine(text string) string {
	m := markdownText(strings.TrimSpace(text))
	digits := len(m) - len(strings.TrimLeft(m, "0123456789"))
	switch {
	case m == "":
		return m
	case strings.ContainsRune("#-+=", rune(m[0])):
		return `\` + m
	case digits > 0 && digits < len(m) && (m[digits] == '.' || m[digits] == ')'):
		return m[:digits] + `\` + m[digits:]
	}
	return m
}

type markdownDocument struct {
	w     *bufio.Writer
	ascii bool
	files int
}

// sign is what stands before a standard error.
func (d *markdownDocument) sign() string {
	if d.ascii {
		return "+/-"
	}
	return "±"
}

func (d *markdownDocument) Write(f *result.File) error {
	if d.files++; d.files > 1 {
		d.w.WriteString("\n")
	}
	title := f.Title
	if title == "" {
		title = f.Source
	}
	fmt.Fprintf(d.w, "# %s\n", markdownText(title))
	if f.Description != "" {
		fmt.Fprintf(d.w, "\n%s\n", markdownLine(f.Description))
	}
	d.w.WriteString("\n")
	for _, p := range [][2]string{
		{"Source", f.Source},
		{"Form", string(f.Format)},
		{"Published at", f.URL},
		{"Written by", f.Generator},
		{"Last modified", f.LastModified},
	} {
		if p[1] != "" {
			fmt.Fprintf(d.w, "- %s: %s\n", p[0], markdownText(p[1]))
		}
	}
	d.systems(f)
	d.results(f)
	d.diagnostics(f)
	return d.w.Flush()
}

func (d *markdownDocument) Close() error { return d.w.Flush() }

func (d *markdownDocument) systems(f *result.File) {
	if len(f.Systems) == 0 {
		return
	}
	d.w.WriteString("\n## Systems\n\n")
	shared, differing := Properties(f.Systems)
	header := []string{"system"}
	for i := range differing {
		header = append(header, differing[i].Name())
	}
	markdownRow(d.w, header)
	markdownRule(d.w, make([]bool, len(header)))
	for i, name := range f.SystemNames() {
		row := []string{name + Mark(f.Systems[i].Decode)}
		for _, p := range differing {
			row = append(row, p.Values[i])
		}
		markdownRow(d.w, row)
	}
	if len(shared) > 0 {
		if len(f.Systems) > 1 {
			d.w.WriteString("\nThe same in all systems:\n")
		}
		d.w.WriteString("\n")
		for _, p := range shared {
			fmt.Fprintf(d.w, "- %s: %s\n", markdownText(p.Name()), markdownText(p.Values[0]))
		}
	}
}

func (d *markdownDocument) results(f *result.File) {
	if len(f.Tests) == 0 {
		return
	}
	d.w.WriteString("\n## Results\n\n")
	header := append([]string{"test", "arguments", "scale", ""}, f.SystemNames()...)
	markdownRow(d.w, header)
	right := make([]bool, len(header))
	for i := 4; i < len(right); i++ {
		right[i] = true
	}
	markdownRule(d.w, right)
	var inferred, ambiguous bool
	var notes []string
	for i := range f.Tests {
		t := &f.Tests[i]
		for layer := range layers(t) {
			row := make([]string, len(header))
			row[0] = strings.TrimSpace(t.Title + " " + t.Version)
			row[1], row[2], row[3] = t.Arguments, t.Scale, ProportionText(t.Proportion)
			for _, m := range layer {
				row[4+m.System] = d.cell(m)
				inferred = inferred || m.Decode == result.DecodeInferred
				ambiguous = ambiguous || m.Decode == result.DecodeAmbiguous
			}
			markdownRow(d.w, row)
		}
		for _, n := range t.Footnotes {
			notes = append(notes, t.Name()+": "+n)
		}
	}
	fmt.Fprintf(d.w, "\nValues as published; behind %s the standard error. An empty cell: no value.\n", d.sign())
	if inferred {
		fmt.Fprintf(d.w, "%s %s.\n", markdownText(InferredMark), InferredMeaning)
	}
	if ambiguous {
		fmt.Fprintf(d.w, "%s %s.\n", AmbiguousMark, AmbiguousMeaning)
	}
	if len(notes) > 0 {
		d.w.WriteString("\n")
	}
	for _, n := range notes {
		fmt.Fprintf(d.w, "- %s\n", markdownText(n))
	}
}

// cell returns a measurement in a cell's words.
func (d *markdownDocument) cell(m *result.Measurement) string {
	if m.Status == result.StatusFailed {
		return m.FailureWord()
	}
	if m.Decode == result.DecodeAmbiguous {
		return strings.TrimSpace(AmbiguousMark + " " + strings.Join(m.Alternatives, " or "))
	}
	text := m.Value
	if stdError, _ := ShownFigures(m); stdError != "" {
		text += " " + d.sign() + " " + stdError
	}
	return text + Mark(m.Decode)
}

func (d *markdownDocument) diagnostics(f *result.File) {
	if len(f.Diagnostics) == 0 {
		return
	}
	d.w.WriteString("\n## Diagnostics\n\n")
	markdownRow(d.w, []string{"severity", "line", "column", "message"})
	markdownRule(d.w, make([]bool, 4))
	for _, g := range f.Diagnostics {
		markdownRow(d.w, []string{
			string(g.Severity), count(g.Origin.Line), count(g.Origin.Column), g.Message,
		})
	}
}
