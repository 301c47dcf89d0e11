package xlsx

import (
	"iter"
	"strings"

	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/internal/number"
	"github.com/benchproof/benchproof/result"
)

// widest are the columns whose text may take another width than the default
// before it wraps.
var widest = map[string]int{"source": 40, "title": 32, "arguments": 64, "message": 100}

func named(names ...string) []column {
	c := make([]column, len(names))
	for i, n := range names {
		c[i] = column{name: n, widest: widest[n], oneLine: n == "source" || n == "title"}
	}
	return c
}

// same returns the columns of a table of package export.
func same(columns []export.Column) []column {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.Name
	}
	return named(names...)
}

// long lets a table whose rows repeat the arguments of a test have wide ones:
// they would make all rows higher.
func long(columns []column) []column {
	for i := range columns {
		switch columns[i].name {
		case "arguments":
			columns[i].widest = 100
		case "reason":
			columns[i].widest = 80
		}
	}
	return columns
}

// results is the wide table: one row a test, one column a system.
func (w *Writer) results() *table {
	t := &table{name: "Results", frozen: 3}
	wide := export.NewWideTable(w.files)
	for i, c := range wide.Columns() {
		if i < resultHead {
			t.columns = append(t.columns, named(c.Name)...)
		} else {
			t.columns = append(t.columns, column{name: c.Name, widest: 24, right: true})
		}
	}
	t.comments = func() []comment { return w.valueComments(wide) }
	t.rules = w.valueRules(w.places.rows, len(t.columns))
	if w.places.sortable {
		t.printed = len(t.columns)
		t.columns = append(t.columns, named("row")...)
	}
	t.rows = func(yield func([]cell) bool) {
		row := make([]cell, len(t.columns))
		n := 0
		for test, cells := range wide.Cells() {
			clear(row)
			copy(row, head(test))
			for i, m := range cells {
				if m != nil {
					row[resultHead+i] = valueCell(m)
				}
			}
			if n++; w.places.sortable {
				row[w.places.columns] = countCell(n)
			}
			if !yield(row) {
				return
			}
		}
	}
	return t
}

// resultHead is the number of columns of the sheet Results before those of the
// systems.
const resultHead = 5

func head(t *result.Test) []cell {
	return []cell{
		textCell(t.Title), textCell(t.Version), textCell(t.Arguments),
		textCell(t.Scale), textCell(string(t.Proportion)),
	}
}

// valueCell is a measurement in the sheet Results: its value, or why there
// is none, in words.
func valueCell(m *result.Measurement) cell {
	var c cell
	switch {
	case m.Status == result.StatusFailed:
		c = textCell(m.FailureWord())
		c.look.tone = faded
	case m.Decode == result.DecodeAmbiguous:
		c = textCell(strings.TrimSpace("? " + strings.Join(m.Alternatives, " or ")))
		c.look.tone = uncertain
	default:
		c = figureCell(m.Value)
		if m.Decode == result.DecodeInferred {
			c.look.tone = inferred
		}
	}
	return c
}

// records is the long table, with what a row of text has no room for behind
// it.
func (w *Writer) records() *table {
	t := &table{name: "Records", columns: same(export.Results.Columns()), pages: 2, again: 3}
	t.columns = long(append(t.columns, named("reason", "alternatives")...))
	t.rows = func(yield func([]cell) bool) {
		row := make([]cell, len(t.columns))
		for _, f := range w.files {
			row[0], row[1] = textCell(f.Source), textCell(f.Title)
			names := f.SystemNames()
			for i := range f.Tests {
				test := &f.Tests[i]
				copy(row[2:], []cell{
					textCell(test.Title), textCell(test.Version), textCell(test.Profile),
					textCell(test.Arguments), textCell(test.Scale), textCell(string(test.Proportion)),
				})
				for j := range test.Measurements {
					m := &test.Measurements[j]
					setMeasurement(row[8:], m, names[m.System])
					if !yield(row) {
						return
					}
				}
			}
		}
	}
	return t
}

// setMeasurement sets the cells of a record from the system on.
func setMeasurement(row []cell, m *result.Measurement, system string) {
	stdError, samples := number.Figures(m)
	row[0] = textCell(system)
	row[1] = figureCell(export.Value(m))
	if m.Decode == result.DecodeInferred {
		row[1].look.tone = inferred
	}
	row[2], row[3] = figureCell(stdError), countCell(samples)
	row[4] = textCell(strings.Join(m.RawValues, ";"))
	row[5], row[6] = textCell(m.Status.String()), textCell(m.Decode.String())
	row[7], row[8] = countCell(m.Origin.Line), countCell(m.Origin.Column)
	row[9], row[10] = textCell(m.Reason), textCell(strings.Join(m.Alternatives, ";"))
}

// systems is one row a system, one column a component.
func (w *Writer) systems() *table {
	t := &table{name: "Systems", frozen: 1}
	several := len(w.files) > 1
	if several {
		t.columns = named("source", "title")
		t.frozen = 3
	}
	first := len(t.columns)
	t.columns = append(t.columns, named("system", "group")...)
	measured, address := w.published(t)
	type id struct{ kind, key string }
	index := map[id]int{}
	taken := map[string]bool{}
	for _, f := range w.files {
		for i := range f.Systems {
			for kind, c := range components(&f.Systems[i]) {
				if _, ok := index[id{kind, c.Key}]; ok {
					continue
				}
				name := c.Key
				if kind == result.KindNotes || taken[name] {
					name += " (" + kind + ")"
				}
				taken[name] = true
				index[id{kind, c.Key}] = len(t.columns)
				widest := 36
				if kind == result.KindNotes {
					widest = 80 // sentences, not names
				}
				t.columns = append(t.columns, column{name: name, widest: widest})
			}
		}
	}
	t.rows = func(yield func([]cell) bool) {
		row := make([]cell, len(t.columns))
		texts := make([]string, len(t.columns))
		for _, f := range w.files {
			names := f.SystemNames()
			for i := range f.Systems {
				s := &f.Systems[i]
				clear(row)
				clear(texts)
				if several {
					row[0], row[1] = textCell(f.Source), textCell(f.Title)
				}
				row[first], row[first+1] = textCell(names[i]), textCell(s.Group())
				if s.Decode != result.DecodeExact {
					row[first].look.tone = inferred
				}
				if measured > 0 {
					row[measured] = timeCell(s.Timestamp)
				}
				if address > 0 {
					row[address] = textCell(f.URL)
				}
				for kind, c := range components(s) {
					n := index[id{kind, c.Key}]
					if texts[n] != "" {
						texts[n] += "\n"
					}
					texts[n] += c.Value
					row[n] = textCell(texts[n])
					if kind != result.KindNotes && s.Inherited(c.Key) {
						row[n].look.tone = faded
					}
				}
				if !yield(row) {
					return
				}
			}
		}
	}
	return t
}

// published appends the columns for when systems were measured and where their
// result was published, and returns their indexes, 0 where no file says it.
func (w *Writer) published(t *table) (measured, address int) {
	timed, addressed := false, false
	for _, f := range w.files {
		addressed = addressed || f.URL != ""
		for i := range f.Systems {
			timed = timed || f.Systems[i].Timestamp != ""
		}
	}
	if timed {
		measured = len(t.columns)
		t.columns = append(t.columns, named("measured")...)
	}
	if addressed {
		address = len(t.columns)
		t.columns = append(t.columns, column{name: "address", widest: 60, oneLine: true})
	}
	return measured, address
}

// components yields the components of s with their kind.
func components(s *result.System) iter.Seq2[string, result.Component] {
	return func(yield func(string, result.Component) bool) {
		for _, part := range []struct {
			kind string
			list []result.Component
		}{
			{result.KindHardware, s.Hardware},
			{result.KindSoftware, s.Software},
			{result.KindNotes, s.Notes},
		} {
			for _, c := range part.list {
				if !yield(part.kind, c) {
					return
				}
			}
		}
	}
}

// diagnostics is the table of that name, and what did not fit elsewhere.
func (w *Writer) diagnostics() *table {
	t := &table{name: "Diagnostics", columns: same(export.Diagnostics.Columns())}
	t.rows = func(yield func([]cell) bool) {
		row := make([]cell, len(t.columns))
		for _, f := range w.files {
			for _, d := range f.Diagnostics {
				source := d.Origin.Source
				if source == "" {
					source = f.Source
				}
				copy(row, []cell{
					textCell(source), countCell(d.Origin.Line), countCell(d.Origin.Column),
					textCell(string(d.Severity)), textCell(d.Code), textCell(d.Message),
				})
				if !yield(row) {
					return
				}
			}
		}
		for _, r := range w.reports {
			copy(row, []cell{
				{}, {}, {}, textCell(string(r.severity)), textCell(r.code), textCell(r.message),
			})
			if !yield(row) {
				return
			}
		}
	}
	return t
}
