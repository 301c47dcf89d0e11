package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/replay/cluster"
	"github.com/benchproof/benchproof/result"
)

func init() { replayCommands = append(replayCommands, (*app).replayGather) }

// replayGatherOptions are the flags of replay gather.
type replayGatherOptions struct {
	output     outputFlags
	filter     filterFlags
	incomplete bool
	format     *format
}

func (a *app) replayGather() *cobra.Command {
	o := &replayGatherOptions{output: outputFlags{otherwise: "txt"}}
	c := a.command(command{
		use:   "gather JOB-DIR [-o FILE]",
		short: "make one result of what all hosts of a job have measured",
		long: `Gather checks every file that the elements of a job have written against the
hashes that they wrote at their end, and makes one result file: a system a
host, or a host and target, with hardware and software as that host has them,
and its own repetitions. It is kept in the job's directory too (result.json,
composite.xml), so that replay verify takes the directory.

A file that is not what its element wrote ends it with exit code 3, as what
cannot be read. An element that has no result ends it with 4: --incomplete goes
on without it, and names it.`,
		exits: exitTexts{exitNo: "", exitUnread: "the job could not be read, or a file is not what its element wrote", exitFailed: "failed: an element has no result, a run failed, or the output could not be written", exitRefused: ""},
		example: `  benchproof replay gather replay-5a6b7c8d -o hosts.json
  benchproof replay gather replay-5a6b7c8d --incomplete -o hosts.xlsx`,
		args: atMost(1),
		validate: func() error {
			var err error
			o.format, err = o.output.choose(&a.globals)
			return err
		},
		run: func(ctx context.Context, args []string) error { return o.run(ctx, a, args) },
	})
	addFlags(c, groupOwn, func(f *pflag.FlagSet) {
		f.BoolVar(&o.incomplete, "incomplete", false, "gather what there is, and name what is missing")
	})
	renamed(c, map[string]string{"partial": "incomplete"})
	addFlags(c, groupOutput, o.output.addFlags)
	return c
}

func (o *replayGatherOptions) run(ctx context.Context, a *app, args []string) error {
	dir, err := journalDir("gather", args)
	if err != nil {
		return err
	}
	g, err := cluster.Gather(dir)
	var damage *cluster.DamageError
	switch {
	case errors.As(err, &damage):
		return &exitError{exitUnread, err, "remove the element's directory and manifest; benchproof replay submit --resume does it again"}
	case err != nil:
		return &exitError{exitUnread, err, ""}
	}
	for _, m := range g.Missing {
		a.m.warning("no result of element %d (%s: %s): %s", m.Element, m.Host, strings.Join(m.Targets, ", "), m.Reason)
	}
	if n := len(g.Missing); n > 0 && (!o.incomplete || len(g.Files) == 0) {
		hint := "--incomplete gathers the others"
		if len(g.Files) == 0 {
			hint = "benchproof replay status " + commandText([]string{dir})
		}
		return failed(hint, fmt.Errorf("%d of %s %s no result", n, phrase.Count(len(g.Job.Elements), "element"), phrase.Verb(n, "has", "have")))
	}
	f := gatheredFile(g)
	if err := saveResult(dir, f); err != nil {
		return failed("", err)
	}
	if err := o.write(ctx, a, f); err != nil {
		return err
	}
	a.m.diagnostics(f, f.Source, true)
	if g.Incomplete > 0 {
		return failed("benchproof replay submit --resume --journal "+commandText([]string{dir})+" tries them again", fmt.Errorf("%s given up on %s", phrase.Count(g.Incomplete, "run")+" "+phrase.Verb(g.Incomplete, "was", "were"), phrase.Verb(g.Incomplete, "its host", "their hosts")))
	}
	return nil
}

// gatheredFile makes one file of the elements' results.
func gatheredFile(g *cluster.Gathered) *result.File {
	f := analyze.Merge(g.Files).File
	f.Title = "Replay of " + g.Job.Source
	f.Source = "replay-" + g.Job.ID
	f.Identifier = f.Source
	hosts := make(map[string]bool)
	for _, e := range g.Job.Elements {
		hosts[e.Host] = true
	}
	missing := make(map[string]bool)
	for _, m := range g.Missing {
		missing[m.Host] = true
		f.Diagnostics = append(f.Diagnostics, result.Diagnostic{
			Severity: result.SeverityWarning, Code: "cluster-missing",
			Message: fmt.Sprintf("%s: no result of %s: %s", m.Host, strings.Join(m.Targets, ", "), m.Reason),
		})
	}
	f.Description = strings.TrimSpace(g.Files[0].Description + fmt.Sprintf(" On %s, %s in all.", phrase.Count(len(hosts)-len(missing), "host"), phrase.Count(len(f.Systems), "system")))
	return f
}

func (o *replayGatherOptions) write(ctx context.Context, a *app, f *result.File) error {
	return o.output.writeFile(ctx, a.e, o.format, view{terminal: terminalOptions(a, &o.filter)}, nil, f)
}
