//go:build !windows

package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/google/renameio/v2"
)

// newPending begins a file that takes the place of path, or only an empty place
// without replace.
func newPending(path string, replace bool) (pendingFile, error) {
	dir, base := filepath.Split(path)
	options := []renameio.Option{
		renameio.WithTempDir(filepath.Dir(path)),
		renameio.WithPermissions(0o666),
	}
	if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
		if owned(info) {
			options = append(options, renameio.WithStaticPermissions(info.Mode().Perm()))
		} else {
			// Another's file must not open ours to more users than our
			// umask does.
			options = append(options, renameio.WithPermissions(info.Mode().Perm()|0o600))
		}
	}
	// The name under which the file is written is made of that of the path; a
	// long one is cut, and the right one given at the end.
	f, err := renameio.NewPendingFile(filepath.Join(dir, shortName(base)), options...)
	if err != nil {
		return nil, err
	}
	return &pending{PendingFile: f, path: path, replace: replace}, nil
}

// pending is a file in the making.
type pending struct {
	*renameio.PendingFile
	path    string
	replace bool
	done    bool
}

// CloseAtomicallyReplace puts the file in its place.
func (p *pending) CloseAtomicallyReplace() error {
	if err := p.Sync(); err != nil {
		return err
	}
	if err := p.File.Close(); err != nil {
		return err
	}
	if err := p.place(); err != nil {
		return err
	}
	p.done = true
	return nil
}

// place gives the file its name, without replace one that is not there yet,
// however late another comes.
func (p *pending) place() error {
	if p.replace {
		return os.Rename(p.Name(), p.path)
	}
	err := renameNew(p.Name(), p.path)
	if errors.Is(err, fs.ErrExist) {
		return &nameError{p.path, ErrExists}
	}
	return err
}

// Cleanup removes the file unless it has taken its place.
func (p *pending) Cleanup() error {
	if p.done {
		return nil
	}
	return p.PendingFile.Cleanup()
}

// owned reports whether a file is this user's.
func owned(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}

// foreign returns an error for a symbolic link, or a pipe, in a directory such as
// /tmp, sticky and writable by all, that belongs neither to this user nor to the
// directory's owner. For links it is the rule of the kernel's
// fs.protected_symlinks, which one that is read does not meet.
func foreign(path string, info fs.FileInfo) error {
	dir, err := os.Stat(filepath.Dir(path))
	if err != nil || dir.Mode()&fs.ModeSticky == 0 || dir.Mode().Perm()&0o002 == 0 || owned(info) {
		return nil // an error is met again when the file is made
	}
	l, ok1 := info.Sys().(*syscall.Stat_t)
	d, ok2 := dir.Sys().(*syscall.Stat_t)
	if ok1 && ok2 && l.Uid == d.Uid {
		return nil
	}
	what := "pipe"
	if info.Mode()&fs.ModeSymlink != 0 {
		what = "link"
	}
	return fmt.Errorf("%s is a %s of another user in a directory that all may write to", path, what)
}
