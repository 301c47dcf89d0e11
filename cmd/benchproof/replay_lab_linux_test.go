package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/benchproof/benchproof/replay"
	"github.com/benchproof/benchproof/result"
)

// labInput is a published result of five systems, with the names of the dumps.
const labInput = `{"schema":"benchproof/result/1","files":[{"title":"lab","source":"lab","format":"record",
"systems":[{"identifier":"EXT4 900p"},{"identifier":"XFS 900p"},{"identifier":"Native Btrfs: RAID 1"},{"identifier":"Native Btrfs: RAID 6"},{"identifier":"mdadm EXT4: RAID 0"}],"tests":[
{"title":"Flexible IO Tester","version":"3.1","arguments":"Type: Random Read - IO Engine: Linux AIO - Buffered: No - Direct: Yes - Block Size: 4KB - Disk Target: Default Test Directory","scale":"MB/s","proportion":"HIB","measurements":[
{"system_index":0,"value":"1106"},{"system_index":1,"value":"1050"},{"system_index":2,"value":"540"},{"system_index":3,"value":"640"},{"system_index":4,"value":"2100"}]}]}]}`

// labStage is where a test uses a lab.
type labStage struct {
	t                             *testing.T
	input, images, journal, locks string
	before                        []string
}

func newLabStage(t *testing.T) *labStage {
	t.Helper()
	switch {
	case testing.Short():
		t.Skip("takes seconds")
	case os.Geteuid() != 0:
		t.Skip("needs root: a lab makes file-systems on loop devices")
	case !isFile("/usr/bin/fio"):
		t.Skip("needs fio")
	case !isFile("/usr/sbin/mkfs.xfs") && !isFile("/sbin/mkfs.xfs"):
		t.Skip("needs mkfs.xfs")
	case !isFile("/usr/bin/mkfs.btrfs") && !isFile("/usr/sbin/mkfs.btrfs") && !isFile("/sbin/mkfs.btrfs"):
		t.Skip("needs mkfs.btrfs")
	}
	if _, err := os.Stat("/dev/loop-control"); err != nil {
		t.Skip("needs loop devices: ", err)
	}
	dir := t.TempDir()
	s := &labStage{
		t: t, input: filepath.Join(dir, "lab.json"), images: filepath.Join(dir, "images"),
		journal: filepath.Join(dir, "journal"), locks: filepath.Join(dir, "locks"),
	}
	for _, d := range []string{s.images, s.locks} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(s.input, []byte(labInput), 0o644); err != nil {
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

// left returns what a lab could leave: mounts and loop devices of the stage,
// files among the images, control groups.
func (s *labStage) left() []string {
	var list []string
	for _, command := range [][]string{{"cat", "/proc/mounts"}, {"losetup", "-l", "-n", "-O", "NAME,BACK-FILE"}} {
		out, err := exec.Command(command[0], command[1:]...).Output()
		if err != nil {
			s.t.Fatal(command, err)
		}
		for line := range strings.Lines(string(out)) {
			if strings.Contains(line, s.images) {
				list = append(list, line)
			}
		}
	}
	patterns := []string{s.images + "/*", s.images + "/.*"}
	// Other tests make groups meanwhile: this replay's has its name.
	if status, err := replay.ReadStatus(s.journal); err == nil {
		patterns = append(patterns, "/sys/fs/cgroup/benchproof-"+status.ID, "/sys/fs/cgroup/*/benchproof-"+status.ID)
	}
	for _, pattern := range patterns {
		names, _ := filepath.Glob(pattern)
		list = append(list, names...)
	}
	return list
}

func (s *labStage) args(args ...string) []string {
	return append([]string{"replay"}, append(args, "--lock-dir", s.locks, "--image-dir", s.images, "--journal", s.journal)...)
}

// run runs a command and returns its exit code and what it printed.
func (s *labStage) run(args ...string) (code int, stdout, stderr string) {
	e, out, errs := testEnv(strings.NewReader(""))
	code = run(s.t.Context(), e, args)
	return code, out.String(), errs.String()
}

// result reads the replay's result.
func (s *labStage) result() *result.File {
	s.t.Helper()
	file, err := os.Open(filepath.Join(s.journal, replayResult))
	if err != nil {
		s.t.Fatal(err)
	}
	defer file.Close()
	files, err := result.DecodeJSON(file)
	if err != nil || len(files) != 1 {
		s.t.Fatalf("%d files: %v", len(files), err)
	}
	return files[0]
}

// TestLabRun runs the real fio in every configuration that a host can make, and
// names the one that it lacks, if it does.
func TestLabRun(t *testing.T) {
	t.Parallel()
	s := newLabStage(t)
	specs := "ext4,xfs,btrfs,btrfs:raid0,btrfs:raid1,btrfs:raid10,btrfs:raid5,btrfs:raid6:4,md:raid0:ext4"
	code, stdout, stderr := s.run(s.args("run", s.input, "--lab", specs, "--image-size", "300M", "--scale", "0.005", "--runs", "1", "--progress=none")...)
	if code != exitOK {
		t.Fatalf("code %d: %s", code, stderr)
	}
	f := s.result()
	var names []string
	for _, sys := range f.Systems {
		names = append(names, sys.Identifier)
	}
	want := []string{
		"EXT4 900p", "XFS 900p", "btrfs", "btrfs:raid0", "Native Btrfs: RAID 1", "btrfs:raid10", "btrfs:raid5", "Native Btrfs: RAID 6",
	}
	if len(names) == len(want)+1 {
		want = append(want, "mdadm EXT4: RAID 0") // this kernel has md
	} else if !strings.Contains(stderr, "1 of 9 steps cannot run here") {
		t.Errorf("what is lacking is not said: %s", stderr)
	}
	if !slices.Equal(names, want) {
		t.Errorf("systems %q, want %q", names, want)
	}
	for i, m := range f.Tests[0].Measurements {
		if v, ok := m.Number(); !ok || v <= 0 || m.Replay == nil {
			t.Errorf("%s: %q %s", names[i], m.Value, m.Reason)
		}
	}
	text := fmt.Sprint(f.Systems[7].Notes, f.Systems[7].Hardware, f.Systems[7].Software)
	for _, word := range []string{"btrfs:raid6:4 on 4 images of 300 MiB", "-d raid6 -m raid6", "4 x 300 MiB image on", "File-System: btrfs"} {
		if !strings.Contains(text, word) {
			t.Errorf("the record does not say %q: %s", word, text)
		}
	}
	if !strings.Contains(strings.Join(strings.Fields(stdout), " "), "on images of disks") {
		t.Errorf("stdout does not say what was measured: %s", stdout)
	}
	// What is in the lab goes by its published name, so it is verified.
	code, stdout, stderr = s.run("replay", "verify", s.input, s.journal, "--json")
	if code != exitOK && code != exitNo || !strings.Contains(stdout, "Native Btrfs: RAID 6") {
		t.Errorf("verify: code %d, %s", code, stderr)
	}
	if code, stdout, _ := s.run("replay", "clean", s.journal); code != exitOK || stdout != "nothing was left\n" {
		t.Errorf("clean: %d, %s", code, stdout)
	}
}

// TestLabLimit measures a disk of 200 IOPS: 200 x 4096 bytes a second, within
// 5 %. The truth is the limit; no clock of this program is part of it.
func TestLabLimit(t *testing.T) {
	t.Parallel()
	s := newLabStage(t)
	code, _, stderr := s.run(s.args("run", s.input, "--lab", "ext4", "--lab-disk", "iops=200", "--image-size", "256M", "--scale", "0.1", "--runs", "3", "--progress=none")...)
	if strings.Contains(stderr, "the one row cannot run here") {
		t.Skip("needs control groups that limit disks")
	}
	if code != exitOK {
		t.Fatalf("code %d: %s", code, stderr)
	}
	f := s.result()
	m := f.Tests[0].Measurements[0]
	// A machine that is busy may do less at times, never more.
	const want = 200 * 4096 / 1e6
	best := 0.0
	for _, text := range m.RawValues {
		v, ok := result.ParseNumber(text)
		if !ok || v > 1.05*want {
			t.Errorf("%s MB/s, want at most %.4g", text, 1.05*want)
		}
		best = max(best, v)
	}
	if best < 0.95*want {
		t.Errorf("%v MB/s, want %.4g within 5 %%", m.RawValues, want)
	}
	if !strings.Contains(m.Replay.Scaling, "lab disks of 200 IOPS each") {
		t.Errorf("the record does not name the limit: %q", m.Replay.Scaling)
	}
	if text := fmt.Sprint(f.Systems[0].Notes); !strings.Contains(text, "limited by") {
		t.Errorf("the record does not say what limits: %s", text)
	}
}

// labProcess starts the program as a process of its own, for others to kill.
func (s *labStage) start(args ...string) *exec.Cmd {
	s.t.Helper()
	program, err := exec.LookPath("benchproof") // as testscript has it
	if err != nil {
		program = filepath.Join(s.t.TempDir(), "benchproof")
		self, err := os.Executable()
		if err != nil {
			s.t.Fatal(err)
		}
		if err := os.Symlink(self, program); err != nil {
			s.t.Fatal(err)
		}
	}
	cmd := exec.Command(program, args...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		if s.t.Failed() {
			s.t.Log(stderr.String())
		}
	})
	return cmd
}

// await waits until the journal has an event.
func (s *labStage) await(event string) {
	s.t.Helper()
	for end := time.Now().Add(60 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		text, _ := os.ReadFile(filepath.Join(s.journal, "journal.jsonl"))
		if strings.Contains(string(text), `"event":"`+event+`"`) {
			return
		}
	}
	s.t.Fatalf("no %s in the journal", event)
}

// TestLabKilled kills benchproof while its lab is measured, cleans, goes on, and
// interrupts it: nothing is left each time, and the values are one block.
func TestLabKilled(t *testing.T) {
	t.Parallel()
	s := newLabStage(t)
	args := s.args("run", s.input, "--lab", "ext4,btrfs:raid1:2", "--image-size", "256M", "--scale", "0.005", "--runs", "4", "--progress=none")
	cmd := s.start(args...)
	s.await("done")
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if len(s.left()) == 0 {
		t.Error("the killed replay left nothing: it was over")
	}
	var code int
	var stdout, stderr string
	for range 100 { // the kernel may take a moment to drop the journal's lock
		if code, stdout, stderr = s.run("replay", "clean", s.journal); code == exitOK {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if code != exitOK || !strings.Contains(stdout, "unmounted ") || !strings.Contains(stdout, "removed /dev/loop") {
		t.Errorf("clean: %d, %s%s", code, stdout, stderr)
	}
	if now := s.left(); len(now) > 0 {
		t.Errorf("after clean: %q", now)
	}
	cmd = s.start("replay", "run", "--resume", "--journal", s.journal, "--lock-dir", s.locks, "--progress=none")
	s.await("resumed")
	time.Sleep(500 * time.Millisecond) // anywhere: while the lab is made, or later
	_ = cmd.Process.Signal(syscall.SIGINT)
	if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() != exitInterrupted {
		t.Errorf("interrupted: %v", err)
	}
	if now := s.left(); len(now) > 0 {
		t.Errorf("after an interruption: %q", now)
	}
	if code, _, stderr := s.run("replay", "run", "--resume", "--journal", s.journal, "--lock-dir", s.locks, "--progress=none"); code != exitOK {
		t.Fatalf("resume: code %d: %s", code, stderr)
	}
	f := s.result()
	if len(f.Systems) != 2 {
		t.Errorf("%d systems, want 2: a lab made again by the same plan is the same", len(f.Systems))
	}
	for _, m := range f.Tests[0].Measurements {
		if m.Samples != 4 {
			t.Errorf("%d samples, want 4", m.Samples)
		}
	}
}

// TestLabFull fills up the disk of the images: the step fails with a reason,
// and all is removed.
func TestLabFull(t *testing.T) {
	t.Parallel()
	s := newLabStage(t)
	// A small disk for the images: a file-system in a file.
	disk := filepath.Join(filepath.Dir(s.images), "disk.img")
	for _, argv := range [][]string{
		{"truncate", "-s", "200M", disk}, {"mkfs.ext4", "-q", "-F", disk}, {"mount", "-o", "loop", disk, s.images},
	} {
		if out, err := exec.Command(argv[0], argv[1:]...).CombinedOutput(); err != nil {
			t.Skipf("needs a disk for images: %v: %s", argv, out)
		}
	}
	defer func() {
		if out, err := exec.Command("umount", s.images).CombinedOutput(); err != nil {
			t.Errorf("umount: %v: %s", err, out)
		}
		s.before = s.left()
	}()
	if err := os.Remove(filepath.Join(s.images, "lost+found")); err != nil {
		t.Fatal(err)
	}
	// The row needs about 100 MB, which the disk's share does not hold.
	code, _, stderr := s.run(s.args("run", s.input, "--lab", "ext4", "--image-size", "1G", "--scale", "0.1", "--runs", "1", "--progress=none")...)
	if code != exitFailed || !strings.Contains(stderr, "the one row cannot run here") {
		t.Errorf("too small from the beginning: code %d, %s", code, stderr)
	}
	if code, _, stderr := s.run("replay", "plan", s.input, "--lab", "ext4", "--image-size", "8G", "--scale", "0.1", "--image-dir", s.images, "--json"); code != exitOK {
		t.Errorf("plan: code %d, %s", code, stderr)
	}
	// Others fill the disk while it is measured.
	cmd := s.start(s.args("run", s.input, "--lab", "ext4", "--image-size", "64M", "--scale", "0.001", "--runs", "200", "--progress=none")...)
	s.await("done")
	big, err := os.Create(filepath.Join(s.images, "others"))
	if err != nil {
		t.Fatal(err)
	}
	for block := make([]byte, 1<<20); err == nil; {
		_, err = big.Write(block)
	}
	_ = big.Close()
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exitFailed {
		t.Errorf("a full disk: code %d, want %d", code, exitFailed)
	}
	if err := os.Remove(big.Name()); err != nil {
		t.Fatal(err)
	}
	if _, failed := s.failure(); !strings.Contains(failed, "free") && !strings.Contains(failed, "fio") {
		t.Errorf("the journal does not say that the disk is full: %q", failed)
	}
	if names, _ := filepath.Glob(s.images + "/.bench*"); len(names) > 0 {
		t.Errorf("left %q", names)
	}
}

// failure returns the reason of the first run that the journal gives up.
func (s *labStage) failure() (run, reason string) {
	status, err := replay.ReadStatus(s.journal)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, r := range status.Runs {
		if r.State == "failed" {
			return r.Run, r.Reason
		}
	}
	return "", ""
}
