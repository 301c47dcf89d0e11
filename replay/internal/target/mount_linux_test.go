package target

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// mounted mounts a file-system on a new directory below dir, for the time of
// the test, or skips.
func mounted(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root to mount")
	}
	point := filepath.Join(dir, name)
	if err := os.MkdirAll(point, 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mount", append(args, point)...).CombinedOutput(); err != nil {
		t.Skipf("mount: %v: %s", err, out)
	}
	t.Cleanup(func() {
		for range 3 {
			if exec.Command("umount", "-l", point).Run() != nil {
				return
			}
		}
	})
	return point
}

// image makes a file with an ext4 in it, or skips.
func image(t *testing.T, dir, size string) string {
	t.Helper()
	name := filepath.Join(dir, "image")
	for _, argv := range [][]string{{"truncate", "-s", size, name}, {"mkfs.ext4", "-q", name}} {
		if out, err := exec.Command(argv[0], argv[1:]...).CombinedOutput(); err != nil {
			t.Skipf("%s: %v: %s", argv[0], err, out)
		}
	}
	return name
}

func mustRun(t *testing.T, argv ...string) {
	t.Helper()
	if out, err := exec.Command(argv[0], argv[1:]...).CombinedOutput(); err != nil {
		t.Fatalf("%q: %v: %s", argv, err, out)
	}
}

// refused returns the reason for which a directory is no target.
func refused(t *testing.T, sys system, dir string) string {
	t.Helper()
	g, err := sys.open(dir)
	if err == nil {
		g.Close()
		return ""
	}
	var r *Refusal
	if !errors.As(err, &r) {
		t.Fatalf("%v is no refusal", err)
	}
	return r.Reason
}

func TestOpenMounts(t *testing.T) {
	dir := t.TempDir()
	memory := mounted(t, dir, "memory", "-t", "tmpfs", "-o", "size=4m", "none")
	g := open(t, memory)
	if n := g.Notes(); len(n) != 1 || !strings.Contains(n[0], "memory") {
		t.Errorf("notes %q", n)
	}
	if id := g.Identity(); id.Mount.Type != "tmpfs" || id.Mount.Point != memory || id.Magic != 0x01021994 {
		t.Errorf("identity %+v", id)
	}
	for _, tc := range []struct {
		name, reason string
		args         []string
	}{
		{"proc", "is on proc, which is no disk's", []string{"-t", "proc", "none"}},
		{"sysfs", "is on sysfs, which is no disk's", []string{"-t", "sysfs", "none"}},
		{"devtmpfs", "is on devtmpfs, which is no disk's", []string{"-t", "devtmpfs", "none"}},
		{"readonly", "is mounted read-only", []string{"-t", "tmpfs", "-o", "ro", "none"}},
		{"root", "is the root directory", []string{"--bind", "/"}},
	} {
		point := mounted(t, dir, tc.name, tc.args...)
		if got := refused(t, running, point); !strings.Contains(got, tc.reason) {
			t.Errorf("%s: refused with %q", tc.name, got)
		}
	}
	// A bind mount that is read-only of a file-system that is not.
	point := mounted(t, dir, "bind", "--bind", memory)
	mustRun(t, "mount", "-o", "remount,bind,ro", point)
	if got := refused(t, running, point); got != "is mounted read-only" {
		t.Errorf("read-only bind mount: refused with %q", got)
	}
}

func TestOpenNotWritable(t *testing.T) {
	if os.Geteuid() == 0 {
		// Root may write everywhere; another user looks.
		if os.Getenv("BENCHPROOF_TEST_DIR") == "" {
			dir, err := os.MkdirTemp("", "benchproof-target-")
			if err != nil {
				t.Fatal(err)
			}
			defer os.RemoveAll(dir)
			if err := os.Chmod(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			binary := filepath.Join(dir, "test")
			mustRun(t, "cp", os.Args[0], binary)
			cmd := exec.Command(binary, "-test.run=^TestOpenNotWritable$", "-test.v")
			cmd.Dir = "/"
			cmd.Env = append(os.Environ(), "BENCHPROOF_TEST_DIR="+dir)
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
			if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS") {
				t.Errorf("as another user: %v: %s", err, out)
			}
		}
		return
	}
	dir := os.Getenv("BENCHPROOF_TEST_DIR")
	if dir == "" {
		dir = t.TempDir()
		if err := os.Chmod(dir, 0o555); err != nil {
			t.Fatal(err)
		}
	}
	if got := refused(t, running, dir); !strings.HasPrefix(got, "is not writable") {
		t.Errorf("refused with %q", got)
	}
	if err := DropCaches(); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("dropped caches: %v", err)
	}
}

func TestUnmountedMountPoint(t *testing.T) {
	dir := t.TempDir()
	point := filepath.Join(dir, "data disk")
	inner := filepath.Join(point, "bench")
	if err := os.MkdirAll(inner, 0o755); err != nil {
		t.Fatal(err)
	}
	fstab := filepath.Join(dir, "fstab")
	text := "# comment\n/dev/sdb1\t" + strings.ReplaceAll(point, " ", `\040`) + "/ ext4 defaults 0 2\nUUID=1 none swap sw 0 0\n/dev/sda1 / ext4 defaults 0 1\n"
	if err := os.WriteFile(fstab, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	unit := filepath.Join(dir, "x.mount")
	other := filepath.Join(dir, "other")
	if err := os.Mkdir(other, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(unit, []byte("[Mount]\nWhat=/dev/sdc1\nWhere="+other+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	sys := running
	sys.fstab, sys.units = fstab, []string{filepath.Join(dir, "*.mount")}
	for _, at := range []string{point, inner, other} {
		if got := refused(t, sys, at); !strings.Contains(got, "but nothing is mounted there") {
			t.Errorf("%s: refused with %q", at, got)
		}
	}
	beside := filepath.Join(dir, "data disk 2")
	if err := os.Mkdir(beside, 0o755); err != nil {
		t.Fatal(err)
	}
	if got := refused(t, sys, beside); got != "" {
		t.Errorf("a directory beside it: refused with %q", got)
	}
	sys.fstab = filepath.Join(dir, "none")
	if got := refused(t, sys, point); got != "" {
		t.Errorf("without an fstab: refused with %q", got)
	}
	// Below it, what is a mount itself is no matter.
	sys.fstab = fstab
	if got := refused(t, sys, mounted(t, dir, "data disk/deeper", "-t", "tmpfs", "none")); got != "" {
		t.Errorf("a mount below it: refused with %q", got)
	}
	// Once something is mounted there, it is a target.
	mounted(t, dir, "data disk", "-t", "tmpfs", "none")
	if got := refused(t, sys, point); got != "" {
		t.Errorf("mounted: refused with %q", got)
	}
}

func TestFullDisk(t *testing.T) {
	point := mounted(t, t.TempDir(), "disk", "-t", "tmpfs", "-o", "size=4m,nr_inodes=100", "none")
	g := open(t, point)
	s, err := g.Free()
	if err != nil || s.Free != 4<<20 || s.Total != 4<<20 || s.Files < 1 || s.Files > 99 {
		t.Fatalf("space %+v, %v", s, err)
	}
	// 1.2 times the need and a twentieth of 4 MiB.
	const most = (4<<20 - 4<<20/20) * 10 / 12
	if err := g.Need(most); err != nil {
		t.Error(err)
	}
	var r *Refusal
	if err := g.Need(most + 10); !errors.As(err, &r) || !strings.Contains(r.Hint, "--scale") {
		t.Errorf("too much: %v", err)
	}
	if err := os.WriteFile(filepath.Join(point, "fill"), make([]byte, 4<<20), 0o644); err != nil {
		t.Fatal(err)
	}
	// Full as it is, a failed scratch directory leaves nothing.
	if _, err := g.NewScratch(Marker{ID: "full"}); !errors.Is(err, unix.ENOSPC) {
		t.Errorf("made on a full disk: %v", err)
	}
	if found, err := g.scratches(); err != nil || len(found) != 0 {
		t.Errorf("left %+v, %v", found, err)
	}
	if err := g.Sync(); err != nil {
		t.Error(err)
	}
}

func TestRequired(t *testing.T) {
	for _, tc := range []struct{ total, bytes, want int64 }{
		{1 << 40, 1000, 1200 + 256<<20},
		{1 << 40, 0, 256 << 20},
		{20 << 20, 1000, 1200 + 1<<20},
	} {
		if got := (Space{Total: tc.total}).Required(tc.bytes); got != tc.want {
			t.Errorf("%d of %d: %d, want %d", tc.bytes, tc.total, got, tc.want)
		}
	}
}

func TestRemoveEntersNoMount(t *testing.T) {
	dir := t.TempDir()
	g := open(t, dir)
	s, err := g.NewScratch(Marker{ID: "m"})
	if err != nil {
		t.Fatal(err)
	}
	theirs := filepath.Join(dir, "theirs")
	if err := os.MkdirAll(theirs, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(theirs, "precious"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	// The same file-system and device, so only the mount tells.
	point := mounted(t, s.Dir(), "job/bound", "--bind", theirs)
	if err := s.RemoveTree("job"); err == nil || !strings.Contains(err.Error(), "something is mounted there") {
		t.Errorf("got %v", err)
	}
	if err := s.RemoveTree("job/bound/precious"); err == nil || !strings.Contains(err.Error(), "on another mount") {
		t.Errorf("got %v", err)
	}
	if err := s.Remove(); err == nil {
		t.Error("removed over a mount")
	}
	if _, err := os.Stat(filepath.Join(theirs, "precious")); err != nil {
		t.Fatal("a foreign file was removed:", err)
	}
	mustRun(t, "umount", point)
	if err := s.Remove(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(theirs, "precious")); err != nil {
		t.Error(err)
	}
}

func TestOwn(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root to give files away")
	}
	dir := t.TempDir()
	s, err := open(t, dir).NewScratch(Marker{ID: "o"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Mkdir("job/sub"); err != nil {
		t.Fatal(err)
	}
	outside := filepath.Join(dir, "outside")
	if err := os.WriteFile(outside, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(s.Dir(), "job", "link")); err != nil {
		t.Fatal(err)
	}
	if err := s.Own("job", 65534, 65534); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]uint32{"": 0, MarkerName: 0, "job": 65534, "job/sub": 65534, "job/link": 65534, "../outside": 0} {
		var st unix.Stat_t
		if err := unix.Lstat(filepath.Join(s.Dir(), name), &st); err != nil || st.Uid != want {
			t.Errorf("%q belongs to %d, %v, want %d", name, st.Uid, err, want)
		}
	}
	if info, err := os.Stat(s.Dir()); err != nil || info.Mode().Perm() != 0o711 {
		t.Errorf("scratch directory: %v, %v", info.Mode(), err)
	}
	if err := s.Remove(); err != nil {
		t.Error(err)
	}
}

// TestDevicesOfBtrfs: all members of a file-system over two loop devices, and
// the disk that their images lie on.
func TestDevicesOfBtrfs(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root to mount")
	}
	dir := t.TempDir()
	below := open(t, dir).Devices().Disks
	if len(below) == 0 {
		t.Skip("the temporary directory is on no known disk")
	}
	var loops []string
	for _, name := range []string{"a", "b"} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(file, 128<<20); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("losetup", "-f", "--show", file).CombinedOutput()
		if err != nil {
			t.Skipf("losetup: %v: %s", err, out)
		}
		loop := strings.TrimSpace(string(out))
		t.Cleanup(func() { _ = exec.Command("losetup", "-d", loop).Run() })
		loops = append(loops, loop)
	}
	if out, err := exec.Command("mkfs.btrfs", append([]string{"-q", "-d", "raid1", "-m", "raid1"}, loops...)...).CombinedOutput(); err != nil {
		t.Skipf("mkfs.btrfs: %v: %s", err, out)
	}
	point := mounted(t, dir, "disk", "-t", "btrfs", "-o", "device="+loops[0]+",device="+loops[1], loops[0])
	if err := os.Mkdir(filepath.Join(point, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	g, err := Open(filepath.Join(point, "sub"))
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	d := g.Devices()
	var names []string
	for _, c := range d.Carriers {
		names = append(names, "/dev/"+c.Name)
	}
	slices.Sort(names)
	slices.Sort(loops)
	if !slices.Equal(names, loops) || !slices.Equal(d.Disks, below) {
		t.Errorf("carriers %q on %v, want %q on %v", names, d.Disks, loops, below)
	}
	if err := g.Check(); err != nil {
		t.Error(err)
	}
	s, err := g.NewScratch(Marker{ID: "b"})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Remove(); err != nil {
		t.Error(err)
	}
}
