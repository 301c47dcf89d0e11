package xml

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/result"
)

// identifiers returns the names under which the systems are written. Entries
// name their system by nothing else, so systems of one name keep it only
// where the order of entries tells which is which. Otherwise the later ones
// get a number: a value must not become another machine's.
func (d *document) identifiers() []string {
	f := d.f
	names := make([]string, len(f.Systems))
	taken := make(map[string]bool, len(names))
	groups := make(map[string][]int, len(names))
	for i := range f.Systems {
		name, bad := clean(f.Systems[i].Identifier)
		if bad {
			d.lost.add(lostCharacter, f.Systems[i].Origin)
		}
		names[i] = strings.TrimSpace(name)
		taken[names[i]] = true
		groups[names[i]] = append(groups[names[i]], i)
	}
	if len(groups) == len(names) {
		return names
	}
	unclear, differ := d.unclear(names, groups)
	d.twins = make([]bool, len(names))
	seen := make(map[string]int)
	for i, name := range names {
		if !unclear[name] {
			d.twins[i] = differ[name]
			continue
		}
		if seen[name]++; seen[name] == 1 {
			continue
		}
		d.lost.add(lostName, f.Systems[i].Origin)
		for {
			names[i] = name + " #" + strconv.Itoa(seen[name])
			if !taken[names[i]] {
				break
			}
			seen[name]++
		}
		taken[names[i]] = true
	}
	return names
}

// twin reports whether m's system has the name of another machine, so that
// the name itself says that its entries are not certain.
func (d *document) twin(m *result.Measurement) bool { return d.twins != nil && d.twins[m.System] }

// unclear returns the names that several systems share and under which
// entries would not be given back to the systems that they are of, and the
// names that are those of different machines.
func (d *document) unclear(names []string, groups map[string][]int) (out, differ map[string]bool) {
	out, differ = make(map[string]bool), make(map[string]bool)
	rank := make([]int, len(names)) // of a system among those of its name
	for name, group := range groups {
		for k, i := range group {
			rank[i] = k
			first := &d.f.Systems[group[0]]
			if d.f.Systems[i].Identifier != first.Identifier {
				out[name] = true // alike only as they are written
			}
			differ[name] = differ[name] || !sameMachine(first, &d.f.Systems[i])
		}
	}
	for i := range d.f.Tests {
		next := make(map[string]int)
		for k := range d.f.Tests[i].Measurements {
			m := &d.f.Tests[i].Measurements[k]
			name := names[m.System]
			if len(groups[name]) == 1 {
				continue
			}
			// Of different machines a reader cannot be sure which
			// one an entry means: it may not lose what was known.
			if rank[m.System] != next[name] || differ[name] && m.Decode == result.DecodeExact {
				out[name] = true
			}
			next[name]++
		}
	}
	return out, differ
}

func sameMachine(a, b *result.System) bool {
	return slices.Equal(a.Hardware, b.Hardware) && slices.Equal(a.Software, b.Software) &&
		slices.Equal(a.Notes, b.Notes) && a.NotesText == b.NotesText && bytes.Equal(a.Details, b.Details)
}
