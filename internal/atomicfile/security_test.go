//go:build !windows

package atomicfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// nobody is a user that is not the one who tests.
const nobody = 65534

// shared makes a directory such as /tmp.
func shared(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "shared")
	if err := errors.Join(os.Mkdir(dir, 0o777), os.Chmod(dir, 0o777|os.ModeSticky)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// give gives a file, or a link itself, to another user.
func give(t *testing.T, path string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root to be two users")
	}
	if err := os.Lchown(path, nobody, nobody); err != nil {
		t.Fatal(err)
	}
}

// mode returns the permissions of a file.
func mode(t *testing.T, path string) os.FileMode {
	t.Helper()
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}

// umask sets the umask for a test.
func umask(t *testing.T, mask int) {
	t.Helper()
	old := syscall.Umask(mask)
	t.Cleanup(func() { syscall.Umask(old) })
}

// TestSecurityUmask: new files and directories have what the umask leaves, and a
// file of one's own keeps its permissions.
func TestSecurityUmask(t *testing.T) {
	for _, tt := range []struct {
		mask      int
		file, dir os.FileMode
	}{{0o022, 0o644, 0o755}, {0o077, 0o600, 0o700}, {0o002, 0o664, 0o775}, {0o027, 0o640, 0o750}} {
		umask(t, tt.mask)
		d := t.TempDir()
		path := filepath.Join(d, "out")
		if err := write(t, path, false, "x"); err != nil {
			t.Fatal(err)
		}
		directory, err := CreateDir(filepath.Join(d, "directory"), false, nil)
		if err != nil {
			t.Fatal(err)
		}
		// Until it is whole nobody else gets in.
		if got := mode(t, filepath.Dir(directory.Path())); got != 0o700&^os.FileMode(tt.mask) {
			t.Errorf("umask %o: a directory in the making lies in one of mode %o", tt.mask, got)
		}
		if err := directory.Commit(); err != nil {
			t.Fatal(err)
		}
		if file, dir := mode(t, path), mode(t, filepath.Join(d, "directory")); file != tt.file || dir != tt.dir {
			t.Errorf("umask %o: file %o, directory %o; want %o, %o", tt.mask, file, dir, tt.file, tt.dir)
		}
		if err := errors.Join(os.Chmod(path, 0o604), write(t, path, true, "y")); err != nil || mode(t, path) != 0o604 {
			t.Errorf("replaced: %v, mode %o", err, mode(t, path))
		}
	}
}

// TestSecurityForeignMode: the place of another's file is taken without the
// rights that the other gave it.
func TestSecurityForeignMode(t *testing.T) {
	umask(t, 0o077)
	path := filepath.Join(shared(t), "out")
	if err := errors.Join(os.WriteFile(path, nil, 0o666), os.Chmod(path, 0o666|os.ModeSetuid)); err != nil {
		t.Fatal(err)
	}
	give(t, path)
	if err := write(t, path, true, "ours"); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode() != 0o600 || !owned(info) {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// TestSecurityPlantedLink: a link that another user plants at the name of an
// output in a directory such as /tmp is not followed, whatever replace says,
// nor is one behind a link of our own; links of our own are.
func TestSecurityPlantedLink(t *testing.T) {
	d := shared(t)
	private := t.TempDir()
	victim := filepath.Join(private, "victim")
	if err := os.WriteFile(victim, []byte("dear"), 0o600); err != nil {
		t.Fatal(err)
	}
	link, behind, absent := filepath.Join(d, "out"), filepath.Join(private, "behind"), filepath.Join(d, "absent")
	directory := filepath.Join(d, "directory")
	err := errors.Join(os.Symlink(victim, link), os.Symlink(link, behind), os.Symlink(filepath.Join(private, "new"), absent), os.Symlink(private, directory))
	if err != nil {
		t.Fatal(err)
	}
	if err := write(t, link, true, "dear too"); err != nil || read(t, victim) != "dear too" {
		t.Errorf("a link of one's own: %v", err)
	}
	for _, path := range []string{link, absent, directory} {
		give(t, path)
	}
	for _, path := range []string{link, behind, absent} {
		for _, replace := range []bool{false, true} {
			if err := write(t, path, replace, "theirs"); err == nil || !strings.Contains(err.Error(), "another user") {
				t.Errorf("%s, replace %t: %v", path, replace, err)
			}
		}
	}
	if _, err := CreateDir(directory, true, func(string) bool { return true }); err == nil || !strings.Contains(err.Error(), "another user") {
		t.Errorf("a directory: %v", err)
	}
	if names := dir(t, private); read(t, victim) != "dear too" || len(names) != 2 {
		t.Errorf("the victim holds %q, beside it %v", read(t, victim), names)
	}
	// The directory's owner may link there, as root does in /tmp.
	if err := errors.Join(os.Chown(d, nobody, nobody), write(t, link, true, "by its owner")); err != nil || read(t, victim) != "by its owner" {
		t.Errorf("a link of the directory's owner: %v", err)
	}
}

// TestSecurityPlantedHardLink: what another name of the replaced file holds
// stays: the file is replaced, never written into.
func TestSecurityPlantedHardLink(t *testing.T) {
	d := t.TempDir()
	victim, path := filepath.Join(d, "victim"), filepath.Join(d, "out")
	if err := errors.Join(os.WriteFile(victim, []byte("dear"), 0o600), os.Link(victim, path)); err != nil {
		t.Fatal(err)
	}
	if err := write(t, path, true, "new"); err != nil || read(t, victim) != "dear" || read(t, path) != "new" {
		t.Errorf("%v, victim %q, out %q", err, read(t, victim), read(t, path))
	}
}

// TestSecurityLatePlant: whatever comes to stand at the name while the file is
// written, be it at the last moment, is neither replaced nor followed.
func TestSecurityLatePlant(t *testing.T) {
	d := t.TempDir()
	victim := filepath.Join(d, "victim")
	if err := os.WriteFile(victim, []byte("dear"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, plant := range map[string]func(string) error{
		"file":      func(p string) error { return os.WriteFile(p, []byte("theirs"), 0o600) },
		"link":      func(p string) error { return os.Symlink(victim, p) },
		"nowhere":   func(p string) error { return os.Symlink(filepath.Join(d, "absent"), p) },
		"directory": func(p string) error { return os.Mkdir(p, 0o700) },
	} {
		path := filepath.Join(d, name)
		f, err := newPending(path, false)
		if err != nil {
			t.Fatal(err)
		}
		if err := plant(path); err != nil {
			t.Fatal(err)
		}
		before, _ := os.Lstat(path)
		if err := f.CloseAtomicallyReplace(); !errors.Is(err, ErrExists) {
			t.Errorf("%s: %v", name, err)
		}
		after, err := os.Lstat(path)
		if err != nil || !os.SameFile(before, after) || read(t, victim) != "dear" {
			t.Errorf("%s was replaced: %v", name, err)
		}
		_ = f.Cleanup() // it says that the file was closed before
	}
	if names := dir(t, d); len(names) != 5 {
		t.Errorf("left behind: %v", names)
	}
}

// TestSecurityTemporaryName: the name under which a file is written lies beside
// its own and cannot be guessed: it is never the same.
func TestSecurityTemporaryName(t *testing.T) {
	d := t.TempDir()
	f, err := newPending(filepath.Join(d, "out"), false)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Cleanup()
	name := f.(*pending).Name()
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || filepath.Dir(name) != d || filepath.Base(name) == ".out" {
		t.Fatalf("%s: %v", name, err)
	}
	other, err := newPending(filepath.Join(d, "out"), false)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Cleanup()
	if other.(*pending).Name() == name {
		t.Error("two files are written under one name")
	}
}

// TestSecuritySpecial: what is written into, not replaced, is no disk, and nothing
// that another user has planted.
func TestSecuritySpecial(t *testing.T) {
	d := shared(t)
	pipe, link := filepath.Join(d, "pipe"), filepath.Join(d, "link")
	if err := errors.Join(syscall.Mkfifo(pipe, 0o666), os.Symlink(os.DevNull, link)); err != nil {
		t.Fatal(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	list := []string{pipe, link, os.DevNull}
	if at := fmt.Sprintf("/dev/fd/%d", w.Fd()); exists(at) {
		list = append(list, at) // a pipe without a name
	}
	for _, path := range list {
		if err := CheckSpecial(path); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	disk := filepath.Join(t.TempDir(), "disk")
	if os.Geteuid() == 0 {
		// The number of no driver: nothing is there to be harmed.
		if err := syscall.Mknod(disk, syscall.S_IFBLK|0o600, 240<<8); err != nil {
			t.Log(err)
		} else if err := CheckSpecial(disk); err == nil || !strings.Contains(err.Error(), "block device") {
			t.Errorf("a disk: %v", err)
		}
	}
	for _, path := range []string{pipe, link} {
		give(t, path)
		if err := CheckSpecial(path); err == nil || !strings.Contains(err.Error(), "another user") {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
