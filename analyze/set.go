package analyze

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/benchproof/benchproof/result"
)

// Set is one result file, or several as one: tests that agree in title,
// version, arguments, scale and direction are one test, systems stay apart.
type Set struct {
	Files   []*result.File
	Systems []System
	Tests   []Test
	// Warnings are about the joining of files, a line each.
	Warnings []string
}

// System is a column of a Set.
type System struct {
	// Name is the identifier, with the file's name before it where systems
	// of several files are called alike, and a number where nothing else
	// tells two apart.
	Name string
	File int // index into Set.Files
	*result.System
}

// Test is a row of a Set. The fields of the record are those of the first file
// that has it.
type Test struct {
	*result.Test
	// Cells are the systems' measurements by rising System. A system
	// without a measurement has none.
	Cells []Cell
}

// Cell returns the measurement of a system, nil if it has none.
func (t *Test) Cell(system int) *Cell {
	i := sort.Search(len(t.Cells), func(i int) bool { return t.Cells[i].System >= system })
	if i < len(t.Cells) && t.Cells[i].System == system {
		return &t.Cells[i]
	}
	return nil
}

// head is what tests of two files must have in common to be the same one.
// Direction, profile and command arguments must agree too where both files have
// them.
type head struct{ title, version, arguments, scale string }

// NewSet joins files. It changes none of them and keeps them. Of tests of one
// file that nothing tells apart the first is joined with the first of another.
func NewSet(files []*result.File) *Set {
	s := &Set{Files: files}
	s.addSystems()
	index := map[head][]int{}
	first := 0
	for _, f := range files {
		names := f.SystemNames()
		// Of the tests of a head those before the file, and the first of
		// them that no test of this file has been joined with.
		earlier, next := map[head]int{}, map[head]int{}
		for i := range f.Tests {
			t := &f.Tests[i]
			h := head{t.Title, t.Version, t.Arguments, t.Scale}
			if _, ok := earlier[h]; !ok {
				earlier[h] = len(index[h])
			}
			at := -1
			if k := next[h]; k < earlier[h] && sameTest(s.Tests[index[h][k]].Test, t) {
				at, next[h] = index[h][k], k+1
			}
			if at < 0 {
				at = len(s.Tests)
				index[h] = append(index[h], at)
				s.Tests = append(s.Tests, Test{Test: t})
			}
			s.Tests[at].direction(t)
			s.Tests[at].add(t, first, names)
		}
		first += len(f.Systems)
	}
	s.warnUnits()
	return s
}

// direction takes over the direction of t where that of the test is not known.
func (t *Test) direction(from *result.Test) {
	if t.Proportion != result.ProportionUnknown || from.Proportion == result.ProportionUnknown {
		return
	}
	known := *t.Test
	known.Proportion = from.Proportion
	t.Test = &known
}

// sameTest reports whether two tests of one head agree in what else both have.
func sameTest(a, b *result.Test) bool {
	return agree(string(a.Proportion), string(b.Proportion)) &&
		agree(a.CommandArguments, b.CommandArguments) && sameProfile(a.Profile, b.Profile)
}

// sameProfile reports whether two profiles can make the same row: PTS holds
// those to be equal that differ in the last number of their version alone. A
// name or a version that is not known agrees with any.
func sameProfile(a, b string) bool {
	nameA, versionA := splitProfile(a)
	nameB, versionB := splitProfile(b)
	if nameA == "" || nameB == "" {
		return true
	}
	return nameA == nameB && (versionA == "" || versionB == "" || versionA == versionB)
}

// splitProfile divides "pts/fio-1.11.2" into "fio" and the version without its
// last number, "1.11".
func splitProfile(profile string) (name, version string) {
	name = profile[strings.LastIndexByte(profile, '/')+1:]
	i := strings.LastIndexByte(name, '-')
	if i < 0 || i+1 == len(name) || strings.Trim(name[i+1:], "0123456789.") != "" {
		return name, ""
	}
	name, version = name[:i], name[i+1:]
	if parts := strings.Split(version, "."); len(parts) > 2 {
		version = strings.Join(parts[:2], ".")
	}
	return name, version
}

// add adds the measurements of one file's test. Several of one system make a
// cell without a number: none of them is chosen.
func (t *Test) add(from *result.Test, first int, names []string) {
	begin := len(t.Cells)
	for i := range from.Measurements {
		m := &from.Measurements[i]
		if m.System < 0 || m.System >= len(names) {
			continue
		}
		t.Cells = append(t.Cells, newCell(from, m, first+m.System, names))
	}
	added := t.Cells[begin:]
	slices.SortStableFunc(added, func(a, b Cell) int { return a.System - b.System })
	kept := added[:0]
	for i := 0; i < len(added); {
		n := i + 1
		for n < len(added) && added[n].System == added[i].System {
			n++
		}
		c := added[i]
		if n-i > 1 {
			c = Cell{System: c.System, Measurement: c.Measurement, Problem: fmt.Sprintf("%d values in one test", n-i)}
		}
		kept = append(kept, c)
		i = n
	}
	t.Cells = t.Cells[:begin+len(kept)]
}

func (s *Set) addSystems() {
	seen := map[string]int{} // by identifier, the file that has it
	alike := false
	for i, f := range s.Files {
		for j := range f.Systems {
			id := f.Systems[j].Identifier
			if other, ok := seen[id]; ok && other != i {
				alike = true
			}
			seen[id] = i
		}
	}
	var all result.File
	for i, f := range s.Files {
		for j := range f.Systems {
			name := f.Systems[j].Identifier
			if alike {
				name = f.Source + ": " + name
			}
			all.AddSystem(name)
			s.Systems = append(s.Systems, System{File: i, System: &f.Systems[j]})
		}
	}
	for i, name := range all.SystemNames() {
		s.Systems[i].Name = name
	}
}

// warnUnits names tests that two files, or different systems of one, have in
// different scales only: they are not compared.
func (s *Set) warnUnits() {
	type bare struct{ title, version, arguments string }
	scales := map[bare][]int{}
	var order []bare
	for i := range s.Tests {
		t := &s.Tests[i]
		b := bare{t.Title, t.Version, t.Arguments}
		if scales[b] == nil {
			order = append(order, b)
		}
		scales[b] = append(scales[b], i)
	}
	for _, b := range order {
		list := scales[b]
		for k := 1; k < len(list); k++ {
			one, other := &s.Tests[list[0]], &s.Tests[list[k]]
			if one.Scale == other.Scale {
				continue
			}
			if s.share(one, other) {
				if rates[one.Scale] && rates[other.Scale] && apart(one, other) {
					s.Warnings = append(s.Warnings, fmt.Sprintf("%s is in %q of some systems and in %q of others: units that differ are not compared",
						one.Name(), one.Scale, other.Scale))
					break
				}
				continue
			}
			s.Warnings = append(s.Warnings, fmt.Sprintf("%s is in %q here and in %q there: units that differ are not compared",
				one.Name(), one.Scale, other.Scale))
			break
		}
	}
}

// share reports whether a file has both tests: two results of one run, such as
// MB/s and IOPS, and no units that differ.
func (s *Set) share(a, b *Test) bool {
	in := map[int]bool{}
	for i := range a.Cells {
		in[s.Systems[a.Cells[i].System].File] = true
	}
	for i := range b.Cells {
		if in[s.Systems[b.Cells[i].System].File] {
			return true
		}
	}
	return false
}

// apart reports whether no system has both tests.
func apart(a, b *Test) bool {
	for i := range a.Cells {
		if b.Cell(a.Cells[i].System) != nil {
			return false
		}
	}
	return true
}

// empty returns the systems that have no measurement in any test.
func (s *Set) empty() []int {
	has := make([]bool, len(s.Systems))
	for i := range s.Tests {
		for j := range s.Tests[i].Cells {
			has[s.Tests[i].Cells[j].System] = true
		}
	}
	var list []int
	for i := range has {
		if !has[i] {
			list = append(list, i)
		}
	}
	return list
}

// profile is what the option rows of one test profile have in common.
type profile struct{ title, version string }

func (t *Test) profile() profile { return profile{t.Title, t.Version} }
