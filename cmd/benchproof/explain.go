package main

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/parse"
	"github.com/benchproof/benchproof/result"
)

// explainOptions are the flags of explain.
type explainOptions struct {
	readFlags
	output outputFlags
	format *format
}

func (o *explainOptions) validate(a *app) error {
	if len(o.filter.tests) == 0 {
		return usage("--test REGEXP names tests; --test . takes all", errors.New("no test"))
	}
	if err := o.readFlags.validate(); err != nil {
		return err
	}
	var err error
	o.format, err = o.output.choose(&a.globals)
	return err
}

func (a *app) explain() *cobra.Command {
	o := &explainOptions{output: outputFlags{what: "explanations", only: []string{"txt", "json"}, otherwise: "txt"}}
	c := a.command(command{
		use:   "explain INPUT... --test REGEXP [--system REGEXP]",
		short: "show where each value was read, and by which rule",
		long: `Explain prints for each chosen value where in its source it stands, the rule
that read it, how sure that reading is, what else it could be, and the
source's text there with the value marked.`,
		exits: exitsRead,
		example: `  benchproof explain results.txt --test 'Random Read'
  benchproof explain page.txt --test FS-Mark --system 'HDD: XFS'
  benchproof explain page.txt --test . --json`,
		args:     cobra.ArbitraryArgs,
		validate: func() error { return o.validate(a) },
		run:      a.onInputs("explain", o.run),
	})
	addReadFlags(c, &o.readFlags)
	addFlags(c, groupOutput, o.output.addFlags)
	return c
}

func (o *explainOptions) run(ctx context.Context, a *app, args []string) error {
	src := o.source(a.e, a.m)
	x := &explainer{width: a.e.lineWidth()}
	src.opened = func(_ *input, r *parse.Reader) { x.text = r.Text }
	f := *o.format
	json := f.name == "json"
	f.open = func(w io.Writer, _ view) export.Writer {
		x.w = w
		if json {
			return &explainJSON{x: x}
		}
		return &explainText{x: x}
	}
	return writeFiles(ctx, a.e, a.m, src, &o.output, &f, view{}, args)
}

// explainer explains the measurements of files.
type explainer struct {
	w     io.Writer
	width int           // of a line
	text  func() string // of the input, "" if its positions are about another
	file  string        // text, for the file at hand
}

// explanation is what is known about how one measurement was read.
type explanation struct {
	Source       string        `json:"source"`
	Test         string        `json:"test"`
	Version      string        `json:"version"`
	Arguments    string        `json:"arguments"`
	Scale        string        `json:"scale"`
	System       string        `json:"system"`
	Value        string        `json:"value"`
	Status       result.Status `json:"status"`
	Reason       string        `json:"reason,omitempty"`
	Decode       result.Decode `json:"decode"`
	HeadDecode   result.Decode `json:"head_decode"`
	Alternatives []string      `json:"alternatives"`
	Origin       result.Origin `json:"origin"`
	// The text of the source around the value, and the bytes of it that
	// are the value; nil where the source is not at hand.
	Excerpt *excerpt `json:"excerpt"`
}

func (x *explainer) explain(f *result.File, t *result.Test, m *result.Measurement, system string) explanation {
	e := explanation{
		Source: f.Source, Test: t.Title, Version: t.Version, Arguments: t.Arguments,
		Scale: t.Scale, System: system, Value: export.Value(m),
		Status: m.Status, Reason: m.Reason, Decode: m.Decode, HeadDecode: t.HeadDecode,
		Alternatives: append([]string{}, m.Alternatives...), Origin: m.Origin,
	}
	if x.file != "" && m.Origin.Line > 0 {
		// As much as the line has room for behind its heading.
		reach := max(20, (x.width-14-len(m.Value))/2)
		e.Excerpt = excerptAt(x.file, m.Origin.Offset, m.Value, reach)
	}
	return e
}

// explainJSON writes explanations as one JSON document.
type explainJSON struct {
	x   *explainer
	doc explainDocument
}

type explainDocument struct {
	Schema       string        `json:"schema"` // benchproof/explain/1
	Measurements []explanation `json:"measurements"`
}

func (j *explainJSON) Write(f *result.File) error {
	j.x.file = j.x.text()
	names := f.SystemNames()
	for i := range f.Tests {
		t := &f.Tests[i]
		for k := range t.Measurements {
			m := &t.Measurements[k]
			j.doc.Measurements = append(j.doc.Measurements, j.x.explain(f, t, m, names[m.System]))
		}
	}
	return nil
}

func (j *explainJSON) Close() error {
	j.doc.Schema = "benchproof/explain/1"
	if j.doc.Measurements == nil {
		j.doc.Measurements = []explanation{}
	}
	return writeJSON(j.x.w, j.doc)
}
