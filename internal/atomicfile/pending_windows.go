package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// pendingWindows is a pendingFile where renameio has no part. Windows
// replaces a file by rename as long as nobody has it open.
type pendingWindows struct {
	*os.File
	path          string
	replace, done bool
}

func newPending(path string, replace bool) (pendingFile, error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+shortName(filepath.Base(path))+".*")
	if err != nil {
		return nil, err
	}
	return &pendingWindows{File: f, path: path, replace: replace}, nil
}

// CloseAtomicallyReplace puts the file in its place.
func (p *pendingWindows) CloseAtomicallyReplace() error {
	if err := p.Sync(); err != nil {
		return err
	}
	if err := p.Close(); err != nil {
		return err
	}
	place := os.Rename
	if !p.replace {
		place = renameNew
	}
	if err := place(p.Name(), p.path); errors.Is(err, fs.ErrExist) {
		return &nameError{p.path, ErrExists}
	} else if err != nil {
		return err
	}
	p.done = true
	return nil
}

// Cleanup removes the file unless it has taken its place.
func (p *pendingWindows) Cleanup() error {
	if p.done {
		return nil
	}
	_ = p.Close()
	return os.Remove(p.Name())
}

// foreign knows no other users: links are made by administrators alone.
func foreign(string, fs.FileInfo) error { return nil }
