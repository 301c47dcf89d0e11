package export

import (
	"iter"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/internal/number"
	"github.com/benchproof/benchproof/result"
)

// Table is one of the flat views of a result file.
type Table string

// The tables. Their columns are fixed: programs rely on them.
const (
	// Results has one row a measurement.
	Results Table = "results"
	// Systems has one row a component of a system, and one with an empty
	// kind for a system without components.
	Systems Table = "systems"
	// Runs has one row a single run, where the source has them.
	Runs Table = "runs"
	// Diagnostics has one row for everything that a reader reported.
	Diagnostics Table = "diagnostics"
	// Sources has one row a system: where and when it was measured, and what
	// its file says of itself, the published address included.
	Sources Table = "sources"
	// Details has one row a measurement, as Results has, with what that has
	// no column for: why there is no value, alternatives, minimum, maximum,
	// run times, how it was replayed, and by which rule it was read where.
	Details Table = "details"
)

// Tables lists all tables.
func Tables() []Table { return []Table{Results, Systems, Runs, Diagnostics, Sources, Details} }

// Column is one column of a table.
type Column struct {
	Name string
	Kind Kind
}

// Kind is what a column holds.
type Kind uint8

// The kinds of columns.
const (
	// Text from the source or in words. In CSV it is guarded against
	// being taken for a formula.
	Text Kind = iota
	// Figure is printed text that mostly is a number: values and standard
	// errors, as the source prints them. In CSV it is guarded only where
	// it is none.
	Figure
	// Count is a whole number or empty.
	Count
	// Bool is "true" or "false".
	Bool
)

func columns(kind Kind, names ...string) []Column {
	c := make([]Column, len(names))
	for i, n := range names {
		c[i] = Column{n, kind}
	}
	return c
}

func join(parts ...[]Column) []Column {
	var all []Column
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

var tableColumns = map[Table][]Column{
	Results: join(
		columns(Text, "source", "title", "test", "version", "profile", "arguments", "scale", "proportion", "system"),
		columns(Figure, "value", "std_error"),
		columns(Count, "samples"),
		columns(Figure, "raw_values"),
		columns(Text, "status", "decode"),
		columns(Count, "line", "column"),
	),
	Systems: join(
		columns(Text, "source", "system", "group", "kind", "key", "value"),
		columns(Bool, "inherited"),
	),
	Runs: join(
		columns(Text, "source", "test", "version", "arguments", "scale", "system"),
		columns(Count, "run"),
		columns(Figure, "value"),
	),
	Diagnostics: join(
		columns(Text, "source"),
		columns(Count, "line", "column"),
		columns(Text, "severity", "code", "message"),
	),
	Sources: sourceColumns,
	Details: detailColumns,
}

// Columns returns t's columns in order. The caller must not change them.
func (t Table) Columns() []Column { return tableColumns[t] }

// Rows yields the rows of f in published order, one string a column of t.
// The slice is reused for the next row.
func (t Table) Rows(f *result.File) iter.Seq[[]string] {
	switch t {
	case Results:
		return resultRows(f)
	case Systems:
		return systemRows(f)
	case Runs:
		return runRows(f)
	case Diagnostics:
		return diagnosticRows(f)
	case Sources:
		return sourceRows(f)
	case Details:
		return detailRows(f)
	}
	return func(func([]string) bool) {}
}

func resultRows(f *result.File) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		systems := f.SystemNames()
		row := make([]string, len(Results.Columns()))
		for i := range f.Tests {
			t := &f.Tests[i]
			for j := range t.Measurements {
				m := &t.Measurements[j]
				stdError, samples := number.Figures(m)
				copy(row, []string{
					f.Source, f.Title, t.Title, t.Version, t.Profile, t.Arguments, t.Scale,
					string(t.Proportion), systems[m.System], Value(m), stdError, count(samples),
					strings.Join(m.RawValues, ";"), m.Status.String(), m.Decode.String(),
					count(m.Origin.Line), count(m.Origin.Column),
				})
				if !yield(row) {
					return
				}
			}
		}
	}
}

// Value returns the printed value of m, and "" where m failed or its value
// is not known for sure to be any one.
func Value(m *result.Measurement) string {
	if m.Status != result.StatusOK || m.Decode == result.DecodeAmbiguous {
		return ""
	}
	return m.Value
}

// count returns n in digits, and "" for 0: the record's zero means unknown.
func count(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func systemRows(f *result.File) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		names := f.SystemNames()
		row := make([]string, len(Systems.Columns()))
		for i := range f.Systems {
			s := &f.Systems[i]
			rows := 0
			for _, part := range []struct {
				kind string
				list []result.Component
			}{
				{result.KindHardware, s.Hardware},
				{result.KindSoftware, s.Software},
				{result.KindNotes, s.Notes},
			} {
				for _, c := range part.list {
					inherited := part.kind != result.KindNotes && s.Inherited(c.Key)
					copy(row, []string{
						f.Source, names[i], s.Group(), part.kind, c.Key, c.Value,
						strconv.FormatBool(inherited),
					})
					if !yield(row) {
						return
					}
					rows++
				}
			}
			if rows == 0 {
				copy(row, []string{f.Source, names[i], s.Group(), "", "", "", "false"})
				if !yield(row) {
					return
				}
			}
		}
	}
}

func runRows(f *result.File) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		systems := f.SystemNames()
		row := make([]string, len(Runs.Columns()))
		for i := range f.Tests {
			t := &f.Tests[i]
			for j := range t.Measurements {
				m := &t.Measurements[j]
				for k, v := range m.RawValues {
					copy(row, []string{
						f.Source, t.Title, t.Version, t.Arguments, t.Scale,
						systems[m.System], strconv.Itoa(k + 1), v,
					})
					if !yield(row) {
						return
					}
				}
			}
		}
	}
}

func diagnosticRows(f *result.File) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		row := make([]string, len(Diagnostics.Columns()))
		for _, d := range f.Diagnostics {
			source := d.Origin.Source
			if source == "" {
				source = f.Source
			}
			copy(row, []string{
				source, count(d.Origin.Line), count(d.Origin.Column),
				string(d.Severity), d.Code, d.Message,
			})
			if !yield(row) {
				return
			}
		}
	}
}
