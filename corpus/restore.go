package corpus

import (
	"fmt"

	"github.com/benchproof/benchproof/result"
)

// fileRows are all rows of one file.
type fileRows struct {
	file         fileRow
	systems      []systemRow
	components   []componentRow
	tests        []testRow
	measurements []measurementRow
	runs         []runRow
	diagnostics  []diagnosticRow
}

// restore returns the record that the rows were made of.
func (r *fileRows) restore() (*result.File, error) {
	h := &r.file
	f := &result.File{
		Title: h.Title, Description: h.Description, TitleDescription: h.TitleDescription,
		Source: h.Source, URL: h.URL, Identifier: h.Identifier, Generator: h.Generator, Format: result.Format(h.Format),
		LastModified: h.LastModified, Notes: h.Notes, InternalTags: h.InternalTags, ReferenceID: h.ReferenceID, Environment: h.Environment,
	}
	d := &decoder{}
	d.word(f.TitleSplit.UnmarshalText, h.TitleSplit)
	for i := range r.systems {
		f.Systems = append(f.Systems, d.system(&r.systems[i]))
	}
	for _, c := range r.components {
		if i := int(c.System) - 1; d.index(i, len(f.Systems)) {
			s := &f.Systems[i]
			list := map[string]*[]result.Component{result.KindHardware: &s.Hardware, result.KindSoftware: &s.Software, result.KindNotes: &s.Notes}[c.Kind]
			if list == nil {
				d.fail("unknown kind %q of a component", c.Kind)
				continue
			}
			*list = append(*list, result.Component{Key: c.Key, Value: c.Value})
		}
	}
	d.systems = len(f.Systems)
	for i := range r.tests {
		f.Tests = append(f.Tests, d.test(&r.tests[i]))
	}
	for i := range r.measurements {
		m := &r.measurements[i]
		if d.index(int(m.Test)-1, len(f.Tests)) && d.index(int(m.System)-1, len(f.Systems)) {
			t := &f.Tests[m.Test-1]
			t.Measurements = append(t.Measurements, d.measurement(m))
		}
	}
	for _, run := range r.runs {
		if !d.index(int(run.Test)-1, len(f.Tests)) {
			continue
		}
		t := &f.Tests[run.Test-1]
		if !d.index(int(run.Measurement)-1, len(t.Measurements)) {
			continue
		}
		m := &t.Measurements[run.Measurement-1]
		if run.Value != nil {
			m.RawValues = append(m.RawValues, *run.Value)
		}
		if run.Seconds != nil {
			m.RunTimes = append(m.RunTimes, *run.Seconds)
		}
	}
	for _, g := range r.diagnostics {
		f.Diagnostics = append(f.Diagnostics, result.Diagnostic{Severity: d.severity(g.Severity), Origin: d.origin(g.Origin), Code: g.Code, Message: g.Message})
	}
	if d.err != nil {
		return nil, fmt.Errorf("file %s: %w", h.FileID, d.err)
	}
	return f, nil
}

// decoder keeps the first error.
type decoder struct {
	err     error
	systems int // how many the file has
}

func (d *decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf(format, args...)
	}
}

func (d *decoder) word(set func([]byte) error, word string) {
	if err := set([]byte(word)); err != nil && d.err == nil {
		d.err = err
	}
}

func (d *decoder) index(i, n int) bool {
	if i >= 0 && i < n {
		return true
	}
	d.fail("a row names number %d of %d", i+1, n)
	return false
}

func (d *decoder) system(r *systemRow) result.System {
	s := result.System{
		Identifier: r.Identifier, GroupPath: r.GroupPath, InheritedKeys: r.Inherited, User: r.User, Timestamp: r.Timestamp,
		ClientVersion: r.ClientVersion, NotesText: r.NotesText, Details: bytesOf(r.Details), Origin: d.origin(r.Origin),
	}
	d.word(s.Decode.UnmarshalText, r.Decode)
	return s
}

func (d *decoder) test(r *testRow) result.Test {
	t := result.Test{
		Profile: r.Profile, Title: r.Title, Version: r.Version, Arguments: r.Arguments, CommandArguments: r.CommandArguments,
		Scale: r.Scale, Proportion: d.proportion(r.Proportion), DisplayFormat: r.DisplayFormat, Footnotes: r.Footnotes,
		Parent: r.Parent, Annotation: r.Annotation, Origin: d.origin(r.Origin),
	}
	d.word(t.HeadDecode.UnmarshalText, r.HeadDecode)
	for _, o := range r.Options {
		t.Options = append(t.Options, result.Option{Key: o.Key, Value: o.Value})
	}
	for _, u := range r.Unassigned {
		x := result.Unassigned{StdError: u.StdError, Samples: d.count(int64(u.Samples)), Origin: d.origin(u.Origin)}
		for _, s := range u.Systems {
			if d.index(int(s)-1, d.systems) {
				x.Systems = append(x.Systems, int(s)-1)
			}
		}
		t.Unassigned = append(t.Unassigned, x)
	}
	return t
}

func (d *decoder) measurement(r *measurementRow) result.Measurement {
	m := result.Measurement{
		System: int(r.System) - 1, Value: r.Value, StdError: r.StdError, StdErrorDerived: r.StdErrorDerived, Samples: d.count(int64(r.Samples)),
		Min: r.Min, Max: r.Max, Notes: r.Notes, Precise: r.Precise, Reason: r.Reason, Alternatives: r.Alternatives,
		Details: bytesOf(r.Details), Origin: d.origin(r.Origin),
	}
	d.word(m.Status.UnmarshalText, r.Status)
	d.word(m.Decode.UnmarshalText, r.Decode)
	if r.ReplayDriver != nil {
		m.Replay = &result.Replay{Driver: *r.ReplayDriver, Fidelity: result.Fidelity(r.ReplayFidelity), Scaling: r.ReplayScaling}
	}
	return m
}

func (d *decoder) origin(o origin) result.Origin {
	return result.Origin{Source: o.Source, Line: d.count(int64(o.Line)), Column: d.count(int64(o.Column)), Offset: d.count(int64(o.Offset)), Rule: o.Rule}
}

// count returns a number that is not below 0.
func (d *decoder) count(n int64) int {
	if n < 0 {
		d.fail("found %d, expected no number below 0", n)
	}
	return int(n)
}

func (d *decoder) severity(word string) result.Severity {
	switch s := result.Severity(word); s {
	case result.SeverityInfo, result.SeverityWarning, result.SeverityError:
	default:
		d.fail("unknown severity %q of a diagnostic", word)
	}
	return result.Severity(word)
}

func (d *decoder) proportion(word string) result.Proportion {
	switch p := result.Proportion(word); p {
	case result.HIB, result.LIB, result.ProportionUnknown:
	default:
		d.fail("unknown proportion %q of a test", word)
	}
	return result.Proportion(word)
}

func bytesOf(s string) []byte {
	if s == "" {
		return nil
	}
	return []byte(s)
}
