package native

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"time"
	"unsafe"
)

// The calls are the system's own and not package os's: an os.File adds calls
// to each open (it tries to have it polled), and what a driver does to the
// file-system should be what the tool does.

// open opens a file by its name.
func open(name string, flags int, mode uint32) (int, error) {
	for {
		fd, err := syscall.Open(name, flags|syscall.O_CLOEXEC, mode)
		if err == nil {
			return fd, nil
		}
		if err != syscall.EINTR {
			return -1, &os.PathError{Op: "open", Path: name, Err: err}
		}
	}
}

// write writes all of p in as few calls as the system lets it.
func write(fd int, name string, p []byte) error {
	for len(p) > 0 {
		n, err := syscall.Write(fd, p)
		switch {
		case err == syscall.EINTR:
			continue
		case err != nil:
			return &os.PathError{Op: "write", Path: name, Err: err}
		case n == 0:
			return &os.PathError{Op: "write", Path: name, Err: errors.New("nothing was written")}
		}
		p = p[n:]
	}
	return nil
}

// read reads once, as much as there is; 0 is the end of the file.
func read(fd int, name string, p []byte) (int, error) {
	for {
		n, err := syscall.Read(fd, p)
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return 0, &os.PathError{Op: "read", Path: name, Err: err}
		}
		return n, nil
	}
}

// fsync makes a file durable.
func fsync(fd int, name string) error {
	for {
		err := syscall.Fsync(fd)
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return &os.PathError{Op: "fsync", Path: name, Err: err}
		}
		return nil
	}
}

// closeFile closes a file; its error is one of writing.
func closeFile(fd int, name string) error {
	if err := syscall.Close(fd); err != nil && err != syscall.EINTR {
		return &os.PathError{Op: "close", Path: name, Err: err}
	}
	return nil
}

// errForeign is why a driver does not start.
var errForeign = errors.New("it is there already and not of this run: remove it first")

// claimDir makes a folder that nobody had before.
func claimDir(name string) error {
	err := os.Mkdir(name, 0o700)
	if errors.Is(err, fs.ErrExist) {
		return &os.PathError{Op: "mkdir", Path: name, Err: errForeign}
	}
	return err
}

// free reports an error where there is something of the name.
func free(name string) error {
	_, err := os.Lstat(name)
	switch {
	case err == nil:
		return &os.PathError{Op: "create", Path: name, Err: errForeign}
	case errors.Is(err, fs.ErrNotExist):
		return nil
	}
	return err
}

// dropCaches empties the caches of pages, dentries and inodes, which only root
// may.
func dropCaches() error {
	return os.WriteFile("/proc/sys/vm/drop_caches", []byte("3\n"), 0)
}

// syncAll has the system write all that is not yet on its disks. Tests, which
// look at files and not at disks, do not wait for what others wrote.
var syncAll = syscall.Sync

// monotonic returns the system's monotonic clock, which is the same for all
// its processes.
func monotonic() time.Duration {
	var ts syscall.Timespec
	const clockMonotonic = 1
	// It cannot fail: the clock exists and the address is good.
	_, _, _ = syscall.Syscall(syscall.SYS_CLOCK_GETTIME, clockMonotonic, uintptr(unsafe.Pointer(&ts)), 0)
	return time.Duration(ts.Nano())
}

// sized checks a file's size.
func sized(name string, want int64) error {
	info, err := os.Lstat(name)
	if err != nil {
		return err
	}
	if info.Size() != want {
		return fmt.Errorf("%s: it has %d bytes, want %d", name, info.Size(), want)
	}
	return nil
}
