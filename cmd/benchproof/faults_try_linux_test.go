package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// faultFixture makes what the commands read, and says what is not at hand.
type faultFixture struct {
	dir, id, engine, path string
	lacks                 map[string]string // by need
}

func newFaultFixture(t *testing.T) *faultFixture {
	t.Helper()
	return makeFaultFixture(t, true)
}

// makeFaultFixture is newFaultFixture, with or without what takes a run of a
// tool.
func makeFaultFixture(t *testing.T, tools bool) *faultFixture {
	t.Helper()
	f := &faultFixture{dir: t.TempDir(), lacks: map[string]string{}}
	for from, to := range map[string]string{"small.txt": "small.txt", "small.xml": "small.xml"} {
		text, err := os.ReadFile(filepath.Join("testdata/input", from))
		if err == nil {
			err = os.WriteFile(filepath.Join(f.dir, to), text, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	unpackScript(t, "testdata/script/replay_hosts.txtar", f.dir)
	unpackScript(t, "testdata/script/replay_submit.txtar", f.dir)
	for _, name := range []string{"sinfo", "scontrol", "sbatch", "squeue", "scancel"} {
		if err := os.Chmod(filepath.Join(f.dir, "bin", name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	f.path = filepath.Join(f.dir, "bin") + string(os.PathListSeparator) + os.Getenv("PATH")
	runs := func(args ...string) string {
		t.Helper()
		c := process(t, args...)
		c.Env = append(os.Environ(), "PATH="+f.path, "LOG="+os.DevNull, "SLURM_ARRAY_TASK_ID=0", "SLURMD_NODENAME=n1")
		var stderr strings.Builder
		c.Stderr = &stderr
		out, err := c.Output()
		if err != nil {
			t.Fatalf("%q: %v: %s", args, err, stderr.String())
		}
		return string(out)
	}
	set := filepath.Join(f.dir, "set")
	runs("corpus", "add", filepath.Join(f.dir, "small.txt"), "--into", set)
	for id := range corpusRecords(t, set) {
		f.id = id
	}
	f.engine = os.Getenv("BENCHPROOF_SQL")
	if f.engine == "" {
		f.engine, _ = filepath.Abs("../../bin/benchproof-sql")
	}
	if _, err := os.Stat(f.engine); err != nil {
		f.lacks["engine"] = "benchproof-sql is not built"
	}
	if _, err := exec.LookPath("fio"); err != nil || !tools {
		f.lacks["fio"] = "needs fio"
		return f
	}
	disk := filepath.Join(f.dir, "disk")
	if err := os.Mkdir(disk, 0o755); err != nil {
		t.Fatal(err)
	}
	input, scaled := filepath.Join(f.dir, "fio.json"), []string{"--scale", "0.004", "--runs", "1", "--test", "Random", "--lock-dir", f.dir, "--target", "d=" + disk, "-q"}
	runs(append([]string{"replay", "run", input, "--journal", filepath.Join(f.dir, "journal")}, scaled...)...)
	runs(append([]string{"replay", "submit", input, "--slurm", "--hosts", "n1", "--time", "5m", "--journal", filepath.Join(f.dir, "job")}, scaled...)...)
	runs("replay", "element", filepath.Join(f.dir, "job"))
	return f
}

// unpackScript writes the files of a test script.
func unpackScript(t *testing.T, script, dir string) {
	t.Helper()
	text, err := os.ReadFile(script)
	if err != nil {
		t.Fatal(err)
	}
	var file *os.File
	for line := range strings.Lines(string(text)) {
		if name, ok := strings.CutPrefix(strings.TrimSuffix(line, " --\n"), "-- "); ok && strings.HasSuffix(line, " --\n") {
			path := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if file, err = os.Create(path); err != nil {
				t.Fatal(err)
			}
			defer file.Close()
		} else if file != nil {
			if _, err := io.WriteString(file, line); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// faultTry is one run of a command with a fault.
type faultTry struct {
	f   *faultFixture
	dir string // with out/ and tmp/ in it
	cmd *exec.Cmd

	stdout, stderr strings.Builder
}

// try makes ready a run of a command, with more arguments. The shell, if it is
// not "", is what is run with the command as "$0" "$@".
func (f *faultFixture) try(t *testing.T, c *faultCommand, shell string, more ...string) *faultTry {
	t.Helper()
	r := &faultTry{f: f, dir: t.TempDir()}
	if err := errors.Join(os.Mkdir(filepath.Join(r.dir, "out"), 0o755), os.Mkdir(filepath.Join(r.dir, "tmp"), 0o755)); err != nil {
		t.Fatal(err)
	}
	var args []string
	for _, a := range slices.Concat(c.args, more) {
		args = append(args, strings.NewReplacer("$ENGINE", f.engine, "$ID", f.id, "$D", r.dir, "$F", f.dir).Replace(a))
	}
	r.cmd = process(t, args...)
	if shell != "" {
		// As "benchproof" it is the one that the tests have put on PATH.
		r.cmd = exec.Command("sh", append([]string{"-c", shell, "benchproof"}, args...)...)
	}
	r.cmd.Dir = r.dir
	r.cmd.Env = append(os.Environ(), "PATH="+f.path, "LOG="+os.DevNull, "TMPDIR="+filepath.Join(r.dir, "tmp"))
	r.cmd.Stdout, r.cmd.Stderr = &r.stdout, &r.stderr
	return r
}

// out returns the path of a file in the directory for outputs.
func (r *faultTry) out(name string) string { return filepath.Join(r.dir, "out", name) }

// run runs it and returns its exit code; below zero is the signal that ended it.
func (r *faultTry) run(t *testing.T) int {
	t.Helper()
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return r.wait(t)
}

func (r *faultTry) wait(t *testing.T) int {
	t.Helper()
	var exit *exec.ExitError
	if err := r.cmd.Wait(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if status := r.cmd.ProcessState.Sys().(syscall.WaitStatus); status.Signaled() {
		return -int(status.Signal())
	}
	return r.cmd.ProcessState.ExitCode()
}

// check checks how it ended: with one error that has the words of want, or
// none where it is ""; with nothing in the output's directory but left, and
// nothing among the temporary files.
func (r *faultTry) check(t *testing.T, code int, codes []int, want string, left ...string) {
	t.Helper()
	stderr := r.stderr.String()
	if !slices.Contains(codes, code) {
		t.Errorf("exit code %d, want %v; stderr %q", code, codes, stderr)
		return
	}
	found := 0
	for line := range strings.Lines(stderr) {
		if !strings.HasPrefix(line, "benchproof: ") {
			t.Errorf("a line of another kind: %q", line)
			return
		}
		if strings.HasPrefix(line, "benchproof: error: ") {
			found++
		}
	}
	switch {
	case want == "" && found > 0, strings.Contains(stderr, "internal error"):
		t.Errorf("code %d, stderr %q", code, stderr)
	case want != "" && (found != 1 || !strings.Contains(stderr, want)):
		t.Errorf("code %d, %d errors, want one with %q: %q", code, found, want, stderr)
	}
	r.checkLeft(t, left...)
}

func (r *faultTry) checkLeft(t *testing.T, left ...string) {
	t.Helper()
	for dir, want := range map[string][]string{"out": left, "tmp": nil} {
		entries, err := os.ReadDir(filepath.Join(r.dir, dir))
		if err != nil {
			t.Error(err)
		}
		var names []string
		for _, e := range entries {
			names = append(names, e.Name())
		}
		if !slices.Equal(names, want) {
			t.Errorf("%s holds %q, want %q", dir, names, want)
		}
	}
}
