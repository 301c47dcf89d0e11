package replay

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/benchproof/benchproof/result"
)

// thinDisk mounts a file-system of 32 MiB at dir, of which so many MiB can be
// written before its disk, a file in memory, is full: then writes are lost.
// grow makes room for the rest.
func thinDisk(t *testing.T, dir, size string) (grow func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root: it mounts")
	}
	memory := t.TempDir()
	if err := syscall.Mount("none", memory, "tmpfs", 0, "size="+size); err != nil {
		t.Skip("needs to mount: ", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(memory, syscall.MNT_DETACH) })
	image := filepath.Join(memory, "image")
	if err := os.WriteFile(image, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(image, 32<<20); err != nil {
		t.Fatal(err)
	}
	// Without a journal the file-system outlives what it loses.
	for _, argv := range [][]string{
		{"mkfs.ext4", "-q", "-O", "^has_journal", "-E", "nodiscard", image},
		{"mount", "-o", "loop,errors=continue", image, dir},
	} {
		if out, err := exec.Command(argv[0], argv[1:]...).CombinedOutput(); err != nil {
			t.Skipf("%s: %v: %s", argv[0], err, out)
		}
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, 0) })
	if err := os.RemoveAll(filepath.Join(dir, "lost+found")); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := syscall.Mount("none", memory, "tmpfs", syscall.MS_REMOUNT, "size=64m"); err != nil {
			t.Fatal(err)
		}
	}
}

// TestRunLosesWrites: figures of writes that the disk did not take do not count,
// though the tool that left them to the page cache had no error. Once there is
// room, the replay goes on and they do.
func TestRunLosesWrites(t *testing.T) {
	s := newStage(t, 1)
	dir := s.specs[0].Dir
	grow := thinDisk(t, dir, "4m")
	p := s.plan([]Row{fakeRow("Mode: ok - Size: 5", "MB/s"), fakeRow("Mode: lose - Size: 4", "MB/s")}, func(o *PlanOptions) { o.Request.Runs = 2 })
	if out := s.run(p); out != (Outcome{Done: 2, Wanted: 4, Failed: 1}) {
		t.Errorf("outcome %+v: want the two of the other run, and one failed", out)
	}
	f := s.gather(p)
	// It is on a loop device, which the record says.
	sys := f.Systems[0]
	disk := slices.IndexFunc(sys.Hardware, func(c result.Component) bool { return c.Key == "Disk" && strings.HasSuffix(c.Value, " loop device") })
	about := slices.IndexFunc(sys.Notes, func(c result.Component) bool { return c.Key == "Target" && strings.Contains(c.Value, "loop device") })
	if disk < 0 || about < 0 {
		t.Errorf("hardware %v, notes %v", sys.Hardware, sys.Notes)
	}
	if m := f.Tests[1].Measurements[0]; m.Status != result.StatusFailed || m.Value != "" || m.RawValues != nil || !strings.Contains(m.Reason, "lost writes") {
		t.Errorf("value %q of %q, %q", m.Value, m.RawValues, m.Reason)
	}
	// What is lost after it is not held against the run before.
	if m := f.Tests[0].Measurements[0]; m.Value != "5.50" {
		t.Errorf("the other run has %q: %s", m.Value, m.Reason)
	}
	if st, err := ReadStatus(s.journal); err != nil || st.Runs[1].State != "failed" || st.Runs[1].Done != 0 || st.Failed != 2 {
		t.Errorf("status %+v, %v", st, err)
	}
	grow()
	again, err := JournalPlan(s.journal)
	if err == nil {
		again, err = again.Again(fakeOptions(p.Targets...))
	}
	if err != nil {
		t.Fatal(err)
	}
	out, err := Resume(t.Context(), again, s.options())
	if err != nil || out != (Outcome{Done: 4, Wanted: 4}) {
		t.Errorf("gone on with: %+v, %v", out, err)
	}
	if m := s.gather(p).Tests[1].Measurements[0]; m.Value != "4.50" || len(m.RawValues) != 2 {
		t.Errorf("value %q of %q", m.Value, m.RawValues)
	}
}

// TestRunLosesThenFails: what a run had counts no more where a later repetition
// fails, either.
func TestRunLosesThenFails(t *testing.T) {
	s := newStage(t, 1)
	thinDisk(t, s.specs[0].Dir, "4m")
	p := s.plan([]Row{fakeRow("Mode: losethenfail - Size: 4", "MB/s")}, func(o *PlanOptions) { o.Request.Runs = 2 })
	if out := s.run(p); out != (Outcome{Wanted: 2, Failed: 1}) {
		t.Errorf("outcome %+v", out)
	}
	if m := s.gather(p).Tests[0].Measurements[0]; m.Value != "" || !strings.Contains(m.Reason, "lost writes") {
		t.Errorf("value %q, %q", m.Value, m.Reason)
	}
}
