package lab

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// imageDir returns a directory for images on a disk, or skips the test where
// no lab can be made.
func imageDir(t *testing.T) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root: it makes file-systems on loop devices")
	}
	if _, err := os.Stat("/dev/loop-control"); err != nil {
		t.Skip("needs loop devices: ", err)
	}
	dir, err := CheckDir(t.TempDir())
	if err != nil {
		t.Skip("needs a directory on a disk: ", err)
	}
	before := left(t, dir)
	t.Cleanup(func() {
		if more := since(before, left(t, dir)); len(more) > 0 {
			t.Errorf("left behind: %q", more)
		}
	})
	return dir
}

// since returns what was not there before: another lab of the machine may have
// its own zfs-fuse.
func since(before, after []string) []string {
	return slices.DeleteFunc(after, func(name string) bool { return slices.Contains(before, name) })
}

// left returns all of the machine that a lab could leave: files in the image
// directory, loop devices, mounts, limits and control groups.
func left(t *testing.T, dir string) []string {
	t.Helper()
	var list []string
	for _, pattern := range []string{filepath.Join(dir, "*"), filepath.Join(dir, ".*")} {
		names, _ := filepath.Glob(pattern)
		list = append(list, names...)
	}
	// Others may have loop devices of their own: those of the lab's numbers
	// are told by their file.
	loops, _ := filepath.Glob("/sys/block/loop*")
	for _, l := range loops {
		back, _ := os.ReadFile(filepath.Join(l, "loop/backing_file"))
		if strings.Contains(string(back), dir) {
			list = append(list, l+" on "+strings.TrimSpace(string(back)))
		}
	}
	points, err := mountsBelow(dir)
	if err != nil {
		t.Fatal(err)
	}
	list = append(list, points...)
	if _, err := os.Stat(zfsSocketFile); err == nil {
		list = append(list, zfsSocketFile)
	}
	if at, err := This().throttle(); err == nil && at.version == 2 {
		// Those that own names are called so; other tests make theirs meanwhile.
		groups, _ := filepath.Glob(filepath.Join(at.dir, fmt.Sprintf("benchproof-*%d", os.Getpid())))
		list = append(list, groups...)
	}
	return list
}

// config returns a configuration of small disks, or skips where this machine
// lacks it.
func config(t *testing.T, dir, text string, size int64, limit Limit) Named {
	t.Helper()
	s := spec(t, text)
	if why, _ := This().Lacks(s, size, limit); why != "" {
		t.Skipf("%s: %s", text, why)
	}
	return Named{"System " + text, Config{Spec: s.String(), Disks: s.Number(), Dir: dir, Size: size, Limit: limit}}
}

func open(t *testing.T, id string, configs ...Named) *Lab {
	t.Helper()
	// Others may test at the same time.
	l, err := Open(t.Context(), Setup{ID: own(id), Program: "test", Configs: configs, Tell: func(text string) { t.Log(text) }})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// own makes an identifier this process's own.
func own(id string) string { return fmt.Sprintf("%s%d", id, os.Getpid()) }

func shut(t *testing.T, l *Lab) {
	t.Helper()
	if _, err := l.Close(context.Background()); err != nil {
		t.Error(err)
	}
}

// TestMake makes every configuration and asks the tools of the system what it
// is.
func TestMake(t *testing.T) {
	for _, tt := range []struct {
		spec, kind string
		size       int64
		profile    string // of btrfs's data and metadata
	}{
		{"ext4", "ext4", 64 << 20, ""},
		{"xfs", "xfs", 300 << 20, ""},
		{"btrfs", "btrfs", 160 << 20, "single"},
		{"btrfs:raid0", "btrfs", 160 << 20, "RAID0"},
		{"btrfs:raid1", "btrfs", 160 << 20, "RAID1"},
		{"btrfs:raid1:2", "btrfs", 160 << 20, "RAID1"},
		{"btrfs:raid10", "btrfs", 160 << 20, "RAID10"},
		{"btrfs:raid5", "btrfs", 160 << 20, "RAID5"},
		{"btrfs:raid6", "btrfs", 160 << 20, "RAID6"},
		{"f2fs", "f2fs", 128 << 20, ""},
		{"zfs:mirror", "fuse.zfs", 128 << 20, ""},
		{"zfs:raidz", "fuse.zfs", 128 << 20, ""},
		{"md:raid0:ext4", "ext4", 64 << 20, ""},
		{"md:raid5:xfs", "xfs", 300 << 20, ""},
	} {
		t.Run(tt.spec, func(t *testing.T) {
			if testing.Short() && tt.spec != "ext4" && tt.spec != "btrfs:raid1:2" {
				t.Skip("takes a moment")
			}
			dir := imageDir(t)
			c := config(t, dir, tt.spec, tt.size, Limit{})
			l := open(t, "make1", c)
			defer shut(t, l)
			at := l.Dir(c.Label)
			out, err := exec.Command("findmnt", "-n", "-o", "FSTYPE", "--mountpoint", at).Output()
			if err != nil || strings.TrimSpace(string(out)) != tt.kind {
				t.Errorf("findmnt says %q, %v", out, err)
			}
			if tt.profile != "" {
				out, err := exec.Command("btrfs", "filesystem", "df", at).Output()
				if err != nil || !strings.Contains(string(out), "Data, "+tt.profile+":") {
					t.Errorf("btrfs says %q, %v", out, err)
				}
				out, err = exec.Command("btrfs", "filesystem", "show", at).Output()
				if n := strings.Count(string(out), "devid"); err != nil || n != c.Disks {
					t.Errorf("btrfs shows %d devices, %v", n, err)
				}
			}
			for _, img := range l.sites[0].images {
				out, err := exec.Command("losetup", "-n", "-O", "DIO,BACK-FILE", img.device()).Output()
				if err != nil || strings.Join(strings.Fields(string(out)), " ") != "1 "+img.path {
					t.Errorf("losetup says %q, %v", out, err)
				}
			}
			// It holds what is written, and gives it back.
			name := filepath.Join(at, "file")
			if err := os.WriteFile(name, make([]byte, 8<<20), 0o644); err != nil {
				t.Fatal(err)
			}
			if err := l.End(c.Label); err != nil {
				t.Error(err)
			}
			full := used(t, l)
			if err := os.Remove(name); err != nil {
				t.Fatal(err)
			}
			if err := l.Trim(c.Label); err != nil {
				t.Error(err)
			}
			// zfs-fuse knows no trim.
			if now := used(t, l); now > full-6<<20 && tt.kind != "fuse.zfs" {
				t.Errorf("8 MiB were removed and trimmed, and the images take %d, before %d", now, full)
			}
		})
	}
}

// used returns the bytes that the images take on their disk.
func used(t *testing.T, l *Lab) int64 {
	t.Helper()
	unix.Sync()
	var sum int64
	for _, at := range l.sites {
		for _, img := range at.images {
			var st unix.Stat_t
			if err := unix.Stat(img.path, &st); err != nil {
				t.Fatal(err)
			}
			sum += st.Blocks * 512
		}
	}
	return sum
}

func TestCheckDir(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for dir, word := range map[string]string{
		file: "is no directory", "/dev/shm": "is in memory", "/proc": "belongs to the kernel", file + "2": "does not exist",
	} {
		if _, err := CheckDir(dir); err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("%s: %v, want %q", dir, err, word)
		}
	}
}

// A number that somebody has is left to him, and so is a device that lies on
// something else.
func TestLoopOfOthers(t *testing.T) {
	dir := imageDir(t)
	c := config(t, dir, "ext4", 32<<20, Limit{})
	n := loopBase(own("taken"))
	other := filepath.Join(t.TempDir(), "other.img")
	img, err := newImage(other, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	defer img.file.Close()
	if err := addLoop(n); err != nil {
		t.Skip("the number is in use: ", err)
	}
	img.number = n
	if err := img.attach(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := img.detach(); err != nil {
			t.Error(err)
		}
	}()
	l := open(t, "taken", c)
	if got := l.sites[0].images[0].number; got != n+1 {
		t.Errorf("loop device %d, want %d: %d is taken", got, n+1, n)
	}
	// A lab's image of which the device is another's is not touched.
	img2 := *l.sites[0].images[0]
	img2.loop, img2.number = img.loop, n
	if err := img2.check(); err == nil {
		t.Error("a device on another file passes for the lab's")
	}
	shut(t, l)
	if err := dropLoop(n, filepath.Join(dir, "c0d0.img")); !errors.Is(err, errOther) {
		t.Errorf("another's device: %v", err)
	}
	if err := img.check(); err != nil {
		t.Errorf("the other's device is disturbed: %v", err)
	}
}

// TestLoopSnatched: a new loop device is free until it is attached, and others
// may ask the kernel for a free one. The lab takes the next, and leaves theirs.
func TestLoopSnatched(t *testing.T) {
	dir := imageDir(t)
	c := config(t, dir, "ext4", 32<<20, Limit{})
	n := loopBase(own("snatched"))
	theirs, err := newImage(filepath.Join(t.TempDir(), "theirs.img"), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	defer theirs.file.Close()
	theirs.number = n
	fault = func() {
		if _, err := os.Stat(fmt.Sprintf("/sys/block/loop%d", n)); err != nil || theirs.loop != nil {
			return
		}
		if err := theirs.attach(); err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(func() { fault = func() {} })
	l := open(t, "snatched", c)
	if got := l.sites[0].images[0].number; got != n+1 {
		t.Errorf("loop device %d, want %d: %d was snatched", got, n+1, n)
	}
	shut(t, l)
	if err := theirs.check(); err != nil {
		t.Errorf("their device is disturbed: %v", err)
	}
	if err := theirs.detach(); err != nil {
		t.Error(err)
	}
}

// Nothing is left where a lab cannot be made, be it for want of room, a program
// that fails, or an interruption.
func TestOpenFails(t *testing.T) {
	dir := imageDir(t)
	good := config(t, dir, "ext4", 32<<20, Limit{})
	small := Named{"small", Config{Spec: "xfs", Disks: 1, Dir: dir, Size: 20 << 20}}
	_, err := Open(t.Context(), Setup{ID: own("fails"), Configs: []Named{good, small}})
	if err == nil || !strings.Contains(err.Error(), "make the lab of small: mkfs.xfs") {
		t.Errorf("mkfs on a disk that is too small: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, err = Open(ctx, Setup{ID: own("fails"), Configs: []Named{good, good}, Tell: func(string) { cancel() }})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	huge := good
	huge.Disks, huge.Size = 16, MaxSize
	var configs []Named
	for range 60 {
		configs = append(configs, huge)
	}
	var e *DirError
	if _, err = Open(t.Context(), Setup{ID: own("fails"), Configs: configs}); err != nil && !errors.As(err, &e) {
		t.Errorf("no room: %v", err)
	} else if err == nil {
		t.Error("960 disks fit into a test's directory")
	}
}

// The disk of the images runs full while the second configuration is made.
func TestOpenFull(t *testing.T) {
	top := imageDir(t)
	dir := filepath.Join(top, "images")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	disk := filepath.Join(top, "disk.img")
	for _, argv := range [][]string{
		{"truncate", "-s", "160M", disk}, {"mkfs.ext4", "-q", "-F", "-m", "0", disk}, {"mount", "-o", "loop", disk, dir},
	} {
		if out, err := exec.Command(argv[0], argv[1:]...).CombinedOutput(); err != nil {
			t.Skipf("needs a disk for images: %v: %s", argv, out)
		}
	}
	defer func() {
		if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("umount: %v: %s", err, out)
		}
		_, _ = os.Remove(dir), os.Remove(disk)
	}()
	configs := []Named{config(t, dir, "ext4", 32<<20, Limit{}), config(t, dir, "btrfs:raid1:2", 128<<20, Limit{})}
	_, err := Open(t.Context(), Setup{ID: own("full"), Configs: configs, Tell: func(string) {
		f, err := os.Create(filepath.Join(dir, "others"))
		if err != nil {
			t.Fatal(err)
		}
		for block := make([]byte, 1<<20); err == nil; {
			_, err = f.Write(block)
		}
		_ = f.Close()
	}})
	if err == nil || !strings.Contains(err.Error(), "make the lab of System btrfs:raid1:2") {
		t.Errorf("a full disk: %v", err)
	}
	if found := since([]string{zfsSocketFile}, left(t, dir)); !slices.Equal(found, []string{filepath.Join(dir, "lost+found"), filepath.Join(dir, "others")}) {
		t.Errorf("left: %q", found)
	}
}

// What is in a lab's directory and is none of its files stays.
func TestCleanKeepsOthersFiles(t *testing.T) {
	dir := imageDir(t)
	l := open(t, "keeps", config(t, dir, "ext4", 32<<20, Limit{}))
	precious := filepath.Join(l.dir, "thesis.tex")
	if err := os.WriteFile(precious, []byte("all of it"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Close(t.Context()); err == nil || !strings.Contains(err.Error(), "thesis.tex is none of a lab's files") {
		t.Errorf("close: %v", err)
	}
	if text, err := os.ReadFile(precious); err != nil || string(text) != "all of it" {
		t.Errorf("it is gone: %v", err)
	}
	_ = os.Remove(precious)
	if _, err := Clean(t.Context(), l.dir, own("keeps")); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{dir, filepath.Join(dir, prefix+"x"), "/"} {
		if _, err := Clean(t.Context(), bad, "other"); err == nil && bad != filepath.Join(dir, prefix+"x") {
			t.Errorf("%s is cleaned", bad)
		}
	}
}

func TestReadLog(t *testing.T) {
	dir := t.TempDir()
	text := `{"thing":"loop","number":1000,"path":"/x/c0d0.img"}
{"thing":"loop","number":1000,"path":"/x/c0d0.img","not":true}
{"thing":"loop","number":1001,"path":"/x/c0d0.img"}
{"thing":"lo`
	if err := os.WriteFile(filepath.Join(dir, logFile), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := readLog(dir)
	want := []thing{{Thing: thingLoop, Number: 1001, Path: "/x/c0d0.img"}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
	if err := os.WriteFile(filepath.Join(dir, logFile), []byte("oops\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readLog(dir); err == nil || !strings.Contains(err.Error(), logFile+":1:") {
		t.Errorf("a bad line: %v", err)
	}
}

func ExampleConfig_Text() {
	c := Config{Spec: "btrfs:raid1", Disks: 4, Size: 8 << 30, Limit: Limit{IOPS: 200}}
	fmt.Println(c.Text())
	// Output: btrfs:raid1 on 4 images of 8 GiB, 200 IOPS each
}
