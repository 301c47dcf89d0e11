package native

import (
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"os"
	"syscall"
	"time"
	"unsafe"
)

// iozoneFile is the file that iozone works on.
const iozoneFile = "iozone.tmp"

// iozonePage is how often a word of a record is set and looked at.
const iozonePage = 4096

// iozone does what iozone 3.405 does with -e -r RECORD -s SIZE -i0, and with
// -read -i1 also: one process writes one new file record by record, writes it
// again, and reads it twice. fsync counts to the time of writing (-e), close
// does not. One word a page is set before a record is written, and looked at
// when it is read. Outside the clocks, as iozone 3.489 was seen to do: the
// system is synced before the first part and the file before each, and one
// record is read before those that are timed.
//
// A rate is SIZE by the seconds, in KiB/s cut to a whole number as iozone
// prints it, given here in B/s. Reading follows writing at once: a file that
// fits into memory is read from there, as published.
func iozone(r *run, args []string) (*Report, error) {
	fs := flag.NewFlagSet("iozone", flag.ContinueOnError)
	record, size := byteSize(4<<10), byteSize(512<<20)
	fs.Var(&record, "record", "record size")
	fs.Var(&size, "size", "file size")
	reads := fs.Bool("read", false, "read the file too")
	if err := parseFlags(fs, args); err != nil {
		return nil, err
	}
	if size%record != 0 || record%8 != 0 || record > 1<<30 {
		return nil, usagef("-size must be a multiple of -record, and -record of 8 and at most 1g: got %d and %d", size, record)
	}
	z := &iozoneRun{run: r, report: newReport("iozone", "1"), size: int64(size)}
	var err error
	if z.buf, err = aligned(int(record)); err != nil {
		return nil, err
	}
	defer func() { _ = syscall.Munmap(z.buf) }()
	z.report.Facts["record"], z.report.Facts["size"] = int64(record), int64(size)

	syncAll()
	fd, err := open(iozoneFile, syscall.O_WRONLY|syscall.O_CREAT|syscall.O_EXCL, 0o640)
	if errors.Is(err, os.ErrExist) {
		return nil, &os.PathError{Op: "create", Path: iozoneFile, Err: errForeign}
	}
	if err != nil {
		return nil, err
	}
	err = z.all(fd, *reads)
	if removed := os.Remove(iozoneFile); err == nil {
		err = removed
	}
	return z.report, err
}

// aligned returns n bytes of memory of their own pages.
func aligned(n int) ([]byte, error) {
	p, err := syscall.Mmap(-1, 0, n, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		return nil, fmt.Errorf("memory of %d bytes: %w", n, err)
	}
	return p, nil
}

type iozoneRun struct {
	*run
	report *Report
	buf    []byte
	size   int64

	written, gotten int64
}

// all runs the parts; fd is the new file.
func (z *iozoneRun) all(fd int, reads bool) error {
	if err := z.part("write", fd, z.write); err != nil {
		return err
	}
	if err := sized(iozoneFile, z.size); err != nil {
		return err
	}
	parts := []struct {
		name  string
		flags int
		run   func(fd int) error
	}{{"rewrite", syscall.O_WRONLY, z.write}, {"read", syscall.O_RDONLY, z.read}, {"reread", syscall.O_RDONLY, z.read}}
	if !reads {
		parts = parts[:1]
	}
	for _, p := range parts {
		fd, err := open(iozoneFile, p.flags, 0)
		if err != nil {
			return err
		}
		if err := z.part(p.name, fd, p.run); err != nil {
			return err
		}
	}
	// Written and written again, and read as often or not at all.
	z.report.equal("bytes written", z.written, 2*z.size)
	want := int64(0)
	if reads {
		want = 2 * z.size
	}
	z.report.equal("bytes read", z.gotten, want)
	return sized(iozoneFile, z.size)
}

// part times what f does with a file, and closes it.
func (z *iozoneRun) part(name string, fd int, f func(fd int) error) error {
	err := fsync(fd, iozoneFile)
	if err == nil && (name == "read" || name == "reread") {
		_, err = syscall.Pread(fd, z.buf, 0)
	}
	start := time.Now()
	if err == nil {
		err = f(fd)
	}
	seconds := time.Since(start).Seconds()
	if closed := closeFile(fd, iozoneFile); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	rate := int64(float64(z.size/1024) / seconds) // KiB/s
	z.report.sample(name, float64(rate)*1024, "B/s")
	z.report.Facts[name+"_seconds"] = seconds
	return nil
}

// mark sets a word a page of record i, or reports whether they are as set.
func (z *iozoneRun) mark(i int, set bool) bool {
	for at := 0; at+8 <= len(z.buf); at += iozonePage {
		want := uint64(i)<<20 | uint64(at/iozonePage)
		if set {
			binary.LittleEndian.PutUint64(z.buf[at:], want)
		} else if binary.LittleEndian.Uint64(z.buf[at:]) != want {
			return false
		}
	}
	return true
}

func (z *iozoneRun) write(fd int) error {
	for i := range int(z.size / int64(len(z.buf))) {
		if err := z.stop(); err != nil {
			return err
		}
		z.mark(i, true)
		if err := write(fd, iozoneFile, z.buf); err != nil {
			return err
		}
		z.written += int64(len(z.buf))
	}
	return fsync(fd, iozoneFile)
}

func (z *iozoneRun) read(fd int) error {
	for i := range int(z.size / int64(len(z.buf))) {
		if err := z.stop(); err != nil {
			return err
		}
		got, err := read(fd, iozoneFile, z.buf)
		if err != nil {
			return err
		}
		if got != len(z.buf) || !z.mark(i, false) {
			return fmt.Errorf("%s: record %d is not what was written", iozoneFile, i)
		}
		z.gotten += int64(got)
	}
	return fsync(fd, iozoneFile) // -e includes it here too
}

// address returns where a slice's memory begins.
func address(p []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(p))) }
