package host

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/benchproof/benchproof/replay/internal/process"
	"github.com/benchproof/benchproof/replay/internal/target"
)

const mib = 1 << 20

var (
	sda  = target.Device{Name: "sda", Number: "8:0", Kind: "disk"}
	sda1 = target.Device{Name: "sda1", Number: "8:1", Kind: "partition"}
	md0  = target.Device{Name: "md0", Number: "9:0", Kind: "md"}
)

// moment is a snapshot of devices that have read and written so many MiB.
func moment(at int, dirtyMiB int64, processes map[int]usage, traffic ...Stats) *Snapshot {
	d := dirtyMiB * mib
	p := Place{Devices: target.Devices{Carriers: []target.Device{sda1}, Disks: []target.Device{sda}}}
	return &Snapshot{
		Time: time.Unix(int64(at), 0), Boot: "b", Place: p, Memory: Memory{Dirty: &d},
		Traffic: traffic, processes: processes, complete: true,
	}
}

func stats(d target.Device, read, written uint64) Stats {
	return Stats{Device: d, Read: read * mib, Written: written * mib}
}

func own(read, written, cancelled int64) process.IO {
	return process.IO{Read: read * mib, Written: written * mib, Cancelled: cancelled * mib, Known: true}
}

func TestCompare(t *testing.T) {
	idle := map[int]usage{1: {name: "init", start: 1}}
	busy := map[int]usage{1: {name: "init", start: 1}, 50: {name: "rsync", parent: 1, start: 9, read: 40 * mib, written: 30 * mib}}
	for _, tc := range []struct {
		name                    string
		before, after           *Snapshot
		own                     process.IO
		foreign                 Seen
		reason                  string
		read, written, elsewhen int64 // MiB of foreign reads, writes, and elsewhere
	}{
		{
			name:   "our own work alone",
			before: moment(0, 0, idle, stats(sda1, 10, 10), stats(sda, 10, 10)),
			after:  moment(2, 0, idle, stats(sda1, 110, 210), stats(sda, 110, 210)),
			own:    own(100, 200, 0), foreign: SeenNone,
		},
		{
			name:   "journal and metadata of ours",
			before: moment(0, 0, idle, stats(sda1, 0, 0), stats(sda, 0, 0)),
			after:  moment(2, 0, idle, stats(sda1, 0, 250), stats(sda, 0, 250)),
			own:    own(0, 200, 0), foreign: SeenNone,
		},
		{
			name:   "others read",
			before: moment(0, 0, idle, stats(sda1, 0, 0), stats(sda, 0, 0)),
			after:  moment(2, 0, busy, stats(sda1, 140, 0), stats(sda, 140, 0)),
			own:    own(100, 0, 0), foreign: SeenForeign, reason: "read for others", read: 40,
		},
		{
			name:   "others write",
			before: moment(0, 0, idle, stats(sda1, 0, 0), stats(sda, 0, 0)),
			after:  moment(2, 0, busy, stats(sda1, 0, 150), stats(sda, 0, 150)),
			own:    own(0, 100, 0), foreign: SeenForeign, reason: "written for others", written: 30,
		},
		{
			name:   "dirty before is written now",
			before: moment(0, 50, idle, stats(sda1, 0, 0), stats(sda, 0, 0)),
			after:  moment(2, 0, idle, stats(sda1, 0, 150), stats(sda, 0, 150)),
			own:    own(0, 100, 0), foreign: SeenNone,
		},
		{
			name:   "dirty before or of others",
			before: moment(0, 50, idle, stats(sda1, 0, 0), stats(sda, 0, 0)),
			after:  moment(2, 0, busy, stats(sda1, 0, 150), stats(sda, 0, 150)),
			own:    own(0, 100, 0), foreign: SeenUnknown, reason: "up to 31457280 bytes",
		},
		{
			name:   "ours is still dirty, others' is written",
			before: moment(0, 0, idle, stats(sda1, 0, 0), stats(sda, 0, 0)),
			after:  moment(2, 100, busy, stats(sda1, 0, 30), stats(sda, 0, 30)),
			own:    own(0, 100, 0), foreign: SeenUnknown, reason: "up to 31457280 bytes",
		},
		{
			name:   "others write to another disk, we drop what we wrote",
			before: moment(0, 0, idle, stats(sda1, 0, 0), stats(sda, 0, 0)),
			after:  moment(2, 0, busy, stats(sda1, 0, 50), stats(sda, 0, 50)),
			own:    own(0, 100, 50), foreign: SeenNone,
		},
		{
			name:   "another partition",
			before: moment(0, 0, idle, stats(sda1, 0, 0), stats(sda, 0, 7)),
			after:  moment(2, 0, idle, stats(sda1, 0, 100), stats(sda, 20, 107)),
			own:    own(0, 100, 0), foreign: SeenForeign, reason: "for other partitions", elsewhen: 20,
		},
		{
			name:   "too little to matter",
			before: moment(0, 0, idle, stats(sda1, 0, 0), stats(sda, 0, 0)),
			after:  moment(2, 0, busy, stats(sda1, 104, 0), stats(sda, 104, 0)),
			own:    own(100, 0, 0), foreign: SeenNone, read: 4,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			v := Compare(tc.before, tc.after, tc.own)
			if v.Foreign != tc.foreign || !strings.Contains(v.Reason, tc.reason) || v.ForeignRead != tc.read*mib || v.ForeignWritten != tc.written*mib || v.Elsewhere != tc.elsewhen*mib {
				t.Errorf("got %+v", v)
			}
			if v.Seconds != 2 {
				t.Errorf("%g seconds", v.Seconds)
			}
		})
	}
}

// TestCompareSynced: where the target was synced, dirty memory is other
// disks'.
func TestCompareSynced(t *testing.T) {
	busy := map[int]usage{50: {name: "rsync", start: 9, written: 30 * mib}}
	a := moment(0, 50, nil, stats(sda1, 0, 0), stats(sda, 0, 0))
	b := moment(2, 70, busy, stats(sda1, 0, 101), stats(sda, 0, 101))
	if v := Compare(a, b, own(0, 100, 0)); v.Foreign != SeenUnknown {
		t.Errorf("unsynced: %+v", v)
	}
	a.Synced, b.Synced = true, true
	if v := Compare(a, b, own(0, 100, 0)); v.Foreign != SeenNone || v.ForeignWritten != 1*mib || v.ForeignWrittenMost != 1*mib {
		t.Errorf("synced: %+v", v)
	}
}

func TestCompareUnknown(t *testing.T) {
	base := func() (*Snapshot, *Snapshot) {
		return moment(0, 0, nil, stats(sda1, 0, 0), stats(sda, 0, 0)), moment(2, 0, nil, stats(sda1, 0, 150), stats(sda, 0, 150))
	}
	for name, tc := range map[string]struct {
		change func(a, b *Snapshot, o *process.IO)
		reason string
	}{
		"no device": {func(_, b *Snapshot, _ *process.IO) {
			b.Place.Devices = target.Devices{}
			b.Place.Identity.Mount.Type = "tmpfs"
		}, "no block device is known behind tmpfs"},
		"reboot":     {func(a, _ *Snapshot, _ *process.IO) { a.Boot = "c" }, "started anew"},
		"not ours":   {func(_, _ *Snapshot, o *process.IO) { o.Known = false }, "does not account"},
		"no counter": {func(a, _ *Snapshot, _ *process.IO) { a.Traffic = nil }, "no counters of sda1"},
		"new device": {func(a, _ *Snapshot, _ *process.IO) { a.Traffic[0].Written = 999 * mib }, "no counters of sda1"},
		"not root":   {func(a, _ *Snapshot, _ *process.IO) { a.complete = false }, "as only root can"},
	} {
		a, b := base()
		o := own(0, 100, 0)
		tc.change(a, b, &o)
		if v := Compare(a, b, o); v.Foreign != SeenUnknown || !strings.Contains(v.Reason, tc.reason) {
			t.Errorf("%s: got %s, %q", name, v.Foreign, v.Reason)
		}
	}
	// So it is below a cache, whose partition has a disk's name in front.
	cache := target.Device{Name: "bcache0p1", Number: "252:1", Kind: "partition"}
	a, b := base()
	for _, s := range []*Snapshot{a, b} {
		s.Place.Devices.Carriers = []target.Device{cache}
	}
	a.Traffic = []Stats{stats(cache, 0, 0), stats(sda, 0, 0)}
	b.Traffic = []Stats{stats(cache, 0, 100), stats(sda, 50, 200)}
	if v := Compare(a, b, own(0, 100, 0)); v.Foreign != SeenNone || v.Elsewhere != 0 {
		t.Errorf("cache: %+v", v)
	}
	// Below an array the disks' work is the target's.
	a, b = base()
	for _, s := range []*Snapshot{a, b} {
		s.Place.Devices.Carriers = []target.Device{md0}
	}
	a.Traffic = []Stats{stats(md0, 0, 0), stats(sda, 0, 0)}
	b.Traffic = []Stats{stats(md0, 0, 100), stats(sda, 50, 200)}
	if v := Compare(a, b, own(0, 100, 0)); v.Foreign != SeenNone || v.Elsewhere != 0 || v.Written != 100*mib {
		t.Errorf("array: %+v", v)
	}
}

func TestOthers(t *testing.T) {
	a := &Snapshot{complete: true, processes: map[int]usage{
		1:  {name: "init", start: 1, written: 5 * mib},
		20: {name: "sh", parent: 1, start: 2, read: 1 * mib},
		21: {name: "make", parent: 20, start: 3, written: 100 * mib}, // ends, and is added to sh
		30: {name: "reused", parent: 1, start: 4, written: 70 * mib}, // its number is another's later
	}}
	b := &Snapshot{complete: true, processes: map[int]usage{
		1:  {name: "init", start: 1, written: 75 * mib}, // 70 of which "reused" had done before
		20: {name: "sh", parent: 1, start: 2, read: 3 * mib, written: 110 * mib},
		30: {name: "new", parent: 1, start: 90, written: 4 * mib},
		40: {name: "idle", parent: 1, start: 91},
	}}
	var v Interval
	v.others(a, b)
	want := []Worker{{PID: 20, Name: "sh", Read: 2 * mib, Written: 10 * mib}, {PID: 30, Name: "new", Written: 4 * mib}}
	if v.OthersRead != 2*mib || v.OthersWritten != 14*mib || !v.OthersKnown || !slices.Equal(v.Busiest, want) {
		t.Errorf("got %+v", v)
	}
}
