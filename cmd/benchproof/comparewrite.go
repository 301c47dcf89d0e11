package main

import (
	"context"
	"fmt"
	"io"
	"iter"

	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/export/xlsx"
	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/result"
)

// analysis is the outcome of a command that analyses all of its files
// together, ready to be written.
type analysis struct {
	columns    []export.Column
	rows       iter.Seq[[]string]
	text, json func(io.Writer) error
	// book gives the outcome to a workbook.
	book     func(*xlsx.Writer)
	warnings []string
}

// analyzeFiles reads all inputs, analyses them as one set and writes the
// outcome. Where only some could be read, their outcome is written, and the
// error comes after. A workbook is the whole one. It needs a number of systems.
func analyzeFiles(ctx context.Context, a *app, read *readFlags, o *outputFlags, f *format, args []string, need int, use func([]*result.File) (analysis, error)) error {
	src := read.source(a.e, a.m)
	var files []*result.File
	readErr := src.each(ctx, args, func(file *result.File) error {
		files = append(files, file)
		return nil
	})
	if len(files) == 0 || readErr != nil && exitCode(readErr) != exitUnread {
		return readErr
	}
	if n := countSystems(files); n < need {
		few := fmt.Errorf("want %s or more to set beside each other, got %d", phrase.Count(need, "system"), n)
		return unreadOr(a.m, readErr, usage("a second input can give it", few))
	}
	found, err := use(files)
	if err != nil {
		return unreadOr(a.m, readErr, err)
	}
	err = o.write(ctx, a.e, f, args, func(out io.Writer) error { return found.write(out, f, files) })
	if err != nil {
		return err
	}
	if f.name == "txt" && !o.toFile() {
		return readErr // the report on stdout has them
	}
	for _, text := range found.warnings {
		a.m.warning("%s", text)
	}
	return readErr
}

func countSystems(files []*result.File) int {
	n := 0
	for _, f := range files {
		n += len(f.Systems)
	}
	return n
}

func (n *analysis) write(w io.Writer, f *format, files []*result.File) error {
	switch f.name {
	case "txt":
		return n.text(w)
	case "json":
		return n.json(w)
	case "csv", "ndjson", "md":
		return export.WriteRows(w, f.name, n.columns, n.rows)
	}
	book := f.open(w, view{})
	if x, ok := book.(*xlsx.Writer); ok {
		n.book(x)
	}
	for _, file := range files {
		if err := book.Write(file); err != nil {
			return err
		}
	}
	return book.Close()
}

// textOptions are those of an analysis for people, by the flags and the
// terminal.
func textOptions(a *app, o *outputFlags, width int) export.TextOptions {
	t := export.TextOptions{Width: width, ASCII: a.globals.ascii, Color: a.globals.color == "always"}
	if !o.toFile() {
		t.Color = a.e.color(a.globals.color)
		if t.Width == 0 {
			t.Width = a.e.lineWidth()
		}
	}
	return t
}
