package export

import (
	"github.com/benchproof/benchproof/result"
)

// Property is one key of systems, over all of them.
type Property struct {
	Kind string // result.KindHardware, …
	Key  string
	// Values has one element a system, "" where the system has none.
	// Several components of one key are joined by "; ".
	Values []string
}

// Name returns the key, with the kind behind it for notes, whose keys are
// also those of hardware.
func (p *Property) Name() string {
	if p.Kind == result.KindNotes {
		return p.Key + " (notes)"
	}
	return p.Key
}

// Properties divides the components of systems into those that all systems
// share, value included, and those in which they differ, both in the order
// in which they first stand. A single system shares all with itself.
func Properties(systems []result.System) (shared, differing []Property) {
	type id struct{ kind, key string }
	index := map[id]int{}
	var all []Property
	for i := range systems {
		s := &systems[i]
		for _, part := range []struct {
			kind string
			list []result.Component
		}{
			{result.KindHardware, s.Hardware},
			{result.KindSoftware, s.Software},
			{result.KindNotes, s.Notes},
		} {
			for _, c := range part.list {
				n, ok := index[id{part.kind, c.Key}]
				if !ok {
					n = len(all)
					index[id{part.kind, c.Key}] = n
					all = append(all, Property{part.kind, c.Key, make([]string, len(systems))})
				}
				v := &all[n].Values[i]
				if *v != "" {
					*v += "; "
				}
				*v += c.Value
			}
		}
	}
	for _, p := range all {
		same := true
		for _, v := range p.Values {
			same = same && v == p.Values[0]
		}
		if same {
			shared = append(shared, p)
		} else {
			differing = append(differing, p)
		}
	}
	return shared, differing
}
