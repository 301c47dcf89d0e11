package lab

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/benchproof/benchproof/replay/internal/target"
)

// Machine is where it is found out what can be made. Tests give their own.
type Machine struct {
	Proc    string // "/proc"
	Dev     string // "/dev"
	Modules string // "/lib/modules/RELEASE"
	// Find returns the path of a program, "" where there is none.
	Find func(program string) string
	Root bool
}

// guestHint is what helps where the kernel lacks something.
const guestHint = "--lab-guest can: it boots a kernel that has it"

// packages are the Debian packages of the programs that the lab runs.
var packages = map[string]string{
	"mkfs.ext4": "e2fsprogs", "mkfs.xfs": "xfsprogs", "mkfs.btrfs": "btrfs-progs", "mkfs.f2fs": "f2fs-tools",
	"mdadm": "mdadm", "zpool": "zfs-fuse, or zfsutils-linux", "zfs": "zfs-fuse, or zfsutils-linux",
}

// Lacks says what is missing to make a configuration of disks of such a size
// with such limits, and what would help; "" for nothing.
func (m *Machine) Lacks(s Spec, size int64, l Limit) (reason, hint string) {
	if _, err := os.Stat(filepath.Join(m.Dev, "loop-control")); err != nil {
		return "the kernel has no loop devices", guestHint
	}
	if s.FS == "zfs" {
		if reason, hint = m.lacksZFS(); reason != "" {
			return reason, hint
		}
	} else {
		if !m.hasFS(s.FS) {
			return "the kernel has no " + s.FS, guestHint
		}
		if reason, hint = m.lacksTool("mkfs." + s.FS); reason != "" {
			return reason, hint
		}
	}
	if s.Array != "" {
		if !m.hasArray(s.Level) {
			return fmt.Sprintf("the kernel has no md (%s)", s.Level), guestHint
		}
		if reason, hint = m.lacksTool("mdadm"); reason != "" {
			return reason, hint
		}
	}
	if least := fileSystems[s.FS]; size < least {
		return fmt.Sprintf("disks of %s are too small for %s: %s at least", sizeText(size), s.FS, sizeText(least)), "--image-size"
	}
	if l != (Limit{}) {
		if _, err := m.throttle(); err != nil {
			return err.Error(), "leave --lab-disk out, or use --lab-guest"
		}
	}
	if !m.Root {
		return "making file-systems needs root", "run it as root"
	}
	return "", ""
}

func (m *Machine) lacksTool(name string) (reason, hint string) {
	if m.Find(name) != "" {
		return "", ""
	}
	return name + " is not installed", "install " + packages[name]
}

// hasFS reports whether the kernel knows a file-system, or has a module of it.
func (m *Machine) hasFS(name string) bool {
	text, _ := os.ReadFile(filepath.Join(m.Proc, "filesystems"))
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) > 0 && f[len(f)-1] == name {
			return true
		}
	}
	return m.hasModule(name)
}

// hasArray reports whether the kernel has md with a level, or can load it.
func (m *Machine) hasArray(level string) bool {
	text, err := os.ReadFile(filepath.Join(m.Proc, "mdstat"))
	if err == nil {
		_, known, _ := strings.Cut(string(text), "Personalities :")
		known, _, _ = strings.Cut(known, "\n")
		if strings.Contains(known, "["+level+"]") {
			return true
		}
	}
	if err != nil && !m.hasModule("md-mod") {
		return false
	}
	module := level
	if level == "raid5" || level == "raid6" {
		module = "raid456"
	}
	return m.hasModule(module)
}

// hasModule reports whether the running kernel has a module, built in or not.
func (m *Machine) hasModule(name string) bool {
	for _, list := range []string{"modules.dep", "modules.builtin"} {
		text, _ := os.ReadFile(filepath.Join(m.Modules, list))
		for line := range strings.Lines(string(text)) {
			path, _, _ := strings.Cut(strings.TrimSpace(line), ":")
			base, _, _ := strings.Cut(filepath.Base(path), ".ko")
			if strings.ReplaceAll(base, "_", "-") == strings.ReplaceAll(name, "_", "-") {
				return true
			}
		}
	}
	return false
}

// throttle is where the kernel takes limits of disks.
type throttle struct {
	version int    // of cgroups
	dir     string // the root of the hierarchy
}

// throttle finds where limits of disks are set.
//
// With version 1 it is the root of the hierarchy, where threads of the kernel
// are, too: what they write back, and journals, count to the same limit as the
// programs' own I/O, as on a slow disk. With version 2 it is a group of the
// lab's, to which the kernel accounts write-back of most file-systems.
func (m *Machine) throttle() (*throttle, error) {
	file, err := os.Open(filepath.Join(m.Proc, "self/mountinfo"))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	mounts, err := target.ParseMounts(file)
	if err != nil {
		return nil, err
	}
	for _, mount := range mounts {
		if mount.Root != "/" || mount.ReadOnly() {
			continue
		}
		switch mount.Type {
		case "cgroup":
			if _, err := os.Stat(filepath.Join(mount.Point, "blkio.throttle.write_iops_device")); err == nil && slices.Contains(mount.Super, "blkio") {
				return &throttle{1, mount.Point}, nil
			}
		case "cgroup2":
			text, err := os.ReadFile(filepath.Join(mount.Point, "cgroup.subtree_control"))
			if err == nil && slices.Contains(strings.Fields(string(text)), "io") {
				return &throttle{2, mount.Point}, nil
			}
		}
	}
	return nil, fmt.Errorf("no control group limits disks here: neither blkio.throttle (version 1) nor io.max (version 2)")
}

// lacksZFS says what is missing for ZFS: of the kernel, or else of zfs-fuse.
func (m *Machine) lacksZFS() (reason, hint string) {
	for _, tool := range []string{"zpool", "zfs"} {
		if reason, hint = m.lacksTool(tool); reason != "" {
			return reason, hint
		}
	}
	if m.hasFS("zfs") {
		return "", ""
	}
	if reason, hint = m.lacksTool("zfs-fuse"); reason != "" {
		return "the kernel has no zfs, and " + reason, hint
	}
	if _, err := os.Stat(filepath.Join(m.Dev, "fuse")); err != nil {
		return "the kernel has no zfs, and no FUSE for zfs-fuse", ""
	}
	if pid := m.running("zfs-fuse"); pid != "" {
		return fmt.Sprintf("a zfs-fuse runs already (pid %s), and there can be only one", pid), "stop it, if its pools are not needed"
	}
	return "", ""
}

// running returns the pid of a process of that name, "" for none. One that has
// ended, and that its parent has not taken note of yet, does not run.
func (m *Machine) running(name string) string {
	list, _ := filepath.Glob(filepath.Join(m.Proc, "[0-9]*/comm"))
	for _, file := range list {
		text, err := os.ReadFile(file)
		if err != nil || string(text) != name+"\n" {
			continue
		}
		// The state stands behind the name, which may hold anything.
		stat, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "stat"))
		if state := string(stat[bytes.LastIndexByte(stat, ')')+1:]); strings.HasPrefix(state, " Z") || strings.HasPrefix(state, " X") {
			continue
		}
		return filepath.Base(filepath.Dir(file))
	}
	return ""
}
