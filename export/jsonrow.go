package export

import (
	"encoding/json"

	"github.com/benchproof/benchproof/internal/number"
	"github.com/benchproof/benchproof/result"
)

// measurementLine is a row of the results as a JSON object.
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

// longRows is the long table of results.
type longRows struct {
	rowsWriter
	f     *result.File
	names Names
}

func (w *longRows) Write(f *result.File) error { return writeParts(w, f) }

func (w *longRows) File(f *result.File) error {
	w.f, w.names = f, Names{}
	return nil
}

func (w *longRows) Test(t *result.Test) error {
	systems := w.names.Of(w.f)
	for i := range t.Measurements {
		m := &t.Measurements[i]
		stdError, samples := number.Figures(m)
		line := measurementLine{
			Source: w.f.Source, Title: w.f.Title, Test: t.Title, Version: t.Version,
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
		object, err := json.Marshal(line)
		if err == nil {
			err = w.row(object)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *longRows) End(*result.File) error { return w.flush() }

// rowObject returns a row of a table as a JSON object with the names of its
// columns, in their order.
func rowObject(columns []Column, cells []string) ([]byte, error) {
	object := []byte{'{'}
	for i, cell := range cells {
		if i > 0 {
			object = append(object, ',')
		}
		var err error
		if object, err = appendText(object, columns[i].Name); err != nil {
			return nil, err
		}
		object = append(object, ':')
		switch {
		case columns[i].Kind == Bool, columns[i].Kind == Count && cell != "":
			object = append(object, cell...)
		case columns[i].Kind == Count:
			object = append(object, "null"...)
		default:
			if object, err = appendText(object, cell); err != nil {
				return nil, err
			}
		}
	}
	return append(object, '}'), nil
}

// wideObject returns a row of the wide table as a JSON object: its first
// columns by name, and the values that there are as an object by system,
// which keeps a system called "test" apart.
func wideObject(columns []Column, cells []string) ([]byte, error) {
	n := len(wideHead)
	var values []Column
	var texts []string
	for i := n; i < len(cells); i++ {
		if cells[i] != "" {
			values, texts = append(values, columns[i]), append(texts, cells[i])
		}
	}
	object, err := rowObject(columns[:n], cells[:n])
	if err != nil {
		return nil, err
	}
	inner, err := rowObject(values, texts)
	if err != nil {
		return nil, err
	}
	object = append(object[:len(object)-1], `,"values":`...)
	return append(append(object, inner...), '}'), nil
}

func appendText(object []byte, text string) ([]byte, error) {
	b, err := json.Marshal(text)
	return append(object, b...), err
}

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
