package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestReadmeFirstCommand runs the commands that README names first, as one, so
// that they build once.
func TestReadmeFirstCommand(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command")
	}
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("needs make")
	}
	dir := t.TempDir()
	cmd := exec.Command("make", "-s", "-C", "../..", "samples", "install",
		"BIN="+filepath.Join(dir, "bin"), "OUT="+filepath.Join(dir, "out"), "PREFIX="+filepath.Join(dir, "usr"))
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("make samples install: %v\n%s", err, out)
	}
	if !bytes.Contains(out, []byte("SSD          86.08")) {
		t.Errorf("make samples shows:\n%s", out)
	}
	if info, err := os.Stat(filepath.Join(dir, "out", "samples.xlsx")); err != nil || info.Size() < 10_000 {
		t.Errorf("make samples: workbook: %v", err)
	}
	for _, name := range []string{"bin/benchproof", "share/man/man1/benchproof.1", "share/bash-completion/completions/benchproof"} {
		if info, err := os.Stat(filepath.Join(dir, "usr", name)); err != nil || info.Size() < 1000 {
			t.Errorf("make install: %s: %v", name, err)
		}
	}
	if !bytes.Contains(out, []byte("export PATH="+filepath.Join(dir, "usr", "bin")+":$PATH")) {
		t.Errorf("make install does not say how a shell finds it:\n%s", out)
	}
}
