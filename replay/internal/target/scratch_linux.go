package target

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"
)

// Scratch is a directory in a target that a replay made for itself.
type Scratch struct {
	t      *Target
	name   string
	dir    *os.File
	root   *os.Root
	device string
	inode  uint64
	mount  int
	marker Marker
}

// NewScratch makes the scratch directory of the replay m.ID and marks it. It
// is a *Refusal where there is one already, be it a stranger's.
func (t *Target) NewScratch(m Marker) (*Scratch, error) {
	if !ValidID(m.ID) {
		return nil, fmt.Errorf("make a scratch directory: bad replay identifier %q", m.ID)
	}
	if err := t.Check(); err != nil {
		return nil, err
	}
	m.Schema = MarkerSchema
	name := ScratchPrefix + m.ID
	parent := int(t.dir.Fd())
	if err := unix.Mkdirat(parent, name, 0o700); err != nil {
		if errors.Is(err, unix.EEXIST) {
			return nil, &Refusal{
				Dir:    t.given,
				Reason: fmt.Sprintf("already holds %q", name),
				Hint:   "run with --resume, or replay clean",
			}
		}
		return nil, fmt.Errorf("make %q in %q: %w", name, t.given, err)
	}
	s, err := t.openScratch(name)
	if err == nil {
		s.marker = m
		err = s.mark()
	}
	if err != nil {
		if s != nil {
			_ = unix.Unlinkat(int(s.dir.Fd()), MarkerName, 0)
			s.Close()
		}
		// It is empty, or this does nothing.
		_ = unix.Unlinkat(parent, name, unix.AT_REMOVEDIR)
		return nil, fmt.Errorf("make %q in %q: %w", name, t.given, err)
	}
	return s, nil
}

// OpenScratch opens the scratch directory of a replay that was made before.
// errors.Is tells fs.ErrNotExist where there is none.
func (t *Target) OpenScratch(id string) (*Scratch, error) {
	if !ValidID(id) {
		return nil, fmt.Errorf("open a scratch directory: bad replay identifier %q", id)
	}
	if err := t.Check(); err != nil {
		return nil, err
	}
	s, err := t.openScratch(ScratchPrefix + id)
	if err != nil {
		return nil, err
	}
	if s.marker, err = s.readMarker(id); err != nil {
		s.Close()
		return nil, fmt.Errorf("%q is no scratch directory of replay %q: %w", s.Dir(), id, err)
	}
	return s, nil
}

// openScratch opens a directory right below the target.
func (t *Target) openScratch(name string) (*Scratch, error) {
	path := filepath.Join(t.id.Dir, name)
	fd, err := unix.Openat(int(t.dir.Fd()), name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	s := &Scratch{t: t, name: name, dir: os.NewFile(uintptr(fd), path)}
	err = s.identify()
	if err == nil {
		s.root, err = os.OpenRoot(fmt.Sprintf("/proc/self/fd/%d", fd))
	}
	if err != nil {
		s.dir.Close()
		return nil, err
	}
	return s, nil
}

// identify makes sure that the directory is on the target's mount and is this
// user's.
func (s *Scratch) identify() error {
	var st unix.Stat_t
	if err := unix.Fstat(int(s.dir.Fd()), &st); err != nil {
		return err
	}
	mount, err := mountID(int(s.dir.Fd()))
	if err != nil {
		return err
	}
	s.device, s.inode, s.mount = deviceText(st.Dev), st.Ino, mount
	switch {
	case mount != s.t.id.Mount.ID:
		return fmt.Errorf("%q is another mount", s.Dir())
	case st.Uid != uint32(os.Geteuid()):
		return fmt.Errorf("%q belongs to user %d", s.Dir(), st.Uid)
	}
	return nil
}

// mark writes the marker and puts it on the disk.
func (s *Scratch) mark() error {
	text, err := json.MarshalIndent(s.marker, "", "\t")
	if err != nil {
		return err
	}
	f, err := s.root.OpenFile(MarkerName, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(text, '\n'))
	return errors.Join(err, f.Sync(), f.Close(), s.dir.Sync(), s.t.dir.Sync())
}

// readMarker reads the marker and checks whose it is.
func (s *Scratch) readMarker(id string) (Marker, error) {
	f, err := s.root.OpenFile(MarkerName, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		// Not wrapped: it is the directory that is there or not.
		return Marker{}, fmt.Errorf("no marker: %v", err)
	}
	defer f.Close()
	var st unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &st); err != nil {
		return Marker{}, err
	}
	if st.Mode&unix.S_IFMT != unix.S_IFREG || st.Uid != uint32(os.Geteuid()) {
		return Marker{}, errors.New("the marker is no file of this user")
	}
	text, err := io.ReadAll(io.LimitReader(f, 64<<10))
	if err != nil {
		return Marker{}, err
	}
	var m Marker
	if err := json.Unmarshal(text, &m); err != nil {
		return Marker{}, fmt.Errorf("read the marker: %w", err)
	}
	return m, m.check(id)
}

// Dir returns the absolute path of the scratch directory.
func (s *Scratch) Dir() string { return filepath.Join(s.t.id.Dir, s.name) }

// Root gives access to the files below the scratch directory, and to none
// outside whatever the names and symbolic links. It is closed by Close.
func (s *Scratch) Root() *os.Root { return s.root }

// Close lets go of the directory, which stays.
func (s *Scratch) Close() error {
	var err error
	if s.root != nil {
		err = s.root.Close()
	}
	return errors.Join(err, s.dir.Close())
}

// Marker returns the marker.
func (s *Scratch) Marker() Marker { return s.marker }

// Check returns a *Changed where the target has changed ([Target.Check]) or
// the scratch directory is not the one that was opened any more.
func (s *Scratch) Check() error {
	if err := s.t.Check(); err != nil {
		return err
	}
	changed := func(format string, args ...any) error {
		return &changed{Dir: s.t.given, What: fmt.Sprintf(format, args...)}
	}
	var st unix.Stat_t
	if err := unix.Lstat(s.Dir(), &st); err != nil {
		return changed("has lost its scratch directory: %v", err)
	}
	if deviceText(st.Dev) != s.device || st.Ino != s.inode {
		return changed("has another scratch directory than was made")
	}
	return nil
}

// Mkdir makes a directory below the scratch directory, with those above it.
// One that is there already is left as it is.
func (s *Scratch) Mkdir(name string) error { return s.root.MkdirAll(name, 0o755) }

// Own gives the tree to an account, and lets that pass through the scratch
// directory itself, which stays this user's with its marker. It follows no
// symbolic link.
func (s *Scratch) Own(name string, uid, gid int) error {
	if err := s.dir.Chmod(0o711); err != nil {
		return err
	}
	return fs.WalkDir(s.root.FS(), filepath.ToSlash(filepath.Clean(name)), func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if path == "." || path == MarkerName {
			return nil
		}
		return s.root.Lchown(path, uid, gid)
	})
}

// RemoveTree removes a file or tree below the scratch directory. One that is
// not there is no error. It enters no other mount.
func (s *Scratch) RemoveTree(name string) error {
	name = filepath.Clean(name)
	if !filepath.IsLocal(name) || name == "." || name == MarkerName {
		return fmt.Errorf("remove %q: not a name below %q", name, s.Dir())
	}
	parent, err := s.root.Open(filepath.Dir(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer parent.Close()
	if m, err := mountID(int(parent.Fd())); err != nil || m != s.mount {
		return fmt.Errorf("remove %q: on another mount", name)
	}
	return s.remove(int(parent.Fd()), filepath.Base(name), filepath.Join(s.Dir(), name))
}

// Remove removes the scratch directory with everything in it, the marker last,
// and closes it. What is mounted inside is not entered and is an error; what
// was removed by then is gone, and Remove can be tried again. A directory that
// somebody else has removed is no error.
func (s *Scratch) Remove() error {
	var dir unix.Stat_t
	if err := unix.Fstat(int(s.dir.Fd()), &dir); err == nil && dir.Nlink == 0 {
		return s.Close()
	}
	// The marker is read again: the directory may have lost it.
	if _, err := s.readMarker(s.marker.ID); err != nil {
		return fmt.Errorf("remove %q: %w", s.Dir(), err)
	}
	names, err := readNames(int(s.dir.Fd()))
	if err != nil {
		return fmt.Errorf("remove %q: %w", s.Dir(), err)
	}
	var errs []error
	for _, name := range names {
		if name != MarkerName {
			errs = append(errs, s.remove(int(s.dir.Fd()), name, filepath.Join(s.Dir(), name)))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if err := unix.Unlinkat(int(s.dir.Fd()), MarkerName, 0); err != nil {
		return fmt.Errorf("remove the marker of %q: %w", s.Dir(), err)
	}
	// Only the directory that was opened, whatever has its name now.
	var st unix.Stat_t
	parent := int(s.t.dir.Fd())
	if err := unix.Fstatat(parent, s.name, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil || st.Ino != s.inode || deviceText(st.Dev) != s.device {
		return fmt.Errorf("remove %q: it is another directory by now", s.Dir())
	}
	if err := unix.Unlinkat(parent, s.name, unix.AT_REMOVEDIR); err != nil {
		return fmt.Errorf("remove %q: %w", s.Dir(), err)
	}
	return s.Close()
}

// remove removes one name in an open directory, and what is below it.
func (s *Scratch) remove(parent int, name, path string) error {
	err := unix.Unlinkat(parent, name, 0)
	if err == nil || errors.Is(err, unix.ENOENT) {
		return nil
	}
	if !errors.Is(err, unix.EISDIR) && !errors.Is(err, unix.EPERM) {
		return fmt.Errorf("remove %q: %w", path, err)
	}
	const flags = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC
	fd, openErr := unix.Openat(parent, name, flags, 0)
	if errors.Is(openErr, unix.EACCES) {
		// A directory that a tool made without the right to read it.
		var st unix.Stat_t
		if unix.Fstatat(parent, name, &st, unix.AT_SYMLINK_NOFOLLOW) == nil && st.Mode&unix.S_IFMT == unix.S_IFDIR {
			_ = unix.Fchmodat(parent, name, 0o700, 0)
			fd, openErr = unix.Openat(parent, name, flags, 0)
		}
	}
	if openErr != nil {
		if errors.Is(openErr, unix.ENOTDIR) {
			openErr = err // a file that may not be removed
		}
		return fmt.Errorf("remove %q: %w", path, openErr)
	}
	defer unix.Close(fd)
	if m, err := mountID(fd); err != nil || m != s.mount {
		return fmt.Errorf("remove %q: something is mounted there", path)
	}
	names, err := readNames(fd)
	if err != nil {
		return fmt.Errorf("remove %q: %w", path, err)
	}
	_ = unix.Fchmod(fd, 0o700)
	var errs []error
	for _, n := range names {
		errs = append(errs, s.remove(fd, n, filepath.Join(path, n)))
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if err := unix.Unlinkat(parent, name, unix.AT_REMOVEDIR); err != nil && !errors.Is(err, unix.ENOENT) {
		return fmt.Errorf("remove %q: %w", path, err)
	}
	return nil
}

// readNames returns the names in an open directory.
func readNames(fd int) ([]string, error) {
	again, err := unix.Openat(fd, ".", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(again), ".")
	defer f.Close()
	names, err := f.Readdirnames(-1)
	slices.Sort(names)
	return names, err
}

// RemoveEmpty removes a scratch directory without a marker, which is what a
// crash between making and marking it leaves. It does so only where nothing
// at all is in it, or nothing but a marker that was not written whole.
func (t *Target) RemoveEmpty(id string) error {
	if !ValidID(id) {
		return fmt.Errorf("remove a scratch directory: bad replay identifier %q", id)
	}
	s, err := t.openScratch(ScratchPrefix + id)
	if err != nil {
		return err
	}
	defer s.Close()
	names, err := readNames(int(s.dir.Fd()))
	if err != nil {
		return err
	}
	if slices.Equal(names, []string{MarkerName}) {
		info, err := s.root.Lstat(MarkerName)
		if err == nil && info.Mode().IsRegular() && info.Size() == 0 {
			names = nil
			_ = unix.Unlinkat(int(s.dir.Fd()), MarkerName, 0)
		}
	}
	if len(names) > 0 {
		return fmt.Errorf("%q has no marker and is not empty", s.Dir())
	}
	return unix.Unlinkat(int(t.dir.Fd()), s.name, unix.AT_REMOVEDIR)
}
