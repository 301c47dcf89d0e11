package native

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/benchproof/benchproof/internal/phrase"
)

// Exit codes of Main, those of the command line.
const (
	exitOK          = 0
	exitUsage       = 2
	exitFailed      = 4
	exitInterrupted = 130
)

// driver is one tool.
type driver struct {
	name    string
	summary string
	// run parses its arguments and does its work. It returns a usageError
	// for wrong arguments.
	run func(r *run, args []string) (*Report, error)
}

// run is one call of a driver.
type run struct {
	ctx    context.Context
	stderr io.Writer
	// stopped is set when ctx is done; loops look at it.
	stopped atomic.Bool
}

// stop returns the context's error once it is done.
func (r *run) stop() error {
	if !r.stopped.Load() {
		return nil
	}
	return r.ctx.Err()
}

type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error { return &usageError{fmt.Errorf(format, args...)} }

// parseFlags parses a driver's arguments: flags alone.
func parseFlags(fs *flag.FlagSet, args []string) error {
	fs.SetOutput(io.Discard)
	if err := fs.Parse(args); err != nil {
		return &usageError{flagError(fs, err)}
	}
	if fs.NArg() > 0 {
		return usagef("unknown argument %q", fs.Arg(0))
	}
	return nil
}

// flagError says in the words of the command line what package flag says: its
// errors have no types.
func flagError(fs *flag.FlagSet, err error) error {
	text := err.Error()
	if errors.Is(err, flag.ErrHelp) {
		var names []string
		fs.VisitAll(func(f *flag.Flag) { names = append(names, "-"+f.Name) })
		return fmt.Errorf("its flags are %s", strings.Join(names, ", "))
	}
	if name, ok := strings.CutPrefix(text, "flag provided but not defined: "); ok {
		return fmt.Errorf("unknown flag %s", name)
	}
	if name, ok := strings.CutPrefix(text, "flag needs an argument: "); ok {
		return fmt.Errorf("%s needs a value", name)
	}
	var value, name string
	rest := strings.TrimPrefix(strings.TrimPrefix(text, "invalid boolean value "), "invalid value ")
	if quoted, qerr := strconv.QuotedPrefix(rest); qerr == nil {
		value = quoted
		rest = strings.TrimPrefix(strings.TrimPrefix(rest[len(quoted):], " for flag "), " for ")
		if before, reason, ok := strings.Cut(rest, ": "); ok {
			name = strings.TrimPrefix(before, "-")
			if reason == "parse error" {
				reason = "want a number"
			}
			return fmt.Errorf("-%s %s: %s", name, value, reason)
		}
	}
	return err
}

// driverNames returns the names of the drivers, sorted.
func driverNames() []string {
	var names []string
	for _, d := range drivers {
		names = append(names, d.name)
	}
	slices.Sort(names)
	return names
}

// Main runs the driver that args name first with the flags behind it, and
// returns the exit code: 0 with a Report in JSON on stdout, 2 for wrong
// arguments, 4 where the run failed, 130 where ctx was done before its end.
// With another code than 0 nothing is on stdout and one line on stderr says
// why.
func Main(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 && args[0] == rankName {
		return rankMain(args[1:], stdout, stderr)
	}
	report, err := runDriver(ctx, args, stderr)
	if err == nil {
		var text []byte
		if text, err = json.MarshalIndent(report, "", "  "); err == nil {
			_, err = stdout.Write(append(text, '\n'))
		}
	}
	if err == nil {
		return exitOK
	}
	name := ": "
	if len(args) > 0 && slices.Contains(driverNames(), args[0]) {
		name = " " + args[0] + ": "
	}
	code := exitFailed
	var use *usageError
	switch {
	case errors.As(err, &use):
		code = exitUsage
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		code, err = exitInterrupted, errors.New("interrupted")
	}
	fmt.Fprintf(stderr, "benchproof: error: native%s%s\n", name, strings.Join(strings.Fields(err.Error()), " "))
	return code
}

func runDriver(ctx context.Context, args []string, stderr io.Writer) (*Report, error) {
	if len(args) == 0 {
		return nil, usagef("no driver: want %s", phrase.Or(driverNames()))
	}
	i := slices.IndexFunc(drivers, func(d driver) bool { return d.name == args[0] })
	if i < 0 {
		return nil, usagef("unknown driver %q: want %s", args[0], phrase.Or(driverNames()))
	}
	r := &run{ctx: ctx, stderr: stderr}
	defer context.AfterFunc(ctx, func() { r.stopped.Store(true) })()
	report, err := drivers[i].run(r, args[1:])
	if err == nil {
		err = ctx.Err() // what came at the last moment may have cut something short
	}
	if err == nil {
		err = report.broken()
	}
	if err != nil {
		return nil, err
	}
	return report, nil
}
