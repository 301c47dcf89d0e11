//go:build !linux

package replay

import (
	"os"

	"github.com/benchproof/benchproof/replay/internal/process"
)

func lockFile(*os.File) error { return process.ErrSystem }
func syncDir(string) error    { return nil }
