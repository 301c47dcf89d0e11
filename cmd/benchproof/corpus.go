package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/benchproof/benchproof/corpus"
)

// corpusCommands make the commands below corpus; each file of one adds its
// own.
var corpusCommands []func(*app) *cobra.Command

func (a *app) corpus() *cobra.Command {
	var c *cobra.Command
	c = a.command(command{
		use:   "corpus COMMAND",
		short: "keep many results as one data set, and ask it",
		long: `Corpus keeps many result files as one data set of Parquet tables: add reads
files on all cores, once each, and whatever is done to it the set stays whole.
Show gives a file back as it was read.

Query answers SQL, history, percentile and similar ready questions: how a test
went over time, where a value stands among all systems that ran its test, and
which systems are most like these. They need benchproof-sql beside benchproof
(make sql builds it). The tables open in DuckDB, Python, ClickHouse and Spark,
too.`,
		example: `  benchproof corpus add results/ --into set
  benchproof corpus info set
  benchproof corpus query --from set 'SELECT count(*) FROM results'
  benchproof corpus percentile --from set results.txt`,
		args: cobra.ArbitraryArgs,
		run: func(_ context.Context, args []string) error {
			if len(args) == 0 {
				a.help(c)
				return nil
			}
			return unknownCommand(c, args[0])
		},
	})
	for _, sub := range corpusCommands {
		s := sub(a)
		a.completeFlags(s)
		c.AddCommand(s)
	}
	return c
}

// corpusFlags name the corpus that is read.
type corpusFlags struct{ from string }

func (o *corpusFlags) addFlags(f *pflag.FlagSet) {
	f.StringVar(&o.from, "from", "", "read the corpus in `DIR`")
}

// open opens the corpus.
func (o *corpusFlags) open() (*corpus.Corpus, error) {
	if o.from == "" {
		return nil, usage("--from DIR names the corpus", errors.New("no corpus"))
	}
	return openCorpus(o.from)
}

func openCorpus(dir string) (*corpus.Corpus, error) {
	c, err := corpus.Open(dir)
	if errors.Is(err, corpus.ErrNoCorpus) {
		return nil, &exitError{exitUnread, err, "benchproof corpus add PATH... --into " + commandText([]string{dir}) + " makes one"}
	}
	if err != nil {
		return nil, &exitError{exitUnread, err, ""}
	}
	return c, nil
}

// engineFlags are those of commands that ask the engine.
type engineFlags struct {
	corpusFlags
	engine  string
	memory  byteSize
	threads int
	timeout time.Duration
}

// addTo adds them to a command, and the corpus.
func (o *engineFlags) addTo(c *cobra.Command) {
	addFlags(c, groupOwn, o.corpusFlags.addFlags)
	addFlags(c, groupEngine, o.addFlags)
}

func (o *engineFlags) addFlags(f *pflag.FlagSet) {
	f.StringVar(&o.engine, "engine", "", "start the program benchproof-sql at `PATH` (default beside benchproof, else on PATH)")
	f.Var(&o.memory, "memory", "let the engine use at most `SIZE` of memory (default 80 % of the machine's)")
	f.IntVar(&o.threads, "threads", 0, "let the engine use `N` threads (default one a core)")
	f.DurationVar(&o.timeout, "timeout", 0, "give up after `TIME`, such as 30s (default never)")
	f.Lookup("timeout").DefValue = "" // as the help says
}

func (o *engineFlags) validate() error {
	if o.threads < 0 || o.threads > 1024 {
		return usage("", fmt.Errorf("--threads %d: want 1 to 1024", o.threads))
	}
	if o.timeout < 0 {
		return usage("", fmt.Errorf("--timeout %v: want a time above 0, such as 30s", o.timeout))
	}
	if o.memory != 0 && o.memory < 64<<20 {
		return usage("", fmt.Errorf("--memory %s: want at least 64MiB", o.memory.String()))
	}
	return nil
}

// options finds the engine and returns how it is asked.
func (o *engineFlags) options() (corpus.QueryOptions, error) {
	path, err := corpus.FindEngine(o.engine)
	if err != nil {
		return corpus.QueryOptions{}, engineError(err)
	}
	q := corpus.QueryOptions{Engine: path, Threads: o.threads, Seconds: o.timeout.Seconds()}
	if o.memory > 0 {
		q.Memory = fmt.Sprintf("%dMiB", min(int64(o.memory)>>20, 999_999))
	}
	return q, nil
}

// engineError gives an error of a question its code and hint.
func engineError(err error) error {
	var q *corpus.QueryError
	switch {
	case errors.Is(err, corpus.ErrNoEngine):
		return failed("make sql builds it (it needs a C compiler); put it beside benchproof or on PATH, or name it with --engine", err)
	case errors.Is(err, corpus.ErrEmpty):
		return &exitError{exitUnread, err, "benchproof corpus add PATH... --into DIR fills it"}
	case errors.As(err, &q) && q.Kind == "limit":
		return failed("--timeout gives it more time", err)
	case errors.As(err, &q) && q.Kind == "data":
		return &exitError{exitUnread, err, "benchproof corpus info DIR --check says which files of the corpus are damaged"}
	case errors.As(err, &q) && q.Kind == "machine":
		return failed("--memory SIZE lets the engine use more of it, and TMPDIR names the place of what does not fit", err)
	case errors.As(err, &q) && q.Kind == "refused":
		return usage("a corpus is changed by benchproof corpus add alone", err)
	case errors.As(err, &q) && q.Kind == "sql":
		return usage("DESCRIBE results lists the columns of a table; the tables are results, "+strings.Join(corpus.Tables(), ", "), sqlError(q.Message))
	}
	return coded(err)
}

// sqlError is what the engine says of a statement in one line: the place in it,
// which stands below with a mark, goes behind the words.
func sqlError(message string) error {
	said, place, _ := strings.Cut(message, "\n\nLINE ")
	err := flatten(errors.New(said))
	n, text, ok := strings.Cut(place, ": ")
	text, mark, marked := strings.Cut(text, "\n")
	if column := len("LINE ") + len(n) + len(": "); ok && marked && strings.HasSuffix(mark, "^") && len(mark) > column {
		return fmt.Errorf("%w (line %s, column %d: %s)", err, n, len(mark)-column, strings.TrimSpace(text))
	}
	return err
}

// oneOfPatterns returns one pattern for several of which one must match.
func oneOfPatterns(flag string, list []string) (string, error) {
	for _, t := range list {
		if _, err := regexp.Compile(t); err != nil {
			return "", patternError(flag, t, err)
		}
	}
	if len(list) == 0 {
		return "", nil
	}
	return "(?:" + strings.Join(list, ")|(?:") + ")", nil
}
