package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// app is one run of the command line.
type app struct {
	e       *env
	m       *messages
	globals globals
	helpErr error // of printing help
	// completing is set where a shell asks how a line could go on.
	completing bool
}

// run runs the command line and returns the exit code. A panic is a failure
// like others.
func run(ctx context.Context, e *env, args []string) (code int) {
	a := &app{e: e}
	a.m = newMessages(e, &a.globals)
	defer a.recovered(&code)
	a.completing = len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd)
	root := a.root()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		err = a.helpErr
	}
	if err == nil {
		return exitOK
	}
	// An unknown command leaves its flags unread.
	a.globals.json = a.globals.json || slices.Contains(args, "--json")
	var coded *exitError
	var written *fs.PathError
	switch {
	case errors.As(err, &coded), errors.Is(err, context.Canceled):
	case errors.As(err, &written):
		err = failed("", err) // cobra's, of printing the version
	default:
		// What commands return is coded; the rest is cobra's, about an
		// unknown command.
		err = cobraError(root, err)
	}
	a.m.error(err)
	return exitCode(err)
}

// cobraError says in this program's words what cobra says of a command that
// there is not, with the one whose name is like it, or help.
func cobraError(root *cobra.Command, err error) error {
	var name string
	if _, scanErr := fmt.Sscanf(err.Error(), "unknown command %q", &name); scanErr != nil {
		return usage("benchproof help", flatten(err))
	}
	return usage(commandHint(root, name), fmt.Errorf("unknown command %q", name))
}

// atMost returns what checks that a command has no more than n arguments.
func atMost(n int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) <= n {
			return nil
		}
		hint := corpusHint(c, args[n])
		if hint == "" {
			hint = c.CommandPath() + " --help"
		}
		return usage(hint, fmt.Errorf("unexpected argument %q", args[n]))
	}
}

// unknownCommand is the error of a name that is none of c's commands.
func unknownCommand(c *cobra.Command, name string) error {
	var names []string
	for _, sub := range c.Commands() {
		names = append(names, sub.Name())
	}
	hint := didYouMean(nearest(name, names))
	if hint == "" {
		hint = "benchproof help " + c.Name()
	}
	return usage(hint, fmt.Errorf("unknown command %q of %s", name, c.Name()))
}

// flagError says in this program's words what pflag says of a flag: one form
// for all that a value can be wrong in, "--flag "value": want …".
func flagError(err error) error {
	var unknown *pflag.NotExistError
	var lacking *pflag.ValueRequiredError
	var value *pflag.InvalidValueError
	var syntax *pflag.InvalidSyntaxError
	switch {
	case errors.As(err, &unknown):
		name := "--" + unknown.GetSpecifiedName()
		if s := unknown.GetSpecifiedShortnames(); s != "" {
			name = "-" + s
		}
		return fmt.Errorf("unknown flag %s", name)
	case errors.As(err, &lacking):
		return fmt.Errorf("%s needs a value", dashed(lacking.GetFlag()))
	case errors.As(err, &value):
		return fmt.Errorf("%s %q: %s", dashed(value.GetFlag()), value.GetValue(), wanted(value))
	case errors.As(err, &syntax):
		return fmt.Errorf("%q is no flag", syntax.GetSpecifiedFlag())
	}
	return flatten(err)
}

func dashed(f *pflag.Flag) string { return "--" + f.Name }

// wanted says what a flag takes.
func wanted(e *pflag.InvalidValueError) string {
	switch e.GetFlag().Value.Type() {
	case "bool":
		return "want true or false"
	case "int", "int64":
		return "want a whole number"
	case "uint64":
		return "want a whole number of 0 or more"
	case "float64":
		return "want a number"
	case "duration":
		return "want a time such as 90s, 30m or 4h"
	}
	return errors.Unwrap(e).Error()
}

// flagHint returns what to try after an error about a flag: the flag whose name
// is like the one that is not known, or the command's help.
func flagHint(c *cobra.Command, err error) string {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		name := unknown.GetSpecifiedName()
		if s := unknown.GetSpecifiedShortnames(); s != "" {
			name = s // a long flag with one dash
		}
		name, _, _ = strings.Cut(name, "=")
		var names []string
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				names = append(names, f.Name)
			}
		})
		found := nearest(name, names)
		for i := range found {
			found[i] = "--" + found[i]
		}
		if text := didYouMean(found); text != "" {
			return text
		}
		if text := unknownFlagHint(c, name); text != "" {
			return text
		}
	}
	return c.CommandPath() + " --help"
}

// flatten puts an error of several lines into one.
func flatten(err error) error {
	return errors.New(strings.Join(strings.Fields(err.Error()), " "))
}

// command is what the commands have in common: their text and what they do.
type command struct {
	use, short, long, example string
	// exits are what exit codes tell of this command.
	exits exitTexts
	args  cobra.PositionalArgs
	// run does the work. The flags have been checked.
	run func(ctx context.Context, args []string) error
	// validate checks the flags; nil if there is nothing to check.
	validate func() error
}

// command makes a cobra command of c.
func (a *app) command(c command) *cobra.Command {
	if c.args == nil {
		c.args = atMost(0)
	}
	cmd := &cobra.Command{
		Use: c.use, Short: c.short, Long: c.long, Example: c.example,
		Args:                  c.args,
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.globals.validate(); err != nil {
				return err
			}
			// What goes into a file is the same whatever the terminal.
			if o := cmd.Flags().Lookup("output"); o == nil || o.Value.String() == "" || o.Value.String() == "-" {
				a.globals.ascii = a.globals.ascii || a.e.plain()
			}
			if c.validate != nil {
				if err := c.validate(); err != nil {
					return err
				}
			}
			return coded(c.run(cmd.Context(), args))
		},
	}
	c.exits.set(cmd)
	addFlags(cmd, groupGlobal, a.globals.addFlags)
	return cmd
}

// coded gives an error of a command the code of failure, if it has none.
func coded(err error) error {
	var e *exitError
	if err == nil || errors.As(err, &e) || errors.Is(err, context.Canceled) {
		return err
	}
	return failed("", err)
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "benchproof",
		Short: "read, show, check and convert published benchmark results",
		Long: `benchproof reads published results of the Phoronix Test Suite and of
OpenBenchmarking (text, HTML, page text, composite.xml, JSON, CSV, pages of
the viewer, terminal captures; compressed or not) into one exact record, shows
and checks it, compares and merges, and writes it in other forms. Values stay
as they were printed; what is missing stays missing; what was inferred says
so.

INPUT is a file, a directory or - for stdin, and several are read together;
NAME=PATH gives the input at PATH another name. What is compressed (.gz, .xz,
.zst) is read as it is. Data goes to stdout, or with -o to a file that is put in
place when it is whole; warnings and errors go to stderr.`,
		Example: `  benchproof show results.txt
  benchproof convert results.html -o results.xlsx
  benchproof check results/`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.Version = buildInfo().Version
	root.SetVersionTemplate("benchproof {{.Version}}\n")
	root.CompletionOptions.DisableDefaultCmd = true
	root.DisableSuggestions = true // commandHint makes better ones
	root.SetOut(a.e.stdout)
	root.SetErr(a.e.stderr)
	root.SetIn(a.e.stdin)
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { a.help(c) })
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usage(flagHint(c, err), flagError(err))
	})
	addFlags(root, groupGlobal, a.globals.addFlags)
	root.AddCommand(
		a.convert(), a.show(), a.check(), a.explain(), a.compare(), a.rank(), a.report(), a.merge(), a.diff(),
		a.replay(), a.corpus(), a.profiles(), a.native(), a.guestInit(),
		a.version(), a.completion(), a.man(),
	)
	root.SetHelpCommand(a.helpCommand())
	for _, c := range root.Commands() {
		a.completeFlags(c)
	}
	return root
}
