package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/parse"
	"github.com/benchproof/benchproof/result"
)

// input is one thing to read: a file, or stdin.
type input struct {
	path  string // "-" for stdin
	label string // name in the record; "" for the base name
	// apart is the end of the path by which it differs from others that would
	// have the same name; "" where none would.
	apart string
	// found is set for files that a walk through a directory came upon:
	// they need not be results.
	found bool
	// err is why the walk could not go on here; there is nothing to read.
	err error
	// shown is the name in messages where it is another: the path as it was
	// given, where the name alone would not tell which file is meant.
	shown string
	// size is that of the file, 0 if it is none or not known.
	size int64
}

// display returns what the input is called in messages.
func (in *input) display() string {
	if in.shown != "" {
		return in.shown
	}
	return in.name()
}

// name returns what the input is called in the record.
func (in *input) name() string {
	switch {
	case in.apart != "":
		return in.apart
	case in.label != "":
		return in.label
	case in.path == "-":
		return "stdin"
	}
	return filepath.Base(in.path)
}

// inputs finds out what the arguments stand for: paths, directories, "-",
// each with "label=" before it if it is to have another name. Directories
// are walked in sorted order; files in them whose names begin with a dot are
// passed over, and so are all but regular files.
func inputs(args []string) ([]input, error) {
	var list []input
	stdin := false
	for _, arg := range args {
		path, label := arg, ""
		if _, err := os.Stat(arg); err != nil && arg != "-" {
			if before, after, ok := strings.Cut(arg, "="); ok && before != "" {
				label, path = before, after
				if path == "" {
					return nil, usage("NAME=PATH gives the input at PATH another name", fmt.Errorf("%q names no file", arg))
				}
			}
		}
		if path == "-" {
			if stdin {
				return nil, usage("", errors.New("stdin (-) can be read only once"))
			}
			stdin = true
			list = append(list, input{path: path, label: label})
			continue
		}
		info, err := os.Stat(path)
		if err != nil || !info.IsDir() {
			// That it cannot be read is said when it is its turn.
			in := input{path: path, label: label}
			if err == nil && info.Mode().IsRegular() {
				in.size = info.Size()
			}
			list = append(list, in)
			continue
		}
		list = append(list, walk(path, label)...)
	}
	return list, nil
}

// walk lists the files below a directory, named by their path in it.
func walk(dir, label string) []input {
	var list []input
	name := func(path string) string {
		name, err := filepath.Rel(dir, path)
		if err != nil {
			name = path
		}
		if label != "" {
			name = filepath.Join(label, name)
		}
		return filepath.ToSlash(name)
	}
	// The function returns no error but to skip, so there is none.
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		hidden := strings.HasPrefix(filepath.Base(path), ".") && path != dir
		switch {
		case hidden && d != nil && d.IsDir():
			return filepath.SkipDir
		case hidden:
		case err == nil && d.IsDir() && isReplay(path):
			// What else a replay keeps is how its result came about.
			in := input{path: filepath.Join(path, replayResult), label: name(path), found: true}
			if path == dir && label == "" {
				in.label = filepath.Base(path)
			}
			list = append(list, in)
			return filepath.SkipDir
		case err != nil:
			list = append(list, input{path: path, label: name(path), err: err})
		case d.Type().IsRegular():
			in := input{path: path, label: name(path), found: true}
			if info, err := d.Info(); err == nil {
				in.size = info.Size()
			}
			list = append(list, in)
		}
		return nil
	})
	if len(list) == 0 { // beside others it would be missed and not said
		list = append(list, input{path: dir, label: label, err: fmt.Errorf("no result in %s", dir)})
	}
	return list
}

// isReplay reports whether dir is that of a replay that has a result.
func isReplay(dir string) bool {
	return isFile(filepath.Join(dir, replayResult)) && (isFile(filepath.Join(dir, "journal.jsonl")) || isFile(filepath.Join(dir, "job.json")))
}

// source reads inputs and hands over their result files.
type source struct {
	e      *env
	m      *messages
	limits parse.Limits
	filter *filterFlags
	// silent leaves diagnostics to the caller.
	silent bool
	// begun, if set, is called with every input before its files come.
	begun func(*input)
	// opened, if set, is called with every input and its reader before its
	// files come. Inputs are then read one after the other.
	opened func(*input, *parse.Reader)

	// convertUnits converts values whose unit is known to be wrong. It
	// takes whole files.
	convertUnits bool
	// mark is the decimal mark of numbers that leave it open.
	mark parse.Mark

	// systems is set where systems are part of the output.
	systems bool

	// progress, if set, is told how many bytes of the input whose turn it is
	// were read.
	progress func(bytes int64)

	files int // handed over so far

	// whole is the file handed over last, before it was filtered.
	whole *result.File
}

// each calls use for every result file of the arguments, in order. An error
// of use ends it. Inputs that cannot be read are reported and passed over;
// the error that says so comes at the end.
func (s *source) each(ctx context.Context, args []string, use func(*result.File) error) error {
	return s.through(ctx, args, func(in *input, early outcome, saw func(*result.File)) error {
		take := func(f *result.File) error {
			saw(f)
			s.files++
			if s.convertUnits {
				f = analyze.ConvertUnits(f)
			}
			s.whole = f
			return use(s.filter.apply(f))
		}
		if early.later {
			return s.read(ctx, in, take)
		}
		for _, f := range early.files {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := take(f); err != nil {
				return &stopError{err}
			}
		}
		return early.err
	})
}

// through calls read for every input of the arguments, in order, with what it
// gave where it was read before its turn, and a function that takes notice of
// what the reader said about a file.
func (s *source) through(ctx context.Context, args []string, read func(in *input, early outcome, saw func(*result.File)) error) error {
	list, err := inputs(args)
	if err != nil {
		return err
	}
	s.tellApart(list)
	progress := newProgress(s.e, s.m, list)
	defer progress.end()
	s.progress = progress.within
	ahead := s.readAhead(ctx, list)
	defer ahead.end()
	var unread, passed []error
	lost := false
	for i := range list {
		progress.at(i, list[i].display())
		s.prompt(&list[i])
		if s.begun != nil {
			s.begun(&list[i])
		}
		err := rename(&list[i], read(&list[i], ahead.take(ctx, i), func(f *result.File) {
			for _, d := range f.Diagnostics {
				lost = lost || d.Severity == result.SeverityError
			}
			if !s.silent {
				name := f.Source
				if name == list[i].name() {
					name = list[i].display()
				}
				s.m.diagnostics(f, name, s.systems)
			}
		}))
		var stop *stopError
		switch {
		case errors.As(err, &stop):
			return stop.err
		case ctx.Err() != nil:
			return context.Canceled
		case err == nil:
		case list[i].found && errors.Is(err, parse.ErrFormat):
			passed = s.m.passOver(passed, err)
		case len(list) == 1:
			return &exitError{exitUnread, err, unreadHint(err, args)}
		default:
			s.m.unread(err)
			unread = append(unread, err)
		}
	}
	s.m.passedOver(passed)
	if s.files > 0 {
		s.filter.warn(s.m)
	}
	switch {
	case len(unread) > 0:
		return &exitError{exitUnread, fmt.Errorf("%d of %s could not be read", len(unread), phrase.Count(len(list), "input")), unreadHint(unread[len(unread)-1], args)}
	case s.files == 0:
		return &exitError{exitUnread, fmt.Errorf("no result in %s", strings.Join(args, ", ")), ""}
	case lost && !s.silent:
		return &exitError{exitUnread, errLost, "benchproof check lists what is wrong"}
	}
	return nil
}

// unreadOr returns err, the error of a command about what it has read, with
// the code of readErr, that of the inputs, if there is one: what is missing may be
// what could not be read, and that is no wrong use. What readErr has to say is
// said first.
func unreadOr(m *messages, readErr, err error) error {
	var e *exitError
	if readErr == nil || !errors.As(err, &e) || e.code != exitUsage {
		return err
	}
	if !errors.Is(readErr, errLost) {
		m.unread(readErr)
	}
	return &exitError{exitUnread, err, "benchproof check lists what could not be read"}
}

// errLost says that readers have said what they could not read.
var errLost = errors.New("some values could not be read")

// stopError is an error of the caller's use of a file.
type stopError struct{ err error }

func (e *stopError) Error() string { return e.err.Error() }

// read hands over the files of one input.
func (s *source) read(ctx context.Context, in *input, use func(*result.File) error) error {
	r, err := s.openNow(ctx, in)
	if err != nil {
		return err
	}
	defer r.Close()
	if s.opened != nil {
		s.opened(in, r)
	}
	for f, err := range r.Files() {
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := use(f); err != nil {
			return &stopError{err}
		}
	}
	return nil
}

// openNow opens the input whose turn it is.
func (s *source) openNow(ctx context.Context, in *input) (*parse.Reader, error) {
	return s.openWith(ctx, in, s.progress)
}

// open opens an input.
func (s *source) open(ctx context.Context, in *input) (*parse.Reader, error) {
	return s.openWith(ctx, in, nil)
}

func (s *source) openWith(ctx context.Context, in *input, progress func(int64)) (*parse.Reader, error) {
	if in.err != nil {
		return nil, in.err
	}
	label := in.label
	if in.apart != "" {
		label = in.apart
	}
	o := parse.Options{Label: label, Limits: s.limits, Progress: progress, Mark: s.mark}
	if in.path == "-" {
		return parse.NewReader(&contextReader{ctx, s.e.stdin}, in.name(), o)
	}
	return parse.Open(in.path, o)
}

// unreadHint returns what to try when an input of the arguments could not be
// read.
func unreadHint(err error, args []string) string {
	var limit *limitError
	var path *fs.PathError
	var syntax *parse.SyntaxError
	last := args[len(args)-1]
	switch {
	case errors.As(err, &limit):
		return "raise the limit with " + limit.Flag
	case errors.As(err, &syntax) && strings.HasPrefix(syntax.Found, "an Office document"):
		return "of a workbook that benchproof wrote, the sheet Records saved as CSV is read"
	case len(args) > 1 && errors.As(err, &path) && errors.Is(err, fs.ErrNotExist) && path.Path == last:
		// A text is rather an input.
		if f := endingFormat(last); f != nil && f.name != "txt" || slices.Contains(pageFormat.endings, strings.ToLower(filepath.Ext(last))) {
			return "if that is the output: -o " + last
		}
	case errors.As(err, &syntax):
		return syntax.Hint
	}
	if errors.As(err, &path) && errors.Is(err, fs.ErrNotExist) {
		return missingHint(path.Path, args)
	}
	return ""
}

// limitError is a parse.LimitError in words for the command line, where the
// flag is the hint.
type limitError struct{ *parse.LimitError }

func (e *limitError) Error() string {
	where := e.Source
	if e.Origin.Line > 0 {
		where = e.Origin.String()
	}
	limit := fmt.Sprint(e.Limit)
	if size := byteSize(e.Limit); e.Flag == "--max-input" || e.Flag == "--max-text" {
		limit = size.String()
	}
	return fmt.Sprintf("%s: %s is over the limit of %s", where, e.What, limit)
}

func (e *limitError) Unwrap() error { return e.LimitError }

// rename puts the name of an input in messages into the error of its reader.
func rename(in *input, err error) error {
	var syntax *parse.SyntaxError
	var limit *parse.LimitError
	switch {
	case errors.As(err, &syntax):
		if syntax.Origin.Source == in.name() {
			syntax.Origin.Source = in.display()
		}
	case errors.As(err, &limit):
		if limit.Source == in.name() {
			limit.Source = in.display()
		}
		if limit.Origin.Source == in.name() {
			limit.Origin.Source = in.display()
		}
		return &limitError{limit}
	}
	return err
}

// prompt says on a terminal how to end what is typed into it.
func (s *source) prompt(in *input) {
	if in.path == "-" && s.e.stdinTerminal && !s.m.g.quiet {
		s.m.line("info", "reads from the terminal: paste the text, then press Ctrl-D on a line of its own (Ctrl-Z and Enter on Windows)")
	}
}

// contextReader is a reader that gives up when its context ends, though the
// read below it may never return.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c *contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	type outcome struct {
		n   int
		err error
	}
	// The read gets a buffer of its own: it may end after the caller has
	// given up.
	buf := make([]byte, len(p))
	done := make(chan outcome, 1)
	go func() {
		n, err := c.r.Read(buf)
		done <- outcome{n, err}
	}()
	select {
	case o := <-done:
		return copy(p, buf[:o.n]), o.err
	case <-c.ctx.Done():
		return 0, c.ctx.Err()
	}
}
