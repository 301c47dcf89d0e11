package xml

import (
	"bufio"
	"errors"
	"io"

	"github.com/benchproof/benchproof/result"
)

// ErrSecondFile is returned for a second result file: composite.xml holds one.
var ErrSecondFile = errors.New("composite.xml holds one result file, and there are several")

// Writer writes one result file.
type Writer struct {
	w       *bufio.Writer
	written bool
	lost    losses
}

// New returns a writer of composite.xml to w.
func New(w io.Writer) *Writer { return &Writer{w: bufio.NewWriterSize(w, 64<<10)} }

// Write writes f. It returns [ErrSecondFile] at its second call.
func (w *Writer) Write(f *result.File) error {
	if w.written {
		return ErrSecondFile
	}
	w.written = true
	d := document{w: w.w, f: f, lost: &w.lost}
	d.write()
	return w.w.Flush()
}

// Close ends the output. A document without a file is not written at all.
func (w *Writer) Close() error { return w.w.Flush() }

// Diagnostics returns what of the record composite.xml does not hold, one
// diagnostic a kind with the place where it was first met, in the order of
// these places. It is complete after Write.
func (w *Writer) Diagnostics() []result.Diagnostic { return w.lost.list() }

// Warnings returns the diagnostics but those of severity info, one line each.
func (w *Writer) Warnings() []string {
	var lines []string
	for _, d := range w.Diagnostics() {
		if d.Severity != result.SeverityInfo {
			lines = append(lines, d.Message)
		}
	}
	return lines
}
