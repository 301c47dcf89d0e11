package replay

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestCleanWiped kills a replay and what watches over its tool at once. What is
// left of the tool carries no mark in its environment: clean finds it by the
// journal's record of the step.
func TestCleanWiped(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := newStage(t, 1)
	cmd := exec.Command(self, runnerArg, s.journal, "0s", s.specs[0].Dir)
	cmd.Env = append(os.Environ(), modeVariable+"=wipe")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	until := time.Now().Add(30 * time.Second)
	await := func(what string, done func() bool) {
		t.Helper()
		for !done() {
			if time.Now().After(until) {
				t.Fatal("never: ", what)
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
	var child int
	await("the tool's child", func() bool {
		names, _ := filepath.Glob(filepath.Join(s.specs[0].Dir, ".benchproof-replay-*/w/data/child"))
		if len(names) != 1 {
			return false
		}
		text, _ := os.ReadFile(names[0])
		child, _ = strconv.Atoi(string(text)) // 0 until it is written
		return child > 0
	})
	var st *state
	await("the record of the step", func() bool {
		st, err = loadState(s.journal)
		// Before it stands the one of the step before, whose watcher has ended.
		return err == nil && len(st.records) > 0 && lives(st.records[len(st.records)-1].Supervisor.PID)
	})
	watcher := st.records[len(st.records)-1].Supervisor.PID
	for _, pid := range []int{watcher, cmd.Process.Pid} {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
	}
	_ = cmd.Wait()
	if !lives(child) {
		t.Skip("the child died with them: there is nothing to find")
	}
	did, err := Clean(t.Context(), s.journal)
	if err != nil || !strings.Contains(strings.Join(did, "\n"), strconv.Itoa(child)) {
		t.Errorf("cleaned %q, %v: want the process %d", did, err, child)
	}
	if lives(child) {
		t.Errorf("process %d is left", child)
		_ = syscall.Kill(child, syscall.SIGKILL)
	}
	if list, err := os.ReadDir(s.specs[0].Dir); err != nil || len(list) > 0 {
		t.Errorf("left: %v, %v", list, err)
	}
}

// lives reports whether a process runs: no zombie, and not gone.
func lives(pid int) bool {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	return rest != "" && rest[0] != 'Z' && rest[0] != 'X'
}
