//go:build unix

package flatrender_test

import (
	"syscall"
	"time"
)

// cpuTime returns the time that this process has computed: other work on the
// machine does not count.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
