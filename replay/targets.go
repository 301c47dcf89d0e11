package replay

import (
	"errors"
	"fmt"

	"github.com/benchproof/benchproof/replay/internal/target"
	"github.com/benchproof/benchproof/replay/lab"
)

// TargetSpec is a directory as it was asked for, with its name, or a
// configuration of a lab, which makes its directory.
type TargetSpec struct {
	Label, Dir string
	Lab        *lab.Config
}

// TargetError says why a directory may not be measured. There is no way to
// insist.
type TargetError struct {
	Label, Dir string
	Reason     string // "is a block device"
	Hint       string // what would help, "" if nothing would
}

// Error returns the target and the reason.
func (e *TargetError) Error() string {
	switch e.Label {
	case "":
		return fmt.Sprintf("the target is refused: %q %s", e.Dir, e.Reason)
	case labLabel:
		return fmt.Sprintf("the directory of the lab's images is refused: %q %s", e.Dir, e.Reason)
	}
	return fmt.Sprintf("target %q is refused: %q %s", e.Label, e.Dir, e.Reason)
}

// labLabel stands for the name of a target in the error of a directory that
// images of a lab were to be made in.
const labLabel = "the lab"

// Specs returns the targets of the plan as they were asked for.
func (p *Plan) Specs() []TargetSpec {
	specs := make([]TargetSpec, len(p.Targets))
	for i, t := range p.Targets {
		specs[i] = TargetSpec{t.Label, t.Dir, t.Lab}
	}
	return specs
}

// InspectTargets looks at the directories that are to be measured, and at what a
// lab needs. It writes nothing there. The error is a [*TargetError] for the
// first that may not be.
func InspectTargets(specs []TargetSpec) ([]Target, error) {
	var list []Target
	inLab := 0
	for _, s := range specs {
		if s.Lab != nil {
			inLab++
		}
	}
	for _, s := range specs {
		if s.Lab != nil {
			t, err := lookLab(s, inLab)
			if err != nil {
				return nil, err
			}
			list = append(list, t)
			continue
		}
		t, err := lookTarget(s)
		if err != nil {
			return nil, err
		}
		for _, o := range list {
			if o.Lab == nil && o.Dir == t.Dir {
				return nil, &TargetError{Label: s.Label, Dir: s.Dir, Reason: fmt.Sprintf("is target %q too", o.Label), Hint: "make a directory of its own for each"}
			}
		}
		list = append(list, t)
	}
	return list, nil
}

func lookTarget(s TargetSpec) (Target, error) {
	open, err := target.Open(s.Dir)
	if err != nil {
		return Target{}, refusal(s, err)
	}
	defer open.Close()
	space, err := open.Free()
	if err != nil {
		return Target{}, err
	}
	id := open.Identity()
	return Target{
		Label: s.Label, Dir: id.Dir, FileSystem: id.FileSystem(), Device: id.Mount.Source,
		Mounted: id.Mount.Point, FSID: id.FSID, Free: space.Free, Total: space.Total, Notes: open.Notes(),
	}, nil
}

// refusal makes a TargetError of what a target's guard says.
func refusal(s TargetSpec, err error) error {
	var r *target.Refusal
	if errors.As(err, &r) {
		return &TargetError{Label: s.Label, Dir: r.Dir, Reason: r.Reason, Hint: r.Hint}
	}
	return fmt.Errorf("target %s: %w", s.Label, err)
}

// same returns a TargetError where a planned target is on another file-system
// by now: one that is no longer mounted must not let another disk be measured
// in its place. Names of devices and identifiers of file-systems may both
// change with a boot, but hardly at once.
func (t *Target) same(now *Target) error {
	reason := ""
	switch {
	case t.Lab != nil || now.Lab != nil:
		return t.sameLab(now)
	case t.FileSystem != now.FileSystem:
		reason = fmt.Sprintf("is on %s (%s), planned was %s (%s)", now.FileSystem, now.Device, t.FileSystem, t.Device)
	case t.Mounted != now.Mounted:
		reason = fmt.Sprintf("is on what is mounted at %q, planned was %q", now.Mounted, t.Mounted)
	case t.Device != now.Device && t.FSID != now.FSID:
		reason = fmt.Sprintf("is on %s, planned was %s", now.Device, t.Device)
	default:
		return nil
	}
	return &TargetError{Label: t.Label, Dir: t.Dir, Reason: reason, Hint: "mount what was planned for, or make another plan"}
}
