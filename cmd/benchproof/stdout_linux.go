package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

// userShells are the programs that start others with stdout closed (>&-).
var userShells = []string{
	"ash", "bash", "busybox", "dash", "fish", "ksh", "ksh93", "lksh", "mksh", "rbash", "sh", "yash", "zsh",
}

// stdoutClosed reports whether a shell started this process with its stdout
// closed.
//
// The runtime opens the null device, to read and write, in the place of a
// closed stream before any other code can look. Programs other than shells may
// well give such a stdout on purpose, to be rid of the output; a shell opens
// /dev/null to write only. So the answer is yes where the parent is a shell
// that has another stdout itself, and no wherever that cannot be told.
func stdoutClosed() bool {
	flags, _, errno := syscall.Syscall(syscall.SYS_FCNTL, 1, syscall.F_GETFL, 0)
	if errno != 0 {
		return errno == syscall.EBADF
	}
	null, err := os.Stat(os.DevNull)
	if err != nil || flags&syscall.O_ACCMODE != syscall.O_RDWR || !sameAs(os.Stdout.Stat, null) {
		return false
	}
	parent := fmt.Sprintf("/proc/%d/", os.Getppid())
	exe, err := os.Readlink(parent + "exe")
	if err != nil || !slices.Contains(userShells, filepath.Base(exe)) {
		return false
	}
	info, err := os.Stat(parent + "fd/1")
	if err != nil {
		return errors.Is(err, fs.ErrNotExist) // the shell has none itself
	}
	return !os.SameFile(info, null)
}

func sameAs(stat func() (fs.FileInfo, error), other fs.FileInfo) bool {
	info, err := stat()
	return err == nil && os.SameFile(info, other)
}
