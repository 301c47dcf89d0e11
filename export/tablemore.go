package export

import (
	"iter"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/internal/number"
	"github.com/benchproof/benchproof/result"
)

// sourceColumns and detailColumns are the tables that tell what the results
// have no column for; source and system tie their rows to those of the others.
var (
	sourceColumns = columns(
		Text, "source", "title", "description", "url", "identifier", "generator", "format", "last_modified", "notes", "internal_tags",
		"reference_id", "environment", "system", "timestamp", "user", "client_version", "system_notes", "origin",
	)
	detailColumns = join(
		columns(Text, "source", "test", "version", "profile", "arguments", "scale", "system"),
		columns(Figure, "value"),
		columns(Text, "status", "reason", "decode", "alternatives"),
		columns(Figure, "precise", "min", "max", "run_times"),
		columns(Bool, "std_error_derived"),
		columns(Text, "notes", "driver", "fidelity", "scaling", "origin"),
		columns(Count, "line", "column", "offset"),
		columns(Text, "rule"),
	)
)

// sourceRows yields a row a system, and one with an empty system for a file
// without any.
func sourceRows(f *result.File) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		row := make([]string, len(sourceColumns))
		head := copy(row, []string{
			f.Source, f.Title, f.Description, f.URL, f.Identifier, f.Generator, string(f.Format), f.LastModified, f.Notes, f.InternalTags,
			f.ReferenceID, f.Environment,
		})
		if len(f.Systems) == 0 {
			yield(row)
			return
		}
		names := f.SystemNames()
		for i := range f.Systems {
			s := &f.Systems[i]
			copy(row[head:], []string{names[i], s.Timestamp, s.User, s.ClientVersion, s.NotesText, s.Origin.Source})
			if !yield(row) {
				return
			}
		}
	}
}

// detailRows yields a row a measurement, in the order of the results.
func detailRows(f *result.File) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		names := f.SystemNames()
		row := make([]string, len(detailColumns))
		for i := range f.Tests {
			t := &f.Tests[i]
			for j := range t.Measurements {
				m := &t.Measurements[j]
				var how result.Replay
				if m.Replay != nil {
					how = *m.Replay
				}
				offset := ""
				if m.Origin.Line > 0 {
					offset = strconv.Itoa(m.Origin.Offset)
				}
				stdError, _ := number.Figures(m)
				copy(row, []string{
					f.Source, t.Title, t.Version, t.Profile, t.Arguments, t.Scale, names[m.System],
					Value(m), m.Status.String(), m.Reason, m.Decode.String(), strings.Join(m.Alternatives, ";"),
					m.Precise, m.Min, m.Max, strings.Join(m.RunTimes, ";"), strconv.FormatBool(m.StdErrorDerived || stdError != m.StdError),
					strings.Join(m.Notes, "; "), how.Driver, string(how.Fidelity), how.Scaling, m.Origin.Source,
					count(m.Origin.Line), count(m.Origin.Column), offset, m.Origin.Rule,
				})
				if !yield(row) {
					return
				}
			}
		}
	}
}
