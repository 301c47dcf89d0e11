package guest

import (
	"os"
	"path/filepath"
	"runtime"

	"github.com/benchproof/benchproof/replay/internal/process"
	"github.com/benchproof/benchproof/replay/lab"
)

// kernelHint is what helps where there is no kernel for a guest.
const kernelHint = "unpack Debian's linux-image-amd64 into " + kernelDir + ": doc/lab.md has the two lines"

// Lacks says what is missing to make a configuration of disks of such a size in
// a guest of this machine, and what would help; "" for nothing.
func Lacks(s lab.Spec, size int64) (reason, hint string) {
	if runtime.GOARCH != "amd64" {
		return "guests are for amd64 alone", ""
	}
	names, ok := modulesFor(s)
	if !ok {
		return "Debian's kernel has no " + s.FS, "--target NAME=DIR measures a file-system of your own"
	}
	if find(emulator) == "" {
		return emulator + " is not installed", "install qemu-system-x86"
	}
	if reason, hint = lab.This().LacksInGuest(s, size); reason != "" {
		return reason, hint
	}
	if _, err := findKernel(kernelRoots(), names); err != nil {
		return err.Error(), kernelHint
	}
	return "", ""
}

// kernelRoots are the directories below which there may be kernels: of packages
// that were unpacked for guests by root or by this user, else what is installed.
func kernelRoots() []string {
	roots := []string{kernelDir}
	if dir, err := os.UserCacheDir(); err == nil {
		roots = append(roots, filepath.Join(dir, "benchproof", "guest"))
	}
	return append(roots, "/")
}

// find returns the path of a program in the directories in which programs of a
// replay are looked up, "" for none.
func find(program string) string {
	for _, dir := range filepath.SplitList(process.Path) {
		name := filepath.Join(dir, program)
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return name
		}
	}
	return ""
}
