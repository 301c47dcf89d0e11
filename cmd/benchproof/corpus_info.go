package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/benchproof/benchproof/corpus"
	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/internal/term"
)

func init() {
	corpusCommands = append(corpusCommands, (*app).corpusInfo, (*app).corpusShow)
}

func (a *app) corpusInfo() *cobra.Command {
	views, check := false, false
	c := a.command(command{
		use:   "info DIR",
		short: "say what a corpus holds",
		long: `Info says how many files, paths and rows a corpus holds, in how many bytes, and
the version of its schema.

With --duckdb it prints statements for DuckDB's own shell, which make the tables
and views of corpus query there.`,
		exits: exitsRead.but(exitTexts{exitUnread: "the corpus could not be read, or is damaged"}),
		example: `  benchproof corpus info set
  benchproof corpus info set --duckdb > views.sql && duckdb -init views.sql`,
		args: cobra.ArbitraryArgs,
		run: func(_ context.Context, args []string) error {
			if len(args) != 1 {
				return usage("benchproof corpus info DIR", fmt.Errorf("want one directory, got %d", len(args)))
			}
			c, err := openCorpus(args[0])
			if err != nil {
				return err
			}
			if check {
				if err := c.Check(); err != nil {
					return &exitError{exitUnread, err, ""}
				}
			}
			if views {
				if len(c.Manifest().Parts) == 0 {
					return engineError(corpus.ErrEmpty)
				}
				_, err := io.WriteString(a.e.stdout, c.DuckDBViews())
				return err
			}
			info, err := c.Info()
			if err != nil {
				return &exitError{exitUnread, err, ""}
			}
			if a.globals.json {
				return writeJSON(a.e.stdout, corpusInfoDocument{"benchproof/corpus-info/1", info})
			}
			return writeCorpusInfo(a.e.stdout, &info, a.globals.ascii)
		},
	})
	addFlags(c, groupOwn, func(f *pflag.FlagSet) {
		f.BoolVar(&check, "check", false, "read all of it, too, and make sure that it is what was written")
		f.BoolVar(&views, "duckdb", false, "print statements for DuckDB's shell instead")
	})
	c.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveFilterDirs
	}
	return c
}

// corpusInfoDocument is the JSON form of corpus info.
type corpusInfoDocument struct {
	Schema string `json:"schema"`
	corpus.Info
}

func writeCorpusInfo(w io.Writer, info *corpus.Info, ascii bool) error {
	fmt.Fprintf(w, "%s: schema %s, %s in %s\n", term.Visible(info.Dir), info.Schema, megabytes(float64(info.Bytes)), phrase.Count(info.Parts, "part"))
	fmt.Fprintf(w, "%s at %s; %d superseded, %d without a result or damaged\n", phrase.Count(info.Inputs, "input"), phrase.Count(info.Paths, "path"), info.Superseded, info.Unreadable)
	if len(info.Partial) > 0 {
		fmt.Fprintf(w, "waiting for corpus commit: %s\n", phrase.Count(len(info.Partial), "partial set"))
	}
	fmt.Fprintln(w)
	t := term.Table{Header: []string{"table", "rows", "bytes"}, Right: []bool{false, true, true}, ASCII: ascii}
	for _, x := range info.Tables {
		t.Add(x.Name, fmt.Sprint(x.Rows), fmt.Sprint(x.Bytes))
	}
	_, err := t.WriteTo(w)
	return err
}

// corpusShowOptions are the flags of corpus show.
type corpusShowOptions struct {
	corpusFlags
	show showOptions
}

func (a *app) corpusShow() *cobra.Command {
	o := &corpusShowOptions{show: showOptions{output: outputFlags{otherwise: "txt"}}}
	c := a.command(command{
		use:   "show FILE-ID --from DIR [-o FILE] [--format FORMAT]",
		short: "give a file of a corpus back",
		long: `Show gives a file of a corpus back as it was read from its source: --json is
what convert --json makes of the source itself. FILE-ID is in the column
file_id of the table files; its first digits are enough.

The formats are those of convert; it prints what show prints.`,
		exits: exitsRead.but(exitTexts{exitUnread: "the corpus could not be read, or has no such file"}),
		example: `  benchproof corpus show --from set 5b2f19c07ad3e841
  benchproof corpus show --from set 5b2f --json > record.json`,
		args:     cobra.ArbitraryArgs,
		validate: func() error { return o.show.validate(a) },
		run: func(ctx context.Context, args []string) error {
			if len(args) != 1 {
				return usage("benchproof corpus show FILE-ID --from DIR", fmt.Errorf("want one file ID, got %d", len(args)))
			}
			c, err := o.open()
			if err != nil {
				return err
			}
			f, err := c.File(args[0])
			if err != nil {
				hint := ""
				if errors.Is(err, corpus.ErrNoFile) {
					hint = "benchproof corpus query --from DIR 'SELECT file_id, source, title FROM files' lists all"
				}
				return &exitError{exitUnread, err, hint}
			}
			if err := o.show.output.writeFile(ctx, a.e, o.show.format, o.show.view(a), nil, o.show.filter.apply(f)); err != nil {
				return err
			}
			o.show.filter.warn(a.m)
			return nil
		},
	})
	addFlags(c, groupOwn, o.corpusFlags.addFlags)
	addFlags(c, groupOwn, o.show.addFlags)
	addFlags(c, groupFilter, o.show.filter.addFlags)
	addFlags(c, groupOutput, o.show.output.addFlags)
	o.show.limits.addFlags(pflag.NewFlagSet("", pflag.ContinueOnError)) // their defaults
	return c
}
