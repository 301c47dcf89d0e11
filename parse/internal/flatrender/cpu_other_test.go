//go:build !unix

package flatrender_test

import "time"

var start = time.Now()

// cpuTime returns the time since the start, for want of the time computed.
func cpuTime() time.Duration { return time.Since(start) }
