package html

import (
	"slices"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/result"
)

// systemsView is the systems side by side: what differs apart from what is the
// same on all of them.
type systemsView struct {
	Names []string
	// Differ are the keys that not all systems have alike, Notes those of
	// the notes. As columns they take the width of few systems only; of
	// more, what differs stands in blocks.
	Differ, Notes []keyView
	Same          []keyView
	Columns       bool
	Blocks        []blockView
}

// blockView is the keys that divide the systems in one way.
type blockView struct {
	Keys  []keyView
	Sides []sideView // empty where the values are listed with their systems
}

// sideView is the systems that are alike in all keys of a block, which
// calls them by a letter.
type sideView struct {
	Letter  string
	Systems []string
}

type keyView struct {
	Key    string
	Value  string      // of all systems, where they have it alike
	Values []string    // by system
	Groups []valueView // by value
	of     []int       // the group of each system
}

type valueView struct {
	Value   string
	Systems []string
}

// maxColumns is how many systems stand side by side, maxSides how many groups
// of systems, and maxTall how many systems the summary shows at once.
const (
	maxColumns = 5
	maxSides   = 4
	maxTall    = 60
)

func (p *Page) systems() systemsView {
	v := systemsView{Columns: len(p.set.Systems) <= maxColumns}
	for i := range p.set.Systems {
		v.Names = append(v.Names, visible(p.set.Systems[i].Name))
	}
	for _, part := range []struct {
		of    func(*result.System) []result.Component
		notes bool
	}{
		{func(s *result.System) []result.Component { return s.Hardware }, false},
		{func(s *result.System) []result.Component { return s.Software }, false},
		{func(s *result.System) []result.Component { return s.Notes }, true},
	} {
		for _, k := range keys(p.set, part.of) {
			switch {
			case len(k.Groups) == 1 && len(p.set.Systems) > 1:
				k.Value = k.Groups[0].Value
				if part.notes {
					k.Key += " (notes)"
				}
				v.Same = append(v.Same, k)
			case part.notes:
				v.Notes = append(v.Notes, k)
			default:
				v.Differ = append(v.Differ, k)
			}
		}
	}
	if !v.Columns {
		v.Blocks = blocks(v.Differ)
	}
	return v
}

// blocks puts keys together that divide the systems alike, so that the names of
// many are not said again for each. A key that is alone lists its values.
func blocks(keys []keyView) []blockView {
	var list []blockView
	at := map[string]int{}
	for _, k := range keys {
		var way strings.Builder
		for _, g := range k.of {
			way.WriteString(strconv.Itoa(g))
			way.WriteByte(' ')
		}
		n, ok := at[way.String()]
		if !ok {
			n = len(list)
			at[way.String()] = n
			list = append(list, blockView{})
		}
		list[n].Keys = append(list[n].Keys, k)
	}
	for i := range list {
		b := &list[i]
		groups := b.Keys[0].Groups
		if len(b.Keys) == 1 || len(groups) > maxSides {
			continue
		}
		for j, g := range groups {
			b.Sides = append(b.Sides, sideView{string(rune('A' + j)), g.Systems})
		}
	}
	return list
}

// keys returns the keys of one part of the systems, in the order in which they
// come.
func keys(set *analyze.Set, of func(*result.System) []result.Component) []keyView {
	var order []string
	values := map[string][]string{}
	for i := range set.Systems {
		for _, c := range of(set.Systems[i].System) {
			if values[c.Key] == nil {
				order = append(order, c.Key)
				values[c.Key] = make([]string, len(set.Systems))
			}
			v := &values[c.Key][i]
			if *v != "" {
				*v += "; "
			}
			*v += visible(strings.TrimSpace(c.Value))
		}
	}
	list := make([]keyView, len(order))
	for n, key := range order {
		k := keyView{Key: visible(key), Values: values[key]}
		for i, value := range k.Values {
			at := slices.IndexFunc(k.Groups, func(g valueView) bool { return sorted(g.Value) == sorted(value) })
			if at < 0 {
				at = len(k.Groups)
				k.Groups = append(k.Groups, valueView{Value: value})
			}
			k.of = append(k.of, at)
			k.Groups[at].Systems = append(k.Groups[at].Systems, visible(set.Systems[i].Name))
		}
		list[n] = k
	}
	return list
}

// sorted returns a value with the parts that PTS joins by " + " in one order:
// it lists disks as it finds them.
func sorted(value string) string {
	parts := strings.Split(value, " + ")
	slices.Sort(parts)
	return strings.Join(parts, " + ")
}
