package target

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// Free returns what is left on the file-system.
func (t *Target) Free() (Space, error) {
	var st unix.Statfs_t
	if err := unix.Fstatfs(int(t.dir.Fd()), &st); err != nil {
		return Space{}, fmt.Errorf("free space of %q: %w", t.given, err)
	}
	unit := int64(st.Frsize)
	if unit == 0 {
		unit = int64(st.Bsize)
	}
	s := Space{Free: int64(st.Bavail) * unit, Total: int64(st.Blocks) * unit, Files: -1}
	if st.Files > 0 {
		s.Files = int64(st.Ffree)
	}
	return s, nil
}

// Need returns a *Refusal where the free space is less than a run requires
// that writes so many bytes at its peak ([Space.Required]).
func (t *Target) Need(bytes int64) error {
	s, err := t.Free()
	if err != nil {
		return err
	}
	if want := s.Required(bytes); s.Free < want {
		return &Refusal{
			Dir:    t.given,
			Reason: fmt.Sprintf("has %d bytes free, and %d are needed (1.2 x %d and a reserve)", s.Free, want, bytes),
			Hint:   "free space there, or shrink the work with --scale",
		}
	}
	return nil
}

// Sync writes everything of the target's file-system to its disk (syncfs(2)).
// An error tells also of what could not be written before, since the target was
// opened or the last call ([LostWrite]).
func (t *Target) Sync() error {
	if err := unix.Syncfs(int(t.dir.Fd())); err != nil {
		return fmt.Errorf("sync %q: %w", t.given, err)
	}
	return nil
}

// LostWrite reports whether an error of Sync says that something was not
// written. Others say that the system cannot tell.
func LostWrite(err error) bool {
	for _, lost := range []error{unix.EIO, unix.ENOSPC, unix.EDQUOT, unix.EROFS, unix.ESTALE, unix.ENXIO, unix.ENODEV, unix.EREMOTEIO} {
		if errors.Is(err, lost) {
			return true
		}
	}
	return false
}

// DropCaches drops clean pages, directory entries and inodes of all
// file-systems from memory. errors.Is tells fs.ErrPermission where it is not
// allowed (it takes root, and a /proc/sys that can be written).
func DropCaches() error {
	f, err := os.OpenFile("/proc/sys/vm/drop_caches", os.O_WRONLY, 0)
	if err != nil {
		if errors.Is(err, unix.EROFS) {
			return fmt.Errorf("drop caches: %w", fs.ErrPermission)
		}
		return fmt.Errorf("drop caches: %w", err)
	}
	_, err = f.WriteString("3\n")
	return errors.Join(err, f.Close())
}
