package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/export/html"
	"github.com/benchproof/benchproof/result"
)

// reportOptions are the flags of report.
type reportOptions struct {
	readFlags
	analysisFlags
	output outputFlags
	title  string
}

func (o *reportOptions) addFlags(f *pflag.FlagSet) {
	f.StringVar(&o.title, "title", "", "give the page the `TITLE` (default that of the first input)")
	o.analysisFlags.addFlags(f, "begin with the baseline `SYSTEM`, or the file of that name; along --by a value (default the first)")
}

// addOutputFlags adds those of outputFlags that a report has: its form is
// fixed.
func (o *reportOptions) addOutputFlags(f *pflag.FlagSet) {
	f.StringVarP(&o.output.path, "output", "o", "", "write the page to `FILE`.html, or into DIR/ with pictures; - is stdout")
	o.output.named = f.Lookup("output")
	f.BoolVar(&o.output.force, "force", false, "replace FILE, or the report in DIR, if it exists")
}

// pageFormat is the form of a report that is one file.
var pageFormat = format{name: "html", endings: []string{".html", ".htm"}, what: "one page with everything", binary: true}

func (o *reportOptions) validate(a *app) error {
	if err := o.readFlags.validate(); err != nil {
		return err
	}
	if err := o.analysisFlags.validate(); err != nil {
		return err
	}
	if a.globals.json {
		return usage("benchproof compare --json and rank --json give the numbers of a report", errors.New("a report is a page, not JSON"))
	}
	if o.output.path == "" && o.output.named.Changed {
		return usage("- is stdout", errors.New("-o names no file"))
	}
	return o.validPath()
}

// validPath makes sure that -o says whether a page or a directory is meant.
func (o *reportOptions) validPath() error {
	path := o.output.path
	if !o.output.toFile() || isDir(path) || special(path) || slices.Contains(pageFormat.endings, strings.ToLower(filepath.Ext(path))) {
		return nil
	}
	if f := endingFormat(path); f != nil {
		return usage("benchproof convert or compare writes "+f.name+"; a report is an .html", fmt.Errorf("the ending of %q says %s", path, f.name))
	}
	hint := fmt.Sprintf("-o %s/ makes a directory with pictures, -o %s.html one page", path, strings.TrimSuffix(path, filepath.Ext(path)))
	return usage(hint, fmt.Errorf("%q is neither a page, .html, nor a directory, which ends in /", path))
}

func (a *app) report() *cobra.Command {
	o := &reportOptions{}
	c := a.command(command{
		use:   "report INPUT... -o FILE.html | -o DIR/",
		short: "make one page of results to look at, send and print",
		long: `Report writes one HTML file: what was compared, the geometric means with their
intervals and the overall ranking, all tests in a table to search, filter and
sort, a chart of each, where every value was read, what is doubtful, and how
each number was computed. It opens from a disk, loads nothing from elsewhere,
and prints; without JavaScript it has tables and drawings.

The baseline, the systems shown and the filters are chosen in the page, and
its address keeps the choice. Every number is that of compare with the same
baseline, and of rank.

-o DIR/, with a / at its end, makes a directory: the page as index.html, one
SVG and one PNG a chart for articles (bars, lines, single runs, ratios, the
overall ranking, the critical difference), and pictures.csv, which says what
each shows.

Several inputs are one set, as in compare. The page goes to stdout where that
is no terminal, or with -o -.`,
		exits: exitsRead,
		example: `  benchproof report results.txt -o report.html
  benchproof report old=a.txt new=b.txt --baseline old -o report.html
  benchproof report results.txt -o report/
  benchproof report results.txt --by File-System --title Raid -o report.html`,
		args:     cobra.ArbitraryArgs,
		validate: func() error { return o.validate(a) },
		run:      a.onInputs("report", o.run),
	})
	addFlags(c, groupOwn, o.addFlags)
	addReadFlags(c, &o.readFlags)
	addFlags(c, groupOutput, o.addOutputFlags)
	return c
}

func (o *reportOptions) run(ctx context.Context, a *app, args []string) error {
	if o.output.path == "" && a.e.stdoutTerminal {
		return usage("name a file: -o report.html", errors.New("a page is not for a terminal"))
	}
	src := o.source(a.e, a.m)
	src.systems = true
	var files []*result.File
	var found [][]result.Diagnostic
	readErr := src.each(ctx, args, func(file *result.File) error {
		files = append(files, file)
		found = append(found, src.findings(file))
		return nil
	})
	if len(files) == 0 || readErr != nil && exitCode(readErr) != exitUnread {
		return readErr
	}
	set := analyze.NewSet(files)
	page, err := html.New(set, html.Options{
		Title: o.title, Compare: o.analysis, Findings: found, Generator: "benchproof " + buildInfo().Version,
	})
	if err != nil {
		return unreadOr(a.m, readErr, nameError(err))
	}
	if o.output.toFile() && isDir(o.output.path) {
		if err := o.writeDir(ctx, a, args, set, page); err != nil {
			return err
		}
		return readErr
	}
	f := pageFormat
	f.binary = o.output.path != "-" // who asks for stdout gets it
	if err := o.output.write(ctx, a.e, &f, args, page.Write); err != nil {
		return err
	}
	return readErr
}
