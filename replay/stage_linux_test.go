package replay

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/benchproof/benchproof/replay/internal/process"
	"github.com/benchproof/benchproof/result"
)

// stage is where a test replays: targets, a journal, and what was told.
type stage struct {
	t       *testing.T
	specs   []TargetSpec
	journal string
	told    []Progress
}

func newStage(t *testing.T, targets int) *stage {
	t.Helper()
	base := t.TempDir()
	s := &stage{t: t, journal: filepath.Join(base, "journal")}
	for i := range targets {
		dir := filepath.Join(base, fmt.Sprintf("disk%d", i))
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		s.specs = append(s.specs, TargetSpec{Label: string(rune('a' + i)), Dir: dir})
	}
	return s
}

func (s *stage) plan(rows []Row, change func(*PlanOptions)) *Plan {
	s.t.Helper()
	targets, err := InspectTargets(s.specs)
	if err != nil {
		s.t.Fatal(err)
	}
	o := fakeOptions(targets...)
	if change != nil {
		change(&o)
	}
	return mustPlan(s.t, rows, o)
}

func (s *stage) options() RunOptions {
	self, err := os.Executable()
	if err != nil {
		s.t.Fatal(err)
	}
	return RunOptions{
		Journal: s.journal, Self: self, Version: "test", LockDir: filepath.Dir(s.journal),
		Notify: func(p Progress) { s.told = append(s.told, p) },
	}
}

func (s *stage) run(p *Plan) Outcome {
	s.t.Helper()
	out, err := Run(s.t.Context(), p, s.options())
	if err != nil {
		s.t.Fatal(err)
	}
	s.clean()
	return out
}

// clean makes sure that nothing is left of a replay but its journal.
func (s *stage) clean() {
	s.t.Helper()
	for _, spec := range s.specs {
		if list, err := os.ReadDir(spec.Dir); err != nil || len(list) > 0 {
			s.t.Errorf("left in %s: %v %v", spec.Dir, list, err)
		}
	}
	st, err := loadState(s.journal)
	if err != nil {
		s.t.Fatal(err)
	}
	if left, err := process.Leftovers(st.id); err != nil || len(left) > 0 {
		s.t.Errorf("left running: %v %v", left, err)
	}
}

func (s *stage) gather(p *Plan) *result.File {
	s.t.Helper()
	f, err := Gather(p, s.journal)
	if err != nil {
		s.t.Fatal(err)
	}
	return f
}
