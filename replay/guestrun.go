package replay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/benchproof/benchproof/replay/lab"
	"github.com/benchproof/benchproof/replay/lab/guest"
	"github.com/benchproof/benchproof/replay/profile"
)

// guestTask is what a guest is told of the replay that runs in it.
type guestTask struct {
	Version   string        `json:"version"`
	TimeLimit time.Duration `json:"time_limit"` // what is left of it, 0 for none
	// Skip are runs that are given up: the guest died of them.
	Skip []string `json:"skip"`
}

// guestResult is what a replay in a guest came to.
type guestResult struct {
	Outcome     Outcome `json:"outcome"`
	Interrupted bool    `json:"interrupted"`
}

// guest reports whether the lab of the plan stands in a guest.
func (p *Plan) guest() bool {
	return slices.ContainsFunc(p.Targets, func(t Target) bool { return t.Lab != nil && t.Lab.Guest != "" })
}

// inGuest runs what is not done yet in a guest. Only the guest writes to the
// journal while it lives. A guest that dies takes the run that it was at with
// it: that run is given up, and another guest goes on with the rest.
func (r *runner) inGuest(ctx context.Context, setup lab.Setup, dir string) (out Outcome, err error) {
	if len(setup.Configs) != len(r.plan.standing()) {
		return r.noLab(ctx, dir, errors.New("a guest has no directories of this machine: replay them apart from --lab-guest"))
	}
	g, err := guest.Open(ctx, guest.Setup{
		Setup: setup, Journal: r.o.Journal, Self: r.o.Self, Path: filepath.SplitList(r.o.Getenv("PATH")),
	})
	if err != nil {
		return r.noLab(ctx, dir, err)
	}
	defer func() {
		if _, closeErr := g.Close(context.WithoutCancel(ctx)); closeErr != nil {
			err = errors.Join(err, closeErr)
			return
		}
		err = errors.Join(err, r.note(event{Event: evLab, Lab: dir, Reason: "removed"}))
	}()
	blocks := r.plan.blocks()
	task := guestTask{Version: r.o.Version}
	for {
		if ctx.Err() != nil {
			return r.end(ctx, blocks, context.Cause(ctx))
		}
		if r.o.TimeLimit > 0 {
			if task.TimeLimit = r.o.TimeLimit - time.Since(r.began); task.TimeLimit <= 0 {
				return r.end(ctx, blocks, errTimeLimit)
			}
		}
		setup.Tell("starting a guest of kernel " + g.Kernel())
		end, err := g.Boot(ctx, task, r.guestSaid)
		if takeErr := r.takeOver(); err == nil {
			err = takeErr
		}
		switch {
		case err != nil:
			return r.out, err
		case end.Died == "":
			return r.guestEnded(blocks, end)
		case ctx.Err() != nil:
			return r.end(ctx, blocks, context.Cause(ctx))
		}
		run := r.state.running
		if run == nil {
			r.count(blocks)
			return r.out, fmt.Errorf("%s; its console is in %s", end.Died, end.Log)
		}
		if err := r.guestDied(run, end); err != nil {
			return r.out, err
		}
		task.Skip = append(task.Skip, run.RunID)
	}
}

// takeOver takes in what the guest has written to the journal. A guest that was
// killed may leave a line that does not end.
func (r *runner) takeOver() error {
	file, err := os.OpenFile(filepath.Join(r.o.Journal, journalFile), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	whole, err := wholeLines(file)
	if err == nil {
		err = file.Truncate(whole)
	}
	if err == nil {
		err = file.Sync()
	}
	if err != nil {
		return err
	}
	state, err := loadState(r.o.Journal)
	if err == nil {
		r.state = state
	}
	return err
}

// guestEnded returns what a guest that has ended its work says of it.
func (r *runner) guestEnded(blocks []*block, end guest.End) (Outcome, error) {
	if end.Failed != "" {
		r.count(blocks)
		return r.out, fmt.Errorf("in the guest: %s; its console is in %s", end.Failed, end.Log)
	}
	var result guestResult
	if err := json.Unmarshal(end.Result, &result); err != nil {
		return r.out, fmt.Errorf("what the guest says of its end: %w", err)
	}
	r.count(blocks)
	r.out.Stopped = result.Outcome.Stopped
	if result.Interrupted {
		return r.out, context.Canceled
	}
	return r.out, nil
}

// guestDied gives up the run of which a guest died.
func (r *runner) guestDied(run *event, end guest.End) error {
	e := *run
	e.Event, e.Reason, e.Seconds = evFailed, fmt.Sprintf("%s; its console is in %s", end.Died, end.Log), 0
	p := Progress{Kind: Failed, Target: e.Target, Rep: e.Rep, Reason: e.Reason, Dir: filepath.Join(r.o.Journal, e.Dir)}
	for i := range r.plan.Steps {
		if r.plan.Steps[i].RunID == e.RunID {
			p.Run = r.plan.label(&r.plan.Steps[i])
			break
		}
	}
	if err := r.note(e); err != nil {
		return err
	}
	r.o.Notify(p)
	return nil
}

// guestSaid passes on what a guest says of its progress.
func (r *runner) guestSaid(line []byte) {
	var p Progress
	if json.Unmarshal(line, &p) == nil {
		r.o.Notify(p)
	}
}

// InGuest is what runs in a guest: it goes on with the replay whose journal it
// shares, with the plan as this machine's host has made it, on disks that are
// for that alone. What it returns is for the host.
func InGuest(ctx context.Context, in *guest.Inside, profiles []profile.Profile) (any, error) {
	var task guestTask
	if err := json.Unmarshal(in.Task, &task); err != nil {
		return nil, err
	}
	planned, err := JournalPlan(in.Journal)
	if err != nil {
		return nil, err
	}
	p, err := planned.Again(PlanOptions{
		Targets: planned.Targets, LabSystems: planned.LabSystems, Tools: &Finder{Path: filepath.SplitList(in.Path)},
		Root: true, Profiles: profiles,
	})
	if err != nil {
		return nil, err
	}
	for i := range p.Steps {
		if s := &p.Steps[i]; slices.Contains(task.Skip, s.RunID) {
			s.Status, s.Reason = Unavailable, "a guest died of it"
		}
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	r := newRunner(p, RunOptions{
		Journal: in.Journal, Self: self, Version: task.Version, TimeLimit: task.TimeLimit,
		Notify: func(p Progress) { in.Tell(p) },
	})
	out, err := r.onDisks(ctx, in)
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		return guestResult{out, true}, nil
	}
	return guestResult{Outcome: out}, err
}

// onDisks runs what is not done yet in a lab on the disks of this guest.
func (r *runner) onDisks(ctx context.Context, in *guest.Inside) (out Outcome, err error) {
	if r.journal, err = openJournal(in.Journal); err != nil {
		return Outcome{}, err
	}
	defer r.journal.close()
	if r.state, err = loadState(in.Journal); err != nil {
		return Outcome{}, err
	}
	r.id = r.state.id
	setup := r.labSetup()
	setup.Configs = in.Configs
	if r.lab, err = lab.OpenOn(ctx, setup, in.SitesDir, in.Disk); err != nil {
		if ctx.Err() != nil {
			return r.end(ctx, r.plan.blocks(), context.Cause(ctx))
		}
		return Outcome{}, err
	}
	defer func() {
		_, closeErr := r.lab.Close(ctx)
		err = errors.Join(err, closeErr)
	}()
	if err := r.openPlaces(); err != nil {
		return Outcome{}, err
	}
	defer r.closePlaces()
	return r.all(ctx)
}
