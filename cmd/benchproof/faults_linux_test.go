package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// faultCommand is a command that faults are tried on. In its arguments $D is
// the directory of the try and $F that of what all tries read.
type faultCommand struct {
	name string
	args []string
	// code is that of a run without a fault.
	code int
	// ending is that of the file that -o names, / for a directory, "" where it
	// has no -o.
	ending string
	// needs is what must be at hand: fio, engine.
	needs string
	// format goes with -o DEVICE, whose name says none.
	format string
}

// faultCommands are all commands, in each form that is written in its own way.
// Of those that write alike to a file one does.
func faultCommands() []faultCommand {
	list := []faultCommand{
		{name: "show", args: []string{"show", "$F/small.txt"}, ending: "txt"},
		{name: "check", args: []string{"check", "$F/small.txt"}, ending: "csv"},
		{name: "explain", args: []string{"explain", "$F/small.txt", "--test", "."}, ending: "txt"},
		{name: "compare", args: []string{"compare", "$F/small.txt"}, ending: "csv"},
		{name: "rank", args: []string{"rank", "$F/small.txt"}, ending: "csv"},
		{name: "report", args: []string{"report", "$F/small.txt"}, ending: "html", format: "-"},
		{name: "report directory", args: []string{"report", "$F/small.txt"}, ending: "/"},
		{name: "merge", args: []string{"merge", "-q", "$F/small.txt"}, ending: "json"},
		{name: "diff", args: []string{"diff", "$F/small.txt", "$F/small.xml"}, code: exitNo, ending: "csv"},
		{name: "replay plan", args: []string{"replay", "plan", "$F/small.txt", "--target", "d=$D"}, ending: "json"},
		{name: "replay status", args: []string{"replay", "status", "$F/journal"}, ending: "csv", needs: "fio"},
		{name: "replay clean", args: []string{"replay", "clean", "$F/journal"}, needs: "fio"},
		{name: "replay verify", args: []string{"replay", "verify", "$F/published.json", "$F/hosts.json"}, code: exitNo, ending: "csv"},
		{name: "replay hosts", args: []string{"replay", "hosts", "$F/hosts.json"}, ending: "csv"},
		{name: "replay submit", args: []string{"replay", "submit", "$F/small.txt", "--slurm", "--target", "d=/d", "--hosts", "n1", "--time", "5m", "--dry-run"}},
		{name: "replay gather", args: []string{"replay", "gather", "$F/job", "-q"}, ending: "json", needs: "fio"},
		{name: "profiles", args: []string{"profiles"}},
		{name: "corpus add", args: []string{"corpus", "add", "$F/small.txt", "--into", "$D/set"}},
		{name: "corpus commit", args: []string{"corpus", "commit", "--into", "$F/set"}},
		{name: "corpus info", args: []string{"corpus", "info", "$F/set"}},
		{name: "corpus show", args: []string{"corpus", "show", "$ID", "--from", "$F/set"}, ending: "json"},
		{name: "corpus query", args: []string{"corpus", "query", "--from", "$F/set", "--engine", "$ENGINE", "FROM results"}, ending: "csv", needs: "engine"},
		{name: "corpus history", args: []string{"corpus", "history", "--from", "$F/set", "--engine", "$ENGINE", "--test", "."}, needs: "engine"},
		{name: "corpus percentile", args: []string{"corpus", "percentile", "--from", "$F/set", "--engine", "$ENGINE", "$F/small.txt"}, ending: "csv", needs: "engine"},
		{name: "corpus similar", args: []string{"corpus", "similar", "--from", "$F/set", "--engine", "$ENGINE", "$F/small.txt"}, needs: "engine"},
		{name: "man", args: []string{"man"}},
		{name: "help", args: []string{"help"}},
		{name: "--help", args: []string{"convert", "--help"}},
		{name: "version", args: []string{"version"}},
		{name: "--version", args: []string{"--version"}},
	}
	for _, shell := range []string{"bash", "zsh", "fish"} {
		list = append(list, faultCommand{name: "completion " + shell, args: []string{"completion", shell}})
	}
	for _, f := range formatNames() {
		format, err := formatByName(f, formatNames())
		if err != nil {
			panic(err)
		}
		ending := "txt" // of a text for PTS
		if len(format.endings) > 0 {
			ending = strings.TrimPrefix(format.endings[0], ".")
		}
		list = append(list, faultCommand{name: "convert " + f, args: []string{"convert", "$F/small.txt", "--format", f}, ending: ending, format: "-"})
	}
	return list
}

// gonePipe returns the end of a pipe whose reader has gone.
func gonePipe(t *testing.T) *os.File {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	t.Cleanup(func() { w.Close() })
	return w
}

// openFull opens the device that is always full.
func openFull(t *testing.T) *os.File {
	t.Helper()
	f, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// smallMount mounts a file-system in memory that is full, or read-only.
func smallMount(t *testing.T, readOnly bool) (string, error) {
	t.Helper()
	dir := t.TempDir()
	if err := unix.Mount("none", dir, "tmpfs", 0, "size=4k"); err != nil {
		return "", err
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	if readOnly {
		return dir, unix.Mount("none", dir, "tmpfs", unix.MS_REMOUNT|unix.MS_RDONLY, "")
	}
	return dir, os.WriteFile(filepath.Join(dir, "filling"), make([]byte, 4096), 0o644)
}

// faultMounts are the file-systems that outputs cannot be written to, made once.
func faultMounts(t *testing.T) (full, readOnly string) {
	t.Helper()
	full, err := smallMount(t, false)
	if err == nil {
		readOnly, err = smallMount(t, true)
	}
	if err != nil {
		t.Logf("no full and no read-only file-system: mount: %v", err)
		return "", ""
	}
	return full, readOnly
}

// TestFaults tries every command with every fault of its streams, its output
// and its surroundings: one line that says what and where, the exit code that
// the manual has, nothing half-written, no temporary file.
func TestFaults(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("runs some hundred processes")
	}
	f := newFaultFixture(t)
	full, readOnly := faultMounts(t)
	var mu sync.Mutex
	cells := 0
	for _, c := range faultCommands() {
		t.Run(c.name, func(t *testing.T) {
			if why := f.lacks[c.needs]; why != "" {
				t.Skip(why)
			}
			computes(t)
			n := 0
			for _, fault := range slices.Concat(streamFaults(), outputFaults(full, readOnly)) {
				if fault.skip != nil && fault.skip(&c) {
					continue
				}
				n++
				t.Run(fault.name, func(t *testing.T) { fault.try(t, f, &c) })
			}
			mu.Lock()
			cells += n
			mu.Unlock()
		})
	}
	t.Cleanup(func() { t.Logf("%d tries", cells) })
}

// fault is something that goes wrong.
type fault struct {
	name string
	// skip reports whether there is no such fault of a command.
	skip func(*faultCommand) bool
	try  func(*testing.T, *faultFixture, *faultCommand)
}

// streamFaults are those of the three streams, the environment and the limits.
func streamFaults() []fault {
	toFile := func(c *faultCommand) bool { return c.ending == "/" }
	return []fault{
		{"stdout full", toFile, func(t *testing.T, f *faultFixture, c *faultCommand) {
			r := f.try(t, c, "")
			r.cmd.Stdout = openFull(t)
			r.check(t, r.run(t), []int{exitFailed}, "no space left on device")
		}},
		{"stdout closed", toFile, func(t *testing.T, f *faultFixture, c *faultCommand) {
			r := f.try(t, c, `"$0" "$@" >&-`)
			r.check(t, r.run(t), []int{exitFailed}, "it is closed")
		}},
		{"stdout without a reader", toFile, func(t *testing.T, f *faultFixture, c *faultCommand) {
			r := f.try(t, c, "")
			r.cmd.Stdout = gonePipe(t)
			r.check(t, r.run(t), []int{-int(syscall.SIGPIPE)}, "")
		}},
		{"stderr without a reader, stdin closed", toFile, func(t *testing.T, f *faultFixture, c *faultCommand) {
			var progress []string
			if c.ending != "" {
				progress = []string{"--progress=json"}
			}
			r := f.try(t, c, `"$0" "$@" <&-`, progress...)
			r.cmd.Stderr = gonePipe(t)
			r.check(t, r.run(t), []int{c.code}, "")
			if r.stdout.Len() == 0 {
				t.Error("nothing on stdout")
			}
		}},
		{"poor surroundings", toFile, func(t *testing.T, f *faultFixture, c *faultCommand) {
			// No home, no place for temporary files, no stderr, no locale.
			r := f.try(t, c, `"$0" "$@" 2>&-`)
			r.cmd.Env = append(slices.DeleteFunc(r.cmd.Env, func(v string) bool { return strings.HasPrefix(v, "HOME=") }),
				"TMPDIR="+r.out("none"), "LC_ALL=C", "LANG=C", "TERM=dumb")
			code := c.code
			if c.needs == "engine" || c.name == "convert sqlite" {
				code = exitFailed // they need such a place
			}
			r.check(t, r.run(t), []int{code}, "")
		}},
		{"16 open files", toFile, func(t *testing.T, f *faultFixture, c *faultCommand) {
			r := f.try(t, c, `ulimit -n 16; exec "$0" "$@"`)
			code := r.run(t)
			want := ""
			if code != c.code {
				want = "too many open files"
			}
			r.check(t, code, []int{c.code, exitFailed, exitUnread}, want)
		}},
	}
}

// outputFaults are those of the file or directory that -o names.
func outputFaults(full, readOnly string) []fault {
	noOutput := func(c *faultCommand) bool { return c.ending == "" }
	noFile := func(c *faultCommand) bool { return c.ending == "" || c.ending == "/" }
	name := func(c *faultCommand) string {
		if c.ending == "/" {
			return "x/"
		}
		return "x." + c.ending
	}
	// To a device the format must be said, but where there is one alone.
	device := func(c *faultCommand) []string {
		switch {
		case c.format != "":
			return nil
		case c.ending == "txt":
			return []string{"--format", "txt"}
		}
		return []string{"--format", c.ending}
	}
	faults := []fault{
		{"no room for a byte", noOutput, func(t *testing.T, f *faultFixture, c *faultCommand) {
			r := f.try(t, c, `ulimit -f 0; exec "$0" "$@"`, "-o", "out/"+name(c))
			want := "file too large"
			if c.name == "convert sqlite" {
				want = "write database: in out: "
			}
			r.check(t, r.run(t), []int{exitFailed}, want)
		}},
		{"no directory", noOutput, func(t *testing.T, f *faultFixture, c *faultCommand) {
			r := f.try(t, c, "", "-o", "out/none/"+name(c))
			r.check(t, r.run(t), []int{exitFailed}, "out/none")
		}},
		{"a file in the way", noFile, func(t *testing.T, f *faultFixture, c *faultCommand) {
			r := f.try(t, c, "", "-o", "out/"+name(c))
			if err := os.WriteFile(r.out(name(c)), []byte("dear"), 0o644); err != nil {
				t.Fatal(err)
			}
			r.check(t, r.run(t), []int{exitFailed}, name(c)+": it exists already", name(c))
			if text, err := os.ReadFile(r.out(name(c))); err != nil || string(text) != "dear" {
				t.Errorf("it holds %q, %v", text, err)
			}
		}},
		{"a directory in the way", func(c *faultCommand) bool {
			// These write into it.
			return noFile(c) || c.name == "report" || strings.HasPrefix(c.name, "convert ")
		}, func(t *testing.T, f *faultFixture, c *faultCommand) {
			r := f.try(t, c, "", "-o", "out/"+name(c), "--force")
			if err := os.Mkdir(r.out(name(c)), 0o755); err != nil {
				t.Fatal(err)
			}
			r.check(t, r.run(t), []int{exitFailed}, "directory", name(c))
		}},
		{"a link to nowhere", noOutput, func(t *testing.T, f *faultFixture, c *faultCommand) {
			r := f.try(t, c, "", "-o", "out/"+name(c))
			link := strings.TrimSuffix(name(c), "/")
			if err := os.Symlink("made", r.out(link)); err != nil {
				t.Fatal(err)
			}
			r.check(t, r.run(t), []int{exitFailed}, link, link)
		}},
		{"a FIFO", noFile, func(t *testing.T, f *faultFixture, c *faultCommand) {
			r := f.try(t, c, "", append(device(c), "-o", "out/fifo")...)
			if err := unix.Mkfifo(r.out("fifo"), 0o644); err != nil {
				t.Fatal(err)
			}
			read := make(chan int)
			go func() {
				text, _ := os.ReadFile(r.out("fifo"))
				read <- len(text)
			}()
			r.check(t, r.run(t), []int{c.code}, "", "fifo")
			if n := <-read; n == 0 {
				t.Error("nothing came out of it")
			}
		}},
	}
	for _, m := range []struct{ dir, want string }{{full, "no space left on device"}, {readOnly, "read-only file system"}} {
		faults = append(faults, fault{m.want, func(c *faultCommand) bool { return m.dir == "" || noOutput(c) }, func(t *testing.T, f *faultFixture, c *faultCommand) {
			before, err := os.ReadDir(m.dir)
			if err != nil {
				t.Fatal(err)
			}
			want := m.want
			if c.name == "convert sqlite" && m.dir == full {
				want = "write database: in " + m.dir + ": database or disk is full"
			}
			r := f.try(t, c, "", "-o", m.dir+"/"+strings.ReplaceAll(c.name, " ", "-")+name(c))
			r.check(t, r.run(t), []int{exitFailed}, want)
			// Others write there at the same time, under names with their own.
			after, err := os.ReadDir(m.dir)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range after {
				if strings.Contains(e.Name(), strings.ReplaceAll(c.name, " ", "-")+"x") && len(after) > len(before) {
					t.Errorf("left behind: %s", e.Name())
				}
			}
		}})
	}
	return faults
}
