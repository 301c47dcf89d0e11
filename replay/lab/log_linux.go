package lab

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/benchproof/benchproof/replay/internal/target"
)

// Files of a lab's directory, beside images and mount points.
const (
	markerFile = "benchproof-lab.json"
	logFile    = "log.jsonl"
	outFile    = "make.out" // what the last program printed
	zfsFile    = "zfs.out"  // what zfs-fuse prints
	zfsPID     = "zfs.pid"
)

// marker is what the marker of a lab's directory holds. Who has it locked is
// who uses the lab.
type marker struct {
	Schema  string    `json:"schema"`
	ID      string    `json:"id"`
	PID     int       `json:"pid"`
	Started time.Time `json:"started"`
	Program string    `json:"program"`
}

const markerSchema = "benchproof/lab/1"

// Kinds of what the log of a lab holds.
const (
	thingLoop  = "loop"  // Number, Path of its image
	thingLimit = "limit" // Device, Path of the root of its control groups
	thingGroup = "group" // Path
	thingPool  = "pool"  // Path is its name
)

// thing is a line of the log: what is about to be made outside of the lab's
// directory, or, with Not, what was another's after all.
type thing struct {
	Thing  string `json:"thing"`
	Number int    `json:"number,omitempty"`
	Path   string `json:"path,omitempty"`
	Device string `json:"device,omitempty"`
	Not    bool   `json:"not,omitempty"`
}

// poolPrefix begins the names of a lab's pools; a number follows.
func poolPrefix(id string) string { return "benchproof-" + id + "-" }

// fault is for tests: it is called between the moments at which a lab can be
// killed.
var fault = func() {}

// newDir makes the directory of a lab with its marker, which stays locked as
// long as the returned file is open.
func newDir(dir string, m marker) (*os.File, error) {
	if err := os.Mkdir(dir, 0o711); err != nil {
		return nil, err
	}
	fault()
	f, err := os.OpenFile(filepath.Join(dir, markerFile), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	}
	if err == nil {
		var text []byte
		if text, err = json.Marshal(m); err == nil {
			_, err = f.Write(append(text, '\n'))
		}
	}
	if err == nil {
		err = errors.Join(f.Sync(), syncDir(dir), syncDir(filepath.Dir(dir)))
	}
	if err != nil {
		if f != nil {
			f.Close()
			_ = os.Remove(f.Name())
		}
		_ = os.Remove(dir)
		return nil, err
	}
	return f, nil
}

func syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// note writes a thing to the log, onto the disk, before it is made.
func note(dir string, t thing) error {
	text, err := json.Marshal(t)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(dir, logFile), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	fault()
	_, err = f.Write(append(text, '\n'))
	err = errors.Join(err, f.Sync(), f.Close())
	fault()
	return err
}

// readLog returns what the log of a lab has, without what was another's. A
// last line that does not end is of something that was not made.
func readLog(dir string) ([]thing, error) {
	text, err := os.ReadFile(filepath.Join(dir, logFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var list []thing
	for n := 1; ; n++ {
		line, rest, whole := bytes.Cut(text, []byte("\n"))
		if !whole {
			return list, nil
		}
		text = rest
		var t thing
		if err := json.Unmarshal(line, &t); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", filepath.Join(dir, logFile), n, err)
		}
		if !t.Not {
			list = append(list, t)
			continue
		}
		t.Not = false
		for i := range list {
			if list[i] == t {
				list = append(list[:i], list[i+1:]...)
				break
			}
		}
	}
}

// errInUse is returned for a lab that another process uses, errForeign for one
// that another user has made, or could have.
var (
	errInUse   = errors.New("another benchproof uses it")
	errForeign = errors.New("it is not this user's alone")
)

// ownLab makes sure that a lab's directory, and what its log says, is this
// user's: by it devices, mounts and pools are removed, which takes root.
func ownLab(info fs.FileInfo) error {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok || int(st.Uid) != os.Geteuid() || info.Mode().Perm()&0o022 != 0 {
		return errForeign
	}
	return nil
}

// takeOver locks the marker of a lab that is to be removed, and returns its
// identifier. The file is nil for a directory without a marker.
func takeOver(dir string) (*os.File, string, error) {
	info, err := os.Lstat(dir)
	if err != nil {
		return nil, "", err
	}
	if !info.IsDir() {
		return nil, "", fmt.Errorf("%s is no directory of a lab", dir)
	}
	if err := ownLab(info); err != nil {
		return nil, "", fmt.Errorf("%s: %w", dir, err)
	}
	f, err := os.OpenFile(filepath.Join(dir, markerFile), os.O_RDWR|unix.O_NOFOLLOW, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, "", nil
	}
	if err != nil {
		return nil, "", err
	}
	for _, file := range []string{markerFile, logFile} {
		// Whoever owns the directory may have been given files of others.
		info, err := os.Lstat(filepath.Join(dir, file))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil && !info.Mode().IsRegular() {
			err = errForeign
		}
		if err == nil {
			err = ownLab(info)
		}
		if err != nil {
			f.Close()
			return nil, "", fmt.Errorf("%s: %w", filepath.Join(dir, file), err)
		}
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		f.Close()
		return nil, "", fmt.Errorf("%s: %w", dir, errInUse)
	}
	text, err := os.ReadFile(f.Name())
	var m marker
	if err == nil && len(text) > 0 {
		err = json.Unmarshal(text, &m)
	}
	switch {
	case err != nil:
		f.Close()
		return nil, "", fmt.Errorf("%s: %w", f.Name(), err)
	case len(text) == 0: // it was killed while it wrote, and made nothing more
		return f, "", nil
	case m.Schema != markerSchema || !target.ValidID(m.ID) || filepath.Base(dir) != prefix+m.ID:
		f.Close()
		return nil, "", fmt.Errorf("%s is no marker of this directory", f.Name())
	}
	return f, m.ID, nil
}
