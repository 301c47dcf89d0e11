package analyze

import (
	"fmt"
	"slices"
	"strings"

	"github.com/benchproof/benchproof/result"
)

// match finds the published system that each replayed one stands for.
func (v *Verification) match() error {
	var published, replayed []int
	for i := range v.Set.Systems {
		if v.Set.Systems[i].File == 0 {
			published = append(published, i)
		} else {
			replayed = append(replayed, i)
		}
	}
	find := func(list []int, name string) int {
		for _, i := range list {
			if v.Set.Systems[i].Identifier == name {
				return i
			}
		}
		return -1
	}
	names := func(list []int) (all []string) {
		for _, i := range list {
			all = append(all, v.Set.Systems[i].Identifier)
		}
		return all
	}
	for _, from := range slices.Sorted(keys(v.Options.Map)) {
		if find(replayed, from) < 0 {
			return &NameError{"replayed system", from, nearest(from, names(replayed)), false}
		}
		if to := v.Options.Map[from]; find(published, to) < 0 {
			return &NameError{"published system", to, nearest(to, names(published)), false}
		}
	}
	taken := map[int]bool{}
	for _, r := range replayed {
		id := v.Set.Systems[r].Identifier
		name, mapped := v.Options.Map[id]
		if !mapped {
			name = id
		}
		p := find(published, name)
		switch {
		case p < 0 && len(published) == 1 && len(replayed) == 1:
			p = published[0]
			v.Warnings = append(v.Warnings, fmt.Sprintf("%s is taken for the published %s, the only system of either", id, v.Set.Systems[p].Identifier))
		case p < 0:
			v.Warnings = append(v.Warnings, fmt.Sprintf("the replayed %s is the name of no published system: --map PUBLISHED=REPLAYED says which it stands for", id))
			continue
		}
		m := SystemMatch{Published: p, Replayed: r}
		m.SameMachine, m.Why = sameMachine(v.Set.Systems[p].System, v.Set.Systems[r].System)
		if v.Options.SameMachine {
			m.SameMachine, m.Why = true, "said to be the same machine"
		}
		taken[p] = true
		v.Systems = append(v.Systems, m)
	}
	var missing []string
	for _, p := range published {
		if !taken[p] {
			missing = append(missing, v.Set.Systems[p].Identifier)
		}
	}
	if len(missing) > 0 {
		v.Warnings = append(v.Warnings, fmt.Sprintf("not replayed: %s", strings.Join(firstOf(missing, 8), ", ")))
	}
	return nil
}

func keys(m map[string]string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// firstOf cuts a list of names for a message.
func firstOf(list []string, most int) []string {
	if len(list) <= most {
		return list
	}
	return append(slices.Clip(list[:most]), fmt.Sprintf("and %d more", len(list)-most))
}

// machineKeys are the components that tell one machine from another. Both sides
// must name all of them.
var machineKeys = []string{"Processor", "Motherboard", "Memory", "Disk"}

// sameMachine reports whether two systems are one machine by their hardware
// strings, and what makes them so or not.
func sameMachine(a, b *result.System) (same bool, why string) {
	for _, key := range machineKeys {
		switch one, other := hardware(a, key), hardware(b, key); {
		case one == "" || other == "":
			return false, fmt.Sprintf("it is not known whether it is the same machine: no %s on both sides", key)
		case !strings.EqualFold(strings.Join(strings.Fields(one), " "), strings.Join(strings.Fields(other), " ")):
			return false, fmt.Sprintf("another machine: %s is %q here, %q as published", key, shortened(other), shortened(one))
		}
	}
	if one, other := fileSystem(a), fileSystem(b); one != "" && other != "" && one != other {
		return false, fmt.Sprintf("another file-system: %q here, %q as published", shortened(component(b, "File-System")), shortened(component(a, "File-System")))
	}
	return true, "the same machine by its hardware strings"
}

// fileSystem returns what a system's tests ran on, in one form: the suite writes
// overlayfs for overlay, as stat(1) does. That cannot tell ext4 from those before
// it, and then nothing is known.
func fileSystem(s *result.System) string {
	name := strings.ToLower(strings.TrimSpace(component(s, "File-System")))
	if strings.HasPrefix(name, "ext2/ext3") {
		return ""
	}
	return strings.TrimSuffix(name, "fs")
}

func hardware(s *result.System, key string) string {
	for _, c := range s.Hardware {
		if c.Key == key {
			return c.Value
		}
	}
	return ""
}

// systemName names a match by the published identifier, with the replayed one
// behind it where that is another.
func (v *Verification) systemName(m SystemMatch) string {
	p, r := v.Set.Systems[m.Published].Identifier, v.Set.Systems[m.Replayed].Identifier
	if p == r {
		return p
	}
	return p + " (" + r + ")"
}

// suspects returns why published measurements are known not to be what they
// say, by measurement.
func suspects(f *result.File) map[*result.Measurement]string {
	c := newChecker(f)
	c.suspect = map[*result.Measurement]string{}
	c.fioIdentity()
	c.latencyIdentity()
	c.connections()
	c.cached()
	return c.suspect
}
