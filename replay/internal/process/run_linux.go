package process

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

// runMark is the environment variable that tells the programs of one call of
// Start from those of others of the same replay.
const runMark = "BENCHPROOF_REPLAY_RUN"

// Process is a command that runs. Its methods may be called at the same time.
type Process struct {
	record  Record
	run     string
	command Command
	cmd     *exec.Cmd
	control *os.File
	stderr  bytes.Buffer
	done    chan struct{}
	result  Result
	err     error
	orders  sync.Mutex // serialises writes to control
}

// Run starts the command and waits for its end. When ctx is done, the command
// is ended with its Stop signal, then killed after its Grace, and the error is
// ctx's cause. A program that fails is no error: see [Result.Failure].
func Run(ctx context.Context, c Command) (Result, error) {
	p, err := Start(ctx, c)
	if err != nil {
		return Result{}, err
	}
	return p.Wait()
}

// Start starts the command and returns once all copies run. When ctx is done,
// the command is ended as by Stop. Its error says why the program could not be
// started (errors.Is tells fs.ErrNotExist and fs.ErrPermission).
func Start(ctx context.Context, c Command) (*Process, error) {
	c, err := c.validate()
	if err != nil {
		return nil, err
	}
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	p := &Process{command: c, run: rand.Text(), done: make(chan struct{})}
	in, err := p.launch()
	if err != nil {
		return nil, err
	}
	var first report
	dec := json.NewDecoder(bufio.NewReader(in))
	err = dec.Decode(&first)
	if err != nil || first.Started == nil {
		p.control.Close()
		in.Close()
		waited := p.cmd.Wait()
		p.endRest()
		if err != nil {
			return nil, fmt.Errorf("start %q: supervisor: %w", c.Argv[0], p.supervisorError(waited))
		}
		return nil, startError(first)
	}
	p.record = *first.Started
	unwatch := context.AfterFunc(ctx, func() { p.order(c.Stop, c.Grace) })
	go func() {
		p.follow(dec, in)
		if !unwatch() && p.err == nil && p.result.Stopped {
			p.err = context.Cause(ctx)
		}
		close(p.done)
	}()
	return p, nil
}

// launch starts the supervisor and gives it the command. It returns where the
// reports come from.
func (p *Process) launch() (*os.File, error) {
	childControl, control, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("start a supervisor: %w", err)
	}
	defer childControl.Close()
	reports, childReports, err := os.Pipe()
	if err != nil {
		control.Close()
		return nil, fmt.Errorf("start a supervisor: %w", err)
	}
	defer childReports.Close()
	p.control = control
	p.cmd = &exec.Cmd{
		// By this name it is this very file, even where another has
		// taken its place.
		Path:        "/proc/self/exe",
		Args:        []string{supervisorName, p.command.ID, filepath.Base(p.command.Argv[0])},
		Dir:         "/",
		Env:         append(environment("/"), Mark+"="+p.command.ID, runMark+"="+p.run, "GOTRACEBACK=all"),
		Stderr:      &p.stderr,
		ExtraFiles:  []*os.File{childControl, childReports},
		SysProcAttr: &syscall.SysProcAttr{Setsid: true},
	}
	if err := p.cmd.Start(); err != nil {
		control.Close()
		reports.Close()
		return nil, fmt.Errorf("start a supervisor: %w", err)
	}
	text, err := json.Marshal(spec{Command: p.command, Run: p.run})
	if err == nil {
		_, err = control.Write(append(text, '\n'))
	}
	if err != nil && !errors.Is(err, syscall.EPIPE) {
		control.Close()
		reports.Close()
		_ = p.cmd.Wait()
		return nil, fmt.Errorf("start a supervisor: %w", err)
	}
	return reports, nil
}

// startError makes an error of a report that nothing was started.
func startError(r report) error {
	if r.Errno != 0 {
		return &reportedError{text: r.Error, errno: r.Errno}
	}
	return errors.New(r.Error)
}

// reportedError is an error of the supervisor that keeps its kind.
type reportedError struct {
	text  string
	errno syscall.Errno
}

func (e *reportedError) Error() string { return e.text }

func (e *reportedError) Unwrap() error { return e.errno }

// follow reads the result and waits for the supervisor's end.
func (p *Process) follow(dec *json.Decoder, in *os.File) {
	var last report
	err := dec.Decode(&last)
	in.Close()
	waited := p.cmd.Wait()
	p.orders.Lock()
	p.control.Close()
	p.orders.Unlock()
	switch {
	case err != nil:
		p.endRest()
		p.err = fmt.Errorf("run %q: supervisor: %w", p.command.Argv[0], p.supervisorError(waited))
	case last.Error != "":
		p.err = fmt.Errorf("run %q: %s", p.command.Argv[0], last.Error)
	}
	if last.Result != nil {
		p.result = *last.Result
	}
}

// supervisorError says how the supervisor failed.
func (p *Process) supervisorError(waited error) error {
	if waited == nil {
		waited = errors.New("no report")
	}
	if text := bytes.TrimSpace(p.stderr.Bytes()); len(text) > 0 {
		return fmt.Errorf("%w: %.2000s", waited, text)
	}
	return waited
}

// endRest kills what a supervisor that died itself could not.
func (p *Process) endRest() {
	record := p.record
	record.ID = p.run // by the mark of this run alone
	killed, _ := killMarked(runMark, p.run, killFor, true, record)
	record.removeSharedMemory(killed)
}

// order tells the supervisor to end the program.
func (p *Process) order(sig syscall.Signal, grace time.Duration) {
	text, err := json.Marshal(order{Signal: sig, Grace: grace})
	if err != nil {
		return
	}
	p.orders.Lock()
	defer p.orders.Unlock()
	// Where it is gone there is nothing to end. One that somebody has stopped
	// hears nothing.
	_, _ = p.control.Write(append(text, '\n'))
	_ = p.cmd.Process.Signal(syscall.SIGCONT)
}

// Record returns what finds the program again after a crash of this one.
func (p *Process) Record() Record { return p.record }

// Done is closed when the command has ended and nothing of it is left.
func (p *Process) Done() <-chan struct{} { return p.done }

// Wait waits for the end and returns how it was. It may be called again. Its
// error is of the supervision, not of the program.
func (p *Process) Wait() (Result, error) {
	<-p.done
	return p.result, p.err
}

// Stop asks the program to end with the signal (0 for the command's), kills it
// with all its descendants after the grace (0 for the command's), and returns
// once nothing is left. A program that has ended already stays as it was.
func (p *Process) Stop(sig syscall.Signal, grace time.Duration) (Result, error) {
	if sig == 0 {
		sig = p.command.Stop
	}
	if grace == 0 {
		grace = p.command.Grace
	}
	p.order(sig, grace)
	return p.Wait()
}
