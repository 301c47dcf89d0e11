package main

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/export/terminal"
	"github.com/benchproof/benchproof/result"
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
	addWidth(f, &o.width)
}

func (o *showOptions) validate(a *app) error {
	if err := o.readFlags.validate(); err != nil {
		return err
	}
	if err := validWidth(o.width); err != nil {
		return err
	}
	var err error
	o.format, err = o.output.choose(&a.globals)
	return err
}

func (o *showOptions) view(a *app) view {
	v := terminalOptions(a, &o.filter)
	v.Width = o.width
	if !o.output.toFile() {
		v.Color = a.e.color(a.globals.color)
		if v.Width == 0 {
			v.Width = a.e.lineWidth()
		}
	} else {
		v.Color = a.globals.color == "always"
	}
	return view{options: export.Options{ASCII: a.globals.ascii}, terminal: v}
}

// terminalOptions are those of the view for people, as far as its place does
// not matter. Who asks for some tests wants to see them, not much of systems.
func terminalOptions(a *app, f *filterFlags) terminal.Options {
	return terminal.Options{
		ASCII: a.globals.ascii,
		Brief: len(f.tests) > 0 && !a.globals.verbose,
		Long:  a.globals.verbose,
	}
}

func (a *app) show() *cobra.Command {
	o := &showOptions{output: outputFlags{otherwise: "txt"}}
	c := a.command(command{
		use:   "show INPUT... [-o FILE] [--format FORMAT]",
		short: "show systems and results as tables and bars",
		long: `Show prints what a result file holds for people: its systems, and each test
with its values, standard errors, numbers of runs, and bars. A ~ marks what
was inferred, a ? what is ambiguous. Systems without a value are named.

The other formats are those of convert.`,
		exits: exitsRead,
		example: `  benchproof show results.txt
  benchproof show --test 'FS-Mark' --system EXT4 results.txt
  benchproof show --ascii --width 100 results.html | less`,
		args:     cobra.ArbitraryArgs,
		validate: func() error { return o.validate(a) },
		run: func(ctx context.Context, args []string) error {
			if len(args) == 0 {
				return noInput("show")
			}
			src, v, f := o.source(a.e, a.m), o.view(a), *o.format
			src.systems = f.showsSystems(v)
			if f.name == "txt" && o.filter.active() {
				f.open = func(w io.Writer, v view) export.Writer { return &matchingFiles{o.format.open(w, v)} }
			}
			return writeFiles(ctx, a.e, a.m, src, &o.output, &f, v, args)
		},
	})
	addFlags(c, groupOwn, o.addFlags)
	addReadFlags(c, &o.readFlags)
	addFlags(c, groupOutput, o.output.addFlags)
	return c
}

// matchingFiles passes files over of which a filter has left nothing: their
// headings alone would look like an empty result.
type matchingFiles struct{ export.Writer }

func (m *matchingFiles) Write(f *result.File) error {
	if len(f.Systems) == 0 || len(f.Tests) == 0 {
		return nil
	}
	return m.Writer.Write(f)
}
