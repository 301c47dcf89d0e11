package main

import (
	"bufio"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/internal/number"
	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/parse"
	"github.com/benchproof/benchproof/result"
)

// appendTo adds to the long table in the file of the output what the inputs
// have and it does not. What stands in it stays byte for byte, columns that
// others have added too; a file that is not there is made.
func (o *convertOptions) appendTo(ctx context.Context, a *app, src *source, args []string) error {
	path := o.output.path
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return writeFiles(ctx, a.e, a.m, src, &o.output, o.format, o.view, args)
	}
	dialect, lastLine, err := csvDialect(path)
	if err != nil {
		return err
	}
	known := newKnownRows()
	if err := known.read(ctx, path, o.limits.limits); err != nil {
		return err
	}
	o.output.force = true // what is replaced is in what replaces it
	out, err := o.output.open(ctx, a.e, o.format, args)
	if err != nil {
		return err
	}
	if err := copyFile(out, path, lastLine); err != nil {
		out.discard()
		return failed("", err)
	}
	w := export.NewCSVRows(out, dialect)
	added := 0
	readErr := src.each(ctx, args, func(f *result.File) error {
		rest, twins := known.without(f)
		if twins > 0 && !a.globals.quiet {
			a.m.line("info", fmt.Sprintf("%s: %d of its %s %s in %s already", f.Source, twins, phrase.Count(twins+measurements(rest), "value"), phrase.Verb(twins, "is", "are"), path))
		}
		known.next()
		added += measurements(rest)
		return w.Write(rest)
	})
	if src.files == 0 || added == 0 || readErr != nil && exitCode(readErr) != exitUnread {
		out.discard()
		return readErr
	}
	if err := out.commit(); err != nil {
		return err
	}
	return readErr
}

// csvDialect is the dialect of the long table in a file, and how its last line
// ends where that has no end.
func csvDialect(path string) (d export.CSVDialect, lastLine string, err error) {
	file, err := os.Open(path)
	if err != nil {
		return d, "", failed("", err)
	}
	defer file.Close()
	buffered := bufio.NewReader(file)
	header, err := buffered.ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return d, "", failed("", err)
	}
	var names []string
	for _, c := range export.Results.Columns() {
		names = append(names, c.Name)
	}
	header = strings.TrimPrefix(header, "\ufeff")
	line := strings.TrimRight(header, "\r\n")
	if rest, ok := strings.CutPrefix(line, names[0]); ok && rest != "" {
		d.Separator = rest[0]
	}
	all := strings.Join(names, string(d.Separator))
	if rest, ok := strings.CutPrefix(line, all); !ok || !strings.ContainsRune(",;\t", rune(d.Separator)) || rest != "" && rest[0] != d.Separator {
		return d, "", usage("benchproof convert INPUT... -o FILE.csv begins one",
			fmt.Errorf("%s is no long table of results: its first line is another", path))
	}
	d.CRLF = strings.HasSuffix(header, "\r\n")
	end := "\n"
	if d.CRLF {
		end = "\r\n"
	}
	fields, err := csvReader(strings.NewReader(line), d.Separator).Read()
	if err != nil {
		return d, "", failed("", fmt.Errorf("%s:1: %w", path, err))
	}
	d.More = len(fields) - len(names)
	d.DecimalComma = d.Separator == ';' && !hasPoint(buffered)
	if ended, err := endsLine(file); err != nil {
		return d, "", failed("", err)
	} else if !ended {
		lastLine = end
	}
	return d, lastLine, nil
}

// hasPoint reports whether figures of a table divided by semicolons have a
// decimal point.
func hasPoint(rows io.Reader) bool {
	r := csvReader(rows, ';')
	for {
		row, err := r.Read()
		var syntax *csv.ParseError
		switch {
		case errors.As(err, &syntax):
			continue
		case err != nil:
			return false
		}
		for i, c := range export.Results.Columns() {
			if c.Kind == export.Figure && i < len(row) && strings.Contains(row[i], ".") && strings.Trim(row[i], "+-0123456789eE,.;") == "" {
				return true
			}
		}
	}
}

func csvReader(r io.Reader, separator byte) *csv.Reader {
	c := csv.NewReader(r)
	c.Comma, c.FieldsPerRecord, c.ReuseRecord = rune(separator), -1, true
	return c
}

func endsLine(file *os.File) (bool, error) {
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil || size == 0 {
		return false, err
	}
	last := make([]byte, 1)
	_, err = file.ReadAt(last, size-1)
	return last[0] == '\n', err
}

// copyFile writes the file at path, and behind it what ends its last line.
func copyFile(w io.Writer, path, lastLine string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	if _, err := io.Copy(w, file); err != nil {
		return err
	}
	_, err = io.WriteString(w, lastLine)
	return err
}

func measurements(f *result.File) int {
	n := 0
	for i := range f.Tests {
		n += len(f.Tests[i].Measurements)
	}
	return n
}

// knownRows counts the rows of a long table by what they say: the result, by
// its title, the test, the system and its figures. The name of the file and
// the place in it are none of that: a result that was read from another form
// is the same, and one of a form without standard errors is that with them.
// Equal rows of one input are as many; those of a later one are the same.
type knownRows struct{ before, now map[string]int }

func newKnownRows() *knownRows {
	return &knownRows{map[string]int{}, map[string]int{}}
}

// read takes notice of the rows of a file.
func (k *knownRows) read(ctx context.Context, path string, limits parse.Limits) error {
	r, err := parse.Open(path, parse.Options{Limits: limits})
	if err != nil {
		return &exitError{exitUnread, err, ""}
	}
	defer r.Close()
	for f, err := range r.Files() {
		if err != nil {
			return &exitError{exitUnread, err, ""}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		k.without(f)
	}
	k.next()
	return nil
}

// next makes what was seen known.
func (k *knownRows) next() {
	for key, n := range k.now {
		k.before[key] = max(k.before[key], n)
	}
	clear(k.now)
}

// without returns f without the measurements that are known, and how many these
// are.
func (k *knownRows) without(f *result.File) (rest *result.File, known int) {
	names := f.SystemNames()
	of := f.Title
	if of == "" {
		of = f.Source
	}
	c := *f
	c.Tests = nil
	for i := range f.Tests {
		t := f.Tests[i]
		var left []result.Measurement
		for j := range t.Measurements {
			m := &t.Measurements[j]
			stdError, samples := number.Figures(m)
			key := strings.Join([]string{
				of, t.Title, t.Version, t.Arguments, t.Scale, names[m.System], export.Value(m), m.Status.String(),
			}, "\x00")
			full := strings.Join([]string{key, stdError, strconv.Itoa(samples)}, "\x00")
			k.now[key]++
			k.now[full]++
			if k.now[full] <= k.before[full] || stdError == "" && samples == 0 && k.now[key] <= k.before[key] {
				known++
				continue
			}
			left = append(left, *m)
		}
		if len(left) > 0 {
			t.Measurements = left
			c.Tests = append(c.Tests, t)
		}
	}
	return &c, known
}
