package cluster

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestSecurityJobFiles: a pipe in the place of a job's file is not waited for.
func TestSecurityJobFiles(t *testing.T) {
	for _, name := range []string{jobFile, planFile, "element-0.manifest.json", "element-0/result.json"} {
		dir := filepath.Join(t.TempDir(), "job")
		if err := os.CopyFS(dir, os.DirFS("../../internal/torture/testdata/job")); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, name)
		if err := errors.Join(os.Remove(path), syscall.Mkfifo(path, 0o600)); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() {
			_, err := Gather(dir)
			done <- err
		}()
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
