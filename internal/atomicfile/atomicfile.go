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
)

// ErrExists is returned where a file is in the way that may not be replaced.
var ErrExists = errors.New("file exists")

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
// and the file it points to replaced. The caller must end with Commit or
// Discard.
func Create(path string, replace bool) (*File, error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	if err := free(path, replace); err != nil {
		return nil, err
	}
	pending, err := newPending(path)
	if err != nil {
		return nil, fmt.Errorf("create %s: %w", path, cause(err))
	}
	return &File{
		Writer: bufio.NewWriterSize(pending, 64<<10),
		path:   path, replace: replace, pending: pending,
	}, nil
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

// cause takes the name of the temporary file out of an error.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
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
		if errors.Is(err, ErrExists) {
			return err
		}
		return fmt.Errorf("write %s: %w", f.path, cause(err))
	}
	return nil
}

// Discard removes what was written. It does nothing after Commit.
func (f *File) Discard() { _ = f.pending.Cleanup() }
