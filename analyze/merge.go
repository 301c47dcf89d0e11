package analyze

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/result"
)

// Merged is what Merge makes of several result files.
type Merged struct {
	File *result.File
	// Joined says in words, a line each, what of several files became one
	// and what stayed apart though it is called alike, and why.
	Joined []string
}

// Merge makes one result file of several. It changes none of them. The origins
// of systems and measurements still name the file that each is from, and a
// diagnostic a file, "merged-from", has its title, address, date and client.
//
// A test is the same in two files where title, version, arguments, scale,
// direction, profile and command arguments agree; the last three may be
// unknown in one of them. Twins, which nothing tells apart, go by their
// order. Tests of one file are never joined with each other.
//
// A system is the same in two files where the identifier agrees, the
// components do (or one file has none), and no test has two values of it that
// differ. Else both are kept, as systems of one identifier: replicates stay
// apart, and no value is ever dropped for another. Title and description are
// the first file's that has them; the sources are joined by " + ".
func Merge(files []*result.File) *Merged { return MergeWith(files, MergeOptions{}) }

// MergeOptions say how files are merged.
type MergeOptions struct {
	// Pool takes measurements that differ for repetitions of one, where the
	// runs of both are known: the merged one has all runs, and their mean.
	// Systems that differ in nothing else then become one.
	Pool bool
}

// MergeWith is [Merge] by options.
func MergeWith(files []*result.File, o MergeOptions) *Merged {
	m := &merger{out: &result.File{}, pool: o.Pool}
	for _, f := range files {
		m.add(f)
	}
	result.SetGroups(m.out.Systems)
	if len(files) > 1 {
		for _, f := range files {
			m.out.Diagnostics = append(m.out.Diagnostics, mergedFrom(f))
		}
	}
	return &Merged{File: m.out, Joined: m.joined}
}

type merger struct {
	out    *result.File
	pool   bool
	first  []string           // by system: the source that it came from first
	tests  map[testName][]int // indexes by what must agree
	byCell []map[int]int      // by test: measurement by system
	joined []string
	names  map[string][]int // systems by identifier
}

// alikeMost is how many tests or systems of one name are looked at to find the
// one that another is; further ones stay apart.
const alikeMost = 100

// testName is what must agree in tests that are the same.
type testName struct{ title, version, arguments, scale string }

func nameOf(t *result.Test) testName {
	return testName{t.Title, t.Version, t.Arguments, t.Scale}
}

// agree reports whether two texts are equal, or one is unknown.
func agree(a, b string) bool { return a == b || a == "" || b == "" }

// add takes up one file.
func (m *merger) add(f *result.File) {
	out := m.out
	if m.tests == nil {
		m.tests, m.names = make(map[testName][]int), make(map[string][]int)
		m.head(f)
	} else {
		m.mergeHead(f)
	}
	place := m.placeTests(f)
	systems := m.placeSystems(f, place)
	runs := 0 // measurements that are further runs of one
	for i := range f.Tests {
		t := f.Tests[i] // a copy
		cells := t.Measurements
		unassigned := t.Unassigned
		t.Measurements, t.Unassigned = nil, nil
		at := place[i]
		if at < 0 {
			at = len(out.Tests)
			out.Tests = append(out.Tests, t)
			m.byCell = append(m.byCell, make(map[int]int))
			m.tests[nameOf(&t)] = append(m.tests[nameOf(&t)], at)
		} else {
			m.mergeTest(&out.Tests[at], &t)
		}
		to := &out.Tests[at]
		mine := make(map[int]bool)
		for _, c := range cells {
			if c.System < 0 || c.System >= len(systems) {
				continue
			}
			c.System = systems[c.System]
			if old, ok := m.byCell[at][c.System]; ok && !mine[c.System] && sameCell(&to.Measurements[old], &c) {
				continue // the same value from both files
			} else if ok && !mine[c.System] && m.pool && poolable(&to.Measurements[old], &c) {
				to.Measurements[old] = pooled(&to.Measurements[old], &c)
				runs++
				continue
			}
			if _, ok := m.byCell[at][c.System]; !ok {
				m.byCell[at][c.System] = len(to.Measurements)
			}
			mine[c.System] = true
			to.Measurements = append(to.Measurements, c)
		}
		for _, u := range unassigned {
			u.Systems = slices.Clone(u.Systems)
			for k, s := range u.Systems {
				if s >= 0 && s < len(systems) {
					u.Systems[k] = systems[s]
				}
			}
			to.Unassigned = append(to.Unassigned, u)
		}
	}
	if runs > 0 {
		m.say("%s: the runs of %s are pooled with those of the files before it", f.Source, countText(runs, "value"))
	}
	out.Diagnostics = append(out.Diagnostics, f.Diagnostics...)
}

// mergedFrom tells what a file says of itself, of which the merged one has a
// single field.
func mergedFrom(f *result.File) result.Diagnostic {
	var parts []string
	for _, p := range []struct{ name, text string }{
		{"title", f.Title}, {"address", f.URL}, {"date", f.LastModified}, {"client", f.Generator}, {"form", string(f.Format)},
	} {
		if p.text != "" {
			parts = append(parts, fmt.Sprintf("%s %q", p.name, p.text))
		}
	}
	text := fmt.Sprintf("%s and %s", countText(len(f.Systems), "system"), countText(len(f.Tests), "test"))
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, ", ")
	}
	return result.Diagnostic{Severity: result.SeverityInfo, Origin: result.Origin{Source: f.Source, Line: 1, Column: 1}, Code: "merged-from", Message: text}
}

// head takes over what is said of a whole file.
func (m *merger) head(f *result.File) {
	head := *f
	head.Systems, head.Tests, head.Diagnostics = nil, nil, nil
	*m.out = head
}

// mergeHead joins what two files say of themselves.
func (m *merger) mergeHead(f *result.File) {
	out := m.out
	out.Source += " + " + f.Source
	for _, field := range []struct {
		name     string
		into, of *string
		only     bool // holds only where all files agree
	}{
		{"title", &out.Title, &f.Title, false},
		{"description", &out.Description, &f.Description, false},
		{"title and description", &out.TitleDescription, &f.TitleDescription, false},
		{"generator", &out.Generator, &f.Generator, true},
		{"format", (*string)(&out.Format), (*string)(&f.Format), true},
		{"address", &out.URL, &f.URL, true},
		{"identifier", &out.Identifier, &f.Identifier, true},
		{"date", &out.LastModified, &f.LastModified, true},
		{"notes", &out.Notes, &f.Notes, false},
		{"tags", &out.InternalTags, &f.InternalTags, false},
		{"reference", &out.ReferenceID, &f.ReferenceID, true},
		{"environment", &out.Environment, &f.Environment, true},
	} {
		switch {
		case *field.into == *field.of || *field.of == "":
		case field.only:
			if *field.into != "" {
				m.say("the %s of the files differ and are left out: %q of %s", plurals[field.name], *field.of, f.Source)
			}
			*field.into = ""
		case *field.into == "":
			*field.into = *field.of
		default:
			verb := "is"
			if plurals[field.name] == "" {
				verb = "are"
			}
			m.say("the %s %s the first file's; %s has %q", field.name, verb, f.Source, *field.of)
		}
	}
}

// plurals are those of the fields of a file's head; what has none is more than
// one already.
var plurals = map[string]string{
	"title": "titles", "description": "descriptions", "generator": "generators", "format": "formats", "address": "addresses",
	"identifier": "identifiers", "date": "dates", "reference": "references", "environment": "environments",
}

func (m *merger) say(format string, args ...any) {
	m.joined = append(m.joined, fmt.Sprintf(format, args...))
}

// placeTests returns for each test of a file which test of the output it is,
// -1 for a new one.
func (m *merger) placeTests(f *result.File) []int {
	place := make([]int, len(f.Tests))
	used := make(map[int]bool)
	done := make(map[testName]int) // by name: how many at the front are used
	joined := 0
	for i := range f.Tests {
		t := &f.Tests[i]
		place[i] = -1
		name := nameOf(t)
		list := m.tests[name]
		for done[name] < len(list) && used[list[done[name]]] {
			done[name]++
		}
		list = list[done[name]:]
		for _, at := range list[:min(len(list), alikeMost)] {
			o := &m.out.Tests[at]
			if !used[at] && agree(string(o.Proportion), string(t.Proportion)) && agree(o.Profile, t.Profile) &&
				agree(o.CommandArguments, t.CommandArguments) {
				place[i] = at
				used[at] = true
				joined++
				break
			}
		}
	}
	if len(m.out.Tests) > 0 {
		m.say("%s: %d of %s also in the files before it", f.Source, joined, countText(len(f.Tests), "test"))
	}
	return place
}

// mergeTest completes a test with what the other file knows of it.
func (m *merger) mergeTest(to, from *result.Test) {
	for _, p := range [][2]*string{
		{&to.Profile, &from.Profile},
		{&to.CommandArguments, &from.CommandArguments},
		{(*string)(&to.Proportion), (*string)(&from.Proportion)},
		{&to.DisplayFormat, &from.DisplayFormat},
		{&to.Parent, &from.Parent},
		{&to.Annotation, &from.Annotation},
	} {
		if *p[0] == "" {
			*p[0] = *p[1]
		}
	}
	to.HeadDecode = min(to.HeadDecode, from.HeadDecode)
	for _, n := range from.Footnotes {
		if !slices.Contains(to.Footnotes, n) {
			to.Footnotes = append(slices.Clip(to.Footnotes), n)
		}
	}
}

// maxJoined is how many systems of a file are said one by one to be those of
// another.
const maxJoined = 3

func (m *merger) sayJoined(source string, joined map[string][]string) {
	for _, first := range slices.Sorted(maps.Keys(joined)) {
		names := joined[first]
		if len(names) > maxJoined {
			m.say("%d systems of %s are those of %s: %q to %q", len(names), source, first, names[0], names[len(names)-1])
			continue
		}
		for _, name := range names {
			m.say("system %q of %s is the one of %s", name, source, first)
		}
	}
}

// placeSystems returns for each system of a file which system of the output
// it is, and adds the new ones.
func (m *merger) placeSystems(f *result.File, place []int) []int {
	systems := make([]int, len(f.Systems))
	used := make(map[int]bool)
	cells := cellsBySystem(f)
	joined := map[string][]string{} // systems, by the file that had them first
	defer func() { m.sayJoined(f.Source, joined) }()
	for i := range f.Systems {
		s := &f.Systems[i]
		systems[i] = -1
		alike := m.names[s.Identifier]
		for _, at := range alike[:min(len(alike), alikeMost)] {
			if used[at] {
				continue
			}
			if why := m.apart(&m.out.Systems[at], s, at, f, cells[i], place); why != "" {
				m.say("system %q of %s stays apart from the one of %s: %s", s.Identifier, f.Source, m.first[at], why)
				continue
			}
			joined[m.first[at]] = append(joined[m.first[at]], s.Identifier)
			systems[i] = at
			completeSystem(&m.out.Systems[at], s)
			break
		}
		if systems[i] < 0 {
			systems[i] = len(m.out.Systems)
			m.out.Systems = append(m.out.Systems, *s)
			m.first = append(m.first, f.Source)
			m.names[s.Identifier] = append(m.names[s.Identifier], systems[i])
		}
		used[systems[i]] = true
	}
	return systems
}

// cellPlace is a measurement of a file: test and place in it.
type cellPlace struct{ test, at int }

func cellsBySystem(f *result.File) [][]cellPlace {
	all := make([][]cellPlace, len(f.Systems))
	for i := range f.Tests {
		for j := range f.Tests[i].Measurements {
			if s := f.Tests[i].Measurements[j].System; s >= 0 && s < len(all) {
				all[s] = append(all[s], cellPlace{i, j})
			}
		}
	}
	return all
}

// apart says why a system of a file is not the one of the output, "" if it is.
func (m *merger) apart(to, from *result.System, at int, f *result.File, cells []cellPlace, place []int) string {
	for _, part := range []struct {
		what string
		a, b []result.Component
	}{{"hardware", to.Hardware, from.Hardware}, {"software", to.Software, from.Software}} {
		if len(part.a) > 0 && len(part.b) > 0 && !slices.Equal(part.a, part.b) {
			return "the " + part.what + " differs, in " + firstDifference(part.a, part.b)
		}
	}
	differ, first := 0, ""
	for _, c := range cells {
		t := place[c.test]
		if t < 0 {
			continue
		}
		old, ok := m.byCell[t][at]
		if !ok {
			continue
		}
		a, b := &m.out.Tests[t].Measurements[old], &f.Tests[c.test].Measurements[c.at]
		if !sameCell(a, b) && (!m.pool || !poolable(a, b)) {
			if differ++; differ == 1 {
				first = fmt.Sprintf("%q is %s and %s", f.Tests[c.test].Name(), shown(a), shown(b))
			}
		}
	}
	if differ > 0 {
		return fmt.Sprintf("%s; %s", differText(differ), first)
	}
	return ""
}

func firstDifference(a, b []result.Component) string {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("%s: %q and %q", a[i].Key, a[i].Value, b[i].Value)
		}
	}
	if len(a) > len(b) {
		return a[len(b)].Key
	}
	return b[len(a)].Key
}

// shown is a measurement in words.
func shown(m *result.Measurement) string {
	switch {
	case m.Status == result.StatusFailed:
		return "failed"
	case m.Decode == result.DecodeAmbiguous:
		return "ambiguous"
	case len(m.RawValues) > 0:
		return m.Value + " (" + strings.Join(m.RawValues[:min(len(m.RawValues), 6)], ", ") + ")"
	}
	return m.Value
}

// sameCell reports whether two measurements tell the same to the digit.
func sameCell(a, b *result.Measurement) bool {
	return a.Value == b.Value && a.StdError == b.StdError && a.Samples == b.Samples && a.Status == b.Status &&
		a.Reason == b.Reason && a.Decode == b.Decode && a.Min == b.Min && a.Max == b.Max && a.Precise == b.Precise &&
		slices.Equal(a.RawValues, b.RawValues) && slices.Equal(a.RunTimes, b.RunTimes) && slices.Equal(a.Alternatives, b.Alternatives)
}

// completeSystem fills in what the other file knows of the same system.
func completeSystem(to, from *result.System) {
	if len(to.Hardware) == 0 {
		to.Hardware = from.Hardware
	}
	if len(to.Software) == 0 {
		to.Software = from.Software
	}
	have := len(to.Notes)
	for _, n := range from.Notes {
		if !slices.Contains(to.Notes[:have], n) {
			to.Notes = append(slices.Clip(to.Notes), n)
		}
	}
	for _, p := range [][2]*string{{&to.User, &from.User}, {&to.Timestamp, &from.Timestamp}, {&to.ClientVersion, &from.ClientVersion}, {&to.NotesText, &from.NotesText}} {
		if *p[0] == "" {
			*p[0] = *p[1]
		}
	}
	if to.Details == nil {
		to.Details = from.Details
	}
	to.Decode = min(to.Decode, from.Decode)
}

// differText says of how many values two systems differ.
func differText(n int) string {
	return phrase.Count(n, "value") + " " + phrase.Verb(n, "differs", "differ")
}
