// Package source holds what every reader needs of its input: the decoded
// text with positions, the limits, and the error for text that a reader
// cannot make a record of. It also makes that text: [Load] reads an input
// and undoes its compression, [Decode] its character encoding and what a
// terminal left in it.
package source

import (
	"sort"

	"github.com/benchproof/benchproof/result"
)

// Doc is one decoded input, or a part of one: UTF-8 without byte-order mark,
// terminal escape sequences removed. It is not safe for concurrent use.
type Doc struct {
	// Name is the input's base name or label, for positions.
	Name string
	// Text is the whole input. Newlines are as in the input, save that
	// CR LF and lone CR became LF.
	Text string
	// Limits bound what a reader may build.
	Limits Limits

	index *lineIndex // built at first use
	// Of a part: the Doc it is a part of, and where its text stands there.
	whole *Doc
	spans []Span
	// twin is the part that has the same text, of what was made alone.
	twin *Doc
}

// Alone returns a document of the text of d whose places are counted in that text.
func (d *Doc) Alone() *Doc {
	alone := New(d.Name, d.Text)
	alone.Limits, alone.twin = d.Limits, d
	return alone
}

// Apart reports whether something stood in the input between an offset in d.Text
// and the byte before it, such as the end of a line.
func (d *Doc) Apart(offset int) bool {
	if d.twin != nil {
		d = d.twin
	}
	return d.Outer(offset) != d.Outer(offset-1)+1
}

// Span says that a part's text from Part on stands at Whole and after, byte
// for byte, as far as the next span begins.
type Span struct {
	Part  int // offset in the part's text
	Whole int // offset in the text it was taken from
}

// New returns a Doc of text under the default limits.
func New(name, text string) *Doc { return &Doc{Name: name, Text: text, Limits: DefaultLimits()} }

// Section returns the part of d from offset start up to end. Positions of
// the section are those of d.
func (d *Doc) Section(start, end int) *Doc {
	return d.Part(d.Text[start:end], []Span{{Part: 0, Whole: start}})
}

// Part returns a Doc of text that was taken from d, such as the text of a
// page without its markup. Its positions are those of d, found by the spans,
// which must be in order and begin at 0.
func (d *Doc) Part(text string, spans []Span) *Doc {
	return &Doc{Name: d.Name, Text: text, Limits: d.Limits, whole: d, spans: spans}
}

// Outer returns the offset in the whole input of an offset in d.Text.
func (d *Doc) Outer(offset int) int {
	offset = max(0, min(offset, len(d.Text)))
	if d.whole == nil {
		return offset
	}
	i := sort.Search(len(d.spans), func(i int) bool { return d.spans[i].Part > offset }) - 1
	if i < 0 {
		return d.whole.Outer(offset)
	}
	return d.whole.Outer(d.spans[i].Whole + offset - d.spans[i].Part)
}

// Position returns the line and column of a byte offset, both counted from
// 1, the column in bytes. An offset outside of the text stands for the
// nearest end.
func (d *Doc) Position(offset int) (line, column int) {
	offset = d.Outer(offset)
	for d.whole != nil {
		d = d.whole
	}
	if d.index == nil {
		d.index = newLineIndex(d.Text)
	}
	return d.index.position(d.Text, offset)
}

// Origin returns the origin of what rule read at a byte offset.
func (d *Doc) Origin(offset int, rule string) result.Origin {
	line, column := d.Position(offset)
	return result.Origin{Source: d.Name, Line: line, Column: column, Offset: d.Outer(offset), Rule: rule}
}

// Diagnostic returns a diagnostic at a byte offset.
func (d *Doc) Diagnostic(severity result.Severity, offset int, code, message string) result.Diagnostic {
	return result.Diagnostic{Severity: severity, Origin: d.Origin(offset, ""), Code: code, Message: message}
}
