package replay

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/benchproof/benchproof/replay/internal/process"
	"github.com/benchproof/benchproof/replay/internal/target"
	"github.com/benchproof/benchproof/replay/profile"
)

// Times of steps.
const (
	leastTimeout = 10 * time.Minute // of a step that sets none, beside 10 times its usual time
	readyTimeout = 2 * time.Minute  // for a server to come up
	readyEvery   = 100 * time.Millisecond
)

// worker runs the steps of one repetition, or those behind the last.
type worker struct {
	r        *runner
	site     *site
	job      *profile.Job
	dir      string // of the raw outputs
	rep      int    // 0: the steps behind the last
	warnings []string
	io       process.IO
	records  []stepRecord
	up       []*server
}

// server is a program that stays up.
type server struct {
	step    *profile.Step
	process *process.Process
	out     *output
}

// output is where a step's output lies, and what is known of its end.
type output struct {
	profile.Output
	stdout, stderr string
}

// stepRecord is what is kept of a step beside its output.
type stepRecord struct {
	Name    string           `json:"name"`
	Argv    []string         `json:"argv"`
	Env     []string         `json:"env,omitempty"` // beside the fixed ones
	Dir     string           `json:"dir"`
	User    *process.Account `json:"user,omitempty"`
	Result  *process.Result  `json:"result,omitempty"`
	Failure string           `json:"failure,omitempty"`
}

// wants reports whether a step runs now.
func (w *worker) wants(s *profile.Step) bool {
	switch s.When {
	case profile.First:
		return w.rep > 0 && !w.site.prepared
	case profile.Last:
		return w.rep == 0
	}
	return w.rep > 0
}

// work runs the steps in order and returns their outputs. Whatever happens,
// nothing of them runs when it returns.
func (w *worker) work(ctx context.Context) (out *profile.Outputs, err error) {
	list := make([]*output, 0, len(w.job.Steps))
	defer func() {
		if stopErr := w.stop(ctx); err == nil {
			err = stopErr
		}
		if err != nil {
			out = nil
			return
		}
		out, err = w.load(list)
	}()
	for i := range w.job.Steps {
		s := &w.job.Steps[i]
		if !w.wants(s) {
			continue
		}
		if err := w.prepare(ctx, s); err != nil {
			return nil, err
		}
		if len(s.Argv) == 0 {
			continue // nothing but files
		}
		if w.rep > 0 {
			w.r.tell(Progress{Kind: StepStarted, Run: w.r.plan.label(w.site.run.steps[0]), Target: w.site.run.target, Rep: w.rep, Step: s.Name})
		}
		o, err := w.step(ctx, i, s)
		if err != nil {
			return nil, err
		}
		list = append(list, o)
	}
	return nil, nil
}

// prepare makes and removes what the step says, syncs and drops caches.
func (w *worker) prepare(ctx context.Context, s *profile.Step) error {
	scratch := w.site.scratch
	for _, name := range s.Remove {
		path, err := below(name)
		if err == nil {
			err = scratch.RemoveTree(path)
		}
		if err != nil {
			return failStep("%s: %v", s.Name, err)
		}
	}
	for _, name := range append(slices.Clone(s.Mkdirs), s.Dir) {
		path, err := below(name)
		if err == nil {
			err = scratch.Mkdir(path)
		}
		if err != nil {
			return failStep("%s: %v", s.Name, err)
		}
	}
	for _, f := range s.Files {
		if err := w.writeFile(f); err != nil {
			return failStep("%s: %v", s.Name, err)
		}
	}
	if a := w.account(); a != nil {
		if err := scratch.Own(workDir, int(a.UID), int(a.GID)); err != nil {
			return failStep("%s: %v", s.Name, err)
		}
		if err := a.Reach(scratch.Dir()); err != nil {
			return failStep("%s: %v", s.Name, err)
		}
	}
	if s.Sync || s.DropCaches {
		if err := w.site.place.Sync(); err != nil {
			return failStep("%s: %v", s.Name, err)
		}
	}
	if s.DropCaches {
		if err := target.DropCaches(); errors.Is(err, fs.ErrPermission) {
			w.warn("caches were not dropped: it needs root")
		} else if err != nil {
			return failStep("%s: %v", s.Name, err)
		}
	}
	if s.Sleep > 0 {
		select {
		case <-time.After(s.Sleep):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

func (w *worker) warn(text string) {
	if !slices.Contains(w.warnings, text) {
		w.warnings = append(w.warnings, text)
	}
}

// account returns who the job's tools run as where that is not this user, nil
// where no step of it refuses root.
func (w *worker) account() *process.Account {
	if slices.ContainsFunc(w.job.Steps, func(s profile.Step) bool { return s.User }) {
		return w.r.account
	}
	return nil
}

// below returns a name of the profile as one below the scratch directory.
func below(name string) (string, error) {
	if name == "" || name == "." {
		return workDir, nil
	}
	if !filepath.IsLocal(name) {
		return "", fmt.Errorf("%q is no name below the scratch directory", name)
	}
	return filepath.Join(workDir, name), nil
}

func (w *worker) writeFile(f profile.File) error {
	path, err := below(f.Name)
	if err != nil {
		return err
	}
	text, err := w.fill(f.Text)
	if err != nil {
		return err
	}
	root := w.site.scratch.Root()
	if err := root.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return root.WriteFile(path, []byte(text), 0o644)
}

// mark matches the marks in what a step runs.
var mark = regexp.MustCompile(`\{(scratch|self|tool:[A-Za-z0-9_.+-]{1,64})\}`)

// fill puts paths into the places of their marks, in one pass: what a path
// holds is never taken for a mark.
func (w *worker) fill(text string) (string, error) {
	var missing string
	out := mark.ReplaceAllStringFunc(text, func(m string) string {
		switch m {
		case "{scratch}":
			return w.site.dir()
		case "{self}":
			return w.r.o.Self
		}
		name := strings.TrimSuffix(strings.TrimPrefix(m, "{tool:"), "}")
		path, _, ok := w.r.plan.tools.Find(name)
		if !ok {
			missing = name
		}
		return path
	})
	if missing != "" {
		return "", fmt.Errorf("%s is not installed any more", missing)
	}
	return out, nil
}

func (w *worker) fillAll(list []string) ([]string, error) {
	out := make([]string, len(list))
	for i, text := range list {
		var err error
		if out[i], err = w.fill(text); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// command makes the command of a step.
func (w *worker) command(i int, s *profile.Step) (process.Command, *output, error) {
	argv, err := w.fillAll(s.Argv)
	if err != nil {
		return process.Command{}, nil, failStep("%s: %v", s.Name, err)
	}
	env, err := w.fillAll(s.Env)
	if err != nil {
		return process.Command{}, nil, failStep("%s: %v", s.Name, err)
	}
	dir, err := below(s.Dir)
	if err != nil {
		return process.Command{}, nil, failStep("%s: %v", s.Name, err)
	}
	outDir, err := filepath.Abs(w.dir)
	if err != nil {
		return process.Command{}, nil, err
	}
	base := filepath.Join(outDir, fmt.Sprintf("%02d-%s", i+1, fileName(s.Name)))
	o := &output{Output: profile.Output{Name: s.Name}, stdout: base + ".out", stderr: base + ".err"}
	c := process.Command{
		ID: w.r.id, Argv: argv, Env: env, Dir: filepath.Join(w.site.scratch.Dir(), dir), Home: w.site.dir(),
		Stdout: o.stdout, Stderr: o.stderr, Copies: s.Copies, Timeout: w.timeout(s), Stop: stopSignals[s.Stop],
	}
	if s.Stdin != "" {
		path, err := below(s.Stdin)
		if err != nil {
			return process.Command{}, nil, failStep("%s: %v", s.Name, err)
		}
		c.Stdin = filepath.Join(w.site.scratch.Dir(), path)
	}
	if s.User {
		c.User = w.r.account
	}
	if w.r.lab != nil {
		c.Group = w.r.lab.Group(w.site.run.target)
	}
	return c, o, nil
}

// fileName returns a step's name as part of a file's.
func fileName(name string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' {
			return c
		}
		return '_'
	}, name)
}

var stopSignals = map[string]syscall.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "QUIT": syscall.SIGQUIT}

// timeout returns the longest that a step may take; 0 for one that stays up.
func (w *worker) timeout(s *profile.Step) time.Duration {
	switch {
	case s.Server || s.Background:
		return 0
	case s.Timeout > 0:
		return s.Timeout
	}
	return leastTimeout + time.Duration(10*w.job.Need.Seconds*float64(time.Second))
}

// step runs one step, or starts it where it stays up.
func (w *worker) step(ctx context.Context, i int, s *profile.Step) (*output, error) {
	c, o, err := w.command(i, s)
	if err != nil {
		return nil, err
	}
	p, err := process.Start(ctx, c)
	if err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, failStep("%s: %v", s.Name, err)
	}
	w.records = append(w.records, stepRecord{Name: s.Name, Argv: c.Argv, Env: c.Env, Dir: c.Dir, User: c.User})
	// By its record a program is found again that wipes its environment.
	record := p.Record()
	if err := w.r.noteProcess(event{Event: evProcess, RunID: w.site.run.id, Step: s.Name, Process: &record}); err != nil {
		_, _ = p.Stop(0, 0)
		return nil, err
	}
	if s.Server || s.Background {
		w.up = append(w.up, &server{s, p, o})
		if s.Server && len(s.Ready) > 0 {
			return o, w.ready(ctx, s, p, c)
		}
		return o, nil
	}
	res, err := p.Wait()
	return o, w.ended(ctx, s, o, res, err)
}

// ended takes in how a step ended. Its error says why it does not count.
func (w *worker) ended(ctx context.Context, s *profile.Step, o *output, res process.Result, err error) error {
	at := slices.IndexFunc(w.records, func(r stepRecord) bool { return r.Name == s.Name && r.Result == nil })
	failure := res.Failure(s.ExitCodes...)
	if at >= 0 {
		w.records[at].Result, w.records[at].Failure = &res, failure
	}
	o.Elapsed, o.ExitCode = res.Elapsed, res.Code
	w.count(res.IO)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return failStep("%s: %v", s.Name, err)
	case failure != "":
		return failStep("%s: %s", s.Name, withLog(failure, o))
	}
	return nil
}

// count adds what a step read and wrote.
func (w *worker) count(n process.IO) {
	w.io.Read += n.Read
	w.io.Written += n.Written
	w.io.Cancelled += n.Cancelled
	w.io.Known = w.io.Known && n.Known
}

// save keeps what ran and how it ended.
func (w *worker) save() error {
	return saveJSON(filepath.Join(w.dir, "steps.json"), w.records)
}
