package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"iter"

	"github.com/spf13/cobra"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/internal/term"
	"github.com/benchproof/benchproof/result"
)

// diffOptions are the flags of diff.
type diffOptions struct {
	readFlags
	output outputFlags
	format *format
}

func (o *diffOptions) validate(a *app) error {
	if err := o.readFlags.validate(); err != nil {
		return err
	}
	var err error
	o.format, err = o.output.choose(&a.globals)
	return err
}

func (a *app) diff() *cobra.Command {
	o := &diffOptions{output: outputFlags{what: "differences", only: answerFormats, otherwise: "txt"}}
	c := a.command(command{
		use:   "diff A B",
		short: "list what two exports of one result disagree on",
		long: `Diff sets two inputs beside each other that should hold the same result, such
as the text and the JSON of one run, and lists what one of them lost, changed
or rounded: systems, components, tests, units, values, digits, single runs,
standard errors and failures. It exits with 1 if they differ.

A value that one input rounds is listed as digits, one that is another number
as value. Tests are tied by title, version, arguments and scale, else by title
and arguments, since some forms shorten units and leave out versions.`,
		exits: exitsRead.but(exitTexts{exitNo: "done, and the inputs differ"}),
		example: `  benchproof diff result.txt composite.xml
  benchproof diff --format csv pts.csv composite.xml > lost.csv
  benchproof diff --test fio old.json new.json`,
		args:     cobra.ArbitraryArgs,
		validate: func() error { return o.validate(a) },
		run: func(ctx context.Context, args []string) error {
			if len(args) != 2 {
				return usage("benchproof diff A B", fmt.Errorf("want two inputs, got %d", len(args)))
			}
			return o.run(ctx, a, args)
		},
	})
	addReadFlags(c, &o.readFlags)
	addFlags(c, groupOutput, o.output.addFlags)
	return c
}

// diffColumns are those of the table of differences.
var diffColumns = []export.Column{
	{Name: "kind"},
	{Name: "test"},
	{Name: "version"},
	{Name: "arguments"},
	{Name: "scale"},
	{Name: "system"},
	{Name: "what"},
	{Name: "a", Kind: export.Figure},
	{Name: "b", Kind: export.Figure},
}

// ofOneTitle leaves of several results that stand beside a single one the one
// that has its title, if just one has: a list may hold many.
func ofOneTitle(sides [2][]*result.File) [2][]*result.File {
	for i := range sides {
		one, many := sides[i], sides[1-i]
		if len(one) != 1 || len(many) < 2 || one[0].Title == "" {
			continue
		}
		var same []*result.File
		for _, f := range many {
			if f.Title == one[0].Title {
				same = append(same, f)
			}
		}
		if len(same) == 1 {
			sides[1-i] = same
		}
	}
	return sides
}

func (o *diffOptions) run(ctx context.Context, a *app, args []string) error {
	var sides [2][]*result.File
	for i, arg := range args {
		src := o.source(a.e, a.m)
		if err := src.each(ctx, []string{arg}, func(f *result.File) error {
			sides[i] = append(sides[i], f)
			return nil
		}); err != nil {
			return err
		}
	}
	sides = ofOneTitle(sides)
	if len(sides[0]) != len(sides[1]) {
		return usage("a single result is compared with the one of its title", fmt.Errorf("%s holds %s, %s holds %s: want as many of both",
			args[0], phrase.Count(len(sides[0]), "result file"), args[1], phrase.Count(len(sides[1]), "result file")))
	}
	var all []analyze.Difference
	for i := range sides[0] {
		all = append(all, analyze.Diff(sides[0][i], sides[1][i])...)
	}
	err := o.output.writeForms(ctx, a.e, o.format, args, forms{
		text: func(out io.Writer) error { return diffText(out, all) },
		doc:  newDiffDocument(all), columns: diffColumns, rows: diffRows(all),
	})
	if err != nil {
		return err
	}
	if len(all) > 0 {
		return errAnswerNo
	}
	return nil
}

// diffRow returns the cells of a difference.
func diffRow(d *analyze.Difference) []string {
	row := []string{string(d.Kind), "", "", "", "", d.System, d.What, d.A, d.B}
	if t := d.Test; t != nil {
		copy(row[1:], []string{t.Title, t.Version, t.Arguments, t.Scale})
	}
	return row
}

func diffRows(all []analyze.Difference) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		for i := range all {
			if !yield(diffRow(&all[i])) {
				return
			}
		}
	}
}

// diffDocument is the JSON form of diff.
type diffDocument struct {
	Schema      string     `json:"schema"` // benchproof/diff/1
	Differences []diffLine `json:"differences"`
}

type diffLine struct {
	Test      string `json:"test,omitempty"`
	Version   string `json:"version,omitempty"`
	Arguments string `json:"arguments,omitempty"`
	Scale     string `json:"scale,omitempty"`
	analyze.Difference
}

func newDiffDocument(all []analyze.Difference) diffDocument {
	doc := diffDocument{Schema: "benchproof/diff/1", Differences: make([]diffLine, 0, len(all))}
	for _, d := range all {
		l := diffLine{Difference: d}
		if t := d.Test; t != nil {
			l.Test, l.Version, l.Arguments, l.Scale = t.Title, t.Version, t.Arguments, t.Scale
		}
		doc.Differences = append(doc.Differences, l)
	}
	return doc
}

// diffText prints differences for people: under a line for each test, a line
// each.
func diffText(w io.Writer, all []analyze.Difference) error {
	b := bufio.NewWriter(w)
	side := func(text string) string {
		if text == "" {
			return "nothing"
		}
		const most = 60
		if r := []rune(text); len(r) > most {
			text = string(r[:most]) + "…"
		}
		return term.Visible(text)
	}
	var last *result.Test
	for i := range all {
		d := &all[i]
		if d.Test != last && d.Test != nil {
			fmt.Fprintf(b, "%s (%s)\n", term.Visible(d.Test.Name()), term.Visible(d.Test.Scale))
		}
		last = d.Test
		if d.Test != nil {
			fmt.Fprint(b, "  ")
		}
		fmt.Fprintf(b, "%-9s  ", d.Kind)
		if d.System != "" {
			fmt.Fprintf(b, "%s: ", term.Visible(d.System))
		}
		if d.What != "" && d.What != "value" {
			fmt.Fprintf(b, "%s: ", term.Visible(d.What))
		}
		fmt.Fprintf(b, "%s | %s\n", side(d.A), side(d.B))
	}
	fmt.Fprintln(b, phrase.Count(len(all), "difference"))
	return b.Flush()
}
