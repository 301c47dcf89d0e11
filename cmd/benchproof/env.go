package main

import (
	"errors"
	"io"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/term"
)

// env is what a command sees of the world outside. Commands touch nothing
// else, so that tests can give them another one.
type env struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	getenv         func(string) string
	// after calls f once d has passed, unless stop is called before.
	after func(d time.Duration, f func()) (stop func())

	// Whether the streams are terminals, and how many cells wide that of
	// stdout is; 0 if unknown.
	stdinTerminal, stdoutTerminal, stderrTerminal bool
	width                                         int

	cleanup cleanup
	// slow is set by a command while it needs its time to end when it is
	// interrupted: programs that it runs must end first.
	slow atomic.Bool
}

// processEnv returns the env of this process.
func processEnv() *env {
	e := &env{
		stdin: os.Stdin, stdout: &pipeWriter{Writer: os.Stdout}, stderr: os.Stderr,
		getenv: os.Getenv,
		after: func(d time.Duration, f func()) func() {
			t := time.AfterFunc(d, f)
			return func() { t.Stop() }
		},
		stdinTerminal:  term.IsTerminal(int(os.Stdin.Fd())),
		stdoutTerminal: term.IsTerminal(int(os.Stdout.Fd())),
		stderrTerminal: term.IsTerminal(int(os.Stderr.Fd())),
	}
	if stdoutClosed() {
		e.stdout = closedWriter{}
	}
	if width, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil {
		e.width = width
	}
	return e
}

// closedWriter stands for a stdout that is not open.
type closedWriter struct{}

func (closedWriter) Write([]byte) (int, error) {
	return 0, &os.PathError{Op: "write", Path: os.Stdout.Name(), Err: errors.New("it is closed")}
}

// lineWidth returns the number of cells that a line may take: the
// terminal's, else that of COLUMNS, else 80.
func (e *env) lineWidth() int {
	if e.width > 0 {
		return e.width
	}
	if n, err := strconv.Atoi(e.getenv("COLUMNS")); err == nil && n > 0 {
		return min(n, 1000)
	}
	return 80
}

// knownWidth returns lineWidth where it is one that somebody looks at, and 0
// where nothing tells: text for other programs is not broken into lines.
func (e *env) knownWidth() int {
	if e.width > 0 || e.getenv("COLUMNS") != "" {
		return e.lineWidth()
	}
	return 0
}

// color reports whether output to stdout may be coloured, by the flag
// --color: auto heeds NO_COLOR, TERM=dumb and output that is no terminal.
func (e *env) color(flag string) bool {
	switch flag {
	case "always":
		return true
	case "never":
		return false
	}
	return e.stdoutTerminal && e.getenv("NO_COLOR") == "" && e.getenv("TERM") != "dumb"
}

// plain reports whether stdout is a terminal whose locale has no more letters
// than ASCII for certain: one is named, and it is not of UTF-8.
func (e *env) plain() bool {
	if !e.stdoutTerminal {
		return false
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(e.getenv(name)); v != "" {
			return !strings.Contains(v, "utf-8") && !strings.Contains(v, "utf8")
		}
	}
	return false
}
