package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDir(t *testing.T) {
	own := func(name string) bool { return strings.HasSuffix(name, ".svg") }
	fill := func(path string, replace bool, names ...string) error {
		d, err := CreateDir(path, replace, own)
		if err != nil {
			return err
		}
		for _, n := range names {
			if err := os.WriteFile(filepath.Join(d.Path(), n), []byte(n), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return d.Commit()
	}
	holds := func(path string, want ...string) {
		t.Helper()
		entries, err := os.ReadDir(path)
		var got []string
		for _, e := range entries {
			got = append(got, e.Name())
		}
		if err != nil || strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s holds %q, %v; want %q", path, got, err, want)
		}
	}
	top := t.TempDir()
	path := filepath.Join(top, "out")
	if err := fill(path, false, "a.svg", "b.svg"); err != nil {
		t.Fatal(err)
	}
	holds(path, "a.svg", "b.svg")
	if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o500 != 0o500 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if err := fill(path, false, "c.svg"); !errors.Is(err, ErrExists) || !strings.Contains(err.Error(), path) {
		t.Errorf("a directory that is there: %v", err)
	}
	if err := fill(path, true, "c.svg"); err != nil {
		t.Error(err)
	}
	holds(path, "c.svg")
	holds(top, "out")

	// What others put there stays.
	if err := os.WriteFile(filepath.Join(path, "thesis.tex"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := fill(path, true, "d.svg"); !errors.Is(err, ErrForeign) || !strings.Contains(err.Error(), "thesis.tex") {
		t.Errorf("a directory with something else: %v", err)
	}
	holds(path, "c.svg", "thesis.tex")

	// Nor is it said that it could be replaced.
	if err := fill(path, false, "e.svg"); !errors.Is(err, ErrForeign) {
		t.Errorf("a directory with something else: %v", err)
	}

	// So does what comes while the directory is filled.
	late := filepath.Join(top, "late")
	d, err := CreateDir(late, true, own)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(late, "x.svg"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := d.Commit(); !errors.Is(err, ErrForeign) {
		t.Errorf("a directory in the directory: %v", err)
	}
	holds(late, "x.svg")

	// An empty directory may be filled; a file is none; a link is followed.
	empty := filepath.Join(top, "empty")
	if err := os.Mkdir(empty, 0o755); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(top, "link")
	if err := os.Symlink(empty, link); err != nil {
		t.Skip(err)
	}
	if err := fill(link, false, "e.svg"); err != nil {
		t.Error(err)
	}
	holds(empty, "e.svg")
	file := filepath.Join(top, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := fill(file, true, "f.svg"); !errors.Is(err, errNoDir) {
		t.Errorf("a file: %v", err)
	}
	d, err = CreateDir(filepath.Join(top, "gone"), false, own)
	if err != nil {
		t.Fatal(err)
	}
	d.Discard()
	holds(top, "empty", "file", "late", "link", "out")
	if _, err := CreateDir(filepath.Join(top, "no", "such"), false, own); err == nil || strings.Contains(err.Error(), ".such") {
		t.Errorf("a place that is not there: %v", err)
	}
}
