package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/benchproof/benchproof/result"
)

// testEnv is an env without a terminal, for which no time passes.
func testEnv(stdin io.Reader) (e *env, stdout, stderr *bytes.Buffer) {
	stdout, stderr = &bytes.Buffer{}, &bytes.Buffer{}
	return &env{
		stdin: stdin, stdout: stdout, stderr: stderr,
		getenv: func(string) string { return "" },
		after:  func(time.Duration, func()) func() { return func() {} },
	}, stdout, stderr
}

const small = "testdata/input/small.txt"

// TestInterrupted: an interrupt ends a command that waits for its input, with
// 130 and nothing half-written.
func TestInterrupted(t *testing.T) {
	for _, command := range []string{"convert", "show", "check"} {
		dir := t.TempDir()
		stdin, never := io.Pipe()
		defer never.Close()
		e, stdout, stderr := testEnv(stdin)
		ctx, interrupt := context.WithCancel(t.Context())
		reading := make(chan struct{})
		go func() {
			// The write returns when the command has begun to read.
			_, _ = never.Write([]byte("x"))
			close(reading)
			interrupt()
		}()
		code := run(ctx, e, []string{command, "-", "-o", filepath.Join(dir, "out.csv")})
		<-reading
		if code != exitInterrupted || stderr.String() != "benchproof: error: interrupted\n" || stdout.Len() > 0 {
			t.Errorf("%s: code %d, stderr %q, stdout %q", command, code, stderr, stdout)
		}
		if names, err := os.ReadDir(dir); err != nil || len(names) > 0 {
			t.Errorf("%s: left behind %v, %v", command, names, err)
		}
	}
}

// TestCleanup: what was begun is undone when the process must end at once.
func TestCleanup(t *testing.T) {
	dir := t.TempDir()
	e, _, _ := testEnv(nil)
	o := &outputFlags{path: filepath.Join(dir, "out.csv")}
	out, err := o.open(t.Context(), e, &formats[0], nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(out, "half"); err != nil {
		t.Fatal(err)
	}
	e.cleanup.run()
	late := false
	e.cleanup.add(func() { late = true })
	if names, err := os.ReadDir(dir); err != nil || len(names) > 0 || !late {
		t.Errorf("left behind %v, %v; late undone: %v", names, err, late)
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) {
	return 0, &os.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.EPIPE}
}

// TestBrokenPipe: a reader that goes away is not worth a word.
func TestBrokenPipe(t *testing.T) {
	for _, args := range [][]string{
		{"convert", small}, {"show", small}, {"check", small}, {"convert", "--json", small}, {"help"}, {"man"},
	} {
		e, _, stderr := testEnv(nil)
		e.stdout = &pipeWriter{Writer: brokenPipe{}}
		if code := run(t.Context(), e, args); code != exitFailed || stderr.Len() > 0 {
			t.Errorf("%v: code %d, stderr %q", args, code, stderr)
		}
	}
}

// TestTerminal: on a terminal a workbook is refused, control characters of
// the data are made visible, and the view has colour and the terminal's
// width.
func TestTerminal(t *testing.T) {
	onTerminal := func(args ...string) (int, string, string) {
		e, stdout, stderr := testEnv(nil)
		e.stdoutTerminal, e.width = true, 60
		code := run(t.Context(), e, args)
		return code, stdout.String(), stderr.String()
	}
	if code, out, _ := onTerminal("convert", "--format", "xlsx", small); code != exitUsage || out != "" {
		t.Errorf("workbook: code %d, %d bytes", code, len(out))
	}
	code, out, _ := onTerminal("convert", "testdata/input/hostile.json")
	if code != exitOK || strings.ContainsAny(out, "\x1b\x00\u009b\u202e") || !strings.Contains(out, `\x1b[31mred`) {
		t.Errorf("code %d, CSV on a terminal: %q", code, out)
	}
	code, out, _ = onTerminal("show", small)
	if code != exitOK || !strings.Contains(out, "\x1b[32m21.50") {
		t.Errorf("code %d, view without colour: %q", code, out)
	}
	for line := range strings.SplitSeq(strings.NewReplacer("\x1b[0m", "", "\x1b[1m", "", "\x1b[2m", "", "\x1b[31m", "", "\x1b[32m", "", "\x1b[36m", "").Replace(out), "\n") {
		if n := len([]rune(line)); n > 60 {
			t.Errorf("%d letters: %q", n, line)
		}
	}
	if _, out, _ := onTerminal("show", "--color", "never", small); strings.Contains(out, "\x1b") {
		t.Error("colour though --color=never")
	}
}

// TestPrompt: who reads from a terminal is told how to end it, unless quiet.
func TestPrompt(t *testing.T) {
	text, err := os.ReadFile(small)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		terminal bool
		args     []string
		want     bool
	}{
		{true, []string{"convert", "-"}, true},
		{true, []string{"convert", "-", "--quiet"}, false},
		{true, []string{"convert", small}, false},
		{false, []string{"convert", "-"}, false},
	} {
		e, _, stderr := testEnv(bytes.NewReader(text))
		e.stdinTerminal = tt.terminal
		code := run(t.Context(), e, tt.args)
		if got := strings.Contains(stderr.String(), "Ctrl-D"); code != exitOK || got != tt.want {
			t.Errorf("%+v: code %d, stderr %q", tt, code, stderr)
		}
	}
}

// TestPlainTerminal: a terminal without UTF-8 gets ASCII; pipes and files are
// the same everywhere.
func TestPlainTerminal(t *testing.T) {
	for _, tt := range []struct {
		terminal bool
		vars     map[string]string
		file     bool
		ascii    bool
	}{
		{true, nil, false, false},
		{true, map[string]string{"LANG": "C"}, false, true},
		{true, map[string]string{"LANG": "de_DE.UTF-8", "LC_ALL": "POSIX"}, false, true},
		{true, map[string]string{"LANG": "C", "LC_CTYPE": "C.utf8"}, false, false},
		{true, map[string]string{"LANG": "C"}, true, false},
		{false, map[string]string{"LANG": "C"}, false, false},
	} {
		e, stdout, _ := testEnv(nil)
		e.stdoutTerminal = tt.terminal
		e.getenv = func(name string) string { return tt.vars[name] }
		args := []string{"show", "--color", "never", small}
		path := filepath.Join(t.TempDir(), "out.txt")
		if tt.file {
			args = append(args, "-o", path)
		}
		if code := run(t.Context(), e, args); code != exitOK {
			t.Fatalf("%+v: code %d", tt, code)
		}
		out := stdout.String()
		if tt.file {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			out = string(b)
		}
		if got := !strings.Contains(out, "█"); got != tt.ascii || !strings.Contains(out, "86.08") {
			t.Errorf("%+v: %s", tt, out)
		}
	}
}

func TestColor(t *testing.T) {
	for _, tt := range []struct {
		flag     string
		terminal bool
		vars     string
		want     bool
	}{
		{"auto", true, "", true},
		{"auto", false, "", false},
		{"auto", true, "NO_COLOR=0", false},
		{"auto", true, "TERM=dumb", false},
		{"always", false, "NO_COLOR=1", true},
		{"never", true, "", false},
	} {
		e, _, _ := testEnv(nil)
		e.stdoutTerminal = tt.terminal
		e.getenv = func(name string) string {
			if k, v, _ := strings.Cut(tt.vars, "="); k == name {
				return v
			}
			return ""
		}
		if got := e.color(tt.flag); got != tt.want {
			t.Errorf("%+v: %v", tt, got)
		}
	}
}

// TestProgress: a line on a terminal after a second of work, out of the way of
// messages, and gone at the end.
func TestProgress(t *testing.T) {
	inputs := []string{"convert", "testdata/input/small.xml", small, "testdata/input/hostile.json"}
	e, _, stderr := testEnv(nil)
	e.stderrTerminal = true
	e.after = func(d time.Duration, f func()) func() {
		if d != progressAfter {
			t.Errorf("shows progress after %v", d)
		}
		f()
		return func() {}
	}
	if code := run(t.Context(), e, inputs); code != exitOK {
		t.Fatalf("code %d: %s", code, stderr)
	}
	text := stderr.String()
	want := "\r\x1b[Kreading 1 of 3: small.xml\r\x1b[Kreading 2 of 3: small.txt\r\x1b[Kreading 3 of 3: hostile.json\r\x1b[Kbenchproof: warning: "
	if !strings.HasPrefix(text, want) || !strings.HasSuffix(text, "\n") {
		t.Errorf("got %q, want %q…", text, want)
	}
	for _, args := range [][]string{{"--quiet"}, {"--progress", "none"}} {
		stderr.Reset()
		if code := run(t.Context(), e, append(args, inputs...)); code != exitOK || strings.Contains(stderr.String(), "reading") {
			t.Errorf("%v: code %d, %q", args, code, stderr)
		}
	}
	// Before the second is over there is no line.
	stderr.Reset()
	e.after = func(time.Duration, func()) func() { return func() {} }
	if code := run(t.Context(), e, []string{"convert", small}); code != exitOK || stderr.Len() > 0 {
		t.Errorf("code %d, %q", code, stderr)
	}
}

func TestByteSize(t *testing.T) {
	for text, want := range map[string]byteSize{
		"0": 0, "1024": 1024, "1KiB": 1024, "64MiB": 64 << 20, "2GiB": 2 << 30, "2g": 2 << 30, "1T": 1 << 40, " 3 MiB": 3 << 20,
	} {
		var b byteSize
		if err := b.Set(text); err != nil || b != want {
			t.Errorf("%q: %d, %v, want %d", text, b, err, want)
		}
		var again byteSize
		if err := again.Set(b.String()); err != nil || again != b {
			t.Errorf("%q printed as %q, read as %d, %v", text, b.String(), again, err)
		}
	}
	for _, text := range []string{"", "x", "-1", "1.5GiB", "GiB", "9999999999TiB", "1KB"} {
		var b byteSize
		if err := b.Set(text); err == nil {
			t.Errorf("%q was taken for %d", text, b)
		}
	}
}

func TestExcerpt(t *testing.T) {
	text := "first line\nEXT4 . 86.08 |=====\nlast"
	at := strings.Index(text, "86.08")
	for _, tt := range []struct {
		offset int
		value  string
		reach  int
		want   *excerpt
	}{
		{at, "86.08", 60, &excerpt{"EXT4 . ", "86.08", " |====="}},
		{at, "86.08", 3, &excerpt{" . ", "86.08", " |="}},
		{at, "86.09", 60, nil},
		{at, "", 60, &excerpt{"EXT4 . ", "", "86.08 |====="}},
		{len(text), "", 60, nil},
		{-1, "8", 60, nil},
		{len(text) + 5, "8", 60, nil},
		{0, "first", 60, &excerpt{"", "first", " line"}},
	} {
		got := excerptAt(text, tt.offset, tt.value, tt.reach)
		if (got == nil) != (tt.want == nil) || got != nil && *got != *tt.want {
			t.Errorf("%+v: got %+v", tt, got)
		}
	}
	// A letter of several bytes is not cut.
	if got := excerptAt("日本5語語", 6, "5", 2); *got != (excerpt{"", "5", ""}) {
		t.Errorf("got %+v", got)
	}
	x := &excerpt{"日\x1b", "5", ""}
	if a, b := x.lines(1); a != ` 日\x1b5` || b != "       ^" {
		t.Errorf("lines %q, %q", a, b)
	}
}

// TestFilterKeepsRecord: filtering never changes the file it is given, and
// keeps each measurement with its system.
func TestFilterKeepsRecord(t *testing.T) {
	file := &result.File{
		Systems: []result.System{{Identifier: "A"}, {Identifier: "B"}, {Identifier: "C"}},
		Tests: []result.Test{{Title: "T", Measurements: []result.Measurement{
			{System: 2, Value: "c"}, {System: 0, Value: "a"}, {System: 1, Value: "b"},
		}}},
	}
	f := &filterFlags{systems: []string{"[AC]"}}
	if err := f.validate(); err != nil {
		t.Fatal(err)
	}
	out := f.apply(file)
	got := ""
	for _, m := range out.Tests[0].Measurements {
		got += out.Systems[m.System].Identifier + m.Value + " "
	}
	if got != "Cc Aa " {
		t.Errorf("measurements %s", got)
	}
	if len(file.Systems) != 3 || len(file.Tests[0].Measurements) != 3 || file.Tests[0].Measurements[0].System != 2 {
		t.Error("the file was changed")
	}
}

// TestWalkErrors: what a walk cannot enter is an input that cannot be read;
// the rest is.
func TestWalkErrors(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root can read everything")
	}
	dir := t.TempDir()
	text, err := os.ReadFile(small)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "z.txt"), text, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "locked"), 0); err != nil {
		t.Fatal(err)
	}
	e, stdout, stderr := testEnv(nil)
	code := run(t.Context(), e, []string{"convert", dir})
	if code != exitUnread || !strings.Contains(stdout.String(), "\nz.txt,") || !strings.Contains(stderr.String(), "permission denied") {
		t.Errorf("code %d, stdout %q, stderr %q", code, stdout, stderr)
	}
}
