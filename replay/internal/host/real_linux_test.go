package host

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/benchproof/benchproof/replay/internal/process"
	"github.com/benchproof/benchproof/replay/internal/target"
)

// look returns the target and the place of a directory.
func look(t *testing.T, dir string) Place {
	t.Helper()
	g, err := target.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.Close() })
	p, err := Look(g)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestThisMachine holds what is read against other ways to the same.
func TestThisMachine(t *testing.T) {
	p := look(t, t.TempDir())
	m := This()
	s, err := m.Snapshot(p)
	if err != nil {
		t.Fatal(err)
	}
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		t.Fatal(err)
	}
	if total := int64(info.Totalram) * int64(info.Unit); s.Memory.Total == nil || *s.Memory.Total != total {
		t.Errorf("memory %v, the kernel says %d", s.Memory.Total, total)
	}
	out, err := exec.Command("uname", "-r").Output()
	if err == nil && s.Kernel != strings.TrimSpace(string(out)) {
		t.Errorf("kernel %q, uname says %q", s.Kernel, out)
	}
	out, err = exec.Command("findmnt", "-no", "FSTYPE,SOURCE", "-T", p.Identity.Dir).Output()
	if got := p.Identity.Mount.Type + " " + p.Identity.Mount.Source; err == nil && got != strings.Join(strings.Fields(string(out)), " ") {
		t.Errorf("file-system %q, findmnt says %q", got, out)
	}
	for _, q := range s.Queues {
		out, err := exec.Command("lsblk", "-bdno", "SIZE,SCHED", "/dev/"+q.Name).Output()
		f := strings.Fields(string(out))
		if err != nil || len(f) != 2 || q.Size == nil {
			continue
		}
		if digits(q.Size) != f[0] || q.Scheduler != f[1] {
			t.Errorf("%s: %s bytes with %s, lsblk says %q", q.Name, digits(q.Size), q.Scheduler, f)
		}
	}
	sys := m.System("here", p)
	if len(sys.Hardware) == 0 || len(sys.Software) < 2 {
		t.Errorf("system %+v", sys)
	}
	again, err := m.Snapshot(p)
	if err != nil {
		t.Fatal(err)
	}
	if c := Changes(s, again); len(c) > 0 {
		t.Errorf("changed at once: %v", c)
	}
}

// TestForeignTraffic has a file-system of its own on a loop device, where
// nobody else works, and lets the replay and a stranger work there.
func TestForeignTraffic(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root to mount")
	}
	dir := t.TempDir()
	image, point := filepath.Join(dir, "image"), filepath.Join(dir, "disk")
	if err := os.Mkdir(point, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, argv := range [][]string{
		{"truncate", "-s", "256M", image},
		{"mkfs.ext4", "-q", "-E", "lazy_itable_init=0,lazy_journal_init=0", image},
		{"mount", "-o", "loop", image, point},
	} {
		if out, err := exec.Command(argv[0], argv[1:]...).CombinedOutput(); err != nil {
			t.Skipf("%s: %v: %s", argv[0], err, out)
		}
	}
	t.Cleanup(func() { _ = exec.Command("umount", "-l", point).Run() })
	unix.Sync()
	p := look(t, point)
	m := This()
	write := func(name string) []string {
		return []string{"dd", "if=/dev/zero", "of=" + filepath.Join(point, name), "bs=1M", "count=64", "oflag=direct", "status=none"}
	}
	read := func(name string) []string {
		return []string{"dd", "if=" + filepath.Join(point, name), "of=/dev/null", "bs=1M", "iflag=direct", "status=none"}
	}
	mine := func(argv []string) process.IO {
		r, err := process.Run(t.Context(), process.Command{ID: "foreign", Argv: argv, Dir: point, Timeout: time.Minute})
		if err != nil || !r.OK() {
			t.Fatalf("%q: %s, %v", argv, r.Failure(), err)
		}
		return r.IO
	}
	// A stranger's work is that of a process that is not below this one.
	theirs := func(argv []string) process.IO {
		cmd := exec.Command("setsid", append([]string{"--fork", "--wait"}, argv...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%q: %v: %s", argv, err, out)
		}
		return process.IO{Known: true}
	}
	for _, tc := range []struct {
		name string
		self bool
		work func(argv []string) process.IO
		argv []string
		want Seen
	}{
		{"our writes", true, mine, write("a"), SeenNone},
		{"our reads", true, mine, read("a"), SeenNone},
		{"a stranger's writes", false, theirs, write("b"), SeenForeign},
		{"a stranger's reads", false, theirs, read("a"), SeenForeign},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m.self = -1
			if tc.self {
				m.self = os.Getpid()
			}
			before, err := m.Snapshot(p)
			if err != nil {
				t.Fatal(err)
			}
			before.Synced = true
			own := tc.work(tc.argv)
			unix.Sync()
			after, err := m.Snapshot(p)
			if err != nil {
				t.Fatal(err)
			}
			after.Synced = true
			v := Compare(before, after, own)
			if v.Foreign != tc.want {
				t.Errorf("got %+v", v)
			}
			if n := v.Read + v.Written; n < 64*mib || n > 80*mib {
				t.Errorf("the device did %d bytes", n)
			}
		})
	}
}
