package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// session is one command of README and what README says it prints.
type session struct {
	line    int
	command string
	output  string
}

// readmeSessions returns the commands of README's console blocks.
func readmeSessions(t *testing.T, path string) []session {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out []session
	inside := false
	for i, line := range strings.Split(string(text), "\n") {
		switch {
		case line == "```console":
			inside = true
		case strings.HasPrefix(line, "```"):
			inside = false
		case inside && strings.HasPrefix(line, "$ "):
			out = append(out, session{line: i + 1, command: line[2:]})
		case inside && len(out) > 0:
			out[len(out)-1].output += line + "\n"
		}
	}
	return out
}

// TestReadme runs every command of README where README says it is run, in a
// directory with samples/, and compares what it prints.
func TestReadme(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("README's commands need bash")
	}
	dir, bin := t.TempDir(), t.TempDir()
	if out, err := exec.Command("go", "build", "-o", bin+"/", "./").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	if err := os.CopyFS(filepath.Join(dir, "samples"), os.DirFS(filepath.Join(root, "samples"))); err != nil {
		t.Fatal(err)
	}
	sessions := readmeSessions(t, filepath.Join(root, "README.md"))
	if len(sessions) < 5 {
		t.Fatalf("README has %d commands", len(sessions))
	}
	for _, s := range sessions {
		cmd := exec.Command(bash, "-o", "pipefail", "-c", s.command)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "COLUMNS=80", "LC_ALL=C.UTF-8")
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		if err := cmd.Run(); err != nil {
			t.Errorf("README.md:%d: %s: %v\n%s", s.line, s.command, err, stderr.String())
			continue
		}
		if d := cmp.Diff(s.output, stdout.String()); d != "" {
			t.Errorf("README.md:%d: %s prints (-README +command):\n%s", s.line, s.command, d)
		}
	}
}

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
