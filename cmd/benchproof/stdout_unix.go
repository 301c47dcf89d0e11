//go:build !windows

package main

import (
	"errors"
	"syscall"
)

// readerGone reports whether err says that the reader of a pipe went away.
func readerGone(err error) bool { return errors.Is(err, syscall.EPIPE) }
