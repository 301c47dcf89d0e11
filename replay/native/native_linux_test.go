package native

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The test binary is the program whose children the drivers start: called as
// "… native NAME", it runs the driver.
func TestMain(m *testing.M) {
	syncAll = func() {}
	if len(os.Args) > 1 && os.Args[1] == "native" {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		code := Main(ctx, os.Args[2:], os.Stdout, os.Stderr)
		stop()
		os.Exit(code)
	}
	os.Exit(m.Run())
}

// small are runs of each driver that take a moment.
var small = map[string][]string{
	"compilebench":    {"-trees", "2", "-share", "0.005"},
	"iozone":          {"-record", "4k", "-size", "1m", "-read"},
	"blogbench":       {"-iterations", "2", "-interval", "150ms", "-readers", "4"},
	"ior":             {"-np", "2", "-block", "512k", "-repetitions", "3"},
	"startup-prepare": {"-application", "xterm", "-size", "1m"},
	"startup-time":    {"-application", "xterm", "-settle", "0s", "-pause", "0s", "-runs", "2"},
}

// call runs a driver in this process, in the folder.
func call(t *testing.T, dir string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	t.Chdir(dir)
	var out, errs bytes.Buffer
	code = Main(t.Context(), args, &out, &errs)
	return code, out.String(), errs.String()
}

// report runs a driver that must succeed.
func report(t *testing.T, dir string, args ...string) *Report {
	t.Helper()
	code, out, errs := call(t, dir, args...)
	if code != 0 || errs != "" {
		t.Fatalf("%v: exit %d, %s", args, code, errs)
	}
	r, err := ParseReport(args[0], []byte(out))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func entries(t *testing.T, dir string) []string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

// Every driver gives its samples, holds its invariants, says that it was
// scaled, and leaves nothing but what prepare is for.
func TestSmallRuns(t *testing.T) {
	want := map[string]string{
		"compilebench":    "initial-create compile read-compiled-tree",
		"iozone":          "write rewrite read reread",
		"blogbench":       "write read",
		"ior":             "write",
		"startup-prepare": "load-file",
		"startup-time":    "start-up",
	}
	for _, name := range driverNames() {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			left := 0
			if name == "startup-time" {
				report(t, dir, append([]string{"startup-prepare"}, small["startup-prepare"]...)...)
				left = 3 // two threads' files and the job file
			}
			if name == "startup-prepare" {
				left = 3
			}
			r := report(t, dir, append([]string{name}, small[name]...)...)
			var got []string
			for _, s := range r.Samples {
				got = append(got, s.Metric)
				if name != "blogbench" && !(s.Value > 0) {
					t.Errorf("%s is %v", s.Metric, s.Value)
				}
			}
			if strings.Join(got, " ") != want[name] {
				t.Errorf("samples %v, want %s", got, want[name])
			}
			if len(r.Invariants) == 0 {
				t.Error("no invariants")
			}
			if _, ok := r.Facts["scaled"].(string); !ok && name != "iozone" {
				t.Error("it does not say that it was scaled")
			}
			if names := entries(t, dir); len(names) != left {
				t.Errorf("left behind: %v", names)
			}
		})
	}
}

// What is there already is neither used nor removed.
func TestForeign(t *testing.T) {
	for name, there := range map[string]string{
		"compilebench": "compilebench", "iozone": "iozone.tmp", "blogbench": "blogbench", "ior": "testFile",
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, there), []byte("mine"), 0o600); err != nil {
				t.Fatal(err)
			}
			code, out, errs := call(t, dir, append([]string{name}, small[name]...)...)
			if code != 4 || out != "" || !strings.Contains(errs, "not of this run") {
				t.Errorf("exit %d, stdout %q, stderr %q", code, out, errs)
			}
			if text, err := os.ReadFile(filepath.Join(dir, there)); err != nil || string(text) != "mine" {
				t.Errorf("the file is %q, %v", text, err)
			}
		})
	}
	// A link to elsewhere is something, too.
	dir, outside := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(dir, "compilebench")); err != nil {
		t.Fatal(err)
	}
	if code, _, _ := call(t, dir, append([]string{"compilebench"}, small["compilebench"]...)...); code != 4 {
		t.Errorf("a link: exit %d", code)
	}
	if names := entries(t, outside); names != nil {
		t.Errorf("behind the link: %v", names)
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{
		{},
		{"nosuch"},
		{"iozone", "-nosuch"},
		{"iozone", "extra"},
		{"iozone", "-record", "0"},
		{"iozone", "-record", "9999999999g"},
		{"iozone", "-record", "3k", "-size", "1m"},
		{"compilebench", "-trees", "11"},
		{"compilebench", "-share", "NaN"},
		{"compilebench", "-share", "0"},
		{"blogbench", "-readers", "0"},
		{"blogbench", "-interval", "11s"},
		{"ior", "-np", "0"},
		{"ior", "-block", "1000"},
		{"ior", "-repetitions", "101"},
		{"startup-time"},
		{"startup-time", "-application", "../x"},
		{"startup-prepare", "-application", "xterm", "-readers", "101"},
	} {
		dir := t.TempDir()
		code, out, errs := call(t, dir, args...)
		if code != 2 || out != "" || strings.Count(errs, "\n") != 1 || !strings.HasPrefix(errs, "benchproof: error: native") {
			t.Errorf("%q: exit %d, stdout %q, stderr %q", args, code, out, errs)
		}
		if names := entries(t, dir); names != nil {
			t.Errorf("%q made %v", args, names)
		}
	}
}

// child starts a driver as a process of its own in the folder.
func child(t *testing.T, dir string, args ...string) (*exec.Cmd, *bytes.Buffer, *bytes.Buffer) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, append([]string{"native"}, args...)...)
	cmd.Dir = dir
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return cmd, &out, &errs
}

// An interrupted driver prints no value, ends with another code than 0, leaves
// no process, and has removed its own files alone.
func TestInterrupt(t *testing.T) {
	long := map[string][]string{
		"compilebench": {"-trees", "10", "-share", "0.1"},
		"iozone":       {"-record", "4k", "-size", "64g"},
		"blogbench":    {"-readers", "8"},
		"ior":          {"-np", "3", "-block", "8m"},
		"startup-time": {"-application", "xterm", "-settle", "0s"},
	}
	first := map[string]string{
		"compilebench": "compilebench/kernel-0", "iozone": "iozone.tmp", "blogbench": "blogbench/blog-1", "ior": "testFile",
		"startup-time": "startup-load.fio",
	}
	for name, args := range long {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if name == "startup-time" {
				report(t, dir, append([]string{"startup-prepare"}, small["startup-prepare"]...)...)
			}
			if err := os.WriteFile(filepath.Join(dir, "mine"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			cmd, out, errs := child(t, dir, append([]string{name}, args...)...)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			// It is in the middle once its first file is there.
			for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(5 * time.Millisecond) {
				if _, err := os.Stat(filepath.Join(dir, first[name])); err == nil {
					break
				}
				if time.Now().After(deadline) {
					t.Fatal("it does not begin")
				}
			}
			if name == "startup-time" {
				time.Sleep(100 * time.Millisecond) // its signals are caught from the start on
			}
			if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			err := cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); code != 130 || out.Len() != 0 {
				t.Errorf("exit %d (%v), stdout %q, stderr %q", code, err, out, errs)
			}
			// Its ranks end with it; what is a zombie waits for init alone.
			for deadline := time.Now().Add(10 * time.Second); syscall.Kill(-cmd.Process.Pid, 0) == nil; time.Sleep(10 * time.Millisecond) {
				if time.Now().After(deadline) {
					t.Error("a process of its group is left")
					break
				}
			}
			names := entries(t, dir)
			if want := 1; name != "startup-time" && len(names) != want || !strings.Contains(strings.Join(names, " "), "mine") {
				t.Errorf("left: %v", names)
			}
		})
	}
}

// Ranks do not outlive a parent that was killed.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	cmd, out, _ := child(t, dir, "ior", "-np", "3", "-block", "1m")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(30 * time.Second); len(entries(t, dir)) == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it does not begin")
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil || out.Len() != 0 {
		t.Errorf("%v, stdout %q", err, out)
	}
	for deadline := time.Now().Add(30 * time.Second); syscall.Kill(-cmd.Process.Pid, 0) == nil; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("a rank is left")
		}
	}
}

// A full disk is a failure with its reason, and no value.
func TestDiskFull(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("mounting a small tmpfs needs root")
	}
	for name, args := range map[string][]string{
		"compilebench":    {"-trees", "10", "-share", "0.05"},
		"iozone":          {"-record", "64k", "-size", "16m"},
		"blogbench":       {"-iterations", "30", "-interval", "1s", "-readers", "4"},
		"ior":             {"-np", "2", "-block", "4m", "-repetitions", "3"},
		"startup-prepare": {"-application", "xterm"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=3m"); err != nil {
				t.Skipf("no tmpfs here: %v", err)
			}
			t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
			cmd, out, errs := child(t, dir, append([]string{name}, args...)...)
			_ = cmd.Run()
			if code := cmd.ProcessState.ExitCode(); code != 4 || out.Len() != 0 || !strings.Contains(errs.String(), "no space left on device") {
				t.Errorf("exit %d, stdout %q, stderr %q", code, out, errs)
			}
			if names := entries(t, dir); names != nil {
				t.Errorf("left: %v", names)
			}
		})
	}
}

func TestParseReport(t *testing.T) {
	good := `{"driver":"ior","version":"1","samples":[{"metric":"write","value":2,"unit":"B/s"}],"invariants":[],"facts":{"warnings":["a"]}}`
	r, err := ParseReport("ior", []byte(good))
	if err != nil || r.Samples[0].Value != 2 || len(r.Warnings()) != 1 || r.Warnings()[0] != "a" {
		t.Fatalf("%+v, %v", r, err)
	}
	for _, bad := range []string{
		"", "{}", good + good, good[:50],
		strings.Replace(good, `"ior"`, `"iozone"`, 1),
		strings.Replace(good, `2`, `-2`, 1),
		strings.Replace(good, `2`, `1e999`, 1),
		`{"driver":"ior","version":"1","samples":[]}`,
	} {
		if r, err := ParseReport("ior", []byte(bad)); err == nil {
			t.Errorf("%q: read as %+v", bad, r)
		}
	}
}

// A run whose output cannot be written has failed.
func TestWriteError(t *testing.T) {
	t.Chdir(t.TempDir())
	var errs bytes.Buffer
	code := Main(t.Context(), append([]string{"iozone"}, small["iozone"]...), failing{}, &errs)
	if code != 4 || !strings.Contains(errs.String(), "closed pipe") {
		t.Errorf("exit %d, %s", code, errs.String())
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }
