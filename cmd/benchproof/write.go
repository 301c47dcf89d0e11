package main

import (
	"context"
	"errors"

	"github.com/spf13/pflag"

	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/export/xml"
	"github.com/benchproof/benchproof/parse"
	"github.com/benchproof/benchproof/result"
)

// readFlags are what every command that reads result files takes.
type readFlags struct {
	filter filterFlags
	limits limitFlags
	// convertUnits converts values whose printed unit is known to be wrong.
	convertUnits bool
	// mark is the decimal mark of the inputs, markName its name.
	mark     parse.Mark
	markName string
}

// marks are the names of decimal marks.
var marks = map[string]parse.Mark{"auto": parse.MarkUnknown, "point": parse.MarkPoint, "comma": parse.MarkComma}

func (r *readFlags) addUnitFlags(f *pflag.FlagSet) {
	f.BoolVar(&r.convertUnits, "convert-units", false, "convert values whose printed unit is known to be wrong for their test (check names them)")
	f.StringVar(&r.markName, "input-decimal", "auto", "read numbers that leave it open, such as 1,234, with the decimal `MARK` point or comma; auto lists them as ambiguous")
	completes(f, "input-decimal", "auto", "point\t1,234 is a thousand", "comma\t1,234 is less than 2")
}

// source returns the source of a command's inputs.
func (r *readFlags) source(e *env, m *messages) *source {
	return &source{e: e, m: m, limits: r.limits.limits, filter: &r.filter, convertUnits: r.convertUnits, mark: r.mark}
}

func (r *readFlags) validate() error {
	if err := r.filter.validate(); err != nil {
		return err
	}
	if r.markName != "" {
		if err := oneOf("--input-decimal", r.markName, "auto", "point", "comma"); err != nil {
			return err
		}
		r.mark = marks[r.markName]
	}
	return r.limits.validate()
}

// noInput is the error of a command that was given nothing to read.
func noInput(command string) error {
	return usage("name a file, or - for stdin: COMMAND | benchproof "+command+" -", errors.New("no input"))
}

// onInputs returns what a command does with the inputs it is given: run, or
// an error if there is none.
func (a *app) onInputs(name string, run func(context.Context, *app, []string) error) func(context.Context, []string) error {
	return func(ctx context.Context, args []string) error {
		if len(args) == 0 {
			return noInput(name)
		}
		return run(ctx, a, args)
	}
}

// writeFiles reads the inputs and writes their files in one form. Where
// nothing could be read nothing is written; where some could be, they are,
// and the error comes after. Forms that allow it are written while the inputs
// are read.
func writeFiles(ctx context.Context, e *env, m *messages, src *source, o *outputFlags, f *format, v view, args []string) error {
	out, err := o.open(ctx, e, f, args)
	if err != nil {
		return err
	}
	v.dir = o.dir()
	w := f.open(out, v)
	done := false
	defer func() {
		if d, ok := w.(interface{ Discard() }); ok && !done {
			d.Discard()
		}
	}()
	var readErr error
	if parts, ok := w.(export.Parts); ok && !src.convertUnits {
		readErr = src.parts(ctx, args, parts)
	} else {
		readErr = src.each(ctx, args, func(file *result.File) error {
			if err := w.Write(file); err != nil {
				return writeError(err)
			}
			return nil
		})
	}
	if src.files == 0 || readErr != nil && exitCode(readErr) != exitUnread {
		out.discard()
		return readErr
	}
	done = true
	if err := w.Close(); err != nil {
		out.discard()
		return failed("", err)
	}
	if err := out.commit(); err != nil {
		return err
	}
	if warner, ok := w.(interface{ Warnings() []string }); ok {
		for _, text := range warner.Warnings() {
			m.warning("%s", text)
		}
	}
	return readErr
}

// writeError returns the error of a command whose writer failed.
func writeError(err error) error {
	if errors.Is(err, xml.ErrSecondFile) {
		return usage("convert INPUT... --format xml -o DIR/ writes a file for each", err)
	}
	return failed("", err)
}
