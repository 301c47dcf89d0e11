package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/benchproof/benchproof/internal/term"
)

// helpWidth is the width of help, whatever the terminal's.
const helpWidth = 80

func (a *app) helpCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "help [COMMAND...]",
		Short: "print how a command is used",
		Long: `Help prints how a command is used, as COMMAND --help does, or lists the
commands. The manual page, benchproof man, holds all of them.`,
		Example: `  benchproof help
  benchproof help convert
  benchproof help replay plan`,
		DisableFlagsInUseLine: true,
		Args:                  atMost(2),
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
	exitsPrint.set(c)
	return c
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

// initFlags adds the flags that cobra adds, with texts of our own.
func initFlags(c *cobra.Command) {
	c.InitDefaultHelpFlag()
	c.InitDefaultVersionFlag()
	for name, text := range map[string]string{"help": "print this help", "version": "print the version"} {
		if f := c.Flags().Lookup(name); f != nil {
			f.Usage = text
		}
	}
}

func writeHelp(w io.Writer, c *cobra.Command) {
	initFlags(c)
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
	fmt.Fprint(w, "\nExit codes:\n")
	for _, x := range exitsOf(c) {
		lines := term.Wrap(x.meaning, helpWidth-1-7)
		fmt.Fprintf(w, "  %-4d %s\n", x.code, strings.Join(lines, "\n       "))
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(w, "\n%s COMMAND --help tells more of a command.\n", c.CommandPath())
	}
}
