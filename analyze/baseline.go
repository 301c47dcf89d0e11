package analyze

import (
	"fmt"
	"slices"
	"strings"
)

// pairing is two cells to compare.
type pairing struct {
	test             *Test
	arguments        string
	baseName, name   string
	base, system     int // indices into Set.Systems
	baseCell, cell   *Cell
	low, high, equal float64 // adjusted p values at the ends of rounding
}

// NameError says that a baseline or an axis is not there, or is the name of
// several.
type NameError struct {
	What string // "baseline", "axis"
	Name string
	// Nearest are the names that come closest, or those that share Name.
	Nearest []string
	// Several is set where Name stands for more than one.
	Several bool
}

// Error returns what is wrong, with the nearest names.
func (e *NameError) Error() string {
	list := ""
	for i, n := range e.Nearest {
		if i > 0 {
			list += ", "
		}
		list += fmt.Sprintf("%q", n)
	}
	if e.Several {
		return fmt.Sprintf("%s %q is the name of several: %s", e.What, e.Name, list)
	}
	switch {
	case len(e.Nearest) > 1:
		list = "; there are " + list
	case list != "":
		list = "; there is " + list
	}
	return fmt.Sprintf("no %s %q%s", e.What, e.Name, list)
}

// pairings finds what is to be compared with what.
func (c *Comparison) pairings() ([]pairing, error) {
	if len(c.Set.Systems) == 0 || c.Options.By == "" && len(c.Set.Systems) == 1 {
		if c.Options.Baseline != "" && c.Options.By == "" {
			if _, err := c.baselines(); err != nil {
				return nil, err
			}
		}
		return nil, nil
	}
	if c.Options.By != "" {
		return c.alongAxis()
	}
	bases, err := c.baselines()
	if err != nil {
		return nil, err
	}
	list := c.paired(bases)
	c.residue(bases, "")
	return list, nil
}

// paired pairs every measurement with that of its system's baseline, and names
// the files that have tests which the baseline's file has not.
func (c *Comparison) paired(bases []int) []pairing {
	set := c.Set
	var list []pairing
	apart := make([][]apartTest, len(set.Files)) // tests by file
	for i := range set.Tests {
		t := &set.Tests[i]
		has, counted := make([]bool, len(set.Files)), make([]bool, len(set.Files))
		for j := range t.Cells {
			has[set.Systems[t.Cells[j].System].File] = true
		}
		for j := range t.Cells {
			system := t.Cells[j].System
			base, file := bases[system], set.Systems[system].File
			switch {
			case base < 0 || base == system:
			case has[set.Systems[base].File]:
				list = append(list, c.pairing(t, base, system))
			case !counted[file]:
				counted[file] = true
				apart[file] = append(apart[file], apartTest{t, set.Systems[base].File})
			}
		}
	}
	var there map[namedTest]*Test
	for i, tests := range apart {
		if len(tests) > 0 {
			if there == nil {
				there = set.namedTests()
			}
			text := fmt.Sprintf("%s has %s that the baseline's file has not", set.Files[i].Source, countText(len(tests), "test"))
			c.Warnings = append(c.Warnings, text+almost(tests, there))
		}
	}
	return list
}

func (c *Comparison) pairing(t *Test, base, system int) pairing {
	return pairing{
		test: t, arguments: t.Arguments, base: base, system: system,
		baseName: c.Set.Systems[base].Name, name: c.Set.Systems[system].Name,
		baseCell: t.Cell(base), cell: t.Cell(system),
	}
}

// baselines returns for every system what it is compared with: itself for a
// baseline, -1 for nothing.
func (c *Comparison) baselines() ([]int, error) {
	set := c.Set
	bases := make([]int, len(set.Systems))
	if len(bases) == 0 {
		return bases, nil
	}
	base, file := 0, -1
	if c.Options.Baseline != "" {
		var err error
		if base, file, err = c.find(c.Options.Baseline); err != nil {
			return nil, err
		}
	}
	if file < 0 {
		c.Baseline = set.Systems[base].Name
		for i := range bases {
			bases[i] = base
		}
		return bases, nil
	}
	c.Baseline = set.Files[file].Source
	byName, only, n := map[string]int{}, -1, 0
	for i := range set.Systems {
		if s := &set.Systems[i]; s.File == file {
			if _, ok := byName[s.Identifier]; !ok {
				byName[s.Identifier] = i
			}
			only, n = i, n+1
		}
	}
	for i := range set.Systems {
		s := &set.Systems[i]
		base, ok := byName[s.Identifier]
		switch {
		case s.File == file:
			bases[i] = i
		case ok:
			bases[i] = base
		case n == 1:
			bases[i] = only
		default:
			bases[i] = -1
			c.Warnings = append(c.Warnings, fmt.Sprintf("%s: %s has no system of that name to compare it with", s.Name, c.Baseline))
		}
	}
	return bases, nil
}

// find returns the system of a name, or else the file of that label with a
// system of -1.
func (c *Comparison) find(name string) (system, file int, err error) {
	set := c.Set
	var alike, names []string
	at := -1
	for i := range set.Systems {
		s := &set.Systems[i]
		names = append(names, s.Name)
		switch {
		case s.Name == name:
			return i, -1, nil
		case s.Identifier == name, set.Files[s.File].Source+": "+s.Identifier == name:
			// A table of several files calls it by its file, too.
			alike, at = append(alike, s.Name), i
		}
	}
	if len(alike) == 1 {
		return at, -1, nil
	}
	if len(alike) > 1 {
		return 0, 0, &NameError{"baseline", name, alike[:min(len(alike), nearestNames)], true}
	}
	if len(set.Files) > 1 {
		for i, f := range set.Files {
			if f.Source == name {
				return -1, i, nil
			}
			names = append(names, f.Source)
		}
	}
	return 0, 0, &NameError{"baseline", name, nearest(name, names), false}
}

// nearestNames is how many names an error offers.
const nearestNames = 3

// nearest returns the names that are closest to name: those that hold it or
// differ from it in few letters come first.
func nearest(name string, names []string) []string {
	type near struct {
		name     string
		distance int
	}
	var list []near
	seen := map[string]bool{}
	want := strings.ToLower(name)
	for _, n := range names {
		if seen[n] || len(list) >= 10_000 {
			continue
		}
		seen[n] = true
		have := strings.ToLower(n)
		d := distance(want, have)
		if want != "" && strings.Contains(have, want) {
			d = 0
		}
		list = append(list, near{n, d})
	}
	slices.SortStableFunc(list, func(a, b near) int { return a.distance - b.distance })
	var out []string
	for _, n := range list[:min(len(list), nearestNames)] {
		out = append(out, n.name)
	}
	return out
}

// distance returns how many letters have to be put in, left out or changed to
// make b of a. It looks at the first 60 letters of each.
func distance(a, b string) int {
	const most = 60
	x, y := []rune(a), []rune(b)
	x, y = x[:min(len(x), most)], y[:min(len(y), most)]
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		diagonal := row[0]
		row[0] = i + 1
		for j := range y {
			cost := diagonal
			if x[i] != y[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(y)]
}
