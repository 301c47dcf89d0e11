package main

import (
	"fmt"
	"runtime"
)

// measures reports whether this system is one on whose disks replay measures.
const measures = runtime.GOOS == "linux"

// linuxOnly returns the error of what measures disks, on a system where that
// cannot be done; on Linux nil.
func linuxOnly(what string) error {
	if measures {
		return nil
	}
	return failed("replay plan without --target, verify, status and gather work on every system",
		fmt.Errorf("%s is Linux only: this is %s", what, runtime.GOOS))
}
