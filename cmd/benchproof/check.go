package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/internal/term"
	"github.com/benchproof/benchproof/result"
)

// checkOptions are the flags of check.
type checkOptions struct {
	readFlags
	output outputFlags
	format *format
}

func (o *checkOptions) validate(a *app) error {
	if err := o.readFlags.validate(); err != nil {
		return err
	}
	var err error
	o.format, err = o.output.choose(&a.globals)
	return err
}

func (a *app) check() *cobra.Command {
	o := &checkOptions{output: outputFlags{what: "findings", only: []string{"txt", "json", "csv", "ndjson", "md", "xlsx", "sqlite"}, otherwise: "txt"}}
	c := a.command(command{
		use:   "check INPUT... [-o FILE] [--format FORMAT]",
		short: "list what is wrong or doubtful in results",
		long: `Check lists what the readers could not read or doubt, and what a result file
shows about itself: systems and tests that stand twice, values with mixed
decimals, failed, missing, inferred and ambiguous values.

An error means that a value was lost or contradicts itself; check then exits
with 1. Warnings and info leave the exit code 0. --quiet lists errors alone,
and prints nothing where there is none. Where one kind of warning stands more
than three times the others are counted; --verbose lists all, and so do the
tables and JSON.`,
		exits: exitsRead.but(exitTexts{exitNo: "done, and an error was found: a value was lost or contradicts itself"}),
		example: `  benchproof check results.txt
  benchproof check --format csv results/ > findings.csv
  benchproof check --quiet results.html && echo sound`,
		args:     cobra.ArbitraryArgs,
		validate: func() error { return o.validate(a) },
		run:      a.onInputs("check", o.run),
	})
	addReadFlags(c, &o.readFlags)
	addFlags(c, groupOutput, o.output.addFlags)
	return c
}

func (o *checkOptions) run(ctx context.Context, a *app, args []string) error {
	src := o.source(a.e, a.m)
	src.silent = true
	r := &checker{src: src, quiet: a.globals.quiet}
	f := *o.format
	width := 0
	if !o.output.toFile() {
		width = a.e.knownWidth()
	}
	switch f.name {
	case "txt":
		f.open = func(w io.Writer, _ view) export.Writer {
			r.w = &checkText{w: bufio.NewWriter(w), width: width, all: a.globals.verbose, quiet: a.globals.quiet}
			return r
		}
	case "json":
		f.open = func(w io.Writer, _ view) export.Writer { r.w = &checkJSON{w: w}; return r }
	case "xlsx":
		inner := f.open
		f.open = func(w io.Writer, v view) export.Writer { r.w = inner(w, v); return r }
	default:
		inner := f.open
		f.open = func(w io.Writer, _ view) export.Writer {
			r.w = inner(w, view{options: export.Options{Table: export.Diagnostics, ASCII: a.globals.ascii}})
			return r
		}
	}
	if err := writeFiles(ctx, a.e, a.m, src, &o.output, &f, view{}, args); err != nil {
		return err
	}
	if r.errors > 0 {
		return errAnswerNo
	}
	return nil
}

// checker puts the findings in the place of a file's diagnostics and counts
// the errors among them.
type checker struct {
	src    *source
	w      export.Writer
	quiet  bool
	errors int
}

func (c *checker) Write(f *result.File) error {
	out := *f
	out.Diagnostics = nil
	for _, d := range c.src.findings(f) {
		if d.Severity == result.SeverityError {
			c.errors++
		} else if c.quiet {
			continue
		}
		out.Diagnostics = append(out.Diagnostics, d)
	}
	return c.w.Write(&out)
}

func (c *checker) Close() error { return c.w.Close() }

// checkJSON prints findings as one JSON document.
type checkJSON struct {
	w   io.Writer
	doc checkDocument
}

// checkDocument is the JSON form of check.
type checkDocument struct {
	Schema      string      `json:"schema"` // benchproof/check/1
	Files       []checkFile `json:"files"`
	Diagnostics []checkLine `json:"diagnostics"`
	Errors      int         `json:"errors"`
	Warnings    int         `json:"warnings"`
}

type checkFile struct {
	Source    string `json:"source"`
	Title     string `json:"title"`
	Systems   int    `json:"systems"`
	Tests     int    `json:"tests"`
	Values    int    `json:"values"`
	Inferred  int    `json:"inferred"`
	Ambiguous int    `json:"ambiguous"`
	Failed    int    `json:"failed"`
	Missing   int    `json:"missing"`
}

// checkLine has the names of the table of diagnostics.
type checkLine struct {
	Source   string          `json:"source"`
	Line     *int            `json:"line"`
	Column   *int            `json:"column"`
	Severity result.Severity `json:"severity"`
	Code     string          `json:"code"`
	Message  string          `json:"message"`
}

func (j *checkJSON) Write(f *result.File) error {
	c := count(f)
	j.doc.Files = append(j.doc.Files, checkFile{
		f.Source, f.Title, len(f.Systems), len(f.Tests),
		c.values, c.inferred, c.ambiguous, c.failed + c.censored, c.missingAll(),
	})
	for _, d := range f.Diagnostics {
		line := checkLine{Source: d.Origin.Source, Severity: d.Severity, Code: d.Code, Message: d.Message}
		if line.Source == "" {
			line.Source = f.Source
		}
		if d.Origin.Line > 0 {
			line.Line, line.Column = &d.Origin.Line, &d.Origin.Column
		}
		j.doc.Diagnostics = append(j.doc.Diagnostics, line)
		switch d.Severity {
		case result.SeverityError:
			j.doc.Errors++
		case result.SeverityWarning:
			j.doc.Warnings++
		}
	}
	return nil
}

func (j *checkJSON) Close() error {
	j.doc.Schema = "benchproof/check/1"
	if j.doc.Files == nil {
		j.doc.Files = []checkFile{}
	}
	if j.doc.Diagnostics == nil {
		j.doc.Diagnostics = []checkLine{}
	}
	return writeJSON(j.w, j.doc)
}

// writeJSON writes a document as all commands do.
func writeJSON(w io.Writer, doc any) error {
	b, err := json.MarshalIndent(doc, "", " ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", term.EscapeJSON(b))
	return err
}
