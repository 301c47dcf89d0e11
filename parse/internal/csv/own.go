package csv

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/parse/internal/build"
	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

// The columns of the project's own tables.
var (
	longColumns = []string{
		"source", "title", "test", "version", "profile", "arguments", "scale", "proportion", "system",
		"value", "std_error", "samples", "raw_values", "status", "decode", "line", "column",
	}
	wideColumns = []string{"test", "version", "arguments", "scale", "proportion"}
)

// own reads the project's own tables, which are CSV by RFC 4180.
type own struct {
	doc *source.Doc
	r   *csv.Reader
	f   *build.File
	row []string
	at  int // offset of the row

	style figureStyle

	// The line that was found last, and the one before the row.
	line, lineAt   int
	rowLine, rowAt int
}

func newOwn(doc *source.Doc) *own {
	r := csv.NewReader(strings.NewReader(doc.Text))
	r.Comma = rune(ownSeparator(doc.Text))
	r.FieldsPerRecord = -1
	return &own{doc: doc, r: r, line: 1, rowLine: 1}
}

// ownSeparator is what stands behind the name of the first column. Names of
// systems, further on, may hold any.
func ownSeparator(text string) byte {
	for _, name := range []string{longColumns[0], wideColumns[0]} {
		if rest, ok := strings.CutPrefix(text, name); ok && rest != "" && bytes.IndexByte(separators, rest[0]) >= 0 {
			return rest[0]
		}
	}
	return separators[0]
}

// figureStyle is how the figures of a table are written.
type figureStyle struct {
	comma bool // with a decimal comma, and lists with semicolons
	// unsure is set where nothing tells a decimal comma from one that stands
	// between two values: the cells are divided by commas, as this project
	// divides those of figures with a point, and no value has a point.
	unsure bool
}

// styleOf finds out how the figures of a table are written that stand in the
// columns from one to before another. Figures have decimal commas where the
// cells are divided by semicolons and none of the figures has a point, nor any
// of the runs, if they have a column. Between commas a spreadsheet leaves lists
// of runs as they are, whatever it does to numbers.
func styleOf(text string, from, to, runs int) figureStyle {
	separator := ownSeparator(text)
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.FieldsPerRecord, r.ReuseRecord = rune(separator), -1, true
	commas := false
	for header := true; ; header = false {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return figureStyle{comma: commas && separator == ';', unsure: commas && separator != ';'}
		}
		if err != nil || header {
			continue
		}
		for i := range row {
			if (i < from || i >= to) && (i != runs || separator != ';') {
				continue
			}
			if digits := strings.Trim(row[i], "+-0123456789eE,.;| "); digits != "" {
				continue // no figures
			}
			if strings.Contains(row[i], ".") {
				return figureStyle{}
			}
			commas = commas || strings.Contains(row[i], ",")
		}
	}
}

// pointFigure returns a figure with a decimal comma, or a list of such, as the
// other forms have it: with points, and where it is a value with commas between.
func pointFigure(cell, between string) string {
	if strings.Trim(cell, "+-0123456789eE,; ") != "" {
		return cell
	}
	return strings.NewReplacer(",", ".", ";", between).Replace(cell)
}

// pointRuns returns runs with decimal commas as the other forms have them. There
// may be several values of each with "|" between them, and of one alone with
// semicolons.
func pointRuns(cell string, one bool) string {
	between := ";"
	if one {
		between = ","
	}
	parts := strings.Split(cell, "|")
	for i := range parts {
		parts[i] = pointFigure(parts[i], between)
	}
	return strings.Join(parts, ",")
}

// pair reports whether a value is two numbers without a point and a comma
// between them, or one number with a decimal comma.
func pair(value string) bool {
	a, b, ok := strings.Cut(value, ",")
	_, first := result.ParseNumber(a)
	return ok && first && b != "" && strings.Trim(b, "0123456789") == "" && !strings.Contains(a, ".")
}

// pairs makes values ambiguous that may be a pair of numbers or one.
func (o *own) pairs(m *result.Measurement) {
	if !o.style.unsure || !pair(m.Value) {
		return
	}
	o.f.At(m.Origin, result.SeverityError, "number-ambiguous",
		"the value %q is two values, or one with a decimal comma: no value of the table has a point that would tell", m.Value)
	m.Alternatives = []string{m.Value, strings.Replace(m.Value, ",", ".", 1)}
	m.Value, m.Decode = "", result.DecodeAmbiguous
}

// next reads the next row that has so many fields, or any with n < 0. Rows
// of other lengths are reported: none of their fields is sure.
func (o *own) next(n int) error {
	for {
		o.at = int(o.r.InputOffset())
		o.rowLine, o.rowAt = o.line, o.lineAt
		row, err := o.r.Read()
		var syntax *csv.ParseError
		switch {
		case errors.As(err, &syntax):
			// The reader goes on in the next line.
			if o.f != nil {
				o.f.Error(o.at, "unread-row", "a row is not read: %s", syntax.Err.Error())
			}
			if o.r.InputOffset() >= int64(len(o.doc.Text)) {
				return io.EOF
			}
			continue
		case err != nil:
			return err
		case n >= 0 && len(row) != n:
			if o.f != nil {
				o.f.Error(o.at, "shifted-row", "a row has %s, and the header %d; it is not read", phrase.Count(len(row), "field"), n)
			}
			continue
		}
		for i := range row {
			row[i] = unguard(row[i])
		}
		o.row = row
		return nil
	}
}

// header reads the first row.
func (o *own) header() error {
	err := o.next(-1)
	if errors.Is(err, io.EOF) {
		return &source.SyntaxError{Origin: o.doc.Origin(0, ""), Found: "a header that is no row of CSV", Expected: expected}
	}
	return err
}

// unguard takes off the quote that keeps spreadsheets from taking a text for
// a formula.
func unguard(text string) string {
	if bare := strings.TrimLeft(text, "'"); bare != text && bare != "" && strings.IndexByte("=+-@\t\r", bare[0]) >= 0 {
		return text[1:]
	}
	return text
}

// origin returns where a field of the row begins.
func (o *own) origin(field int, rule string) result.Origin {
	line, column := o.r.FieldPos(field)
	if line < o.line {
		o.line, o.lineAt = o.rowLine, o.rowAt
	}
	for o.line < line {
		n := strings.IndexByte(o.doc.Text[o.lineAt:], '\n')
		if n < 0 {
			break
		}
		o.line, o.lineAt = o.line+1, o.lineAt+n+1
	}
	return o.f.Origin(min(o.lineAt+column-1, len(o.doc.Text)), rule)
}

// readLong reads the long table: a row a measurement. A result file is the
// rows of one source and title behind each other; so is a test those of one
// name, version, profile, arguments, scale and direction, until a system
// comes again. Places are those in the table; its columns line and column,
// which are those of an input before it, are not kept.
func readLong(doc *source.Doc, emit func(*result.File) error) error {
	o := newOwn(doc)
	if err := o.header(); err != nil {
		return err
	}
	n := len(o.row)
	if n < len(longColumns) || !slices.Equal(o.row[:len(longColumns)], longColumns) {
		return &source.SyntaxError{Origin: doc.Origin(0, ""), Found: "another header", Expected: expected}
	}
	o.style = styleOf(doc.Text, 9, 11, 12) // value and standard error
	var test result.Test
	open := false
	systems := make(map[string]int) // index by name
	used := make(map[int]bool)      // in the test
	flush := func() error {
		if !open {
			return nil
		}
		open = false
		return o.f.AddTest(test)
	}
	o.f = build.New(doc, result.FormatCSV)
	started := false
	for {
		err := o.next(n)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if o.style.comma {
			o.row[9], o.row[10], o.row[12] = pointFigure(o.row[9], ","), pointFigure(o.row[10], ","), pointRuns(o.row[12], o.row[11] == "1")
		}
		if started && (o.row[0] != o.f.Source || o.row[1] != o.f.Title) {
			if err := flush(); err != nil {
				return err
			}
			if err := emit(o.f.Finish()); err != nil {
				return err
			}
			o.f = build.New(doc, result.FormatCSV)
			started = false
			clear(systems)
		}
		if !started {
			started = true
			o.f.Source, o.f.Title = o.row[0], o.row[1]
		}
		index, ok := systems[o.row[8]]
		if !ok {
			if index, err = o.f.Describe(result.System{Identifier: o.row[8], Origin: o.origin(8, "system")}); err != nil {
				return err
			}
			systems[o.row[8]] = index
		}
		next := result.Test{
			Title: o.row[2], Version: o.row[3], Profile: o.row[4], Arguments: o.row[5], Scale: o.row[6],
			Proportion: o.proportion(o.row[7]),
		}
		if !open || used[index] || !sameTest(&test, &next) {
			if err := flush(); err != nil {
				return err
			}
			test, open = next, true
			test.Options = result.ParseOptions(test.Arguments)
			test.Origin = o.origin(2, "test")
			clear(used)
		}
		used[index] = true
		test.Measurements = append(test.Measurements, o.measurement(index))
	}
	if err := flush(); err != nil {
		return err
	}
	if !started {
		o.f.Warn(len(doc.Text), "no-results", "the table has no rows")
	}
	checkEnd(doc, o.f)
	return emit(o.f.Finish())
}

func sameTest(a, b *result.Test) bool {
	return a.Title == b.Title && a.Version == b.Version && a.Profile == b.Profile &&
		a.Arguments == b.Arguments && a.Scale == b.Scale && a.Proportion == b.Proportion
}

func (o *own) proportion(text string) result.Proportion {
	switch p := result.Proportion(text); p {
	case result.HIB, result.LIB, result.ProportionUnknown:
		return p
	}
	o.f.Warn(o.at, "unknown-proportion", "%q is no proportion that is known", text)
	return result.ProportionUnknown
}

// measurement makes the measurement of a row of the long table.
func (o *own) measurement(system int) result.Measurement {
	m := result.Measurement{System: system, Value: o.row[9], StdError: o.row[10], Origin: o.origin(9, "long-value")}
	if o.row[11] != "" {
		n, err := strconv.Atoi(o.row[11])
		if err != nil || n < 0 {
			o.f.Warn(o.at, "unknown-value", "%q is no number of samples", o.row[11])
		} else {
			m.Samples = n
		}
	}
	if o.row[12] != "" {
		m.RawValues = strings.Split(o.row[12], ";")
		m.StdErrorDerived = m.StdError != ""
	}
	if err := m.Status.UnmarshalText([]byte(o.row[13])); err != nil {
		o.f.Warn(o.at, "unknown-value", "%s", err.Error())
	}
	if err := m.Decode.UnmarshalText([]byte(o.row[14])); err != nil {
		o.f.Warn(o.at, "unknown-value", "%s; taken for inferred", err.Error())
		m.Decode = result.DecodeInferred
	}
	switch {
	case m.Value == "" && m.Status == result.StatusOK && m.Decode != result.DecodeAmbiguous:
		o.f.Error(o.at, "value-missing", "a row that is neither failed nor ambiguous has no value")
		m.Decode = result.DecodeAmbiguous
	case m.Value != "" && (m.Status == result.StatusFailed || m.Decode == result.DecodeAmbiguous):
		o.f.Warn(o.at, "value-doubtful", "a row that is failed or ambiguous has the value %q; it is not taken for one", m.Value)
		if m.Decode == result.DecodeAmbiguous {
			m.Alternatives = []string{m.Value}
		}
		m.Value = ""
	}
	o.pairs(&m)
	return m
}

// readWide reads the wide table: a row a test and a column a system.
func readWide(doc *source.Doc, emit func(*result.File) error) error {
	o := newOwn(doc)
	if err := o.header(); err != nil {
		return err
	}
	names := slices.Clone(o.row)
	first := len(wideColumns)
	if len(names) < first || !slices.Equal(names[:first], wideColumns) {
		return &source.SyntaxError{Origin: doc.Origin(0, ""), Found: "another header", Expected: expected}
	}
	o.style = styleOf(doc.Text, first, len(names), -1)
	o.f = build.New(doc, result.FormatCSV)
	for i, name := range names[first:] {
		if _, err := o.f.Describe(result.System{Identifier: name, Origin: o.origin(first+i, "system")}); err != nil {
			return err
		}
	}
	empty := 0
	for {
		err := o.next(len(names))
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		t := result.Test{
			Title: o.row[0], Version: o.row[1], Arguments: o.row[2], Scale: o.row[3], Proportion: o.proportion(o.row[4]),
			Options: result.ParseOptions(o.row[2]), Origin: o.origin(0, "test"),
		}
		for i, v := range o.row[first:] {
			if v == "" {
				empty++
				continue
			}
			if o.style.comma {
				v = pointFigure(v, ",")
			}
			m := result.Measurement{System: i, Value: v, Decode: result.DecodeInferred, Origin: o.origin(first+i, "wide-value")}
			o.pairs(&m)
			t.Measurements = append(t.Measurements, m)
		}
		if err := o.f.AddTest(t); err != nil {
			return err
		}
	}
	checkEnd(doc, o.f)
	o.f.Info(0, "decode-unknown", "a wide table does not say which values are inferred, which are means of runs and what failed: all are marked inferred")
	if empty > 0 {
		o.f.Info(0, "blank-cell", "cells that are empty, since a value is missing, failed or ambiguous: %d", empty)
	}
	return emit(o.f.Finish())
}
