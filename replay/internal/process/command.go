package process

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/benchproof/benchproof/internal/phrase"
)

// supervisorName is the name (argv[0]) under which this executable is started
// again to watch over a program.
const supervisorName = "benchproof-supervisor"

// Mark is the environment variable that every program of a replay carries. Its
// value is the replay's identifier.
const Mark = "BENCHPROOF_REPLAY"

// copyMark stands for the number of the copy, from 0, in arguments and names
// of files.
const copyMark = "{copy}"

// Defaults of a command.
const (
	defaultLimit = 64 << 20         // bytes of output
	defaultGrace = 10 * time.Second // between the first signal and KILL
)

// ErrSystem is returned where the system is not Linux.
var ErrSystem = errors.New("replay runs programs on Linux only")

// Command is a program to run.
type Command struct {
	// ID is the replay's identifier, the value of [Mark]. It is needed.
	ID string `json:"id"`
	// Argv is the program, by absolute path or a name looked up in the
	// fixed PATH, and its arguments.
	Argv []string `json:"argv"`
	// Dir is the working directory, by absolute path.
	Dir string `json:"dir"`
	// Env are further variables ("K=V") beside [environment] of Home, which
	// they replace.
	Env []string `json:"env,omitempty"`
	// Home is $HOME and $TMPDIR of the program; "" for Dir.
	Home string `json:"home,omitempty"`
	// Umask of the program; 0 for 022.
	Umask int `json:"umask,omitempty"`
	// Stdin is a file to read from; "" for none. Stdout and Stderr are
	// files to write, emptied first; "" discards. Equal names share one
	// file, as do copies whose names do not hold {copy}. None is followed
	// where it is a symbolic link.
	Stdin  string `json:"stdin,omitempty"`
	Stdout string `json:"stdout,omitempty"`
	Stderr string `json:"stderr,omitempty"`
	// Limit is the longest that each file of output may get, in bytes; 0
	// for [defaultLimit]. A program that writes more is ended at once.
	Limit int64 `json:"limit,omitempty"`
	// Copies runs so many at once, all let go at the same moment; 0 and 1
	// for one. {copy} in Argv, Env, Stdin, Stdout and Stderr is the number.
	Copies int `json:"copies,omitempty"`
	// User runs the program as that account; nil for the present one.
	User *Account `json:"user,omitempty"`
	// Group is the cgroup.procs of the control group that it runs in; "" for
	// the present one.
	Group string `json:"group,omitempty"`
	// Timeout is the longest it may run; 0 for no limit.
	Timeout time.Duration `json:"timeout,omitempty"`
	// Stop is the signal that asks it to end; 0 for TERM. It is also what a
	// server gets when this program is gone.
	Stop syscall.Signal `json:"stop,omitempty"`
	// Grace is how long it may take to end after Stop before it is killed;
	// 0 for [defaultGrace].
	Grace time.Duration `json:"grace,omitempty"`
}

// Exit is how one process ended.
type Exit struct {
	// Code is the exit code; -1 where a signal ended it.
	Code int `json:"code"`
	// Signal is what ended it, 0 for none.
	Signal syscall.Signal `json:"signal,omitempty"`
}

// String returns "exit code 1" or "signal killed".
func (e Exit) String() string {
	if e.Signal != 0 {
		return "signal " + e.Signal.String()
	}
	return "exit code " + strconv.Itoa(e.Code)
}

// Result is how a command ended.
type Result struct {
	// Exit is that of the first copy that did not exit with 0, else 0.
	Exit
	// Copies are the exits of all copies, in order.
	Copies []Exit `json:"copies"`
	// Elapsed is the wall time from the common start to the last copy's end.
	Elapsed time.Duration `json:"elapsed"`
	// User and System are the CPU time of the program and of all its
	// descendants.
	User   time.Duration `json:"user"`
	System time.Duration `json:"system"`
	// MaxRSS is the largest resident set of one process, in bytes; 0 where
	// it cannot be told: the kernel counts the supervisor's own memory until
	// the program is loaded, so only what is above that is known.
	MaxRSS int64 `json:"max_rss"`
	// IO is what the program and all its descendants read and wrote.
	IO IO `json:"io"`
	// TimedOut: it ran longer than Timeout and was ended.
	TimedOut bool `json:"timed_out,omitempty"`
	// Flooded is the file whose limit the output passed, for which the
	// program was ended; "" if none. The file holds exactly the limit.
	Flooded string `json:"flooded,omitempty"`
	// Stopped: it was ended by Stop or because the context was done. A
	// server that is stopped so has ended as it should.
	Stopped bool `json:"stopped,omitempty"`
	// Orphans are the names of processes that were still there when the
	// program had ended, and had to be ended.
	Orphans []string `json:"orphans,omitempty"`
	// OutputError is why output could not be kept (a full disk), for which
	// the program was ended; "" if it could.
	OutputError string `json:"output_error,omitempty"`
}

// OK reports whether the program ended by itself with exit code 0, or one of
// codes if any are given, in all copies, with its output kept whole. It says
// nothing about what the program did: that is for the output to tell.
func (r Result) OK(codes ...int) bool { return r.Failure(codes...) == "" }

// Failure says why the command did not succeed, as one phrase; "" if it did.
func (r Result) Failure(codes ...int) string {
	switch {
	case r.Flooded != "":
		return fmt.Sprintf("the output passed its limit in %q", r.Flooded)
	case r.OutputError != "":
		return "the output could not be kept: " + r.OutputError
	case r.TimedOut:
		return fmt.Sprintf("time limit passed after %s", r.Elapsed.Round(time.Millisecond))
	case r.Stopped:
		return "stopped"
	}
	for i, e := range r.Copies {
		if e.Signal == 0 && (len(codes) == 0 && e.Code == 0 || contains(codes, e.Code)) {
			continue
		}
		if len(r.Copies) > 1 {
			return fmt.Sprintf("copy %d: %s", i, e)
		}
		return e.String()
	}
	if len(r.Orphans) > 0 {
		return fmt.Sprintf("left processes running: %s", strings.Join(r.Orphans, ", "))
	}
	return ""
}

func contains(codes []int, code int) bool {
	for _, c := range codes {
		if c == code {
			return true
		}
	}
	return false
}

// IO is storage traffic in bytes as the kernel accounts it to processes
// (/proc/PID/io). A buffered write counts when a page is made dirty, not when
// it reaches the disk; what the file-system writes of its own is not counted.
type IO struct {
	// Read and Written are from and to storage. Cancelled is what was made
	// dirty and dropped before it reached the disk (a deleted file).
	Read      int64 `json:"read"`
	Written   int64 `json:"written"`
	Cancelled int64 `json:"cancelled"`
	// Known is false where the kernel does not account it.
	Known bool `json:"known"`
}

// Record is what finds a program again after this one was killed. Pids alone
// may be another's by then; with the start time and the boot they are not.
type Record struct {
	ID         string    `json:"id"`
	Boot       string    `json:"boot"` // /proc/sys/kernel/random/boot_id
	Dir        string    `json:"dir"`  // working directory
	Began      time.Time `json:"began"`
	Supervisor Started   `json:"supervisor"`
	Copies     []Started `json:"copies"`
}

// Started is one process. Group is its process group.
type Started struct {
	PID   int    `json:"pid"`
	Group int    `json:"group"`
	Start uint64 `json:"start"` // ticks since boot, field 22 of /proc/PID/stat
}

// environment is the environment of every program: a fixed PATH, HOME and
// TMPDIR in the scratch directory, the C locale and UTC.
func environment(home string) []string {
	return []string{
		"PATH=" + Path,
		"HOME=" + home,
		"TMPDIR=" + home,
		"LANG=C",
		"LC_ALL=C",
		"TZ=UTC",
	}
}

// Path is the PATH of every program.
const Path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// validate returns the command with its defaults, or what is wrong with it.
func (c Command) validate() (Command, error) {
	if c.ID == "" || strings.ContainsAny(c.ID, "\x00\n=") {
		return c, fmt.Errorf("start a program: bad replay identifier %q", c.ID)
	}
	if len(c.Argv) == 0 || c.Argv[0] == "" {
		return c, errors.New("start a program: no arguments")
	}
	for _, list := range [][]string{c.Argv, c.Env, {c.Dir, c.Home, c.Stdin, c.Stdout, c.Stderr}} {
		for _, s := range list {
			if strings.ContainsRune(s, 0) {
				return c, fmt.Errorf("start %q: NUL in %q", c.Argv[0], s)
			}
		}
	}
	for _, e := range c.Env {
		if k, _, ok := strings.Cut(e, "="); !ok || k == "" || k == Mark {
			return c, fmt.Errorf("start %q: bad environment variable %q", c.Argv[0], e)
		}
	}
	if !filepath.IsAbs(c.Dir) {
		return c, fmt.Errorf("start %q: directory %q is not absolute", c.Argv[0], c.Dir)
	}
	if c.Copies < 0 || c.Copies > 1024 {
		return c, fmt.Errorf("start %q: %s, want 1 to 1024", c.Argv[0], phrase.Count(c.Copies, "copy"))
	}
	if c.Limit < 0 || c.Timeout < 0 || c.Grace < 0 {
		return c, fmt.Errorf("start %q: negative limit", c.Argv[0])
	}
	c.Copies = max(c.Copies, 1)
	if c.Home == "" {
		c.Home = c.Dir
	}
	if c.Umask == 0 {
		c.Umask = 0o022
	}
	if c.Limit == 0 {
		c.Limit = defaultLimit
	}
	if c.Grace == 0 {
		c.Grace = defaultGrace
	}
	if c.Stop == 0 {
		c.Stop = syscall.SIGTERM
	}
	return c, nil
}

// environment returns the variables of the n-th copy: those of Env win.
func (c Command) environment(n int) []string {
	env := environment(c.Home)
	for _, e := range c.Env {
		e = c.numbered(e, n)
		k, _, _ := strings.Cut(e, "=")
		replaced := false
		for i := range env {
			if strings.HasPrefix(env[i], k+"=") {
				env[i], replaced = e, true
			}
		}
		if !replaced {
			env = append(env, e)
		}
	}
	return append(env, Mark+"="+c.ID)
}

// numbered puts the number of the copy in the place of its mark.
func (c Command) numbered(s string, n int) string {
	return strings.ReplaceAll(s, copyMark, strconv.Itoa(n))
}

// argv returns the arguments of the n-th copy.
func (c Command) argv(n int) []string {
	argv := make([]string, len(c.Argv))
	for i, a := range c.Argv {
		argv[i] = c.numbered(a, n)
	}
	return argv
}
