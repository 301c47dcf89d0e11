package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/benchproof/benchproof/export/xml"
	"github.com/benchproof/benchproof/internal/atomicfile"
	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/replay"
	"github.com/benchproof/benchproof/result"
)

func init() { replayCommands = append(replayCommands, (*app).replayRun) }

// replayRunOptions are the flags of replay run.
type replayRunOptions struct {
	replayFlags
	output  outputFlags
	journal string
	resume  bool
	limit   time.Duration
	locks   string
	format  *format

	published string // the input that the plan was made of
}

func (o *replayRunOptions) addFlags(f *pflag.FlagSet) {
	f.StringVar(&o.journal, "journal", "", "keep plan, journal, outputs and result in `DIR` (default ./replay-ID)")
	f.BoolVar(&o.resume, "resume", false, "go on with the replay of --journal: what is finished stays")
	f.StringVar(&o.locks, "lock-dir", "", "keep the locks of targets in `DIR` (default /run/lock): for tests")
	_ = f.MarkHidden("lock-dir") // there is such a flag
	f.DurationVar(&o.limit, "time-limit", 0, "begin nothing that would not end within `TIME`, such as 90m (default no limit)")
	f.Lookup("time-limit").DefValue = "" // none, which needs no word
}

func (o *replayRunOptions) validate(a *app) error {
	if err := o.replayFlags.validate(); err != nil {
		return err
	}
	if o.limit < 0 {
		return usage("", fmt.Errorf("--time-limit %v: want a time above 0, such as 90m", o.limit))
	}
	var err error
	o.format, err = o.output.choose(&a.globals)
	return err
}

func (a *app) replayRun() *cobra.Command {
	o := &replayRunOptions{output: outputFlags{otherwise: "txt"}}
	c := a.command(command{
		use:   "run INPUT|PLAN.json --target DIR... [--journal DIR]",
		short: "run a plan, or make one of a result and run it",
		long: `Run repeats the published tests of a result, or of a plan that plan -o has
saved, in the directories given by --target. In each it works in one new
directory of its own, which it removes in the end; it touches no other file
there, and no device.

With --lab it makes file-systems on images in --image-dir, measures them as
targets, and removes them: the only devices that it ever writes to are loop
devices on its own files.

Several targets take turns, in a random order that --seed can repeat. Plan,
journal, raw outputs and the result (result.json, composite.xml) are kept in
the journal's directory. Ctrl-C stops at once and cleanly: run --resume goes
on, as it does after a crash, and counts no repetition twice. A test that
fails has its reason and the path of its outputs; the rest goes on, and the
exit code is 4.`,
		exits: exitTexts{
			exitNo: "", exitFailed: "failed: a run failed, none could run, or the output could not be written",
			exitRefused:     "refused before it began: a target, or the directory of a lab, that could be harmed, or a journal that is not this user's alone",
			exitInterrupted: "interrupted; --resume goes on",
		},
		example: `  benchproof replay run results.txt --target /mnt/disk --test FS-Mark
  benchproof replay run results.txt --quick \
    --target ssd=/mnt/ssd --target hdd=/mnt/hdd
  benchproof replay run results.txt \
    --lab ext4,btrfs:raid1 --image-dir /mnt/big --lab-disk iops=1000
  benchproof replay run plan.json --journal lab1
  benchproof replay run --resume --journal lab1`,
		args:     cobra.ArbitraryArgs,
		validate: func() error { return o.validate(a) },
		run:      func(ctx context.Context, args []string) error { return o.run(ctx, a, args) },
	})
	addFlags(c, groupOwn, o.addFlags)
	addReplayFlags(c, &o.replayFlags)
	addReplayReadFlags(c, &o.readFlags)
	addFlags(c, groupOutput, o.output.addFlags)
	return c
}

// checkOutput says before anything runs what would keep the result from being
// written after hours.
func (o *replayRunOptions) checkOutput(a *app) error {
	if !o.output.toFile() {
		if o.format.binary && a.e.stdoutTerminal {
			return usage("name a file with -o, or send stdout into one", fmt.Errorf("%s is not for a terminal", o.format.name))
		}
		return nil
	}
	if _, err := os.Lstat(o.output.path); err == nil && !o.output.force && !special(o.output.path) {
		return fileError(fmt.Errorf("%s: %w", o.output.path, atomicfile.ErrExists))
	}
	if info, err := os.Stat(filepath.Dir(o.output.path)); err != nil || !info.IsDir() {
		return failed(makeHint(filepath.Dir(o.output.path)), fmt.Errorf("create %s: there is no directory %s", o.output.path, filepath.Dir(o.output.path)))
	}
	return nil
}

func (o *replayRunOptions) run(ctx context.Context, a *app, args []string) error {
	if err := linuxOnly("replay run"); err != nil {
		return err
	}
	if err := o.checkOutput(a); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return failed("", err)
	}
	run := replay.RunOptions{
		ID: replay.NewID(), Journal: o.journal, Self: self, Version: buildInfo().Version, TimeLimit: o.limit, LockDir: o.locks, Getenv: a.e.getenv,
	}
	var p *replay.Plan
	var readErr error
	if o.resume {
		p, run.Journal, err = o.resumed(a, args)
	} else {
		p, readErr, err = o.begun(ctx, a, args, &run)
	}
	if err != nil {
		return err
	}
	if p.Ready() == 0 {
		return noneReady(p)
	}
	if n := len(p.Steps) - p.Ready(); n > 0 {
		a.m.warning("%d of %s cannot run here; benchproof replay plan says why", n, phrase.Count(len(p.Steps), "step"))
	}
	a.e.slow.Store(true)
	progress := newReplayProgress(a.e, a.m)
	run.Notify = progress.tell
	do := replay.Run
	if o.resume {
		do = replay.Resume
	}
	out, err := do(ctx, p, run)
	progress.end()
	a.e.slow.Store(false)
	return o.ended(ctx, a, p, run.Journal, out, err, readErr)
}

// noneReady says that no row can run, and why where one reason is that of all.
func noneReady(p *replay.Plan) error {
	text := fmt.Sprintf("none of the %s can run here", phrase.Count(len(p.Rows), "row"))
	if len(p.Rows) == 1 {
		text = "the one row cannot run here"
	}
	hint := "benchproof replay plan says why"
	first := &p.Steps[0]
	if !slices.ContainsFunc(p.Steps, func(s replay.Step) bool { return s.Reason != first.Reason }) {
		text += ": " + first.Reason
		hint = cmp.Or(first.Hint, hint)
	}
	return failed(hint, errors.New(text))
}

// begun makes the plan of a new replay and chooses its journal.
func (o *replayRunOptions) begun(ctx context.Context, a *app, args []string, run *replay.RunOptions) (p *replay.Plan, readErr, err error) {
	if len(args) == 0 {
		return nil, nil, noInput("replay run")
	}
	planned, err := openPlan(args)
	if err != nil {
		return nil, nil, err
	}
	if len(o.labels) == 0 && o.lab == "" && (planned == nil || !planned.HasTarget()) {
		if _, err := os.Stat(args[0]); len(args) == 1 && errors.Is(err, fs.ErrNotExist) && strings.HasSuffix(args[0], ".json") {
			return nil, nil, &exitError{exitUnread, err, "benchproof replay plan INPUT --target DIR -o " + commandText(args) + " makes a plan"}
		}
		return nil, nil, usage("--target DIR, an existing directory on the disk to measure, or --lab", errors.New("no target"))
	}
	if planned == nil && len(args) == 1 {
		o.published = args[0]
	}
	if planned == nil && !o.given("seed") {
		var b [8]byte
		_, _ = rand.Read(b[:]) // it does not fail
		o.seed = binary.BigEndian.Uint64(b[:]) >> 11
		o.ownSeed = true
	}
	p, readErr = o.makePlan(ctx, a, args)
	if p == nil {
		return nil, nil, readErr
	}
	if run.Journal == "" {
		run.Journal = "replay-" + run.ID
	}
	return p, readErr, journalOutside(run.Journal, p)
}

// resumed makes the plan of a journal anew.
func (o *replayRunOptions) resumed(a *app, args []string) (*replay.Plan, string, error) {
	dir := o.journal
	if dir == "" && len(args) == 1 {
		dir = args[0]
	} else if len(args) > 0 {
		return nil, "", usage("the journal has the plan: leave the input out", fmt.Errorf("--resume takes no input, got %q", args[0]))
	}
	if dir == "" {
		return nil, "", usage("benchproof replay run --resume --journal DIR", errors.New("--resume needs the journal's directory"))
	}
	planned, err := replay.JournalPlan(dir)
	if err != nil {
		return nil, "", &exitError{exitUnread, err, ""}
	}
	if err := o.settled(planned); err != nil {
		return nil, "", err
	}
	options := o.options(a)
	if options.Targets, err = replay.InspectTargets(planned.Specs()); err != nil {
		return nil, "", refused(err)
	}
	p, err := planned.Again(options)
	if err != nil {
		return nil, "", planError(err)
	}
	return p, dir, nil
}

// journalOutside makes sure that the journal is written to no target.
func journalOutside(dir string, p *replay.Plan) error {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return failed("", err)
	}
	// What of the path exists already may lead elsewhere.
	for at, rest := abs, ""; ; at, rest = filepath.Dir(at), filepath.Join(filepath.Base(at), rest) {
		if real, err := filepath.EvalSymlinks(at); err == nil {
			abs = filepath.Join(real, rest)
			break
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	for _, t := range p.Targets {
		if rel, err := filepath.Rel(t.Dir, abs); err == nil && filepath.IsLocal(rel) {
			return usage("--journal DIR elsewhere", fmt.Errorf("the journal %s would lie in the target %s, and be measured", dir, t.Dir))
		}
	}
	return nil
}

// ended writes what a replay gave, however it ended, and says so.
func (o *replayRunOptions) ended(ctx context.Context, a *app, p *replay.Plan, dir string, out replay.Outcome, err, readErr error) error {
	again := "benchproof replay run --resume --journal " + commandText([]string{dir})
	interrupted := errors.Is(err, context.Canceled)
	if err != nil && !interrupted {
		var r *replay.TargetError
		var foreign *replay.ForeignError
		switch {
		case errors.As(err, &r):
			return refused(err)
		case errors.As(err, &foreign):
			return &exitError{exitRefused, err, ""}
		case errors.Is(err, replay.ErrJournalExists):
			return usage(again, err)
		case errors.Is(err, replay.ErrLocked):
			return failed("wait for its end, or stop it: Ctrl-C, or kill", err)
		}
		// What was done by then is kept, if anything has begun.
		if _, planErr := replay.JournalPlan(dir); planErr != nil {
			again = ""
		}
		return failed(again, err)
	}
	f, gatherErr := replay.Gather(p, dir)
	if gatherErr == nil {
		gatherErr = saveResult(dir, f)
	}
	left := ""
	if out.Left != "" {
		left = "; something is left in a target: " + out.Left
	}
	if interrupted {
		text := fmt.Sprintf("interrupted; %d of %s done and kept in %s%s", out.Done, phrase.Count(out.Wanted, "repetition"), dir, left)
		return &exitError{exitInterrupted, errors.New(text), again}
	}
	if gatherErr != nil {
		return failed(again, gatherErr)
	}
	if err := o.write(ctx, a, p, f); err != nil {
		return err
	}
	a.m.diagnostics(f, f.Source, true)
	if !a.globals.quiet {
		a.m.line("info", fmt.Sprintf("%d of %s %s done; everything is in %s", out.Done, phrase.Count(out.Wanted, "repetition"), phrase.Verb(out.Done, "is", "are"), dir))
	}
	if !p.Request.Quick && p.Request.Scale >= 1 && out.Done > 0 {
		published := o.published
		if published == "" {
			published = "PUBLISHED"
		}
		a.m.hint("benchproof replay verify %s says what of the published result holds", commandText([]string{published, dir}))
	}
	switch {
	case out.Stopped != "":
		return failed(again, errors.New(out.Stopped+left))
	case left != "":
		text := strings.TrimPrefix(left, "; ")
		if out.Failed > 0 {
			text = phrase.Count(out.Failed, "run") + " failed" + left
		}
		return failed("benchproof replay clean "+commandText([]string{dir})+" removes it, once what keeps it is gone", errors.New(text))
	case out.Failed > 0:
		return failed("benchproof replay status "+commandText([]string{dir})+" lists them", fmt.Errorf("%s failed", phrase.Count(out.Failed, "run")))
	case p.Lacking() > 0:
		return failed("benchproof replay plan says what they lack", fmt.Errorf("%d of %s could not run", p.Lacking(), phrase.Count(len(p.Steps), "step")))
	}
	return readErr
}

// write writes the result where it is asked for, to stdout by default.
func (o *replayRunOptions) write(ctx context.Context, a *app, p *replay.Plan, f *result.File) error {
	if o.format.name == "txt" {
		return o.output.write(ctx, a.e, o.format, nil, func(out io.Writer) error {
			return writeReplayText(out, p, f, textOptions(a, &o.output, 0))
		})
	}
	return o.output.writeFile(ctx, a.e, o.format, view{terminal: terminalOptions(a, &o.filter)}, nil, f)
}

// saveResult keeps the result in the journal's directory: as the record, and in
// the form that the test suite loads. A link in the place of one would lead out of
// the directory, which may be somebody else's making.
func saveResult(dir string, f *result.File) error {
	for _, name := range []string{"result.json", "composite.xml"} {
		path := filepath.Join(dir, name)
		if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return fmt.Errorf("%s is a link: a result is kept in its own directory alone", path)
		}
	}
	record, err := atomicfile.Create(filepath.Join(dir, "result.json"), true)
	if err != nil {
		return err
	}
	if err := result.EncodeJSON(record, []*result.File{f}); err != nil {
		record.Discard()
		return err
	}
	if err := record.Commit(); err != nil {
		return err
	}
	composite, err := atomicfile.Create(filepath.Join(dir, "composite.xml"), true)
	if err != nil {
		return err
	}
	w := xml.New(composite)
	err = w.Write(f)
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		composite.Discard()
		return err
	}
	return composite.Commit()
}
