package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/replay"
	"github.com/benchproof/benchproof/replay/cluster"
)

func init() { replayCommands = append(replayCommands, (*app).replayElement) }

// replayElement is what a batch job of replay submit runs. It is for no person,
// so that neither help nor completion shows it.
func (a *app) replayElement() *cobra.Command {
	c := a.command(command{
		use:   "element JOB-DIR",
		short: "run an element of a job on its host",
		args:  cobra.ExactArgs(1),
		run:   func(ctx context.Context, args []string) error { return runElement(ctx, a, args[0]) },
	})
	c.Hidden = true
	return c
}

// elementPlace returns what the queue says of this process.
func elementPlace(getenv func(string) string) (cluster.Place, error) {
	p := cluster.Place{Host: getenv("SLURMD_NODENAME"), JobID: getenv("SLURM_JOB_ID")}
	var err error
	if p.Element, err = strconv.Atoi(getenv("SLURM_ARRAY_TASK_ID")); err != nil || p.Host == "" {
		return p, usage("benchproof replay submit queues elements", errors.New("not in an array of Slurm: SLURM_ARRAY_TASK_ID or SLURMD_NODENAME is not set"))
	}
	p.Restart, _ = strconv.Atoi(getenv("SLURM_RESTART_COUNT")) // not set the first time
	return p, nil
}

func runElement(ctx context.Context, a *app, dir string) error {
	at, err := elementPlace(a.e.getenv)
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return failed("", err)
	}
	a.e.slow.Store(true)
	progress := newReplayProgress(a.e, a.m)
	flags := replayFlags{request: replay.Request{}, flags: pflag.NewFlagSet("", pflag.ContinueOnError)}
	out, err := cluster.Run(ctx, dir, at, flags.options(a), replay.RunOptions{
		Self: self, Version: buildInfo().Version, Getenv: a.e.getenv, Notify: progress.tell,
	}, func(p *replay.Plan, journal string) error {
		f, err := replay.Gather(p, journal)
		if err != nil {
			return err
		}
		return saveResult(journal, f)
	})
	progress.end()
	a.e.slow.Store(false)
	switch {
	case errors.Is(err, context.Canceled):
		return &exitError{exitInterrupted, fmt.Errorf("interrupted; %d of %s %s done and kept", out.Done, phrase.Count(out.Wanted, "repetition"), phrase.Verb(out.Done, "is", "are")), ""}
	case err != nil:
		return refused(err)
	case out.Stopped != "":
		return failed("benchproof replay submit --resume goes on", errors.New(out.Stopped))
	case out.Left != "":
		return failed("on this host: benchproof replay clean "+commandText([]string{cluster.ElementDir(dir, at.Element)}), errors.New("something is left in a target: "+out.Left))
	case out.Failed > 0:
		return failed("", fmt.Errorf("%s failed", phrase.Count(out.Failed, "run")))
	}
	return nil
}
