// Package atomicfile writes files that are there whole or not at all.
package atomicfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// ErrExists is returned where a file is in the way that may not be replaced.
var ErrExists = errors.New("it exists already")

// pendingFile is a file under another name that can take its place.
type pendingFile interface {
	io.Writer
	CloseAtomicallyReplace() error
	Cleanup() error
}

// File is a file in the making. It is written under another name in the
// directory of its path and takes its place with Commit.
type File struct {
	*bufio.Writer
	path    string
	replace bool
	pending pendingFile
}

// Create begins a file that will stand at path. Where a file stands there it
// fails with ErrExists unless replace is set; a symbolic link is followed,
// and the file it points to replaced, but for one that another user has put
// into a directory that all may write to: that is an error. A link that points to nothing counts as
// a file, and with replace what it points to is made. The caller must end
// with Commit or Discard.
//
// Errors name the file that path stands for, not the one that is written
// meanwhile.
func Create(path string, replace bool) (*File, error) {
	target, err := follow(path)
	if err != nil {
		return nil, err
	}
	if err := free(target, replace); err != nil {
		return nil, err
	}
	if target != path && !replace {
		return nil, fmt.Errorf("%s is a link to %s, which is not there: %w", path, target, ErrExists)
	}
	pending, err := newPending(target, replace)
	if dir := filepath.Dir(target); errors.Is(err, fs.ErrNotExist) && !isDir(dir) {
		return nil, &noDirError{target, dir}
	}
	if err != nil {
		return nil, fmt.Errorf("create %s: %w", target, cause(err))
	}
	return &File{
		Writer: bufio.NewWriterSize(named{pending, target}, 64<<10),
		path:   target, replace: replace, pending: pending,
	}, nil
}

// CheckSpecial returns an error where what is at path, and is to be written into
// as a pipe or a terminal is, must not be: where another user has put it, or a
// link to it, into a directory that all may write to, and where it is a disk.
func CheckSpecial(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if mode := info.Mode(); mode&fs.ModeDevice != 0 && mode&fs.ModeCharDevice == 0 {
		return fmt.Errorf("%s is a block device", path)
	}
	at, err := follow(path)
	if err != nil {
		return err
	}
	// What an open file is, as /dev/stdout, may have no name in the end.
	if info, err = os.Lstat(at); err != nil {
		return nil
	}
	return foreign(at, info)
}

// maxLinks is how many symbolic links are followed in a row, as many as Linux
// follows.
const maxLinks = 40

// follow returns what path points to in the end, which need not be there.
func follow(path string) (string, error) {
	at := path
	for range maxLinks {
		info, err := os.Lstat(at)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			return at, nil // an error is met again, and said, when it is made
		}
		if err := foreign(at, info); err != nil {
			return "", err
		}
		to, err := os.Readlink(at)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(to) {
			// The directory may be a link, too: what is above it is not
			// what its name says.
			dir, err := filepath.EvalSymlinks(filepath.Dir(at))
			if err != nil {
				return "", err
			}
			to = filepath.Join(dir, to)
		}
		at = to
	}
	return "", fmt.Errorf("%s: too many links", path)
}

// named is a writer whose errors name the file that it is for.
type named struct {
	w    io.Writer
	path string
}

func (n named) Write(p []byte) (int, error) {
	wrote, err := n.w.Write(p)
	if err != nil {
		err = &nameError{n.path, cause(err)}
	}
	return wrote, err
}

// noDirError says that there is no directory to make a file in. errors.Is finds
// fs.ErrNotExist in it, and errors.As what has its Dir method.
type noDirError struct{ path, dir string }

func (e *noDirError) Error() string {
	return fmt.Sprintf("create %s: there is no directory %s", e.path, e.dir)
}

// Dir is the directory that there is not.
func (e *noDirError) Dir() string { return e.dir }

func (e *noDirError) Is(target error) bool { return target == fs.ErrNotExist }

// nameError is an error of the file at path.
type nameError struct {
	path string
	err  error
}

func (e *nameError) Error() string { return e.path + ": " + e.err.Error() }
func (e *nameError) Unwrap() error { return e.err }

// maxName is how many bytes of a file's name are part of the name under which
// it is written: that has more in it, and file-systems allow 143 to 255.
const maxName = 100

// shortName returns base, cut where it is too long to be part of a name.
func shortName(base string) string {
	if len(base) <= maxName {
		return base
	}
	return strings.ToValidUTF8(base[:maxName], "")
}

// free reports whether a file may be put at path.
func free(path string, replace bool) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("%s is a directory", path)
	case !replace:
		return fmt.Errorf("%s: %w", path, ErrExists)
	}
	return nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// cause takes the name of the temporary file out of an error.
func cause(err error) error {
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &p):
		return p.Err
	case errors.As(err, &l):
		return l.Err
	}
	return err
}

// Commit writes what is buffered to the disk and puts the file in place. On
// an error nothing is left behind, and what stood at the path stays.
func (f *File) Commit() error {
	err := f.Flush()
	if err == nil {
		err = free(f.path, f.replace)
	}
	if err == nil {
		err = f.pending.CloseAtomicallyReplace()
	}
	if err != nil {
		f.Discard()
		var n *nameError
		switch {
		case errors.Is(err, ErrExists):
			return err
		case errors.As(err, &n):
			return fmt.Errorf("write %w", n)
		}
		return fmt.Errorf("write %s: %w", f.path, cause(err))
	}
	return nil
}

// Discard removes what was written. It does nothing after Commit.
func (f *File) Discard() { _ = f.pending.Cleanup() }
