package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// dir returns the names in d.
func dir(t *testing.T, d string) []string {
	t.Helper()
	entries, err := os.ReadDir(d)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func write(t *testing.T, path string, replace bool, text string) error {
	t.Helper()
	f, err := Create(path, replace)
	if err != nil {
		return err
	}
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	return f.Commit()
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestCommit(t *testing.T) {
	d := t.TempDir()
	path := filepath.Join(d, "out.csv")
	if err := write(t, path, false, "one"); err != nil {
		t.Fatal(err)
	}
	if err := write(t, path, false, "two"); !errors.Is(err, ErrExists) {
		t.Errorf("replaced without leave: %v", err)
	}
	if got := read(t, path); got != "one" {
		t.Errorf("file holds %q", got)
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := write(t, path, true, "three"); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := read(t, path); got != "three" || info.Mode().Perm() != 0o640 {
		t.Errorf("file holds %q, mode %v", got, info.Mode())
	}
	if names := dir(t, d); len(names) != 1 {
		t.Errorf("left behind: %v", names)
	}
}

func TestDiscard(t *testing.T) {
	d := t.TempDir()
	f, err := Create(filepath.Join(d, "out"), false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("half"); err != nil {
		t.Fatal(err)
	}
	f.Discard()
	f.Discard()
	if names := dir(t, d); len(names) != 0 {
		t.Errorf("left behind: %v", names)
	}
}

// TestLateComer: a file that comes to stand at the path while ours is being
// written is not replaced.
func TestLateComer(t *testing.T) {
	d := t.TempDir()
	path := filepath.Join(d, "out")
	f, err := Create(path, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("theirs"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := f.Commit(); !errors.Is(err, ErrExists) {
		t.Errorf("error %v", err)
	}
	if got := read(t, path); got != "theirs" || len(dir(t, d)) != 1 {
		t.Errorf("file holds %q, directory %v", got, dir(t, d))
	}
}

func TestSymlink(t *testing.T) {
	d := t.TempDir()
	target, link := filepath.Join(d, "target"), filepath.Join(d, "link")
	if err := os.WriteFile(target, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Skip(err)
	}
	if err := write(t, link, true, "new"); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 || read(t, target) != "new" {
		t.Errorf("link %v, target %q", info.Mode(), read(t, target))
	}
}

func TestErrors(t *testing.T) {
	d := t.TempDir()
	if err := write(t, d, true, ""); err == nil {
		t.Error("a directory was replaced")
	}
	err := write(t, filepath.Join(d, "no", "such"), false, "")
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}
