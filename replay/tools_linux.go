package replay

import (
	"os"
	"syscall"
)

// ownGroup has a program lead a process group of its own, and has the kernel
// kill it when the thread that started it ends: with this program, if that
// thread is kept until the program has ended.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// killGroup kills a program of ownGroup, and all that it has started.
func killGroup(p *os.Process) error { return syscall.Kill(-p.Pid, syscall.SIGKILL) }
