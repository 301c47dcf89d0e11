package corpus

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/benchproof/benchproof/internal/number"
	"github.com/benchproof/benchproof/result"
)

// content is an input's bytes, by their SHA-256.
type content [sha256.Size]byte

// key returns the key of the nth file (from 1) of an input: the first 63 bits
// of the SHA-256 of the input, or for a later file of that of the input's
// SHA-256 and the number.
func (c content) key(n int) int64 {
	if n > 1 {
		c = sha256.Sum256(fmt.Appendf(nil, "%x#%d", c, n))
	}
	return int64(binary.BigEndian.Uint64(c[:8]) >> 1)
}

// fileID returns the name of a file by its key.
func fileID(key int64) string { return fmt.Sprintf("%016x", key) }

// testKey returns the key that tests of equal title, version, arguments and
// scale have in common. The profile is left out, since most forms do not print
// it, and so is the proportion.
func testKey(t *result.Test) int64 {
	h := sha256.New()
	for _, s := range [...]string{t.Title, t.Version, t.Arguments, t.Scale} {
		var size [8]byte
		binary.BigEndian.PutUint64(size[:], uint64(len(s)))
		h.Write(size[:])
		h.Write([]byte(s))
	}
	return int64(binary.BigEndian.Uint64(h.Sum(nil)) >> 1)
}

// source is the input that a file came from.
type source struct {
	content content
	bytes   int64
	number  int // of the file in it, from 1
}

// write adds the rows of a file to the part.
func (p *part) write(f *result.File, from source) error {
	key := from.content.key(from.number)
	row := fileRow{
		File: key, FileID: fileID(key), SHA256: fmt.Sprintf("%x", from.content), Bytes: from.bytes, Number: int32(from.number),
		Title: text(f.Title), Description: text(f.Description), TitleDescription: text(f.TitleDescription), TitleSplit: f.TitleSplit.String(),
		Source: text(f.Source), URL: text(f.URL), Identifier: text(f.Identifier), Generator: text(f.Generator), Format: text(string(f.Format)),
		LastModified: text(f.LastModified), Notes: text(f.Notes), InternalTags: text(f.InternalTags), ReferenceID: text(f.ReferenceID), Environment: text(f.Environment),
		Systems: int32(len(f.Systems)), Tests: int32(len(f.Tests)), Diagnostics: int32(len(f.Diagnostics)),
	}
	row.Date, row.DateFrom = date(f)
	names := f.SystemNames()
	for i := range f.Systems {
		n, err := p.writeSystem(key, i, &f.Systems[i], names[i])
		if err != nil {
			return err
		}
		row.Components += n
	}
	for i := range f.Tests {
		t := &f.Tests[i]
		n, err := p.writeTest(key, i, t, len(f.Systems))
		if err != nil {
			return err
		}
		row.Measurements += int32(len(t.Measurements))
		row.Runs += n
	}
	for i, d := range f.Diagnostics {
		r := diagnosticRow{key, int32(i + 1), string(d.Severity), text(d.Code), text(d.Message), place(d.Origin)}
		if err := p.diagnostics.Append(r, 100+len(r.Message)); err != nil {
			return err
		}
	}
	return p.files.Append(row, 400+len(row.Notes)+len(row.Description)+len(row.Environment))
}

func (p *part) writeSystem(key int64, i int, s *result.System, name string) (components int32, err error) {
	r := systemRow{
		File: key, Number: int32(i + 1), Identifier: text(s.Identifier), Name: text(name), Group: text(s.Group()), GroupPath: texts(s.GroupPath),
		Decode: s.Decode.String(), Inherited: texts(s.InheritedKeys),
		User: text(s.User), Timestamp: text(s.Timestamp), ClientVersion: text(s.ClientVersion), NotesText: text(s.NotesText),
		Details: text(string(s.Details)), Origin: place(s.Origin),
	}
	for _, kind := range [...]struct {
		name string
		list []result.Component
	}{{result.KindHardware, s.Hardware}, {result.KindSoftware, s.Software}, {result.KindNotes, s.Notes}} {
		for k, c := range kind.list {
			inherited := kind.name != result.KindNotes && s.Inherited(c.Key)
			row := componentRow{key, int32(i + 1), kind.name, int32(k + 1), text(c.Key), text(c.Value), inherited}
			if err := p.components.Append(row, 100+len(row.Value)); err != nil {
				return 0, err
			}
			components++
			if kind.name != result.KindNotes {
				r.set(c.Key, row.Value)
			}
		}
	}
	return components, p.systems.Append(r, 300+len(r.Details)+len(r.NotesText))
}

// set sets the column of a component that has one. Several of a key are joined
// by "; ".
func (r *systemRow) set(key, value string) {
	columns := map[string]*string{
		"Processor": &r.Processor, "Motherboard": &r.Motherboard, "Memory": &r.Memory, "Disk": &r.Disk, "Graphics": &r.Graphics,
		"OS": &r.OS, "Kernel": &r.Kernel, "Compiler": &r.Compiler, "File-System": &r.FileSystem,
	}
	c, ok := columns[key]
	switch {
	case !ok:
	case *c == "":
		*c = value
	default:
		*c += "; " + value
	}
}

func (p *part) writeTest(key int64, i int, t *result.Test, systems int) (runs int32, err error) {
	r := testRow{
		File: key, Number: int32(i + 1), Key: testKey(t),
		Profile: text(t.Profile), Title: text(t.Title), Version: text(t.Version), HeadDecode: t.HeadDecode.String(), Arguments: text(t.Arguments),
		CommandArguments: text(t.CommandArguments), Scale: text(t.Scale), Proportion: text(string(t.Proportion)), DisplayFormat: text(t.DisplayFormat),
		Footnotes: texts(t.Footnotes), Parent: text(t.Parent), Annotation: text(t.Annotation), Origin: place(t.Origin),
	}
	for _, o := range t.Options {
		r.Options = append(r.Options, optionRow{text(o.Key), text(o.Value)})
	}
	for _, u := range t.Unassigned {
		row := unassignedRow{StdError: text(u.StdError), Samples: int32(u.Samples), Origin: place(u.Origin)}
		for _, s := range u.Systems {
			if s < 0 || s >= systems {
				return 0, fmt.Errorf("test %q: no system %d", t.Name(), s)
			}
			row.Systems = append(row.Systems, int32(s+1))
		}
		r.Unassigned = append(r.Unassigned, row)
	}
	for k := range t.Measurements {
		m := &t.Measurements[k]
		if m.System < 0 || m.System >= systems {
			return 0, fmt.Errorf("test %q: no system %d", t.Name(), m.System)
		}
		row := measurementRow{File: key, Test: r.Number, System: int32(m.System + 1), Measurement: int32(k + 1), TestKey: r.Key}
		row.fill(m)
		if err := p.measurements.Append(row, 300+len(row.Details)); err != nil {
			return 0, err
		}
		n, err := p.writeRuns(&row, m)
		if err != nil {
			return 0, err
		}
		runs += n
	}
	return runs, p.tests.Append(r, 400+len(r.Annotation))
}

// fill sets what a row says of a measurement.
func (r *measurementRow) fill(m *result.Measurement) {
	stdError, n := number.Figures(m)
	r.Value, r.Number, r.HalfUnit = text(m.Value), figure(m.Value), m.HalfUnit()
	if m.Status != result.StatusOK || m.Decode == result.DecodeAmbiguous {
		r.Number, r.HalfUnit = nil, 0
	}
	r.StdError, r.StdErrorDerived, r.Samples = text(m.StdError), m.StdErrorDerived, int32(m.Samples)
	r.StdErrorNumber, r.N = figure(stdError), int32(n)
	r.Min, r.Max, r.Precise, r.Notes = text(m.Min), text(m.Max), text(m.Precise), texts(m.Notes)
	r.Status, r.Reason, r.Decode, r.Alternatives = m.Status.String(), text(m.Reason), m.Decode.String(), texts(m.Alternatives)
	if m.Replay != nil {
		driver := text(m.Replay.Driver)
		r.ReplayDriver, r.ReplayFidelity, r.ReplayScaling = &driver, text(string(m.Replay.Fidelity)), text(m.Replay.Scaling)
	}
	r.Details, r.Origin = text(string(m.Details)), place(m.Origin)
}

// writeRuns adds a row for each run that has a value, a time or both.
func (p *part) writeRuns(of *measurementRow, m *result.Measurement) (int32, error) {
	n := max(len(m.RawValues), len(m.RunTimes))
	for i := range n {
		row := runRow{File: of.File, Test: of.Test, System: of.System, Measurement: of.Measurement, Run: int32(i + 1)}
		if i < len(m.RawValues) {
			v := text(m.RawValues[i])
			row.Value, row.Number = &v, figure(v)
		}
		if i < len(m.RunTimes) {
			v := text(m.RunTimes[i])
			row.Seconds = &v
		}
		if err := p.runs.Append(row, 100); err != nil {
			return 0, err
		}
	}
	return int32(n), nil
}

func figure(s string) *float64 {
	if v, ok := result.ParseNumber(s); ok {
		return &v
	}
	return nil
}

func place(o result.Origin) origin {
	return origin{text(o.Source), int32(o.Line), int32(o.Column), int64(o.Offset), text(o.Rule)}
}

// text returns s as UTF-8, each byte of another encoding as U+FFFD, which is
// what the JSON form makes of it.
func text(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string([]rune(s))
}

func texts(list []string) []string {
	for i, s := range list {
		if !utf8.ValidString(s) {
			fixed := append([]string(nil), list...)
			for k := i; k < len(fixed); k++ {
				fixed[k] = text(fixed[k])
			}
			return fixed
		}
	}
	return list
}

// identifierDate is the beginning of an identifier of OpenBenchmarking: the
// day it was published, two digits each of year, month and day.
var identifierDate = regexp.MustCompile(`^([0-9]{6})[0-9]?-[A-Z0-9]{2}-`)

// date returns the day of a result and what says so: when it was last
// modified, when the last of its systems was tested, or its identifier.
func date(f *result.File) (day, from string) {
	if day := dayOf(f.LastModified); day != "" {
		return day, "last-modified"
	}
	for i := range f.Systems {
		day = max(day, dayOf(f.Systems[i].Timestamp))
	}
	if day != "" {
		return day, "system"
	}
	if m := identifierDate.FindStringSubmatch(f.Identifier); m != nil {
		if t, err := time.Parse("060102", m[1]); err == nil {
			return t.Format(time.DateOnly), "identifier"
		}
	}
	return "", ""
}

// dayOf returns the day that a published time begins with, "" if it does not
// begin with one.
func dayOf(stamp string) string {
	day, _, _ := strings.Cut(strings.TrimSpace(stamp), " ")
	day, _, _ = strings.Cut(day, "T")
	if _, err := time.Parse(time.DateOnly, day); err != nil {
		return ""
	}
	return day
}
