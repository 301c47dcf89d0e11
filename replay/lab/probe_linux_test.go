package lab

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// machine returns a machine of files: by path, below its directory.
func machine(t *testing.T, files map[string]string, programs ...string) *Machine {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(text, "DIR", dir)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return &Machine{
		Proc: filepath.Join(dir, "proc"), Dev: filepath.Join(dir, "dev"), Modules: filepath.Join(dir, "modules"), Root: true,
		Find: func(program string) string {
			for _, p := range programs {
				if p == program {
					return "/sbin/" + p
				}
			}
			return ""
		},
	}
}

// Lines of /proc/self/mountinfo as kernels print them.
const (
	blkioV1 = "41 32 0:36 / DIR/cgroup/blkio rw,relatime - cgroup cgroup rw,blkio\n"
	unified = "30 23 0:26 / DIR/unified rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n"
)

func TestLacks(t *testing.T) {
	// A kernel with ext4 and xfs, and f2fs and md as modules.
	files := map[string]string{
		"dev/loop-control":                              "",
		"proc/filesystems":                              "nodev\tproc\n\text4\n\txfs\n",
		"proc/self/mountinfo":                           blkioV1,
		"cgroup/blkio/blkio.throttle.write_iops_device": "",
		"modules/modules.dep":                           "kernel/fs/f2fs/f2fs.ko: kernel/lib/crc.ko\nkernel/drivers/md/raid456.ko: kernel/drivers/md/md-mod.ko\nkernel/drivers/md/md-mod.ko:\n",
		"modules/modules.builtin":                       "kernel/drivers/md/raid1.ko\n",
	}
	tools := []string{"mkfs.ext4", "mkfs.xfs", "mkfs.btrfs", "mdadm"}
	m := machine(t, files, tools...)
	limit := Limit{IOPS: 100}
	for _, tt := range []struct {
		spec   string
		size   int64
		limit  Limit
		reason string
		hint   string
	}{
		{"ext4", 1 << 30, limit, "", ""},
		{"xfs", 300 << 20, Limit{}, "", ""},
		{"xfs", 299 << 20, Limit{}, "too small for xfs: 300 MiB", "--image-size"},
		{"btrfs", 1 << 30, Limit{}, "the kernel has no btrfs", "--lab-guest"},
		{"f2fs", 1 << 30, Limit{}, "mkfs.f2fs is not installed", "install f2fs-tools"},
		{"md:raid5:ext4", 1 << 30, Limit{}, "", ""},
		{"md:raid6:xfs", 1 << 30, Limit{}, "", ""},
		{"md:raid1:ext4", 1 << 30, Limit{}, "", ""},
		{"md:raid10:ext4", 1 << 30, Limit{}, "no md (raid10)", "--lab-guest"},
		{"zfs:mirror", 1 << 30, Limit{}, "zpool is not installed", "zfs-fuse"},
	} {
		reason, hint := m.Lacks(spec(t, tt.spec), tt.size, tt.limit)
		if tt.reason == "" && reason != "" || !strings.Contains(reason, tt.reason) || !strings.Contains(hint, tt.hint) {
			t.Errorf("%s: %q, %q; want %q, %q", tt.spec, reason, hint, tt.reason, tt.hint)
		}
	}
	ext4 := spec(t, "ext4")
	m.Root = false
	if reason, _ := m.Lacks(ext4, 1<<30, Limit{}); !strings.Contains(reason, "needs root") {
		t.Errorf("without root: %q", reason)
	}
	files["proc/self/mountinfo"] = unified
	files["unified/cgroup.subtree_control"] = "cpu memory\n"
	if reason, _ := machine(t, files, tools...).Lacks(ext4, 1<<30, limit); !strings.Contains(reason, "no control group limits disks") {
		t.Errorf("version 2 without io: %q", reason)
	}
	files["unified/cgroup.subtree_control"] = "cpu io memory\n"
	if reason, _ := machine(t, files, tools...).Lacks(ext4, 1<<30, limit); reason != "" {
		t.Errorf("version 2 with io: %q", reason)
	}
	delete(files, "dev/loop-control")
	if reason, _ := machine(t, files, tools...).Lacks(ext4, 1<<30, limit); !strings.Contains(reason, "no loop devices") {
		t.Errorf("without loop devices: %q", reason)
	}
}

func TestLacksZFS(t *testing.T) {
	files := map[string]string{"dev/loop-control": "", "dev/fuse": "", "proc/filesystems": "\text4\n", "proc/17/comm": "bash\n"}
	zfs := Spec{FS: "zfs"}
	for _, tt := range []struct {
		name, file, text string
		tools            []string
		reason           string
	}{
		{"fuse", "", "", []string{"zpool", "zfs", "zfs-fuse"}, ""},
		{"kernel", "proc/filesystems", "nodev\tzfs\n", []string{"zpool", "zfs"}, ""},
		{"neither", "proc/filesystems", "\text4\n", []string{"zpool", "zfs"}, "the kernel has no zfs, and zfs-fuse is not installed"},
		{"running", "proc/18/comm", "zfs-fuse\n", []string{"zpool", "zfs", "zfs-fuse"}, "a zfs-fuse runs already (pid 18)"},
		{"running still", "proc/18/stat", "18 (zfs-fuse) S 1 18 18 0 -1 4194560\n", []string{"zpool", "zfs", "zfs-fuse"}, "a zfs-fuse runs already (pid 18)"},
		{"ended", "proc/18/stat", "18 (zfs-fuse) Z 1 18 18 0 -1 4194560\n", []string{"zpool", "zfs", "zfs-fuse"}, ""},
	} {
		if tt.file != "" {
			files[tt.file] = tt.text
		}
		reason, _ := machine(t, files, tt.tools...).Lacks(zfs, 1<<30, Limit{})
		if reason != tt.reason && (tt.reason == "" || !strings.HasPrefix(reason, tt.reason)) {
			t.Errorf("%s: %q, want %q", tt.name, reason, tt.reason)
		}
	}
}

// The lines are those of the kernel's documentation of blkio.throttle (v1,
// Documentation/admin-guide/cgroup-v1/blkio-controller.rst) and of io.max (v2,
// Documentation/admin-guide/cgroup-v2.rst).
func TestThrottleLines(t *testing.T) {
	v1 := &throttle{1, "/cg/blkio"}
	for file, line := range map[string]string{
		"/cg/blkio/blkio.throttle.read_iops_device":  "7:1000 200",
		"/cg/blkio/blkio.throttle.write_iops_device": "7:1000 200",
		"/cg/blkio/blkio.throttle.read_bps_device":   "7:1000 0",
		"/cg/blkio/blkio.throttle.write_bps_device":  "7:1000 0",
	} {
		if got := v1.lines("x", "7:1000", Limit{IOPS: 200})[file]; got != line {
			t.Errorf("%s: %q, want %q", file, got, line)
		}
	}
	v2 := &throttle{2, "/cg"}
	for limit, line := range map[Limit]string{
		{IOPS: 200, Bytes: 1048576}: "7:1000 rbps=1048576 wbps=1048576 riops=200 wiops=200",
		{IOPS: 200}:                 "7:1000 rbps=max wbps=max riops=200 wiops=200",
		{}:                          "7:1000 rbps=max wbps=max riops=max wiops=max",
	} {
		if got := v2.lines("x", "7:1000", limit)["/cg/benchproof-x/io.max"]; got != line {
			t.Errorf("%+v: %q, want %q", limit, got, line)
		}
	}
}

// Version 2 keeps to a group of the lab's own.
func TestThrottleGroup(t *testing.T) {
	dir := t.TempDir()
	at := &throttle{2, dir}
	g, err := at.setup("x1")
	if err != nil || g != filepath.Join(dir, "benchproof-x1") {
		t.Fatalf("group %q, %v", g, err)
	}
	if _, err := at.setup("x1"); err != nil { // again, as after a crash
		t.Error(err)
	}
	max := filepath.Join(g, "io.max")
	if err := os.WriteFile(max, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := at.set("x1", "7:1000", Limit{IOPS: 5}); err != nil || !at.limited("x1", "7:1000") || at.limited("x1", "7:100") {
		t.Errorf("set: %v", err)
	}
	_ = os.Remove(max)
	if err := removeGroup(g); err != nil {
		t.Error(err)
	}
	if err := removeGroup(g); err != nil { // it is gone
		t.Error(err)
	}
}

func TestCommands(t *testing.T) {
	devices := []string{"/dev/loop1000", "/dev/loop1001"}
	for text, want := range map[string]string{
		"ext4":           "mkfs.ext4 -q -F -U ID -E lazy_itable_init=0,lazy_journal_init=0 /dev/loop1000 /dev/loop1001",
		"xfs":            "mkfs.xfs -q -f -m uuid=ID /dev/loop1000 /dev/loop1001",
		"btrfs":          "mkfs.btrfs -q -f -U ID /dev/loop1000 /dev/loop1001",
		"btrfs:raid10":   "mkfs.btrfs -q -f -U ID -d raid10 -m raid10 /dev/loop1000 /dev/loop1001",
		"md:raid1:btrfs": "mkfs.btrfs -q -f -U ID /dev/loop1000 /dev/loop1001",
		"md:raid10:f2fs": "mkfs.f2fs -q -f /dev/loop1000 /dev/loop1001",
	} {
		if got := strings.Join(spec(t, text).mkfs("ID", devices), " "); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"md:raid0:ext4":  "--level=0 --raid-devices=2",
		"md:raid10:ext4": "--level=10 --bitmap=none --raid-devices=2",
	} {
		if got := strings.Join(spec(t, text).array("/dev/md/x", devices), " "); !strings.HasPrefix(got, "mdadm --create /dev/md/x --run --force --assume-clean") || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"zfs": "p /dev/loop1000 /dev/loop1001", "zfs:stripe": "p /dev/loop1000 /dev/loop1001", "zfs:raidz2": "p raidz2 /dev/loop1000 /dev/loop1001",
	} {
		if got := strings.Join(spec(t, text).pool("p", "/m", devices), " "); got != "zpool create -f -o cachefile=none -m /m "+want {
			t.Errorf("%s: %q", text, got)
		}
	}
	if got := spec(t, "btrfs:raid0").mountData(devices); got != "device=/dev/loop1000,device=/dev/loop1001" {
		t.Errorf("mount options %q", got)
	}
	if got := spec(t, "md:raid0:btrfs").mountData(devices[:1]); got != "" {
		t.Errorf("mount options of an array %q", got)
	}
}
