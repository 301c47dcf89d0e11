package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/benchproof/benchproof/replay"
	"github.com/benchproof/benchproof/replay/profile"
	"github.com/benchproof/benchproof/result"
)

// Factors of --quick.
const (
	quickScale = 1.0 / 16
	quickRuns  = 1
)

// replayProfiles are the profiles that replay knows; tests may set others.
var replayProfiles = profile.All

// replayFlags say what of a result is to be replayed, and how.
type replayFlags struct {
	readFlags
	labFlags
	targets, sets []string
	quick         bool
	scale         float64
	runs          int
	rule          string
	seed          uint64
	ownSeed       bool // the seed is set, though not by the flag
	flags         *pflag.FlagSet

	request replay.Request
	labels  []replay.TargetSpec
}

func (r *replayFlags) addFlags(f *pflag.FlagSet) {
	f.StringArrayVar(&r.targets, "target", nil, "measure `DIR`, an existing directory; NAME=DIR gives it a name: that of the published system it stands for")
	f.StringArrayVar(&r.sets, "set", nil, "set an option that the result does not tell, as `KEY=VALUE`; benchproof profiles NAME lists the keys")
	f.BoolVar(&r.quick, "quick", false, "make a trial: sizes and times of one sixteenth, one repetition; no validation")
	f.Float64Var(&r.scale, "scale", 1, "multiply sizes and times by `X`, above 0 and not above 1; no validation")
	f.IntVar(&r.runs, "runs", 0, "make `N` repetitions of each test (default as many runs as published, else 3)")
	f.StringVar(&r.rule, "rule", "", "add repetitions by the `RULE` of PTS: pts for that of the published version, or "+listed(replay.RuleNames()[1:]))
	completes(f, "rule", replay.RuleNames()...)
	f.Uint64Var(&r.seed, "seed", 0, "draw the order of targets by the random number `N` (default one that follows from the rows; a new one where replay run makes the plan)")
}

// addReplayFlags adds the flags of commands that plan a replay.
func addReplayFlags(c *cobra.Command, r *replayFlags) {
	addFlags(c, groupReplay, r.addFlags)
	addFlags(c, groupLab, r.labFlags.addFlags)
	r.flags = c.Flags()
}

// given reports whether a flag is on the line.
func (r *replayFlags) given(name string) bool { return r.flags.Changed(name) }

// planFlags are those that a plan has settled.
var planFlags = []string{"set", "quick", "scale", "runs", "rule", "seed", "map"}

func (r *replayFlags) validate() error {
	if err := r.readFlags.validate(); err != nil {
		return err
	}
	switch {
	case !(r.scale > 0 && r.scale <= 1):
		return usage("", fmt.Errorf("--scale %v: want a number above 0 and not above 1", r.scale))
	case r.given("runs") && (r.runs < 1 || r.runs > 256):
		return usage("", fmt.Errorf("--runs %d: want 1 to 256", r.runs))
	case r.rule != "" && (r.given("runs") || r.quick):
		return usage("", errors.New("--rule says how often to run: leave --runs and --quick out"))
	case r.seed >= 1<<53:
		return usage("", fmt.Errorf("--seed %d: want 0 to %d", r.seed, uint64(1)<<53-1))
	}
	if r.rule != "" {
		if err := oneOf("--rule", r.rule, replay.RuleNames()...); err != nil {
			return err
		}
	}
	r.request = replay.Request{Set: map[string]string{}, Scale: r.scale, Quick: r.quick, Runs: r.runs, Rule: r.rule}
	if r.quick {
		if !r.given("scale") {
			r.request.Scale = quickScale
		}
		if !r.given("runs") {
			r.request.Runs = quickRuns
		}
	}
	for _, text := range r.sets {
		key, value, ok := strings.Cut(text, "=")
		if !ok || key == "" {
			return usage("benchproof profiles NAME lists the keys of one", fmt.Errorf("--set %q: want KEY=VALUE", text))
		}
		r.request.Set[key] = value
	}
	if err := r.labFlags.validate(r.given); err != nil {
		return err
	}
	return r.parseTargets()
}

// parseTargets divides --target into names and directories. What an equals
// sign stands in may be a directory all the same.
func (r *replayFlags) parseTargets() error {
	for _, text := range r.targets {
		dir, label := text, ""
		if _, err := os.Stat(text); err != nil {
			if before, after, ok := strings.Cut(text, "="); ok && before != "" && !strings.ContainsRune(before, '/') {
				label, dir = before, after
			}
		}
		if dir == "" {
			return usage("", fmt.Errorf("--target %q: want DIR or NAME=DIR", text))
		}
		if label == "" {
			label = filepath.Base(filepath.Clean(dir))
			if abs, err := filepath.Abs(dir); err == nil {
				label = filepath.Base(abs)
			}
		}
		r.labels = append(r.labels, replay.TargetSpec{Label: label, Dir: dir})
	}
	return nil
}

// planFile matches how a plan begins.
var planFile = regexp.MustCompile(`^\s*\{\s*"schema"\s*:\s*"benchproof/plan/`)

// openPlan returns the plan that the arguments name, nil where they name none.
func openPlan(args []string) (*replay.Plan, error) {
	if len(args) != 1 || args[0] == "-" {
		return nil, nil
	}
	info, err := os.Stat(args[0])
	if err != nil || !info.Mode().IsRegular() {
		return nil, nil // said when it is read as a result
	}
	file, err := os.Open(args[0])
	if err != nil {
		return nil, nil // likewise
	}
	defer file.Close()
	head := make([]byte, 256)
	n, _ := file.ReadAt(head, 0)
	if !planFile.Match(head[:n]) {
		return nil, nil
	}
	p, err := replay.ReadPlan(file)
	if err != nil {
		return nil, &exitError{exitUnread, fmt.Errorf("%s: %w", args[0], err), ""}
	}
	return p, nil
}

// options returns what a plan is made with, but for the targets.
func (r *replayFlags) options(a *app) replay.PlanOptions {
	o := replay.PlanOptions{
		Request: r.request, Tools: &replay.Finder{Path: filepath.SplitList(a.e.getenv("PATH"))},
		Root: os.Geteuid() == 0, Profiles: replayProfiles(),
	}
	if r.given("seed") || r.ownSeed {
		o.Seed = &r.seed
	}
	return o
}

// makePlan makes the plan that the arguments ask for: of results, or anew of a
// plan.
func (r *replayFlags) makePlan(ctx context.Context, a *app, args []string) (*replay.Plan, error) {
	o := r.options(a)
	planned, err := openPlan(args)
	if err != nil {
		return nil, err
	}
	specs := r.labels
	if r.lab != "" {
		if err := linuxOnly("--lab"); err != nil {
			return nil, err
		}
	}
	if planned != nil {
		if err := r.settled(planned); err != nil {
			return nil, err
		}
		if planned.HasTarget() {
			specs = planned.Specs()
		}
	}
	var rows []replay.Row
	var readErr error
	if planned == nil && (r.lab != "" || len(r.maps) > 0) {
		// Which configurations a lab makes depends on what is published.
		if rows, readErr = r.rows(ctx, a, args); rows == nil {
			return nil, readErr
		}
		if specs, o.LabSystems, err = r.specs(specs); err != nil {
			return nil, err
		}
	} else if planned != nil && r.lab != "" {
		return nil, usage("make another plan of the result", errors.New("--lab: the plan has settled it"))
	}
	if len(specs) > 0 {
		if err := linuxOnly("replay on a target"); err != nil {
			return nil, err
		}
	}
	if o.Targets, err = replay.InspectTargets(specs); err != nil {
		return nil, refused(err)
	}
	if planned != nil {
		again, err := planned.Again(o)
		if err != nil {
			return nil, planError(err)
		}
		return again, nil
	}
	if rows == nil {
		if rows, readErr = r.rows(ctx, a, args); rows == nil {
			return nil, readErr
		}
	}
	p, err := replay.NewPlan(rows, o)
	if err != nil {
		return nil, planError(err)
	}
	if r.lab == "" && len(r.maps) == 0 {
		r.standFor(a, specs)
	}
	return p, readErr
}

// standFor warns of targets that stand for no published system, which verify
// would then have to be told.
func (r *replayFlags) standFor(a *app, specs []replay.TargetSpec) {
	var names []string
	for _, s := range r.published {
		if !slices.Contains(names, s.Identifier) {
			names = append(names, s.Identifier)
		}
	}
	if len(names) < 2 {
		return // the one is meant
	}
	for _, t := range specs {
		if !slices.Contains(names, t.Label) {
			there := (&patterns{what: "system", names: names}).some()
			a.m.warning("target %q has the name of no published system, and verify would not know which it stands for: %s", t.Label, there)
			a.m.hint("--target %s says which it stands for", commandText([]string{names[0] + "=" + t.Dir}))
			return
		}
	}
}

// settled refuses flags about what the plan has settled.
func (r *replayFlags) settled(p *replay.Plan) error {
	names := planFlags
	if p.HasTarget() {
		names = append([]string{"target", "lab"}, names...)
	}
	names = append(names, "test", "system")
	for _, name := range names {
		if r.given(name) || (name == "test" && len(r.filter.tests) > 0) || (name == "system" && len(r.filter.systems) > 0) {
			return usage("make another plan of the result", fmt.Errorf("--%s: the plan has settled it", name))
		}
	}
	return nil
}

// rows reads the published rows of the arguments. Rows come with an error where
// only some inputs could be read.
func (r *replayFlags) rows(ctx context.Context, a *app, args []string) ([]replay.Row, error) {
	src := r.source(a.e, a.m)
	var files []*result.File
	err := src.each(ctx, args, func(f *result.File) error {
		files = append(files, f)
		return nil
	})
	if len(files) == 0 || err != nil && exitCode(err) != exitUnread {
		return nil, err
	}
	for _, f := range files {
		for i := range f.Systems {
			r.published = append(r.published, &f.Systems[i])
		}
	}
	rows := replay.Rows(files)
	if len(rows) == 0 {
		return nil, unreadOr(a.m, err, usage("benchproof show lists the tests", errors.New("no test is left to replay")))
	}
	return rows, err
}

// planError gives an error of making a plan its exit code.
func planError(err error) error {
	var unknown *replay.UnknownKeyError
	var changed *replay.ChangedError
	var target *replay.TargetError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &target):
		return refused(err)
	case errors.As(err, &unknown):
		return usage(setHint(unknown), err)
	case errors.As(err, &changed):
		return failed("benchproof replay plan makes a new one", err)
	}
	return usage("", err)
}

// setHint proposes keys of --set for one that no profile has.
func setHint(e *replay.UnknownKeyError) string {
	names := make(map[string]bool)
	for _, k := range e.Known {
		names[k] = true
		_, short, _ := strings.Cut(k, ".")
		names[short] = true
	}
	if hint := didYouMean(nearest(e.Key, slices.Sorted(maps.Keys(names)))); hint != "" {
		return hint
	}
	return "benchproof profiles NAME lists the keys of one"
}

// refused gives the error of a target its exit code: 5 where it may not be
// measured.
func refused(err error) error {
	var e *replay.TargetError
	if errors.As(err, &e) {
		return &exitError{exitRefused, err, e.Hint}
	}
	return failed("", err)
}
