package replay

import (
	"fmt"
	"path/filepath"

	"github.com/benchproof/benchproof/internal/number"
	"github.com/benchproof/benchproof/internal/phrase"
)

// maxSeconds is more than a repetition of anything takes: 30 years.
const maxSeconds = 1e9

// check returns what of an event no replay has written: a journal may come from
// anywhere, and what it says goes into sums, paths and results.
func (e *event) check() error {
	switch {
	case e.Block < 0 || e.Rep < 0:
		return fmt.Errorf("found block %d, repetition %d, expected none below 0", e.Block, e.Rep)
	case !(e.Seconds >= 0 && e.Seconds <= maxSeconds):
		return fmt.Errorf("found %v seconds, expected 0 to %.0f", e.Seconds, maxSeconds)
	case e.Dir != "" && !filepath.IsLocal(e.Dir):
		return fmt.Errorf("found the directory %.80q, expected one below the journal's", e.Dir)
	}
	for _, v := range e.Values {
		if err := checkText(v.Text); err != nil {
			return fmt.Errorf("%.80q: %w", v.Metric, err)
		}
	}
	return nil
}

// checkText makes sure of a value as it is published; "" is one that is not.
func checkText(text string) error {
	if text != "" && !number.Measured(text) {
		return fmt.Errorf("found %.80q, expected a number", text)
	}
	return nil
}

// check returns what of a plan does not hold together. What its steps are to run
// is not believed anyway: see [Plan.Again].
func (p *Plan) check() error {
	if len(p.Rows) == 0 || len(p.Targets) == 0 || len(p.Steps) != len(p.Rows)*len(p.Targets) {
		return fmt.Errorf("steps: %d, expected one for each of its rows (%d) and targets (%d)", len(p.Steps), len(p.Rows), len(p.Targets))
	}
	labels := make(map[string]bool)
	for i := range p.Targets {
		if l := p.Targets[i].Label; labels[l] {
			return fmt.Errorf("two targets are called %.80q", l)
		}
		labels[p.Targets[i].Label] = true
	}
	for i := range p.Steps {
		s := &p.Steps[i]
		switch at := &p.Targets[i%len(p.Targets)]; {
		case s.Row != i/len(p.Targets):
			return fmt.Errorf("step %d is of row %d, expected %d", i, s.Row, i/len(p.Targets))
		case s.Target != at.Label:
			return fmt.Errorf("step %d is for target %.80q, expected %.80q", i, s.Target, at.Label)
		case s.Runs < 0 || s.Runs > maxRuns:
			return fmt.Errorf("step %d has %s, expected 0 to %d", i, phrase.Count(s.Runs, "repetition"), maxRuns)
		case s.Seconds != nil && !(*s.Seconds >= 0 && *s.Seconds <= maxSeconds):
			return fmt.Errorf("step %d takes %v seconds, expected 0 to %.0f", i, *s.Seconds, maxSeconds)
		case s.Bytes != nil && *s.Bytes < 0:
			return fmt.Errorf("step %d takes %d bytes", i, *s.Bytes)
		}
	}
	return nil
}
