package main

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// process returns a command that runs benchproof in a process of its own.
func process(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// By that name the test's program is the command.
	return &exec.Cmd{Path: self, Args: append([]string{"benchproof"}, args...)}
}

// TestDiscardedOutput: a program that gives the null device as stdout, opened
// in whatever way, wants no output, and it is no error.
func TestDiscardedOutput(t *testing.T) {
	for _, mode := range []int{os.O_WRONLY, os.O_RDWR} {
		null, err := os.OpenFile(os.DevNull, mode, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer null.Close()
		c := process(t, "convert", small)
		c.Stdout = null
		if err := c.Run(); err != nil {
			t.Errorf("opened with %d: %v", mode, err)
		}
	}
}

// TestSignals: each signal that ends a program by custom ends a command that
// waits for input with 130 and leaves nothing half-written.
func TestSignals(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no signals to send")
	}
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
		if s == syscall.SIGHUP && signal.Ignored(s) {
			t.Log("a hang-up is ignored from the start here, by nohup it may be, and by the command too")
			continue
		}
		dir := t.TempDir()
		c := process(t, "convert", "-", "-o", filepath.Join(dir, "x.json"))
		var stderr strings.Builder
		c.Stderr = &stderr
		stdin, err := c.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- c.Wait() }()
		// The file is begun when signals are heeded.
		for begun := false; !begun; {
			entries, dirErr := os.ReadDir(dir)
			begun = dirErr != nil || len(entries) > 0
			select {
			case err := <-ended:
				t.Fatalf("%v: ended too early: %v, stderr %q", s, err, stderr.String())
			case <-time.After(5 * time.Millisecond):
			}
		}
		if err := c.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
		err = <-ended
		stdin.Close()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != exitInterrupted || stderr.String() != "benchproof: error: interrupted\n" {
			t.Errorf("%v: %v, stderr %q", s, err, stderr.String())
		}
		if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
			t.Errorf("%v: left behind %v, %v", s, entries, err)
		}
	}
}
