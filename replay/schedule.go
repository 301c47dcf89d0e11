package replay

import (
	"encoding/binary"
	"math/rand/v2"

	"github.com/benchproof/benchproof/replay/profile"
)

// block is one run of a tool on all its targets: what is interleaved.
type block struct {
	key  string // of the run, on whatever target
	job  *profile.Job
	rule *rule // nil for a fixed number
	runs int
	on   []*run // by target, in the plan's order
}

// run is one run of a tool on one target: what is repeated.
type run struct {
	id     string
	target string
	steps  []*Step // the rows that it gives
	block  *block
}

// blocks returns what a plan runs, in the order of the rows.
func (p *Plan) blocks() []*block {
	var list []*block
	byKey := make(map[string]*block)
	byID := make(map[string]*run)
	for i := range p.Steps {
		s := &p.Steps[i]
		job := p.jobs[s.Row]
		if s.Status != Ready || job == nil {
			continue
		}
		r := byID[s.RunID]
		if r == nil {
			key := hash(s.Profile, job.RunKey)
			b := byKey[key]
			if b == nil {
				b = &block{key: key, job: job, rule: p.ruleOf(s.Row), runs: s.Runs}
				byKey[key] = b
				list = append(list, b)
			}
			r = &run{id: s.RunID, target: s.Target, block: b}
			byID[s.RunID] = r
			b.on = append(b.on, r)
		}
		r.block.runs = max(r.block.runs, s.Runs)
		r.steps = append(r.steps, s)
	}
	return list
}

// ruleOf returns the rule that a row's repetitions follow, nil for a fixed
// number.
func (p *Plan) ruleOf(row int) *rule {
	if p.Request.Rule == "" {
		return nil
	}
	if r, err := ruleByName(p.Request.Rule); err == nil && r != nil {
		return r
	}
	return rowRule(&p.Rows[row])
}

// order returns the order of n targets in a round of a block, counted from 1.
// It depends on the seed, the block and the round alone: a replay that goes on
// after a crash meets the same order.
func order(seed uint64, key string, round, n int) []int {
	at := hash(key)
	low := binary.BigEndian.Uint64([]byte(at[:8])) ^ uint64(round)
	return rand.New(rand.NewPCG(seed, low)).Perm(n)
}
