package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/benchproof/benchproof/corpus"
	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/internal/term"
)

func init() { corpusCommands = append(corpusCommands, (*app).corpusQuery) }

// tableOutput is how the answers of a corpus are written.
type tableOutput struct {
	output outputFlags
	format *format
}

func (o *tableOutput) validate(a *app) error {
	var err error
	o.format, err = o.output.choose(&a.globals)
	return err
}

// answerOutput is that of answers.
func answerOutput() tableOutput {
	return tableOutput{output: outputFlags{what: "answers", only: answerFormats, otherwise: "txt"}}
}

// corpusQueryOptions are the flags of corpus query.
type corpusQueryOptions struct {
	engineFlags
	tableOutput
	maxRows int64
	file    string
	params  []string
}

// Most rows of an answer unless --max-rows says otherwise.
const (
	defaultRows      = 1_000_000
	defaultTableRows = 10_000 // where all must be known before the first is printed
)

func (o *corpusQueryOptions) addFlags(f *pflag.FlagSet) {
	f.Int64Var(&o.maxRows, "max-rows", 0, "print at most `N` rows (default 1000000, of a table 10000)")
	f.StringArrayVar(&o.params, "param", nil, "put `VALUE`, as text, in the place of the next ? of the statement")
	f.StringVar(&o.file, "sql-file", "", "read the statement from `FILE`")
}

func (o *corpusQueryOptions) validate(a *app) error {
	if o.maxRows < 0 {
		return usage("", fmt.Errorf("--max-rows %d: want 1 or more", o.maxRows))
	}
	if err := o.engineFlags.validate(); err != nil {
		return err
	}
	return o.tableOutput.validate(a)
}

func (a *app) corpusQuery() *cobra.Command {
	o := &corpusQueryOptions{tableOutput: answerOutput()}
	c := a.command(command{
		use:   "query 'SQL' --from DIR [-o FILE] [--format FORMAT]",
		short: "ask a corpus in SQL",
		long: `Query answers one SQL statement that reads, in DuckDB's dialect. The tables are
files, paths, systems, components, tests, measurements, runs and diagnostics;
results is the long table, a row a value with its test, system and file. The
statement sees nothing but these.

Values from elsewhere go in as parameters: --param gives those of the places
that ? marks, in their order.`,
		exits: exitsRead.but(exitTexts{exitUsage: "wrong use: an unknown flag or format, or a statement that is wrong or does more than read", exitUnread: "the corpus could not be read", exitFailed: "failed: there is no engine, it failed, or the output could not be written"}),
		example: `  benchproof corpus query --from set 'DESCRIBE results'
  benchproof corpus query --from set --format csv \
    'SELECT test, file_system, median(number), count(*)
     FROM results GROUP BY ALL ORDER BY ALL'
  benchproof corpus query --from set --param ext4 \
    'SELECT * FROM results WHERE file_system = ? LIMIT 5'`,
		args:     cobra.ArbitraryArgs,
		validate: func() error { return o.validate(a) },
		run: func(ctx context.Context, args []string) error {
			sql, err := o.sql(args)
			if err != nil {
				return err
			}
			return o.run(ctx, a, sql)
		},
	})
	o.addTo(c)
	addFlags(c, groupOwn, o.addFlags)
	addFlags(c, groupOutput, o.output.addFlags)
	return c
}

// maxSQL bounds a statement.
const maxSQL = 1 << 20

func (o *corpusQueryOptions) sql(args []string) (string, error) {
	switch {
	case o.file != "" && len(args) == 0:
		f, err := os.Open(o.file)
		if err != nil {
			return "", &exitError{exitUnread, err, ""}
		}
		defer f.Close()
		text, err := io.ReadAll(io.LimitReader(f, maxSQL+1))
		if err != nil {
			return "", &exitError{exitUnread, err, ""}
		}
		if len(text) > maxSQL {
			return "", usage("", fmt.Errorf("%s is over the limit of %d bytes for a statement", o.file, maxSQL))
		}
		return string(text), nil
	case o.file != "":
		return "", usage("leave one of them out", errors.New("--sql-file and a statement exclude each other"))
	case len(args) != 1:
		return "", usage("benchproof corpus query --from DIR 'SELECT count(*) FROM results'", fmt.Errorf("want one statement, got %d", len(args)))
	}
	return args[0], nil
}

func (o *corpusQueryOptions) run(ctx context.Context, a *app, sql string) error {
	c, err := o.open()
	if err != nil {
		return err
	}
	q, err := o.options()
	if err != nil {
		return err
	}
	if q.Rows = o.maxRows; q.Rows == 0 {
		q.Rows = defaultRows
		if o.format.name == "txt" || o.format.name == "md" {
			q.Rows = defaultTableRows
		}
	}
	params := make([]any, len(o.params))
	for i, p := range o.params {
		params[i] = p
	}
	out, err := o.output.open(ctx, a.e, o.format, nil)
	if err != nil {
		return err
	}
	s := &queryStream{}
	err = s.write(ctx, out, o.format.name, textOptions(a, &o.output, 0), func(ctx context.Context) (*corpus.Answer, error) {
		return c.Query(ctx, sql, params, q, s.head, s.row)
	})
	if err != nil {
		out.discard()
		if ctx.Err() != nil {
			return context.Canceled
		}
		return engineError(err)
	}
	if err := out.commit(); err != nil {
		return err
	}
	if s.answer.More {
		a.m.warning("only the first %s printed; --max-rows gives more", phrase.Count(s.answer.Rows, "row")+" "+phrase.Verb(s.answer.Rows, "is", "are"))
	}
	if a.globals.verbose {
		a.m.line("info", fmt.Sprintf("%s: %s in %.3f s", s.answer.Engine, phrase.Count(s.answer.Rows, "row"), s.answer.Seconds))
	}
	return nil
}

// queryStream turns an answer that is pushed into rows that are pulled.
type queryStream struct {
	ctx    context.Context
	heads  chan *corpus.Answer
	rows   chan [][]json.RawMessage
	batch  [][]json.RawMessage
	answer *corpus.Answer
	err    error
}

// streamBatch is how many rows are handed over at once.
const streamBatch = 256

func (s *queryStream) head(a *corpus.Answer) error {
	s.heads <- a
	return nil
}

func (s *queryStream) row(cells []json.RawMessage) error {
	s.batch = append(s.batch, cells)
	if len(s.batch) < streamBatch {
		return nil
	}
	return s.hand()
}

func (s *queryStream) hand() error {
	select {
	case s.rows <- s.batch:
		s.batch = nil
		return nil
	case <-s.ctx.Done():
		return s.ctx.Err()
	}
}

// write runs ask, which calls head and row, and writes what comes.
func (s *queryStream) write(ctx context.Context, w io.Writer, format string, t export.TextOptions, ask func(context.Context) (*corpus.Answer, error)) error {
	var stop context.CancelFunc
	s.ctx, stop = context.WithCancel(ctx)
	defer stop()
	s.heads, s.rows = make(chan *corpus.Answer, 1), make(chan [][]json.RawMessage, 4)
	go func() {
		defer close(s.heads)
		defer close(s.rows)
		a, err := ask(s.ctx)
		if err == nil && len(s.batch) > 0 {
			err = s.hand()
		}
		s.answer, s.err = a, err
	}()
	head, ok := <-s.heads
	if !ok {
		return s.err
	}
	err := s.format(w, format, head.Columns, t)
	stop()
	for range s.rows { // until it has ended
	}
	if err != nil && !errors.Is(s.err, context.Canceled) && s.err != nil {
		return s.err
	}
	if err == nil {
		err = s.err
	}
	return err
}

// each yields the rows.
func (s *queryStream) each(yield func([]json.RawMessage) bool) {
	for batch := range s.rows {
		for _, cells := range batch {
			if !yield(cells) {
				return
			}
		}
	}
}

func (s *queryStream) format(w io.Writer, format string, columns []corpus.QueryColumn, t export.TextOptions) error {
	switch format {
	case "json":
		return s.json(w, columns)
	case "ndjson":
		return s.ndjson(w, columns)
	}
	kinds := make([]export.Column, len(columns))
	for i, c := range columns {
		kinds[i] = export.Column{Name: c.Name}
		if numeric[c.Type] {
			kinds[i].Kind = export.Figure
		}
	}
	texts := func(yield func([]string) bool) {
		row := make([]string, len(columns))
		for cells := range s.each {
			for i, cell := range cells {
				row[i] = cellText(cell)
			}
			if !yield(slices.Clone(row)) {
				return
			}
		}
	}
	if format == "txt" {
		return writeQueryTable(w, kinds, texts, t)
	}
	return export.WriteRows(w, format, kinds, texts)
}

// numeric are the engine's types of numbers.
var numeric = map[string]bool{
	"TINYINT": true, "SMALLINT": true, "INTEGER": true, "BIGINT": true, "HUGEINT": true,
	"UTINYINT": true, "USMALLINT": true, "UINTEGER": true, "UBIGINT": true, "UHUGEINT": true, "FLOAT": true, "DOUBLE": true,
}

// cellText returns a cell as text: null is empty, lists and structs are JSON.
func cellText(cell json.RawMessage) string {
	if len(cell) == 0 || string(cell) == "null" {
		return ""
	}
	var text string
	if cell[0] == '"' && json.Unmarshal(cell, &text) == nil {
		return text
	}
	return string(cell)
}

// queryTable returns a table of these columns, without rows.
func queryTable(columns []export.Column, o export.TextOptions) term.Table {
	t := term.Table{ASCII: o.ASCII, Width: o.Width}
	for _, c := range columns {
		t.Header = append(t.Header, c.Name)
		t.Right = append(t.Right, c.Kind == export.Figure)
	}
	return t
}

func writeQueryTable(w io.Writer, columns []export.Column, rows iter.Seq[[]string], o export.TextOptions) error {
	t := queryTable(columns, o)
	n := 0
	for row := range rows {
		t.Add(row...)
		n++
	}
	if _, err := t.WriteTo(w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "%s\n", phrase.Count(n, "row"))
	return err
}

// json writes one document, a line a row.
func (s *queryStream) json(w io.Writer, columns []corpus.QueryColumn) error {
	b := bufio.NewWriter(w)
	head, err := json.Marshal(columns)
	if err != nil {
		return err
	}
	fmt.Fprintf(b, "{\"schema\":\"benchproof/corpus-query/1\",\"columns\":%s,\"rows\":[", term.EscapeJSON(head))
	n := 0
	for cells := range s.each {
		line, err := json.Marshal(cells)
		if err != nil {
			return err
		}
		if n++; n > 1 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
		b.Write(term.EscapeJSON(line))
	}
	b.WriteString("\n]}\n")
	return b.Flush()
}

// ndjson writes an object a row.
func (s *queryStream) ndjson(w io.Writer, columns []corpus.QueryColumn) error {
	b := bufio.NewWriter(w)
	names := make([][]byte, len(columns))
	for i, c := range columns {
		var err error
		if names[i], err = json.Marshal(c.Name); err != nil {
			return err
		}
	}
	var line []byte
	for cells := range s.each {
		line = append(line[:0], '{')
		for i, cell := range cells {
			if i > 0 {
				line = append(line, ',')
			}
			line = append(append(append(line, names[i]...), ':'), cell...)
		}
		b.Write(term.EscapeJSON(append(line, '}')))
		if err := b.WriteByte('\n'); err != nil {
			return err
		}
	}
	return b.Flush()
}
