package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/benchproof/benchproof/parse"
	"github.com/benchproof/benchproof/result"
)

// slowDisk is a file-system on a loop device whose reads of programs in a
// control group are held to a number a second: a disk of which it is known how
// fast it is.
type slowDisk struct {
	t       *testing.T
	dir     string // the file-system
	group   string // the control group's directory
	number  string // of the device: "7:0"
	program string // that is benchproof
}

// blkio is where the first version of control groups limits disks.
const blkio = "/sys/fs/cgroup/blkio"

const readLimit = "blkio.throttle.read_iops_device"

// newSlowDisk makes such a disk, or skips the test where that cannot be.
func newSlowDisk(t *testing.T) *slowDisk {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root: it mounts a loop device and limits it")
	}
	if _, err := os.Stat(filepath.Join(blkio, readLimit)); err != nil {
		t.Skip("needs the limits of control groups, version 1: ", err)
	}
	for _, tool := range []string{"fio", "losetup", "mkfs.ext4", "mount", "umount"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("needs ", tool)
		}
	}
	base := t.TempDir()
	image := filepath.Join(base, "image")
	// In memory, if that can be: a disk that others use varies by itself.
	if dir, err := os.MkdirTemp("/dev/shm", "benchproof-test-"); err == nil {
		t.Cleanup(func() { os.RemoveAll(dir) })
		image = filepath.Join(dir, "image")
	}
	command := func(name string, args ...string) string {
		out, err := exec.Command(name, args...).CombinedOutput()
		if err != nil {
			t.Skipf("%s: %v: %s", name, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	command("fallocate", "-l", "160M", image)
	loop := command("losetup", "--find", "--show", image)
	t.Cleanup(func() {
		if out, err := exec.Command("losetup", "--detach", loop).CombinedOutput(); err != nil {
			t.Errorf("detach %s: %v: %s", loop, err, out)
		}
	})
	command("mkfs.ext4", "-q", "-E", "lazy_itable_init=0,lazy_journal_init=0", loop)
	d := &slowDisk{t: t, dir: filepath.Join(base, "disk"), program: filepath.Join(base, "benchproof")}
	if err := os.Mkdir(d.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	command("mount", loop, d.dir)
	t.Cleanup(func() {
		if out, err := exec.Command("umount", d.dir).CombinedOutput(); err != nil {
			t.Errorf("umount: %v: %s", err, out)
		}
	})
	number, err := os.ReadFile(filepath.Join("/sys/block", filepath.Base(loop), "dev"))
	if err != nil {
		t.Skip(err)
	}
	d.number = strings.TrimSpace(string(number))
	if d.group, err = os.MkdirTemp(blkio, "benchproof-test-"); err != nil {
		t.Skip("needs a control group: ", err)
	}
	t.Cleanup(func() {
		if err := os.Remove(d.group); err != nil {
			t.Error(err)
		}
	})
	self, err := os.Executable()
	if err == nil {
		err = os.Symlink(self, d.program) // by that name it is the command
	}
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// limit holds the disk to so many reads a second.
func (d *slowDisk) limit(iops int) {
	d.t.Helper()
	if err := os.WriteFile(filepath.Join(d.group, readLimit), fmt.Appendf(nil, "%s %d", d.number, iops), 0o644); err != nil {
		d.t.Fatal(err)
	}
}

// replay runs published on the disk and returns the journal's directory. It
// calls began for every repetition that begins, from 1 on.
func (d *slowDisk) replay(published string, runs int, began func(rep int)) string {
	d.t.Helper()
	journal := filepath.Join(d.t.TempDir(), "journal")
	c := exec.Command("sh", "-c", `echo $$ >"$1/cgroup.procs" && shift && exec "$@"`, "sh", d.group,
		d.program, "replay", "run", published, "--target", "here="+d.dir, "--journal", journal,
		"--runs", fmt.Sprint(runs), "--lock-dir", d.t.TempDir(), "--quiet",
		"--set", "fio.size=64m", "--set", "fio.start-delay=0", "--set", "fio.ramp-time=0", "--set", "fio.runtime=2")
	var text strings.Builder
	c.Stdout, c.Stderr = &text, &text
	if err := c.Start(); err != nil {
		d.t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	for seen := 0; ; {
		select {
		case err := <-ended:
			if err != nil {
				d.t.Fatalf("replay run: %v\n%s", err, text.String())
			}
			return journal
		case <-time.After(10 * time.Millisecond):
		}
		events, _ := os.ReadFile(filepath.Join(journal, "journal.jsonl")) // not there at first
		if n := strings.Count(string(events), `{"event":"start"`); n > seen {
			seen = n
			if began != nil {
				began(n)
			}
		}
	}
}

// verdictOf is the row of verify on the value in MB/s, and its exit code. With
// whole, the replayed record's marks that the time of a run is not the
// published one are taken away: here it is the same on both sides.
func (d *slowDisk) verdictOf(published, replayed string, whole bool) (verdict, reason string, code int) {
	d.t.Helper()
	name := filepath.Join(replayed, replayResult)
	if whole {
		f := readOne(d.t, name)
		for i := range f.Tests {
			for j := range f.Tests[i].Measurements {
				f.Tests[i].Measurements[j].Replay.Scaling = ""
			}
		}
		name = filepath.Join(d.t.TempDir(), "whole.json")
		file, err := os.Create(name)
		if err != nil {
			d.t.Fatal(err)
		}
		defer file.Close()
		if err := result.EncodeJSON(file, []*result.File{f}); err != nil {
			d.t.Fatal(err)
		}
	}
	e, stdout, stderr := testEnv(nil)
	code = run(d.t.Context(), e, []string{"replay", "verify", filepath.Join(published, replayResult), name, "--same-machine", "--format", "csv"})
	lines, err := csv.NewReader(stdout).ReadAll()
	if err != nil || len(lines) == 0 {
		d.t.Fatalf("verify: %v: code %d, %s", err, code, stderr)
	}
	column := map[string]int{}
	for i, name := range lines[0] {
		column[name] = i
	}
	for _, line := range lines[1:] {
		if line[column["kind"]] == "value" && line[column["scale"]] == "MB/s" {
			d.t.Logf("%s published, %s replayed: %s: %s", line[column["published"]], line[column["replayed"]], line[column["verdict"]], line[column["reason"]])
			d.t.Logf("runs published %v, replayed %v", readOne(d.t, filepath.Join(published, replayResult)).Tests[0].Measurements[0].RawValues, readOne(d.t, name).Tests[0].Measurements[0].RawValues)
			return line[column["verdict"]], line[column["reason"]], code
		}
	}
	d.t.Fatalf("no row of the value: %v", lines)
	return "", "", 0
}

// readOne reads a file that holds one result.
func readOne(t *testing.T, name string) *result.File {
	t.Helper()
	files, err := parse.ReadFile(name, parse.Options{})
	if err != nil || len(files) != 1 {
		t.Fatalf("%s: %d results, %v", name, len(files), err)
	}
	return files[0]
}

// TestKnownTruth holds replays against each other on a disk of which it is
// known how fast it is: the same speed is reproduced, a fifth less is not, and
// where the speed varies by chance nothing is said. All through the commands
// and the real fio.
func TestKnownTruth(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	d := newSlowDisk(t)
	dump := filepath.Join(t.TempDir(), "published.json")
	if err := os.WriteFile(dump, []byte(`{"schema":"benchproof/result/1","files":[{"title":"known","source":"known","format":"record",
"systems":[{"identifier":"here"}],"tests":[{"title":"Flexible IO Tester","version":"3.1",
"arguments":"Type: Random Read - IO Engine: Linux AIO - Buffered: No - Direct: Yes - Block Size: 4KB - Disk Target: Default Test Directory",
"scale":"MB/s","proportion":"HIB","measurements":[{"system_index":0,"value":"2.00"}]}]}]}`), 0o644); err != nil {
		t.Fatal(err)
	}
	const speed = 500
	d.limit(speed)
	published := d.replay(dump, 4, nil)
	// 500 blocks of 4 KiB are 2000 KiB/s, which fio prints as such and the
	// profile divides by 1000. A limit lets no more through but the burst of
	// its first tenth of a second.
	m := readOne(t, filepath.Join(published, replayResult)).Tests[0].Measurements[0]
	if value, ok := m.Number(); !ok || value < 1.8 || value > 2.2 || m.Samples != 4 {
		t.Fatalf("%s of %d runs where the disk gives 2.00 MB/s: %v", m.Value, m.Samples, m.RawValues)
	}

	// decided replays at a speed until something is said of it: where the
	// machine stalls that is undecided, which is not wrong.
	decided := func(iops, runs int) (replayed, verdict, reason string, code int) {
		d.limit(iops)
		for range 3 {
			replayed = d.replay(dump, runs, nil)
			if verdict, reason, code = d.verdictOf(published, replayed, true); verdict != "undecided" {
				break
			}
		}
		return replayed, verdict, reason, code
	}
	same, verdict, reason, code := decided(speed, 4)
	if verdict != "reproduced" && verdict != "small-difference" || code != exitOK {
		t.Errorf("the same speed is %s, code %d: %s", verdict, code, reason)
	}
	if verdict, reason, code := d.verdictOf(published, same, false); verdict != "not-comparable" || !strings.Contains(reason, "no validation") || code != exitOK {
		t.Errorf("shorter runs than published are %s, code %d: %s", verdict, code, reason)
	}

	if _, verdict, reason, code := decided(speed*8/10, 3); verdict != "not-reproduced" || code != exitNo {
		t.Errorf("a fifth less is %s, code %d: %s", verdict, code, reason)
	}

	// The speed of each run by chance, about as published in the mean.
	chance := []int{speed * 75 / 100, speed, speed * 130 / 100}
	noisy := d.replay(dump, 3, func(rep int) { d.limit(chance[(rep-1)%len(chance)]) })
	if verdict, reason, code := d.verdictOf(published, noisy, true); verdict != "undecided" || code != exitOK {
		t.Errorf("noise is %s, code %d: %s", verdict, code, reason)
	}
}
