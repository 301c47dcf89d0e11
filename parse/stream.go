package parse

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/parse/internal/xml"
	"github.com/benchproof/benchproof/result"
)

// Handler takes what [Reader.Stream] reads, a result file in parts. An error
// of a method ends the reading and is what Stream returns.
type Handler interface {
	// File hands over the head of a result file: title, metadata and the
	// systems. f stays the same until End. Systems are only ever added at
	// the end of f.Systems, so that the indexes in measurements stay valid.
	File(f *result.File) error
	// Test hands over one test. f.Systems holds every system that it
	// names. It is the handler's only until the method returns, and so are
	// its measurements with their lists of runs and their details; the texts
	// in them, which are strings, may be kept.
	Test(t *result.Test) error
	// End says that the file is complete: f.Diagnostics is set, and what
	// stood behind the first result is filled in. f.Tests is nil.
	End(f *result.File) error
}

// streamFrom is how large an input is that is worth being read in parts.
const streamFrom = 1 << 20

// Stream hands over the result files of the input in parts, in the order of
// [Reader.Files] and with the same contents. A large composite.xml is read
// with the memory of its largest test, if the input can be read twice (a file
// that was opened) and needs no decoding; then it cannot be read again. Of
// every other XML document the text is held, and one test besides. All other
// inputs are read whole first, as by Files.
//
// Where an error ends the input within a file that was begun, the file is
// ended with a diagnostic of severity error that says so, and the error is
// returned.
func (r *Reader) Stream(h Handler) error {
	if r.err == nil && r.doc == nil {
		in, err := r.streamable()
		if err != nil {
			r.err = err
			return err
		}
		if in != nil {
			err := r.stream(h, func(e *partsEmitter) error { return xml.Stream(in, r.name, r.options.Limits, e) })
			r.err = errors.New("parse: a streamed input can be read only once")
			return err
		}
		r.load()
	}
	if r.err == nil && isXML(r.doc) {
		return r.stream(h, func(e *partsEmitter) error { return xml.StreamDoc(r.doc, e) })
	}
	for f, err := range r.Files() {
		if err != nil {
			return err
		}
		if err := inParts(f, h); err != nil {
			return err
		}
	}
	return nil
}

// inParts hands over a file that is there as a whole.
func inParts(f *result.File, h Handler) error {
	tests := f.Tests
	f.Tests = nil
	if err := h.File(f); err != nil {
		return err
	}
	for i := range tests {
		if err := h.Test(&tests[i]); err != nil {
			return err
		}
	}
	return h.End(f)
}

// streamable returns the input, at its beginning, if it can be read in parts;
// nil if it cannot. A place that it was not at is no error to have moved from.
func (r *Reader) streamable() (io.Reader, error) {
	in, ok := r.input.(io.ReadSeeker)
	if !ok || r.hint < streamFrom || r.hint > r.options.Limits.Input {
		return nil, nil
	}
	begin, err := in.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, nil // a pipe: it is read once
	}
	plain, err := source.Plain(io.LimitReader(in, r.options.Limits.Input), func(head string) bool {
		return strings.HasPrefix(strings.TrimLeft(head, " \t\n\f\v"), "<") && xml.Sniff(head)
	})
	if err == nil {
		_, err = in.Seek(begin, io.SeekStart)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.name, err)
	}
	if !plain {
		return nil, nil
	}
	return io.LimitReader(r.options.progressing(in), r.options.Limits.Input), nil
}

// stream reads an XML document in parts.
func (r *Reader) stream(h Handler, read func(*partsEmitter) error) error {
	e := &partsEmitter{reader: r, h: h, unsure: r.unverified()}
	err := read(e)
	switch {
	case e.stop != nil:
		return e.stop
	case err != nil:
		return errors.Join(formatError(err), e.cut(err))
	case e.files == 0:
		return formatError(&SyntaxError{Origin: result.Origin{Source: r.name, Line: 1, Column: 1}, Found: "no result", Expected: source.Expected})
	}
	return nil
}

// partsEmitter takes the parts of files from the reader of XML, and does to
// them what emitter does to whole ones.
type partsEmitter struct {
	reader *Reader
	h      Handler
	files  int
	unsure bool // no value of the input is exact for sure
	open   *result.File
	found  findings // damage in its tests
	stop   error    // of the handler
}

// KeepsNoTest says that a test may be read over the one before.
func (e *partsEmitter) KeepsNoTest() {}

func (e *partsEmitter) handled(err error) error {
	if err != nil {
		e.stop = err
	}
	return err
}

func (e *partsEmitter) File(f *result.File) error {
	e.files++
	e.open, e.found = f, findings{}
	return e.handled(e.h.File(f))
}

func (e *partsEmitter) Test(t *result.Test) error {
	damagedTest(t, &e.found)
	if e.unsure {
		unverifiedTest(t)
	}
	return e.handled(e.h.Test(t))
}

func (e *partsEmitter) End(f *result.File) error {
	e.open = nil
	f.Diagnostics = append(f.Diagnostics, e.found.list()...)
	if e.files == 1 {
		f.Diagnostics = slices.Concat(e.reader.diagnostics(), f.Diagnostics)
	}
	return e.handled(e.h.End(f))
}

// cut ends the file that an error broke off.
func (e *partsEmitter) cut(err error) error {
	if e.open == nil {
		return nil
	}
	f := e.open
	f.Diagnostics = append(f.Diagnostics, result.Diagnostic{
		Severity: result.SeverityError, Origin: result.Origin{Source: e.reader.name}, Code: "cut-off",
		Message: fmt.Sprintf("reading ended within the file: %v", err),
	})
	return e.End(f)
}
