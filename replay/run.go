package replay

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/benchproof/benchproof/replay/internal/process"
	"github.com/benchproof/benchproof/replay/internal/target"
	"github.com/benchproof/benchproof/replay/lab"
)

// RunOptions are how a plan is run.
type RunOptions struct {
	// ID is the replay's identifier, by NewID; "" for a new one. Resume
	// takes the journal's.
	ID string
	// Journal is the directory of the journal, which Run makes and Resume
	// finds.
	Journal string
	// Self is this executable, for drivers that are part of it.
	Self string
	// Version of this program, for the journal.
	Version string
	// TimeLimit is the longest that all of it may take; 0 for any time.
	// What a repetition is likely to exceed is not begun.
	TimeLimit time.Duration
	// LockDir is where locks of targets lie; "" for the system's place.
	LockDir string
	// Getenv is the environment of the user; os.Getenv.
	Getenv func(string) string
	// Notify is told what happens, by one goroutine; nil for nobody.
	Notify func(Progress)
}

// Outcome is how a run ended.
type Outcome struct {
	// Done and Wanted count repetitions, Failed runs that were given up.
	Done, Wanted, Failed int
	// Stopped is why it ended before all was done, "" if it did not.
	Stopped string
	// Left is what of its own it could not remove from targets, and why; ""
	// for nothing. Clean does it once the reason is gone.
	Left string
}

// errTimeLimit is the cause of a run that ended because its time was over.
var errTimeLimit = errors.New("the time limit is over")

// runner runs a plan.
type runner struct {
	plan    *Plan
	o       RunOptions
	journal *journal
	state   *state
	id      string
	places  map[string]*place // by target
	locks   *target.Locks
	lab     *lab.Lab // nil for none
	account *process.Account
	began   time.Time
	left    []string // see Outcome
	out     Outcome
	meter   meter
}

// place is a target while it is measured.
type place struct{ *target.Target }

// Run runs a plan from its beginning. Its error is a [*TargetError] where a
// target may not be measured, ErrJournalExists where the journal is there, and
// ctx's cause where it was interrupted: what was done by then is kept, and
// Resume goes on. A run of a tool that fails is no error; see Outcome.
func Run(ctx context.Context, p *Plan, o RunOptions) (Outcome, error) {
	if !p.HasTarget() {
		return Outcome{}, errors.New("the plan is for no target")
	}
	r := newRunner(p, o)
	if r.id = o.ID; r.id == "" {
		r.id = NewID()
	}
	if !p.hasLab() { // whose directories are not there yet
		if err := r.openPlaces(); err != nil {
			return Outcome{}, err
		}
		defer r.closePlaces()
	}
	j, err := createJournal(o.Journal, p)
	if err != nil {
		return Outcome{}, err
	}
	defer j.close()
	r.journal, r.state = j, newState()
	text, err := os.ReadFile(filepath.Join(o.Journal, planFile))
	if err != nil {
		return Outcome{}, err
	}
	sum := sha256.Sum256(text)
	if err := r.note(event{Event: evPlan, ID: r.id, Hash: hex.EncodeToString(sum[:]), Version: o.Version}); err != nil {
		return Outcome{}, err
	}
	if p.hasLab() {
		return r.inLab(ctx)
	}
	return r.all(ctx)
}

// NewID returns the identifier of a new replay: 12 letters and digits by chance.
func NewID() string { return strings.ToLower(rand.Text()[:12]) }

// JournalPlan reads the plan of a journal's directory, as it was when the
// replay began.
func JournalPlan(dir string) (*Plan, error) {
	s, err := loadState(dir)
	if err != nil {
		return nil, err
	}
	name := filepath.Join(dir, planFile)
	text, err := readPlanFile(name)
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != s.hash {
		return nil, fmt.Errorf("%s is not the plan that the journal was begun with", name)
	}
	return readPlanText(text)
}

// Resume goes on with a replay: with the plan of its journal, made anew by
// [Plan.Again]. What a killed replay left running or lying about is removed
// first. Finished repetitions count, what failed is tried again. Where the
// kernel, a mount or a scheduler has changed since, a new block begins, in
// which runs that were not complete begin anew.
func Resume(ctx context.Context, p *Plan, o RunOptions) (Outcome, error) {
	r := newRunner(p, o)
	j, err := openOwnJournal(o.Journal)
	if err != nil {
		return Outcome{}, err
	}
	defer j.close()
	if err := plainBelow(o.Journal); err != nil {
		return Outcome{}, err
	}
	r.journal = j
	if r.state, err = loadState(o.Journal); err != nil {
		return Outcome{}, err
	}
	r.id = r.state.id
	if p.hasLab() {
		return r.resumeInLab(ctx)
	}
	if err := r.openPlaces(); err != nil {
		return Outcome{}, err
	}
	defer r.closePlaces()
	if err := r.note(event{Event: evResumed, Version: o.Version}); err != nil {
		return Outcome{}, err
	}
	if _, err := sweep(ctx, o.Journal, r.state, r.targets()); err != nil {
		return Outcome{}, err
	}
	if err := r.note(event{Event: evCleaned}); err != nil {
		return Outcome{}, err
	}
	return r.all(ctx)
}

func newRunner(p *Plan, o RunOptions) *runner {
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	if o.Notify == nil {
		o.Notify = func(Progress) {}
	}
	return &runner{plan: p, o: o, places: map[string]*place{}, began: time.Now()}
}

// note writes an event and takes it in.
func (r *runner) note(e event) error {
	if err := r.journal.write(e); err != nil {
		return err
	}
	r.state.apply(e)
	return nil
}

// noteProcess is note for a program that runs. It does not wait for the disk,
// which the program may be measuring: where the power goes the program does too.
func (r *runner) noteProcess(e event) error {
	if err := r.journal.add(e, false); err != nil {
		return err
	}
	r.state.apply(e)
	return nil
}

// targets returns the open targets.
func (r *runner) targets() []*target.Target {
	var list []*target.Target
	for _, t := range r.plan.standing() {
		list = append(list, r.places[t.Label].Target)
	}
	return list
}

// openPlaces opens and locks all targets.
func (r *runner) openPlaces() error {
	var err error
	if r.account, err = process.Unprivileged(os.Geteuid(), r.o.Getenv); err != nil {
		return err
	}
	for _, t := range r.plan.standing() {
		dir := t.Dir
		if t.Lab != nil {
			dir = r.lab.Dir(t.Label)
		}
		open, err := target.Open(dir)
		if err != nil {
			r.closePlaces()
			return refusal(TargetSpec{Label: t.Label, Dir: dir}, err)
		}
		r.places[t.Label] = &place{Target: open}
	}
	dir := r.o.LockDir
	if dir == "" {
		dir = target.LockDir()
	}
	if r.locks, err = target.Lock(dir, target.Holder{ID: r.id, Started: time.Now().UTC()}, r.targets()...); err != nil {
		r.closePlaces()
		return refusal(TargetSpec{}, err)
	}
	return nil
}

func (r *runner) closePlaces() {
	if r.locks != nil {
		r.locks.Unlock()
	}
	for _, p := range r.places {
		_ = p.Close()
	}
}

// all runs what is not done yet.
func (r *runner) all(ctx context.Context) (Outcome, error) {
	if r.o.TimeLimit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, r.o.TimeLimit, errTimeLimit)
		defer cancel()
	}
	if err := r.beginBlock(); err != nil {
		return r.out, err
	}
	blocks := r.plan.blocks()
	r.meter.begin(r.plan, blocks, r.state)
	r.tell(Progress{Kind: Begun})
	for _, b := range blocks {
		if err := r.block(ctx, b); err != nil {
			return r.end(ctx, blocks, err)
		}
	}
	return r.end(ctx, blocks, nil)
}

// end closes the journal's account of this go.
func (r *runner) end(ctx context.Context, blocks []*block, err error) (Outcome, error) {
	r.count(blocks)
	cause := context.Cause(ctx)
	switch {
	case errors.Is(err, errTimeLimit), err != nil && errors.Is(cause, errTimeLimit):
		r.out.Stopped = errTimeLimit.Error()
		err = r.note(event{Event: evInterrupted, Reason: r.out.Stopped})
	case err != nil && cause != nil:
		r.out.Stopped = "interrupted"
		if err := r.note(event{Event: evInterrupted, Reason: r.out.Stopped}); err != nil {
			return r.out, err
		}
		err = context.Canceled
	case err == nil:
		err = r.note(event{Event: evEnd})
	}
	r.tell(Progress{Kind: Ended, Reason: r.out.Stopped})
	return r.out, err
}

// count fills in the outcome.
func (r *runner) count(blocks []*block) {
	r.out = Outcome{Left: strings.Join(r.left, "; ")}
	for _, b := range blocks {
		for _, run := range b.on {
			done := len(r.state.done[run.id])
			r.out.Done += done
			r.out.Wanted += max(b.runs, done)
			if _, failed := r.state.failed[run.id]; failed {
				r.out.Failed++
			}
		}
	}
}

// block runs the rounds of a block on its targets until every one has its
// repetitions or is given up.
func (r *runner) block(ctx context.Context, b *block) error {
	sites := make(map[*run]*site)
	given := make(map[*run]bool)
	defer func() {
		for _, s := range sites {
			r.leave(s)
		}
	}()
	for round := 1; ; round++ {
		busy := false
		for _, i := range order(r.plan.Seed, b.key, round, len(b.on)) {
			run := b.on[i]
			if given[run] || r.satisfied(run) {
				continue
			}
			have := r.state.inBlock(run.id, r.state.block)
			if len(have) >= round {
				busy = true // this round is behind it, the next may not be
				continue
			}
			if err := r.mayBegin(ctx, run); err != nil {
				return err
			}
			if err := r.beginBlock(); err != nil {
				return err
			}
			if have = r.state.inBlock(run.id, r.state.block); r.satisfied(run) {
				continue
			}
			busy = true
			if err := r.repeat(ctx, run, nextRep(have), sites); err != nil {
				var failed *stepError
				if !errors.As(err, &failed) || ctx.Err() != nil {
					return err
				}
				given[run] = true
				if s := sites[run]; s != nil {
					r.leave(s)
					delete(sites, run)
					if err := r.written(run); err != nil && !errors.As(err, &failed) {
						return err
					}
				}
				continue
			}
			if r.satisfied(run) {
				var failed *stepError
				if err := r.finish(ctx, run, sites); errors.As(err, &failed) && ctx.Err() == nil {
					given[run] = true
				} else if err != nil {
					return err
				}
			}
		}
		if !busy {
			return nil
		}
	}
}

// satisfied reports whether a run has all its repetitions.
func (r *runner) satisfied(run *run) bool {
	// That it was completed is not believed alone: lines of a journal get lost.
	if block, ok := r.state.complete[run.id]; ok && block != r.state.block && enough(run, r.state.inBlock(run.id, block)) {
		return true
	}
	return enough(run, r.state.inBlock(run.id, r.state.block))
}

// enough reports whether a run needs no more than those repetitions.
func enough(run *run, have []repetition) bool {
	if run.block.rule == nil {
		return len(have) >= run.block.runs
	}
	var reps []rep
	for i := range have {
		reps = append(reps, ruleRep(&have[i]))
	}
	return !run.block.rule.again(reps)
}

// ruleRep returns what a rule sees of a repetition: its first value.
func ruleRep(h *repetition) rep {
	p := rep{seconds: h.seconds}
	if len(h.values) > 0 {
		p.value, p.ok = h.values[0].Value, h.values[0].Text != ""
	}
	return p
}

// mayBegin returns an error where there is no time for one more repetition.
func (r *runner) mayBegin(ctx context.Context, run *run) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if r.o.TimeLimit > 0 && time.Since(r.began)+r.meter.expected(run) > r.o.TimeLimit {
		return errTimeLimit
	}
	return nil
}
