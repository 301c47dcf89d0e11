package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/internal/atomicfile"
	"github.com/benchproof/benchproof/internal/term"
	"github.com/benchproof/benchproof/result"
)

// outputFlags say where output goes and in which form.
type outputFlags struct {
	// what the output is ("differences") and the formats that can hold it,
	// nil for all; otherwise is the one where none is asked for.
	what      string
	only      []string
	otherwise string

	path, format string
	force        bool
	dirs         bool        // -o may name a directory
	named        *pflag.Flag // of the path
}

func (o *outputFlags) addFlags(f *pflag.FlagSet) {
	f.StringVarP(&o.path, "output", "o", "", "write to `FILE`, whose ending says the format; - is stdout")
	o.named = f.Lookup("output")
	f.StringVarP(&o.format, "format", "f", "", "write `FORMAT`: "+listed(o.names())+" (default by the ending of FILE, else "+o.otherwise+")")
	var words []string
	for i := range formats {
		if o.holds(&formats[i]) {
			words = append(words, formats[i].name+"\t"+formats[i].what)
		}
	}
	completes(f, "format", words...)
	f.BoolVar(&o.force, "force", false, "replace FILE if it exists")
}

// names lists the formats that can hold the output.
func (o *outputFlags) names() []string {
	if o.only != nil {
		return o.only
	}
	return formatNames()
}

// holds reports whether a format can hold the output.
func (o *outputFlags) holds(f *format) bool { return slices.Contains(o.names(), f.name) }

// choose returns the format that the flags ask for, otherwise where they ask
// for none.
func (o *outputFlags) choose(g *globals) (*format, error) {
	f, err := o.asked(g)
	switch {
	case err != nil:
		return nil, err
	case f == nil:
		return formatByName(o.otherwise, o.names())
	case !o.holds(f):
		return nil, usage("", fmt.Errorf("%s cannot hold %s: want %s", f.name, o.what, listed(o.only)))
	case !o.toFile() || special(o.path) || isDir(o.path):
	case !f.fits(o.path):
		flag := "--format"
		if g.json {
			flag = "--json"
		}
		return nil, usage("leave "+flag+" out, or give the file another ending", fmt.Errorf("the ending of %q and the format %s disagree", o.path, f.name))
	}
	return f, err
}

func (o *outputFlags) asked(g *globals) (*format, error) {
	if o.path == "" && o.named != nil && o.named.Changed {
		return nil, usage("- is stdout", errors.New("-o names no file"))
	}
	toDir := o.toFile() && isDir(o.path)
	if toDir && !o.dirs {
		return nil, failed("-o names a file", fmt.Errorf("%s is a directory", o.path))
	}
	switch {
	case g.json && o.format != "" && !strings.EqualFold(o.format, "json"):
		return nil, usage("", fmt.Errorf("--json and --format %s exclude each other", o.format))
	case g.json:
		return formatByName("json", o.names())
	case o.format != "":
		return formatByName(o.format, o.names())
	case o.toFile() && !toDir && !special(o.path):
		return formatByPath(o.path)
	}
	return nil, nil
}

// toFile reports whether the output goes to a file.
func (o *outputFlags) toFile() bool { return o.path != "" && o.path != "-" }

// dir returns where files beside the output are, "" if it is no file.
func (o *outputFlags) dir() string {
	if !o.toFile() || special(o.path) {
		return ""
	}
	return filepath.Dir(o.path)
}

// isDir reports whether path is a directory, or can only be meant for one.
func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir() || os.IsPathSeparator(path[len(path)-1])
}

// special reports whether path is something other than a file that can be
// written beside and renamed: a device or a pipe.
func special(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

// output is an open output. Exactly one of commit and discard must be called.
type output struct {
	io.Writer
	commit  func() error
	discard func()
}

// open opens the output for data of the format. A file is written beside its
// place; it takes it with commit.
func (o *outputFlags) open(ctx context.Context, e *env, f *format, args []string) (*output, error) {
	if !o.toFile() {
		if f.binary && e.stdoutTerminal {
			return nil, usage("name a file with -o, or send stdout into one", fmt.Errorf("%s is not for a terminal", f.name))
		}
		w := io.Writer(&contextWriter{ctx, e.stdout})
		out := &output{Writer: w, commit: func() error { return nil }, discard: func() {}}
		if f.data && e.stdoutTerminal {
			visible := &term.VisibleWriter{W: w}
			out.Writer, out.commit = visible, visible.Flush
		}
		return out, nil
	}
	if err := o.notInput(e, args); err != nil {
		return nil, err
	}
	if special(o.path) {
		if err := atomicfile.CheckSpecial(o.path); err != nil {
			return nil, failed("", err)
		}
		file, err := os.OpenFile(o.path, os.O_WRONLY, 0)
		if err != nil {
			return nil, failed("", err)
		}
		return &output{&contextWriter{ctx, file}, file.Close, func() { _ = file.Close() }}, nil
	}
	file, err := atomicfile.Create(o.path, o.force)
	if err != nil {
		return nil, fileError(err)
	}
	forget := e.cleanup.add(file.Discard)
	return &output{
		Writer: &contextWriter{ctx, file},
		commit: func() error {
			defer forget()
			if err := ctx.Err(); err != nil {
				file.Discard()
				return err
			}
			if err := file.Commit(); err != nil {
				return fileError(err)
			}
			return nil
		},
		discard: func() { file.Discard(); forget() },
	}, nil
}

// write opens the output, lets fill write it, and gives it its place: it is
// whole, or not there at all.
func (o *outputFlags) write(ctx context.Context, e *env, f *format, args []string, fill func(io.Writer) error) error {
	out, err := o.open(ctx, e, f, args)
	if err != nil {
		return err
	}
	if err := fill(out); err != nil {
		out.discard()
		return failed("", err)
	}
	return out.commit()
}

// writeFile writes one result file.
func (o *outputFlags) writeFile(ctx context.Context, e *env, f *format, v view, args []string, file *result.File) error {
	return o.write(ctx, e, f, args, func(out io.Writer) error {
		v.dir = o.dir()
		w := f.open(out, v)
		err := w.Write(file)
		if err == nil {
			return w.Close()
		}
		if d, ok := w.(interface{ Discard() }); ok {
			d.Discard()
		}
		return err
	})
}

// forms are the forms of what a command has found that is no result file.
type forms struct {
	text    func(io.Writer) error
	doc     any // of JSON
	columns []export.Column
	rows    iter.Seq[[]string]
}

// writeForms writes the form of the format: text, JSON or a table.
func (o *outputFlags) writeForms(ctx context.Context, e *env, f *format, args []string, is forms) error {
	return o.write(ctx, e, f, args, func(out io.Writer) error {
		switch f.name {
		case "txt":
			return is.text(out)
		case "json":
			return writeJSON(out, is.doc)
		}
		return export.WriteRows(out, f.name, is.columns, is.rows)
	})
}

func fileError(err error) error {
	if errors.Is(err, atomicfile.ErrExists) {
		return failed("--force replaces it", err)
	}
	return failed(directoryHint(err), err)
}

// directoryHint returns what to try where a file or directory could not be made.
func directoryHint(err error) string {
	var lacks interface{ Dir() string }
	var path *fs.PathError
	switch {
	case !errors.Is(err, fs.ErrNotExist):
		return ""
	case errors.As(err, &lacks):
		return makeHint(lacks.Dir())
	case errors.As(err, &path):
		return makeHint(filepath.Dir(filepath.Clean(path.Path)))
	}
	return "make the directory first: mkdir -p"
}

// makeHint returns what to try where there is no directory dir.
func makeHint(dir string) string {
	if dir == "~" || strings.HasPrefix(dir, "~/") || strings.HasPrefix(dir, "$") {
		return unexpandedHint(dir) // not one of that very name
	}
	return "make the directory first: mkdir -p " + shellWord(dir)
}

// notInput makes sure that the output file is none of the inputs, nor what
// stdin comes from where that is one.
func (o *outputFlags) notInput(e *env, args []string) error {
	out, err := os.Stat(o.path)
	if err != nil {
		return nil // nothing there that could be an input
	}
	list, err := inputs(args)
	if err != nil {
		return nil // said when the inputs are read
	}
	for i := range list {
		stat := func() (os.FileInfo, error) { return os.Stat(list[i].path) }
		if list[i].path == "-" {
			file, ok := e.stdin.(interface{ Stat() (os.FileInfo, error) })
			if !ok || !out.Mode().IsRegular() {
				continue // a terminal may well be both
			}
			stat = file.Stat
		}
		if in, err := stat(); err == nil && os.SameFile(in, out) {
			return usage("", fmt.Errorf("the output %s is an input too", o.path))
		}
	}
	return nil
}

// contextWriter is a writer that fails when its context has ended.
type contextWriter struct {
	ctx context.Context
	w   io.Writer
}

func (c *contextWriter) Write(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.w.Write(p)
	err = outputError(err)
	var named *fs.PathError
	if err != nil && !errors.As(err, &named) {
		err = fmt.Errorf("write output: %w", err)
	}
	return n, err
}
