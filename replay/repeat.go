package replay

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/benchproof/benchproof/replay/internal/host"
	"github.com/benchproof/benchproof/replay/internal/process"
	"github.com/benchproof/benchproof/replay/internal/target"
	"github.com/benchproof/benchproof/replay/profile"
)

// stepError is why a repetition gave no values.
type stepError struct{ reason string }

func (e *stepError) Error() string { return e.reason }

func failStep(format string, args ...any) error {
	return &stepError{fmt.Sprintf(format, args...)}
}

// site is the scratch directory of a run while its block lasts.
type site struct {
	run      *run
	place    *place
	scratch  *target.Scratch
	prepared bool // the steps of the first repetition are behind it
}

// workDir is where the tools work, below the scratch directory: what is above
// it keeps its marker and its owner.
const workDir = "w"

// dir returns the absolute path of {scratch}.
func (s *site) dir() string { return filepath.Join(s.scratch.Dir(), workDir) }

// enter makes the scratch directory of a run on its target.
func (r *runner) enter(run *run) (*site, error) {
	p := r.places[run.target]
	path := filepath.Join(p.Dir(), target.ScratchPrefix+r.id)
	if err := r.note(event{Event: evScratch, Scratch: path, Target: run.target, RunID: run.id}); err != nil {
		return nil, err
	}
	journalDir, err := filepath.Abs(r.o.Journal)
	if err != nil {
		return nil, err
	}
	scratch, err := p.NewScratch(target.Marker{
		ID: r.id, PID: os.Getpid(), Started: time.Now().UTC(), Program: "benchproof " + r.o.Version, Journal: journalDir,
	})
	if err != nil {
		return nil, failStep("%v", err)
	}
	s := &site{run: run, place: p, scratch: scratch}
	if err := scratch.Mkdir(workDir); err != nil {
		r.leave(s)
		return nil, failStep("%v", err)
	}
	return s, nil
}

// leave removes the scratch directory of a run. What cannot be removed is left
// for clean, whose way to it is in the journal.
func (r *runner) leave(s *site) {
	path := s.scratch.Dir()
	err := s.scratch.Remove()
	if err != nil {
		_ = s.scratch.Close()
		if r.plan.target(s.run.target).Lab == nil { // else it goes with its file-system
			r.left = append(r.left, firstLine(err))
		}
	} else if r.lab != nil {
		err = r.lab.Trim(s.run.target)
	}
	if err != nil {
		r.tell(Progress{Kind: Noted, Run: r.plan.label(s.run.steps[0]), Target: s.run.target, Reason: firstLine(err)})
		return
	}
	// Where the journal cannot be written any more, the next write says so.
	_ = r.note(event{Event: evScratch, Scratch: path, Target: s.run.target, Reason: "removed"})
}

// firstLine returns the first of joined errors, and how many there are beside.
func firstLine(err error) string {
	lines := strings.Split(err.Error(), "\n")
	if len(lines) == 1 {
		return lines[0]
	}
	return fmt.Sprintf("%s (and %d more)", lines[0], len(lines)-1)
}

// repeat does one repetition of a run. Its error is a *stepError where the run
// is given up, else ends the replay.
func (r *runner) repeat(ctx context.Context, run *run, rep int, sites map[*run]*site) error {
	e := event{RunID: run.id, Target: run.target, Block: r.state.block, Rep: rep}
	e.Dir = filepath.Join(runsDir, run.id, fmt.Sprintf("b%d-r%03d", e.Block, rep))
	if n := r.state.tries[repKey(run.id, e.Block, rep)]; n > 0 {
		e.Dir += fmt.Sprintf("-t%d", n+1)
	}
	dir := filepath.Join(r.o.Journal, e.Dir)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	e.Event = evStart
	if err := r.note(e); err != nil {
		return err
	}
	r.tell(Progress{Kind: Started, Run: r.plan.label(run.steps[0]), Target: run.target, Rep: rep, Expected: r.meter.expected(run)})
	began := time.Now()
	values, warnings, err := r.measure(ctx, run, rep, dir, sites)
	e.Seconds = math.Round(time.Since(began).Seconds()*1000) / 1000
	var failed *stepError
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &failed):
		e.Event, e.Reason = evFailed, failed.reason
	case err != nil:
		return err
	default:
		e.Event, e.Values, e.Warnings = evDone, values, warnings
	}
	if err := r.note(e); err != nil {
		return err
	}
	if failed != nil {
		r.meter.failed(run)
		r.tell(Progress{Kind: Failed, Run: r.plan.label(run.steps[0]), Target: run.target, Rep: rep, Reason: failed.reason, Dir: dir})
		return failed
	}
	r.meter.done(run, e.Seconds)
	r.tell(Progress{Kind: Done, Run: r.plan.label(run.steps[0]), Target: run.target, Rep: rep, Values: values, Seconds: e.Seconds, Warnings: slices.DeleteFunc(slices.Clone(warnings), func(w string) bool { return w == trafficUnknown })})
	return nil
}

// measure runs the steps of one repetition and reads its values.
func (r *runner) measure(ctx context.Context, run *run, rep int, dir string, sites map[*run]*site) ([]Value, []string, error) {
	job := run.block.job
	p := r.places[run.target]
	if err := p.Check(); err != nil {
		return nil, nil, failStep("%v", err)
	}
	s := sites[run]
	need := max(job.Need.Bytes-used(s), 0)
	if err := p.Need(need); err != nil {
		return nil, nil, failStep("%v", err)
	}
	if r.lab != nil {
		if err := r.lab.Room(run.target, need); err != nil {
			return nil, nil, failStep("%v", err)
		}
	}
	if s == nil {
		var err error
		if s, err = r.enter(run); err != nil {
			return nil, nil, err
		}
		sites[run] = s
	}
	before, err := r.snapshot(p, filepath.Join(dir, "before.json"))
	if err != nil {
		return nil, nil, err
	}
	w := &worker{r: r, site: s, job: job, dir: dir, rep: rep, io: process.IO{Known: true}}
	outputs, err := r.limited(ctx, w)
	if saveErr := w.save(); err == nil && saveErr != nil {
		err = saveErr
	}
	if err != nil {
		return nil, nil, err
	}
	// First of all: of a target that is gone there is no state.
	if err := s.scratch.Check(); err != nil {
		return nil, nil, failStep("%v", err)
	}
	after, err := r.snapshot(p, filepath.Join(dir, "after.json"))
	if err != nil {
		return nil, nil, err
	}
	if err := s.unchanged(before, after); err != nil {
		return nil, nil, err
	}
	s.prepared = true
	values, warnings, err := r.read(run, outputs, dir)
	if err != nil {
		return nil, nil, err
	}
	others, err := foreign(before, after, w.io, r.plan.target(run.target).Lab != nil, filepath.Join(dir, "traffic.json"))
	if err != nil {
		return nil, nil, err
	}
	return values, slices.Concat(w.warnings, warnings, others), nil
}

// unchanged makes sure that what was measured is still what it was.
func (s *site) unchanged(before, after *host.Snapshot) error {
	if err := s.scratch.Check(); err != nil {
		return failStep("%v", err)
	}
	if changes := host.Changes(before, after); len(changes) > 0 {
		return failStep("while it ran, it changed: %s", changes[0])
	}
	return nil
}

// used returns how many bytes the tools' files take in a scratch directory, so
// that what is there already need not be free as well.
func used(s *site) int64 {
	if s == nil {
		return 0
	}
	var sum int64
	// What cannot be looked at takes no space that is known.
	_ = fs.WalkDir(s.scratch.Root().FS(), workDir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil
		}
		if info, err := d.Info(); err == nil {
			sum += info.Size()
		}
		return nil
	})
	return sum
}

// readingFile is what was read of the outputs of a repetition.
type readingFile struct {
	Values     []Value             `json:"values"`
	Invariants []profile.Invariant `json:"invariants"`
	Warnings   []string            `json:"warnings"`
}

// read has the profile read the outputs, which lie in dir, and publish.
func (r *runner) read(run *run, outputs *profile.Outputs, dir string) ([]Value, []string, error) {
	reading, err := parseOutputs(run.block.job, outputs)
	if err != nil {
		return nil, nil, failStep("the output cannot be read: %v", err)
	}
	kept := readingFile{Invariants: reading.Invariants, Warnings: reading.Warnings}
	name := filepath.Join(dir, "reading.json")
	if broken := reading.Broken(); broken != "" {
		if err := saveJSON(name, kept); err != nil {
			return nil, nil, err
		}
		return nil, nil, failStep("the output does not hold together: %s", broken)
	}
	if len(reading.Samples) == 0 {
		return nil, nil, failStep("the output has no value")
	}
	var values []Value
	for _, sample := range reading.Samples {
		if math.IsNaN(sample.Value) || math.IsInf(sample.Value, 0) {
			return nil, nil, failStep("the value of %s is no number", sample.Metric)
		}
		v := Value{Sample: sample}
		for _, s := range run.steps {
			if job := r.plan.jobs[s.Row]; s.Metric == sample.Metric {
				v.Text, v.Reason = job.Publish(sample)
				if err := checkText(v.Text); err != nil {
					return nil, nil, failStep("the value of %s cannot be published: %v", sample.Metric, err)
				}
				break
			}
		}
		values = append(values, v)
	}
	kept.Values = values
	return values, reading.Warnings, saveJSON(name, kept)
}

// parseOutputs calls the profile's parser. What a tool prints must not end this
// program, whatever it is.
func parseOutputs(job *profile.Job, outputs *profile.Outputs) (reading *profile.Reading, err error) {
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("panic: %v", x)
		}
	}()
	reading, err = job.Parse(outputs)
	if err == nil && reading == nil {
		err = errors.New("nothing was read")
	}
	return reading, err
}

// finish runs the steps behind the last repetition of a run. Its error is a
// *stepError where the run is given up after all.
func (r *runner) finish(ctx context.Context, run *run, sites map[*run]*site) error {
	if s := sites[run]; s != nil {
		if err := r.last(ctx, s); err != nil {
			return err
		}
		r.leave(s)
		delete(sites, run)
		if err := r.written(run); err != nil {
			return err
		}
	}
	return r.note(event{Event: evComplete, RunID: run.id, Target: run.target, Block: r.state.block})
}

// written makes sure that the target's file-system has lost no write since the
// target was opened, or was asked last. A tool that leaves its writing to the
// page cache hears nothing of a disk that fails, or of a thin one that is full,
// and its figures are then of writes that were never done: none of the run's
// values counts. The tools' files are removed by now, so that there is little
// to write.
func (r *runner) written(run *run) error {
	err := r.places[run.target].Sync()
	if err == nil || !target.LostWrite(err) {
		return nil
	}
	have := r.state.inBlock(run.id, r.state.block)
	if len(have) == 0 {
		return nil // there is nothing to take back
	}
	failed := failStep("the file-system has lost writes: %v", err)
	e := event{Event: evFailed, RunID: run.id, Target: run.target, Block: r.state.block, Reason: failed.Error(), Dir: have[len(have)-1].dir}
	if err := r.note(e); err != nil {
		return err
	}
	r.meter.void(run, len(have))
	r.tell(Progress{Kind: Failed, Run: r.plan.label(run.steps[0]), Target: run.target, Reason: e.Reason, Dir: filepath.Join(r.o.Journal, e.Dir)})
	return failed
}

// last runs the steps behind the last repetition, if there are any.
func (r *runner) last(ctx context.Context, s *site) error {
	job := s.run.block.job
	if !slices.ContainsFunc(job.Steps, func(s profile.Step) bool { return s.When == profile.Last }) {
		return nil
	}
	dir := filepath.Join(r.o.Journal, runsDir, s.run.id, "last")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	w := &worker{r: r, site: s, job: job, dir: dir}
	_, err := w.work(ctx)
	if saveErr := w.save(); err == nil {
		err = saveErr
	}
	var failed *stepError
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &failed): // the values are there all the same
		r.tell(Progress{Kind: Noted, Run: r.plan.label(s.run.steps[0]), Target: s.run.target, Reason: failed.reason})
		return nil
	}
	return err
}
