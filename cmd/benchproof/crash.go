package main

import (
	"fmt"
	"runtime/debug"
)

// errInternal is what a panic was, as an error that ends the command. It has
// the code of failure: a script must not take it for a wrong use.
func errInternal(cause any) error {
	return failed("", fmt.Errorf("internal error: %v; please report it, with the input that leads to it", cause))
}

// recovered, deferred, turns a panic of the command into one line and the
// code of failure. What was begun is undone. The place of the panic is
// printed with --verbose.
func (a *app) recovered(code *int) {
	cause := recover()
	if cause == nil {
		return
	}
	*code = exitFailed
	stack := debug.Stack()
	if late, ok := cause.(*lateCrash); ok {
		stack = late.stack
	}
	a.e.cleanup.run()
	a.m.error(errInternal(cause))
	if a.globals.verbose {
		fmt.Fprintf(a.e.stderr, "%s", stack)
	}
}
