package replay

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/benchproof/benchproof/replay/profile"
)

// UnknownKeyError says that no profile has an option of a key of --set.
type UnknownKeyError struct {
	Key   string
	Known []string // all keys, in the form profile.key
}

// Error returns the key.
func (e *UnknownKeyError) Error() string { return fmt.Sprintf("--set %s: no profile has it", e.Key) }

// Bounds of a request.
const (
	maxRuns  = 256 // PTS's own cap
	maxSets  = 1000
	minScale = 1e-6
)

// check makes sure of the request.
func (o *PlanOptions) check() error {
	r := &o.Request
	switch {
	case o.Tools == nil:
		return errors.New("a plan needs to know how to find tools")
	case !(r.Scale >= minScale && r.Scale <= 1):
		return fmt.Errorf("scale %v: want one above 0 and not above 1", r.Scale)
	case r.Runs < 0 || r.Runs > maxRuns:
		return fmt.Errorf("runs %d: want 1 to %d", r.Runs, maxRuns)
	case len(r.Set) > maxSets:
		return fmt.Errorf("%d options set: want %d at most", len(r.Set), maxSets)
	case r.Runs > 0 && r.Rule != "":
		return errors.New("runs and rule exclude each other")
	}
	if r.Rule != "" {
		if _, err := ruleByName(r.Rule); err != nil {
			return err
		}
	}
	known := setKeys(o.Profiles)
	for _, key := range slices.Sorted(maps.Keys(r.Set)) {
		if !slices.ContainsFunc(known, func(k string) bool { return k == key || strings.HasSuffix(k, "."+key) }) {
			return &UnknownKeyError{key, known}
		}
	}
	labels := make(map[string]bool)
	for _, t := range o.Targets {
		if t.Label == "" || labels[t.Label] {
			return fmt.Errorf("several targets are called %q; NAME=DIR gives one another name", t.Label)
		}
		labels[t.Label] = true
	}
	return nil
}

// setKeys returns the keys of --set, each with its profile's name before it.
func setKeys(profiles []profile.Profile) []string {
	var keys []string
	for _, p := range profiles {
		info := p.Info()
		for _, o := range info.Options {
			if o.Set != "" {
				keys = append(keys, info.Name+"."+o.Set)
			}
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// setFor returns the part of --set that is for a profile: keys with its name
// before them, and those without any that it has. The former win.
func setFor(p profile.Profile, set map[string]string) map[string]string {
	info := p.Info()
	own := make(map[string]string)
	for _, o := range info.Options {
		if o.Set == "" {
			continue
		}
		if v, ok := set[o.Set]; ok {
			own[o.Set] = v
		}
		if v, ok := set[info.Name+"."+o.Set]; ok {
			own[o.Set] = v
		}
	}
	return own
}
