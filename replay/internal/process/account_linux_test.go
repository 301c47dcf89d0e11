package process

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// toolVariable makes a tool of this test binary.
const toolVariable = "BENCHPROOF_TEST_TOOL"

// beTool does one thing of which the test knows the size.
func beTool(what string) int {
	kind, size, _ := strings.Cut(what, ":")
	n, err := strconv.Atoi(size)
	if err != nil {
		return 2
	}
	switch kind {
	case "spin": // n milliseconds of CPU time in user mode
		for x := 0; ; x++ {
			var u syscall.Rusage
			if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
				return 2
			}
			if u.Utime.Nano() >= int64(n)*1e6 {
				return 0
			}
			for range 100000 {
				x *= 7
			}
		}
	case "spin-child", "spin-orphan": // the same in a child, or one left behind
		cmd := exec.Command(self())
		cmd.Env = append(os.Environ(), toolVariable+"=spin:"+size)
		if cmd.Start() != nil {
			return 2
		}
		if kind == "spin-child" && cmd.Wait() != nil {
			return 2
		}
		return 0
	case "hold": // n bytes of memory
		b := make([]byte, n)
		for i := 0; i < n; i += 512 {
			b[i] = 1
		}
		time.Sleep(10 * time.Millisecond)
		return int(b[0]) - 1
	}
	return 2
}

// fake returns this test binary as a tool.
func fake(what string) Command {
	return Command{Argv: []string{self()}, Env: []string{toolVariable + "=" + what}}
}

func TestCPU(t *testing.T) {
	// What is above it is for the start of the test binary, twice with a child.
	const want, slack = 100 * time.Millisecond, 150 * time.Millisecond
	for _, what := range []string{"spin:100", "spin-child:100", "spin-orphan:100"} {
		t.Run(what, func(t *testing.T) {
			r, _ := run(t, fake(what))
			least := want
			if what == "spin-orphan:100" {
				least = 0 // it is ended where it is slow
			}
			if r.User < least || r.User > want+slack || r.System < 0 || r.System > slack || r.Code != 0 {
				t.Errorf("user %s, system %s, %s", r.User, r.System, r.Failure())
			}
		})
	}
	c := fake("spin:100")
	c.Copies = 3
	if r, _ := run(t, c); r.User < 3*want || r.User > 3*(want+slack) {
		t.Errorf("three copies: user %s", r.User)
	}
}

func TestMaxRSS(t *testing.T) {
	const size = 200 << 20
	r, _ := run(t, fake(fmt.Sprint("hold:", size)))
	// A binary built with -race holds up to four times as much.
	if r.MaxRSS < size || r.MaxRSS > 5*size {
		t.Errorf("largest resident set %d of a tool that held %d", r.MaxRSS, size)
	}
	// The supervisor's own memory is not the tool's.
	if r, _ := run(t, Command{Argv: []string{"true"}}); r.MaxRSS != 0 {
		t.Errorf("largest resident set of true: %d, which cannot be told", r.MaxRSS)
	}
}

func TestIO(t *testing.T) {
	tool(t, "dd")
	if _, err := readIO("/proc/self/io"); err != nil {
		t.Skip("the kernel does not account traffic:", err)
	}
	dir := t.TempDir()
	var fs syscall.Statfs_t
	if err := syscall.Statfs(dir, &fs); err != nil || fs.Type == 0x01021994 {
		t.Skip("the temporary directory is no disk's")
	}
	const size = 16 << 20
	near := func(what string, got int64) {
		t.Helper()
		// Metadata and the tool's own pages come on top.
		if got < size || got > size+size/8 {
			t.Errorf("%s %d, want %d", what, got, size)
		}
	}
	// Output of a tool is written by the supervisor, and is not the tool's.
	r, out := run(t, Command{Dir: dir, Argv: sh("dd if=/dev/zero of=a bs=1M count=16 conv=fsync status=none; head -c 4000000 /dev/zero")})
	if !r.IO.Known || len(out) != 4000000 {
		t.Fatalf("got %+v with %d bytes: %s", r.IO, len(out), r.Failure())
	}
	near("written", r.IO.Written)
	// Of a child's child, that a server of its own sort leaves behind.
	r, _ = run(t, Command{Dir: dir, Argv: sh("(setsid dd if=/dev/zero of=b bs=1M count=16 conv=fsync status=none &) ; exit 0")})
	if r.OK() {
		near("written by a grandchild", r.IO.Written)
	}
	r, _ = run(t, Command{Dir: dir, Argv: []string{"dd", "if=a", "of=/dev/null", "bs=1M", "iflag=direct", "status=none"}})
	if !r.OK() {
		t.Skip("no direct reads here:", r.Failure())
	}
	near("read", r.IO.Read)
	// What is deleted before it is on the disk is cancelled.
	r, _ = run(t, Command{Dir: dir, Argv: sh("dd if=/dev/zero of=c bs=1M count=16 status=none; rm c")})
	if r.IO.Written > size/2 {
		near("written and cancelled", r.IO.Cancelled)
	}
}

func TestSharedMemory(t *testing.T) {
	if _, err := os.Stat("/proc/sysvipc/shm"); err != nil {
		t.Skip(err)
	}
	tool(t, "ipcmk")
	count := func() string {
		text, err := os.ReadFile("/proc/sysvipc/shm")
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	// One that was there before, and one that the tool makes itself.
	r, out := run(t, Command{Argv: sh("exec ipcmk -M 4096")})
	if !r.OK() || !strings.Contains(out, "id: ") {
		t.Skip("no shared memory here:", r.Failure())
	}
	id := strings.TrimSpace(out[strings.LastIndex(out, ":")+1:])
	for line := range strings.Lines(count()) {
		if f := strings.Fields(line); len(f) > 1 && f[1] == id {
			t.Errorf("the segment that the tool made is left: %s", line)
		}
	}
	foreign, err := exec.Command("ipcmk", "-M", "4096").Output()
	if err != nil {
		t.Skip(err)
	}
	id = strings.TrimSpace(string(foreign[strings.LastIndexByte(string(foreign), ':')+1:]))
	defer func() { _ = exec.Command("ipcrm", "-m", id).Run() }()
	run(t, Command{Argv: []string{"true"}})
	if !strings.Contains(count(), " "+id+" ") {
		t.Error("another's segment was removed")
	}
}

// TestUnkillable: a process that the kernel does not let die is told, not
// waited for for ever.
func TestUnkillable(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes the full patience")
	}
	if os.Geteuid() != 0 {
		t.Skip("needs root to freeze a file-system")
	}
	fsfreeze := tool(t, "fsfreeze")
	dir := t.TempDir()
	image, mount := filepath.Join(dir, "image"), filepath.Join(dir, "mount")
	must := func(argv ...string) {
		t.Helper()
		if out, err := exec.Command(argv[0], argv[1:]...).CombinedOutput(); err != nil {
			t.Skipf("%s: %v: %s", argv[0], err, out)
		}
	}
	if err := os.Mkdir(mount, 0o755); err != nil {
		t.Fatal(err)
	}
	must("truncate", "-s", "16M", image)
	must("mkfs.ext4", "-q", image)
	must("mount", "-o", "loop", image, mount)
	defer func() { _ = exec.Command("umount", "-l", mount).Run() }()
	must(fsfreeze, "-f", mount)
	thawed := false
	thaw := func() {
		if !thawed {
			thawed = true
			_ = exec.Command(fsfreeze, "-u", mount).Run()
		}
	}
	defer thaw()
	c := inTemp(t, Command{Argv: []string{"touch", filepath.Join(mount, "x")}, Timeout: 200 * time.Millisecond, Grace: 100 * time.Millisecond})
	_, err := Run(t.Context(), c)
	if err == nil || !strings.Contains(err.Error(), "these do not die: [touch]") {
		t.Errorf("got %v", err)
	}
	if left, err := Leftovers(c.ID); err != nil || len(left) != 1 || left[0].Name != "touch" {
		t.Errorf("left %v, %v", left, err)
	}
	thaw()
	// It was killed long ago and may end now.
	allGone(t, c.ID, dir, 5*time.Second)
}

func TestParseStat(t *testing.T) {
	// A name may hold all that the line is made of.
	line := "4242 (a) R 1 (b) c) S 17 18 19 0 -1 4194560 1 0 0 0 5 6 0 0 20 0 1 0 987654 1000 10\n"
	s, err := parseStat([]byte(line))
	want := stat{pid: 4242, name: "a) R 1 (b) c", state: 'S', parent: 17, group: 18, session: 19, start: 987654}
	if err != nil || s != want {
		t.Errorf("got %+v, %v, want %+v", s, err, want)
	}
	for _, bad := range []string{"", "1", "(x)", "1 (x", "1 (x) S", "x (x) S 1 1 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1", "1 (x) SS 1 1 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1"} {
		if s, err := parseStat([]byte(bad)); err == nil {
			t.Errorf("%q gives %+v", bad, s)
		}
	}
}

// BenchmarkRun is beside os/exec's own way to run the same.
func BenchmarkRun(b *testing.B) {
	dir := b.TempDir()
	b.Run("supervised", func(b *testing.B) {
		for b.Loop() {
			if r, err := Run(b.Context(), Command{ID: "bench", Argv: []string{"/bin/true"}, Dir: dir}); err != nil || !r.OK() {
				b.Fatal(r.Failure(), err)
			}
		}
	})
	b.Run("os-exec", func(b *testing.B) {
		for b.Loop() {
			cmd := exec.Command("/bin/true")
			cmd.Stdout = io.Discard
			if err := cmd.Run(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
