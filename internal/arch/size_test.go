package arch

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// maxLines is what a reader can hold of a file of one idea.
const maxLines = 450

// longFiles are the files that may be longer, by path from the root, each with
// its reason.
var longFiles = map[string]string{}

// goFiles calls f with the path from the root of every Go file there is: tests
// and nested modules too.
func goFiles(t *testing.T, f func(path string, src []byte)) {
	t.Helper()
	base := root(t)
	err := filepath.WalkDir(base, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != base && strings.HasPrefix(d.Name(), ".") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") {
			return nil
		}
		rel, err := filepath.Rel(base, path)
		if err != nil {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		f(filepath.ToSlash(rel), src)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestFileSize(t *testing.T) {
	long := make(map[string]bool)
	goFiles(t, func(path string, src []byte) {
		n := bytes.Count(src, []byte("\n"))
		if n <= maxLines {
			return
		}
		long[path] = true
		if longFiles[path] == "" {
			t.Errorf("%s has %d lines, over %d: divide it by idea", path, n, maxLines)
		}
	})
	for path := range longFiles {
		if !long[path] {
			t.Errorf("%s is listed as long and is not", path)
		}
	}
}
