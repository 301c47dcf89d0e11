package main

import (
	"context"
	"fmt"
	"os"
	"regexp"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/parse"
	"github.com/benchproof/benchproof/result"
)

var shells = []string{"bash", "zsh", "fish", "powershell"}

func (a *app) completion() *cobra.Command {
	var c *cobra.Command
	c = a.command(command{
		use:   "completion SHELL",
		short: "print a script that completes commands in a shell",
		long: `Completion prints the script that makes a shell (bash, zsh, fish or
powershell) complete benchproof's commands, flags and formats, and the names
of tests and systems of the inputs that are already on the line.`,
		exits: exitsPrint,
		example: `  benchproof completion bash > /etc/bash_completion.d/benchproof
  benchproof completion zsh > "${fpath[1]}/_benchproof"
  benchproof completion fish > ~/.config/fish/completions/benchproof.fish`,
		args: atMost(1),
		run: func(_ context.Context, args []string) error {
			if len(args) == 0 {
				return usage("benchproof completion bash", fmt.Errorf("no shell: want %s", listed(shells)))
			}
			switch args[0] {
			case "bash":
				return bashCompletion(a.e.stdout, c.Root())
			case "zsh":
				return c.Root().GenZshCompletion(a.e.stdout)
			case "fish":
				return c.Root().GenFishCompletion(a.e.stdout, true)
			case "powershell":
				return c.Root().GenPowerShellCompletionWithDesc(a.e.stdout)
			}
			return usage("", fmt.Errorf("unknown shell %q: want %s", args[0], listed(shells)))
		},
	})
	c.ValidArgs = shells
	return c
}

// completeFlags registers what the flags of c can be given, where a shell asks
// for it: cobra keeps it as long as the process lives.
func (a *app) completeFlags(c *cobra.Command) {
	if !a.completing {
		return
	}
	for name, list := range map[string]func(*result.File) []string{
		"test": testPatterns, "system": systemPatterns, "baseline": systemNames, "by": axisNames,
	} {
		if f := c.Flags().Lookup(name); f != nil && f.Annotations[words] == nil {
			_ = c.RegisterFlagCompletionFunc(name, func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
				return namesIn(args, list), cobra.ShellCompDirectiveNoFileComp
			})
		}
	}
	// What is registered above stays.
	c.Flags().VisitAll(func(f *pflag.Flag) {
		takes, _ := pflag.UnquoteUsage(f)
		switch {
		case f.Annotations[words] != nil:
			_ = c.RegisterFlagCompletionFunc(f.Name, cobra.FixedCompletions(f.Annotations[words], cobra.ShellCompDirectiveNoFileComp))
		case takes == "DIR":
			_ = c.MarkFlagDirname(f.Name)
		case takes != "FILE" && takes != "PATH" && f.Value.Type() != "bool":
			_ = c.RegisterFlagCompletionFunc(f.Name, cobra.NoFileCompletions)
		}
	})
}

// Bounds of what is read to complete a name: a shell waits for it.
const (
	completeInputs = 4
	completeBytes  = 8 << 20
)

// namesIn returns the names that list finds in the inputs on the line.
func namesIn(args []string, list func(*result.File) []string) []string {
	limits := parse.DefaultLimits()
	limits.Input = completeBytes
	seen := map[string]bool{}
	var names []string
	for _, arg := range args[:min(len(args), completeInputs)] {
		found, err := inputs([]string{arg})
		if err != nil || len(found) != 1 || found[0].path == "-" {
			continue
		}
		if info, err := os.Stat(found[0].path); err != nil || !info.Mode().IsRegular() || info.Size() > completeBytes {
			continue
		}
		r, err := parse.Open(found[0].path, parse.Options{Limits: limits})
		if err != nil {
			continue
		}
		for f, err := range r.Files() {
			if err != nil {
				break
			}
			for _, n := range list(f) {
				if !seen[n] {
					seen[n] = true
					names = append(names, n)
				}
			}
		}
		_ = r.Close()
	}
	return names
}

func testPatterns(f *result.File) []string {
	var names []string
	for i := range f.Tests {
		names = append(names, regexp.QuoteMeta(f.Tests[i].Title))
	}
	return names
}

func systemPatterns(f *result.File) []string {
	var names []string
	for i := range f.Systems {
		names = append(names, "^"+regexp.QuoteMeta(f.Systems[i].Identifier)+"$")
	}
	return names
}

func systemNames(f *result.File) []string {
	var names []string
	for i := range f.Systems {
		names = append(names, f.Systems[i].Identifier)
	}
	return names
}

// axisNames returns the options of tests and the components of systems along
// which compare can compare.
func axisNames(f *result.File) []string { return analyze.NewSet([]*result.File{f}).AxisNames() }
