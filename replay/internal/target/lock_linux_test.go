package target

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestLock has another process hold the locks.
func TestLock(t *testing.T) {
	dir := os.Getenv("BENCHPROOF_TEST_LOCK")
	if dir != "" {
		g, err := Open(filepath.Join(dir, "a"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Lock(filepath.Join(dir, "locks"), Holder{ID: "first"}, g); err != nil {
			t.Fatal(err)
		}
		os.Stdout.WriteString("locked\n")
		_, _ = os.Stdin.Read(make([]byte, 1)) // until it is killed
		return
	}
	dir = t.TempDir()
	locks := filepath.Join(dir, "locks")
	for _, name := range []string{"a", "b", "locks"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestLock$")
	cmd.Env = append(os.Environ(), "BENCHPROOF_TEST_LOCK="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "locked\n" {
		t.Fatalf("the other says %q, %v", line, err)
	}
	// The same directory, and another on the same disk.
	a, b := open(t, filepath.Join(dir, "a")), open(t, filepath.Join(dir, "b"))
	for _, g := range []*Target{a, b} {
		_, err := Lock(locks, Holder{ID: "second"}, g)
		var r *Refusal
		if !errors.As(err, &r) || !strings.Contains(r.Reason, `replay "first"`) || !strings.Contains(r.Reason, a.Dir()) {
			t.Errorf("%s: got %v", g.Dir(), err)
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	// A killed holder holds nothing; two targets of one replay share a disk.
	l, err := Lock(locks, Holder{ID: "second"}, a, b)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Lock(locks, Holder{ID: "third"}, b); err == nil || !strings.Contains(err.Error(), `"second"`) {
		t.Errorf("got %v", err)
	}
	// Nothing is left in the targets.
	for _, g := range []*Target{a, b} {
		if names, err := os.ReadDir(g.Dir()); err != nil || len(names) > 0 {
			t.Errorf("in %s: %v, %v", g.Dir(), names, err)
		}
	}
	l.Unlock()
	l, err = Lock(locks, Holder{ID: "third"}, b)
	if err != nil {
		t.Fatal(err)
	}
	l.Unlock()
	// A link in the place of a lock file is not followed.
	names, err := filepath.Glob(filepath.Join(locks, "*"))
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	victim := filepath.Join(dir, "victim")
	if err := os.WriteFile(victim, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if err := errors.Join(os.Remove(name), os.Symlink(victim, name)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Lock(locks, Holder{ID: "x"}, b); err == nil {
		t.Error("locked through a link")
	}
	if text, err := os.ReadFile(victim); string(text) != "x" {
		t.Errorf("the file behind it: %q, %v", text, err)
	}
}
