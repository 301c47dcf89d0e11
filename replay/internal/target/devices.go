package target

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Device is a block device.
type Device struct {
	Name   string `json:"name"`   // the kernel's: "vda", "sda1", "dm-0"
	Number string `json:"number"` // "254:0"
	Kind   string `json:"kind"`   // "disk", "partition", "loop", "dm", "md"
}

// Devices are the block devices behind a file-system.
type Devices struct {
	// Carriers hold the file-system itself: one, or the members of a
	// file-system over several devices (btrfs).
	Carriers []Device `json:"carriers"`
	// Disks are the whole disks at the bottom: what partitions are of, what
	// dm, md and loop devices lie on.
	Disks []Device `json:"disks"`
}

// System is where the facts of the machine are read.
type System struct {
	Sys string // "/sys"
	// Stat returns the device number of the file-system that a file is on
	// and that of the device that it is ("" for no block device).
	Stat func(name string) (on, is string, err error)
}

// Devices returns the block devices behind a mount. Both lists are empty for
// file-systems without one (tmpfs, network, FUSE) and where sysfs does not
// tell, as for ZFS.
func (sys System) Devices(m Mount) Devices {
	var d Devices
	for _, number := range sys.carriers(m) {
		dev, ok := sys.device(number)
		if !ok {
			continue
		}
		d.Carriers = append(d.Carriers, dev)
		sys.disks(number, &d.Disks, map[string]bool{})
	}
	return d
}

// loopNote says of a loop device how its file is used; "" of any other device.
func (sys System) loopNote(d Device) string {
	dir, err := sys.Dir(d.Number)
	if d.Kind != "loop" || err != nil {
		return ""
	}
	if dio, err := readLine(filepath.Join(dir, "loop/dio")); err == nil && dio == "1" {
		return "it is on a loop device: what is measured is a disk through a file on it"
	}
	return "it is on a loop device, whose file is used through the page cache of this machine: even direct I/O may be memory's"
}

// carriers returns the numbers of the devices that hold the file-system.
func (sys System) carriers(m Mount) []string {
	if m.Type == "btrfs" {
		if all := sys.btrfs(m.Source); len(all) > 0 {
			return all
		}
	}
	if !strings.HasPrefix(m.Device, "0:") {
		return []string{m.Device}
	}
	// An anonymous device: the source may be a block device all the same.
	if strings.HasPrefix(m.Source, "/") && !strings.HasPrefix(m.Type, "fuse") {
		if _, is, err := sys.Stat(m.Source); err == nil && is != "" {
			return []string{is}
		}
	}
	return nil
}

// btrfs returns all members of the btrfs that has the source among them.
func (sys System) btrfs(source string) []string {
	_, is, err := sys.Stat(source)
	if err != nil {
		return nil
	}
	sets, _ := filepath.Glob(filepath.Join(sys.Sys, "fs/btrfs/*/devices"))
	for _, set := range sets {
		var members []string
		links, _ := filepath.Glob(filepath.Join(set, "*"))
		for _, link := range links {
			if number, err := readLine(filepath.Join(link, "dev")); err == nil {
				members = append(members, number)
			}
		}
		if slices.Contains(members, is) {
			return members
		}
	}
	return nil
}

// Dir returns the directory of a device in sysfs, without symbolic links.
func (sys System) Dir(number string) (string, error) {
	return filepath.EvalSymlinks(filepath.Join(sys.Sys, "dev/block", number))
}

func (sys System) device(number string) (Device, bool) {
	dir, err := sys.Dir(number)
	if err != nil {
		return Device{}, false
	}
	d := Device{Name: filepath.Base(dir), Number: number, Kind: "disk"}
	for kind, name := range map[string]string{"partition": "partition", "loop": "loop", "dm": "dm", "md": "md"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			d.Kind = kind
		}
	}
	return d, true
}

// disks adds the whole disks below a device.
func (sys System) disks(number string, disks *[]Device, seen map[string]bool) {
	if seen[number] {
		return
	}
	seen[number] = true
	d, ok := sys.device(number)
	if !ok {
		return
	}
	dir, err := sys.Dir(number)
	if err != nil {
		return
	}
	var below []string
	switch d.Kind {
	case "partition":
		if n, err := readLine(filepath.Join(filepath.Dir(dir), "dev")); err == nil {
			below = []string{n}
		}
	case "loop":
		if file, err := readLine(filepath.Join(dir, "loop/backing_file")); err == nil {
			if on, is, err := sys.Stat(file); err == nil && is != "" {
				below = []string{is}
			} else if err == nil && !strings.HasPrefix(on, "0:") {
				below = []string{on}
			}
		}
	default:
		slaves, _ := filepath.Glob(filepath.Join(dir, "slaves/*"))
		for _, s := range slaves {
			if n, err := readLine(filepath.Join(s, "dev")); err == nil {
				below = append(below, n)
			}
		}
	}
	if len(below) == 0 {
		if !slices.Contains(*disks, d) {
			*disks = append(*disks, d)
		}
		return
	}
	for _, n := range below {
		sys.disks(n, disks, seen)
	}
}

// readLine returns the first line of a small file.
func readLine(name string) (string, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return strings.TrimSpace(line), nil
}
