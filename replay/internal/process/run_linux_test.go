package process

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// run runs a command of the shell in a fresh directory and returns the
// standard output too.
func run(t *testing.T, c Command) (Result, string) {
	t.Helper()
	c = inTemp(t, c)
	r, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	nothingLeft(t, c.ID)
	out, err := os.ReadFile(c.Stdout)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return r, string(out)
}

// inTemp completes a command with a directory, an identifier and outputs.
func inTemp(t *testing.T, c Command) Command {
	if c.Dir == "" {
		c.Dir = t.TempDir()
	}
	if c.ID == "" {
		c.ID = strings.ReplaceAll(t.Name(), "/", "-") + "-" + filepath.Base(filepath.Dir(c.Dir))
	}
	if c.Stdout == "" {
		c.Stdout = filepath.Join(t.TempDir(), "stdout")
	}
	return c
}

func nothingLeft(t *testing.T, id string) {
	t.Helper()
	left, err := Leftovers(id)
	if err != nil {
		t.Fatal(err)
	}
	if len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

func sh(script string) []string { return []string{"sh", "-c", script} }

func TestRunArguments(t *testing.T) {
	arg := "; rm -rf / $(id) `id` \n ../.. * ~ 'x' \"y\""
	r, out := run(t, Command{Argv: []string{"printf", "%s|", arg, "", "two words"}})
	if want := arg + "||two words|"; out != want || !r.OK() {
		t.Errorf("got %q, %s, want %q", out, r.Failure(), want)
	}
}

func TestRunEnvironment(t *testing.T) {
	t.Setenv("BENCHPROOF_TEST_LEAK", "yes")
	dir := t.TempDir()
	r, out := run(t, Command{ID: "env", Argv: []string{"env"}, Dir: dir, Home: "/scratch", Env: []string{"LANG=X", "PGDATA=d{copy}"}})
	got := strings.Split(strings.TrimSpace(out), "\n")
	slices.Sort(got)
	got = slices.DeleteFunc(got, func(s string) bool { return strings.HasPrefix(s, runMark+"=") })
	want := []string{
		"BENCHPROOF_REPLAY=env", "HOME=/scratch", "LANG=X", "LC_ALL=C",
		"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
		"PGDATA=d0", "TMPDIR=/scratch", "TZ=UTC",
	}
	if !slices.Equal(got, want) || !r.OK() {
		t.Errorf("environment:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	r, out = run(t, Command{Argv: sh("umask; pwd; tty; ulimit -c >/dev/null; ls -l /proc/self/fd | wc -l"), Dir: dir})
	// Three streams, the directory that ls reads, and the line "total".
	if want := "0022\n" + dir + "\nnot a tty\n5\n"; out != want {
		t.Errorf("got %q, want %q (%s)", out, want, r.Failure())
	}
}

func TestRunExit(t *testing.T) {
	for _, tc := range []struct {
		name, script string
		codes        []int
		exit         Exit
		failure      string
	}{
		{"zero", "exit 0", nil, Exit{}, ""},
		{"code", "exit 7", nil, Exit{Code: 7}, "exit code 7"},
		{"allowed", "exit 7", []int{0, 7}, Exit{Code: 7}, ""},
		{"not allowed", "exit 0", []int{7}, Exit{}, "exit code 0"},
		{"signal", "kill -SEGV $$", nil, Exit{Code: -1, Signal: syscall.SIGSEGV}, "signal segmentation fault"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r, _ := run(t, Command{Argv: sh(tc.script)})
			if r.Exit != tc.exit || r.Failure(tc.codes...) != tc.failure {
				t.Errorf("got %+v, %q", r.Exit, r.Failure(tc.codes...))
			}
		})
	}
}

func TestStartErrors(t *testing.T) {
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain")
	if err := os.WriteFile(plain, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(plain, link); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name string
		c    Command
		is   error
		text string
	}{
		{"missing", Command{Argv: []string{"no-such-tool-here"}}, fs.ErrNotExist, `program "no-such-tool-here"`},
		{"missing path", Command{Argv: []string{"/no/such/tool"}}, fs.ErrNotExist, `start "/no/such/tool"`},
		{"not executable", Command{Argv: []string{plain}}, fs.ErrPermission, "permission denied"},
		{"relative", Command{Argv: []string{"./tool"}}, nil, "not an absolute path"},
		{"directory", Command{Argv: []string{"true"}, Dir: filepath.Join(dir, "gone")}, fs.ErrNotExist, "working directory"},
		{"directory is a file", Command{Argv: []string{"true"}, Dir: plain}, syscall.ENOTDIR, "working directory"},
		{"stdin", Command{Argv: []string{"true"}, Stdin: filepath.Join(dir, "gone")}, fs.ErrNotExist, "standard input"},
		{"stdin is a link", Command{Argv: []string{"true"}, Stdin: link}, syscall.ELOOP, "standard input"},
		{"stdin is a directory", Command{Argv: []string{"true"}, Stdin: dir}, nil, "not a regular file"},
		{"stdout is a link", Command{Argv: []string{"true"}, Stdout: link}, syscall.ELOOP, "output"},
		{"no arguments", Command{}, nil, "no arguments"},
		{"NUL", Command{Argv: []string{"true", "a\x00b"}}, nil, "NUL"},
		{"mark", Command{Argv: []string{"true"}, Env: []string{Mark + "=x"}}, nil, "bad environment variable"},
		{"copies", Command{Argv: []string{"true"}, Copies: 2000}, nil, "2000 copies"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := inTemp(t, tc.c)
			_, err := Run(t.Context(), c)
			if err == nil || !strings.Contains(err.Error(), tc.text) || tc.is != nil && !errors.Is(err, tc.is) {
				t.Errorf("got %v, want %q", err, tc.text)
			}
			nothingLeft(t, c.ID)
		})
	}
	if text, err := os.ReadFile(plain); err != nil || string(text) != "x" {
		t.Errorf("a file behind a link was touched: %q, %v", text, err)
	}
	// The second copy of two cannot start: the first is ended unrun.
	c := inTemp(t, Command{Argv: []string{"touch", filepath.Join(dir, "ran{copy}")}, Copies: 2, Stdin: filepath.Join(dir, "in{copy}")})
	if err := os.WriteFile(filepath.Join(dir, "in0"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), c); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	nothingLeft(t, c.ID)
	if _, err := os.Stat(filepath.Join(dir, "ran0")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a copy ran though another could not start")
	}
}

func TestRunTimeout(t *testing.T) {
	// A busy machine may not let the shell set its trap within a short limit:
	// then it is ended by TERM itself, and a longer limit decides.
	limits := []time.Duration{300 * time.Millisecond, 3 * time.Second, 30 * time.Second}
	// It ignores TERM, and so do its children.
	var r Result
	var limit time.Duration
	const grace = 200 * time.Millisecond
	for _, limit = range limits {
		if r, _ = run(t, Command{Argv: sh("trap '' TERM; (sleep 1000)& sleep 1000"), Timeout: limit, Grace: grace}); r.Signal != syscall.SIGTERM {
			break
		}
	}
	if !r.TimedOut || r.Signal != syscall.SIGKILL || !strings.HasPrefix(r.Failure(), "time limit passed") {
		t.Errorf("got %+v", r)
	}
	if r.Elapsed < limit+grace || r.Elapsed > limit+10*time.Second {
		t.Errorf("ended after %s, want the limit of %s and the grace", r.Elapsed, limit)
	}
	// It hears TERM even where it is stopped.
	var out string
	for _, limit = range limits {
		if r, out = run(t, Command{Argv: sh("trap 'echo bye; exit 3' TERM; kill -STOP $$; sleep 1000"), Timeout: limit}); r.Signal != syscall.SIGTERM {
			break
		}
	}
	if !r.TimedOut || r.Code != 3 || out != "bye\n" {
		t.Errorf("got %+v, %q", r, out)
	}
}

func TestRunCancel(t *testing.T) {
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	c := inTemp(t, Command{Argv: sh("sleep 1000 & setsid sleep 1000 & wait")})
	p, err := Start(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	cancel(cause)
	r, err := p.Wait()
	if !errors.Is(err, cause) || !r.Stopped || r.Signal != syscall.SIGTERM {
		t.Errorf("got %+v, %v", r, err)
	}
	nothingLeft(t, c.ID)
	if _, err := Start(ctx, c); !errors.Is(err, cause) {
		t.Errorf("started with a done context: %v", err)
	}
}

func TestRunFlood(t *testing.T) {
	const limit = 1 << 20
	r, out := run(t, Command{Argv: []string{"yes"}, Limit: limit})
	if r.Flooded == "" || len(out) != limit || r.Signal != syscall.SIGKILL {
		t.Errorf("got %+v with %d bytes", r.Exit, len(out))
	}
	if !strings.HasPrefix(r.Failure(), "the output passed its limit in ") {
		t.Errorf("failure %q", r.Failure())
	}
	// Exactly the limit is no flood; one byte more is, even at the very end.
	r, out = run(t, Command{Argv: []string{"head", "-c", "100", "/dev/zero"}, Limit: 100})
	if !r.OK() || len(out) != 100 {
		t.Errorf("the limit itself: %q with %d bytes", r.Failure(), len(out))
	}
	r, out = run(t, Command{Argv: []string{"head", "-c", "101", "/dev/zero"}, Limit: 100})
	if r.Flooded == "" || len(out) != 100 {
		t.Errorf("one byte more: %q with %d bytes", r.Failure(), len(out))
	}
}

func TestRunOutputError(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("needs /dev/full:", err)
	}
	c := inTemp(t, Command{Argv: []string{"yes"}, Stdout: "/dev/full"})
	r, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	nothingLeft(t, c.ID)
	if !strings.Contains(r.OutputError, "no space left on device") || r.OK() {
		t.Errorf("got %+v", r)
	}
}

func TestRunOrphans(t *testing.T) {
	r, _ := run(t, Command{Argv: sh("sleep 1000 & setsid sh -c 'sleep 1001 & : >begun; wait' & until [ -e begun ]; do sleep 0.01; done; exit 0")})
	if len(r.Orphans) != 3 || r.OK() || !strings.HasPrefix(r.Failure(), "left processes running: ") {
		t.Errorf("got %q, %q", r.Orphans, r.Failure())
	}
	// A child that ends just behind its parent is none. Where the machine is
	// busy it may not get its turn in that time, but not always.
	var out string
	for range 5 {
		if r, out = run(t, Command{Argv: sh("(sleep 0.02; echo late) & exit 0")}); r.OK() {
			break
		}
	}
	if !r.OK() || out != "late\n" {
		t.Errorf("got %q, %q", r.Failure(), out)
	}
}

func TestRunCopies(t *testing.T) {
	dir := t.TempDir()
	for n, text := range []string{"a", "b", "c"} {
		if err := os.WriteFile(filepath.Join(dir, "in"+string(rune('0'+n))), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c := Command{
		Argv: sh("cat > got{copy}; date +%s%N > began{copy}; echo {copy} >&2; exit {copy}"), Copies: 3, Dir: dir,
		Stdin: filepath.Join(dir, "in{copy}"), Stderr: filepath.Join(dir, "err{copy}"),
	}
	r, _ := run(t, c)
	if want := []Exit{{}, {Code: 1}, {Code: 2}}; !slices.Equal(r.Copies, want) || r.Exit != want[1] {
		t.Errorf("exits %v", r.Copies)
	}
	if got := r.Failure(); got != "copy 1: exit code 1" {
		t.Errorf("failure %q", got)
	}
	for n, want := range []string{"a", "b", "c"} {
		if got, err := os.ReadFile(filepath.Join(dir, "got"+string(rune('0'+n)))); err != nil || string(got) != want {
			t.Errorf("copy %d read %q, %v", n, got, err)
		}
		if got, err := os.ReadFile(filepath.Join(dir, "err"+string(rune('0'+n)))); err != nil || string(got) != string(rune('0'+n))+"\n" {
			t.Errorf("copy %d said %q, %v", n, got, err)
		}
	}
}
