package replay

import "time"

// Kinds of progress.
const (
	Begun       = "begun"   // the replay, or its next go
	Started     = "started" // a repetition
	StepStarted = "step"    // a step of a repetition
	Done        = "done"    // a repetition, with its values
	Failed      = "failed"  // a run on a target: it is given up
	Noted       = "note"    // something to know that stops nothing
	Ended       = "ended"   // the replay, or this go
)

// Progress is what happens while a plan is run.
type Progress struct {
	Kind   string
	Run    string // what runs, for people
	Target string
	Rep    int // of the run, from 1
	Step   string
	Reason string
	Dir    string // of the outputs of what failed

	Values   []Value
	Warnings []string
	Seconds  float64 // that a repetition took
	// Expected is how long a repetition is likely to take.
	Expected time.Duration

	// Finished, Failures and Total count repetitions: those that count,
	// those that will not be, and all that are known of. Left is how long
	// the rest is likely to take.
	Finished, Failures, Total int
	Left                      time.Duration
}

// tell passes progress on, with the counts and the time left.
func (r *runner) tell(p Progress) {
	p.Finished, p.Failures, p.Total, p.Left = r.meter.count()
	r.o.Notify(p)
}

// meter works out how long the rest takes: from finished repetitions of the
// same run, else of the same run on other targets, else from the plan, set
// right by how far it was off so far.
type meter struct {
	runs []*run
	took map[*run][]float64
	// left is how many repetitions of a run are to come.
	left               map[*run]int
	finished, failures int
}

// begin takes in what has been done before.
func (m *meter) begin(p *Plan, blocks []*block, s *state) {
	m.took, m.left = map[*run][]float64{}, map[*run]int{}
	for _, b := range blocks {
		for _, run := range b.on {
			m.runs = append(m.runs, run)
			have := s.done[run.id]
			for i := range have {
				m.took[run] = append(m.took[run], have[i].seconds)
			}
			m.finished += len(have)
			if block, complete := s.complete[run.id]; !complete || !enough(run, s.inBlock(run.id, block)) {
				m.left[run] = max(b.runs-len(s.inBlock(run.id, s.block)), 0)
			}
		}
	}
}

func (m *meter) done(run *run, seconds float64) {
	m.took[run] = append(m.took[run], seconds)
	m.left[run] = max(m.left[run]-1, 0)
	m.finished++
}

func (m *meter) failed(run *run) {
	m.failures += m.left[run]
	m.left[run] = 0
}

// void takes n finished repetitions of a run back.
func (m *meter) void(run *run, n int) {
	m.finished -= n
	m.failures += n
	m.left[run] = 0
}

// expected returns how long a repetition of the run is likely to take.
func (m *meter) expected(run *run) time.Duration {
	seconds := mean(m.took[run])
	if seconds == 0 {
		var others []float64
		for _, o := range run.block.on {
			others = append(others, m.took[o]...)
		}
		if seconds = mean(others); seconds == 0 {
			seconds = run.block.job.Need.Seconds * m.off()
		}
	}
	return time.Duration(seconds * float64(time.Second))
}

// off returns by what factor repetitions took longer than planned so far.
func (m *meter) off() float64 {
	took, planned := 0.0, 0.0
	for run, list := range m.took {
		for _, s := range list {
			took += s
			planned += run.block.job.Need.Seconds
		}
	}
	if took == 0 || planned == 0 {
		return 1
	}
	return took / planned
}

func (m *meter) count() (finished, failures, total int, left time.Duration) {
	total = m.finished + m.failures
	for _, run := range m.runs {
		total += m.left[run]
		left += time.Duration(m.left[run]) * m.expected(run)
	}
	return m.finished, m.failures, total, left
}

func mean(list []float64) float64 {
	if len(list) == 0 {
		return 0
	}
	sum := 0.0
	for _, x := range list {
		sum += x
	}
	return sum / float64(len(list))
}
