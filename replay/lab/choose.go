package lab

import (
	"fmt"
	"slices"
	"strings"

	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/result"
)

// Published, in place of configurations, stands for those of all published
// systems.
const Published = "published"

// Mapping says that a published system was of a configuration.
type Mapping struct {
	System string
	Spec   Spec
}

// Choice is a configuration that is to be made, under the name of the published
// system that it stands for.
type Choice struct {
	Label string
	Spec  Spec
	// Note says what was guessed of the name or of the configuration.
	Note string
}

// NameError says that a published system is not there.
type NameError struct {
	Name  string
	Known []string
}

// Error returns the name.
func (e *NameError) Error() string { return fmt.Sprintf("no published system is called %q", e.Name) }

// Choose gives each wanted configuration the published system that it stands
// for: the mapped one, else the one whose proposal is the same configuration.
// Where several are, it is the one whose name has most words in common with the
// names of those that are certain, else the first, and the note names the
// others; where none is, it goes by its own text. Mapped systems whose
// configuration is not among the wanted are added. With all, every published
// system with a proposal is a choice of its own.
//
// A number of disks that a wanted configuration leaves open is the published
// one where that is known. The error is a [*NameError] for a mapped system that
// is none.
func Choose(wanted []Spec, all bool, systems []*result.System, maps []Mapping) ([]Choice, []Proposal, error) {
	c := chooser{}
	var names []string
	for _, s := range systems {
		if !slices.Contains(names, s.Identifier) {
			names = append(names, s.Identifier)
			c.proposals = append(c.proposals, propose(s))
		}
	}
	var list []Choice
	served := make([][]Choice, len(wanted))
	for _, m := range maps {
		if !slices.Contains(names, m.System) {
			return nil, nil, &NameError{m.System, names}
		}
		p := c.proposal(m.System)
		one := Choice{Label: m.System, Spec: m.Spec}
		if one.Spec.Disks == 0 && p.Spec != "" && p.spec.alike(one.Spec) {
			one.Spec.Disks = p.spec.Disks
		}
		c.taken = append(c.taken, m.System)
		i := slices.IndexFunc(wanted, func(w Spec) bool { return w.alike(m.Spec) })
		if i < 0 {
			list = append(list, one)
			continue
		}
		if one.Spec.Disks == 0 {
			one.Spec.Disks = wanted[i].Disks
		}
		served[i] = append(served[i], one)
	}
	if all {
		for _, p := range c.proposals {
			if p.Spec != "" && !slices.Contains(c.taken, p.System) {
				list = append(list, Choice{p.System, p.spec, p.Doubt})
			}
		}
		slices.SortStableFunc(list, func(a, b Choice) int {
			return slices.Index(names, a.Label) - slices.Index(names, b.Label)
		})
		return list, c.proposals, nil
	}
	c.certain(wanted, served)
	var chosen []Choice
	for i, w := range wanted {
		if len(served[i]) == 0 {
			served[i] = []Choice{c.choose(w)}
		}
		chosen = append(chosen, served[i]...)
	}
	return append(chosen, list...), c.proposals, nil
}

type chooser struct {
	proposals []Proposal
	taken     []string // systems that are mapped or chosen
	known     []string // words of the names of those that are certain
}

func (c *chooser) proposal(system string) *Proposal {
	i := slices.IndexFunc(c.proposals, func(p Proposal) bool { return p.System == system })
	return &c.proposals[i]
}

// fitting returns the systems that are not taken and may be the configuration:
// those whose number of disks is the same, else those that differ in it alone.
func (c *chooser) fitting(w Spec) []*Proposal {
	var same, near []*Proposal
	for i := range c.proposals {
		p := &c.proposals[i]
		if p.Spec == "" || slices.Contains(c.taken, p.System) {
			continue
		}
		open := p.spec
		open.Disks = w.Disks
		switch {
		case p.spec.alike(w):
			same = append(same, p)
		case open == w:
			near = append(near, p)
		}
	}
	if len(same) > 0 {
		return same
	}
	return near
}

// certain notes the words of the names that stand for a configuration alone.
func (c *chooser) certain(wanted []Spec, served [][]Choice) {
	for _, system := range c.taken {
		c.known = append(c.known, namePart(system)...)
	}
	for i, w := range wanted {
		if fit := c.fitting(w); len(served[i]) == 0 && len(fit) == 1 {
			c.known = append(c.known, namePart(fit[0].System)...)
		}
	}
}

// choose gives a configuration its name.
func (c *chooser) choose(w Spec) Choice {
	fit := c.fitting(w)
	if len(fit) == 0 {
		return Choice{w.String(), w, "no published system is known to be of it: --map NAME=" + w.String() + " names one"}
	}
	best, most := fit[0], -1
	for _, p := range fit {
		n := 0
		for _, word := range namePart(p.System) {
			if slices.Contains(c.known, word) {
				n++
			}
		}
		if n > most {
			best, most = p, n
		}
	}
	c.taken = append(c.taken, best.System)
	one := Choice{best.System, w, best.Doubt}
	if w.Disks == 0 {
		one.Spec.Disks = best.spec.Disks
	}
	notes := []string{}
	if one.Note != "" {
		notes = append(notes, one.Note)
	}
	if was := best.spec.Disks; was > 0 && was != one.Spec.Number() {
		notes = append(notes, fmt.Sprintf("published with %s, here %d", phrase.Count(was, "disk"), one.Spec.Number()))
	}
	if len(fit) > 1 {
		var others []string
		for _, p := range fit {
			if p != best {
				others = append(others, p.System)
			}
		}
		const most = 4
		if n := len(others) - most; n > 0 {
			others = append(others[:most], fmt.Sprintf("%d more", n))
		}
		notes = append(notes, fmt.Sprintf("it may as well stand for %s: --map NAME=%s", strings.Join(others, ", "), w))
	}
	one.Note = strings.Join(notes, "; ")
	return one
}

// namePart returns the words of a name but those of a file-system or level.
func namePart(name string) []string {
	var list []string
	for _, word := range words.FindAllString(strings.ToLower(name), -1) {
		if fileSystems[word] == 0 && !raidLevel.MatchString(word) && !raidZ.MatchString(word) {
			list = append(list, word)
		}
	}
	return list
}
