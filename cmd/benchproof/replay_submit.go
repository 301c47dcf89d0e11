package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/internal/term"
	"github.com/benchproof/benchproof/replay"
	"github.com/benchproof/benchproof/replay/cluster"
	"github.com/benchproof/benchproof/replay/lab"
)

func init() { replayCommands = append(replayCommands, (*app).replaySubmit) }

// replaySubmitOptions are the flags of replay submit.
type replaySubmitOptions struct {
	replayFlags
	journal, hosts, partition, locks string
	slurm, dryRun, split, resume     bool
	limit                            time.Duration
	atOnce                           int
	sbatch                           []string
}

func (o *replaySubmitOptions) addFlags(f *pflag.FlagSet) {
	f.BoolVar(&o.slurm, "slurm", false, "run it as an array of Slurm")
	f.StringVar(&o.hosts, "hosts", "", "replay on `HOSTS`, such as n[1-4],m7 (default all of the partition that are up)")
	f.StringVar(&o.partition, "partition", "", "use the partition `NAME` (default Slurm's)")
	f.StringVar(&o.journal, "journal", "", "keep plan, journals, outputs and results in `DIR`, on a file-system that all hosts share (default ./replay-ID)")
	f.DurationVar(&o.limit, "time", 0, "limit an element to `TIME`, such as 90m (default twice what the plan says)")
	f.Lookup("time").DefValue = "" // as the help says
	f.BoolVar(&o.split, "split", false, "make an element of each target of a host; else they take turns in one")
	f.IntVar(&o.atOnce, "at-once", 0, "let `N` elements run at once (default all)")
	f.Lookup("at-once").DefValue = ""
	f.StringArrayVar(&o.sbatch, "sbatch", nil, "give sbatch a further option `KEY=VALUE`: KEY is "+listed(cluster.RequestOptions))
	f.BoolVar(&o.dryRun, "dry-run", false, "show what would be submitted, and write nothing")
	f.BoolVar(&o.resume, "resume", false, "submit those elements of --journal again that failed, were stopped or lost: what is finished stays")
	f.StringVar(&o.locks, "lock-dir", "", "keep the locks of targets in `DIR` (default /run/lock): for tests")
	_ = f.MarkHidden("lock-dir") // there is such a flag
}

func (o *replaySubmitOptions) validate() error {
	if err := o.replayFlags.validate(); err != nil {
		return err
	}
	switch {
	case !o.slurm && !o.resume:
		return usage("--slurm queues with Slurm; benchproof replay run measures this machine", errors.New("no queue"))
	case o.given("time") && (o.limit < time.Minute || o.limit > 365*24*time.Hour):
		return usage("", fmt.Errorf("--time %v: want a minute to a year", o.limit))
	case o.given("at-once") && o.atOnce < 1:
		return usage("", fmt.Errorf("--at-once %d: want 1 or more", o.atOnce))
	}
	return nil
}

func (a *app) replaySubmit() *cobra.Command {
	o := &replaySubmitOptions{}
	c := a.command(command{
		use:   "submit INPUT|PLAN.json --slurm --target DIR...",
		short: "run a plan on many hosts, queued by Slurm",
		long: `Submit makes one plan of a result and one Slurm array, with an element a
host, or with --split a host and target. Every element has its host to itself,
runs this very program there as replay run does, and keeps its own journal in
the directory of the job, which all hosts must share. A target's DIR is a path
on the hosts; {host} in it stands for the name of each.

Slurm starts an element again where its host fails; one that was killed, lost
or stopped at its time limit is submitted again by --resume. Either goes on
from the journal, and no repetition counts twice. Replay status says how far
all are; replay gather makes one result of them.

The plan is made anew on each host of the same rows, options and seed: a row
whose tool is missing there, or of another version, is reported by gather.`,
		exits: exitTexts{exitNo: "", exitFailed: "failed: the queue refused it or cannot be asked, or the output could not be written", exitRefused: ""},
		example: `  benchproof replay submit results.txt --slurm --hosts n[1-8] --target /scratch
  benchproof replay submit results.txt --slurm --partition disks \
    --target ssd=/mnt/ssd --target hdd=/mnt/hdd --dry-run
  benchproof replay submit --resume --journal replay-5a6b7c8d --time 4h`,
		args:     cobra.ArbitraryArgs,
		validate: o.validate,
		run: func(ctx context.Context, args []string) error {
			if err := linuxOnly("replay submit"); err != nil {
				return err
			}
			if o.resume {
				return o.again(ctx, a, args)
			}
			return o.run(ctx, a, args)
		},
	})
	addFlags(c, groupOwn, o.addFlags)
	addReplayFlags(c, &o.replayFlags)
	addReplayReadFlags(c, &o.readFlags)
	return c
}

// clusterError gives an error of the queue its hint.
func clusterError(err error) error {
	if errors.Is(err, cluster.ErrNoSlurm) {
		return failed("Debian has it in slurm-wlm; benchproof replay run measures this machine without it", err)
	}
	var e *cluster.CommandError
	if errors.As(err, &e) {
		return failed("does "+e.Argv[0]+" work on this machine? benchproof replay run measures it without Slurm", err)
	}
	return failed("", err)
}

func (o *replaySubmitOptions) run(ctx context.Context, a *app, args []string) error {
	if len(args) == 0 {
		return noInput("replay submit")
	}
	// The queue is asked first: without one, nothing needs to be read.
	hosts, out, err := cluster.Hosts(ctx, o.hosts, o.partition)
	if err != nil {
		return clusterError(err)
	}
	for _, n := range out {
		if o.hosts == "" {
			a.m.warning("left out: host %s is %s", n.Name, n.State)
		} else {
			a.m.warning("host %s is %s: its element waits for it", n.Name, n.State)
		}
	}
	p, readErr := o.planFor(ctx, a, args)
	if p == nil {
		return readErr
	}
	j, err := cluster.NewJob(p, hosts, o.split)
	if err != nil {
		return usage("", err)
	}
	j.Version, j.LockDir = buildInfo().Version, o.locks
	j.Request = cluster.Request{Partition: o.partition, AtOnce: o.atOnce, Options: o.sbatch}
	if err := o.setLimit(a, j, p); err != nil {
		return err
	}
	if o.journal == "" {
		o.journal = "replay-" + j.ID
	}
	dir, err := filepath.Abs(o.journal)
	if err != nil {
		return failed("", err)
	}
	for _, e := range j.Elements {
		for _, s := range e.Specs(p) {
			if rel, err := filepath.Rel(s.Dir, dir); s.Lab == nil && err == nil && filepath.IsLocal(rel) {
				return usage("--journal DIR elsewhere", fmt.Errorf("the job %s would lie in the target %s, and be measured", dir, s.Dir))
			}
		}
	}
	all := make([]int, len(j.Elements))
	for i := range all {
		all[i] = i
	}
	argv, err := j.Argv(dir, all)
	if err != nil {
		return usage("--journal DIR elsewhere", err)
	}
	if o.dryRun {
		if err := o.show(a, submission{j, dir, "", all, argv}, p); err != nil {
			return failed("", err)
		}
		return readErr
	}
	self, err := os.Executable()
	if err != nil {
		return failed("", err)
	}
	if err := j.Create(dir, p, self); err != nil {
		return failed("", err)
	}
	array, err := j.Submit(ctx, dir, all)
	if err != nil {
		return clusterError(errors.Join(err, cluster.Remove(dir)))
	}
	if err := o.show(a, submission{j, dir, array, all, argv}, p); err != nil {
		return failed("", err)
	}
	return readErr
}

// again submits what has not ended of a job.
func (o *replaySubmitOptions) again(ctx context.Context, a *app, args []string) error {
	if len(args) == 1 && o.journal == "" {
		o.journal, args = args[0], nil
	}
	if len(args) > 0 || o.journal == "" {
		return usage("benchproof replay submit --resume --journal DIR", errors.New("--resume takes the job's directory alone"))
	}
	for _, name := range append([]string{"target", "lab", "hosts", "split", "lock-dir"}, planFlags...) {
		if o.given(name) {
			return usage("submit the result anew", fmt.Errorf("--%s: the job has settled it", name))
		}
	}
	j, p, err := cluster.ReadJob(o.journal)
	if err != nil {
		return &exitError{exitUnread, err, ""}
	}
	dir, err := filepath.Abs(o.journal)
	if err != nil {
		return failed("", err)
	}
	if err := cluster.CheckOwn(dir); err != nil {
		return failed("submit the result anew", err)
	}
	s, err := cluster.ReadStatus(ctx, dir)
	if err != nil {
		return &exitError{exitUnread, err, ""}
	}
	if s.QueueError != "" {
		return failed("what runs must not be submitted twice", errors.New(s.QueueError))
	}
	var elements []int
	for i := range s.Elements {
		if s.Elements[i].Resumable() {
			elements = append(elements, i)
		}
	}
	if len(elements) == 0 {
		return failed("benchproof replay status "+commandText([]string{o.journal})+" tells how far all are", errors.New("no element has failed, was stopped or lost"))
	}
	if o.given("time") {
		j.Minutes = minutes(o.limit)
	}
	if o.given("partition") {
		j.Request.Partition = o.partition
	}
	if o.given("at-once") {
		j.Request.AtOnce = o.atOnce
	}
	if o.given("sbatch") {
		j.Request.Options = o.sbatch
	}
	argv, err := j.Argv(dir, elements)
	if err != nil {
		return usage("", err)
	}
	if o.dryRun {
		return o.show(a, submission{j, dir, "", elements, argv}, p)
	}
	if err := j.Save(dir); err != nil {
		return failed("", err)
	}
	if err := cluster.Prepare(dir, elements); err != nil {
		return failed("", err)
	}
	array, err := j.Submit(ctx, dir, elements)
	if err != nil {
		return clusterError(err)
	}
	return o.show(a, submission{j, dir, array, elements, argv}, p)
}

// minutes returns a time in whole minutes, rounded up, as Slurm has limits.
func minutes(d time.Duration) int { return int((d + time.Minute - 1) / time.Minute) }

// setLimit sets the time limit of the elements.
func (o *replaySubmitOptions) setLimit(a *app, j *cluster.Job, p *replay.Plan) error {
	j.Estimated, j.Minutes = j.Estimate(p)
	if n := len(p.Steps) - p.Ready(); n > 0 {
		a.m.warning("%d of %s could not run on this machine, and %s not in the estimate; benchproof replay plan says why", n, phrase.Count(len(p.Steps), "step"), phrase.Verb(n, "is", "are"))
	}
	if o.given("time") {
		j.Minutes = minutes(o.limit)
	}
	// The signal comes a minute before the end, or up to two.
	if o.given("time") && j.Minutes < 3 {
		a.m.warning("--time %v: Slurm tells an element to stop up to two minutes before its limit", o.limit)
	}
	if j.Minutes == 0 {
		return usage("--time TIME", errors.New("no row could run on this machine: how long they take on the hosts is not known"))
	}
	return nil
}

// planFor makes the plan of the arguments for targets that are on other hosts.
func (o *replaySubmitOptions) planFor(ctx context.Context, a *app, args []string) (*replay.Plan, error) {
	planned, err := openPlan(args)
	if err != nil {
		return nil, err
	}
	options := o.options(a)
	var rows []replay.Row
	var readErr error
	specs := o.labels
	if planned != nil {
		if err := o.settled(planned); err != nil {
			return nil, err
		}
		rows = planned.Rows
		options.Request, options.Seed, options.LabSystems = planned.Request, &planned.Seed, planned.LabSystems
		if planned.HasTarget() {
			specs = planned.Specs()
		}
	} else {
		if rows, readErr = o.rows(ctx, a, args); rows == nil {
			return nil, readErr
		}
		if specs, options.LabSystems, err = o.specs(specs); err != nil {
			return nil, err
		}
	}
	if len(specs) == 0 {
		return nil, usage("--target DIR, a directory that is there on every host, or --lab", errors.New("no target"))
	}
	for _, s := range specs {
		t, err := remoteTarget(s)
		if err != nil {
			return nil, err
		}
		options.Targets = append(options.Targets, t)
	}
	p, err := replay.NewPlan(rows, options)
	if err != nil {
		return nil, planError(err)
	}
	return p, readErr
}

// remoteTarget returns a target on hosts that are not this one: nothing can be
// looked at here.
func remoteTarget(s replay.TargetSpec) (replay.Target, error) {
	t := replay.Target{Label: s.Label, Dir: s.Dir, Free: -1, Total: -1}
	flag, dir := "--target", s.Dir
	if s.Lab != nil {
		spec, err := lab.ParseSpec(s.Lab.Spec)
		if err != nil {
			return t, specError("--lab", err)
		}
		c := *s.Lab
		flag, dir = "--image-dir", c.Dir
		c.Dir = filepath.Clean(c.Dir)
		t.FileSystem, t.Lab = spec.FS, &c
	} else {
		t.Dir = filepath.Clean(s.Dir)
	}
	switch {
	case !filepath.IsAbs(dir):
		return t, usage("", fmt.Errorf("%s %q: want an absolute path, as it is on the hosts", flag, dir))
	case strings.Contains(s.Label, cluster.HostMark):
		return t, usage("--target NAME="+s.Dir, errors.New("--target: a name cannot be the host's, which it has anyway"))
	}
	return t, nil
}

// submission is what was submitted, or would be.
type submission struct {
	job      *cluster.Job
	dir      string
	array    string // "" for a dry run
	elements []int
	argv     []string
}

// submitSchema names the JSON form of a submission.
const submitSchema = "benchproof/submit/1"

// submitDocument is that form.
type submitDocument struct {
	Schema    string          `json:"schema"`
	ID        string          `json:"id"`
	Dir       string          `json:"dir"`   // of the job
	Array     *string         `json:"array"` // null for a dry run
	Minutes   int             `json:"minutes"`
	Estimated float64         `json:"estimated_seconds"`
	Argv      []string        `json:"argv"`
	Elements  []submitElement `json:"elements"`
}

// submitElement is what a host of it measures.
type submitElement struct {
	Element int      `json:"element"`
	Host    string   `json:"host"`
	Targets []string `json:"targets"`
}

func (o *replaySubmitOptions) show(a *app, s submission, p *replay.Plan) error {
	if a.globals.json {
		doc := submitDocument{submitSchema, s.job.ID, s.dir, nil, s.job.Minutes, s.job.Estimated, s.argv, nil}
		if s.array != "" {
			doc.Array = &s.array
		}
		for _, i := range s.elements {
			e := s.job.Elements[i]
			doc.Elements = append(doc.Elements, submitElement{i, e.Host, e.Targets})
		}
		return writeJSON(a.e.stdout, doc)
	}
	return writeSubmission(a.e.stdout, s, p)
}

// writeSubmission prints a submission for people.
func writeSubmission(w io.Writer, s submission, p *replay.Plan) error {
	var b strings.Builder
	verb := "submitted as array " + s.array
	if s.array == "" {
		verb = "would submit"
	}
	fmt.Fprintf(&b, "%s: %s of %s\n", verb, phrase.Count(len(s.elements), "element"), phrase.Count(len(p.Rows), "row"))
	for _, i := range s.elements {
		e := s.job.Elements[i]
		var dirs []string
		for _, t := range e.Specs(p) {
			if t.Lab != nil {
				dirs = append(dirs, t.Label+" (lab "+t.Lab.Spec+" in "+t.Lab.Dir+")")
			} else {
				dirs = append(dirs, t.Label+" ("+t.Dir+")")
			}
		}
		fmt.Fprintf(&b, "  %d  %s: %s\n", i, e.Host, strings.Join(dirs, ", "))
	}
	fmt.Fprintf(&b, "time limit: %s an element", phrase.Count(s.job.Minutes, "minute"))
	if s.job.Estimated > 0 {
		fmt.Fprintf(&b, "; the plan says %s", durationText(s.job.Estimated))
	}
	b.WriteByte('\n')
	if s.array == "" {
		fmt.Fprintf(&b, "command: %s\n", commandText(s.argv))
	} else {
		dir := commandText([]string{s.dir})
		fmt.Fprintf(&b, "benchproof replay status %s\nbenchproof replay gather %s -o result.json\n", dir, dir)
	}
	_, err := io.WriteString(w, term.VisibleLines(b.String()))
	return err
}
