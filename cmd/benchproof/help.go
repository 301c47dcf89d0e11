package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// helpWidth is the width of help, whatever the terminal's.
const helpWidth = 80

func (a *app) helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND...]",
		Short: "print how a command is used",
		Args:  cobra.MaximumNArgs(2),
		ValidArgsFunction: func(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			var names []string
			above, _, err := c.Root().Find(args)
			if err != nil || above == c.Root() && len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			for _, sub := range above.Commands() {
				if sub.IsAvailableCommand() {
					names = append(names, sub.Name()+"\t"+sub.Short)
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			target, rest, err := c.Root().Find(args)
			if err != nil || len(args) > 0 && target == c.Root() || len(rest) > 0 {
				return usage("benchproof help lists the commands", fmt.Errorf("unknown command %q", strings.Join(args, " ")))
			}
			a.help(target)
			return nil
		},
	}
}

// help prints how a command is used, to stdout. Its error is kept for run,
// since cobra asks for help without wanting to know of one.
func (a *app) help(c *cobra.Command) {
	var b bytes.Buffer
	writeHelp(&b, c)
	if _, err := a.e.stdout.Write(b.Bytes()); err != nil {
		a.helpErr = failed("", err)
	}
}

func writeHelp(w io.Writer, c *cobra.Command) {
	c.InitDefaultHelpFlag()
	c.InitDefaultVersionFlag()
	text := c.Long
	if text == "" {
		text = strings.ToUpper(c.Short[:1]) + c.Short[1:] + "."
	}
	fmt.Fprintf(w, "%s\n\nUsage:\n", text)
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(w, "  %s COMMAND [ARGUMENT...]\n\nCommands:\n", c.CommandPath())
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() || sub.Name() == "help" {
				fmt.Fprintf(w, "  %-11s %s\n", sub.Name(), sub.Short)
			}
		}
	} else {
		fmt.Fprintf(w, "  %s\n", c.UseLine())
	}
	if c.Example != "" {
		fmt.Fprintf(w, "\nExamples:\n%s\n", c.Example)
	}
	for _, heading := range groups {
		if flags := flagGroup(c, heading); len(flags) > 0 {
			fmt.Fprintf(w, "\n%s:\n", heading)
			writeFlags(w, flags)
		}
	}
	fmt.Fprintf(w, "\nExit codes:\n%s", exitMeanings)
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(w, "\n%s COMMAND --help tells more of a command.\n", c.CommandPath())
	}
}
