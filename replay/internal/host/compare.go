package host

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Change is one thing that differs between two snapshots and makes what is
// measured next another block.
type Change struct {
	What   string `json:"what"` // "kernel", "scheduler of vda"
	Before string `json:"before"`
	After  string `json:"after"`
}

// String returns the change in words.
func (c Change) String() string { return fmt.Sprintf("%s: %s, was %s", c.What, c.After, c.Before) }

// Changes returns in what the machine is not as it was, of the things on which
// numbers depend and that stay as they are unless somebody changes them:
// kernel, mount, settings of the devices, governor and turbo. A reboot alone is
// none.
func Changes(before, after *Snapshot) []Change {
	var changes []Change
	add := func(what string, a, b string) {
		if a != b {
			changes = append(changes, Change{What: what, Before: orNone(a), After: orNone(b)})
		}
	}
	add("kernel", before.Kernel+" "+before.Build, after.Kernel+" "+after.Build)
	a, b := before.Place.Identity, after.Place.Identity
	add("file-system", a.Mount.Type, b.Mount.Type)
	add("mount source", a.Mount.Source, b.Mount.Source)
	add("mount options", options(a.Mount.AllOptions()), options(b.Mount.AllOptions()))
	add("file-system identifier", a.FSID, b.FSID)
	add("devices", names(before.Queues), names(after.Queues))
	for _, q := range before.Queues {
		i := slices.IndexFunc(after.Queues, func(r Queue) bool { return r.Name == q.Name })
		if i < 0 {
			continue
		}
		r := after.Queues[i]
		of := func(what string) string { return what + " of " + q.Name }
		add(of("scheduler"), q.Scheduler, r.Scheduler)
		add(of("write cache"), q.WriteCache, r.WriteCache)
		add(of("model"), q.Model, r.Model)
		add(of("firmware"), q.Firmware, r.Firmware)
		for _, n := range []struct {
			what string
			a, b *int64
		}{
			{"nr_requests", q.Requests, r.Requests},
			{"rotational", q.Rotational, r.Rotational},
			{"read_ahead_kb", q.ReadAheadKB, r.ReadAheadKB},
			{"nomerges", q.NoMerges, r.NoMerges},
			{"wbt_lat_usec", q.WriteBackThrottle, r.WriteBackThrottle},
			{"logical_block_size", q.LogicalBlock, r.LogicalBlock},
			{"size", q.Size, r.Size},
		} {
			add(of(n.what), digits(n.a), digits(n.b))
		}
	}
	add("scaling driver", before.Driver, after.Driver)
	add("scaling governor", before.Governor, after.Governor)
	add("turbo", onOff(before.Turbo), onOff(after.Turbo))
	return changes
}

func orNone(s string) string { return cmp.Or(strings.TrimSpace(s), "none") }

func options(o []string) string {
	slices.Sort(o)
	return strings.Join(o, ",")
}

func names(queues []Queue) string {
	var all []string
	for _, q := range queues {
		all = append(all, q.Name)
	}
	return strings.Join(all, " ")
}

func digits(n *int64) string {
	if n == nil {
		return ""
	}
	return fmt.Sprint(*n)
}

func onOff(b *bool) string {
	switch {
	case b == nil:
		return ""
	case *b:
		return "on"
	}
	return "off"
}
