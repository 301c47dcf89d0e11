package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// ErrForeign is returned where a directory holds what is not to be replaced.
var ErrForeign = errors.New("it holds something else")

// errNoDir is returned where something other than a directory is in its place.
var errNoDir = errors.New("it is no directory")

// Dir is a directory in the making: it is filled under another name beside its
// path, and takes its place with Commit.
type Dir struct {
	path    string // where it will stand
	hold    string // the directory that holds it, and what it replaces
	replace bool
	own     func(name string) bool
}

// CreateDir begins a directory that will stand at path. Where something stands
// there it fails with ErrExists unless replace is set or it is an empty directory.
// A directory is replaced only if own approves of the names of all that it holds,
// which must be plain files; else it fails with ErrForeign, and with errNoDir
// where path is no directory, whatever replace is. The caller must end with Commit
// or Discard.
func CreateDir(path string, replace bool, own func(name string) bool) (*Dir, error) {
	given := filepath.Clean(path)
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	real, err := follow(path)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(real); err == nil {
		path = real
	}
	d := &Dir{path: path, replace: replace, own: own}
	if _, err := d.there(); err != nil {
		return nil, err
	}
	d.hold, err = os.MkdirTemp(filepath.Dir(path), "."+shortName(filepath.Base(path))+"-")
	if dir := filepath.Dir(given); errors.Is(err, fs.ErrNotExist) && !isDir(filepath.Dir(path)) {
		return nil, &noDirError{given, dir}
	}
	if err != nil {
		return nil, &nameError{path, cause(err)}
	}
	// Within the directory that only we may enter: with the usual permissions.
	if err := os.Mkdir(d.Path(), 0o777); err != nil {
		d.Discard()
		return nil, &nameError{path, cause(err)}
	}
	return d, nil
}

// Path is where the directory is filled.
func (d *Dir) Path() string { return filepath.Join(d.hold, "new") }

// there reports whether a directory stands at the path that may be replaced.
func (d *Dir) there() (bool, error) {
	var entries []os.DirEntry
	for range tries {
		info, err := os.Lstat(d.path)
		if errors.Is(err, os.ErrNotExist) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		if !info.IsDir() {
			return false, &nameError{d.path, errNoDir}
		}
		if entries, err = os.ReadDir(d.path); err == nil {
			break
		}
		if !errors.Is(err, os.ErrNotExist) { // else another has replaced it
			return false, err
		}
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || !d.own(e.Name()) {
			return false, &nameError{d.path, fmt.Errorf("%w: %s", ErrForeign, e.Name())}
		}
	}
	if len(entries) > 0 && !d.replace {
		return false, &nameError{d.path, ErrExists}
	}
	return true, nil
}

// tries is how often a directory is looked at again where another process has
// replaced it between the look and the step.
const tries = 20

// Commit puts the directory in its place. What stood there goes only once the new
// one is; on an error it stays, and nothing else is left.
func (d *Dir) Commit() error {
	defer d.Discard()
	var err error
	for range tries {
		var there bool
		if there, err = d.there(); err != nil {
			return err
		}
		if err = d.place(there); err == nil {
			return nil
		}
		if !errors.Is(err, fs.ErrExist) && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTEMPTY) {
			break
		}
	}
	return &nameError{d.path, cause(err)}
}

// place takes one step to put the directory in its place, where another may stand.
func (d *Dir) place(there bool) error {
	if !there {
		return os.Rename(d.Path(), d.path) // replaces no more than an empty directory
	}
	if exchange(d.Path(), d.path) == nil {
		return nil
	}
	old := filepath.Join(d.hold, "old")
	if err := os.Rename(d.path, old); err != nil {
		return err
	}
	if err := os.Rename(d.Path(), d.path); err != nil {
		return errors.Join(err, os.Rename(old, d.path))
	}
	return nil
}

// Discard removes what was written. It does nothing after Commit.
func (d *Dir) Discard() { _ = os.RemoveAll(d.hold) }
