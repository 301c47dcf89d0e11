package host

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/benchproof/benchproof/replay/internal/process"
	"github.com/benchproof/benchproof/replay/internal/target"
)

// Seen is what is known of foreign traffic.
type Seen string

// What can be known of foreign traffic.
const (
	SeenNone    Seen = "none"    // too little to matter, if any
	SeenForeign Seen = "foreign" // the devices did notable work for others
	SeenUnknown Seen = "unknown" // the reason says why
)

// Thresholds of notable foreign traffic: more than both.
const (
	notableBytes = 1 << 20
	notableShare = 0.05 // of the devices' traffic in that time
)

// Interval is the traffic between two snapshots, in bytes.
type Interval struct {
	Seconds float64 `json:"seconds"`
	// Read and Written are what the devices did that carry the target.
	Read    int64 `json:"read"`
	Written int64 `json:"written"`
	// Elsewhere is what their disks did for other partitions.
	Elsewhere int64 `json:"elsewhere"`
	// Own is what the replay's processes read and wrote.
	Own process.IO `json:"own"`
	// OthersRead and OthersWritten are what other processes read from and
	// made dirty for any disk at all. Only root sees all of them.
	OthersRead    int64    `json:"others_read"`
	OthersWritten int64    `json:"others_written"`
	OthersKnown   bool     `json:"others_known"`
	Busiest       []Worker `json:"busiest,omitempty"` // the five that did most
	// ForeignRead is what the devices read beyond the replay's own reads: at
	// least so much was for others. ForeignWritten is what they wrote beyond
	// all of the replay's own writes and all that was dirty before, as far
	// as others did write in that time: so much was most likely for others.
	// ForeignWrittenMost leaves room for writes of the replay that are still
	// dirty, and for others' that were before: it cannot have been more.
	ForeignRead        int64  `json:"foreign_read"`
	ForeignWritten     int64  `json:"foreign_written"`
	ForeignWrittenMost int64  `json:"foreign_written_most"`
	Foreign            Seen   `json:"foreign"`
	Reason             string `json:"reason,omitempty"`
}

// Worker is what one process did beside the replay; its children that ended
// meanwhile are counted with it.
type Worker struct {
	PID     int    `json:"pid"`
	Name    string `json:"name"`
	Read    int64  `json:"read"`
	Written int64  `json:"written"`
}

// Compare returns the traffic between two snapshots of one place, of which own
// is the replay's part.
func Compare(before, after *Snapshot, own process.IO) Interval {
	v := Interval{Seconds: after.Time.Sub(before.Time).Seconds(), Own: own}
	v.others(before, after)
	carriers := after.Place.Devices.Carriers
	switch {
	case len(carriers) == 0:
		v.Foreign, v.Reason = SeenUnknown, fmt.Sprintf("no block device is known behind %s", after.Place.Identity.Mount.Type)
		return v
	case before.Boot != after.Boot:
		v.Foreign, v.Reason = SeenUnknown, "the machine was started anew in between"
		return v
	case !own.Known:
		v.Foreign, v.Reason = SeenUnknown, "the kernel does not account the replay's own traffic"
		return v
	}
	for _, d := range carriers {
		r, w, ok := delta(before, after, d)
		if !ok {
			v.Foreign, v.Reason = SeenUnknown, fmt.Sprintf("no counters of %s", d.Name)
			return v
		}
		v.Read += r
		v.Written += w
	}
	v.Elsewhere = elsewhere(before, after)
	v.ForeignRead = max(v.Read-own.Read, 0)
	ours := max(own.Written-own.Cancelled, 0)
	excess := v.Written - max(ours-dirty(after), 0)
	v.ForeignWritten = max(min(v.Written-ours-dirty(before), v.OthersWritten), 0)
	v.ForeignWrittenMost = max(min(excess, v.OthersWritten), 0)

	total := float64(v.Read + v.Written + v.Elsewhere)
	notable := func(n int64) bool { return n > notableBytes && float64(n) > notableShare*total }
	switch {
	case notable(v.ForeignRead + v.ForeignWritten + v.Elsewhere):
		v.Foreign = SeenForeign
		v.Reason = fmt.Sprintf("at least %d bytes read for others, most likely %d written for others, %d for other partitions, of %d",
			v.ForeignRead, v.ForeignWritten, v.Elsewhere, int64(total))
	case notable(excess) && !v.OthersKnown:
		v.Foreign = SeenUnknown
		v.Reason = fmt.Sprintf("%d bytes more were written than the replay's own; whether by others or for it (journal, metadata, parity) cannot be told where not all processes can be looked at, as only root can", excess)
	case notable(v.ForeignWrittenMost):
		v.Foreign = SeenUnknown
		v.Reason = fmt.Sprintf("up to %d bytes of %d may have been written for others: what was dirty before and after hides it", v.ForeignWrittenMost, int64(total))
	default:
		v.Foreign = SeenNone
	}
	return v
}

// delta returns what a device read and wrote.
func delta(before, after *Snapshot, d target.Device) (read, written int64, ok bool) {
	find := func(s *Snapshot) int {
		return slices.IndexFunc(s.Traffic, func(t Stats) bool { return t.Device == d })
	}
	i, j := find(before), find(after)
	if i < 0 || j < 0 {
		return 0, 0, false
	}
	a, b := before.Traffic[i], after.Traffic[j]
	if b.Read < a.Read || b.Written < a.Written {
		return 0, 0, false // another device by the same name
	}
	return int64(b.Read - a.Read), int64(b.Written - a.Written), true
}

// elsewhere returns what the disks did beyond their partitions that carry the
// target. Below dm, md, loop, bcache devices the disks' work is the target's
// own, multiplied by what lies between, so nothing can be told there.
func elsewhere(before, after *Snapshot) int64 {
	var n int64
	for _, d := range after.Place.Devices.Carriers {
		// A partition's name begins with its disk's: sda1, nvme0n1p2.
		direct := slices.ContainsFunc(after.Place.Devices.Disks, func(disk target.Device) bool {
			return disk == d || d.Kind == "partition" && strings.HasPrefix(d.Name, disk.Name)
		})
		if !direct {
			return 0
		}
		r, w, _ := delta(before, after, d)
		n -= r + w
	}
	for _, d := range after.Place.Devices.Disks {
		r, w, ok := delta(before, after, d)
		if !ok {
			return 0
		}
		n += r + w
	}
	return max(n, 0)
}

// dirty is the most that waited to be written to the target: the kernel tells
// it of all disks together.
func dirty(s *Snapshot) int64 {
	if s.Synced {
		return 0
	}
	var n int64
	for _, m := range []*int64{s.Memory.Dirty, s.Memory.Writeback} {
		if m != nil {
			n += *m
		}
	}
	return n
}

// others sums up what other processes did. What a process did is added to its
// parent when it ends, also what it did before the first snapshot: that is
// taken off the parent again.
func (v *Interval) others(before, after *Snapshot) {
	v.OthersKnown = before.complete && after.complete
	work := map[int]Worker{}
	for pid, u := range after.processes {
		w := Worker{PID: pid, Name: u.name, Read: u.read, Written: u.written}
		if b, ok := before.processes[pid]; ok && b.start == u.start {
			w.Read -= b.read
			w.Written -= b.written
		}
		work[pid] = w
	}
	for pid, b := range before.processes {
		if u, ok := after.processes[pid]; ok && u.start == b.start {
			continue
		}
		if w, ok := work[b.parent]; ok {
			w.Read -= b.read
			w.Written -= b.written
			work[b.parent] = w
		}
	}
	workers := slices.SortedFunc(maps.Values(work), func(a, b Worker) int {
		return cmp.Or(cmp.Compare(b.Read+b.Written, a.Read+a.Written), cmp.Compare(a.PID, b.PID))
	})
	for _, w := range workers {
		w.Read, w.Written = max(w.Read, 0), max(w.Written, 0)
		v.OthersRead += w.Read
		v.OthersWritten += w.Written
		if len(v.Busiest) < 5 && w.Read+w.Written > 0 {
			v.Busiest = append(v.Busiest, w)
		}
	}
}
