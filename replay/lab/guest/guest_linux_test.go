package guest_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/benchproof/benchproof/replay/lab"
	"github.com/benchproof/benchproof/replay/lab/guest"
	"github.com/benchproof/benchproof/result"
)

// guestInput is a published result of arrays and of F2FS.
const guestInput = `{"schema":"benchproof/result/1","files":[{"title":"guest","source":"guest","format":"record",
"systems":[{"identifier":"mdadm EXT4: RAID 0"},{"identifier":"mdadm EXT4: RAID 1"},{"identifier":"F2FS"}],"tests":[
{"title":"Flexible IO Tester","version":"2.1.11","arguments":"Type: Random Write - IO Engine: Libaio - Buffered: No - Block Size: 16KB - Disk Target: Default Test Directory","scale":"MB/s","proportion":"HIB","measurements":[
{"system_index":0,"value":"1000","std_error":"1"},{"system_index":1,"value":"500","std_error":"1"},{"system_index":2,"value":"600","std_error":"1"}]}]}]}`

// guestStage is where a test runs a guest, with the command as a program of its
// own: a guest's first program must be static.
type guestStage struct {
	t                             *testing.T
	program                       string
	input, images, journal, locks string
	before                        []string
}

func newGuestStage(t *testing.T) *guestStage {
	t.Helper()
	if testing.Short() {
		t.Skip("boots guests")
	}
	if _, err := os.Stat("/usr/bin/fio"); err != nil {
		t.Skip("needs fio: ", err)
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("needs the go tool")
	}
	for _, text := range []string{"md:raid0:ext4:2", "f2fs"} {
		s, err := lab.ParseSpec(text)
		if err != nil {
			t.Fatal(err)
		}
		if reason, hint := guest.Lacks(s, 256<<20); reason != "" {
			t.Skipf("no guest for %s: %s (%s)", text, reason, hint)
		}
	}
	dir := t.TempDir()
	s := &guestStage{
		t: t, program: filepath.Join(dir, "benchproof"), input: filepath.Join(dir, "guest.json"), images: filepath.Join(dir, "images"),
		journal: filepath.Join(dir, "journal"), locks: filepath.Join(dir, "locks"),
	}
	for _, d := range []string{s.images, s.locks} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := lab.CheckDir(s.images); err != nil {
		t.Skip("needs a directory on a disk: ", err)
	}
	build := exec.Command("go", "build", "-o", s.program, "../../../cmd/benchproof")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	if err := os.WriteFile(s.input, []byte(guestInput), 0o644); err != nil {
		t.Fatal(err)
	}
	s.before = s.left()
	t.Cleanup(func() {
		if now := s.left(); !slices.Equal(now, s.before) {
			t.Errorf("left behind: %q, before %q", now, s.before)
		}
	})
	return s
}

// left returns what a guest could leave: images, locks, mounts, and processes
// that have to do with the stage. A guest has no loop device or control group.
func (s *guestStage) left() []string {
	list, _ := filepath.Glob(filepath.Join(s.images, ".*"))
	more, _ := filepath.Glob(filepath.Join(s.locks, "*"))
	list = append(list, more...)
	mounts, err := os.ReadFile("/proc/self/mounts")
	if err != nil {
		s.t.Fatal(err)
	}
	for line := range strings.Lines(string(mounts)) {
		if strings.Contains(line, filepath.Dir(s.images)) {
			list = append(list, line)
		}
	}
	for _, pid := range s.processes(".") {
		list = append(list, strconv.Itoa(pid))
	}
	return list
}

// processes returns the numbers of processes that have the stage's directory in
// their command, and a word that matches.
func (s *guestStage) processes(pattern string) []int {
	match := regexp.MustCompile(pattern)
	var list []int
	names, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil || !bytes.Contains(text, []byte(filepath.Dir(s.images))) || !match.Match(text) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name))); err == nil {
			list = append(list, pid)
		}
	}
	return list
}

// command returns the program with arguments.
func (s *guestStage) command(ctx context.Context, args ...string) (*exec.Cmd, *bytes.Buffer) {
	c := exec.CommandContext(ctx, s.program, args...)
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	return c, &out
}

// await waits until the journal has so many lines that match, while the program
// runs.
func (s *guestStage) await(pattern string, n int, out *bytes.Buffer) {
	s.t.Helper()
	match := regexp.MustCompile(pattern)
	for end := time.Now().Add(4 * time.Minute); ; time.Sleep(100 * time.Millisecond) {
		text, _ := os.ReadFile(filepath.Join(s.journal, "journal.jsonl"))
		if len(match.FindAll(text, -1)) >= n {
			return
		}
		if time.Now().After(end) {
			s.t.Fatalf("the journal has no %d of %s:\n%s\nprinted:\n%s", n, pattern, text, out.Bytes())
		}
	}
}

// TestGuest runs the real fio in a real guest on arrays that the limit of their
// disks makes as fast as they are, and kills first the guest, then the program.
// What remains is resumed, and comes to what the limits say.
func TestGuest(t *testing.T) {
	s := newGuestStage(t)
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute)
	defer cancel()
	c, out := s.command(ctx, "replay", "run", s.input, "--lock-dir", s.locks, "--image-dir", s.images, "--journal", s.journal,
		"--lab", "md:raid0:ext4:2,md:raid1:ext4:2,f2fs", "--lab-guest", "--lab-disk", "iops=100", "--image-size", "256M",
		"--scale", "0.1", "--runs", "1", "--progress=none")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	s.await(`"event":"start"`, 1, out)
	guests := s.processes("qemu-system-x86_64")
	if len(guests) == 0 {
		t.Fatalf("no guest runs:\n%s", out.Bytes())
	}
	for _, pid := range guests {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	// The run of which it died is given up, with the log, and another guest
	// goes on with the rest.
	s.await(`"event":"failed".*the guest died: .*console-001\.log`, 1, out)
	s.await(`"event":"start"`, 2, out)
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait()
	for end := time.Now().Add(30 * time.Second); len(s.processes(".")) > 0; time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("these outlive the program: %v", s.processes("."))
		}
	}
	if slices.Equal(s.left(), s.before) {
		t.Error("nothing is left to clean: the test kills too late")
	}
	c, out = s.command(ctx, "replay", "clean", s.journal)
	if err := c.Run(); err != nil || !strings.Contains(out.String(), "removed") {
		t.Errorf("clean: %v\n%s", err, out.Bytes())
	}
	if now := s.left(); !slices.Equal(now, s.before) {
		t.Errorf("clean left %q, before there was %q", now, s.before)
	}

	c, out = s.command(ctx, "replay", "run", "--resume", "--journal", s.journal, "--lock-dir", s.locks, "--progress=none")
	if err := c.Run(); err != nil {
		t.Fatalf("resume: %v\n%s", err, out.Bytes())
	}
	s.checkGuest()
}

// checkGuest compares what was measured with the limits: writes of 16 KiB, 100 a
// second on a disk, in fio's MB/s of 1024000 bytes. More than that, but for a
// burst of a tenth of a second of two, no disk does; a busy machine may do less.
func (s *guestStage) checkGuest() {
	t := s.t
	file, err := os.Open(filepath.Join(s.journal, "result.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	files, err := result.DecodeJSON(file)
	if err != nil || len(files) != 1 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	f := files[0]
	if len(f.Systems) != 3 || len(f.Tests) != 1 || len(f.Tests[0].Measurements) != 3 {
		t.Fatalf("%d systems, %d tests", len(f.Systems), len(f.Tests))
	}
	const one = 100 * 16384 / 1024000.0
	got := make(map[string]float64)
	for i := range f.Tests[0].Measurements {
		m := &f.Tests[0].Measurements[i]
		v, ok := m.Number()
		if !ok || m.Status == result.StatusFailed {
			t.Fatalf("%s: %q %s", f.Systems[m.System].Identifier, m.Value, m.Reason)
		}
		got[f.Systems[m.System].Identifier] = v
		if m.Replay == nil || !strings.Contains(m.Replay.Scaling, "disks of a guest of 100 IOPS each") {
			t.Errorf("%s: scaling %+v", f.Systems[m.System].Identifier, m.Replay)
		}
	}
	for name, disks := range map[string]float64{"mdadm EXT4: RAID 0": 2, "mdadm EXT4: RAID 1": 1} {
		if v := got[name] / one; v > 1.2*disks || v < 0.5*disks {
			t.Errorf("%s does the work of %.2f disks, want %v", name, v, disks)
		}
	}
	// What one disk cannot do is the work of both, however busy the machine is.
	if v := got["mdadm EXT4: RAID 0"] / one; v <= 1.2 {
		t.Errorf("RAID 0 on 2 disks does the work of %.2f, want 2", v)
	}
	for _, sys := range f.Systems {
		fs := "ext4"
		if sys.Identifier == "F2FS" {
			fs = "f2fs"
		}
		if of := component(sys.Software, "File-System"); of != fs {
			t.Errorf("%s: File-System %q, want %q", sys.Identifier, of, fs)
		}
		if notes := component(sys.Notes, "Lab"); !strings.Contains(notes, "QEMU guest (tcg)") {
			t.Errorf("%s: notes %q", sys.Identifier, notes)
		}
	}
}

// component returns the value of a key, "" where there is none.
func component(list []result.Component, key string) string {
	for _, c := range list {
		if c.Key == key {
			return c.Value
		}
	}
	return ""
}
