package host

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/prometheus/procfs"
	"github.com/prometheus/procfs/sysfs"
	"golang.org/x/sys/unix"

	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/replay/internal/target"
	"github.com/benchproof/benchproof/result"
)

// Machine is where the facts are read; tests have their own.
type Machine struct {
	proc, sys, etc string
	uname          func() (release, version, machine string)
	self           int // this process: what is below it is no foreigner
}

// This returns the machine that this program runs on.
func This() *Machine {
	return &Machine{proc: "/proc", sys: "/sys", etc: "/etc", uname: uname, self: os.Getpid()}
}

func uname() (release, version, machine string) {
	var u unix.Utsname
	if unix.Uname(&u) != nil {
		return "", "", ""
	}
	return unix.ByteSliceToString(u.Release[:]), unix.ByteSliceToString(u.Version[:]), unix.ByteSliceToString(u.Machine[:])
}

// System returns the machine, with the target's disk and file-system, as a
// system of a result: keys and forms are those of the Phoronix Test Suite.
// What cannot be read has no key.
func (m *Machine) System(identifier string, p Place) result.System {
	s := result.System{Identifier: identifier}
	add := func(list *[]result.Component, key, value string) {
		if value != "" {
			*list = append(*list, result.Component{Key: key, Value: printable(value)})
		}
	}
	add(&s.Hardware, "Processor", m.processor())
	add(&s.Hardware, "Motherboard", m.motherboard())
	add(&s.Hardware, "Memory", m.memorySize())
	add(&s.Hardware, "Disk", m.disks(p.Devices.Disks))
	add(&s.Software, "OS", m.distribution())
	release, _, machine := m.uname()
	if release != "" && machine != "" {
		add(&s.Software, "Kernel", fmt.Sprintf("%s (%s)", release, machine))
	}
	add(&s.Software, "File-System", p.Identity.Mount.Type)
	add(&s.Notes, "Disk", m.diskNote(p))
	add(&s.Notes, "Processor", m.processorNote())
	add(&s.Notes, "Security", m.security())
	return s
}

// processor returns "AMD EPYC 7601 @ 2.20GHz (32 Cores / 64 Threads)". The
// clock rate is the highest that cpufreq allows; the cores are told only where
// the kernel tells them.
func (m *Machine) processor() string {
	fs, err := procfs.NewFS(m.proc)
	if err != nil {
		return ""
	}
	cpus, err := fs.CPUInfo()
	if err != nil || len(cpus) == 0 {
		return ""
	}
	name := cleanProcessor(cpus[0].ModelName)
	cores, sockets := map[string]bool{}, map[string]bool{}
	for _, c := range cpus {
		if c.ModelName != cpus[0].ModelName {
			name = "" // unlike CPUs have no one name
		}
		sockets[c.PhysicalID] = true
		if c.CoreID != "" {
			cores[c.PhysicalID+"/"+c.CoreID] = true
		}
	}
	if name == "" {
		return ""
	}
	if len(sockets) > 1 {
		name = fmt.Sprintf("%d x %s", len(sockets), name)
	}
	// Two decimals, as published.
	if khz, err := strconv.ParseFloat(m.line("devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq"), 64); err == nil && khz > 0 {
		name += fmt.Sprintf(" @ %.2fGHz", khz/1e6)
	}
	if len(cores) == 0 {
		return fmt.Sprintf("%s (%s)", name, phrase.Count(len(cpus), "Thread"))
	}
	if len(cores) == len(cpus) {
		return fmt.Sprintf("%s (%s)", name, phrase.Count(len(cores), "Core"))
	}
	return fmt.Sprintf("%s (%s / %s)", name, phrase.Count(len(cores), "Core"), phrase.Count(len(cpus), "Thread"))
}

// cleanProcessor takes trade marks and what is told elsewhere from a model's
// name, as published results have it.
func cleanProcessor(s string) string {
	s = strings.NewReplacer("(R)", "", "(TM)", "", "(tm)", "", " CPU", "", " Processor", "").Replace(s)
	s, _, _ = strings.Cut(s, " @")
	return strings.Join(strings.Fields(s), " ")
}

// motherboard returns "ASUS PRIME X470-PRO (6202 BIOS)" from DMI.
func (m *Machine) motherboard() string {
	fs, err := sysfs.NewFS(m.sys)
	if err != nil {
		return ""
	}
	dmi, err := fs.DMIClass()
	if err != nil {
		return ""
	}
	text := func(p *string) string {
		if p == nil {
			return ""
		}
		// Firmware says so where its maker filled nothing in.
		v := strings.TrimSpace(*p)
		switch strings.ToLower(v) {
		case "", "default string", "none", "not specified", "o.e.m.", "system manufacturer", "system product name", "to be filled by o.e.m.", "unknown":
			return ""
		}
		return v
	}
	vendor, name := text(dmi.BoardVendor), text(dmi.BoardName)
	if name == "" {
		vendor, name = text(dmi.SystemVendor), text(dmi.ProductName)
	}
	if name == "" {
		return ""
	}
	board := name
	if vendor != "" && !strings.HasPrefix(name, vendor) {
		board = vendor + " " + name
	}
	if bios := text(dmi.BiosVersion); bios != "" {
		board += fmt.Sprintf(" (%s BIOS)", bios)
	}
	return board
}

// memorySize returns "16GB": what the kernel has, rounded up to a whole GiB
// since firmware keeps some; below 1 GiB it is in MB as it is.
func (m *Machine) memorySize() string {
	mem := m.memory()
	if mem.Total == nil {
		return ""
	}
	const mib, gib = 1 << 20, 1 << 30
	if *mem.Total < gib {
		return fmt.Sprintf("%dMB", *mem.Total/mib)
	}
	return fmt.Sprintf("%dGB", (*mem.Total+gib-1)/gib)
}

// disks returns "2 x 1000GB WDS100T1X0E-00AFY0 + 500GB Samsung SSD 860".
func (m *Machine) disks(devices []target.Device) string {
	var names []string
	times := map[string]int{}
	for _, d := range devices {
		q := m.queue(d)
		var parts []string
		if q.Size != nil {
			parts = append(parts, fmt.Sprintf("%.0fGB", float64(*q.Size)/1e9))
		}
		if q.Model != "" {
			parts = append(parts, q.Model)
		}
		name := strings.Join(parts, " ")
		if name == "" {
			continue
		}
		if times[name]++; times[name] == 1 {
			names = append(names, name)
		}
	}
	for i, n := range names {
		if times[n] > 1 {
			names[i] = fmt.Sprintf("%d x %s", times[n], n)
		}
	}
	return strings.Join(names, " + ")
}

// distribution returns "Debian 12" from os-release(5).
func (m *Machine) distribution() string {
	for _, name := range []string{filepath.Join(m.etc, "os-release"), filepath.Join(m.etc, "../usr/lib/os-release")} {
		text, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		values := map[string]string{}
		for line := range strings.Lines(string(text)) {
			if k, v, ok := strings.Cut(strings.TrimSpace(line), "="); ok && !strings.HasPrefix(k, "#") {
				values[k] = strings.Trim(v, `"'`)
			}
		}
		return strings.TrimSpace(strings.TrimSuffix(values["NAME"], " GNU/Linux") + " " + values["VERSION_ID"])
	}
	return ""
}

// diskNote returns "MQ-DEADLINE / relatime,rw / Block Size: 4096": scheduler
// of the disks, options of the mount in order of names, block size of the
// file-system.
func (m *Machine) diskNote(p Place) string {
	var schedulers, parts []string
	for _, d := range p.Devices.Disks {
		if s := strings.ToUpper(m.queue(d).Scheduler); s != "" && !slices.Contains(schedulers, s) {
			schedulers = append(schedulers, s)
		}
	}
	if len(schedulers) > 0 {
		parts = append(parts, strings.Join(schedulers, " + "))
	}
	if o := p.Identity.Mount.AllOptions(); len(o) > 0 {
		slices.Sort(o)
		parts = append(parts, strings.Join(o, ","))
	}
	if p.Identity.Block > 0 {
		parts = append(parts, fmt.Sprintf("Block Size: %d", p.Identity.Block))
	}
	return strings.Join(parts, " / ")
}

func (m *Machine) processorNote() string {
	driver, governor := m.governor()
	if governor == "" {
		return ""
	}
	return strings.TrimSpace("Scaling Governor: " + strings.TrimSpace(driver+" "+governor))
}

// security returns "l1tf: Mitigation of PTE Inversion + mds: Vulnerable".
func (m *Machine) security() string {
	var parts []string
	names, _ := filepath.Glob(filepath.Join(m.sys, "devices/system/cpu/vulnerabilities/*"))
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		value := strings.TrimSpace(string(text))
		if rest, ok := strings.CutPrefix(value, "Mitigation: "); ok {
			value = "Mitigation of " + rest
		}
		if value != "" {
			parts = append(parts, filepath.Base(name)+": "+value)
		}
	}
	return strings.Join(parts, " + ")
}

// line returns the first line of a file below sysfs, "" where there is none.
func (m *Machine) line(name string) string {
	text, err := os.ReadFile(filepath.Join(m.sys, name))
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return strings.TrimSpace(line)
}

// printable takes what a terminal would obey from text of firmware.
func printable(s string) string {
	return strings.ToValidUTF8(strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return -1
		}
		return r
	}, s), "?")
}
