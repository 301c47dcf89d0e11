package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sys/unix"
)

// endings are the signals that end a command by custom.
var endings = []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}

// fullPipe returns a pipe that takes no further byte.
func fullPipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	var fds [2]int
	if err := unix.Pipe2(fds[:], unix.O_CLOEXEC); err != nil {
		t.Fatal(err)
	}
	page := make([]byte, 4096)
	err := unix.SetNonblock(fds[1], true)
	for err == nil {
		_, err = unix.Write(fds[1], page)
	}
	if !errors.Is(err, unix.EAGAIN) {
		t.Fatal(err)
	}
	if err := unix.SetNonblock(fds[1], false); err != nil {
		t.Fatal(err)
	}
	r, w = os.NewFile(uintptr(fds[0]), "pipe"), os.NewFile(uintptr(fds[1]), "pipe")
	t.Cleanup(func() {
		r.Close()
		w.Close()
	})
	return r, w
}

// stuck waits until a process waits in a system call on a descriptor.
func stuck(t *testing.T, pid, call, fd int) {
	t.Helper()
	want := fmt.Sprintf("%d 0x%x ", call, fd)
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(2 * time.Millisecond) {
		names, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/syscall", pid))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if text, err := os.ReadFile(name); err == nil && strings.HasPrefix(string(text), want) {
				return
			}
		}
		if time.Now().After(end) || len(names) == 0 {
			t.Fatalf("process %d is not in system call %s; it has %d threads", pid, want, len(names))
		}
	}
}

// needSyscalls skips a test where the kernel does not tell what threads wait for.
func needSyscalls(t *testing.T) {
	t.Helper()
	if _, err := os.ReadFile("/proc/self/syscall"); err != nil {
		t.Skip(err)
	}
	for _, s := range endings {
		if signalIgnored(s) {
			t.Skipf("%v is ignored here from the start, and by the commands too", s)
		}
	}
}

// signalIgnored reports whether this process was started with a signal ignored,
// which what it starts inherits.
func signalIgnored(s syscall.Signal) bool {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(text)) {
		var mask uint64
		if _, err := fmt.Sscanf(line, "SigIgn:\t%x", &mask); err == nil {
			return mask&(1<<(s-1)) != 0
		}
	}
	return false
}

// TestFaultsSignalsReading: a signal ends a command that waits for its input:
// 130, one line, nothing begun is left.
func TestFaultsSignalsReading(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("runs a hundred processes")
	}
	needSyscalls(t)
	f := makeFaultFixture(t, false)
	n := 0
	for _, c := range faultCommands() {
		i := slices.IndexFunc(c.args, func(a string) bool { return strings.HasPrefix(a, "$F/small.") })
		if i < 0 || c.name == "corpus add" || c.needs != "" || c.name == "replay submit" {
			continue
		}
		c.args = slices.Clone(c.args)
		c.args[i] = "-"
		// One signal a command, another the next: they are handled in one place.
		s := endings[n%len(endings)]
		n++
		t.Run(fmt.Sprint(c.name, ", ", s), func(t *testing.T) {
			computes(t)
			out := "out/x." + c.ending
			if c.ending == "/" {
				out = "out/x/"
			}
			r := f.try(t, &c, "", "-o", out)
			stdin, err := r.cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := r.cmd.Start(); err != nil {
				t.Fatal(err)
			}
			stuck(t, r.cmd.Process.Pid, unix.SYS_READ, 0)
			if err := r.cmd.Process.Signal(s); err != nil {
				t.Fatal(err)
			}
			r.check(t, r.wait(t), []int{exitInterrupted}, "interrupted")
			stdin.Close()
		})
	}
	if n < 15 {
		t.Errorf("%d commands", n)
	}
}

// TestFaultsSignalsWriting: the same of every command while nobody takes what
// it writes, when it can do nothing about it itself. All wait at once.
func TestFaultsSignalsWriting(t *testing.T) {
	computes(t)
	if testing.Short() {
		t.Skip("runs a hundred processes")
	}
	needSyscalls(t)
	f := makeFaultFixture(t, false)
	var tries []*faultTry
	var names []string
	n := 0
	for _, c := range faultCommands() {
		if c.ending == "/" || f.lacks[c.needs] != "" {
			continue
		}
		s := endings[n%len(endings)]
		n++
		r := f.try(t, &c, "")
		_, r.cmd.Stdout = fullPipe(t)
		if err := r.cmd.Start(); err != nil {
			t.Fatal(err)
		}
		stuck(t, r.cmd.Process.Pid, unix.SYS_WRITE, 1)
		if err := r.cmd.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
		tries, names = append(tries, r), append(names, fmt.Sprint(c.name, ", ", s))
	}
	for i, r := range tries {
		t.Run(names[i], func(t *testing.T) { r.check(t, r.wait(t), []int{exitInterrupted}, "interrupted") })
	}
	if n < 30 {
		t.Errorf("%d commands", n)
	}
}

// blocked is an output that takes nothing until it is let go.
type blocked struct{ entered, free chan struct{} }

func (b *blocked) Write(p []byte) (int, error) {
	close(b.entered)
	<-b.free
	return len(p), nil
}

// TestInterruptedAgain: a command that is busy ending what it runs goes on with
// that at a second signal, and says so; only a third ends it at once, with what
// was begun undone. One given twice is one.
func TestInterruptedAgain(t *testing.T) {
	synctest.Test(t, testInterruptedAgain)
}

func testInterruptedAgain(t *testing.T) {
	e, _, stderr := testEnv(nil)
	out := &blocked{make(chan struct{}), make(chan struct{})}
	defer close(out.free)
	e.stdout = out
	e.slow.Store(true)
	undone := false
	e.cleanup.add(func() { undone = true })
	signals := make(chan os.Signal)
	ended := make(chan int)
	go func() { ended <- interruptible(e, signals, []string{"version"}) }()
	<-out.entered
	signals <- syscall.SIGTERM
	signals <- syscall.SIGTERM // of the group, a moment later
	time.Sleep(sameInterrupt)
	signals <- os.Interrupt
	if undone {
		t.Error("it was ended by the second signal")
	}
	signals <- os.Interrupt
	code := <-ended
	want := "benchproof: info: ending what runs and removing what was begun; once more, and it is left as it is\nbenchproof: error: interrupted\n"
	if code != exitInterrupted || stderr.String() != want || !undone {
		t.Errorf("code %d, stderr %q, undone %t", code, stderr, undone)
	}
}

// TestFaultsWritersAtOnce: of several processes that write one file or directory
// one does, the others are told; with --force all do. It is whole in the end.
func TestFaultsWritersAtOnce(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("runs many processes")
	}
	f := makeFaultFixture(t, false)
	for _, name := range []string{"convert json", "convert sqlite", "report directory"} {
		t.Run(name, func(t *testing.T) {
			computes(t)
			all := faultCommands()
			c := &all[slices.IndexFunc(all, func(c faultCommand) bool { return c.name == name })]
			for _, force := range []bool{false, true} {
				first := f.try(t, c, "")
				path := first.out("x." + strings.TrimSuffix(c.ending, "/"))
				more := []string{"-o", path}
				if c.ending == "/" {
					more[1] = path + "/"
				}
				if force {
					more = append(more, "--force")
				}
				var tries []*faultTry
				for range 4 {
					r := f.try(t, c, "", more...)
					if err := r.cmd.Start(); err != nil {
						t.Fatal(err)
					}
					tries = append(tries, r)
				}
				won := 0
				for _, r := range tries {
					switch code := r.wait(t); {
					case code == exitOK:
						won++
						r.check(t, code, []int{exitOK}, "")
					default:
						r.check(t, code, []int{exitFailed}, "it exists already")
					}
				}
				if !force && won != 1 || force && won != len(tries) {
					t.Errorf("force %t: %d of %d wrote it", force, won, len(tries))
				}
				first.checkLeft(t, filepath.Base(path))
				alone := f.try(t, c, "", "-o", strings.Replace(more[1], first.dir, "$D", 1))
				alone.check(t, alone.run(t), []int{exitOK}, "", filepath.Base(path))
				if out, err := exec.Command("diff", "-r", path, alone.out(filepath.Base(path))).CombinedOutput(); err != nil {
					t.Errorf("force %t: it is another than one alone writes: %s", force, out)
				}
			}
		})
	}
}

// TestFaultsReplayRun: neither a signal nor a stderr that nobody reads any
// longer leaves a replay's program or its directory.
func TestFaultsReplayRun(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	if _, err := exec.LookPath("fio"); err != nil {
		t.Skip("needs fio")
	}
	needSyscalls(t)
	f := makeFaultFixture(t, false)
	c := &faultCommand{args: []string{"replay", "run", "$F/fio.json", "--scale", "0.004", "--runs", "2", "--test", "Random", "--target", "d=$D/out", "--journal", "$D/j", "--lock-dir", "$D"}}
	for _, tt := range []struct {
		name   string
		signal syscall.Signal // 0 to have the reader of stderr leave
		code   int
	}{{"interrupted", syscall.SIGINT, exitInterrupted}, {"stopped for a while", syscall.SIGSTOP, exitOK}, {"stderr without a reader", 0, exitOK}} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := f.try(t, c, "")
			reader, writer, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			r.cmd.Stderr = writer
			if err := r.cmd.Start(); err != nil {
				t.Fatal(err)
			}
			writer.Close()
			for begun := time.Now(); ; time.Sleep(5 * time.Millisecond) {
				if list, err := os.ReadDir(r.out("")); err == nil && len(list) > 0 && len(running(t, "fio", r.out(""))) > 0 {
					break
				}
				if time.Since(begun) > time.Minute {
					t.Fatal("fio was not started")
				}
			}
			switch tt.signal {
			case 0:
				reader.Close()
			case syscall.SIGSTOP:
				if err := r.cmd.Process.Signal(tt.signal); err != nil {
					t.Fatal(err)
				}
				time.Sleep(50 * time.Millisecond)
				tt.signal = syscall.SIGCONT
				fallthrough
			default:
				if err := r.cmd.Process.Signal(tt.signal); err != nil {
					t.Fatal(err)
				}
			}
			text := make(chan string, 1)
			go func() {
				b, _ := io.ReadAll(reader)
				text <- string(b)
			}()
			code := r.wait(t)
			if said := <-text; code != tt.code || tt.code == exitInterrupted && strings.Count(said, "benchproof: error: interrupted; ") != 1 {
				t.Errorf("code %d, want %d; stderr %q", code, tt.code, said)
			}
			reader.Close()
			r.checkLeft(t)
			if left := running(t, "", r.out("")); len(left) > 0 {
				t.Errorf("left running: %v", left)
			}
		})
	}
}

// running returns the processes of a name whose command line has a text in it.
func running(t *testing.T, name, text string) []string {
	t.Helper()
	names, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, n := range names {
		line, err := os.ReadFile(n)
		if err == nil && strings.Contains(string(line), text) && strings.Contains(string(line), name) && filepath.Base(filepath.Dir(n)) != fmt.Sprint(os.Getpid()) {
			found = append(found, strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return found
}
