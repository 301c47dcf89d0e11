package replay

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// scriptTool makes a program fio that is a script of the shell, and a Finder that
// finds it.
func scriptTool(t *testing.T, script string) *Finder {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "fio"), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return &Finder{Path: []string{dir}}
}

// TestFindHostile: a tool that answers the question for its version with
// something else costs neither memory nor time, and leaves nothing running.
func TestFindHostile(t *testing.T) {
	t.Run("endless", func(t *testing.T) {
		began := time.Now()
		_, version, ok := scriptTool(t, `echo fio-3.33; exec cat /dev/zero`).Find("fio")
		if !ok || version != "3.33" {
			t.Errorf("version %q, found %v, want 3.33: it stands at the beginning", version, ok)
		}
		if d := time.Since(began); d > versionAfter-time.Second {
			t.Errorf("it took %v: the tool was let go on", d)
		}
	})
	t.Run("late", func(t *testing.T) {
		// Behind the limit nothing is read.
		_, version, ok := scriptTool(t, `head -c 70000 /dev/zero; echo fio-3.33`).Find("fio")
		if !ok || version != "" {
			t.Errorf("version %q, found %v, want none", version, ok)
		}
	})
	t.Run("hanging", func(t *testing.T) {
		note := filepath.Join(t.TempDir(), "pid")
		var text []byte
		// A busy machine may not come to start it in a short time.
		for _, patience := range []time.Duration{300 * time.Millisecond, 3 * time.Second, 30 * time.Second} {
			versionPatience(t, patience)
			_, version, ok := scriptTool(t, fmt.Sprintf(`sleep 300 & echo $! >%s; wait`, note)).Find("fio")
			if !ok || version != "" {
				t.Errorf("version %q, found %v, want none", version, ok)
			}
			if text, _ = os.ReadFile(note); bytes.HasSuffix(text, []byte("\n")) {
				break
			}
		}
		var pid int
		if _, err := fmt.Sscan(strings.TrimSpace(string(text)), &pid); err != nil {
			t.Fatal(err)
		}
		for end := time.Now().Add(5 * time.Second); unix.Kill(pid, 0) == nil && !zombie(pid); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				_ = unix.Kill(pid, unix.SIGKILL)
				t.Fatal("what the tool had started still runs")
			}
		}
	})
}

// versionPatience sets how long a tool may take to tell its version.
func versionPatience(t *testing.T, d time.Duration) {
	t.Helper()
	was := versionAfter
	versionAfter = d
	t.Cleanup(func() { versionAfter = was })
}

// zombie reports whether a process has ended and is not reaped.
func zombie(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && strings.Contains(string(text), ") Z ")
}
