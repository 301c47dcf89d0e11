package replay

import (
	"fmt"
	"slices"
	"time"

	"github.com/benchproof/benchproof/replay/internal/host"
	"github.com/benchproof/benchproof/replay/internal/process"
)

// repetition is a finished repetition of a run on a target.
type repetition struct {
	block, rep int
	dir        string
	seconds    float64
	values     []Value
	warnings   []string
}

// value returns the value of a metric, and false where there is none.
func (r *repetition) value(metric string) (Value, bool) {
	for _, v := range r.values {
		if v.Metric == metric {
			return v, true
		}
	}
	return Value{}, false
}

// failure is why a run on a target was given up.
type failure struct {
	block, rep  int
	reason, dir string
}

// state is what the events of a journal come to.
type state struct {
	id, hash, version string
	began, last       time.Time
	block             int
	environment       map[string]*host.Snapshot
	facts             []map[string]facts // by block, from 1

	done     map[string][]repetition // by run
	failed   map[string]failure      // by run, the last, not made good
	complete map[string]int          // by run, the block in which it was completed
	seen     map[string]bool         // repetitions that are done, each once

	running   *event            // a repetition that has begun and not ended
	scratches map[string]string // made and not known to be removed: target by path
	labs      map[string]bool   // directories of labs, likewise
	records   []process.Record
	tries     map[string]int // starts of a repetition

	interrupted, ended bool
}

func newState() *state {
	return &state{
		done: map[string][]repetition{}, failed: map[string]failure{}, complete: map[string]int{},
		seen: map[string]bool{}, scratches: map[string]string{}, labs: map[string]bool{}, tries: map[string]int{},
	}
}

// loadState reads the journal of a directory.
func loadState(dir string) (*state, error) {
	s := newState()
	if err := readJournal(dir, s.apply); err != nil {
		return nil, err
	}
	if s.id == "" {
		return nil, fmt.Errorf("%s: the journal does not say what is replayed: nothing has begun", dir)
	}
	return s, nil
}

// repKey tells repetitions apart.
func repKey(runID string, block, rep int) string {
	return hash(runID, fmt.Sprint(block), fmt.Sprint(rep))
}

// apply takes in one event.
func (s *state) apply(e event) {
	if s.began.IsZero() {
		s.began = e.Time
	}
	s.last = e.Time
	switch e.Event {
	case evPlan:
		s.id, s.hash, s.version = e.ID, e.Hash, e.Version
	case evBlock:
		s.block = e.Block
		s.environment = e.Environment
		s.facts = append(s.facts, e.Facts)
	case evStart:
		s.tries[repKey(e.RunID, e.Block, e.Rep)]++
		s.running = &e
	case evScratch:
		if e.Reason == "removed" {
			delete(s.scratches, e.Scratch)
		} else {
			s.scratches[e.Scratch] = e.Target
		}
	case evLab:
		if e.Reason == "removed" {
			delete(s.labs, e.Lab)
		} else {
			s.labs[e.Lab] = true
		}
	case evProcess:
		if e.Process != nil {
			s.records = append(s.records, *e.Process)
		}
	case evDone:
		// Nothing of its programs runs any more.
		s.running, s.records = nil, nil
		if key := repKey(e.RunID, e.Block, e.Rep); !s.seen[key] {
			s.seen[key] = true
			s.done[e.RunID] = append(s.done[e.RunID], repetition{
				block: e.Block, rep: e.Rep, dir: e.Dir, seconds: e.Seconds, values: e.Values, warnings: e.Warnings,
			})
		}
		delete(s.failed, e.RunID)
	case evFailed:
		s.running = nil
		if e.Rep == 0 {
			s.void(e.RunID, e.Block)
		}
		s.failed[e.RunID] = failure{block: e.Block, rep: e.Rep, reason: e.Reason, dir: e.Dir}
	case evComplete:
		s.complete[e.RunID] = e.Block
		delete(s.failed, e.RunID)
	case evInterrupted:
		s.interrupted, s.running = true, nil
	case evResumed:
		s.interrupted, s.ended, s.running = false, false, nil
	case evEnd:
		s.ended = true
	case evCleaned:
		s.records, s.scratches, s.labs, s.running = nil, map[string]string{}, map[string]bool{}, nil
	}
}

// void takes back the repetitions of a run in a block.
func (s *state) void(runID string, block int) {
	s.done[runID] = slices.DeleteFunc(s.done[runID], func(r repetition) bool {
		if r.block == block {
			delete(s.seen, repKey(runID, block, r.rep))
		}
		return r.block == block
	})
}

// inBlock returns the finished repetitions of a run in a block.
func (s *state) inBlock(runID string, block int) []repetition {
	var list []repetition
	for _, r := range s.done[runID] {
		if r.block == block {
			list = append(list, r)
		}
	}
	return list
}

// nextRep returns the number of the repetition that comes next: the least that
// none of those has, which may be one whose line was lost.
func nextRep(have []repetition) int {
	seen := make(map[int]bool, len(have))
	for i := range have {
		seen[have[i].rep] = true
	}
	n := 1
	for seen[n] {
		n++
	}
	return n
}
