package oracle

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// SharedEnv names the environment variable that says where the facts directory
// is, if not beside the repository.
const SharedEnv = "BENCHPROOF_SHARED"

// Root returns the repository's root directory, found by its go.mod above the
// working directory.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && bytes.Contains(mod, []byte("module github.com/benchproof/benchproof\n")) {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Fatal("no go.mod of this module above the working directory")
		}
		dir = parent
	}
}

// Shared returns the path of a file or directory of the facts directory: the
// directory "shared" beside the repository, or the one that [SharedEnv] names.
// It skips the test, naming the path, where that does not exist.
func Shared(t testing.TB, elem ...string) string {
	t.Helper()
	dir := os.Getenv(SharedEnv)
	if dir == "" {
		dir = filepath.Join(filepath.Dir(Root(t)), "shared")
	}
	path := filepath.Join(append([]string{dir}, elem...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("needs %s, which is absent (set %s to the facts directory)", path, SharedEnv)
	}
	return path
}

// Glob returns the paths in the facts directory that match a pattern whose last
// element alone holds wildcards, sorted. It skips the test where the directory
// is absent and fails it where nothing matches.
func Glob(t testing.TB, elem ...string) []string {
	t.Helper()
	dir := Shared(t, elem[:len(elem)-1]...)
	paths, err := filepath.Glob(filepath.Join(dir, elem[len(elem)-1]))
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) == 0 {
		t.Fatalf("nothing matches %s in %s", elem[len(elem)-1], dir)
	}
	return paths
}
