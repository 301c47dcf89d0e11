package replay

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/benchproof/benchproof/replay/internal/process"
	"github.com/benchproof/benchproof/replay/profile"
)

// ready waits until a server answers.
func (w *worker) ready(ctx context.Context, s *profile.Step, p *process.Process, c process.Command) error {
	argv, err := w.fillAll(s.Ready)
	if err != nil {
		return failStep("%s: %v", s.Name, err)
	}
	limit := s.Timeout
	if limit == 0 {
		limit = readyTimeout
	}
	ask := c
	ask.Argv, ask.Stdin, ask.Copies, ask.Timeout = argv, "", 1, limit
	ask.Stdout = strings.TrimSuffix(c.Stdout, ".out") + "-ready.out"
	ask.Stderr = ask.Stdout
	for end := time.Now().Add(limit); ; {
		select {
		case <-p.Done():
			return failStep("%s: it ended before it was ready", s.Name)
		default:
		}
		res, err := process.Run(ctx, ask)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err == nil && res.OK():
			return nil
		case time.Now().After(end):
			return failStep("%s: not ready after %s", s.Name, limit)
		}
		select {
		case <-time.After(readyEvery):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// serverGrace is how long a server may take to end before it is killed: it
// writes what it holds in memory to a disk that may be slow. Tests set less.
var serverGrace = 5 * time.Minute

// stop ends what stays up, the last started first. Its error says that a
// server had ended before.
func (w *worker) stop(ctx context.Context) error {
	var failed error
	for _, u := range slices.Backward(w.up) {
		early := false
		select {
		case <-u.process.Done():
			early = true
		default:
		}
		grace := time.Duration(0)
		if u.step.Server && ctx.Err() == nil { // who interrupts does not wait so long
			grace = serverGrace
		}
		res, err := u.process.Stop(0, grace)
		if u.step.Server && !early && ctx.Err() == nil && res.Signal == syscall.SIGKILL {
			w.warn(fmt.Sprintf("%s did not end within %s and was killed", u.step.Name, grace))
		}
		u.out.Elapsed, u.out.ExitCode = res.Elapsed, res.Code
		for i := range w.records {
			if w.records[i].Name == u.step.Name && w.records[i].Result == nil {
				w.records[i].Result = &res
			}
		}
		w.count(res.IO)
		switch {
		case failed != nil:
		case err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, errTimeLimit):
			failed = failStep("%s: %v", u.step.Name, err)
		case early && u.step.Server:
			failed = failStep("%s: %s", u.step.Name, withLog("it ended by itself", u.out))
		}
	}
	w.up = nil
	return failed
}
