//go:build !windows

package atomicfile

import (
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
)

func newPending(path string) (pendingFile, error) {
	dir, base := filepath.Split(path)
	short := shortName(base)
	if short == base {
		return renameio.NewPendingFile(path,
			renameio.WithTempDir(filepath.Dir(path)),
			renameio.WithPermissions(0o666),
			renameio.WithExistingPermissions())
	}
	// The name under which the file is written is made of that of the path,
	// so it is given another, and the right one at the end.
	options := []renameio.Option{
		renameio.WithTempDir(filepath.Dir(path)),
		renameio.WithPermissions(0o666),
	}
	if info, err := os.Stat(path); err == nil {
		options = append(options, renameio.WithStaticPermissions(info.Mode()))
	}
	f, err := renameio.NewPendingFile(filepath.Join(dir, short), options...)
	if err != nil {
		return nil, err
	}
	return &pendingLong{PendingFile: f, path: path}, nil
}

// pendingLong is a file in the making for a path with a long name.
type pendingLong struct {
	*renameio.PendingFile
	path string
	done bool
}

// CloseAtomicallyReplace puts the file in its place.
func (p *pendingLong) CloseAtomicallyReplace() error {
	if err := p.Sync(); err != nil {
		return err
	}
	if err := p.File.Close(); err != nil {
		return err
	}
	if err := os.Rename(p.Name(), p.path); err != nil {
		return err
	}
	p.done = true
	return nil
}

// Cleanup removes the file unless it has taken its place.
func (p *pendingLong) Cleanup() error {
	if p.done {
		return nil
	}
	return p.PendingFile.Cleanup()
}
