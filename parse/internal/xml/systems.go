package xml

import (
	"bytes"
	"slices"
	"strings"

	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

// systems finds the systems of a file by identifier. Identifiers are compared
// byte by byte, and equal ones stay apart.
type systems struct {
	groups map[string]*group
	order  []*group // those that an entry named first

	described int // System elements
}

// group is the systems of one identifier.
type group struct {
	indexes []int // into File.Systems, in order
	filled  int   // how many of them a System element describes
	differ  bool  // they are not the same machine
	missing result.Origin

	test int // the test that used them last
	used int // how many of them it used
}

// group returns the group of an identifier, a new one if there is none.
func (s *systems) group(identifier string) *group {
	g := s.groups[identifier]
	if g == nil {
		if s.groups == nil {
			s.groups = make(map[string]*group)
		}
		g = &group{}
		s.groups[identifier] = g
	}
	return g
}

// addSystem adds a system to the file.
func (r *reader) addSystem(g *group, system result.System) (int, error) {
	f := r.file.f
	if len(f.Systems) >= r.limits.Systems {
		r.stop = &source.LimitError{
			Source: r.name, Origin: r.s.Origin(""), What: "number of systems",
			Limit: int64(r.limits.Systems), Flag: source.FlagSystems,
		}
		return 0, r.stop
	}
	f.Systems = append(f.Systems, system)
	g.indexes = append(g.indexes, len(f.Systems)-1)
	return len(f.Systems) - 1, nil
}

// describe files a system that a System element describes. Systems that
// entries named before it are filled in.
func (r *reader) describe(system result.System) error {
	f := r.file.f
	r.file.systems.described++
	g := r.file.systems.group(system.Identifier)
	if g.filled > 0 {
		first := &f.Systems[g.indexes[0]]
		if !sameMachine(first, &system) {
			g.differ = true
		}
		r.file.diags.add(result.SeverityWarning, system.Origin, "duplicate-system",
			"another system is named %q too; both are kept, and which of them an entry means is not said", system.Identifier)
	}
	g.filled++
	if g.filled <= len(g.indexes) {
		f.Systems[g.indexes[g.filled-1]] = system
		return nil
	}
	_, err := r.addSystem(g, system)
	return err
}

// systemOf returns the index of the system that an entry of the current test
// belongs to, and how sure that is.
func (r *reader) systemOf(identifier []byte, at result.Origin) (int, result.Decode, error) {
	g := r.file.systems.groups[string(identifier)]
	if g == nil {
		name := r.text.shared(identifier)
		g = r.file.systems.group(name)
		g.missing = at
		r.file.systems.order = append(r.file.systems.order, g)
		system := result.System{Identifier: name, Origin: at}
		system.Origin.Rule = "xml/entry"
		if _, err := r.addSystem(g, system); err != nil {
			return 0, 0, err
		}
	}
	if g.test != r.test.number {
		g.test, g.used = r.test.number, 0
	}
	if g.used == len(g.indexes) {
		again := r.file.f.Systems[g.indexes[0]]
		r.file.diags.once(again.Identifier, result.SeverityWarning, at, "duplicate-entry",
			"more than one entry is named %q in %s; each is kept, the later ones as a further system of that name",
			again.Identifier, &r.test)
		if _, err := r.addSystem(g, again); err != nil {
			return 0, 0, err
		}
	}
	g.used++
	decode := result.DecodeExact
	if g.differ {
		decode = result.DecodeInferred
	}
	return g.indexes[g.used-1], decode, nil
}

// report adds the diagnostics that only the end of the file can tell.
func (s *systems) report(f *result.File, diags *diagnostics) {
	for _, g := range s.order {
		if g.filled > 0 {
			// Its System element came behind the entries.
			for _, i := range g.indexes[g.filled:] {
				copied := f.Systems[g.indexes[0]]
				f.Systems[i] = copied
			}
			continue
		}
		identifier := f.Systems[g.indexes[0]].Identifier
		diags.add(result.SeverityInfo, g.missing, "system-missing",
			"no System element describes %q, which entries name; it is kept as a system without components", identifier)
	}
}

// decode sets how sure the systems of tests are that were held back: what
// stood behind them can have told that several systems share a name.
func (s *systems) decode(f *result.File, tests []*result.Test) {
	for _, t := range tests {
		for i := range t.Measurements {
			m := &t.Measurements[i]
			if g := s.groups[f.Systems[m.System].Identifier]; g != nil && g.differ {
				m.Decode = max(m.Decode, result.DecodeInferred)
			}
		}
	}
}

// sameMachine reports whether two System elements describe the same.
func sameMachine(a, b *result.System) bool {
	return slices.Equal(a.Hardware, b.Hardware) && slices.Equal(a.Software, b.Software) &&
		a.NotesText == b.NotesText && bytes.Equal(a.Details, b.Details)
}

// splitIdentifiers divides a list of identifiers at commas and calls yield for
// each. An identifier may hold commas itself, so the longest run of pieces
// that an entry named goes first.
func (s *systems) splitIdentifiers(list string, yield func(identifier string) error) error {
	const most = 8 // pieces of one identifier
	for list != "" {
		ends := make([]int, 0, most)
		for at := 0; len(ends) < cap(ends); at++ {
			comma := strings.IndexByte(list[at:], ',')
			if comma < 0 {
				ends = append(ends, len(list))
				break
			}
			at += comma
			ends = append(ends, at)
		}
		n := len(ends) - 1
		for n > 0 && s.groups[strings.TrimSpace(list[:ends[n]])] == nil {
			n--
		}
		if id := strings.TrimSpace(list[:ends[n]]); id != "" {
			if err := yield(id); err != nil {
				return err
			}
		}
		list = list[min(ends[n]+1, len(list)):]
	}
	return nil
}
