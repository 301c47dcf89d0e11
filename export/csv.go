package export

import (
	"bufio"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/benchproof/benchproof/internal/number"
	"github.com/benchproof/benchproof/result"
)

// NewCSV returns a writer of one table as CSV (RFC 4180 with "\n", UTF-8
// without byte-order mark), a header line first.
//
// Cells of text that begin with =, +, -, @, a tab or a carriage return get a
// leading ', so that no spreadsheet takes them for a formula. Figures do not, so
// that -5 stays a number; but what a file prints in the place of one is guarded
// where it is neither a number, NaN, an infinity nor a list of such. Control
// characters, marks that turn the direction of text and invalid UTF-8 are
// written as escapes (\x1b, \u202e), tabs and line breaks are not: JSON keeps
// what CSV spells out.
//
// With o.DecimalComma cells are divided by semicolons and figures have a decimal
// comma, the values of a list semicolons between them.
//
// A long table is written file by file; the wide one at Close. The writer of
// the long table of results is a [Parts], but with a decimal comma.
func NewCSV(w io.Writer, o Options) Writer {
	out := bufio.NewWriterSize(w, 64<<10)
	if o.BOM {
		out.WriteString("\ufeff") // its error is kept
	}
	d := CSVDialect{Separator: ','}
	if o.DecimalComma {
		d = CSVDialect{Separator: ';', DecimalComma: true}
	} else if o = o.withTable(); o.Table == Results && !o.wide() {
		return &longCSV{w: out}
	}
	return newTableWriter(o, d.printer(out, true))
}

// longCSV writes the long table of results test by test. What the rows of a
// test or of a system have in common is made once.
type longCSV struct {
	w       *bufio.Writer
	begun   bool // the header is written
	f       *result.File
	names   Names
	systems []string // cells of the systems, each with its comma
	file    []byte   // cells of the file
	head    []byte   // cells up to the system
	line    []byte
}

func (c *longCSV) Write(f *result.File) error { return writeParts(c, f) }

func (c *longCSV) File(f *result.File) error {
	c.header()
	c.f, c.names, c.systems = f, Names{}, c.systems[:0]
	c.file = appendTexts(c.file[:0], f.Source, f.Title)
	return nil
}

func (c *longCSV) Test(t *result.Test) error {
	names := c.names.Of(c.f)
	for i := len(c.systems); i < len(names); i++ {
		c.systems = append(c.systems, string(appendTexts(nil, names[i])))
	}
	c.head = append(c.head[:0], c.file...)
	c.head = appendTexts(c.head, t.Title, t.Version, t.Profile, t.Arguments, t.Scale, string(t.Proportion))
	for i := range t.Measurements {
		m := &t.Measurements[i]
		stdError, samples := number.Figures(m)
		line := append(c.line[:0], c.head...)
		line = append(line, c.systems[m.System]...)
		line = append(appendFigure(line, Value(m)), ',')
		line = append(appendFigure(line, stdError), ',')
		line = append(appendCount(line, samples), ',')
		line = append(appendRuns(line, m.RawValues), ',')
		line = append(append(line, m.Status.String()...), ',')
		line = append(append(line, m.Decode.String()...), ',')
		line = append(appendCount(line, m.Origin.Line), ',')
		c.line = append(appendCount(line, m.Origin.Column), '\n')
		if _, err := c.w.Write(c.line); err != nil {
			return err
		}
	}
	return nil
}

func (c *longCSV) End(*result.File) error { return c.w.Flush() }

// Close writes the header of a table without files.
func (c *longCSV) Close() error {
	c.header()
	return c.w.Flush()
}

func (c *longCSV) header() {
	if !c.begun {
		c.begun = true
		c.w.Write(appendHeader(nil, Results.Columns())) // its error is kept
	}
}

// appendTexts appends cells of text, a comma behind each.
func appendTexts(line []byte, texts ...string) []byte {
	for _, t := range texts {
		line = append(appendField(line, csvCell(Text, t)), ',')
	}
	return line
}

// appendFigure appends the cell of a figure. Nearly all are digits with a
// point, which need nothing done to them.
func appendFigure(line []byte, figure string) []byte {
	if plainFigure(figure) {
		return append(line, figure...)
	}
	return appendField(line, figureCell(figure))
}

// appendRuns appends the cell of a list of runs.
func appendRuns(line []byte, runs []string) []byte {
	from := len(line)
	for i, run := range runs {
		if !plainFigure(run) {
			return appendField(line[:from], figureCell(strings.Join(runs, ";")))
		}
		if i > 0 {
			line = append(line, ';')
		}
		line = append(line, run...)
	}
	return line
}

// plainFigure reports whether text is nothing but digits and points.
func plainFigure(text string) bool {
	for i := 0; i < len(text); i++ {
		if c := text[i]; c != '.' && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// appendCount appends n, nothing for 0, the record's word for unknown.
func appendCount(line []byte, n int) []byte {
	if n == 0 {
		return line
	}
	return strconv.AppendInt(line, int64(n), 10)
}

// appendField appends a cell, in quotes where it needs them: where a reader
// would divide it or take away space before it, and for the mark by which
// some databases end their data.
func appendField(line []byte, cell string) []byte { return appendFieldBy(line, cell, ',') }

// appendFieldBy is appendField where the separator divides cells.
func appendFieldBy(line []byte, cell string, separator byte) []byte {
	if !quoted(cell, separator) {
		return append(line, cell...)
	}
	line = append(line, '"')
	for {
		i := strings.IndexByte(cell, '"')
		if i < 0 {
			return append(append(line, cell...), '"')
		}
		line = append(append(line, cell[:i]...), `""`...)
		cell = cell[i+1:]
	}
}

func quoted(cell string, separator byte) bool {
	if cell == "" {
		return false
	}
	for i := 0; i < len(cell); i++ {
		switch cell[i] {
		case separator, '"', '\n', '\r':
			return true
		}
	}
	if c := cell[0]; c > ' ' && c < utf8.RuneSelf {
		return cell == `\.`
	}
	r, _ := utf8.DecodeRuneInString(cell)
	return unicode.IsSpace(r)
}

func appendHeader(line []byte, columns []Column) []byte {
	return CSVDialect{Separator: ','}.appendHeader(line, columns)
}
