package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/benchproof/benchproof/internal/term"
	"github.com/benchproof/benchproof/replay"
	"github.com/benchproof/benchproof/replay/cluster"
)

func init() { replayCommands = append(replayCommands, (*app).replayClean) }

func (a *app) replayClean() *cobra.Command {
	return a.command(command{
		use:   "clean JOURNAL-DIR",
		short: "remove what a killed replay has left",
		long: `Clean ends the processes that a killed replay has left running, and removes
the directories that it made in its targets: nothing but what carries the
marker of that very replay. The journal stays, with all that is finished, and
run --resume can go on.`,
		exits:   exitTexts{exitNo: "", exitUnread: "the journal could not be read", exitFailed: "failed: the replay still runs, or something could not be removed", exitRefused: ""},
		example: `  benchproof replay clean replay-1f2e3d4c`,
		args:    atMost(1),
		run: func(ctx context.Context, args []string) error {
			if err := linuxOnly("replay clean"); err != nil {
				return err
			}
			dir, err := journalDir("clean", args)
			if err != nil {
				return err
			}
			if cluster.IsJob(dir) {
				return usage("on its host: benchproof replay clean "+commandText([]string{cluster.ElementDir(dir, 0)}), fmt.Errorf("%s is a job of many hosts: clean each of its elements", dir))
			}
			did, err := replay.Clean(ctx, dir)
			for _, text := range did {
				if _, err := fmt.Fprintln(a.e.stdout, term.Visible(text)); err != nil {
					return err
				}
			}
			switch {
			case errors.Is(err, replay.ErrLocked):
				return failed("stop it first: Ctrl-C, or kill", err)
			case errors.Is(err, fs.ErrNotExist):
				return &exitError{exitUnread, err, ""}
			case err != nil:
				return failed("", err)
			}
			if len(did) == 0 {
				_, err = fmt.Fprintln(a.e.stdout, "nothing was left")
			}
			return err
		},
	})
}
