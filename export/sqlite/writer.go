package sqlite

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/internal/number"
	"github.com/benchproof/benchproof/result"
)

// Writer writes result files as they come. It is an [export.Parts].
type Writer struct {
	out io.Writer
	dir string
	db  *database
	err error

	f     *result.File
	names export.Names

	fileID, systemID, testID, measurementID, diagnosticID int64

	tests int // of the file
}

// New returns a writer of a database to w, which gets all of it at Close.
// Until then the database is a file in dir, that of temporary files if dir is
// empty. A writer that is not closed must be discarded.
func New(w io.Writer, dir string) *Writer { return &Writer{out: w, dir: dir} }

// Write writes f.
func (w *Writer) Write(f *result.File) error {
	if err := w.File(f); err != nil {
		return err
	}
	for i := range f.Tests {
		if err := w.Test(&f.Tests[i]); err != nil {
			return err
		}
	}
	return w.End(f)
}

// open makes the database at its first use.
func (w *Writer) open() error {
	if w.db == nil && w.err == nil {
		w.db, w.err = create(w.dir)
	}
	return wrap(w.err)
}

func wrap(err error) error {
	if err != nil {
		return fmt.Errorf("write database: %w", err)
	}
	return nil
}

// File begins a file.
func (w *Writer) File(f *result.File) error {
	w.f, w.names, w.tests = f, export.Names{}, 0
	w.fileID++
	return w.open()
}

// Test writes a test and its measurements. Systems come at the end of the
// file: they have their numbers already.
func (w *Writer) Test(t *result.Test) error {
	w.tests++
	w.testID++
	err := w.db.insert(tests, w.testID, w.fileID, w.tests, text(t.Profile), text(t.Title), text(t.Version), t.HeadDecode.String(),
		text(t.Arguments), list(t.Options), text(t.CommandArguments), text(t.Scale), string(t.Proportion), text(t.DisplayFormat),
		list(t.Footnotes), text(t.Parent), text(t.Annotation), list(t.Unassigned), count(t.Origin.Line), count(t.Origin.Column))
	if err != nil {
		return wrap(err)
	}
	for i := range t.Measurements {
		if err := w.measurement(&t.Measurements[i], i+1); err != nil {
			return wrap(err)
		}
	}
	return nil
}

func (w *Writer) measurement(m *result.Measurement, position int) error {
	w.measurementID++
	value := export.Value(m)
	stdError, samples := number.Figures(m)
	err := w.db.insert(measurements, w.measurementID, w.testID, w.systemID+int64(m.System)+1, position,
		known(value), figure(value), known(stdError), figure(stdError), m.StdErrorDerived || stdError != m.StdError, count(samples),
		known(m.Min), known(m.Max), known(m.Precise), list(m.RunTimes), list(m.Notes),
		m.Status.String(), text(m.Reason), m.Decode.String(), list(m.Alternatives), replay(m.Replay), details(m.Details),
		count(m.Origin.Line), count(m.Origin.Column), m.Origin.Rule)
	if err != nil {
		return err
	}
	for i, run := range m.RawValues {
		if err := w.db.insert(runs, w.measurementID, i+1, text(run), figure(run)); err != nil {
			return err
		}
	}
	return nil
}

// End ends a file, and writes its head, its systems and its diagnostics.
func (w *Writer) End(f *result.File) error {
	err := w.db.insert(files, w.fileID, text(f.Source), text(f.Title), text(f.Description), f.TitleSplit.String(), text(f.TitleDescription),
		text(f.URL), text(f.Identifier), text(f.Generator), string(f.Format), text(f.LastModified), text(f.Notes), text(f.InternalTags),
		text(f.ReferenceID), text(f.Environment))
	if err != nil {
		return wrap(err)
	}
	names := w.names.Of(f)
	for i := range f.Systems {
		s := &f.Systems[i]
		w.systemID++
		err := w.db.insert(systems, w.systemID, w.fileID, i+1, text(names[i]), text(s.Identifier), text(s.Group()), text(s.Label()), s.Decode.String(),
			text(s.User), text(s.Timestamp), text(s.ClientVersion), text(s.NotesText), details(s.Details))
		if err == nil {
			err = w.components(s)
		}
		if err != nil {
			return wrap(err)
		}
	}
	for _, d := range f.Diagnostics {
		w.diagnosticID++
		source := d.Origin.Source
		if source == "" {
			source = f.Source
		}
		err := w.db.insert(diagnostics, w.diagnosticID, w.fileID, string(d.Severity), d.Code, text(d.Message), text(source), count(d.Origin.Line), count(d.Origin.Column))
		if err != nil {
			return wrap(err)
		}
	}
	return nil
}

func (w *Writer) components(s *result.System) error {
	position := 0
	for _, part := range []struct {
		kind string
		list []result.Component
	}{{result.KindHardware, s.Hardware}, {result.KindSoftware, s.Software}, {result.KindNotes, s.Notes}} {
		for _, c := range part.list {
			position++
			inherited := part.kind != result.KindNotes && s.Inherited(c.Key)
			if err := w.db.insert(components, w.systemID, position, part.kind, text(c.Key), text(c.Value), inherited); err != nil {
				return err
			}
		}
	}
	return nil
}

// Close makes the database whole and writes it.
func (w *Writer) Close() error {
	if err := w.open(); err != nil {
		return err
	}
	db := w.db
	w.db = nil
	return wrap(db.finish(w.out))
}

// Discard gives up what was written, if Close has not been called.
func (w *Writer) Discard() {
	if w.db != nil {
		w.db.discard()
		w.db = nil
	}
}

// text returns s as UTF-8.
func text(s string) string { return strings.ToValidUTF8(s, "\ufffd") }

// known returns s, or NULL for what is unknown.
func known(s string) any {
	if s == "" {
		return nil
	}
	return text(s)
}

// figure returns the number of printed text, or NULL.
func figure(s string) any {
	if v, ok := result.ParseNumber(s); ok {
		return v
	}
	return nil
}

func count(n int) any {
	if n == 0 {
		return nil
	}
	return n
}

func details(b []byte) any { return known(string(b)) }

// list returns a list as JSON, NULL for an empty one.
func list[T any](l []T) any {
	if len(l) == 0 {
		return nil
	}
	b, err := json.Marshal(l)
	if err != nil {
		return nil // lists of texts and numbers cannot fail
	}
	return string(b)
}

func replay(r *result.Replay) any {
	if r == nil {
		return nil
	}
	b, err := json.Marshal(r)
	if err != nil {
		return nil // three texts cannot fail
	}
	return string(b)
}
