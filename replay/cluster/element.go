package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/replay"
)

// Place is where an element runs, as its environment says.
type Place struct {
	Element int    `json:"element"`
	Host    string `json:"host"`    // the node's name in the queue
	JobID   string `json:"job_id"`  // of the element, not of the array
	Restart int    `json:"restart"` // how often the queue has started it again
}

// attempt is one go at an element: it has begun, or how it ended. It is kept beside
// the element's journal, and a next go replaces it.
type attempt struct {
	Place
	// State is "began", "stopped", where the journal holds what was done and
	// another go can go on, "failed", where nothing could be run at all, or
	// "done".
	State  string    `json:"state"`
	Reason string    `json:"reason,omitempty"`
	Time   time.Time `json:"time"`
}

// States of an attempt.
const (
	began   = "began"
	stopped = "stopped"
	failed  = "failed"
	done    = "done"
)

// readGo reads the last go at an element.
func readGo(dir string, element int) (attempt, error) {
	var g attempt
	name := goFile(dir, element)
	if err := readJSON(name, &g); err != nil {
		return attempt{}, err
	}
	if g.Element != element || g.Restart < 0 {
		return attempt{}, &DamageError{name, fmt.Sprintf("it is of element %d, started again %d times, expected %d", g.Element, g.Restart, element)}
	}
	return g, nil
}

func goFile(dir string, element int) string { return ElementDir(dir, element) + ".last.json" }

// ErrWrongHost is returned where an element runs on another host than its own:
// its journal speaks of the other's disks.
var ErrWrongHost = errors.New("the element is another host's")

// Saver writes the result of a journal that has ended into its directory.
type Saver func(p *replay.Plan, journal string) error

// lockPause is how long an element waits before it looks again whether another
// go at it has ended.
const lockPause = 2 * time.Second

// Run runs an element of the job in dir, or goes on with it, and writes its
// manifest when all is done. o.Journal, o.ID and o.TimeLimit are the element's
// own. options are what a plan is made with, but for the targets. A go that the
// queue has not ended yet, as on a node that was taken for dead, is waited for:
// two never run at once.
//
// The error is that of [replay.Run], or ErrWrongHost. An outcome that was
// stopped has no manifest.
func Run(ctx context.Context, dir string, at Place, options replay.PlanOptions, o replay.RunOptions, save Saver) (out replay.Outcome, err error) {
	j, planned, err := ReadJob(dir)
	if err != nil {
		return out, err
	}
	if at.Element < 0 || at.Element >= len(j.Elements) {
		return out, fmt.Errorf("%s: there is no element %d of %d", dir, at.Element, len(j.Elements))
	}
	e := j.Elements[at.Element]
	g := &attempt{Place: at, State: began, Time: time.Now().UTC()}
	if at.Host != e.Host {
		return out, fmt.Errorf("%w: element %d is for %s, this is %s", ErrWrongHost, at.Element, e.Host, at.Host)
	}
	if err := writeJSON(goFile(dir, at.Element), g); err != nil {
		return out, err
	}
	defer func() {
		g.State, g.Time = done, time.Now().UTC()
		switch {
		case errors.Is(err, context.Canceled):
			g.State, g.Reason = stopped, "told to stop: at its time limit, or by somebody"
		case err != nil:
			g.State, g.Reason = failed, err.Error()
		case out.Stopped != "":
			g.State, g.Reason = stopped, out.Stopped
		}
		err = errors.Join(err, writeJSON(goFile(dir, at.Element), g))
	}()
	o.Journal, o.LockDir = ElementDir(dir, at.Element), j.lockDirOf(e)
	o.TimeLimit = j.ownLimit()
	p, do, err := e.plan(planned, o.Journal, options)
	if err != nil {
		return out, err
	}
	if p.Ready() == 0 {
		return out, fmt.Errorf("none of %s can run on %s: %s", phrase.Count(len(p.Rows), "row"), e.Host, p.Steps[0].Reason)
	}
	for {
		out, err = do(ctx, p, o)
		if !errors.Is(err, replay.ErrLocked) {
			break
		}
		select {
		case <-ctx.Done():
			return out, context.Canceled
		case <-time.After(lockPause):
		}
	}
	if err != nil || out.Stopped != "" {
		return out, err
	}
	if err := save(p, o.Journal); err != nil {
		return out, err
	}
	return out, j.writeManifest(dir, at, out, differences(planned, p))
}

// ownLimit returns after what time an element begins nothing more that would
// not end: its limit without what the queue needs to stop it; 0 for none where
// the limit is too short to be divided.
func (j *Job) ownLimit() time.Duration {
	const reserve = 90 * time.Second // the signal comes a minute before, or two
	if limit := time.Duration(j.Minutes) * time.Minute; limit > 2*reserve {
		return limit - reserve
	}
	return 0
}

// runner begins a replay or goes on with one.
type runner func(context.Context, *replay.Plan, replay.RunOptions) (replay.Outcome, error)

// plan makes the element's plan on this host: anew of the job's rows, options
// and seed, or as its journal has it where that is begun.
func (e Element) plan(planned *replay.Plan, journal string, o replay.PlanOptions) (*replay.Plan, runner, error) {
	if !begun(journal) {
		targets, err := replay.InspectTargets(e.Specs(planned))
		if err != nil {
			return nil, nil, err
		}
		o.Targets, o.Request, o.Seed, o.LabSystems = targets, planned.Request, &planned.Seed, planned.LabSystems
		p, err := replay.NewPlan(planned.Rows, o)
		return p, replay.Run, err
	}
	own, err := replay.JournalPlan(journal)
	if err != nil {
		return nil, nil, err
	}
	if o.Targets, err = replay.InspectTargets(own.Specs()); err != nil {
		return nil, nil, err
	}
	p, err := own.Again(o)
	return p, replay.Resume, err
}

// begun reports whether a journal has an event: one that was killed before is
// begun anew.
func begun(journal string) bool {
	file, err := os.Open(filepath.Join(journal, "journal.jsonl"))
	if err != nil {
		return false
	}
	defer file.Close()
	head := make([]byte, 64<<10)
	n, _ := file.Read(head)
	return bytes.IndexByte(head[:n], '\n') >= 0
}

// differences says in words what an element's plan has otherwise than the job's:
// other tools, or rows that can run on the one machine alone. Each text is there
// once, with how many steps it is about.
func differences(planned, here *replay.Plan) []string {
	type key struct {
		row   int
		label string
	}
	was := make(map[key]*replay.Step)
	for i := range planned.Steps {
		s := &planned.Steps[i]
		was[key{s.Row, s.Target}] = s
	}
	var texts []string
	count := make(map[string]int)
	for i := range here.Steps {
		s := &here.Steps[i]
		p := was[key{s.Row, s.Target}]
		if p == nil {
			continue
		}
		text := ""
		switch {
		case s.Status != replay.Ready && p.Status == replay.Ready:
			text = "cannot run here: " + s.Reason
		case s.Status != replay.Ready || p.Status != replay.Ready:
			// Nor could it where it was planned, whose tools are no measure.
		case s.Driver != p.Driver:
			text = fmt.Sprintf("runs with %s here, planned was %s", s.Driver, p.Driver)
		}
		if text == "" {
			continue
		}
		if count[text] == 0 {
			texts = append(texts, text)
		}
		count[text]++
	}
	for i, t := range texts {
		texts[i] = fmt.Sprintf("%s (%d of %s)", strings.TrimSpace(t), count[t], phrase.Count(len(here.Steps), "step"))
	}
	return texts
}
