package main

import (
	"os"
	"syscall"
)

// peakMiB returns the most memory that an ended process had.
func peakMiB(p *os.ProcessState) float64 {
	usage, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return float64(usage.Maxrss) / 1024
}
