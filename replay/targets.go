package replay

import (
	"fmt"
	"os"
	"path/filepath"
)

// TargetSpec is a directory as it was asked for, with its name.
type TargetSpec struct{ Label, Dir string }

// TargetError says why a directory may not be measured.
type TargetError struct {
	Spec   TargetSpec
	Reason string
	Hint   string
}

func (e *TargetError) Error() string {
	return fmt.Sprintf("target %q is refused: %s", e.Spec.Dir, e.Reason)
}

// Specs returns the targets of the plan as they were asked for.
func (p *Plan) Specs() []TargetSpec {
	specs := make([]TargetSpec, len(p.Targets))
	for i, t := range p.Targets {
		specs[i] = TargetSpec{t.Label, t.Dir}
	}
	return specs
}

// LookTargets looks at the directories that are to be measured. It writes
// nothing there. The error is a [*TargetError] for the first that may not be.
func LookTargets(specs []TargetSpec) ([]Target, error) {
	var list []Target
	for _, s := range specs {
		abs, err := filepath.Abs(s.Dir)
		if err != nil {
			return nil, err
		}
		info, err := os.Stat(abs)
		if err != nil || !info.IsDir() {
			return nil, &TargetError{Spec: s, Reason: "it is no directory"}
		}
		list = append(list, Target{Label: s.Label, Dir: abs, Free: -1})
	}
	return list, nil
}
