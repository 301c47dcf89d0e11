package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestKilledFio kills replay run with the real fio at random moments and goes
// on each time. The record has the tests and the counts of one that nobody
// disturbed, and nothing is left on the disk or running.
func TestKilledFio(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	if _, err := exec.LookPath("fio"); err != nil {
		t.Skip("needs fio")
	}
	base := t.TempDir()
	dump, disk := filepath.Join(base, "published.json"), filepath.Join(base, "disk")
	if err := os.Mkdir(disk, 0o755); err != nil {
		t.Fatal(err)
	}
	row := func(kind, scale string) string {
		return `{"title":"Flexible IO Tester","version":"3.25","arguments":"Type: ` + kind +
			` - Engine: Sync - Buffered: Yes - Direct: No - Block Size: 4KB - Disk Target: Default Test Directory","scale":"` + scale +
			`","proportion":"HIB","measurements":[{"system_index":0,"value":"30000"}]}`
	}
	text := `{"schema":"benchproof/result/1","files":[{"title":"p","source":"p","format":"record","systems":[{"identifier":"A"}],"tests":[` +
		strings.Join([]string{row("Random Read", "MB/s"), row("Random Read", "IOPS"), row("Sequential Write", "IOPS")}, ",") + `]}]}`
	if err := os.WriteFile(dump, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	begin := func(journal string) *exec.Cmd {
		if _, err := os.Stat(filepath.Join(journal, "journal.jsonl")); err == nil {
			return process(t, "replay", "run", "--resume", "--journal", journal, "--lock-dir", base, "--quiet")
		}
		return process(t, "replay", "run", dump, "--target", "A="+disk, "--journal", journal, "--scale", "0.004", "--runs", "2", "--lock-dir", base, "--quiet")
	}
	// What a record has of each test: how many runs, each with a value.
	shape := func(journal string) map[string]int {
		m := map[string]int{}
		f := readOne(t, filepath.Join(journal, replayResult))
		for i := range f.Tests {
			for _, v := range f.Tests[i].Measurements {
				m[f.Tests[i].Arguments+" "+f.Tests[i].Scale] += len(v.RawValues)
			}
		}
		return m
	}
	calm, harried := filepath.Join(base, "calm"), filepath.Join(base, "harried")
	if out, err := begin(calm).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	want := shape(calm)
	if len(want) != 3 {
		t.Fatalf("%v, want 3 rows", want)
	}
	random := rand.New(rand.NewPCG(1, 51))
	kills := 0
	for kills < 6 {
		c := begin(harried)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		// A run of fio takes about a second.
		time.Sleep(time.Duration(random.IntN(1600)) * time.Millisecond)
		_ = c.Process.Kill()
		if err := c.Wait(); err == nil {
			break // it had ended
		}
		kills++
	}
	if kills < 2 {
		t.Errorf("killed %d times: it was never caught", kills)
	}
	if out, err := begin(harried).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if diff := cmp.Diff(want, shape(harried)); diff != "" {
		t.Errorf("after %d kills: %s", kills, diff)
	}
	if list, err := os.ReadDir(disk); err != nil || len(list) > 0 {
		t.Errorf("left on the disk: %v, %v", list, err)
	}
	// What the kills left would be cleaned now, and is not there.
	if out, err := process(t, "replay", "clean", harried).CombinedOutput(); err != nil || !strings.Contains(string(out), "nothing was left") {
		t.Errorf("clean: %v: %s", err, out)
	}
}

// TestInterruptedTwice interrupts a replay twice at once, as timeout does, which
// signals its command and then its group: that is one interrupt, after which it
// ends by itself and says what it has kept.
func TestInterruptedTwice(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	if _, err := exec.LookPath("fio"); err != nil {
		t.Skip("needs fio")
	}
	base := t.TempDir()
	dump, disk, journal := filepath.Join(base, "published.json"), filepath.Join(base, "disk"), filepath.Join(base, "j")
	if err := os.Mkdir(disk, 0o755); err != nil {
		t.Fatal(err)
	}
	text := `{"schema":"benchproof/result/1","files":[{"title":"p","source":"p","format":"record","systems":[{"identifier":"A"}],"tests":[` +
		`{"title":"Flexible IO Tester","version":"3.25","arguments":"Type: Random Read - Engine: Sync - Buffered: Yes - Direct: No - Block Size: 4KB - Disk Target: Default Test Directory",` +
		`"scale":"MB/s","proportion":"HIB","measurements":[{"system_index":0,"value":"30000"}]}]}]}`
	if err := os.WriteFile(dump, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	c := process(t, "replay", "run", dump, "--target", "A="+disk, "--journal", journal, "--scale", "0.004", "--runs", "20", "--lock-dir", base)
	var stderr bytes.Buffer
	c.Stderr = &stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) { // until it measures
		if list, err := os.ReadDir(disk); err == nil && len(list) > 0 {
			break
		}
		if time.Now().After(end) {
			_ = c.Process.Kill()
			t.Fatalf("nothing is measured: %v: %s", c.Wait(), stderr.String())
		}
	}
	time.Sleep(500 * time.Millisecond) // fio runs for a second
	for range 2 {
		if err := c.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Millisecond)
	}
	_ = c.Wait()
	if code := c.ProcessState.ExitCode(); code != exitInterrupted {
		t.Errorf("exit code %d, want %d", code, exitInterrupted)
	}
	if !strings.Contains(stderr.String(), "of 20 repetitions done and kept in "+journal) {
		t.Errorf("stderr: %s", stderr.String())
	}
	if list, err := os.ReadDir(disk); err != nil || len(list) > 0 {
		t.Errorf("left on the disk: %v, %v", list, err)
	}
}
