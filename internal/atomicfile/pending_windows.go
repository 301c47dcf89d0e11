package atomicfile

import (
	"io/fs"
	"os"
	"path/filepath"
)

// pendingWindows is a pendingFile where renameio has no part. Windows
// replaces a file by rename as long as nobody has it open.
type pendingWindows struct {
	*os.File
	path string
	done bool
}

func newPending(path string, _ bool) (pendingFile, error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+shortName(filepath.Base(path))+".*")
	if err != nil {
		return nil, err
	}
	return &pendingWindows{File: f, path: path}, nil
}

// CloseAtomicallyReplace puts the file in its place.
func (p *pendingWindows) CloseAtomicallyReplace() error {
	if err := p.Sync(); err != nil {
		return err
	}
	if err := p.Close(); err != nil {
		return err
	}
	if err := os.Rename(p.Name(), p.path); err != nil {
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

// foreignLink knows no other users: links are made by administrators alone.
func foreignLink(string, fs.FileInfo) error { return nil }
