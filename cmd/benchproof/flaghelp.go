package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/benchproof/benchproof/internal/term"
)

// group is the annotation that says which heading a flag stands under.
const group = "benchproof_group"

// Headings of flags in help, in their order.
const (
	groupOwn    = "Flags"
	groupReplay = "What is replayed"
	groupLab    = "A lab"
	groupEngine = "The engine"
	groupFilter = "Filters"
	groupOutput = "Output"
	groupLimit  = "Limits of an input"
	groupGlobal = "All commands"
)

var groups = []string{groupOwn, groupReplay, groupLab, groupEngine, groupFilter, groupOutput, groupLimit, groupGlobal}

// addFlags adds flags to a command under a heading.
func addFlags(c *cobra.Command, heading string, add func(*pflag.FlagSet)) {
	set := pflag.NewFlagSet(heading, pflag.ContinueOnError)
	set.SortFlags = false
	add(set)
	c.Flags().SortFlags = false
	set.VisitAll(func(f *pflag.Flag) {
		if f.Annotations == nil {
			f.Annotations = map[string][]string{}
		}
		f.Annotations[group] = []string{heading}
		c.Flags().AddFlag(f)
	})
}

// renamed lets a command take flags by what they were once called, too. No help
// and no completion tells these names: another command's flag has them.
func renamed(c *cobra.Command, names map[string]string) {
	c.Flags().SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if now := names[name]; now != "" {
			name = now
		}
		return pflag.NormalizedName(name)
	})
}

// words is the annotation that lists what a flag can be given, for completion:
// each word alone, or with what it means behind a tab.
const words = "benchproof_words"

// completes says what a flag of the set can be given.
func completes(f *pflag.FlagSet, name string, list ...string) {
	flag := f.Lookup(name)
	if flag.Annotations == nil {
		flag.Annotations = map[string][]string{}
	}
	flag.Annotations[words] = list
}

// flagGroup returns the flags of c that stand under a heading.
func flagGroup(c *cobra.Command, heading string) []*pflag.Flag {
	var list []*pflag.Flag
	c.Flags().VisitAll(func(f *pflag.Flag) {
		in := groupGlobal
		if g := f.Annotations[group]; len(g) > 0 {
			in = g[0]
		}
		if in == heading && !f.Hidden {
			list = append(list, f)
		}
	})
	return list
}

// flagText returns a flag as help prints it: its names with what they take,
// and what it does.
func flagText(f *pflag.Flag) (names, does string) {
	takes, does := pflag.UnquoteUsage(f)
	names = "--" + f.Name
	if f.Shorthand != "" {
		names = "-" + f.Shorthand + ", " + names
	}
	switch {
	case f.Value.Type() == "bool":
	case f.NoOptDefVal != "":
		names += "[=" + takes + "]"
	default:
		names += " " + takes
	}
	if d := f.DefValue; d != "" && d != "0" && d != "[]" && f.NoOptDefVal == "" {
		does += " (default " + d + ")"
	}
	return names, does
}

// writeFlags prints flags in two columns.
func writeFlags(w io.Writer, flags []*pflag.Flag) {
	const left = 22
	for _, f := range flags {
		names, does := flagText(f)
		if f.Shorthand == "" {
			names = "    " + names
		}
		gap := strings.Repeat(" ", max(left-len(names), 2))
		lines := term.Wrap(does, helpWidth-2-left-1)
		if len(names) > left-2 {
			fmt.Fprintf(w, "  %s\n", names)
			names, gap = "", strings.Repeat(" ", left)
		}
		for i, l := range lines {
			if i > 0 {
				names, gap = "", strings.Repeat(" ", left)
			}
			fmt.Fprintf(w, "  %s%s%s\n", names, gap, l)
		}
	}
}
