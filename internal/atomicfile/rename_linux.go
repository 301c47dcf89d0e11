package atomicfile

import (
	"os"

	"golang.org/x/sys/unix"
)

// renameNew renames a file to a name that must not be there: where another
// process takes it first, it fails with an error that is os.ErrExist.
func renameNew(from, to string) error {
	switch err := renameFlags(from, to, unix.RENAME_NOREPLACE); err {
	case unix.EINVAL, unix.ENOSYS, unix.ENOTSUP:
		return linkNew(from, to) // a file-system or kernel that has no such thing
	case nil:
		return nil
	default:
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
}

// exchange lets two names change what they stand for, at once. Where that is
// not possible nothing has changed.
func exchange(a, b string) error { return renameFlags(a, b, unix.RENAME_EXCHANGE) }

func renameFlags(from, to string, flags uint) error {
	for {
		err := unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, flags)
		if err != unix.EINTR {
			return err
		}
	}
}
