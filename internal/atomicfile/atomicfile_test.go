package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
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

// TestDanglingLink: a link that points to nothing is not replaced unasked;
// with leave what it points to is made, also through links between.
func TestDanglingLink(t *testing.T) {
	d := t.TempDir()
	sub := filepath.Join(d, "sub")
	if err := os.Mkdir(sub, 0o777); err != nil {
		t.Fatal(err)
	}
	link, second := filepath.Join(d, "link"), filepath.Join(sub, "second")
	if err := errors.Join(os.Symlink("sub/second", link), os.Symlink("../target", second)); err != nil {
		t.Skip(err)
	}
	if err := write(t, link, false, "new"); !errors.Is(err, ErrExists) || !strings.Contains(err.Error(), link) {
		t.Errorf("error %v", err)
	}
	if names := dir(t, d); len(names) != 2 {
		t.Errorf("after a refusal: %v", names)
	}
	if err := write(t, link, true, "new"); err != nil {
		t.Fatal(err)
	}
	if to, err := os.Readlink(link); err != nil || to != "sub/second" || read(t, filepath.Join(d, "target")) != "new" {
		t.Errorf("link to %q, %v", to, err)
	}

	loop := filepath.Join(d, "loop")
	if err := os.Symlink("loop", loop); err != nil {
		t.Fatal(err)
	}
	if err := write(t, loop, true, "new"); err == nil {
		t.Error("a link to itself was written")
	}
}

// TestLongName: every name that the file-system takes can be written.
func TestLongName(t *testing.T) {
	d := t.TempDir()
	for _, base := range []string{strings.Repeat("n", 100), strings.Repeat("n", 101), strings.Repeat("n", 255), strings.Repeat("é", 127)} {
		path := filepath.Join(d, base)
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Logf("a name of %d bytes is not possible here: %v", len(base), err)
			continue
		}
		if err := errors.Join(os.Chmod(path, 0o640), write(t, path, true, "new")); err != nil {
			t.Errorf("%d bytes: %v", len(base), err)
			continue
		}
		info, err := os.Stat(path)
		if err != nil || read(t, path) != "new" || info.Mode().Perm() != 0o640 {
			t.Errorf("%d bytes: %q, mode %v, %v", len(base), read(t, path), info.Mode(), err)
		}
		f, err := Create(path, true)
		if err != nil {
			t.Fatal(err)
		}
		f.Discard()
		f.Discard()
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := write(t, path, false, "fresh"); err != nil || read(t, path) != "fresh" {
			t.Errorf("%d bytes: %v", len(base), err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if names := dir(t, d); len(names) != 0 {
			t.Errorf("left behind: %q", names)
		}
	}
	if err := write(t, filepath.Join(d, strings.Repeat("n", 256)), false, ""); err == nil {
		t.Log("names of 256 bytes are possible here")
	} else if len(dir(t, d)) != 0 || strings.Contains(err.Error(), "/.n") {
		t.Errorf("%v; left behind %q", err, dir(t, d))
	}
}

// broken is a pendingFile on a disk that is full, under a name of its own.
type broken struct{ pendingFile }

func (broken) Write([]byte) (int, error) {
	return 0, &os.PathError{Op: "write", Path: "/x/.out.1234", Err: syscall.ENOSPC}
}

func (broken) CloseAtomicallyReplace() error {
	return &os.LinkError{Op: "rename", Old: "/x/.out.1234", New: "/x/out", Err: syscall.EIO}
}

// TestErrorNames: errors name the file that was asked for.
func TestErrorNames(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	open := func() *File {
		f, err := Create(path, false)
		if err != nil {
			t.Fatal(err)
		}
		f.pending = broken{f.pending}
		return f
	}
	f := open()
	f.Writer.Reset(named{f.pending, path})
	_, err := f.Write(make([]byte, 1<<20))
	if want := path + ": no space left on device"; err == nil || err.Error() != want || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("write: %v, want %s", err, want)
	}
	if err, want := f.Commit(), "write "+path+": no space left on device"; err == nil || err.Error() != want {
		t.Errorf("commit: %v, want %s", err, want)
	}
	if err, want := open().Commit(), "write "+path+": input/output error"; err == nil || err.Error() != want {
		t.Errorf("rename: %v, want %s", err, want)
	}
	if names := dir(t, filepath.Dir(path)); len(names) != 0 {
		t.Errorf("left behind: %v", names)
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
