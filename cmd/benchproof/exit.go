package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/benchproof/benchproof/internal/interrupt"
)

// Exit codes. They are part of the command's contract.
const (
	exitOK          = 0
	exitNo          = 1   // done, and the answer is no
	exitUsage       = 2   // wrong use
	exitUnread      = 3   // some or all input could not be read
	exitFailed      = 4   // output or another step failed
	exitRefused     = 5   // a replay's preflight refused
	exitInterrupted = 130 // interrupted, nothing left half-written
)

// exitMeaning says what an exit code tells.
type exitMeaning struct {
	code    int
	meaning string
}

// exitMeanings is the table of exit codes as the manual prints it.
var exitMeanings = []exitMeaning{
	{exitOK, "done"},
	{exitNo, "done, and the answer is no: check found an error, --fail-on was met, diff found a difference, or verify a claim that does not hold"},
	{exitUsage, "wrong use: an unknown command, flag or format, or a value that a flag does not take"},
	{exitUnread, "some or all input could not be read; the rest was processed"},
	{exitFailed, "failed: the output could not be written, or a run of a replay failed"},
	{exitRefused, "refused before it began: a replay that could do harm"},
	{exitInterrupted, "interrupted; nothing is left half-written"},
}

// exitTexts say what exit codes tell of one command, where that is less or
// something else than the table says: "" for a code that it does not end with.
type exitTexts map[int]string

// Exit codes of commands that are alike.
var (
	exitsPrint = exitTexts{exitNo: "", exitUnread: "", exitFailed: "failed: the output could not be written", exitRefused: ""}
	exitsRead  = exitTexts{exitNo: "", exitFailed: "failed: the output could not be written", exitRefused: ""}
)

// exitsAsk are those of commands that ask the engine of a corpus.
var exitsAsk = exitTexts{
	exitNo: "", exitUnread: "the corpus, or some or all input, could not be read",
	exitFailed: "failed: there is no engine, it failed, or the output could not be written", exitRefused: "",
}

// but returns x with others for some codes.
func (x exitTexts) but(others exitTexts) exitTexts {
	all := maps.Clone(x)
	maps.Copy(all, others)
	return all
}

// set says them of a command.
func (x exitTexts) set(c *cobra.Command) {
	c.Annotations = map[string]string{}
	for code, meaning := range x {
		c.Annotations[exitNote(code)] = meaning
	}
}

// exitNote is the annotation of a command that says what an exit code tells.
func exitNote(code int) string { return fmt.Sprintf("benchproof_exit_%d", code) }

// exitsOf returns what the exit codes of a command tell.
func exitsOf(c *cobra.Command) []exitMeaning {
	var list []exitMeaning
	for _, x := range exitMeanings {
		if own, ok := c.Annotations[exitNote(x.code)]; ok {
			x.meaning = own
		}
		if x.meaning != "" {
			list = append(list, x)
		}
	}
	return list
}

// exitError is an error that says how the process ends. Its zero code is
// that of failure.
type exitError struct {
	code int
	err  error
	hint string // what to try, "" if nothing
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

// usage returns the error for a wrong use.
func usage(hint string, err error) error { return &exitError{exitUsage, err, hint} }

// failed returns the error for a step that failed.
func failed(hint string, err error) error { return &exitError{exitFailed, err, hint} }

// errAnswerNo ends a command whose answer is no and has been given.
var errAnswerNo = &exitError{code: exitNo, err: errors.New("the answer is no")}

// exitCode returns the code of what a command returned.
func exitCode(err error) int {
	var e *exitError
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.As(err, &e) && e.code != 0:
		return e.code
	}
	return exitFailed
}

// graceful is how long an interrupted command has to end by itself before
// its half-written files are removed and the process ends.
const graceful = 2 * time.Second

// gracefulSlow is the same for one that must first end the programs it runs.
const gracefulSlow = 2 * time.Minute

// sameInterrupt is within which time a second interrupt is the first one, given
// twice: timeout(1) signals its command, and then the group that it is in.
const sameInterrupt = 500 * time.Millisecond

// mainExit runs the command line in this process and returns its exit code.
//
// An interrupt cancels the command's context. A reader that closes stdout
// early ends the process by SIGPIPE, as it ends other tools, but only once
// what was begun is undone; one that closes stderr misses messages, and no
// more.
func mainExit(args []string) int {
	catchPipe()
	e := processEnv()
	code := interruptible(e, interrupt.Signals(), args)
	if out, ok := e.stdout.(*pipeWriter); ok && out.gone.Load() && code == exitFailed {
		out.end()
	}
	return code
}

// interruptible runs the command line until it ends or signals say that it is
// to. It has some time to end by itself.
func interruptible(e *env, signals <-chan os.Signal, args []string) int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ended := make(chan int, 1)
	go func() { ended <- run(ctx, e, args) }()
	select {
	case code := <-ended:
		return code
	case <-signals:
		cancel()
	}
	m := newMessages(e, &globals{json: slices.Contains(args, "--json")})
	wait := time.After(graceful)
	for begun, told := time.Now(), false; ; {
		select {
		case code := <-ended:
			return code
		case <-signals:
			if !e.slow.Load() || !told && time.Since(begun) < sameInterrupt {
				continue
			}
			if !told {
				m.line("info", "ending what runs and removing what was begun; once more, and it is left as it is")
				told = true
				continue
			}
		case <-wait:
			if e.slow.Load() && time.Since(begun) < gracefulSlow {
				wait = time.After(graceful)
				continue
			}
		}
		e.cleanup.run()
		m.error(context.Canceled)
		return exitInterrupted
	}
}
