package host

import (
	"time"

	"github.com/benchproof/benchproof/replay/internal/target"
)

// Place is where a replay measures.
type Place struct {
	Identity target.Identity `json:"identity"`
	Devices  target.Devices  `json:"devices"`
	Space    target.Space    `json:"space"`
}

// Look returns the place of a target as it is now.
func Look(t *target.Target) (Place, error) {
	p := Place{Identity: t.Identity(), Devices: t.Devices()}
	mount, err := t.Mount()
	if err != nil {
		return p, err
	}
	p.Identity.Mount = mount
	p.Space, err = t.Free()
	return p, err
}

// Snapshot is the state of the machine at one moment. Fields that cannot be
// read are nil or empty.
type Snapshot struct {
	Time   time.Time `json:"time"`
	Kernel string    `json:"kernel"`         // release: "6.1.0-18-amd64"
	Build  string    `json:"build"`          // version: "#1 SMP …"
	Boot   string    `json:"boot,omitempty"` // identifier of the boot
	Place  Place     `json:"place"`
	// Queues are the settings of the devices that carry the target and of
	// the disks below them.
	Queues   []Queue `json:"queues,omitempty"`
	Traffic  []Stats `json:"traffic,omitempty"`  // of the same devices
	Governor string  `json:"governor,omitempty"` // "performance"; of several CPUs joined by " + "
	Driver   string  `json:"driver,omitempty"`   // of cpufreq: "intel_pstate"
	Turbo    *bool   `json:"turbo,omitempty"`
	// Temperatures are those that sensors tell.
	Temperatures []Temperature `json:"temperatures,omitempty"`
	Memory       Memory        `json:"memory"`
	Load         []float64     `json:"load,omitempty"` // over 1, 5 and 15 minutes
	// Pressure is /proc/pressure by resource: "cpu", "io", "memory".
	Pressure map[string]Pressure `json:"pressure,omitempty"`

	// Synced says that the target's file-system was written to its disk just
	// before, so that nothing of it was dirty. Who has done so sets it:
	// [Compare] can then tell more exactly whose writes were whose.
	Synced bool `json:"synced,omitempty"`

	processes map[int]usage // who read and wrote how much by now
	complete  bool          // whether all of them could be read
}

// Queue is the settings of a block device (sysfs-block).
type Queue struct {
	target.Device
	Model              string `json:"model,omitempty"`
	Firmware           string `json:"firmware,omitempty"`
	Size               *int64 `json:"size,omitempty"`      // bytes
	Scheduler          string `json:"scheduler,omitempty"` // "mq-deadline", "none"
	Requests           *int64 `json:"nr_requests,omitempty"`
	WriteCache         string `json:"write_cache,omitempty"` // "write back"
	Rotational         *int64 `json:"rotational,omitempty"`
	DiscardGranularity *int64 `json:"discard_granularity,omitempty"` // bytes
	DiscardMax         *int64 `json:"discard_max_bytes,omitempty"`
	LogicalBlock       *int64 `json:"logical_block_size,omitempty"`
	PhysicalBlock      *int64 `json:"physical_block_size,omitempty"`
	ReadAheadKB        *int64 `json:"read_ahead_kb,omitempty"`
	NoMerges           *int64 `json:"nomerges,omitempty"`
	WriteBackThrottle  *int64 `json:"wbt_lat_usec,omitempty"`
}

// Stats are the counters of a block device since boot (/proc/diskstats).
type Stats struct {
	target.Device
	Reads     uint64 `json:"reads"`
	Read      uint64 `json:"read_bytes"`
	Writes    uint64 `json:"writes"`
	Written   uint64 `json:"written_bytes"`
	Discarded uint64 `json:"discarded_bytes"`
	BusyMS    uint64 `json:"busy_ms"`
}

// Temperature is what one sensor tells.
type Temperature struct {
	Sensor  string  `json:"sensor"` // "nvme Composite"
	Celsius float64 `json:"celsius"`
}

// Memory is the state of the memory, in bytes (/proc/meminfo).
type Memory struct {
	Total     *int64 `json:"total,omitempty"`
	Available *int64 `json:"available,omitempty"`
	Dirty     *int64 `json:"dirty,omitempty"`
	Writeback *int64 `json:"writeback,omitempty"`
	SwapFree  *int64 `json:"swap_free,omitempty"`
}

// Pressure is the share of time in percent that some, or all, tasks waited for
// a resource in the last 10 seconds, and how long in all since boot.
type Pressure struct {
	Some10 *float64 `json:"some_avg10,omitempty"`
	SomeUS *uint64  `json:"some_total_us,omitempty"`
	Full10 *float64 `json:"full_avg10,omitempty"`
	FullUS *uint64  `json:"full_total_us,omitempty"`
}

// usage is what a process read and wrote by now, its ended children included.
type usage struct {
	name    string
	parent  int
	start   uint64
	read    int64
	written int64
}
