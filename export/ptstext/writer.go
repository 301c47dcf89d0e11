package ptstext

import (
	"bufio"
	"fmt"
	"io"

	"github.com/benchproof/benchproof/internal/term"
	"github.com/benchproof/benchproof/result"
)

// Writer writes result files, one after the other.
type Writer struct {
	// Columns is how long a line of the largest value of a test is; 0
	// stands for 79, as in the files that PTS writes. Its command prints
	// as many as the terminal has.
	Columns int

	w     *bufio.Writer
	files int

	inferred, ambiguous, failed, zeros, blanks, twins int
}

func (w *Writer) columns() int {
	if w.Columns == 0 {
		return 79
	}
	return w.Columns
}

// New returns a writer of PTS's text to w.
func New(w io.Writer) *Writer { return &Writer{w: bufio.NewWriterSize(w, 64<<10)} }

// Write writes f. Two files have an empty line between them.
func (w *Writer) Write(f *result.File) error {
	if w.files++; w.files > 1 {
		w.w.WriteByte('\n')
	}
	w.line(term.Visible(f.Title))
	w.line(term.Visible(f.Description))
	w.line("")
	w.line("")
	names := f.SystemNames()
	for i := range f.Systems {
		s := &f.Systems[i]
		if names[i] != s.Identifier {
			w.twins++
			names[i] = s.Identifier
		}
		names[i] = term.Visible(names[i])
		w.line(names[i] + ": ")
		w.line("")
		w.line("\t" + term.Visible(result.ComponentText(s.Hardware)))
		w.line("")
		w.line("\t" + term.Visible(result.ComponentText(s.Software)))
		w.line("")
	}
	w.line("")
	for i := range f.Tests {
		if i > 0 {
			w.line("")
			w.line("")
		}
		w.test(&f.Tests[i], names)
	}
	w.line("")
	return w.w.Flush()
}

// Close ends the output.
func (w *Writer) Close() error { return w.w.Flush() }

// Warnings returns what the text does not tell and a reader must know.
func (w *Writer) Warnings() []string {
	var lines []string
	add := func(n int, format string) {
		if n > 0 {
			lines = append(lines, fmt.Sprintf(format, n))
		}
	}
	add(w.ambiguous, "ambiguous values: %d; PTS's text has no row for them")
	add(w.inferred, "inferred values: %d; PTS's text shows them like the others")
	add(w.failed, "failed measurements: %d; PTS's text has no row for them")
	add(w.blanks, "values such as NaN: %d; PTS's text has an empty place for them")
	add(w.zeros, "values of 0: %d; PTS's text has no row for them")
	add(w.twins, "systems with the name of another: %d; PTS's text does not tell them apart")
	return lines
}

func (w *Writer) line(text string) {
	w.w.WriteString(text)
	w.w.WriteByte('\n')
}
