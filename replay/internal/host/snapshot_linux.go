package host

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/procfs"
	"github.com/prometheus/procfs/blockdevice"

	"github.com/benchproof/benchproof/replay/internal/target"
)

// sector is the unit of the kernel's block counters, whatever the disk's.
const sector = 512

// Snapshot reads the state of the machine. Its error is only that nothing at
// all can be read of the kernel.
func (m *Machine) Snapshot(p Place) (*Snapshot, error) {
	fs, err := procfs.NewFS(m.proc)
	if err != nil {
		return nil, fmt.Errorf("read the state of the machine: %w", err)
	}
	s := &Snapshot{Time: time.Now().UTC(), Place: p}
	s.Kernel, s.Build, _ = m.uname()
	if id, err := os.ReadFile(filepath.Join(m.proc, "sys/kernel/random/boot_id")); err == nil {
		s.Boot = strings.TrimSpace(string(id))
	}
	devices := slices.Clone(p.Devices.Carriers)
	for _, d := range p.Devices.Disks {
		if !slices.Contains(devices, d) {
			devices = append(devices, d)
		}
	}
	for _, d := range devices {
		s.Queues = append(s.Queues, m.queue(d))
	}
	s.Driver, s.Governor = m.governor()
	s.Turbo = m.turbo()
	s.Temperatures = m.temperatures()
	s.Memory = m.memory()
	if l, err := fs.LoadAvg(); err == nil {
		s.Load = []float64{l.Load1, l.Load5, l.Load15}
	}
	for _, resource := range []string{"cpu", "io", "memory"} {
		psi, err := fs.PSIStatsForResource(resource)
		if err != nil {
			continue
		}
		var pr Pressure
		if psi.Some != nil {
			pr.Some10, pr.SomeUS = &psi.Some.Avg10, &psi.Some.Total
		}
		if psi.Full != nil {
			pr.Full10, pr.FullUS = &psi.Full.Avg10, &psi.Full.Total
		}
		if s.Pressure == nil {
			s.Pressure = map[string]Pressure{}
		}
		s.Pressure[resource] = pr
	}
	s.Traffic = m.traffic(devices)
	s.processes, s.complete = m.processes()
	return s, nil
}

// queue reads the settings of a device; those of a partition are its disk's.
func (m *Machine) queue(d target.Device) Queue {
	q := Queue{Device: d}
	dir, err := (target.System{Sys: m.sys}).Dir(d.Number)
	if err != nil {
		return q
	}
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return ""
		}
		return strings.TrimSpace(string(text))
	}
	number := func(name string) *int64 {
		n, err := strconv.ParseInt(read(name), 10, 64)
		if err != nil {
			return nil
		}
		return &n
	}
	if n := number("size"); n != nil {
		*n *= sector
		q.Size = n
	}
	if d.Kind == "partition" {
		dir = filepath.Dir(dir)
	}
	q.Model = printable(strings.Join(strings.Fields(read("device/model")), " "))
	for _, name := range []string{"device/firmware_rev", "device/rev"} {
		if q.Firmware == "" {
			q.Firmware = printable(read(name))
		}
	}
	q.Scheduler = chosen(read("queue/scheduler"))
	q.Requests = number("queue/nr_requests")
	q.WriteCache = read("queue/write_cache")
	q.Rotational = number("queue/rotational")
	q.DiscardGranularity = number("queue/discard_granularity")
	q.DiscardMax = number("queue/discard_max_bytes")
	q.LogicalBlock = number("queue/logical_block_size")
	q.PhysicalBlock = number("queue/physical_block_size")
	q.ReadAheadKB = number("queue/read_ahead_kb")
	q.NoMerges = number("queue/nomerges")
	q.WriteBackThrottle = number("queue/wbt_lat_usec")
	return q
}

// chosen returns the scheduler in brackets: "none [mq-deadline] bfq". A device
// that knows only one prints it bare.
func chosen(s string) string {
	for f := range strings.FieldsSeq(s) {
		if strings.HasPrefix(f, "[") && strings.HasSuffix(f, "]") {
			return f[1 : len(f)-1]
		}
	}
	if len(strings.Fields(s)) == 1 {
		return s
	}
	return ""
}

func (m *Machine) traffic(devices []target.Device) []Stats {
	fs, err := blockdevice.NewFS(m.proc, m.sys)
	if err != nil {
		return nil
	}
	all, err := fs.ProcDiskstats()
	if err != nil {
		return nil
	}
	var stats []Stats
	for _, d := range devices {
		for _, s := range all {
			if fmt.Sprintf("%d:%d", s.MajorNumber, s.MinorNumber) == d.Number {
				stats = append(stats, Stats{
					Device: d, Reads: s.ReadIOs, Read: s.ReadSectors * sector, Writes: s.WriteIOs,
					Written: s.WriteSectors * sector, Discarded: s.DiscardSectors * sector, BusyMS: s.IOsTotalTicks,
				})
			}
		}
	}
	return stats
}

func (m *Machine) memory() Memory {
	fs, err := procfs.NewFS(m.proc)
	if err != nil {
		return Memory{}
	}
	info, err := fs.Meminfo()
	if err != nil {
		return Memory{}
	}
	bytes := func(n *uint64) *int64 {
		if n == nil {
			return nil
		}
		b := int64(*n)
		return &b
	}
	return Memory{
		Total: bytes(info.MemTotalBytes), Available: bytes(info.MemAvailableBytes), Dirty: bytes(info.DirtyBytes),
		Writeback: bytes(info.WritebackBytes), SwapFree: bytes(info.SwapFreeBytes),
	}
}

// governor returns the driver and the governors of all CPUs, each once.
func (m *Machine) governor() (driver, governor string) {
	names, _ := filepath.Glob(filepath.Join(m.sys, "devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor"))
	var governors []string
	for _, name := range names {
		text, err := os.ReadFile(name)
		if g := strings.TrimSpace(string(text)); err == nil && g != "" && !slices.Contains(governors, g) {
			governors = append(governors, g)
		}
	}
	slices.Sort(governors)
	return m.line("devices/system/cpu/cpu0/cpufreq/scaling_driver"), strings.Join(governors, " + ")
}

// turbo tells whether CPUs may go above their base clock rate.
func (m *Machine) turbo() *bool {
	on := func(b bool) *bool { return &b }
	switch m.line("devices/system/cpu/intel_pstate/no_turbo") {
	case "0":
		return on(true)
	case "1":
		return on(false)
	}
	switch m.line("devices/system/cpu/cpufreq/boost") {
	case "0":
		return on(false)
	case "1":
		return on(true)
	}
	return nil
}

// temperatures reads the sensors of hwmon, and the thermal zones where there
// are none.
func (m *Machine) temperatures() []Temperature {
	var all []Temperature
	add := func(file, sensor string) {
		text, err := os.ReadFile(file)
		if err != nil {
			return
		}
		milli, err := strconv.ParseFloat(strings.TrimSpace(string(text)), 64)
		if err == nil {
			all = append(all, Temperature{Sensor: printable(strings.TrimSpace(sensor)), Celsius: milli / 1000})
		}
	}
	name := func(file string) string {
		text, _ := os.ReadFile(file)
		return strings.TrimSpace(string(text))
	}
	inputs, _ := filepath.Glob(filepath.Join(m.sys, "class/hwmon/hwmon*/temp*_input"))
	for _, in := range inputs {
		add(in, name(filepath.Join(filepath.Dir(in), "name"))+" "+name(strings.TrimSuffix(in, "_input")+"_label"))
	}
	if len(all) > 0 {
		return all
	}
	zones, _ := filepath.Glob(filepath.Join(m.sys, "class/thermal/thermal_zone*"))
	for _, z := range zones {
		add(filepath.Join(z, "temp"), name(filepath.Join(z, "type")))
	}
	return all
}

// processes returns what every process of users read and wrote, those of this
// program left out, and whether all could be read.
func (m *Machine) processes() (map[int]usage, bool) {
	kernel, err := procfs.NewFS(m.proc)
	if err != nil {
		return nil, false
	}
	procs, err := kernel.AllProcs()
	if err != nil {
		return nil, false
	}
	all := make(map[int]usage, len(procs))
	complete := true
	var own []int
	for _, p := range procs {
		stat, err := p.Stat()
		if err != nil {
			continue // it has just ended
		}
		u := usage{name: printable(stat.Comm), parent: stat.PPID, start: stat.Starttime}
		// Threads of the kernel are children of 2: what they do is done
		// for others.
		if p.PID == 2 || stat.PPID == 2 {
			continue
		}
		if io, err := p.IO(); err == nil {
			u.read, u.written = int64(io.ReadBytes), max(int64(io.WriteBytes)-io.CancelledWriteBytes, 0)
		} else if errors.Is(err, fs.ErrPermission) {
			complete = false
		}
		all[p.PID] = u
		if p.PID == m.self {
			own = append(own, p.PID)
		}
	}
	for len(own) > 0 {
		pid := own[0]
		own = own[1:]
		delete(all, pid)
		for child, u := range all {
			if u.parent == pid {
				own = append(own, child)
			}
		}
	}
	return all, complete
}
