package main

import (
	"flag"
	"runtime"
	"strconv"
	"testing"
)

// Half of the time that the tests of the commands take is waited for: for a
// queue, for a tool that runs a second, for a disk that is held to a speed. So
// what only waits runs at once, and of what computes beside it only so many as
// keep the processors busy.

// computing has room for those that run at once; more than the processors, since
// they wait for processes and files, too.
var computing = make(chan struct{}, 2*runtime.NumCPU())

// allAtOnce lets all tests that wait run at once, where the command line of the
// tests does not say another number.
func allAtOnce() error { return flag.Set("test.parallel", strconv.Itoa(max(64, runtime.NumCPU()))) }

// computes is t.Parallel of a test that computes. A test whose own tests compute
// is none.
func computes(t *testing.T) {
	t.Helper()
	t.Parallel()
	t.Cleanup(compute())
}

// compute waits for a place among those that compute, and returns what leaves it.
func compute() (end func()) {
	computing <- struct{}{}
	return func() { <-computing }
}
