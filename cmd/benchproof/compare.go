package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/export/xlsx"
	"github.com/benchproof/benchproof/result"
)

// compareOptions are the flags of compare.
type compareOptions struct {
	readFlags
	analysisFlags
	output       outputFlags
	sort, failOn string
	width        int

	format *format
}

func (o *compareOptions) addFlags(f *pflag.FlagSet) {
	o.analysisFlags.addFlags(f, "compare with `SYSTEM`, or with the file of that name; along --by a value (default the first)")
	f.StringVar(&o.failOn, "fail-on", "", "exit with 1 if a row has the `VERDICT` worse, or nothing could be compared (default never)")
	f.StringVar(&o.sort, "sort", "published", "list rows in the `ORDER` published, name, change or p")
	completes(f, "sort", analyze.SortPublished, analyze.SortName, analyze.SortChange, analyze.SortP)
	completes(f, "fail-on", "worse")
	addWidth(f, &o.width)
}

func addWidth(f *pflag.FlagSet, width *int) {
	f.IntVar(width, "width", 0, "make lines `N` columns wide (default the terminal's width, else 80)")
}

func validWidth(width int) error {
	if width != 0 && (width < 40 || width > 10_000) {
		return usage("", fmt.Errorf("--width %d: want 40 to 10000", width))
	}
	return nil
}

func (o *compareOptions) validate(a *app) error {
	if err := o.readFlags.validate(); err != nil {
		return err
	}
	if err := validWidth(o.width); err != nil {
		return err
	}
	if err := o.analysisFlags.validate(); err != nil {
		return err
	}
	if err := oneOf("--sort", o.sort, analyze.SortPublished, analyze.SortName, analyze.SortChange, analyze.SortP); err != nil {
		return err
	}
	if o.failOn != "" {
		if err := oneOf("--fail-on", o.failOn, "worse"); err != nil {
			return err
		}
	}
	var err error
	o.format, err = o.output.choose(&a.globals)
	return err
}

func (a *app) compare() *cobra.Command {
	o := &compareOptions{output: outputFlags{what: "a comparison", only: tableFormats(), otherwise: "txt"}}
	c := a.command(command{
		use:   "compare INPUT... [--baseline SYSTEM | --by AXIS]",
		short: "compare systems with a baseline, with intervals and verdicts",
		long: `Compare sets every system beside a baseline, test by test: the ratio of the
two values, set so that above 1 is better, its 95 % interval, a p value, and a
verdict: better, worse, equivalent (shown to be within the margin), trivial
(different, but within the margin), undecided or untestable, with the reason
in words. A verdict must hold for all that the rounding of the printed figures
allows. p values are adjusted over all rows that could be tested.

Several inputs are one set: tests of the same title, version, arguments, scale
and proportion (which way is better) are one test. NAME=PATH names an input;
--baseline NAME then compares each system with the one of its name in it.

--by compares along one axis: rows that differ in one option ("Block Size"),
or systems that differ in one component ("File-System"). What else differs is
named.

Results without standard errors have ratios only: nothing is claimed of them.`,
		exits: exitsRead.but(exitTexts{exitNo: "done, and --fail-on was met"}),
		example: `  benchproof compare results.txt --baseline EXT4
  benchproof compare old=a.txt new=b.txt --baseline old --fail-on worse
  benchproof compare results.txt --by File-System
  benchproof compare results.txt --sort change --margin 2% -o compare.csv`,
		args:     cobra.ArbitraryArgs,
		validate: func() error { return o.validate(a) },
		run:      a.onInputs("compare", o.run),
	})
	addFlags(c, groupOwn, o.addFlags)
	addReadFlags(c, &o.readFlags)
	addFlags(c, groupOutput, o.output.addFlags)
	return c
}

func (o *compareOptions) run(ctx context.Context, a *app, args []string) error {
	var comparison *analyze.Comparison
	need := 2
	if o.by != "" {
		need = 1 // two tests of one system can be compared
	}
	err := analyzeFiles(ctx, a, &o.readFlags, &o.output, o.format, args, need, func(files []*result.File) (analysis, error) {
		c, err := analyze.Compare(analyze.NewSet(files), o.analysis)
		if err == nil {
			err = c.Sort(o.sort)
		}
		if err != nil {
			return analysis{}, nameError(err)
		}
		comparison = c
		return analysis{
			columns: export.CompareColumns, rows: export.CompareRows(c), warnings: c.Warnings,
			book: func(x *xlsx.Writer) { x.Compare(c) },
			text: func(w io.Writer) error {
				t := textOptions(a, &o.output, o.width)
				if err := export.WriteCompareText(w, c, t); err != nil {
					return err
				}
				return writeHostsBrief(w, files, t)
			},
			json: func(w io.Writer) error { return export.WriteCompareJSON(w, c) },
		}, nil
	})
	if err != nil || o.failOn == "" {
		return err
	}
	if !comparison.Comparable() {
		return errAnswerNo
	}
	tested := false
	for i := range comparison.Rows {
		switch comparison.Rows[i].Verdict {
		case analyze.Worse:
			return errAnswerNo
		case analyze.Untestable:
		default:
			tested = true
		}
	}
	if !tested {
		a.m.warning("--fail-on worse: no row could be tested, so none can fail; the reasons stand in the rows")
	}
	return nil
}

// nameError makes a usage error of a name that is not there.
func nameError(err error) error {
	var e *analyze.NameError
	if errors.As(err, &e) {
		hint := "benchproof show lists the systems and their components"
		if len(e.Nearest) > 0 {
			hint = "try --" + e.What + " " + strconv.Quote(e.Nearest[0])
			if e.What == "axis" {
				hint = "try --by " + strconv.Quote(e.Nearest[0])
			}
		}
		return usage(hint, err)
	}
	return failed("", err)
}
