package process

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Times of the supervisor.
const (
	naturalEnd  = 200 * time.Millisecond // for what a program left behind to end by itself
	orphanGrace = time.Second            // for the same after TERM
	goneGrace   = time.Second / 2        // for the program when this program is gone
	killEvery   = 20 * time.Millisecond
	killFor     = 10 * time.Second // then what does not die is reported
)

// Descriptors that the supervisor is started with.
const (
	controlFD = 3 // reads the command, then orders; its end is the end of all
	reportFD  = 4 // writes reports
)

// order asks the supervisor to end the program.
type order struct {
	Signal syscall.Signal `json:"signal"`
	Grace  time.Duration  `json:"grace"`
}

// report is what the supervisor says: first Started or Error, then Result.
type report struct {
	Started *Record       `json:"started,omitempty"`
	Result  *Result       `json:"result,omitempty"`
	Error   string        `json:"error,omitempty"`
	Errno   syscall.Errno `json:"errno,omitempty"`
}

// init becomes the supervisor where this executable was started as one. It is
// no call of main's, since an executable that forgot the call (a test binary)
// would start itself again and again.
func init() {
	if len(os.Args) > 0 && os.Args[0] == supervisorName {
		unix.Exit(superviseMain())
	}
}

// superviseMain returns the exit code of the supervisor.
func superviseMain() int {
	// The parent-death signal of a child comes when the thread that forked
	// it ends, so one thread does it and stays.
	runtime.LockOSThread()
	// Nothing that this program was started with is the tool's business.
	if err := unix.CloseRange(controlFD, ^uint(0), unix.CLOSE_RANGE_CLOEXEC); err != nil {
		unix.CloseOnExec(controlFD)
		unix.CloseOnExec(reportFD)
	}
	control, out := os.NewFile(controlFD, "control"), os.NewFile(reportFD, "report")
	if control == nil || out == nil {
		return 2
	}
	in := bufio.NewReader(control)
	line, err := in.ReadBytes('\n')
	if err != nil {
		return 2 // gone before it said anything
	}
	enc := json.NewEncoder(out)
	var c spec
	if err := json.Unmarshal(line, &c); err != nil {
		_ = enc.Encode(report{Error: fmt.Sprintf("read the command: %v", err)})
		return 2
	}
	s := &supervisor{c: c, events: make(chan event, 16), pids: map[int]int{}, seen: map[int]bool{}}
	err = s.prepare()
	if err == nil {
		err = s.start()
	}
	if err != nil {
		s.fail(enc, err)
		return 1
	}
	_ = enc.Encode(report{Started: &s.record})
	go s.listen(in)
	go s.reap()
	res, err := s.watch()
	r := report{Result: &res}
	if err != nil {
		r.Error = err.Error()
	}
	if enc.Encode(r) != nil {
		return 1
	}
	return 0
}

// supervisor watches over the copies of one command.
type supervisor struct {
	c      spec
	sinks  []*sink
	record Record
	pids   map[int]int // copy by pid
	exits  []Exit
	began  time.Time
	events chan event
	// outputs has room for all that the sinks can say, so that none waits
	// where nobody listens any more.
	outputs chan event
	usage   syscall.Rusage // sums of all that was reaped, largest Maxrss
	seen    map[int]bool   // pids that were reaped
	umask   os.FileMode    // this program's own, which output is made with
}

// spec is a command with the identifier of this run of it.
type spec struct {
	Command
	Run string `json:"run"`
}

// event is what happens to a supervisor; one field is set.
type event struct {
	reaped *reaped
	none   bool // no descendant is left
	order  *order
	gone   bool // the program that started the supervisor is gone
	output bool // a file passed its limit or cannot be written
}

// reaped is one descendant that ended.
type reaped struct {
	pid    int
	status syscall.WaitStatus
	usage  syscall.Rusage
}

func (s *supervisor) prepare() error {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("become the reaper of descendants: %w", err)
	}
	if s.c.Group != "" {
		// What it starts is in the group as well. 0 stands for itself.
		if err := os.WriteFile(s.c.Group, []byte("0"), 0); err != nil {
			return fmt.Errorf("enter the control group: %w", err)
		}
	}
	self, err := readStat(os.Getpid())
	if err != nil {
		return err
	}
	s.record = Record{ID: s.c.ID, Boot: bootID(), Dir: s.c.Dir, Began: time.Now().UTC(), Supervisor: self.started()}
	s.umask = os.FileMode(unix.Umask(s.c.Umask))
	return nil
}

// fail reports why nothing was started, and ends what was.
func (s *supervisor) fail(enc *json.Encoder, err error) {
	for {
		if _, err := killDescendants(unix.SIGKILL); err != nil {
			break
		}
		if _, err := unix.Wait4(-1, nil, unix.WALL, nil); err != nil && !errors.Is(err, unix.EINTR) {
			break
		}
	}
	r := report{Error: err.Error()}
	errors.As(err, &r.Errno)
	_ = enc.Encode(r)
}

// listen takes orders until the other end is gone.
func (s *supervisor) listen(in *bufio.Reader) {
	dec := json.NewDecoder(in)
	for {
		var o order
		if err := dec.Decode(&o); err != nil {
			s.events <- event{gone: true}
			return
		}
		s.events <- event{order: &o}
	}
}

// reap waits for descendants until there is none. All of them are or become
// children of the supervisor, so the kernel's answer that it has no child is
// the proof that nothing is left.
func (s *supervisor) reap() {
	for {
		var r reaped
		pid, err := syscall.Wait4(-1, &r.status, unix.WALL, &r.usage)
		switch {
		case errors.Is(err, syscall.EINTR):
		case err != nil:
			s.events <- event{none: true}
			return
		default:
			r.pid = pid
			s.events <- event{reaped: &r}
		}
	}
}

// watch waits for the end of everything and says how it was.
func (s *supervisor) watch() (Result, error) {
	var (
		res      Result
		left     = len(s.pids)
		ending   bool // the program was told to end
		overtime <-chan time.Time
		orphans  <-chan time.Time
		kill     <-chan time.Time // fires when patience is over
		killAt   time.Time        // when that is, zero for never
		killing  time.Time        // since when there is killing
	)
	if s.c.Timeout > 0 {
		overtime = time.After(s.c.Timeout)
	}
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, unix.SIGTERM, unix.SIGINT, unix.SIGHUP)
	killIn := func(d time.Duration) { // or earlier, if that was said
		if at := time.Now().Add(d); killAt.IsZero() || at.Before(killAt) {
			killAt, kill = at, time.After(d)
		}
	}
	stop := func(sig syscall.Signal, grace time.Duration) {
		if !ending && sig != unix.SIGKILL {
			s.signalCopies(sig)
		}
		ending = true
		if sig == unix.SIGKILL {
			grace = 0
		}
		killIn(grace)
	}
	for {
		select {
		case <-s.outputs:
			stop(unix.SIGKILL, 0)
		case e := <-s.events:
			switch {
			case e.none:
				return s.finish(res)
			case e.reaped != nil:
				if !s.account(e.reaped) {
					break
				}
				if left--; left > 0 {
					break
				}
				res.Elapsed = time.Since(s.began)
				overtime = nil
				wait := naturalEnd
				if ending {
					wait = 0
				}
				orphans = time.After(wait)
			case e.order != nil:
				res.Stopped = res.Stopped || left > 0
				stop(e.order.Signal, e.order.Grace)
			case e.gone:
				// Nothing is measured any more: on a busy machine the
				// end must not wait for its turn. Only root may.
				_ = unix.Setpriority(unix.PRIO_PROCESS, 0, -10)
				stop(s.c.Stop, min(s.c.Grace, goneGrace))
			}
		case <-signals:
			res.Stopped = res.Stopped || left > 0
			stop(s.c.Stop, s.c.Grace)
		case <-overtime:
			res.TimedOut = true
			stop(s.c.Stop, s.c.Grace)
		case <-orphans:
			names, _ := killDescendants(unix.SIGTERM)
			if !ending {
				res.Orphans = names
			}
			ending = true
			killIn(orphanGrace)
		case <-kill:
			if killing.IsZero() {
				killing = time.Now()
			}
			names, err := killDescendants(unix.SIGKILL)
			if time.Since(killing) > killFor {
				return res, fmt.Errorf("these do not die: %v (%w)", names, err)
			}
			kill = time.After(killEvery)
		}
	}
}

// account keeps what an ended descendant used, and reports whether it was a copy.
func (s *supervisor) account(r *reaped) bool {
	s.seen[r.pid] = true
	s.usage.Utime = addTime(s.usage.Utime, r.usage.Utime)
	s.usage.Stime = addTime(s.usage.Stime, r.usage.Stime)
	s.usage.Maxrss = max(s.usage.Maxrss, r.usage.Maxrss)
	n, ok := s.pids[r.pid]
	if !ok {
		return false
	}
	delete(s.pids, r.pid)
	if r.status.Signaled() {
		s.exits[n] = Exit{Code: -1, Signal: r.status.Signal()}
	} else {
		s.exits[n] = Exit{Code: r.status.ExitStatus()}
	}
	return true
}

// finish completes the result once nothing runs.
func (s *supervisor) finish(res Result) (Result, error) {
	for _, k := range s.sinks {
		if err := k.close(); err != nil && res.OutputError == "" {
			res.OutputError = err.Error()
		}
		if k.flooded && res.Flooded == "" {
			res.Flooded = k.name
		}
	}
	res.Copies = s.exits
	if i := slices.IndexFunc(s.exits, func(e Exit) bool { return e != Exit{} }); i >= 0 {
		res.Exit = s.exits[i]
	}
	res.User = time.Duration(s.usage.Utime.Nano())
	res.System = time.Duration(s.usage.Stime.Nano())
	var own syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &own); err == nil && s.usage.Maxrss > own.Maxrss {
		res.MaxRSS = int64(s.usage.Maxrss) << 10
	}
	res.IO = descendantsIO()
	removeSharedMemory(s.seen, s.began)
	return res, nil
}

// signalCopies sends a signal to the copies themselves, and makes sure that
// they hear it.
func (s *supervisor) signalCopies(sig syscall.Signal) {
	for pid, n := range s.pids {
		// The number of one that was reaped a moment ago, which is not
		// accounted for yet, may be another's.
		one := stat{pid: pid, start: s.record.Copies[n].Start}
		_ = signalProcess(one, sig)
		_ = signalProcess(one, unix.SIGCONT)
	}
}

func addTime(a, b syscall.Timeval) syscall.Timeval { return syscall.NsecToTimeval(a.Nano() + b.Nano()) }

// sink is a file that output goes to, through a pipe.
type sink struct {
	name    string
	limit   int64
	file    *os.File
	read    *os.File
	write   int
	done    chan error
	flooded bool
}

// openSink empties the file and makes the pipe.
func openSink(name string, limit int64, mode os.FileMode) (*sink, error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC|unix.O_NOFOLLOW, mode)
	if err != nil {
		return nil, err
	}
	var p [2]int
	if err := unix.Pipe2(p[:], unix.O_CLOEXEC); err != nil {
		return nil, fmt.Errorf("pipe for %q: %w", name, err)
	}
	return &sink{name: name, limit: limit, file: f, read: os.NewFile(uintptr(p[0]), name), write: p[1], done: make(chan error, 1)}, nil
}

// copy moves output into the file until every writer is gone. What comes after
// the limit or an error is read and dropped, so that nobody waits for it.
func (k *sink) copy(outputs chan<- event) {
	n, err := io.Copy(k.file, io.LimitReader(k.read, k.limit))
	if err != nil {
		outputs <- event{output: true}
	} else if n == k.limit {
		var one [1]byte
		if m, _ := k.read.Read(one[:]); m > 0 {
			k.flooded = true
			outputs <- event{output: true}
		}
	}
	_, _ = io.Copy(io.Discard, k.read)
	k.done <- err
}

// close waits for the end of the output and puts the file on the disk.
func (k *sink) close() error {
	err := <-k.done
	if err == nil {
		err = k.file.Sync()
	}
	return errors.Join(err, k.file.Close())
}
