package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func (a *app) man() *cobra.Command {
	var c *cobra.Command
	c = a.command(command{
		use:     "man",
		short:   "print the manual page",
		long:    "Man prints the manual page of benchproof and its commands, in man's format.",
		exits:   exitsPrint,
		example: "  benchproof man | man -l -\n  benchproof man > /usr/local/share/man/man1/benchproof.1",
		run: func(context.Context, []string) error {
			return writeMan(a.e.stdout, c.Root())
		},
	})
	return c
}

// writeMan writes the manual page of the tree of commands below root.
func writeMan(out io.Writer, root *cobra.Command) error {
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, ".TH BENCHPROOF 1 \"\" %s \"User Commands\"\n", manQuote("benchproof "+buildInfo().Version))
	fmt.Fprintf(w, ".SH NAME\nbenchproof \\- %s\n", manText(root.Short))
	fmt.Fprint(w, ".SH SYNOPSIS\n.B benchproof\n.I COMMAND\n[\\fIARGUMENT\\fR...]\n")
	fmt.Fprint(w, ".SH DESCRIPTION\n")
	manParagraphs(w, root.Long)
	shared := sharedFlags(root)
	fmt.Fprint(w, ".SH COMMANDS\n")
	for _, c := range commandTree(root) {
		fmt.Fprintf(w, ".SS %s\n", manQuote(c.UseLine()))
		text := c.Long
		if text == "" {
			text = strings.ToUpper(c.Short[:1]) + c.Short[1:] + "."
		}
		manParagraphs(w, text)
		manFlags(w, flagGroup(c, groupOwn))
		manFlags(w, shared.others(c))
		if names := shared.taken(c); len(names) > 0 {
			fmt.Fprintf(w, ".PP\nTakes the flags of %s, too.\n", manText(strings.Join(names, ", ")))
		}
		manExits(w, c)
		if c.Example != "" {
			fmt.Fprint(w, ".PP\nExamples:\n")
			manVerbatim(w, c.Example)
		}
	}
	for _, heading := range groups[1:] {
		fmt.Fprintf(w, ".SH %s\n", manQuote(strings.ToUpper(heading)))
		manFlags(w, shared[heading])
	}
	fmt.Fprint(w, ".SH FORMATS\n")
	for _, f := range formats {
		fmt.Fprintf(w, ".TP\n.B %s\n%s\n", manText(f.name), manText(f.what))
	}
	fmt.Fprint(w, ".SH EXIT STATUS\n")
	for _, x := range exitMeanings {
		fmt.Fprintf(w, ".TP\n.B %d\n%s\n", x.code, manText(x.meaning))
	}
	fmt.Fprint(w, ".SH FILES\n")
	for _, f := range manFiles {
		fmt.Fprintf(w, ".TP\n.I %s\n%s\n", manText(f[0]), manText(f[1]))
	}
	fmt.Fprint(w, ".SH ENVIRONMENT\n")
	fmt.Fprint(w, ".TP\n.B NO_COLOR\nif set to anything, output is not coloured unless \\-\\-color=always asks for it\n")
	fmt.Fprint(w, ".TP\n.B COLUMNS\nwidth of a line where stdout is no terminal\n")
	return w.Flush()
}

// manFiles are what benchproof writes where no flag names it.
var manFiles = [][2]string{
	{"./replay-ID/", "what a replay keeps, unless --journal names another directory: plan.json, journal.jsonl, the outputs of every run below runs, and the result as result.json and composite.xml; of a job also job.json and a directory an element"},
	{"TARGET/.benchproof-replay-ID/", "the one directory that a replay makes in a target; it is removed at the end, or by replay clean"},
	{"IMAGE-DIR/.benchproof-lab-ID/", "the images of a lab and its log, removed likewise"},
	{"/run/lock/benchproof-DISK.lock", "locks of the disks that are measured, so that two replays never measure each other"},
}

// flagSections are the flags that several commands take with the same words, by
// heading: the manual explains them once.
type flagSections map[string][]*pflag.Flag

// sharedFlags finds the flags of all sections: of several that have one name the
// one that most commands take, the first of those that are as many.
func sharedFlags(root *cobra.Command) flagSections {
	all := flagSections{}
	for _, heading := range groups[1:] {
		var names []string
		first, takers := map[string]*pflag.Flag{}, map[string]int{}
		for _, c := range append([]*cobra.Command{root}, commandTree(root)...) {
			initFlags(c)
			for _, f := range flagGroup(c, heading) {
				text := wholeText(f)
				if takers[text]++; first[text] == nil {
					first[text] = f
					names = append(names, text)
				}
			}
		}
		best := map[string]string{}
		for _, text := range names {
			name := first[text].Name
			if old, ok := best[name]; !ok || takers[text] > takers[old] {
				best[name] = text
			}
		}
		for _, text := range names {
			if best[first[text].Name] == text {
				all[heading] = append(all[heading], first[text])
			}
		}
	}
	return all
}

func wholeText(f *pflag.Flag) string {
	names, does := flagText(f)
	return names + "\t" + does
}

// has reports whether a section explains a flag in the flag's own words.
func (s flagSections) has(heading string, f *pflag.Flag) bool {
	return slices.ContainsFunc(s[heading], func(of *pflag.Flag) bool { return wholeText(of) == wholeText(f) })
}

// others returns the flags of a command's sections that are not the shared ones.
func (s flagSections) others(c *cobra.Command) []*pflag.Flag {
	var list []*pflag.Flag
	for _, heading := range groups[1:] {
		for _, f := range flagGroup(c, heading) {
			if !s.has(heading, f) {
				list = append(list, f)
			}
		}
	}
	return list
}

// taken names the sections of which a command takes flags, but for that of all
// commands.
func (s flagSections) taken(c *cobra.Command) []string {
	var names []string
	for _, heading := range groups[1:] {
		if heading != groupGlobal && slices.ContainsFunc(flagGroup(c, heading), func(f *pflag.Flag) bool { return s.has(heading, f) }) {
			names = append(names, strings.ToUpper(heading))
		}
	}
	return names
}

// manExits writes what exit codes tell of one command where that is its own.
func manExits(w io.Writer, c *cobra.Command) {
	var own []string
	for _, x := range exitsOf(c) {
		if text, ok := c.Annotations[exitNote(x.code)]; ok && text != exitsPrint[x.code] {
			own = append(own, fmt.Sprintf("%d (%s)", x.code, text))
		}
	}
	if len(own) > 0 {
		fmt.Fprintf(w, ".PP\nExits with %s.\n", manText(listed(own)))
	}
}

// commandTree returns the commands below c that can be used, each before those
// below it.
func commandTree(c *cobra.Command) []*cobra.Command {
	var list []*cobra.Command
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() || sub.Name() == "help" {
			list = append(append(list, sub), commandTree(sub)...)
		}
	}
	return list
}

func manFlags(w io.Writer, flags []*pflag.Flag) {
	for _, f := range flags {
		names, does := flagText(f)
		fmt.Fprintf(w, ".TP\n.B %s\n%s\n", manQuote(names), manText(does))
	}
}

func manParagraphs(w io.Writer, text string) {
	for i, p := range strings.Split(text, "\n\n") {
		if i > 0 {
			fmt.Fprint(w, ".PP\n")
		}
		fmt.Fprintf(w, "%s\n", manText(strings.ReplaceAll(p, "\n", " ")))
	}
}

func manVerbatim(w io.Writer, text string) {
	fmt.Fprint(w, ".PP\n.nf\n")
	for line := range strings.SplitSeq(text, "\n") {
		fmt.Fprintf(w, "%s\n", manText(line))
	}
	fmt.Fprint(w, ".fi\n")
}

// manText quotes text for a line of roff.
func manText(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`).Replace(s)
	if strings.HasPrefix(s, ".") {
		s = `\&` + s
	}
	return s
}

// manQuote quotes text as one argument of a roff request.
func manQuote(s string) string { return `"` + strings.ReplaceAll(manText(s), `"`, `\(dq`) + `"` }
