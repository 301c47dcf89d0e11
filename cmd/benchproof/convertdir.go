package main

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/internal/atomicfile"
	"github.com/benchproof/benchproof/result"
)

// indexName is the file in a directory of results that says which is which.
const indexName = "index.csv"

// indexColumns are those of that file. By them a directory is known for one that
// convert has made.
var indexColumns = []export.Column{
	{Name: "file", Kind: export.Text},
	{Name: "source", Kind: export.Text},
	{Name: "title", Kind: export.Text},
	{Name: "systems", Kind: export.Count},
	{Name: "tests", Kind: export.Count},
}

// writeDir writes each result into a file of its own in the directory of -o,
// which is there whole or not at all.
func (o *convertOptions) writeDir(ctx context.Context, a *app, src *source, args []string) error {
	if err := noInputIn(o.output.path, args); err != nil {
		return err
	}
	dir, err := atomicfile.CreateDir(o.output.path, o.output.force, ofIndex(o.output.path))
	if err != nil {
		if errors.Is(err, atomicfile.ErrForeign) {
			return failed("--force replaces a directory that holds what convert wrote alone; name another", err)
		}
		return dirError(err)
	}
	forget := a.e.cleanup.add(dir.Discard)
	defer forget()
	d := &resultDir{path: dir.Path(), view: o.view, format: o.format, ending: ".txt", taken: map[string]bool{strings.ToLower(indexName): true}}
	if len(o.format.endings) > 0 {
		d.ending = o.format.endings[0]
	}
	d.view.dir = dir.Path()
	var warnings []string
	readErr := src.each(ctx, args, func(f *result.File) error {
		said, err := d.add(ctx, f)
		warnings = append(warnings, said...)
		return err
	})
	if src.files == 0 || readErr != nil && exitCode(readErr) != exitUnread {
		dir.Discard()
		return readErr
	}
	if err := d.writeIndex(); err != nil {
		dir.Discard()
		return failed("", fmt.Errorf("write %s: %w", o.output.path, inDirectory(err)))
	}
	if err := ctx.Err(); err != nil {
		dir.Discard()
		return err
	}
	if err := dir.Commit(); err != nil {
		return dirError(err)
	}
	for _, text := range warnings {
		a.m.warning("%s", text)
	}
	return readErr
}

// ofIndex returns what says of a name in a directory whether convert has written
// the file: its index lists it.
func ofIndex(dir string) func(name string) bool {
	listed := map[string]bool{}
	file, err := os.Open(filepath.Join(dir, indexName))
	if err == nil {
		records, err := csv.NewReader(file).ReadAll()
		if err == nil && len(records) > 0 && slices.EqualFunc(records[0], indexColumns, func(name string, c export.Column) bool { return name == c.Name }) {
			listed[indexName] = true
			for _, r := range records[1:] {
				listed[r[0]] = true
			}
		}
		_ = file.Close()
	}
	return func(name string) bool { return listed[name] }
}

// resultDir is a directory of results in the making.
type resultDir struct {
	path   string
	view   view
	format *format
	ending string
	taken  map[string]bool // names in lower case, as some file-systems take them
	index  [][]string
}

// add writes a file for f, and returns what its writer warns of.
func (d *resultDir) add(ctx context.Context, f *result.File) (warnings []string, err error) {
	name := d.name(f.Source)
	d.index = append(d.index, []string{name, f.Source, f.Title, strconv.Itoa(len(f.Systems)), strconv.Itoa(len(f.Tests))})
	file, err := os.OpenFile(filepath.Join(d.path, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, failed("", inDirectory(err))
	}
	w := d.format.open(&contextWriter{ctx, file}, d.view)
	if err = w.Write(f); err == nil {
		err = w.Close()
	} else if c, ok := w.(interface{ Discard() }); ok {
		c.Discard()
	}
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return nil, failed("", inDirectory(err))
	}
	if warner, ok := w.(interface{ Warnings() []string }); ok {
		for _, text := range warner.Warnings() {
			warnings = append(warnings, name+": "+text)
		}
	}
	return warnings, nil
}

// name returns a name for the result of a source that no other has: that of the
// source, with its ending where another has the same, or with a number.
func (d *resultDir) name(source string) string {
	stem := fileStem(source)
	name := stem + d.ending
	if ending := fileEnding(source); d.taken[strings.ToLower(name)] && ending != "" {
		stem += "-" + ending
		name = stem + d.ending
	}
	for n := 2; d.taken[strings.ToLower(name)]; n++ {
		name = fmt.Sprintf("%s-%d%s", stem, n, d.ending)
	}
	d.taken[strings.ToLower(name)] = true
	return name
}

// maxStem is how many characters of a source its file's name has at most: some
// file-systems allow 143 bytes a name.
const maxStem = 100

// inputEndings are endings of inputs, which say nothing of what is written.
var inputEndings = []string{".gz", ".xz", ".zst", ".txt", ".text", ".html", ".htm", ".xml", ".json", ".ndjson", ".csv", ".log", ".md"}

// fileEnding returns the ending of an input, without its point, that says nothing
// of what is written; "" if it has none.
func fileEnding(source string) string {
	for _, e := range inputEndings {
		if at := len(source) - len(e); at > 0 && strings.EqualFold(source[at:], e) {
			return strings.ToLower(e[1:])
		}
	}
	return ""
}

// devices are names that Windows takes for devices, whatever their ending.
var devices = []string{"con", "prn", "aux", "nul", "com", "lpt"}

// fileStem makes of what a source is called a name that is harmless on every
// file-system and in a shell: letters and digits of ASCII, points, minus and
// underscore. What a stranger called a file leads to no other directory.
func fileStem(source string) string {
	for e := fileEnding(source); e != ""; e = fileEnding(source) {
		source = source[:len(source)-len(e)-1]
	}
	var b strings.Builder
	for _, r := range source {
		switch {
		case r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)), r == '.', r == '_':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() == maxStem {
			break
		}
	}
	stem := strings.Trim(b.String(), "-.")
	first, _, _ := strings.Cut(strings.ToLower(stem), ".")
	if stem == "" || slices.Contains(devices, strings.TrimRight(first, "0123456789")) {
		stem = strings.TrimSuffix("result-"+stem, "-")
	}
	return stem
}

// writeIndex writes which file has which result.
func (d *resultDir) writeIndex() error {
	file, err := os.OpenFile(filepath.Join(d.path, indexName), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	err = export.WriteRows(file, "csv", indexColumns, slices.Values(d.index))
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	return err
}
