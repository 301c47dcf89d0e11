package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/benchproof/benchproof/export"
)

// convertOptions are the flags of convert.
type convertOptions struct {
	readFlags
	output        outputFlags
	layout, table string
	decimal       string
	bom, append   bool

	format *format
	view   view
}

func (o *convertOptions) addFlags(f *pflag.FlagSet) {
	f.StringVar(&o.layout, "layout", "", "write results in the `LAYOUT` long, a row a value, or wide, a row a test and a column a system (default long)")
	completes(f, "layout", string(export.Long)+"\ta row a value", string(export.Wide)+"\ta row a test, a column a system")
	f.StringVar(&o.table, "table", "", "write the `TABLE` results, systems, runs, diagnostics, sources (dates and addresses) or details (reasons, rules, how it was replayed) (default results)")
	completes(f, "table", tableNames()...)
	f.StringVar(&o.decimal, "decimal", "point", "write CSV with the decimal `MARK` point, or comma: with semicolons between cells, as spreadsheets with a decimal comma open it")
	completes(f, "decimal", "point", "comma\tand semicolons between cells")
	f.BoolVar(&o.bom, "bom", false, "begin CSV with the mark by which Excel knows UTF-8")
	f.BoolVar(&o.append, "append", false, "add to the CSV that -o names the values that it does not have yet; what stands in it stays as it is")
}

func (o *convertOptions) validate(a *app) error {
	if err := o.readFlags.validate(); err != nil {
		return err
	}
	var err error
	if o.format, err = o.output.choose(&a.globals); err != nil {
		return err
	}
	if o.layout != "" {
		if o.view.options.Layout, err = export.ParseLayout(o.layout); err != nil {
			return oneOf("--layout", o.layout, string(export.Long), string(export.Wide))
		}
	}
	if o.table != "" {
		if o.view.options.Table, err = export.ParseTable(o.table); err != nil {
			return oneOf("--table", o.table, tableNames()...)
		}
	}
	if o.view.options.Layout == export.Wide && o.view.options.Table != "" && o.view.options.Table != export.Results {
		return usage("", errWideTable)
	}
	if o.format.fixed && (o.view.options.Layout == export.Wide || o.view.options.Table != "" && o.view.options.Table != export.Results) {
		what := "a wide table"
		if o.view.options.Layout != export.Wide {
			what = "the table " + o.table + " alone"
		}
		return usage("", fmt.Errorf("%s cannot hold %s: want %s", o.format.name, what, listed(tableFormats())))
	}
	if o.format.name == "xlsx" && o.view.options != (export.Options{}) {
		a.m.warning("a workbook has all tables in both layouts; --layout and --table change nothing in it")
	}
	if err := o.validateCSV(); err != nil {
		return err
	}
	o.view.options.ASCII = a.globals.ascii
	o.view.terminal = terminalOptions(a, &o.filter)
	return nil
}

// validateCSV checks the flags that only CSV has.
func (o *convertOptions) validateCSV() error {
	if err := oneOf("--decimal", o.decimal, "point", "comma"); err != nil {
		return err
	}
	o.view.options.DecimalComma = o.decimal == "comma"
	o.view.options.BOM = o.bom
	for _, f := range []struct {
		name string
		set  bool
	}{{"--decimal comma", o.decimal != "point"}, {"--bom", o.bom}, {"--append", o.append}} {
		if f.set && o.format.name != "csv" {
			return usage("", fmt.Errorf("%s is for CSV, not for %s", f.name, o.format.name))
		}
	}
	if !o.append {
		return nil
	}
	switch {
	case !o.output.toFile():
		return usage("name the file with -o", errors.New("--append has no file to add to"))
	case isDir(o.output.path):
		return usage("name a file with -o", fmt.Errorf("--append adds to one file, and %s is a directory", o.output.path))
	case o.view.options.Layout == export.Wide || o.view.options.Table != "" && o.view.options.Table != export.Results:
		return usage("", errors.New("--append adds to the long table of results alone"))
	}
	return nil
}

func tableNames() []string {
	var names []string
	for _, t := range export.Tables() {
		names = append(names, string(t))
	}
	return names
}

func (a *app) convert() *cobra.Command {
	o := &convertOptions{output: outputFlags{otherwise: "csv", dirs: true}}
	c := a.command(command{
		use:   "convert INPUT... [-o FILE|DIR/] [--format FORMAT]",
		short: "write results in another form",
		long: `Convert writes results in another form: as CSV on stdout unless --format or
the ending of the file that -o names says otherwise. INPUT is a file, a
directory or - for stdin; NAME=PATH gives an input another name. Compressed
input is read as it is. Several inputs become one output, or with -o DIR/, whose
name ends in /, a file each there, by --format, and index.csv, which says which
is which.

CSV, NDJSON, Markdown and text hold one table, which --table and --layout
choose; XLSX holds all tables, SQLite holds everything, and so does JSON
unless a table is chosen. Parquet holds the long table. XML is a composite.xml
for PTS, and pts-text the text that PTS exports; both say what they lose. A
missing value has no row in the long layout and an empty cell in the wide one;
a value that failed or is ambiguous has an empty value, and its status or
decode says so.`,
		exits: exitsRead,
		example: `  benchproof convert results.txt > results.csv
  benchproof convert results.html -o results.xlsx
  benchproof convert --layout wide --test 'Flexible IO' results.txt
  benchproof convert --table systems old=a.txt new=b.txt
  benchproof convert results/ -o results.sqlite
  benchproof convert --append may/*.html -o all.csv
  benchproof convert may/*.html --format xlsx -o books/
  benchproof convert results.html -o results.xml
  curl -s URL | benchproof convert - --json`,
		args:     cobra.ArbitraryArgs,
		validate: func() error { return o.validate(a) },
		run: func(ctx context.Context, args []string) error {
			if len(args) == 0 {
				return noInput("convert")
			}
			src := o.source(a.e, a.m)
			src.systems = o.format.showsSystems(o.view)
			if o.output.toFile() && isDir(o.output.path) {
				return o.writeDir(ctx, a, src, args)
			}
			if o.append {
				return o.appendTo(ctx, a, src, args)
			}
			return writeFiles(ctx, a.e, a.m, src, &o.output, o.format, o.view, args)
		},
	})
	addFlags(c, groupOwn, o.addFlags)
	addReadFlags(c, &o.readFlags)
	addFlags(c, groupOutput, o.output.addFlags)
	return c
}

// addReadFlags adds the flags of commands that read result files.
func addReadFlags(c *cobra.Command, r *readFlags) {
	addFlags(c, groupFilter, r.filter.addFlags)
	addFlags(c, groupOwn, r.addUnitFlags)
	addFlags(c, groupLimit, r.limits.addFlags)
}
