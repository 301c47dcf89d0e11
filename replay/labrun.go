package replay

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/replay/internal/host"
	"github.com/benchproof/benchproof/replay/internal/target"
	"github.com/benchproof/benchproof/replay/lab"
	"github.com/benchproof/benchproof/replay/lab/guest"
	"github.com/benchproof/benchproof/replay/profile"
	"github.com/benchproof/benchproof/result"
)

// lookLab looks at what a configuration of a lab needs, one of so many. Its
// free space is what fits into its images and, with the others', into their
// directory.
func lookLab(s TargetSpec, of int) (Target, error) {
	c := *s.Lab
	spec, err := lab.ParseSpec(c.Spec)
	if err != nil {
		return Target{}, err
	}
	refuse := func(err error) error {
		var e *lab.DirError
		if errors.As(err, &e) {
			return &TargetError{Label: labLabel, Dir: e.Dir, Reason: e.Reason, Hint: e.Hint}
		}
		return fmt.Errorf("lab: %w", err)
	}
	if c.Dir, err = lab.CheckDir(c.Dir); err != nil {
		return Target{}, refuse(err)
	}
	if c.Guest != "" {
		c.Lacks, c.Hint = guest.Lacks(spec, c.Size)
	} else {
		c.Lacks, c.Hint = lab.This().Lacks(spec, c.Size, c.Limit)
	}
	t := Target{Label: s.Label, FileSystem: spec.FS, Lab: &c, Total: spec.Room(c.Size)}
	if c.Note != "" {
		t.Notes = []string{c.Note}
	}
	if t.Free, err = lab.Share(c, of); err != nil {
		return Target{}, refuse(err)
	}
	return t, nil
}

// sameLab returns a TargetError where a planned configuration is not what it
// is now.
func (t *Target) sameLab(now *Target) error {
	was, is := &lab.Config{}, &lab.Config{}
	if t.Lab != nil {
		was = t.Lab
	}
	if now.Lab != nil {
		is = now.Lab
	}
	if was.Spec == is.Spec && was.Disks == is.Disks && was.Size == is.Size && was.Limit == is.Limit && was.Dir == is.Dir && was.Guest == is.Guest {
		return nil
	}
	return &TargetError{Label: t.Label, Dir: is.Dir, Reason: fmt.Sprintf("is %s, planned was %s in %s", is.Text(), was.Text(), was.Dir)}
}

// where tells targets apart: by directory, or by what a lab makes.
func (t *Target) where() string {
	if t.Lab == nil {
		return t.Dir
	}
	l := t.Lab
	return strings.Join([]string{
		"lab", l.Spec, strconv.Itoa(l.Disks), strconv.FormatInt(l.Size, 10),
		strconv.FormatInt(l.Limit.IOPS, 10), strconv.FormatInt(l.Limit.Bytes, 10), l.Guest,
	}, " ")
}

// inLab says of a step what it means that its target is a lab's; nil for none.
func (s *Step) inLab(c *lab.Config) {
	if c == nil {
		return
	}
	add := func(to *string, text string) {
		if *to != "" {
			text = *to + "; " + text
		}
		*to = text
	}
	if c.Lacks != "" && s.Status == Ready {
		s.Status, s.Hint = Unavailable, c.Hint
		s.Reason = fmt.Sprintf("lab %s: %s", c.Spec, c.Lacks)
	}
	if text := c.Scaling(); text != "" {
		add(&s.Scaled, text)
		add(&s.Changed, text)
	}
	add(&s.NotComparable, c.NotComparable())
	s.Comparable = false
}

// hasLab reports whether a lab makes some target of the plan.
func (p *Plan) hasLab() bool {
	return slices.ContainsFunc(p.Targets, func(t Target) bool { return t.Lab != nil })
}

// standing returns the targets that can be measured: all directories, and what
// a lab can make here.
func (p *Plan) standing() []*Target {
	var list []*Target
	for i := range p.Targets {
		if t := &p.Targets[i]; t.Lab == nil || t.Lab.Lacks == "" {
			list = append(list, t)
		}
	}
	return list
}

// labSetup returns what the lab of the plan is made of.
func (r *runner) labSetup() lab.Setup {
	s := lab.Setup{ID: r.id, Program: "benchproof " + r.o.Version, Tell: func(text string) {
		r.tell(Progress{Kind: Noted, Reason: "lab: " + text})
	}}
	for _, t := range r.plan.standing() {
		if t.Lab != nil {
			s.Configs = append(s.Configs, lab.Named{Label: t.Label, Config: *t.Lab})
		}
	}
	return s
}

// inLab makes the lab, runs what is not done yet in it, and removes it whatever
// happens.
func (r *runner) inLab(ctx context.Context) (out Outcome, err error) {
	setup := r.labSetup()
	if len(setup.Configs) > 0 {
		dir := lab.Path(setup.Configs[0].Dir, r.id)
		if err := r.note(event{Event: evLab, Lab: dir}); err != nil {
			return Outcome{}, err
		}
		if r.plan.guest() {
			return r.inGuest(ctx, setup, dir)
		}
		r.lab, err = lab.Open(ctx, setup)
		if err != nil {
			return r.noLab(ctx, dir, err)
		}
		defer func() { err = r.closeLab(ctx, dir, err) }()
	}
	if err := r.openPlaces(); err != nil {
		return Outcome{}, err
	}
	defer r.closePlaces()
	return r.all(ctx)
}

// noLab says why there is no lab.
func (r *runner) noLab(ctx context.Context, dir string, err error) (Outcome, error) {
	var e *lab.DirError
	if errors.As(err, &e) {
		// It was refused before anything was made.
		if err := r.note(event{Event: evLab, Lab: dir, Reason: "removed"}); err != nil {
			return Outcome{}, err
		}
		return Outcome{}, &TargetError{Label: labLabel, Dir: e.Dir, Reason: e.Reason, Hint: e.Hint}
	}
	if ctx.Err() != nil {
		return r.end(ctx, r.plan.blocks(), context.Cause(ctx))
	}
	return Outcome{}, err
}

// closeLab removes the lab. What cannot be removed is left for clean.
func (r *runner) closeLab(ctx context.Context, dir string, err error) error {
	if _, closeErr := r.lab.Close(context.WithoutCancel(ctx)); closeErr != nil {
		return errors.Join(err, closeErr)
	}
	if noteErr := r.note(event{Event: evLab, Lab: dir, Reason: "removed"}); noteErr != nil {
		return errors.Join(err, noteErr)
	}
	return err
}

// resumeInLab removes what is left of the replay and goes on with it in a lab
// that is made anew.
func (r *runner) resumeInLab(ctx context.Context) (Outcome, error) {
	if err := r.note(event{Event: evResumed, Version: r.o.Version}); err != nil {
		return Outcome{}, err
	}
	var open []*target.Target
	defer func() {
		for _, t := range open {
			_ = t.Close()
		}
	}()
	for _, t := range r.plan.Targets {
		if t.Lab != nil {
			continue
		}
		at, err := target.Open(t.Dir)
		if err != nil {
			return Outcome{}, refusal(TargetSpec{Label: t.Label, Dir: t.Dir}, err)
		}
		open = append(open, at)
	}
	if _, err := sweep(ctx, r.o.Journal, r.state, open); err != nil {
		return Outcome{}, err
	}
	if err := r.note(event{Event: evCleaned}); err != nil {
		return Outcome{}, err
	}
	return r.inLab(ctx)
}

// limited does the work of a repetition with the limits of its target's disks,
// if it has any.
func (r *runner) limited(ctx context.Context, w *worker) (*profile.Outputs, error) {
	if r.lab == nil {
		return w.work(ctx)
	}
	label := w.site.run.target
	if err := r.lab.Begin(label); err != nil {
		return nil, failStep("%v", err)
	}
	out, err := w.work(ctx)
	if endErr := r.lab.End(label); err == nil && endErr != nil {
		return nil, failStep("%v", endErr)
	}
	return out, err
}

// disk puts the disks of a lab in the place of those that they lie on. A loop
// device of somebody else's is told from the disk that its file lies on, too:
// they are not as fast.
func (r *runner) disk(t *Target, at *host.Snapshot, hardware []result.Component) []result.Component {
	isLoop := func(d target.Device) bool { return d.Kind == "loop" }
	before, after := "loop device on ", "" // of the disk's own name
	switch devices := at.Place.Devices; {
	case t.Lab != nil:
		before = r.lab.Disk(t.Label) + " on "
	case !slices.ContainsFunc(devices.Carriers, isLoop):
		return hardware
	case slices.ContainsFunc(devices.Disks, isLoop): // its file is on no disk
		before, after = "", " loop device"
	}
	list := slices.Clone(hardware)
	for i := range list {
		if list[i].Key == "Disk" {
			list[i].Value = before + list[i].Value + after
			return list
		}
	}
	name := strings.TrimSuffix(before, " on ") + strings.TrimSpace(after)
	return append(list, result.Component{Key: "Disk", Value: name})
}

// notes says how a target of a lab was made, and of others what a reader of
// their numbers should know.
func (r *runner) notes(t *Target) []result.Component {
	if t.Lab != nil {
		return r.lab.Notes(t.Label)
	}
	if notes := r.places[t.Label].Notes(); len(notes) > 0 {
		return []result.Component{{Key: "Target", Value: strings.Join(notes, "; ")}}
	}
	return nil
}
