//go:build !linux

package replay

import (
	"os"
	"syscall"

	"github.com/benchproof/benchproof/replay/internal/process"
	"github.com/benchproof/benchproof/replay/internal/target"
)

func lockFile(*os.File) error { return process.ErrSystem }
func syncDir(string) error    { return nil }

func openRegular(name string) (*os.File, error) { return os.Open(name) }
func ownJournal(string, *os.File) error         { return process.ErrSystem }
func plainBelow(string) error                   { return process.ErrSystem }

// OwnDir looks at nothing on this system.
func OwnDir(string) error                                     { return nil }
func original(dir, id string, targets []*target.Target) error { return process.ErrSystem }

// OwnFile looks at nothing on this system.
func OwnFile(string) error { return nil }

func ownGroup() *syscall.SysProcAttr { return nil }
func killGroup(p *os.Process) error  { return p.Kill() }
