package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/export/xlsx"
	"github.com/benchproof/benchproof/result"
)

// rankOptions are the flags of rank.
type rankOptions struct {
	readFlags
	output outputFlags
	sort   string
	width  int
	format *format
}

func (o *rankOptions) addFlags(f *pflag.FlagSet) {
	f.StringVar(&o.sort, "sort", "rank", "list systems of a test in the `ORDER` rank (the best first), published or name")
	addWidth(f, &o.width)
}

func (o *rankOptions) validate(a *app) error {
	if err := o.readFlags.validate(); err != nil {
		return err
	}
	if err := validWidth(o.width); err != nil {
		return err
	}
	if err := oneOf("--sort", o.sort, analyze.SortRank, analyze.SortPublished, analyze.SortName); err != nil {
		return err
	}
	var err error
	o.format, err = o.output.choose(&a.globals)
	return err
}

func (a *app) rank() *cobra.Command {
	o := &rankOptions{output: outputFlags{what: "a ranking", only: tableFormats(), otherwise: "txt"}}
	c := a.command(command{
		use:   "rank INPUT... [-o FILE] [--format FORMAT]",
		short: "rank systems in each test and over all tests",
		long: `Rank orders the systems of each test, with the range that holds the true ranks
of all of them at once at 95 %, and with letters: systems that share one do
not differ significantly (all pairs, adjusted by Holm, for all that rounding
allows). Systems of a multi-way result (HDD: EXT4) are ranked within their
group. A test of which it is not known which way is better is not ranked.

Over all tests systems are ordered by their mean rank over test profiles, so
that one with many options does not dominate, with Friedman's test, the
critical difference, and from ten profiles on a range that holds the places of
all systems at once at 95 %, the profiles being a sample of possible ones.

Results without standard errors have ranks only: no two systems are claimed to
differ in a test.`,
		exits: exitsRead,
		example: `  benchproof rank results.txt
  benchproof rank --test fio --format csv results.txt
  benchproof rank --json a.txt b.txt`,
		args:     cobra.ArbitraryArgs,
		validate: func() error { return o.validate(a) },
		run:      a.onInputs("rank", o.run),
	})
	addFlags(c, groupOwn, o.addFlags)
	addReadFlags(c, &o.readFlags)
	addFlags(c, groupOutput, o.output.addFlags)
	return c
}

func (o *rankOptions) run(ctx context.Context, a *app, args []string) error {
	return analyzeFiles(ctx, a, &o.readFlags, &o.output, o.format, args, 2, func(files []*result.File) (analysis, error) {
		r, err := analyze.Rank(analyze.NewSet(files))
		if err == nil {
			err = r.Sort(o.sort)
		}
		if err != nil {
			return analysis{}, err
		}
		return analysis{
			columns: export.RankColumns, rows: export.RankRows(r), warnings: r.Warnings,
			book: func(x *xlsx.Writer) { x.Rank(r) },
			text: func(w io.Writer) error {
				t := textOptions(a, &o.output, o.width)
				if err := export.WriteRankText(w, r, t); err != nil {
					return err
				}
				return writeHostsBrief(w, files, t)
			},
			json: func(w io.Writer) error { return export.WriteRankJSON(w, r) },
		}, nil
	})
}
