// Package source holds what every reader needs of its input: the decoded
// text with positions, the limits, and the error for text that a reader
// cannot make a record of.
package source

import (
	"sort"
	"strings"

	"github.com/benchproof/benchproof/result"
)

// Doc is one decoded input: UTF-8 without byte-order mark, terminal escape
// sequences removed. It is not safe for concurrent use.
type Doc struct {
	// Name is the input's base name or label, for positions.
	Name string
	// Text is the whole input. Newlines are as in the input, save that
	// CR LF and lone CR became LF.
	Text string
	// Limits bound what a reader may build.
	Limits Limits

	lines []int // offsets of line starts, built at first use
}

// New returns a Doc of text.
func New(name, text string) *Doc { return &Doc{Name: name, Text: text, Limits: DefaultLimits()} }

// Position returns the line and column of a byte offset, both counted from
// 1, the column in bytes.
func (d *Doc) Position(offset int) (line, column int) {
	if d.lines == nil {
		d.lines = append(make([]int, 0, 1+strings.Count(d.Text, "\n")), 0)
		for i := 0; i < len(d.Text); i++ {
			if d.Text[i] == '\n' {
				d.lines = append(d.lines, i+1)
			}
		}
	}
	i := sort.SearchInts(d.lines, offset+1) - 1
	return i + 1, offset - d.lines[i] + 1
}

// Origin returns the origin of what rule read at a byte offset.
func (d *Doc) Origin(offset int, rule string) result.Origin {
	line, column := d.Position(offset)
	return result.Origin{Source: d.Name, Line: line, Column: column, Offset: offset, Rule: rule}
}

// Diagnostic returns a diagnostic at a byte offset.
func (d *Doc) Diagnostic(severity result.Severity, offset int, code, message string) result.Diagnostic {
	return result.Diagnostic{Severity: severity, Origin: d.Origin(offset, ""), Code: code, Message: message}
}
