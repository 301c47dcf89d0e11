// Package build holds what readers share that make a record piece by piece:
// finding a system by its identifier, and diagnostics that stay bounded.
package build

import (
	"fmt"
	"slices"
	"strings"

	"github.com/benchproof/benchproof/internal/number"
	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

// File is a record in the making. It is not safe for concurrent use.
type File struct {
	*result.File
	doc    *source.Doc
	rule   string
	groups map[string]*group
	counts map[string]int
	last   map[string]int // by code: index of the last diagnostic kept
	test   int
}

// group is the systems of one identifier.
type group struct {
	indexes []int
	filled  int // how many of them were described
	test    int // the test that used them last
	used    int // how many of them it used
}

// New returns an empty record of doc. The name of the reader, such as "json",
// is the first part of the rules in the origins.
func New(doc *source.Doc, format result.Format) *File {
	return &File{
		File: &result.File{Source: doc.Name, Format: format},
		doc:  doc, rule: string(format) + "/",
		groups: make(map[string]*group), counts: make(map[string]int), last: make(map[string]int),
	}
}

// Origin returns the origin of what the rule read at an offset.
func (f *File) Origin(offset int, rule string) result.Origin {
	return f.doc.Origin(offset, f.rule+rule)
}

// Describe adds a system that the source describes, or fills in one that a
// value named before. Equal identifiers stay apart, with a warning.
func (f *File) Describe(s result.System) (int, error) {
	g := f.group(s.Identifier)
	if g.filled > 0 {
		f.At(s.Origin, result.SeverityWarning, "duplicate-system",
			"another system is named %q too; both are kept, and which of them a value means is not said", s.Identifier)
	}
	g.filled++
	if g.filled <= len(g.indexes) {
		i := g.indexes[g.filled-1]
		f.Systems[i] = s
		return i, nil
	}
	return f.add(g, s)
}

// NextTest begins a test: see [File.SystemOf].
func (f *File) NextTest() { f.test++ }

// SystemOf returns the index of the system of a value in the current test. A
// system that nothing describes is added. The second value of one identifier
// in a test goes to the second system of that identifier, which is added
// where there is none, with a warning.
func (f *File) SystemOf(identifier string, offset int) (int, error) {
	g := f.group(identifier)
	if g.test != f.test {
		g.test, g.used = f.test, 0
	}
	if g.used == len(g.indexes) {
		s := result.System{Identifier: identifier, Origin: f.Origin(offset, "entry")}
		if g.used > 0 {
			f.Warn(offset, "duplicate-entry",
				"a test has more than one value named %q; each is kept, the later ones as a further system of that name", identifier)
			s = f.Systems[g.indexes[0]]
		}
		if _, err := f.add(g, s); err != nil {
			return 0, err
		}
	}
	g.used++
	return g.indexes[g.used-1], nil
}

func (f *File) group(identifier string) *group {
	g := f.groups[identifier]
	if g == nil {
		g = &group{}
		f.groups[identifier] = g
	}
	return g
}

func (f *File) add(g *group, s result.System) (int, error) {
	if len(f.Systems) >= f.doc.Limits.Systems {
		return 0, f.limit("number of systems", f.doc.Limits.Systems, source.FlagSystems)
	}
	f.Systems = append(f.Systems, s)
	g.indexes = append(g.indexes, len(f.Systems)-1)
	return len(f.Systems) - 1, nil
}

// AddTest appends a test.
func (f *File) AddTest(t result.Test) error {
	if len(f.Tests) >= f.doc.Limits.Tests {
		return f.limit("number of tests", f.doc.Limits.Tests, source.FlagTests)
	}
	f.Tests = append(f.Tests, t)
	return nil
}

func (f *File) limit(what string, limit int, flag string) error {
	return &source.LimitError{Source: f.doc.Name, What: what, Limit: int64(limit), Flag: flag}
}

// kept is how many diagnostics of one code are kept in full.
const kept = 100

// At adds a diagnostic at a known place. Of one code so many are kept; how
// many more there are is said by [File.Finish].
func (f *File) At(at result.Origin, severity result.Severity, code, format string, args ...any) {
	f.counts[code]++
	if f.counts[code] > kept {
		return
	}
	for i, a := range args {
		if s, ok := a.(string); ok {
			args[i] = clip(s)
		}
	}
	f.last[code] = len(f.Diagnostics)
	f.Diagnostics = append(f.Diagnostics, result.Diagnostic{
		Severity: severity, Origin: at, Code: code, Message: fmt.Sprintf(format, args...),
	})
}

// Info adds a diagnostic of severity info at an offset.
func (f *File) Info(offset int, code, format string, args ...any) {
	f.At(f.doc.Origin(offset, ""), result.SeverityInfo, code, format, args...)
}

// Warn adds a diagnostic of severity warning at an offset.
func (f *File) Warn(offset int, code, format string, args ...any) {
	f.At(f.doc.Origin(offset, ""), result.SeverityWarning, code, format, args...)
}

// Error adds a diagnostic of severity error at an offset: a value was lost.
func (f *File) Error(offset int, code, format string, args ...any) {
	f.At(f.doc.Origin(offset, ""), result.SeverityError, code, format, args...)
}

// Finish returns the record: groups set, undescribed systems said, and the
// diagnostics that were not kept counted.
func (f *File) Finish() *result.File {
	described := f.describes()
	for i := range f.Systems {
		s := &f.Systems[i]
		if g := f.groups[s.Identifier]; described && g.filled == 0 && g.indexes[0] == i {
			f.At(s.Origin, result.SeverityInfo, "system-missing",
				"nothing describes the system %q, which values name; it is kept without components", s.Identifier)
		}
	}
	result.SetGroups(f.Systems)
	n := len(f.Diagnostics)
	for code, count := range f.counts {
		if count <= kept {
			continue
		}
		d := f.Diagnostics[f.last[code]]
		d.Message = fmt.Sprintf("%d more of this kind behind this place", count-kept)
		f.Diagnostics = append(f.Diagnostics, d)
	}
	sortByCode(f.Diagnostics[n:])
	return f.File
}

// describes reports whether the source describes systems at all.
func (f *File) describes() bool {
	for _, g := range f.groups {
		if g.filled > 0 {
			return true
		}
	}
	return false
}

// exactRuns is up to how many runs the standard error is worked out.
const exactRuns = 1000

// Runs sets the raw runs of m, with N and the standard error that follow.
func Runs(m *result.Measurement, runs []string) {
	m.RawValues, m.Samples = runs, len(runs)
	if len(runs) > 1 && len(runs) <= exactRuns {
		m.StdError = number.StdError(runs)
		m.StdErrorDerived = m.StdError != ""
	}
}

// clip shortens text for a message.
func clip(text string) string {
	const most = 80
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// sortByCode puts what came out of a map into one order.
func sortByCode(list []result.Diagnostic) {
	slices.SortFunc(list, func(a, b result.Diagnostic) int { return strings.Compare(a.Code, b.Code) })
}
