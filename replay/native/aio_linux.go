package native

import (
	"fmt"
	"syscall"
	"unsafe"
)

// aio is a context of the kernel's asynchronous input and output.
type aio struct {
	ctx uintptr
	// kept are the requests that the kernel holds an address of.
	kept []*iocb
}

// iocb is the kernel's struct iocb.
type iocb struct {
	data      uint64
	key       uint32
	rwFlags   uint32
	opcode    uint16
	priority  int16
	fd        uint32
	buf       uint64
	bytes     uint64
	offset    int64
	reserved  uint64
	flags     uint32
	resultsFd uint32
}

// ioEvent is the kernel's struct io_event.
type ioEvent struct {
	data, obj uint64
	res, res2 int64
}

const aioPread = 0 // IOCB_CMD_PREAD

// newAIO returns a context for n requests at once.
func newAIO(n int) (*aio, error) {
	var a aio
	if _, _, e := syscall.Syscall(syscall.SYS_IO_SETUP, uintptr(n), uintptr(unsafe.Pointer(&a.ctx)), 0); e != 0 {
		return nil, fmt.Errorf("io_setup: %w", e)
	}
	return &a, nil
}

// read submits a read of all of p. The caller keeps p until reap, and p is
// memory that the garbage collector does not move or free.
func (a *aio) read(fd int, p []byte, offset int64) error {
	q := &iocb{opcode: aioPread, fd: uint32(fd), buf: uint64(address(p)), bytes: uint64(len(p)), offset: offset}
	a.kept = append(a.kept, q)
	list := [1]*iocb{q}
	n, _, e := syscall.Syscall(syscall.SYS_IO_SUBMIT, a.ctx, 1, uintptr(unsafe.Pointer(&list)))
	if e != 0 {
		a.kept = a.kept[:len(a.kept)-1]
		return fmt.Errorf("io_submit: %w", e)
	}
	if n != 1 {
		return fmt.Errorf("io_submit: took %d requests of 1", n)
	}
	return nil
}

// reap waits for all requests, and reports the first that was not filled.
func (a *aio) reap() error {
	events := make([]ioEvent, len(a.kept))
	for done := 0; done < len(a.kept); {
		left := len(a.kept) - done
		n, _, e := syscall.Syscall6(syscall.SYS_IO_GETEVENTS, a.ctx, uintptr(left), uintptr(left),
			uintptr(unsafe.Pointer(&events[done])), 0, 0)
		if e == syscall.EINTR {
			continue
		}
		if e != 0 {
			return fmt.Errorf("io_getevents: %w", e)
		}
		done += int(n)
	}
	for _, ev := range events {
		if ev.res < 0 {
			return fmt.Errorf("asynchronous read: %w", syscall.Errno(-ev.res))
		}
		for _, q := range a.kept {
			if uint64(uintptr(unsafe.Pointer(q))) == ev.obj && uint64(ev.res) != q.bytes {
				return fmt.Errorf("asynchronous read: %d bytes of %d", ev.res, q.bytes)
			}
		}
	}
	a.kept = a.kept[:0]
	return nil
}

// close waits for what is on its way and ends the context.
func (a *aio) close() error {
	if _, _, e := syscall.Syscall(syscall.SYS_IO_DESTROY, a.ctx, 0, 0); e != 0 {
		return fmt.Errorf("io_destroy: %w", e)
	}
	return nil
}
