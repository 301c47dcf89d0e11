package json

import (
	"errors"
	"regexp"
	"strings"

	"github.com/benchproof/benchproof/parse/internal/build"
	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

// expected names what Read wants, for its errors.
const expected = "a JSON export of the Phoronix Test Suite"

// startMark is how an export begins: its first key is one of the export's.
// Other text may stand before it in lines of its own.
var startMark = regexp.MustCompile(`(?:^\s*|\n)\{\s*"(?:title|last_modified|description|notes|internal_tags|reference_id|preset_environment_variables|systems|results)"\s*:`)

// sniffSize is how much of a text Sniff looks at.
const sniffSize = 64 << 10

// Sniff reports whether text looks like a JSON export, be it with lines of
// something else before it.
func Sniff(text string) bool {
	head := text[:min(len(text), sniffSize)]
	m := startMark.FindStringIndex(head)
	if m == nil {
		return false
	}
	head = head[m[0]:]
	return strings.Contains(head, `"systems"`) || strings.Contains(head, `"results"`)
}

// Read reads the exports in doc, one or several behind each other, and hands
// each to emit as a record. One that breaks off gives what is whole in it,
// with a diagnostic of severity error. Read returns a [source.SyntaxError]
// where there is none, a [source.LimitError] for one beyond doc.Limits, and
// what emit returns.
func Read(doc *source.Doc, emit func(*result.File) error) error {
	return readForm(doc, emit, form{mark: startMark, format: result.FormatJSON, expected: expected, object: (*reader).file})
}

// form is one form of JSON that is read.
type form struct {
	mark     *regexp.Regexp // how an object of it begins
	format   result.Format
	expected string
	object   func(*reader) error // reads the object
	// chatter says that the program prints lines of its own around it.
	chatter bool
	// replaces, if set, reports whether an object stands for the one before it.
	replaces func(before, r *reader) bool
}

// readForm reads the objects of a form in doc as [Read] does.
func readForm(doc *source.Doc, emit func(*result.File) error, is form) error {
	at, files := 0, 0
	var held *reader // read, and not handed over: another may stand for it
	give := func() error {
		if held == nil {
			return nil
		}
		f := held.f
		if held.states > 0 {
			f.Info(held.start, "fio-states", "%d earlier states of this run, which fio printed while it went on, are not read", held.states)
		}
		held = nil
		return emit(f.Finish())
	}
	for {
		m := is.mark.FindStringIndex(doc.Text[at:])
		if m == nil {
			break
		}
		start := at + m[0] + strings.IndexByte(doc.Text[at+m[0]:], '{')
		r := &reader{f: build.New(doc, is.format), s: scanner{doc: doc, text: doc.Text, at: start}, start: start}
		if before := strings.TrimSpace(doc.Text[at:start]); before != "" {
			r.stray(is, at, before)
		}
		err := is.object(r)
		var broken *brokenError
		if errors.As(err, &broken) {
			r.salvage(broken)
			err = nil
		}
		if err != nil {
			return err
		}
		// What no further export follows is this one's to report.
		at = r.s.at
		if after := strings.TrimSpace(doc.Text[at:]); after != "" && broken == nil && !is.mark.MatchString(doc.Text[at:]) {
			r.stray(is, at+strings.Index(doc.Text[at:], after), after)
		}
		files++
		if held != nil && broken == nil && is.replaces(held, r) {
			held = nil
		}
		if err := give(); err != nil {
			return err
		}
		if held = r; is.replaces != nil {
			continue
		}
		if err := give(); err != nil {
			return err
		}
	}
	if files == 0 {
		return &source.SyntaxError{Origin: doc.Origin(0, ""), Found: "no such object", Expected: is.expected}
	}
	return give()
}

// reader reads one export.
type reader struct {
	f *build.File
	s scanner

	start    int // of the object
	fioState fioState
	states   int // earlier states of the run of fio, which are not read

	// The test and the entry that are being read, for what is whole of them
	// where the JSON breaks off.
	test     result.Test
	testOpen bool
	entry    entry
}

// stray says that text around the object is not read.
func (r *reader) stray(is form, at int, text string) {
	say := r.f.Warn
	if is.chatter {
		say = r.f.Info
	}
	say(at, "stray-text", "text outside of the export is not read: %q", text)
}

// salvage keeps what was whole before the JSON broke off, and says so.
func (r *reader) salvage(e *brokenError) {
	if r.entry.open && r.entry.m.Value != "" {
		if e.at < len(r.s.text) {
			r.entry.doubt(r.s.text[:e.at])
		}
		// A limit hit here is a limit that the test will be lost to.
		if r.finishEntry() != nil {
			r.testOpen = false
		}
	}
	if r.testOpen && len(r.test.Measurements) > 0 && r.f.AddTest(r.test) != nil {
		r.testOpen = false
	}
	code := "malformed"
	if e.at >= len(r.s.text) {
		code = "truncated"
	}
	r.f.Error(e.at, code, "found %s, expected %s; what is whole before that is kept, what follows is lost", e.found, e.expected)
	r.s.at = max(r.s.at, e.at)
}

// file reads the whole object.
func (r *reader) file() error {
	f := r.f
	found := false
	err := r.s.object(func(key string, at int) error {
		switch key {
		case "title":
			return r.text(&f.Title)
		case "description":
			return r.text(&f.Description)
		case "last_modified":
			return r.text(&f.LastModified)
		case "notes":
			return r.text(&f.Notes)
		case "internal_tags":
			return r.text(&f.InternalTags)
		case "reference_id":
			return r.text(&f.ReferenceID)
		case "preset_environment_variables":
			return r.text(&f.Environment)
		case "systems":
			found = true
			return r.systems()
		case "results":
			found = true
			_, err := r.s.each(r.result)
			return err
		}
		return r.unkept("the export", key, at)
	})
	if err != nil {
		return err
	}
	switch {
	case !found:
		r.f.Warn(r.s.at, "no-results", "the export has neither systems nor results")
	case len(f.Systems) == 0 && len(f.Tests) == 0:
		r.f.Warn(r.s.at, "no-results", "the export is empty, as it is of a file that its exporter could not read")
	case len(f.Tests) == 0:
		r.f.Warn(r.s.at, "no-results", "the export holds no results; its exporter writes none for a file that it cannot read")
	}
	return nil
}

// text reads a text into a field. Numbers and the like are kept as they
// stand; what is no text at all is reported.
func (r *reader) text(field *string) error {
	t, err := r.s.token()
	if err != nil {
		return err
	}
	switch t.kind {
	case isObject, isArray:
		r.f.Warn(t.at, "unknown-value", "an object or list stands where a text should, and is not read")
		return r.s.skip()
	case isNull:
		return nil
	}
	if *field != "" && *field != t.text {
		r.f.Warn(t.at, "repeated-key", "a key stands twice; the second says %q", t.text)
		return nil
	}
	*field = t.text
	return nil
}

// unkept passes over a value that the record has no place for.
func (r *reader) unkept(where, key string, at int) error {
	r.f.Info(at, "unknown-key", "%q of %s is not read", key, where)
	return r.s.skip()
}

// expectList reports whether a list or an object comes next; anything else it
// passes over, and says so.
func (r *reader) expectList(what string) (bool, error) {
	if k := r.s.peek(); k == isArray || k == isObject {
		return true, nil
	}
	r.f.Warn(r.s.at, "unknown-value", "%s are neither a list nor an object, and are not read", what)
	return false, r.s.skip()
}
