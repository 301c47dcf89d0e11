package csv

import (
	"regexp"
	"strings"

	"github.com/benchproof/benchproof/parse/internal/build"
	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

// expected names what Read wants, for its errors.
const expected = "a PTS CSV export or a table of results"

var (
	// headMark is the header of the suite's tables: two cells without a
	// name, of which the first is a blank, then the systems.
	headMark = regexp.MustCompile(`(?m)^ (?:,,[^\n]+|,,?|;;[^\n]+|\t\t[^\n]+)$`)
	// rawMark is the head of a test in the raw CSV with its direction, or the
	// first head behind the title without one.
	rawMark = regexp.MustCompile(`",\n(?:Lower|Higher) Results Are Better\n|\A[^\n]*,\n\n"[^\n]*",\n\n"`)
)

// sniffSize is how much of a text is looked at to know what it is.
const sniffSize = 64 << 10

// form is one of the forms that this package reads.
type form uint8

const (
	none form = iota
	pts
	raw
	long
	wide
)

func formOf(text string) form {
	head := text[:min(len(text), sniffSize)]
	first, _, _ := strings.Cut(head, "\n")
	for _, sep := range separators {
		switch {
		case strings.HasPrefix(first, strings.Join(longColumns, string(sep))):
			return long
		case strings.HasPrefix(first, strings.Join(wideColumns, string(sep))):
			return wide
		}
	}
	switch {
	case rawMark.MatchString(head):
		return raw
	case (head[:1] == "," || head[:1] == ";" || head[:1] == "\t" || head[:1] == " ") && headMark.MatchString(head):
		return pts
	}
	return none
}

// separators are those that spreadsheets write, too.
var separators = []byte{',', ';', '\t'}

// Sniff reports whether text looks like a table that Read reads.
func Sniff(text string) bool { return text != "" && formOf(text) != none }

// Own reports whether text is one of this project's own tables. It says itself
// how its figures are written.
func Own(text string) bool {
	if text == "" {
		return false
	}
	f := formOf(text)
	return f == long || f == wide
}

// Read reads the table in doc and hands each result file in it to emit: one,
// or as many as a long table has. It returns a [source.SyntaxError] for
// anything else, a [source.LimitError] for a table beyond doc.Limits, and
// what emit returns.
func Read(doc *source.Doc, emit func(*result.File) error) error {
	if doc.Text != "" {
		switch formOf(doc.Text) {
		case pts:
			return readPTS(doc, emit)
		case raw:
			return readRaw(doc, emit)
		case long:
			return readLong(doc, emit)
		case wide:
			return readWide(doc, emit)
		}
	}
	return &source.SyntaxError{Origin: doc.Origin(0, ""), Found: "no such table", Expected: expected}
}

// checkEnd warns of a last line without its end, which every program gives it
// that writes these tables.
func checkEnd(doc *source.Doc, f *build.File) {
	if !strings.HasSuffix(doc.Text, "\n") {
		f.Warn(len(doc.Text), "cut-short", "the last line has no end: it may be cut, and rows behind it may be lost")
	}
}
