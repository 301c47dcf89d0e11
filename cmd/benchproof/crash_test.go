package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// panicking is an output that breaks the program.
type panicking struct{}

func (panicking) Write([]byte) (int, error) { panic("index out of range [53:20]\x1b") }

// TestPanic: a panic is a failure told in one line, never a wrong use, and
// leaves nothing behind.
func TestPanic(t *testing.T) {
	const want = `benchproof: error: internal error: index out of range [53:20]\x1b; please report it, with the input that leads to it` + "\n"
	for _, command := range []string{"convert", "show", "check", "explain"} {
		path := filepath.Join(t.TempDir(), "half")
		e, _, stderr := testEnv(nil)
		e.stdout = panicking{}
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		e.cleanup.add(func() { _ = os.Remove(path) })
		args := []string{command, small}
		if command == "explain" {
			args = append(args, "--test", ".")
		}
		if code := run(t.Context(), e, args); code != exitFailed || stderr.String() != want {
			t.Errorf("%s: code %d, stderr %q", command, code, stderr)
		}
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s: what was begun is not undone", command)
		}
	}

	e, _, stderr := testEnv(nil)
	e.stdout = panicking{}
	code := run(t.Context(), e, []string{"convert", "-v", small})
	if code != exitFailed || !strings.HasPrefix(stderr.String(), want) || !strings.Contains(stderr.String(), "crash_test.go:") {
		t.Errorf("verbose: code %d, stderr %q", code, stderr)
	}
	e, _, stderr = testEnv(nil)
	e.stdout = panicking{}
	code = run(t.Context(), e, []string{"convert", "--json", small})
	if code != exitFailed || strings.Count(stderr.String(), "\n") != 1 || !strings.Contains(stderr.String(), `"exit_code":4`) {
		t.Errorf("json: code %d, stderr %q", code, stderr)
	}
}
