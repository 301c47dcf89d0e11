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
	"strings"

	"golang.org/x/sys/unix"
)

// Locks are held locks.
type Locks struct{ files []*os.File }

// LockDir is where lock files lie: /run/lock, which every user may write to
// and which a reboot empties, else the directory for temporary files.
func LockDir() string {
	if unix.Access("/run/lock", unix.W_OK|unix.X_OK) == nil {
		return "/run/lock"
	}
	return os.TempDir()
}

// Lock locks the targets of one replay, and the whole disks below them, for it
// alone. Targets of one replay may share a disk. Where another replay holds
// one, be it another user's, the error is a *Refusal that names it, and nothing
// is locked.
//
// The locks are advisory ones of the kernel (flock(2)) on small files in dir
// ([LockDir]), one a disk and one a file-system without a disk, called
// benchproof-disk-NAME.lock or benchproof-dev-MAJOR:MINOR.lock. They end with
// this process, however it ends; the files stay, and mean nothing unlocked.
func Lock(dir string, holder Holder, targets ...*Target) (*Locks, error) {
	holder.PID, holder.User = os.Getpid(), os.Geteuid()
	type want struct {
		name string
		of   *Target
	}
	var wants []want
	for _, t := range targets {
		names := []string{"dev-" + t.id.Device}
		if disks := runningSystem().Devices(t.id.Mount).Disks; len(disks) > 0 {
			names = nil
			for _, d := range disks {
				names = append(names, "disk-"+d.Name)
			}
		}
		for _, n := range names {
			if !slices.ContainsFunc(wants, func(w want) bool { return w.name == n }) {
				wants = append(wants, want{n, t})
			}
		}
	}
	// One order for all, so that of two replays one always wins.
	slices.SortFunc(wants, func(a, b want) int { return strings.Compare(a.name, b.name) })
	l := &Locks{}
	for _, w := range wants {
		name := "benchproof-" + strings.ReplaceAll(w.name, "/", "!") + ".lock"
		f, err := openLock(filepath.Join(dir, name))
		if err != nil {
			l.Unlock()
			return nil, fmt.Errorf("lock %q: %w", w.of.given, err)
		}
		l.files = append(l.files, f)
		err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if errors.Is(err, unix.EWOULDBLOCK) {
			who := readHolder(f)
			l.Unlock()
			return nil, &Refusal{
				Dir:    w.of.given,
				Reason: fmt.Sprintf("shares its disk (%s) with a replay that runs: %s", w.name, who),
				Hint:   "wait for its end: two at once would measure each other",
			}
		}
		if err != nil {
			l.Unlock()
			return nil, fmt.Errorf("lock %q: %w", w.of.given, err)
		}
		holder.Target = w.of.id.Dir
		writeHolder(f, holder)
	}
	return l, nil
}

// openLock opens or makes a lock file that every user can lock and write. In
// a directory that all may write to, the kernel may refuse to open another's
// file with O_CREAT (fs.protected_regular), so making is apart from opening.
func openLock(name string) (*os.File, error) {
	for range 3 {
		f, err := os.OpenFile(name, os.O_RDWR|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
		if errors.Is(err, fs.ErrPermission) {
			f, err = os.OpenFile(name, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
		}
		if err == nil {
			// A second name may be that of somebody's file, which the
			// holder would be written into.
			var st unix.Stat_t
			if err := unix.Fstat(int(f.Fd()), &st); err != nil || st.Mode&unix.S_IFMT != unix.S_IFREG || st.Nlink != 1 {
				f.Close()
				return nil, fmt.Errorf("%q is no regular file of one name", name)
			}
			return f, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		f, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL|unix.O_NOFOLLOW, 0o666)
		if err == nil {
			// The umask took the others' right away.
			_ = f.Chmod(0o666)
			return f, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
	}
	return nil, fmt.Errorf("%q comes and goes", name)
}

// writeHolder says in the lock file who holds it. It is for people; where it
// cannot be written, the lock holds all the same.
func writeHolder(f *os.File, h Holder) {
	text, err := json.Marshal(h)
	if err == nil && f.Truncate(0) == nil {
		_, _ = f.WriteAt(append(text, '\n'), 0)
	}
}

// readHolder says who holds a lock.
func readHolder(f *os.File) string {
	text, err := io.ReadAll(io.NewSectionReader(f, 0, 4096))
	var h Holder
	if err != nil || json.Unmarshal(text, &h) != nil || unix.Kill(h.PID, 0) != nil && !errors.Is(unix.Kill(h.PID, 0), unix.EPERM) {
		return "it does not say which"
	}
	return fmt.Sprintf("replay %q of user %d (pid %d) on %q since %s", h.ID, h.User, h.PID, h.Target, h.Started.UTC().Format("2006-01-02 15:04:05 UTC"))
}

// Unlock lets go of all locks.
func (l *Locks) Unlock() {
	for _, f := range l.files {
		_ = f.Close()
	}
	l.files = nil
}

// runningSystem is this machine's.
func runningSystem() System { return System{Sys: "/sys", Stat: statDevices} }

func statDevices(name string) (on, is string, err error) {
	var st unix.Stat_t
	if err := unix.Stat(name, &st); err != nil {
		return "", "", &fs.PathError{Op: "stat", Path: name, Err: err}
	}
	if st.Mode&unix.S_IFMT == unix.S_IFBLK {
		is = deviceText(st.Rdev)
	}
	return deviceText(st.Dev), is, nil
}

// Devices returns the block devices behind the target.
func (t *Target) Devices() Devices { return runningSystem().Devices(t.id.Mount) }
