package native

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// The places of a replay come of its seed.
func TestPlayer(t *testing.T) {
	dir := t.TempDir()
	report(t, dir, "startup-prepare", "-application", "gnome-terminal", "-size", "1m", "-readers", "5", "-writers", "5")
	for i := range 7 {
		if info, err := os.Stat(startupFile(i)); err != nil || info.Size() != 20_000_000 {
			t.Fatalf("file %d: %v, %v", i, info, err)
		}
	}
	job, err := os.ReadFile(loadFile)
	if err != nil {
		t.Fatal(err)
	}
	if n, m := strings.Count(string(job), "rw=read\n"), strings.Count(string(job), "rw=write\n"); n != 5 || m != 5 || !strings.Contains(string(job), "size=1048576\nloops=10000\n") {
		t.Errorf("the load:\n%s", job)
	}
	// Prepared twice, it is the same; a file of another size is not ours.
	report(t, dir, "startup-prepare", "-application", "gnome-terminal", "-size", "1m")
	s := startups()[1]
	p := &player{run: &run{ctx: t.Context()}, trace: startupTrace(s, traceSeed), seed: 5, stream: 10, waiting: startupBurst}
	took, err := p.play(s.Threads)
	if err != nil {
		t.Fatal(err)
	}
	if took <= 0 || p.done != 2_781 || p.async != 1_992 || p.random != 404 || p.bytes != 41_113*512 {
		t.Errorf("%s: %d requests, %d ahead, %d random, %d bytes", took, p.done, p.async, p.random, p.bytes)
	}
	// The same seed draws the same places: the generators stand alike.
	next := p.rng.Uint64()
	for seed, same := range map[uint64]bool{5: true, 6: false} {
		again := &player{run: p.run, trace: p.trace, seed: seed, stream: 10, waiting: startupBurst}
		if _, err := again.play(s.Threads); err != nil {
			t.Fatal(err)
		}
		if got := again.rng.Uint64(); (got == next) != same {
			t.Errorf("seed %d: the next place comes of %d, with seed 5 of %d", seed, got, next)
		}
	}
	if err := os.Truncate(startupFile(3), 100); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := call(t, dir, "startup-time", "-application", "gnome-terminal", "-settle", "0s", "-pause", "0s"); code != 4 || !strings.Contains(errs, "startup-file-3: it has 100 bytes") {
		t.Errorf("a file of another size: %d, %s", code, errs)
	}
	if code, _, _ := call(t, dir, "startup-prepare", "-application", "gnome-terminal"); code != 4 {
		t.Errorf("a file of another size is made anew: %d", code)
	}
}

// A recorded trace is replayed if it is that of the program.
func TestRecordedTrace(t *testing.T) {
	dir := t.TempDir()
	report(t, dir, "startup-prepare", "-application", "xterm", "-size", "1m")
	var b strings.Builder
	for _, q := range startupTrace(startups()[0], 77) {
		kind, what := "Seq", "R"
		if q.Random {
			kind = "Rand"
		}
		if q.Async {
			what = "RA"
		}
		fmt.Fprintf(&b, "xterm-%d .1 %d 1 %s 0 0 %s 1 C\n", q.Thread, q.Sectors, kind, what)
	}
	name := filepath.Join(t.TempDir(), "xterm.trace")
	if err := os.WriteFile(name, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"startup-time", "-settle", "0s", "-pause", "0s", "-runs", "1", "-trace", name, "-seed", "9", "-application"}
	r := report(t, dir, append(args, "xterm")...)
	if r.Facts["trace"] != "recorded" || r.Facts["seed"] != 9.0 {
		t.Errorf("facts %v", r.Facts)
	}
	if code, _, errs := call(t, dir, append(args, "gnome-terminal")...); code != 4 || !strings.Contains(errs, "not that of GNOME Terminal: 718 requests, want 2781") {
		t.Errorf("another program's trace: %d, %s", code, errs)
	}
}

// A disk with sectors of 4096 bytes is told from other failures.
func TestSectors(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("a loop device needs root")
	}
	dir, work := t.TempDir(), t.TempDir()
	image := filepath.Join(work, "image")
	if err := os.WriteFile(image, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(image, 200<<20); err != nil {
		t.Fatal(err)
	}
	loop, err := exec.Command("losetup", "-f", "--show", "-b", "4096", image).Output()
	if err != nil {
		t.Skipf("no loop device with sectors of 4096 bytes: %v", err)
	}
	device := strings.TrimSpace(string(loop))
	t.Cleanup(func() { _ = exec.Command("losetup", "-d", device).Run() })
	if err := exec.Command("mkfs.ext4", "-q", device).Run(); err != nil {
		t.Skipf("mkfs.ext4: %v", err)
	}
	if err := syscall.Mount(device, dir, "ext4", 0, ""); err != nil {
		t.Skipf("no ext4 here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, 0) })
	report(t, dir, "startup-prepare", "-application", "xterm", "-size", "1m")
	code, out, errs := call(t, dir, "startup-time", "-application", "xterm", "-settle", "0s", "-pause", "0s")
	if code != 4 || out != "" || !strings.Contains(errs, "sectors of 4096 bytes") {
		t.Errorf("exit %d, %q, %s", code, out, errs)
	}
	t.Chdir(work) // or it cannot be unmounted
}

// A replay that fails in the middle ends with all its threads.
func TestPlayerFails(t *testing.T) {
	dir := t.TempDir()
	report(t, dir, "startup-prepare", "-application", "xterm", "-size", "1m")
	if err := os.Truncate(startupFile(0), 4096); err != nil {
		t.Fatal(err)
	}
	p := &player{run: &run{ctx: t.Context()}, trace: startupTrace(startups()[0], traceSeed), seed: 5}
	var group sync.WaitGroup
	var err error
	group.Go(func() { _, err = p.play(2) })
	group.Wait()
	if err == nil {
		t.Error("what is not there was read")
	}
}
