package replay

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/benchproof/benchproof/replay/internal/target"
)

// Status is how far a replay is.
type Status struct {
	Schema  string `json:"schema"` // benchproof/status/1
	ID      string `json:"id"`
	Journal string `json:"journal"`
	Source  string `json:"source"`
	// State is "running", "interrupted", "ended" or "stopped": the last
	// where it was killed.
	State string    `json:"state"`
	Began time.Time `json:"began"`
	Last  time.Time `json:"last_heard"`
	// Done, Failed and Total count repetitions.
	Done    int         `json:"done"`
	Failed  int         `json:"failed"`
	Total   int         `json:"total"`
	Block   int         `json:"block"`
	Left    float64     `json:"seconds_left"` // what the rest is likely to take
	Running *RunStatus  `json:"running"`      // what runs, or ran when it was killed
	Runs    []RunStatus `json:"runs"`
}

// RunStatus is how far a run of a tool on a target is.
type RunStatus struct {
	RunID  string `json:"run_id"`
	Run    string `json:"run"`  // for people: test and row
	Test   string `json:"test"` // title and version
	Row    string `json:"row"`  // what tells its first row from others of the test
	Target string `json:"target"`
	State  string `json:"state"` // "done", "running", "failed", "waiting", "partly"
	Done   int    `json:"done"`
	Total  int    `json:"total"`
	Reason string `json:"reason"` // of a failure
	Log    string `json:"log"`    // where its outputs are
	// Last are the values of the last repetition, as they are published.
	Last []LastValue `json:"last_values"`
}

// LastValue is a value of a run's last repetition.
type LastValue struct {
	Metric string `json:"metric"`
	Value  string `json:"value"`
	Scale  string `json:"scale"`
}

// statusSchema names the JSON form of a Status.
const statusSchema = "benchproof/status/1"

// ReadStatus reads how far the replay of a journal's directory is. The replay
// may run meanwhile.
func ReadStatus(dir string) (*Status, error) {
	s, err := loadState(dir)
	if err != nil {
		return nil, err
	}
	p, err := JournalPlan(dir)
	if err != nil {
		return nil, err
	}
	st := &Status{
		Schema: statusSchema, ID: s.id, Journal: dir, Source: p.Source, State: "stopped",
		Began: s.began, Last: s.last, Block: s.block, Runs: []RunStatus{},
	}
	switch {
	case isLocked(dir):
		st.State = "running"
	case s.interrupted:
		st.State = "interrupted"
	case s.ended:
		st.State = "ended"
	}
	at := make(map[string]int)
	for i := range p.Steps {
		step := &p.Steps[i]
		if step.RunID == "" {
			continue
		}
		n, ok := at[step.RunID]
		if !ok {
			n = len(st.Runs)
			at[step.RunID] = n
			st.Runs = append(st.Runs, st.run(s, p, step, dir))
		}
		if reps := s.done[step.RunID]; len(reps) > 0 {
			if v, ok := reps[len(reps)-1].value(step.Metric); ok {
				st.Runs[n].Last = append(st.Runs[n].Last, LastValue{step.Metric, v.Text, step.Scale})
			}
		}
	}
	if s.running != nil {
		if n, ok := at[s.running.RunID]; ok {
			if st.State == "running" {
				st.Runs[n].State = "running"
			}
			r := st.Runs[n]
			st.Running = &r
		}
	}
	return st, nil
}

// run returns the status of a step's run and adds it to the counts.
func (st *Status) run(s *state, p *Plan, step *Step, dir string) RunStatus {
	r := RunStatus{
		RunID: step.RunID, Run: p.label(step), Test: strings.TrimSpace(step.Test + " " + step.Version), Row: p.Rest(step), Target: step.Target,
		State: "waiting", Done: len(s.done[step.RunID]), Total: step.Runs, Last: []LastValue{},
	}
	if block, ok := s.complete[step.RunID]; ok {
		r.State, r.Done = "done", len(s.inBlock(step.RunID, block))
		if p.Request.Rule != "" {
			r.Total = r.Done // which the rule has decided
		}
		if r.Done < r.Total {
			r.State = "partly" // lines of the journal are lost
		}
	} else if r.Done = len(s.inBlock(step.RunID, s.block)); r.Done > 0 {
		r.State = "partly"
	}
	r.Total = max(r.Total, r.Done)
	if f, ok := s.failed[step.RunID]; ok {
		r.State, r.Reason = "failed", f.reason
		r.Log = filepath.Join(dir, f.dir)
		st.Failed += r.Total - r.Done
	} else {
		took := step.Seconds
		seconds := 0.0
		if took != nil {
			seconds = *took
		}
		var have []float64
		for _, d := range s.done[step.RunID] {
			have = append(have, d.seconds)
		}
		if m := mean(have); m > 0 {
			seconds = m
		}
		st.Left += float64(r.Total-r.Done) * seconds
	}
	st.Done += r.Done
	st.Total += r.Total
	return r
}

// isLocked reports whether a process runs the journal of a directory.
func isLocked(dir string) bool {
	file, err := os.OpenFile(filepath.Join(dir, journalFile), os.O_RDWR, 0)
	if err != nil {
		return false
	}
	defer file.Close()
	return lockFile(file) != nil
}

// Clean ends what a replay that was killed has left running, and removes its
// scratch directories from the targets of its plan and its lab: nothing but what
// carries its marker. It returns what it did in words. The journal with all values
// stays, and Resume can go on. The error is ErrLocked where the replay runs.
func Clean(ctx context.Context, dir string) ([]string, error) {
	j, err := openOwnJournal(dir)
	if err != nil {
		return nil, err
	}
	defer j.close()
	s, err := loadState(dir)
	if err != nil {
		return nil, err
	}
	p, err := JournalPlan(dir)
	if err != nil {
		return nil, err
	}
	var open []*target.Target
	var refused error
	for _, spec := range p.Specs() {
		if spec.Lab != nil {
			continue // what it made is in the journal
		}
		t, err := target.Open(spec.Dir)
		if err != nil {
			// A target that is not there keeps its scratch directory;
			// the others are cleaned.
			refused = refusal(spec, err)
			continue
		}
		defer t.Close()
		open = append(open, t)
	}
	did, err := sweep(ctx, dir, s, open)
	if err != nil {
		return did, err
	}
	if refused != nil {
		return did, fmt.Errorf("not all is clean: %w", refused)
	}
	return did, j.write(event{Event: evCleaned})
}
