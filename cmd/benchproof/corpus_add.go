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
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/benchproof/benchproof/corpus"
	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/parse"
)

func init() {
	corpusCommands = append(corpusCommands, (*app).corpusAdd, (*app).corpusCommit)
}

// corpusAddOptions are the flags of corpus add.
type corpusAddOptions struct {
	into, list, partial string
	rehash, retry       bool
	jobs                int
	limits              limitFlags
	slurm               corpusSlurmFlags
}

func (o *corpusAddOptions) addFlags(f *pflag.FlagSet) {
	f.StringVar(&o.into, "into", "", "add to the corpus in `DIR`, which is made if it is not there")
	f.StringVar(&o.list, "files-from", "", "add the paths that `FILE` lists, one a line; - is stdin")
	f.BoolVar(&o.rehash, "rehash", false, "read all files again to see whether they changed, whatever their time")
	f.BoolVar(&o.retry, "retry", false, "read files again that could not be read before")
	f.IntVar(&o.jobs, "jobs", 0, "read `N` files at once (default one a core)")
	f.StringVar(&o.partial, "partial", "", "keep what is added aside as the partial set `NAME`, for corpus commit: many can add at once")
}

func (o *corpusAddOptions) validate() error {
	if o.into == "" {
		return usage("--into DIR names the corpus", errors.New("no corpus"))
	}
	if o.jobs < 0 || o.jobs > 4096 {
		return usage("", fmt.Errorf("--jobs %d: want 1 to 4096", o.jobs))
	}
	if err := o.slurm.validate(); err != nil {
		return err
	}
	if o.slurm.on && o.partial != "" {
		return usage("", errors.New("--partial and --slurm exclude each other: each element has a partial set of its own"))
	}
	return o.limits.validate()
}

func (a *app) corpusAdd() *cobra.Command {
	o := &corpusAddOptions{}
	c := a.command(command{
		use:   "add PATH... --into DIR",
		short: "add result files to a corpus",
		long: `Add reads result files, those of directories too, and adds them to a corpus.
A file whose size and time of change are known is not read again, one whose
content is known under another path is kept once, with both paths. A file that
was changed in its place is read anew, and queries leave out what it was.

Files are read on all cores; parts of the corpus come in whole. When it is
interrupted or killed, what came in stays, and the same command goes on from
there. Files that cannot be read are told and remembered; --retry tries them
again. Two cannot add to one corpus at once, but with --partial, whose sets
corpus commit takes in.

With --slurm the inputs are divided by their bytes over the elements of an array
of Slurm, and a job that waits for all commits once. The corpus and all inputs
must lie on a file-system that the hosts share.`,
		exits: exitTexts{exitNo: "", exitFailed: "failed: the corpus could not be written", exitRefused: "", exitInterrupted: "interrupted; what came in stays, and the same command goes on"},
		example: `  benchproof corpus add results/ --into set
  find / -name composite.xml | benchproof corpus add --files-from - --into set
  benchproof corpus add --files-from list.7 --partial 7 --into set
  benchproof corpus add /shared/results --into /shared/set --slurm --parts 16`,
		args:     cobra.ArbitraryArgs,
		validate: o.validate,
		run:      func(ctx context.Context, args []string) error { return o.run(ctx, a, args) },
	})
	addFlags(c, groupOwn, func(f *pflag.FlagSet) {
		o.addFlags(f)
		o.slurm.addFlags(f)
	})
	addFlags(c, groupLimit, o.limits.addFlags)
	o.slurm.flags = c.Flags()
	return c
}

// inputs returns what is to be added, and a function that ends its reading.
func (o *corpusAddOptions) inputs(a *app, args []string) (iter.Seq[corpus.Input], func(), error) {
	if len(args) == 0 && o.list == "" {
		return nil, nil, usage("name a file or a directory, or a list with --files-from", errors.New("no input"))
	}
	for _, p := range args {
		if p == "-" {
			return nil, nil, usage("--files-from - reads a list of paths", errors.New("a corpus keeps files by their path: stdin (-) has none"))
		}
	}
	list := io.Reader(nil)
	done := func() {}
	switch o.list {
	case "":
	case "-":
		list = a.e.stdin
	default:
		f, err := os.Open(o.list)
		if err != nil {
			return nil, nil, &exitError{exitUnread, err, ""}
		}
		list, done = f, func() { _ = f.Close() }
	}
	return func(yield func(corpus.Input) bool) {
		for in := range corpus.Walk(args...) {
			if !yield(in) {
				return
			}
		}
		if list != nil {
			corpus.List(list)(yield)
		}
	}, done, nil
}

// maxProblems is how many inputs that cannot be read are told one by one,
// unless --verbose asks for all.
const maxProblems = 20

func (o *corpusAddOptions) run(ctx context.Context, a *app, args []string) error {
	inputs, done, err := o.inputs(a, args)
	if err != nil {
		return err
	}
	defer done()
	if o.slurm.on {
		return o.submit(ctx, a, inputs)
	}
	report, told, err := o.add(ctx, a, inputs)
	if err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	if e := o.print(a, &report); e != nil {
		return e
	}
	switch {
	case err != nil:
		return context.Canceled
	case told > 0:
		return &exitError{exitUnread, fmt.Errorf("%d of %s could not be read", told, phrase.Count(report.Inputs, "input")), "--retry reads them again"}
	case report.Inputs == 0:
		return &exitError{exitUnread, errors.New("no file to add"), ""}
	}
	return nil
}

// add adds inputs, says which could not be read, and returns how many.
func (o *corpusAddOptions) add(ctx context.Context, a *app, inputs iter.Seq[corpus.Input]) (report corpus.Report, told int, err error) {
	a.e.slow.Store(true) // an interrupt lets what is begun come in
	var counts corpus.Progress
	show := newCorpusProgress(a, &counts)
	passed := 0
	report, err = corpus.Add(ctx, o.into, inputs, corpus.AddOptions{
		Partial: o.partial, Rehash: o.rehash, Retry: o.retry, Limits: o.limits.limits, Workers: o.jobs,
		Program: "benchproof " + buildInfo().Version, Progress: &counts,
		Problem: func(in corpus.Input, err error) {
			if in.Found && errors.Is(err, parse.ErrFormat) {
				if passed++; a.globals.verbose {
					a.m.warning("%s: passed over", problemText(in.Path, err))
				}
				return
			}
			if told++; told <= maxProblems || a.globals.verbose {
				a.m.unread(errors.New(problemText(in.Path, err)))
			}
		},
	})
	show.end()
	a.e.slow.Store(false)
	if err != nil && !errors.Is(err, context.Canceled) {
		if errors.Is(err, corpus.ErrLocked) {
			return report, told, failed("wait for it, or add with --partial NAME and commit later", err)
		}
		if errors.Is(err, corpus.ErrPartialName) {
			return report, told, usage("", err)
		}
		return report, told, failed("", err)
	}
	if n := told - maxProblems; n > 0 && !a.globals.verbose {
		a.m.warning("%s could not be read; --verbose tells all", phrase.Count(n, "more input"))
	}
	if passed > 0 && !a.globals.verbose {
		a.m.warning("no result in %s, passed over; --verbose names them", phrase.Count(passed, "file"))
	}
	return report, told, err
}

// problemText returns the text of an input's error with its path in the place of
// its base name, which many may have.
func problemText(path string, err error) string {
	text := plainError(err)
	if strings.Contains(text, path) {
		return text
	}
	if rest, ok := strings.CutPrefix(text, filepath.Base(path)); ok {
		return path + rest
	}
	return path + ": " + text
}

// corpusAddDocument is the JSON form of corpus add.
type corpusAddDocument struct {
	Schema string `json:"schema"`
	corpus.Report
}

func (o *corpusAddOptions) print(a *app, r *corpus.Report) error {
	if a.globals.json {
		return writeJSON(a.e.stdout, corpusAddDocument{"benchproof/corpus-add/1", *r})
	}
	_, err := fmt.Fprintf(a.e.stdout, "%s: %d read (%s, %s), %d unchanged, %s of known files, %d without a result, %d unreadable\n",
		phrase.Count(r.Inputs, "input"), r.Read, phrase.Count(r.Files, "result file"), phrase.Count(r.Measurements, "value"), r.Unchanged, phrase.Count(r.Duplicates, "further path"), r.NoResult, r.Unreadable)
	return err
}

// corpusProgress tells how far an add is.
type corpusProgress struct {
	a      *app
	counts *corpus.Progress
	begun  time.Time
	stop   chan struct{}
	ended  chan struct{}
}

func newCorpusProgress(a *app, counts *corpus.Progress) *corpusProgress {
	p := &corpusProgress{a: a, counts: counts, begun: time.Now(), stop: make(chan struct{}), ended: make(chan struct{})}
	if a.globals.progress != "json" && (a.globals.progress != "auto" || !a.e.stderrTerminal || a.globals.quiet) {
		close(p.ended)
		return p
	}
	go func() {
		defer close(p.ended)
		tick := time.NewTicker(progressAfter)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				p.show()
			case <-p.stop:
				return
			}
		}
	}()
	return p
}

func (p *corpusProgress) show() {
	seen, done, bytes := p.counts.Seen.Load(), p.counts.Done.Load(), p.counts.Bytes.Load()
	rate := float64(done) / time.Since(p.begun).Seconds()
	if p.a.globals.progress == "json" {
		p.a.m.object(fmt.Appendf(nil, `{"event":"progress","done":%d,"found":%d,"bytes":%d,"files_per_second":%.1f}`, done, seen, bytes, rate))
		return
	}
	p.a.m.show(fmt.Sprintf("adding: %d of %d found, %s read, %.0f files/s", done, seen, megabytes(float64(bytes)), rate))
}

func (p *corpusProgress) end() {
	close(p.stop)
	<-p.ended
	if p.a.globals.progress == "json" {
		p.show()
		return
	}
	p.a.m.show("")
}

// corpusCommitDocument is the JSON form of corpus commit.
type corpusCommitDocument struct {
	Schema string `json:"schema"`
	corpus.CommitReport
}

// committedText says what a commit took in.
func committedText(r *corpus.CommitReport) string {
	return fmt.Sprintf("%s in %s: %s came in, %d already there", phrase.Count(r.Sets, "partial set"), phrase.Count(r.Parts, "part"), phrase.Count(r.Files, "result file"), r.Duplicates)
}

func (a *app) corpusCommit() *cobra.Command {
	var into string
	c := a.command(command{
		use:   "commit [NAME...] --into DIR",
		short: "take partial sets into a corpus",
		long: `Commit takes the partial sets of these names into a corpus, or all that wait:
those that corpus add --partial made. A file that stands in several comes in
once. It is safe to be repeated.`,
		exits:   exitTexts{exitNo: "", exitUnread: "the corpus could not be read", exitFailed: "failed: the corpus could not be written", exitRefused: ""},
		example: `  benchproof corpus commit --into set`,
		args:    cobra.ArbitraryArgs,
		validate: func() error {
			if into == "" {
				return usage("--into DIR names the corpus", errors.New("no corpus"))
			}
			return nil
		},
		run: func(ctx context.Context, args []string) error {
			a.e.slow.Store(true)
			r, err := corpus.Commit(ctx, into, "benchproof "+buildInfo().Version, args...)
			a.e.slow.Store(false)
			switch {
			case errors.Is(err, corpus.ErrLocked):
				return failed("wait for it", err)
			case errors.Is(err, corpus.ErrPartialName):
				return usage("", err)
			case errors.Is(err, fs.ErrNotExist):
				return &exitError{exitUnread, err, "benchproof corpus add PATH... --into " + commandText([]string{into}) + " makes one"}
			case err != nil:
				return coded(err)
			}
			if a.globals.json {
				return writeJSON(a.e.stdout, corpusCommitDocument{"benchproof/corpus-commit/1", r})
			}
			_, err = fmt.Fprintf(a.e.stdout, "%s\n", committedText(&r))
			return err
		},
	})
	addFlags(c, groupOwn, func(f *pflag.FlagSet) { f.StringVar(&into, "into", "", "commit to the corpus in `DIR`") })
	return c
}
