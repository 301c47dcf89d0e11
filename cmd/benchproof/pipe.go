package main

import (
	"io"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
)

// catchPipe has writes to a pipe without a reader fail. Without it the first
// such write to stdout or stderr would end the process at that very place, with
// its files half-written and its programs running.
func catchPipe() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }

// goneError is the error of an output whose reader has gone: of stdout, or of a
// pipe that -o names.
type goneError struct{ err error }

func (e *goneError) Error() string { return e.err.Error() }
func (e *goneError) Unwrap() error { return e.err }

// outputError returns what an error of writing to an output means.
func outputError(err error) error {
	if readerGone(err) {
		return &goneError{err}
	}
	return err
}

// pipeWriter is a stdout that remembers that its reader has gone.
type pipeWriter struct {
	io.Writer
	gone atomic.Bool
}

func (p *pipeWriter) Write(b []byte) (int, error) {
	n, err := p.Writer.Write(b)
	if readerGone(err) {
		p.gone.Store(true)
	}
	return n, outputError(err)
}

// end ends the process as a tool ends whose reader has gone, so that a shell
// sees that it was no failure. It returns where that cannot be done.
func (p *pipeWriter) end() {
	signal.Reset(syscall.SIGPIPE)
	_, _ = p.Writer.Write([]byte{'\n'}) // nobody reads it
}
