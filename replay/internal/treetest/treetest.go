// Package treetest is test support: it makes trees of files such as /proc and
// /sys are, for what reads a machine.
package treetest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Make makes files by name, with slashes, below a folder of the test's own, which
// it returns. A text "-> x" makes a symbolic link to x.
func Make(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		var err error
		if to, ok := strings.CutPrefix(text, "-> "); ok {
			err = os.Symlink(to, path)
		} else {
			err = os.WriteFile(path, []byte(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
