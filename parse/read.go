package parse

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/benchproof/benchproof/parse/internal/capture"
	"github.com/benchproof/benchproof/parse/internal/csv"
	"github.com/benchproof/benchproof/parse/internal/html"
	"github.com/benchproof/benchproof/parse/internal/json"
	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/parse/internal/text"
	"github.com/benchproof/benchproof/parse/internal/xml"
	"github.com/benchproof/benchproof/result"
)

// emitFunc takes one file; an error ends the reading and is returned by it.
type emitFunc func(*result.File) error

// read finds out which form the text of an input has and reads it.
func read(doc *source.Doc, mark Mark, emit emitFunc) error {
	take := emit
	emit = func(f *result.File) error {
		localize(f, mark)
		return take(f)
	}
	body := strings.TrimLeft(doc.Text, " \t\n\f\v")
	switch {
	case body == "":
		return syntaxError(doc, 0, "nothing but white space")
	case body[0] == '{' && isRecord(body):
		return readRecord(doc, emit)
	case isXML(doc):
		return xml.ReadDoc(doc, emit)
	case html.Sniff(doc.Text):
		return readPage(doc, emit)
	case tagMark.MatchString(body):
		// A piece of a page: its text may be a dump.
		return readPageText(doc, emit, nil)
	case json.SniffFio(doc.Text) && !isDump(doc.Text):
		return json.ReadFio(doc, emit)
	case json.Sniff(doc.Text):
		return json.Read(doc, emit)
	case csv.Own(doc.Text):
		return csv.Read(doc, take) // a comma in its values is no mark of a locale
	case csv.Sniff(doc.Text):
		return csv.Read(doc, emit)
	case capture.Sniff(doc.Text):
		return readCapture(doc, emit)
	case strings.Count(body, "</text>") > 2:
		// The end of a page, cut off within a tag.
		return readPageText(doc, emit, nil)
	}
	return readText(doc, emit)
}

// isXML reports whether read takes the document for a composite.xml.
func isXML(doc *source.Doc) bool {
	body := strings.TrimLeft(doc.Text, " \t\n\f\v")
	return body != "" && !(body[0] == '{' && isRecord(body)) && xml.Sniff(doc.Text)
}

// readCapture reads a capture of a run. A text export in it, which the suite
// shows on request, repeats the results beside those of other systems.
func readCapture(doc *source.Doc, emit emitFunc) error {
	shown := isText(doc.Text)
	return capture.Read(doc, func(f *result.File) error {
		if shown {
			f.Diagnostics = append(f.Diagnostics, doc.Diagnostic(result.SeverityWarning, 0, "text-in-capture",
				"the capture shows a text export, too, which is not read: an input of its own is"))
			shown = false
		}
		return emit(f)
	})
}

// readPage reads an HTML page: one with graphs, or one whose text is a dump.
func readPage(doc *source.Doc, emit emitFunc) error {
	emitted := false
	err := html.Read(doc, func(f *result.File) error {
		emitted = true
		return emit(f)
	})
	var syntax *SyntaxError
	switch {
	case emitted || !errors.As(err, &syntax):
		return err
	}
	return readPageText(doc, emit, err)
}

// readPageText reads the text of a page if it is a dump, and returns an error
// if it is not: otherwise, if that is not nil. Where a dump stands in blocks
// of preformatted text, what stands around them is the page's own.
func readPageText(doc *source.Doc, emit emitFunc, otherwise error) error {
	part, blocks, err := pageText(doc)
	if err != nil {
		return err
	}
	found := false
	for _, b := range blocks {
		if isDump(part.Text[b[0]:b[1]]) {
			found = true
			if err := readText(part.Section(b[0], b[1]), emit); err != nil {
				return err
			}
		}
	}
	switch {
	case found:
		return nil
	case isDump(part.Text):
		return readText(part, emit)
	case otherwise != nil:
		return otherwise
	}
	return unknown(doc)
}

// tagMark is the beginning of a page that is not whole.
var tagMark = regexp.MustCompile(`(?i)^<(?:[a-z][a-z0-9]*(?:\s[^<>]*)?/?>|!--)`)

func isDump(s string) bool { return isText(s) || isPageText(s) }

// isText reports whether s looks like a text export, be it with something of
// another form before it.
func isText(s string) bool {
	return text.Sniff(s) || strings.Contains(s, "< Lower Is Better") || strings.Contains(s, "> Higher Is Better")
}

// isPageText reports whether s looks like the text of a result page, be it
// with something of another form before it: whether it holds a graph's
// caption with the mark of its drawing before it. All of these hold one of two
// phrases, which is soon found or not.
func isPageText(s string) bool {
	return (strings.Contains(s, "Fewer Is Better") || strings.Contains(s, "More Is Better")) && graphMark.MatchString(s)
}

// readText reads dumps of text: PTS's text export, the text of result pages,
// or one behind the other.
func readText(doc *source.Doc, emit emitFunc) error {
	if err := checkLines(doc); err != nil {
		return err
	}
	doc = joinDrawings(plainBlanks(doc))
	if !isText(doc.Text) && isPageText(doc.Text) {
		doc = unwrapPage(doc)
	}
	sections := divide(doc)
	if len(sections) == 0 {
		return unknown(doc)
	}
	emitted := false
	var failed []*SyntaxError // of sections before the next file
	for _, s := range sections {
		err := readSection(s, func(f *result.File) error {
			emitted = true
			for i := len(failed) - 1; i >= 0; i-- {
				f.Diagnostics = append([]result.Diagnostic{{
					Severity: result.SeverityError, Origin: failed[i].Origin, Code: "section",
					Message: fmt.Sprintf("found %s, expected %s", failed[i].Found, failed[i].Expected),
				}}, f.Diagnostics...)
			}
			failed = nil
			return emit(f)
		})
		var syntax *SyntaxError
		switch {
		case err == nil:
		case errors.As(err, &syntax):
			failed = append(failed, syntax)
		default:
			return err
		}
	}
	// What failed behind the last file is the error that ends the sequence.
	if len(failed) > 0 {
		return failed[len(failed)-1]
	}
	if !emitted {
		return unknown(doc)
	}
	return nil
}

// readSection reads a part of a document as if it were all of it, and puts
// the places right in what comes of it.
func readSection(s section, emit emitFunc) error {
	part := s.doc
	err := s.read(part.Alone(), func(f *result.File) error {
		relocate(f, part)
		return emit(f)
	})
	var syntax *SyntaxError
	if errors.As(err, &syntax) {
		moved := *syntax
		moved.Origin = place(moved.Origin, part)
		return &moved
	}
	var limit *LimitError
	if errors.As(err, &limit) {
		moved := *limit
		moved.Origin = place(moved.Origin, part)
		return &moved
	}
	return err
}

// relocate changes the places in f from those of a part to those of the
// whole it was taken from.
func relocate(f *result.File, part *source.Doc) {
	for i := range f.Systems {
		f.Systems[i].Origin = place(f.Systems[i].Origin, part)
	}
	for i := range f.Tests {
		t := &f.Tests[i]
		t.Origin = place(t.Origin, part)
		for k := range t.Measurements {
			t.Measurements[k].Origin = place(t.Measurements[k].Origin, part)
		}
		for k := range t.Unassigned {
			t.Unassigned[k].Origin = place(t.Unassigned[k].Origin, part)
		}
	}
	for i := range f.Diagnostics {
		f.Diagnostics[i].Origin = place(f.Diagnostics[i].Origin, part)
	}
}

func place(o result.Origin, part *source.Doc) result.Origin {
	if o.Line == 0 {
		return o
	}
	return part.Origin(o.Offset, o.Rule)
}

// checkLines returns an error for a line over the limit.
func checkLines(doc *source.Doc) error {
	limit := doc.Limits.Text
	for start := 0; len(doc.Text)-start > limit; {
		n := strings.IndexByte(doc.Text[start:], '\n')
		if n < 0 {
			n = len(doc.Text) - start
		}
		if n > limit {
			return &LimitError{
				Source: doc.Name, Origin: doc.Origin(start, ""), What: fmt.Sprintf("a line of %d bytes", n),
				Limit: int64(limit), Flag: source.FlagText,
			}
		}
		start += n + 1
	}
	return nil
}

func syntaxError(doc *source.Doc, offset int, found string) error {
	return &SyntaxError{Origin: doc.Origin(offset, ""), Found: found, Expected: source.Expected, Hint: source.HintPage}
}
