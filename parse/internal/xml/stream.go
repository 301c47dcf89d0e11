package xml

import (
	"fmt"
	"io"

	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/parse/internal/xmlscan"
	"github.com/benchproof/benchproof/result"
)

// Handler takes what [Stream] reads, a result file in parts. An error of a
// method ends the reading and is what Stream returns.
type Handler interface {
	// File hands over the head of a result file: title, metadata and the
	// systems. f stays the same until End. Systems are only ever added at
	// the end of f.Systems, so that the indexes in measurements stay valid.
	File(f *result.File) error
	// Test hands over one test, which is the handler's from then on.
	// f.Systems holds every system that it names.
	Test(t *result.Test) error
	// End says that the result file is complete. f.Diagnostics is set, and
	// what stood behind the first result is filled in: systems, and their
	// groups. f.Tests is nil.
	End(f *result.File) error
}

// transient is a Handler that keeps nothing of a test when its method Test
// returns but texts, which are strings: the next test may be read into the same
// memory.
type transient interface {
	Handler
	KeepsNoTest()
}

// Stream reads the result files in r, usually one, and hands each over in
// parts, so that memory is that of the largest test and not of the file.
// Tests come in published order, each when it is read.
//
// Files of PTS 3.0 and later begin with their head and their systems. Those of
// PTS 2.6 and earlier, and fragments, have them behind the results or not at
// all; tests of such a file are held back until it ends, and only then handed
// over.
//
// name is the name of the input in positions. It returns a
// *[source.SyntaxError] if r holds no result file, a *[source.LimitError]
// past a limit, and the errors of r and of h.
func Stream(r io.Reader, name string, limits source.Limits, h Handler) error {
	text, err := decode(r)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return newReader(xmlscan.New(text, name, limits), text, name, limits, h).run()
}

// Read is [Stream] with whole files.
func Read(r io.Reader, name string, limits source.Limits, emit func(*result.File) error) error {
	return Stream(r, name, limits, &collector{emit: emit})
}

// StreamDoc is [Stream] for text that is decoded already: the encoding that its
// XML declaration may name no longer matters. If doc is a part of another, it
// must be one piece of it.
func StreamDoc(doc *source.Doc, h Handler) error {
	r := newReader(xmlscan.NewText(doc.Text, doc.Name, doc.Limits), &input{}, doc.Name, doc.Limits, h)
	r.s.StartAt(doc.Origin(0, ""))
	return r.run()
}

// ReadDoc is [StreamDoc] with whole files.
func ReadDoc(doc *source.Doc, emit func(*result.File) error) error {
	return StreamDoc(doc, &collector{emit: emit})
}

func newReader(s *xmlscan.Scanner, text *input, name string, limits source.Limits, h Handler) *reader {
	r := &reader{
		s:      s,
		input:  text,
		name:   name,
		limits: limits.WithDefaults(),
		h:      h,
	}
	_, r.reuse = h.(transient)
	r.s.SkipSpace = true
	r.s.Breaks = isContainer
	return r
}

// collector is the Handler that makes whole files.
type collector struct {
	emit  func(*result.File) error
	tests []result.Test
}

func (c *collector) File(*result.File) error { c.tests = nil; return nil }

func (c *collector) Test(t *result.Test) error { c.tests = append(c.tests, *t); return nil }

func (c *collector) End(f *result.File) error {
	f.Tests = c.tests
	return c.emit(f)
}
