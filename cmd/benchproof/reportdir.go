package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/export/html"
	"github.com/benchproof/benchproof/export/picture"
	"github.com/benchproof/benchproof/internal/atomicfile"
	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/internal/term"
)

// Names of what a report's directory holds beside the pictures.
const (
	pageName  = "index.html"
	notesName = "notes.txt"
)

// pictureName is what the names of pictures look like.
var pictureName = regexp.MustCompile(`^[0-9]{2,}-[a-z0-9-]+\.(svg|png)$`)

// ofReport reports whether a file in a report's directory is one that a report
// writes.
func ofReport(name string) bool {
	return name == pageName || name == notesName || name == picture.IndexName || pictureName.MatchString(name)
}

// writeDir writes the page and all pictures into the directory of -o, which is
// there whole or not at all.
func (o *reportOptions) writeDir(ctx context.Context, a *app, args []string, set *analyze.Set, page *html.Page) error {
	if err := noInputIn(o.output.path, args); err != nil {
		return err
	}
	compared, err := analyze.Compare(set, o.analysis)
	if err != nil {
		return nameError(err)
	}
	ranked, err := analyze.Rank(set)
	if err != nil {
		return failed("", err)
	}
	dir, err := atomicfile.CreateDir(o.output.path, o.output.force, ofReport)
	if err != nil {
		return dirError(err)
	}
	forget := a.e.cleanup.add(dir.Discard)
	defer forget()
	notes, err := o.fillDir(ctx, a, dir.Path(), page, compared, ranked)
	if err != nil {
		dir.Discard()
		if errors.Is(err, context.Canceled) {
			return err
		}
		return failed("", fmt.Errorf("write %s: %w", o.output.path, inDirectory(err)))
	}
	if err := ctx.Err(); err != nil {
		dir.Discard()
		return err
	}
	if err := dir.Commit(); err != nil {
		return dirError(err)
	}
	const most = 3
	for i, text := range notes {
		if i == most {
			a.m.warning("%s on pictures %s in %s", phrase.Count(len(notes)-most, "more note"), phrase.Verb(len(notes)-most, "is", "are"), filepath.Join(o.output.path, notesName))
			break
		}
		a.m.warning("%s", text)
	}
	return nil
}

// inDirectory returns an error with the name of a file in the directory instead of
// where it lies until the directory is whole.
func inDirectory(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return fmt.Errorf("%s: %w", filepath.Base(path.Path), path.Err)
	}
	return err
}

// fillDir writes into a directory that is not in its place yet.
func (o *reportOptions) fillDir(ctx context.Context, a *app, path string, page *html.Page, c *analyze.Comparison, r *analyze.Ranking) ([]string, error) {
	file, err := os.Create(filepath.Join(path, pageName))
	if err != nil {
		return nil, err
	}
	err = page.Write(&contextWriter{ctx, file})
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return nil, err
	}
	show := a.drawing()
	defer a.m.show("")
	notes, err := picture.Write(ctx, path, c, r, picture.Options{Done: show})
	if err != nil || len(notes) == 0 {
		return notes, err
	}
	var b strings.Builder
	for _, text := range notes {
		b.WriteString(term.Visible(text) + "\n")
	}
	return notes, os.WriteFile(filepath.Join(path, notesName), []byte(b.String()), 0o666)
}

// drawing returns what shows on a terminal how many pictures are drawn, once
// that has taken a second.
func (a *app) drawing() func(written, all int) {
	if a.globals.progress != "auto" || !a.e.stderrTerminal || a.globals.quiet {
		return nil
	}
	begun, last := time.Now(), time.Time{}
	return func(written, all int) {
		now := time.Now()
		if now.Sub(begun) < progressAfter || now.Sub(last) < progressEvery {
			return
		}
		last = now
		a.m.show(fmt.Sprintf("drawing %d of %s", written, phrase.Count(all, "picture")))
	}
}

// noInputIn makes sure that no input lies in the directory that is written.
func noInputIn(path string, args []string) error {
	dir, err := os.Stat(path)
	if err != nil {
		return nil // nothing there that could hold an input
	}
	list, err := inputs(args)
	if err != nil {
		return nil // said when the inputs are read
	}
	for i := range list {
		at, err := filepath.Abs(list[i].path)
		if err != nil || list[i].path == "-" {
			continue
		}
		for up := filepath.Dir(at); ; up = filepath.Dir(up) {
			if info, err := os.Stat(up); err == nil && os.SameFile(info, dir) {
				return usage("", fmt.Errorf("the input %s is in the output directory %s", list[i].path, path))
			}
			if up == filepath.Dir(up) {
				break
			}
		}
	}
	return nil
}

// dirError gives an error of the output directory a hint.
func dirError(err error) error {
	switch {
	case errors.Is(err, atomicfile.ErrForeign):
		return failed("--force replaces a directory that holds a report alone; name another", err)
	case errors.Is(err, atomicfile.ErrExists):
		return failed("--force replaces it", err)
	}
	return failed(directoryHint(err), err)
}
