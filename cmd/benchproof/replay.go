package main

import (
	"context"

	"github.com/spf13/cobra"
)

// replayCommands make the commands below replay; each file of one adds its
// own.
var replayCommands []func(*app) *cobra.Command

func (a *app) replay() *cobra.Command {
	var c *cobra.Command
	c = a.command(command{
		use:   "replay COMMAND",
		short: "run published tests again on this machine's disks",
		long: `Replay runs the tests of a published result again, with the real tools, in
directories that you name, and writes the outcome as a result file that all
other commands read.

Plan shows first what would run: every published row with its command, what it
needs, and why a row cannot be run. It writes nothing into a target.

What measures disks (run, clean, submit, and plan with a target or a lab) is
Linux only; the rest works on every system.`,
		example: `  benchproof replay plan results.txt --target /mnt/disk
  benchproof replay run results.txt --target ssd=/mnt/ssd --target hdd=/mnt/hdd
  benchproof replay status replay-1f2e3d4c`,
		args: cobra.ArbitraryArgs,
		run: func(_ context.Context, args []string) error {
			if len(args) == 0 {
				a.help(c)
				return nil
			}
			return unknownCommand(c, args[0])
		},
	})
	for _, sub := range replayCommands {
		s := sub(a)
		a.completeFlags(s)
		c.AddCommand(s)
	}
	return c
}
