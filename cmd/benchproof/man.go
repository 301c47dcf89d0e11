package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
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
	fmt.Fprint(w, ".SH COMMANDS\n")
	for _, c := range commandTree(root) {
		fmt.Fprintf(w, ".SS %s\n", manQuote(c.UseLine()))
		text := c.Long
		if text == "" {
			text = strings.ToUpper(c.Short[:1]) + c.Short[1:] + "."
		}
		manParagraphs(w, text)
		manFlags(w, flagGroup(c, groupOwn))
		if c.Example != "" {
			fmt.Fprint(w, ".PP\nExamples:\n")
			manVerbatim(w, c.Example)
		}
	}
	for _, heading := range groups[1:] {
		for _, c := range commandTree(root) {
			if flags := flagGroup(c, heading); len(flags) > 0 {
				fmt.Fprintf(w, ".SH %s\n", manQuote(strings.ToUpper(heading)))
				manFlags(w, flags)
				break
			}
		}
	}
	fmt.Fprint(w, ".SH FORMATS\n")
	for _, f := range formats {
		fmt.Fprintf(w, ".TP\n.B %s\n%s\n", manText(f.name), manText(f.what))
	}
	fmt.Fprint(w, ".SH EXIT STATUS\n")
	for line := range strings.SplitSeq(strings.TrimRight(exitMeanings, "\n"), "\n") {
		code, meaning, _ := strings.Cut(strings.TrimSpace(line), " ")
		fmt.Fprintf(w, ".TP\n.B %s\n%s\n", code, manText(strings.TrimSpace(meaning)))
	}
	fmt.Fprint(w, ".SH ENVIRONMENT\n")
	fmt.Fprint(w, ".TP\n.B NO_COLOR\nif set to anything, output is not coloured unless \\-\\-color=always asks for it\n")
	fmt.Fprint(w, ".TP\n.B COLUMNS\nwidth of a line where stdout is no terminal\n")
	return w.Flush()
}

// commandTree returns the commands below c that can be used, each before those
// below it.
func commandTree(c *cobra.Command) []*cobra.Command {
	var list []*cobra.Command
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
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
