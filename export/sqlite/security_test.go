//go:build !windows

package sqlite

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestSecurityTemporary: the database in the making is one file that is nobody
// else's, whatever the umask, and has no name once it is open; no name beside it
// that somebody could have planted is used.
func TestSecurityTemporary(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	dir := t.TempDir()
	d, err := create(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer d.discard()
	if info, err := d.file.Stat(); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if names, err := os.ReadDir(dir); err != nil || len(names) > 0 {
		t.Errorf("in the directory: %v, %v", names, err)
	}
	letter := filepath.Join(t.TempDir(), "letter")
	if err := os.WriteFile(letter, []byte("dear"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, suffix := range []string{"-journal", "-wal", "-shm"} {
		if err := os.Symlink(letter, d.path+suffix); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := d.conn.ExecContext(t.Context(), "CREATE TABLE more AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 20000) SELECT i, hex(randomblob(20)) FROM n ORDER BY 2"); err != nil {
		t.Error(err)
	}
	if text, err := os.ReadFile(letter); err != nil || string(text) != "dear" {
		t.Errorf("the file that the links lead to holds %.40q, %v", text, err)
	}
}
