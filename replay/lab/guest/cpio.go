package guest

import (
	"fmt"
	"io"
	"os"
)

// Types of files in an archive, as in st_mode.
const (
	modeDir     = 0o040000
	modeFile    = 0o100000
	modeLink    = 0o120000
	modeCharDev = 0o020000
)

// archive writes what the kernel unpacks as a guest's root: a cpio archive in
// its "newc" form (Linux, Documentation/driver-api/early-userspace/
// buffer-format.rst). All files are root's, of no date. The first error stays.
type archive struct {
	out   io.Writer
	inode int
	at    int64
	err   error
}

// entry begins a file: its size bytes are written next.
func (a *archive) entry(name string, mode uint32, size int64, major, minor int) {
	if a.err != nil {
		return
	}
	if size > 0xffffffff {
		a.err = fmt.Errorf("%s: %d bytes are too many for the guest's root", name, size)
		return
	}
	a.inode++
	a.print("070701%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%s\x00",
		a.inode, mode, 0, 0, 1, 0, size, 0, 0, major, minor, len(name)+1, 0, name)
	a.pad()
}

func (a *archive) print(format string, args ...any) {
	if a.err != nil {
		return
	}
	n, err := fmt.Fprintf(a.out, format, args...)
	a.at += int64(n)
	a.err = err
}

// pad fills up to a multiple of four bytes.
func (a *archive) pad() { a.print("%s", "\x00\x00\x00"[:(4-a.at%4)%4]) }

// dir adds a directory. Those above it must be there.
func (a *archive) dir(name string, perm uint32) { a.entry(name, modeDir|perm, 0, 0, 0) }

// text adds a file that holds text.
func (a *archive) text(name, text string, perm uint32) {
	a.entry(name, modeFile|perm, int64(len(text)), 0, 0)
	a.print("%s", text)
	a.pad()
}

// link adds a symbolic link.
func (a *archive) link(name, to string) {
	a.entry(name, modeLink|0o777, int64(len(to)), 0, 0)
	a.print("%s", to)
	a.pad()
}

// device adds a character device.
func (a *archive) device(name string, major, minor int) {
	a.entry(name, modeCharDev|0o600, 0, major, minor)
}

// copy adds a file of this machine.
func (a *archive) copy(name, from string, perm uint32) {
	if a.err != nil {
		return
	}
	file, err := os.Open(from)
	if err != nil {
		a.err = err
		return
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		a.err = err
		return
	}
	a.entry(name, modeFile|perm, info.Size(), 0, 0)
	if a.err != nil {
		return
	}
	n, err := io.Copy(a.out, io.LimitReader(file, info.Size()))
	a.at += n
	if err == nil && n != info.Size() {
		err = fmt.Errorf("%s became shorter while it was read", from)
	}
	a.err = err
	a.pad()
}

// end writes what ends an archive, and returns the first error.
func (a *archive) end() error {
	a.entry("TRAILER!!!", 0, 0, 0, 0)
	return a.err
}
