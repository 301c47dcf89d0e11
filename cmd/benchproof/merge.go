package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/result"
)

// mergeOptions are the flags of merge.
type mergeOptions struct {
	readFlags
	output outputFlags
	title  string
	pool   bool
	format *format
}

func (o *mergeOptions) addFlags(f *pflag.FlagSet) {
	f.StringVar(&o.title, "title", "", "give the merged result the `TITLE` (default that of the first input)")
	f.BoolVar(&o.pool, "pool", false, "take values of one system that differ for repetitions where all runs are known: one value of all runs")
}

func (o *mergeOptions) validate(a *app) error {
	if err := o.readFlags.validate(); err != nil {
		return err
	}
	var err error
	o.format, err = o.output.choose(&a.globals)
	return err
}

func (a *app) merge() *cobra.Command {
	o := &mergeOptions{output: outputFlags{otherwise: "json"}}
	c := a.command(command{
		use:   "merge INPUT... -o FILE",
		short: "make one result file of many",
		long: `Merge makes one result file of several. Tests of the same title, version,
arguments, scale, proportion and profile become one test. Systems of the same
identifier become one system where their components agree and no value of
theirs differs; else both are kept, the later shown as "NAME #2": repeated
measurements stay apart, and no value is left out. --pool makes one of them
where the single runs of both are known, of all runs together. What was joined
and what was kept apart is listed on stderr, unless --quiet. In the table
results the source of every row is then all files; of which one a value or a
system is, its origin says, in .json and in the tables sources and details. What
each file said of itself is listed by check.

NAME=PATH names the system of an input: its identifier becomes NAME, or
"NAME: IDENTIFIER" where the input has several systems.

The ending of FILE says the format: .json holds everything, .xml can be read
by the Phoronix Test Suite.`,
		exits: exitsRead,
		example: `  benchproof merge a.xml b.xml -o both.json
  benchproof merge before=old.txt after=new.txt -o both.xml
  benchproof merge --title "All disks" results/ -o all.xlsx`,
		args:     cobra.ArbitraryArgs,
		validate: func() error { return o.validate(a) },
		run:      a.onInputs("merge", o.run),
	})
	addFlags(c, groupOwn, o.addFlags)
	addReadFlags(c, &o.readFlags)
	addFlags(c, groupOutput, o.output.addFlags)
	return c
}

func (o *mergeOptions) run(ctx context.Context, a *app, args []string) error {
	src := o.source(a.e, a.m)
	var label, shown string
	src.begun = func(in *input) {
		label, shown = in.label, in.shown
		if in.found {
			label = "" // its path in a directory
		}
	}
	var files []*result.File
	readErr := src.each(ctx, args, func(f *result.File) error {
		if label != "" {
			nameSystems(f, label)
		}
		if shown != "" {
			f.Source = shown // what was joined with what must be told
		}
		files = append(files, f)
		return nil
	})
	if len(files) == 0 || readErr != nil && exitCode(readErr) != exitUnread {
		return readErr
	}
	merged := analyze.MergeWith(files, analyze.MergeOptions{Pool: o.pool})
	if o.title != "" {
		merged.File.Title, merged.File.TitleDescription = o.title, ""
	}
	if !a.globals.quiet {
		for _, line := range merged.Joined {
			a.m.line("info", line)
		}
	}
	if err := o.output.writeFile(ctx, a.e, o.format, view{}, args, merged.File); err != nil {
		return err
	}
	return readErr
}

// nameSystems gives the systems of a file the name that its input was given.
func nameSystems(f *result.File, name string) {
	for i := range f.Systems {
		s := &f.Systems[i]
		was := s.Identifier
		s.Identifier = name
		if len(f.Systems) > 1 {
			s.Identifier = name + ": " + was
		}
		if s.Identifier != was {
			f.Diagnostics = append(f.Diagnostics, result.Diagnostic{
				Severity: result.SeverityInfo, Origin: s.Origin, Code: "system-named",
				Message: fmt.Sprintf("the system %q is called %q here", was, s.Identifier),
			})
		}
	}
}
