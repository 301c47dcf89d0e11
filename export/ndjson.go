package export

import (
	"bufio"
	"encoding/json"
	"io"
	"strconv"

	"github.com/benchproof/benchproof/internal/number"
	"github.com/benchproof/benchproof/internal/term"
	"github.com/benchproof/benchproof/result"
)

// NewNDJSON returns a writer of one JSON object a line, with the names of
// the long table's columns.
//
// A line of the results says more than a row of CSV: the value is also a
// number (null where it is none), options are the parts of the arguments,
// raw_values a list, and reason and alternatives tell why a value is not
// there. What is unknown is null or "". The layout does not matter. Equal
// files give equal bytes.
func NewNDJSON(w io.Writer, o Options) Writer {
	if o.Table == "" {
		o.Table = Results
	}
	return &ndjsonWriter{bufio.NewWriterSize(w, 64<<10), o.Table}
}

type ndjsonWriter struct {
	w     *bufio.Writer
	table Table
}

// measurementLine is one line of the results.
type measurementLine struct {
	Source          string            `json:"source"`
	Title           string            `json:"title"`
	Test            string            `json:"test"`
	Version         string            `json:"version"`
	Profile         string            `json:"profile"`
	Arguments       string            `json:"arguments"`
	Options         []result.Option   `json:"options"`
	Scale           string            `json:"scale"`
	Proportion      result.Proportion `json:"proportion"`
	System          string            `json:"system"`
	Value           string            `json:"value"`
	Number          *float64          `json:"number"`
	StdError        string            `json:"std_error"`
	StdErrorDerived bool              `json:"std_error_derived"`
	Samples         *int              `json:"samples"`
	RawValues       []string          `json:"raw_values"`
	Status          result.Status     `json:"status"`
	Reason          string            `json:"reason"`
	Decode          result.Decode     `json:"decode"`
	Alternatives    []string          `json:"alternatives"`
	Line            *int              `json:"line"`
	Column          *int              `json:"column"`
}

func (w *ndjsonWriter) Write(f *result.File) error {
	if w.table != Results {
		return w.rows(f)
	}
	systems := f.SystemNames()
	for i := range f.Tests {
		t := &f.Tests[i]
		for j := range t.Measurements {
			m := &t.Measurements[j]
			stdError, samples := number.Figures(m)
			line := measurementLine{
				Source: f.Source, Title: f.Title, Test: t.Title, Version: t.Version,
				Profile: t.Profile, Arguments: t.Arguments, Options: list(t.Options),
				Scale: t.Scale, Proportion: t.Proportion, System: systems[m.System],
				Value: Value(m), StdError: stdError,
				StdErrorDerived: m.StdErrorDerived || stdError != m.StdError,
				Samples:         known(samples), RawValues: list(m.RawValues),
				Status: m.Status, Reason: m.Reason,
				Decode: m.Decode, Alternatives: list(m.Alternatives),
				Line: known(m.Origin.Line), Column: known(m.Origin.Column),
			}
			if v, ok := result.ParseNumber(line.Value); ok {
				line.Number = &v
			}
			if err := w.line(line); err != nil {
				return err
			}
		}
	}
	return w.w.Flush()
}

// rows writes one of the other tables, column by column.
func (w *ndjsonWriter) rows(f *result.File) error {
	columns := w.table.Columns()
	for row := range w.table.Rows(f) {
		line := []byte{'{'}
		for i, cell := range row {
			if i > 0 {
				line = append(line, ',')
			}
			line = strconv.AppendQuote(line, columns[i].Name)
			line = append(line, ':')
			switch {
			case columns[i].Kind == Bool:
				line = append(line, cell...)
			case columns[i].Kind == Count && cell != "":
				line = append(line, cell...)
			case columns[i].Kind == Count:
				line = append(line, "null"...)
			default:
				text, err := json.Marshal(cell)
				if err != nil {
					return err
				}
				line = append(line, text...)
			}
		}
		if err := w.raw(append(line, '}')); err != nil {
			return err
		}
	}
	return w.w.Flush()
}

func (w *ndjsonWriter) line(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return w.raw(b)
}

func (w *ndjsonWriter) raw(line []byte) error {
	if _, err := w.w.Write(term.EscapeJSON(line)); err != nil {
		return err
	}
	return w.w.WriteByte('\n')
}

func (w *ndjsonWriter) Close() error { return w.w.Flush() }

// known returns nil for the record's zero, which means unknown.
func known(n int) *int {
	if n == 0 {
		return nil
	}
	return &n
}

// list returns s, or an empty list that JSON writes as [] where s is nil.
func list[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
