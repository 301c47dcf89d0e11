package main

import (
	"context"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/replay"
)

func init() { replayCommands = append(replayCommands, (*app).replayPlan) }

// replayPlanOptions are the flags of replay plan.
type replayPlanOptions struct {
	replayFlags
	output outputFlags
	width  int
	format *format
}

func (o *replayPlanOptions) validate(a *app) error {
	if err := o.replayFlags.validate(); err != nil {
		return err
	}
	if err := validWidth(o.width); err != nil {
		return err
	}
	var err error
	o.format, err = o.output.choose(&a.globals)
	return err
}

func (a *app) replayPlan() *cobra.Command {
	o := &replayPlanOptions{output: outputFlags{what: "a plan", only: answerFormats, otherwise: "txt"}}
	c := a.command(command{
		use:   "plan INPUT... [--target DIR]... [-o FILE]",
		short: "show what a replay would run, and why not the rest",
		long: `Plan lists every row of a result with what would run: the command and where
each of its options comes from, the bytes, the time and the rights it needs,
how near it is to what was published, and every row that cannot run with its
reason. It needs no root, runs no test and writes nothing into a target. It
exits with 0 also where rows are refused, with 5 where a target is.

Without --target the plan is for any directory, and free space is not looked
at; replay run then takes --target. With -o plan.json the plan is saved, and
replay run runs that very plan.

With --lab the plan is for file-systems that run makes on images: it names the
published system that each stands for, and what this machine lacks.

Options that the result does not state have the profile's documented default;
what nobody can know is refused until --set tells it. -v shows every option
and command. --json has all of it.`,
		exits: exitsRead.but(exitTexts{exitRefused: "refused: a target, or the directory of a lab, that could be harmed"}),
		example: `  benchproof replay plan results.txt --target /mnt/disk
  benchproof replay plan results.txt --target ssd=/mnt/ssd --quick -o plan.json
  benchproof replay plan results.txt --test SQLite -v
  benchproof replay plan results.txt \
    --lab ext4,xfs,btrfs:raid1 --image-dir /mnt/big`,
		args:     cobra.ArbitraryArgs,
		validate: func() error { return o.validate(a) },
		run:      a.onInputs("replay plan", o.run),
	})
	addFlags(c, groupOwn, func(f *pflag.FlagSet) {
		addWidth(f, &o.width)
	})
	addReplayFlags(c, &o.replayFlags)
	addReplayReadFlags(c, &o.readFlags)
	addFlags(c, groupOutput, o.output.addFlags)
	return c
}

// addReplayReadFlags adds the flags about what is read of the results.
func addReplayReadFlags(c *cobra.Command, r *readFlags) {
	addFlags(c, groupFilter, r.filter.addFlags)
	addFlags(c, groupLimit, r.limits.addFlags)
}

func (o *replayPlanOptions) run(ctx context.Context, a *app, args []string) error {
	p, readErr := o.makePlan(ctx, a, args)
	if p == nil {
		return readErr
	}
	text := func(w io.Writer, t export.TextOptions) error {
		return writePlanText(w, p, planText{TextOptions: t, all: a.globals.verbose})
	}
	err := o.output.writeForms(ctx, a.e, o.format, args, forms{
		text: func(out io.Writer) error { return text(out, textOptions(a, &o.output, o.width)) },
		doc:  p, columns: planColumns, rows: planRows(p),
	})
	if err != nil {
		return err
	}
	// A plan that is saved is looked at, too.
	if o.output.toFile() && o.format.name != "txt" && !a.globals.quiet && !a.globals.json {
		screen := outputFlags{}
		err := text(&contextWriter{ctx, a.e.stdout}, textOptions(a, &screen, o.width))
		if err != nil {
			return failed("", err)
		}
	}
	return readErr
}

// planColumns are those of a plan's table.
var planColumns = []export.Column{
	{Name: "id"},
	{Name: "test"},
	{Name: "version"},
	{Name: "arguments"},
	{Name: "scale"},
	{Name: "target"},
	{Name: "profile"},
	{Name: "driver"},
	{Name: "run_id"},
	{Name: "status"},
	{Name: "reason"},
	{Name: "command"},
	{Name: "options"},
	{Name: "fidelity"},
	{Name: "comparable", Kind: export.Bool},
	{Name: "scaled"},
	{Name: "root", Kind: export.Bool},
	{Name: "bytes", Kind: export.Count},
	{Name: "seconds", Kind: export.Figure},
	{Name: "runs", Kind: export.Count},
}

func planRows(p *replay.Plan) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		for i := range p.Steps {
			s := &p.Steps[i]
			bytes, seconds, runs := "", "", ""
			if s.Bytes != nil {
				bytes = strconv.FormatInt(*s.Bytes, 10)
			}
			if s.Seconds != nil {
				seconds = strconv.FormatFloat(*s.Seconds, 'f', -1, 64)
			}
			if s.Status == replay.Ready {
				runs = strconv.Itoa(s.Runs)
			}
			var options []string
			for _, o := range s.Options {
				options = append(options, fmt.Sprintf("%s=%s (%s)", o.Name, o.Value, o.From))
			}
			if !yield([]string{
				s.ID, s.Test, s.Version, s.Arguments, s.Scale, s.Target, s.Profile, s.Driver, s.RunID,
				s.Status, s.Reason, commandText(s.Argv), strings.Join(options, "; "), string(s.Fidelity),
				strconv.FormatBool(s.Comparable), s.Scaled, strconv.FormatBool(s.Root), bytes, seconds, runs,
			}) {
				return
			}
		}
	}
}

// plainArgument matches an argument that a shell takes as it is.
const plainArgument = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789@%+=:,./-_{}"

// commandText returns a command as it would be typed. It is for people: no
// shell ever runs it.
func commandText(argv []string) string {
	words := make([]string, len(argv))
	for i, a := range argv {
		if a == "" || strings.Trim(a, plainArgument) != "" {
			a = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
		words[i] = a
	}
	return strings.Join(words, " ")
}
