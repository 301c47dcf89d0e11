package corpus

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestSecurityPipe: a pipe in the place of a corpus' file is not waited for.
func TestSecurityPipe(t *testing.T) {
	for _, name := range []string{manifestName, filepath.Join(dataDir, "part-000001", tableFile(tableFiles))} {
		dir := filepath.Join(t.TempDir(), "set")
		input := put(t, filepath.Join(t.TempDir(), "a.json"), made(1))
		if _, err := Add(t.Context(), dir, Walk(input), AddOptions{}); err != nil {
			t.Fatal(err)
		}
		opened, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, name)
		if err := errors.Join(os.Remove(path), syscall.Mkfifo(path, 0o600)); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 2)
		go func() {
			again, err := Open(dir)
			if err == nil {
				err = again.Check()
			}
			done <- err
			if name == manifestName {
				_, err = Add(t.Context(), dir, Walk(input), AddOptions{})
			} else { // what would be started is no engine
				_, err = opened.Query(t.Context(), "FROM files", nil, QueryOptions{Engine: "/bin/false"}, nil, nil)
			}
			done <- err
		}()
		for range cap(done) {
			select {
			case err := <-done:
				if err == nil || !strings.Contains(err.Error(), "is no regular file") {
					t.Errorf("a pipe for %s: %v", name, err)
				}
			case <-time.After(20 * time.Second):
				t.Fatalf("a pipe for %s is waited for", name)
			}
		}
	}
}
