package main

import (
	"errors"
	"syscall"
)

// errNoData is what Windows says of a pipe whose reader is closing it.
const errNoData syscall.Errno = 232

// readerGone reports whether err says that the reader of a pipe went away.
func readerGone(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ERROR_BROKEN_PIPE) || errors.Is(err, errNoData)
}
