package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/result"
)

func init() { replayCommands = append(replayCommands, (*app).replayVerify) }

// replayVerifyOptions are the flags of replay verify.
type replayVerifyOptions struct {
	readFlags
	output      outputFlags
	margin      string
	sameMachine bool
	maps        []string
	seed        uint64
	width       int

	analysis analyze.VerifyOptions
	format   *format
}

func (o *replayVerifyOptions) addFlags(f *pflag.FlagSet) {
	f.StringVar(&o.margin, "margin", "10%", "count a value within `SHARE` of the published one as reproduced; a margin is at least twice the published standard error")
	f.BoolVar(&o.sameMachine, "same-machine", false, "take the replay's machine for the published one, whatever the hardware strings say")
	f.StringArrayVar(&o.maps, "map", nil, "let a replayed system stand for a published one, as `PUBLISHED=REPLAYED`")
	f.Uint64Var(&o.seed, "seed", 0, "draw the resamples for the interval of tau-b by the random number `N` (default 0)")
	addWidth(f, &o.width)
}

func (o *replayVerifyOptions) validate(a *app) error {
	if err := o.readFlags.validate(); err != nil {
		return err
	}
	if err := validWidth(o.width); err != nil {
		return err
	}
	margin, err := parseShare(o.margin)
	if err != nil {
		return usage("", fmt.Errorf("--margin %q: %w", o.margin, err))
	}
	o.analysis = analyze.VerifyOptions{SameMachine: o.sameMachine, Margin: margin, Map: map[string]string{}, Seed: o.seed}
	for _, text := range o.maps {
		published, replayed, ok := strings.Cut(text, "=")
		if !ok || published == "" || replayed == "" {
			return usage(`--map "SSD: EXT4=here"`, fmt.Errorf("--map %q: want PUBLISHED=REPLAYED, two names of systems", text))
		}
		if _, twice := o.analysis.Map[replayed]; twice {
			return usage("", fmt.Errorf("--map %q: %q is mapped twice", text, replayed))
		}
		o.analysis.Map[replayed] = published
	}
	o.format, err = o.output.choose(&a.globals)
	return err
}

func (a *app) replayVerify() *cobra.Command {
	o := &replayVerifyOptions{output: outputFlags{what: "a verification", only: answerFormats, otherwise: "txt"}}
	c := a.command(command{
		use:   "verify PUBLISHED REPLAYED",
		short: "say which published claims a replay bears out",
		long: `Verify sets a published result beside a replay of it and says of every value
and every two systems whether the published claim holds: reproduced,
small-difference, order-reproduced, not-reproduced, undecided, not-comparable
or not-replayable, with the reason. It looks at the two results alone, so
anyone can do it again.

A value is tested where the replay ran the published tool, unscaled, on the
same machine: by two one-sided tests within the margin. On any machine it is
tested whether the published order of two systems, and its ratio, hold; only
where the published difference itself stands. A scaled replay never counts as
a validation, and one by another program tells of order and ratios alone.

REPLAYED is a result, or the directory of replay run or gather. Of a replay on
many hosts each is held against the published result by itself, and it is
counted on how many of them each claim holds. The command exits with 1 if the
set is not reproduced, on any host.`,
		exits: exitsRead.but(exitTexts{exitNo: "done, and the set is not reproduced, on any host"}),
		example: `  benchproof replay verify results.txt replay-1f2e3d4c
  benchproof replay verify results.txt here.json --map EXT4=here
  benchproof replay verify results.txt here.json --same-machine --json`,
		args:     cobra.ArbitraryArgs,
		validate: func() error { return o.validate(a) },
		run: func(ctx context.Context, args []string) error {
			if len(args) != 2 {
				return usage("benchproof replay verify PUBLISHED REPLAYED", fmt.Errorf("want two inputs, got %d", len(args)))
			}
			return o.run(ctx, a, args)
		},
	})
	addFlags(c, groupOwn, o.addFlags)
	addReadFlags(c, &o.readFlags)
	addFlags(c, groupOutput, o.output.addFlags)
	return c
}

// replayResult is the name of the result in a journal's directory.
const replayResult = "result.json"

// notGathered returns the error of the directory of a job whose results are
// still its elements', and nil for any other input.
func notGathered(dir string) error {
	if !isFile(filepath.Join(dir, "job.json")) || isFile(filepath.Join(dir, replayResult)) {
		return nil
	}
	return &exitError{exitUnread, fmt.Errorf("%s: the results of this job are not gathered yet", dir), "benchproof replay gather " + shellQuote(dir)}
}

func (o *replayVerifyOptions) run(ctx context.Context, a *app, args []string) error {
	if err := notGathered(args[1]); err != nil {
		return err
	}
	if name := filepath.Join(args[1], replayResult); isFile(name) {
		args = []string{args[0], name}
	}
	var sides [2]*result.File
	for i, arg := range args {
		src := o.source(a.e, a.m)
		n := 0
		if err := src.each(ctx, []string{arg}, func(f *result.File) error {
			n++
			sides[i] = f
			return nil
		}); err != nil {
			return err
		}
		if n != 1 {
			return usage("name one result file of each", fmt.Errorf("%s holds %s: want one", arg, phrase.Count(n, "result file")))
		}
	}
	hosts, err := analyze.VerifyHosts(sides[0], sides[1], o.analysis)
	var v *analyze.Verification
	if errors.Is(err, analyze.ErrNoHosts) {
		v, err = analyze.Verify(sides[0], sides[1], o.analysis)
	}
	if err != nil {
		var e *analyze.NameError
		if errors.As(err, &e) {
			hint := "benchproof show lists the systems"
			if len(e.Nearest) > 0 {
				hint = didYouMean(quoted(e.Nearest[:1]))
			}
			return usage(hint, fmt.Errorf("--map: %w", err))
		}
		return failed("", err)
	}
	err = o.output.write(ctx, a.e, o.format, args, func(out io.Writer) error {
		if v == nil {
			return writeHostVerify(out, o.format.name, hosts, textOptions(a, &o.output, o.width))
		}
		return o.write(a, out, v)
	})
	if err != nil {
		return err
	}
	if v == nil {
		return o.hostsEnd(a, hosts)
	}
	if o.format.name != "txt" || o.output.toFile() {
		for _, text := range v.Warnings {
			a.m.warning("%s", text)
		}
	}
	if v.Verdict == analyze.NotReproduced {
		return errAnswerNo
	}
	return nil
}

// hostsEnd ends a verification of many hosts.
func (o *replayVerifyOptions) hostsEnd(a *app, h *analyze.HostVerification) error {
	if o.format.name != "txt" || o.output.toFile() {
		for _, text := range h.Warnings {
			a.m.warning("%s", text)
		}
	}
	for i := range h.Hosts {
		if h.Hosts[i].Verdict == analyze.NotReproduced {
			return errAnswerNo
		}
	}
	return nil
}

func (o *replayVerifyOptions) write(a *app, w io.Writer, v *analyze.Verification) error {
	switch o.format.name {
	case "txt":
		return export.WriteVerifyText(w, v, textOptions(a, &o.output, o.width))
	case "json":
		return export.WriteVerifyJSON(w, v)
	}
	return export.WriteRows(w, o.format.name, export.VerifyColumns, export.VerifyRows(v))
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}
