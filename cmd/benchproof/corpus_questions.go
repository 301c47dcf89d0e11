package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/benchproof/benchproof/corpus"
	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/internal/number"
	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/result"
)

func init() {
	corpusCommands = append(corpusCommands, (*app).corpusHistory, (*app).corpusPercentile, (*app).corpusSimilar)
}

// The JSON forms of the answers.
type (
	historyDocument struct {
		Schema  string         `json:"schema"`
		History []corpus.Point `json:"history"`
	}
	percentileDocument struct {
		Schema     string            `json:"schema"`
		Percentile []corpus.Standing `json:"percentile"`
	}
	similarDocument struct {
		Schema  string           `json:"schema"`
		Similar []corpus.Similar `json:"similar"`
	}
)

// writeAnswers writes rows of a ready question, or doc as its JSON. On a terminal
// that is too narrow the dispensable columns are left out, as fitColumns says; text
// for other programs keeps its lines.
func (o *tableOutput) writeAnswers(ctx context.Context, a *app, inputs []string, columns []export.Column, rows [][]string, doc any, dispensable ...string) error {
	all := slices.Values(rows)
	text := textOptions(a, &o.output, 0)
	if text.Width > 0 {
		text.Width = a.e.knownWidth()
	}
	return o.output.writeForms(ctx, a.e, o.format, inputs, forms{
		text: func(out io.Writer) error {
			return writeNarrow(out, columns, rows, text, dispensable)
		},
		doc: doc, columns: columns, rows: all,
	})
}

// columnsOf names columns: figures are those behind the sign "#".
func columnsOf(names ...string) []export.Column {
	list := make([]export.Column, len(names))
	for i, n := range names {
		list[i] = export.Column{Name: n}
		if n[0] == '#' {
			list[i] = export.Column{Name: n[1:], Kind: export.Figure}
		}
	}
	return list
}

func whole(n int64) string { return strconv.FormatInt(n, 10) }

// figure prints a number that was worked out, "" for nil.
func figure(v *float64) string {
	if v == nil {
		return ""
	}
	return number.Significant(*v, 6)
}

// corpusHistoryOptions are the flags of corpus history.
type corpusHistoryOptions struct {
	engineFlags
	tableOutput
	tests, systems []string
}

func (a *app) corpusHistory() *cobra.Command {
	o := &corpusHistoryOptions{tableOutput: answerOutput()}
	c := a.command(command{
		use:   "history --from DIR --test REGEXP [--system REGEXP]",
		short: "tell how values of a test went over time",
		long: `History lists for each test and day how many systems of how many files have a
value, and their least, median, greatest and geometric mean. The day is that of
the last change that a result names, else of its last system's run, else of its
published identifier; results without one come last.`,
		exits: exitsAsk,
		example: `  benchproof corpus history --from set --test 'SQLite'
  benchproof corpus history --from set --test fio --system EXT4 --format csv`,
		validate: func() error {
			if err := o.engineFlags.validate(); err != nil {
				return err
			}
			return o.tableOutput.validate(a)
		},
		run: func(ctx context.Context, _ []string) error { return o.run(ctx, a) },
	})
	o.addTo(c)
	addFlags(c, groupFilter, func(f *pflag.FlagSet) {
		f.StringArrayVar(&o.tests, "test", nil, "only tests whose title, version and arguments match `REGEXP`; (?i) before it ignores case")
		f.StringArrayVar(&o.systems, "system", nil, "only systems whose identifier matches `REGEXP`")
	})
	addFlags(c, groupOutput, o.output.addFlags)
	return c
}

func (o *corpusHistoryOptions) run(ctx context.Context, a *app) error {
	if len(o.tests) == 0 {
		return usage("--test REGEXP names tests; --test . takes all", errors.New("no test"))
	}
	test, err := oneOfPatterns("--test", o.tests)
	if err != nil {
		return err
	}
	system, err := oneOfPatterns("--system", o.systems)
	if err != nil {
		return err
	}
	c, err := o.open()
	if err != nil {
		return err
	}
	q, err := o.options()
	if err != nil {
		return err
	}
	points, _, err := c.History(ctx, test, system, q)
	if err != nil {
		return engineError(err)
	}
	var rows [][]string
	undated := 0
	for _, p := range points {
		if p.Date == "" {
			undated++
		}
		rows = append(rows, []string{
			p.Test, p.Version, p.Arguments, p.Scale, p.Proportion, p.Date, whole(p.Systems), whole(p.Files), whole(p.Values),
			figure(&p.Min), figure(&p.Median), figure(&p.Max), figure(p.GeometricMean),
		})
	}
	if len(points) == 0 {
		a.m.warning("nothing in the corpus matches")
		points = []corpus.Point{}
	}
	if undated > 0 {
		a.m.warning("%s without a date: the results do not say when they were made", phrase.Count(undated, "row"))
	}
	return o.writeAnswers(ctx, a, nil, columnsOf("test", "version", "arguments", "scale", "proportion", "date", "#systems", "#files", "#values", "#min", "#median", "#max", "#geometric_mean"), rows, historyDocument{"benchproof/corpus-history/1", points}, "values", "files", "geometric_mean")
}

// resultOptions are the flags of questions about a result.
type resultOptions struct {
	engineFlags
	tableOutput
	readFlags
}

func (o *resultOptions) validate(a *app) error {
	if err := o.engineFlags.validate(); err != nil {
		return err
	}
	if err := o.readFlags.validate(); err != nil {
		return err
	}
	return o.tableOutput.validate(a)
}

// each calls ask for each file of the result, with the SHA-256 of its input.
func (o *resultOptions) each(ctx context.Context, a *app, args []string, ask func(*corpus.Corpus, *result.File, string, corpus.QueryOptions) error) error {
	if len(args) == 0 {
		return usage("name a result, or - for stdin", errors.New("no input"))
	}
	c, err := o.open()
	if err != nil {
		return err
	}
	q, err := o.options()
	if err != nil {
		return err
	}
	src := o.source(a.e, a.m)
	sum := ""
	src.begun = func(in *input) { sum = inputSum(in) }
	return src.each(ctx, args, func(f *result.File) error {
		if err := ask(c, f, sum, q); err != nil {
			return engineError(err)
		}
		return nil
	})
}

// inputSum returns the SHA-256 of an input in hexadecimal digits, "" of one
// that cannot be read twice.
func inputSum(in *input) string {
	if in.path == "-" || special(in.path) {
		return ""
	}
	f, err := os.Open(in.path)
	if err != nil {
		return "" // said when it is read
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return ""
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

func (a *app) corpusPercentile() *cobra.Command {
	o := &resultOptions{tableOutput: answerOutput()}
	c := a.command(command{
		use:   "percentile INPUT... --from DIR",
		short: "tell where values stand among all systems that ran the test",
		long: `Percentile tells for each value of a result how many percent of the other
systems in the corpus it is better than, equal ones counted by half, its rank
among them, and how many systems of how many files that says. Tests are the
same where title, version, arguments and scale are. The result itself, and what
has its published identifier, is left out.`,
		exits: exitsAsk,
		example: `  benchproof corpus percentile --from set results.txt
  benchproof corpus percentile --from set --test SQLite results.txt`,
		args:     cobra.ArbitraryArgs,
		validate: func() error { return o.validate(a) },
		run: func(ctx context.Context, args []string) error {
			all := []corpus.Standing{}
			err := o.each(ctx, a, args, func(c *corpus.Corpus, f *result.File, sum string, q corpus.QueryOptions) error {
				list, _, err := c.Percentile(ctx, f, sum, q)
				all = append(all, list...)
				return err
			})
			if err != nil && (exitCode(err) != exitUnread || len(all) == 0) {
				return err
			}
			var rows [][]string
			for i := range all {
				s := &all[i]
				rank := ""
				if s.Rank != nil {
					rank = whole(*s.Rank)
				}
				rows = append(rows, []string{
					s.Test, s.Version, s.Arguments, s.Scale, s.Proportion, s.System, s.Value, figure(s.Percentile), rank,
					whole(s.Systems), whole(s.Files), figure(s.Best), figure(s.Median), figure(s.Worst), s.Reason,
				})
			}
			if e := o.writeAnswers(ctx, a, args, columnsOf("test", "version", "arguments", "scale", "proportion", "system", "#value", "#percentile", "#rank", "#systems", "#files", "#best", "#median", "#worst", "reason"), rows, percentileDocument{"benchproof/corpus-percentile/1", all}, "files", "worst", "best", "median", "systems"); e != nil {
				return e
			}
			return err
		},
	})
	o.addTo(c)
	addReadFlags(c, &o.readFlags)
	addFlags(c, groupOutput, o.output.addFlags)
	return c
}

// corpusSimilarOptions are the flags of corpus similar.
type corpusSimilarOptions struct {
	resultOptions
	by       string
	top, min int
}

func (o *corpusSimilarOptions) addFlags(f *pflag.FlagSet) {
	f.StringVar(&o.by, "alike", "components", "list first those alike in `WHAT`: components or values")
	completes(f, "alike", "components", "values")
	f.IntVar(&o.top, "top", 5, "list `N` systems for each of the result")
	f.IntVar(&o.min, "min-tests", 3, "by values, only systems with `N` tests in common")
}

func (o *corpusSimilarOptions) validate(a *app) error {
	if err := oneOf("--alike", o.by, "components", "values"); err != nil {
		return err
	}
	if o.top < 1 || o.top > 100_000 || o.min < 1 {
		return countError(o.top, o.min)
	}
	return o.resultOptions.validate(a)
}

// countError is the error of --top and --min-tests.
func countError(top, min int) error {
	if min < 1 {
		return usage("", fmt.Errorf("--min-tests %d: want 1 or more", min))
	}
	return usage("", fmt.Errorf("--top %d: want 1 to 100000", top))
}

func (a *app) corpusSimilar() *cobra.Command {
	o := &corpusSimilarOptions{resultOptions: resultOptions{tableOutput: answerOutput()}}
	c := a.command(command{
		use:   "similar INPUT... --from DIR",
		short: "find the systems that are most like those of a result",
		long: `Similar lists for each system of a result those in the corpus that are most
like it: which share of the hardware and software components of either both
have, and how many times the values of the tests that both ran lie apart, as the
geometric mean (1 is equal). The result itself is left out.`,
		exits: exitsAsk,
		example: `  benchproof corpus similar --from set results.txt
  benchproof corpus similar --from set --alike values --top 10 results.txt`,
		args:     cobra.ArbitraryArgs,
		validate: func() error { return o.validate(a) },
		run: func(ctx context.Context, args []string) error {
			all := []corpus.Similar{}
			err := o.each(ctx, a, args, func(c *corpus.Corpus, f *result.File, sum string, q corpus.QueryOptions) error {
				list, _, err := c.Similar(ctx, f, sum, corpus.SimilarOptions{ByValues: o.by == "values", MinTests: o.min, Top: o.top}, q)
				all = append(all, list...)
				return err
			})
			if err != nil && (exitCode(err) != exitUnread || len(all) == 0) {
				return err
			}
			var rows [][]string
			for i := range all {
				s := &all[i]
				rows = append(rows, []string{
					s.System, s.Like, s.FileID, s.Source, s.Date, whole(s.Shared), whole(s.All), figure(&s.Components),
					whole(s.Tests), figure(s.Apart), whole(s.Systems), whole(s.Files),
				})
			}
			if len(all) == 0 {
				a.m.warning("no system in the corpus shares a component or a test")
			}
			if e := o.writeAnswers(ctx, a, args, columnsOf("system", "like", "file_id", "source", "date", "#shared", "#all", "#components", "#tests", "#apart", "#systems", "#files"), rows, similarDocument{"benchproof/corpus-similar/1", all}, "file_id", "files", "systems", "all", "shared", "date"); e != nil {
				return e
			}
			return err
		},
	})
	o.addTo(c)
	addFlags(c, groupOwn, o.addFlags)
	renamed(c, map[string]string{"by": "alike"})
	addReadFlags(c, &o.readFlags)
	addFlags(c, groupOutput, o.output.addFlags)
	return c
}
