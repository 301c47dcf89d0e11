package process

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// Reach reports why the account cannot enter the directory, by the permission
// bits of it and of every one above it; nil if it can. Access lists are not
// read: where they allow more, this is too strict.
func (a *Account) Reach(dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	for at := dir; ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		if err != nil {
			return fmt.Errorf("enter %q as %s: %w", dir, a.Name, err)
		}
		st, ok := info.Sys().(*syscall.Stat_t)
		if !ok {
			return fmt.Errorf("enter %q as %s: no owner known", dir, a.Name)
		}
		bit := os.FileMode(0o001)
		switch {
		case st.Uid == a.UID:
			bit = 0o100
		case st.Gid == a.GID:
			bit = 0o010
		}
		if info.Mode()&bit == 0 {
			return fmt.Errorf("enter %q as %s: %q does not let that account through", dir, a.Name, at)
		}
		if at == filepath.Dir(at) {
			return nil
		}
	}
}
