package corpus

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// syncDir does nothing: directories cannot be synced here, and a rename is on
// the disk with the next flush of its volume.
func syncDir(string) error { return nil }

// tryLock locks a file as a whole, unless another process has.
func tryLock(f *os.File) (bool, error) {
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &windows.Overlapped{})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}
