//go:build unix

package corpus

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// syncDir has a directory's entries on the disk.
func syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = f.Sync()
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) {
		err = nil // a file-system that has no such thing
	}
	return errors.Join(err, f.Close())
}

// tryLock locks a file as a whole, unless another process has.
func tryLock(f *os.File) (bool, error) {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}
