package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/export/terminal"
)

var errWideTable = errors.New("--layout wide is for the table of results alone")

// showOptions are the flags of show.
type showOptions struct {
	readFlags
	output outputFlags
	width  int

	format *format
}

func (o *showOptions) addFlags(f *pflag.FlagSet) {
	f.IntVar(&o.width, "width", 0, "width of a line in letters, `N` (default the terminal's, else 80)")
}

func (o *showOptions) validate(a *app) error {
	if err := o.readFlags.validate(); err != nil {
		return err
	}
	if o.width < 0 || o.width > 10_000 {
		return usage("", fmt.Errorf("--width %d: want 40 to 10000, or 0", o.width))
	}
	var err error
	o.format, err = o.output.choose(&a.globals)
	if o.format == nil && err == nil {
		o.format, err = formatByName("txt")
	}
	return err
}

func (o *showOptions) view(a *app) view {
	v := terminal.Options{Width: o.width, ASCII: a.globals.ascii}
	if !o.output.toFile() {
		v.Color = a.e.color(a.globals.color)
		if v.Width == 0 {
			v.Width = a.e.lineWidth()
		}
	} else {
		v.Color = a.globals.color == "always"
	}
	return view{options: export.Options{}, terminal: v}
}

func (a *app) show() *cobra.Command {
	o := &showOptions{}
	c := a.command(command{
		use:   "show INPUT... [-o FILE] [--format FORMAT]",
		short: "show systems and results as tables and bars",
		long: `Show prints what a result file holds for people: its systems, and each test
with its values, standard errors, numbers of runs, and bars. A ~ marks what
was inferred, a ? what is ambiguous. Systems without a value are named.

The other formats are those of convert.`,
		example: `  benchproof show results.txt
  benchproof show --test 'FS-Mark' --system EXT4 results.txt
  benchproof show --ascii --width 100 results.html | less`,
		args:     cobra.ArbitraryArgs,
		validate: func() error { return o.validate(a) },
		run: func(ctx context.Context, args []string) error {
			if len(args) == 0 {
				return noInput("show")
			}
			return writeFiles(ctx, a.e, a.m, o.source(a.e, a.m), &o.output, o.format, o.view(a), args)
		},
	})
	addFlags(c, groupOwn, o.addFlags)
	addReadFlags(c, &o.readFlags)
	addFlags(c, groupOutput, o.output.addFlags)
	return c
}
