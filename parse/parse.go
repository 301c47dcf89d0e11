package parse

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

// Limits bound what an input may make a reader do; see [DefaultLimits].
type Limits = source.Limits

// DefaultLimits returns the limits that hold unless changed.
func DefaultLimits() Limits { return source.DefaultLimits() }

// SyntaxError says where a reader found no record; errors.As finds it.
type SyntaxError = source.SyntaxError

// LimitError says which limit an input broke; errors.As finds it.
type LimitError = source.LimitError

// ErrFormat is what errors.Is finds in the error for an input of no form that
// can be read: something else, damaged beyond reading, or empty.
var ErrFormat = errors.New("no known result format")

// Options of a Reader. The zero value is ready to use.
type Options struct {
	// Label is the name of the input in the record; the base name of the
	// path if empty.
	Label string
	// Limits bound the work; zero fields stand for the defaults.
	Limits Limits
	// Progress, if not nil, is called while the input is read, on the
	// goroutine that reads, with how many bytes of it were read so far: of a
	// compressed input those as they stand there.
	Progress func(bytes int64)
	// Mark is the decimal mark of printed numbers where they leave it open
	// ("1,234"); the zero value leaves such numbers ambiguous.
	Mark Mark
}

// Mark is a decimal mark.
type Mark uint8

// The decimal marks. A number that can be read in one way only is read so,
// whatever the mark.
const (
	MarkUnknown Mark = iota
	MarkPoint        // "1,234" is 1234
	MarkComma        // "1,234" is 1.234, and "1.234" is 1234
)

// Reader yields the result files of one input. It is not safe for concurrent
// use.
type Reader struct {
	name    string
	options Options
	input   io.Reader
	hint    int64
	close   func() error

	// Of the input, once it has been read.
	doc   *source.Doc
	notes []source.Note
	err   error
}

// Open opens the input at path, which must be a file or something else that
// can be read to its end; it does not read it yet. The reader must be closed.
// It returns an *os.PathError where there is nothing to be read.
func Open(path string, o Options) (*Reader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		err = &os.PathError{Op: "read", Path: path, Err: errors.New("is a directory")}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	r, err := NewReader(f, filepath.Base(path), o)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if info.Mode().IsRegular() {
		r.hint = info.Size()
	}
	r.close = f.Close
	return r, nil
}

// NewReader returns a reader of input, whose name in the record is
// o.Label, or name if that is empty. It does not read yet, and closes nothing.
// Its error is that of options that make no sense.
func NewReader(input io.Reader, name string, o Options) (*Reader, error) {
	if input == nil {
		return nil, errors.New("parse: no input")
	}
	if o.Label != "" {
		name = o.Label
	}
	o.Limits = o.Limits.WithDefaults()
	return &Reader{name: name, options: o, input: input}, nil
}

// Close closes what [Open] opened. Files must not be used after it, save for
// what it has yielded.
func (r *Reader) Close() error {
	r.doc, r.notes, r.err = nil, nil, os.ErrClosed
	if r.close == nil {
		return nil
	}
	close := r.close
	r.close = nil
	return close()
}

// Files yields the result files of the input in order. An error ends the
// sequence; files yielded before it are whole. An input without any file
// yields an error for which errors.Is finds [ErrFormat], one beyond a limit a
// [*LimitError], and one that cannot be read what its reader says.
//
// The input is read to its end at first use and kept until Close; Files may
// be used again.
func (r *Reader) Files() iter.Seq2[*result.File, error] {
	return func(yield func(*result.File, error) bool) {
		if r.err == nil && r.doc == nil {
			r.load()
		}
		if r.err != nil {
			yield(nil, r.err)
			return
		}
		e := &emitter{reader: r, yield: yield}
		err := read(r.doc, r.options.Mark, e.emit)
		switch {
		case e.stopped:
		case err != nil:
			yield(nil, formatError(err))
		case e.files == 0:
			yield(nil, formatError(&SyntaxError{Origin: r.doc.Origin(0, ""), Found: "no result", Expected: source.Expected}))
		}
	}
}

// load reads and decodes the input.
func (r *Reader) load() {
	raw, notes, err := source.Load(r.options.progressing(r.input), r.name, r.hint, r.options.Limits)
	if err != nil {
		r.err = formatError(err)
		return
	}
	text, more := source.Decode(raw)
	r.doc = source.New(r.name, text)
	r.doc.Limits = r.options.Limits
	r.notes = append(notes, more...)
}

// notFormat is an error that is ErrFormat too.
type notFormat struct{ error }

func (e notFormat) Unwrap() error        { return e.error }
func (e notFormat) Is(target error) bool { return target == ErrFormat }

// formatError makes ErrFormat of the errors for input that holds no record.
func formatError(err error) error {
	var syntax *SyntaxError
	var json *result.JSONError
	if errors.As(err, &syntax) || errors.As(err, &json) {
		return notFormat{err}
	}
	return err
}

// emitter takes files from the readers.
type emitter struct {
	reader  *Reader
	yield   func(*result.File, error) bool
	files   int
	stopped bool
}

var errStopped = errors.New("stopped by the caller")

// emit finishes a file and yields it.
func (e *emitter) emit(f *result.File) error {
	if e.stopped {
		return errStopped
	}
	r := e.reader
	if n := len(f.Systems); n > r.options.Limits.Systems {
		return &LimitError{Source: r.name, What: fmt.Sprintf("a result file of %d systems", n), Limit: int64(r.options.Limits.Systems), Flag: source.FlagSystems}
	}
	if n := len(f.Tests); n > r.options.Limits.Tests {
		return &LimitError{Source: r.name, What: fmt.Sprintf("a result file of %d tests", n), Limit: int64(r.options.Limits.Tests), Flag: source.FlagTests}
	}
	if f.Source == "" || r.options.Label != "" {
		f.Source = r.name
	}
	damaged(f)
	if r.unverified() {
		for i := range f.Tests {
			unverifiedTest(&f.Tests[i])
		}
	}
	if e.files == 0 {
		f.Diagnostics = slices.Concat(r.diagnostics(), f.Diagnostics)
	}
	e.files++
	if !e.yield(f, nil) {
		e.stopped = true
		return errStopped
	}
	return nil
}

// diagnostics returns what reading and decoding had to say.
func (r *Reader) diagnostics() []result.Diagnostic {
	var out []result.Diagnostic
	for _, n := range r.notes {
		if n.Offset < 0 {
			n.Offset = len(r.doc.Text)
		}
		out = append(out, r.doc.Diagnostic(n.Severity, n.Offset, n.Code, n.Message))
	}
	return out
}

// unverified reports whether the text may be damaged without a sign of it.
func (r *Reader) unverified() bool {
	return slices.ContainsFunc(r.notes, func(n source.Note) bool { return n.Unverified })
}

// unverifiedTest makes inferred what is exact in a test of such a text.
func unverifiedTest(t *result.Test) {
	for k := range t.Measurements {
		m := &t.Measurements[k]
		m.Decode = max(m.Decode, result.DecodeInferred)
	}
}

// damaged takes figures out of a file that hold what could not be read, makes
// those inferred that contradict others, and says so.
func damaged(f *result.File) {
	var found findings
	for i := range f.Tests {
		damagedTest(&f.Tests[i], &found)
	}
	list := found.list()
	if len(list) == 0 {
		return
	}
	// A record that is read again has them.
	type place struct {
		code         string
		line, offset int
	}
	said := make(map[place]bool)
	for _, d := range f.Diagnostics {
		said[place{d.Code, d.Origin.Line, d.Origin.Offset}] = true
	}
	for _, d := range list {
		if !said[place{d.Code, d.Origin.Line, d.Origin.Offset}] {
			f.Diagnostics = append(f.Diagnostics, d)
		}
	}
}

// damagedTest takes figures out of a test that hold a character which could
// not be read, or a reference to one that is not known: what they were nobody
// knows. A value becomes ambiguous, and a diagnostic shows what is left of it.
// What [contradictions] finds comes behind.
func damagedTest(t *result.Test, found *findings) {
	for k := range t.Measurements {
		m := &t.Measurements[k]
		if unreadable(m.Value) || slices.ContainsFunc(m.RawValues, unreadable) {
			found.add(result.SeverityError, m.Origin, "damaged-value", "the value %q holds what could not be read", clip(m.Value, 60))
			*m = result.Measurement{System: m.System, Decode: result.DecodeAmbiguous, Origin: m.Origin}
		}
		for _, s := range [...]*string{&m.StdError, &m.Min, &m.Max, &m.Precise} {
			if unreadable(*s) {
				found.add(result.SeverityError, m.Origin, "damaged-value", "the figure %q beside a value holds what could not be read", clip(*s, 60))
				*s = ""
			}
		}
	}
	contradictions(t, found)
}
