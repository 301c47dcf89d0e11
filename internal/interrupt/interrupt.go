// Package interrupt takes the signals that end a program from its first
// moment on.
//
// A program takes them in main at the earliest, and that is late: what
// packages prepare before it takes 10 ms, more on a busy machine, and until
// then a signal ends the process by itself, or dumps its stacks. This package
// imports next to nothing, so that its own turn comes first.
package interrupt

import (
	"os"
	"os/signal"
	"syscall"
)

// signals gets what came, and keeps a few until they are asked for.
var signals = catch()

func catch() chan os.Signal {
	c := make(chan os.Signal, 8)
	list := []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT}
	if !signal.Ignored(syscall.SIGHUP) {
		list = append(list, syscall.SIGHUP)
	}
	signal.Notify(c, list...)
	return c
}

// Signals returns a channel with every interrupt, termination, quit and
// hang-up since the program began. A hang-up that is ignored from the start,
// as nohup has it, stays ignored.
func Signals() <-chan os.Signal { return signals }

// Release lets signals do what they do to a program that takes none. It is for
// programs that import this package without being the command: tests.
func Release() { signal.Stop(signals) }
