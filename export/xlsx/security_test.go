//go:build !windows

package xlsx

import (
	"os"
	"syscall"
	"testing"
)

// TestSecurityTemporary: a sheet that does not fit into memory is kept in a file
// that is nobody else's, and has no name once it is open.
func TestSecurityTemporary(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	s := &spool{}
	defer s.discard()
	if _, err := s.Write(make([]byte, spoolMost+1)); err != nil {
		t.Fatal(err)
	}
	if s.file == nil {
		t.Fatal("it is in memory")
	}
	if info, err := s.file.Stat(); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if names, err := os.ReadDir(dir); err != nil || len(names) > 0 {
		t.Errorf("in the directory: %v, %v", names, err)
	}
}
