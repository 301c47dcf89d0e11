package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/internal/term"
	"github.com/benchproof/benchproof/replay"
	"github.com/benchproof/benchproof/replay/cluster"
)

func init() { replayCommands = append(replayCommands, (*app).replayStatus) }

// replayStatusOptions are the flags of replay status.
type replayStatusOptions struct {
	output outputFlags
	width  int
	format *format
}

func (o *replayStatusOptions) validate(a *app) error {
	if err := validWidth(o.width); err != nil {
		return err
	}
	var err error
	o.format, err = o.output.choose(&a.globals)
	return err
}

func (a *app) replayStatus() *cobra.Command {
	o := &replayStatusOptions{output: outputFlags{what: "a status", only: answerFormats, otherwise: "txt"}}
	c := a.command(command{
		use:   "status JOURNAL-DIR",
		short: "say how far a replay is",
		long: `Status reads the journal of a replay, which may run meanwhile, and says what
is done, what runs, what has failed and why, and how long the rest is likely
to take. It changes nothing.

Of the directory of a job of replay submit it says so for every host, with what
the queue says.`,
		exits:    exitsRead.but(exitTexts{exitUnread: "the journal could not be read"}),
		example:  `  benchproof replay status replay-1f2e3d4c`,
		args:     atMost(1),
		validate: func() error { return o.validate(a) },
		run:      func(ctx context.Context, args []string) error { return o.run(ctx, a, args) },
	})
	addFlags(c, groupOwn, func(f *pflag.FlagSet) { addWidth(f, &o.width) })
	addFlags(c, groupOutput, o.output.addFlags)
	return c
}

// journalDir returns the directory of a journal that the arguments name.
func journalDir(command string, args []string) (string, error) {
	if len(args) == 0 || args[0] == "" {
		return "", usage("benchproof replay "+command+" DIR", errors.New("name the journal's directory"))
	}
	dir := args[0]
	if filepath.Base(dir) == "journal.jsonl" {
		dir = filepath.Dir(dir)
	}
	return dir, nil
}

func (o *replayStatusOptions) run(ctx context.Context, a *app, args []string) error {
	dir, err := journalDir("status", args)
	if err != nil {
		return err
	}
	if cluster.IsJob(dir) {
		return o.runCluster(ctx, a, dir)
	}
	s, err := replay.ReadStatus(dir)
	if err != nil {
		return &exitError{exitUnread, err, ""}
	}
	return o.output.writeForms(ctx, a.e, o.format, nil, forms{
		text: func(out io.Writer) error { return writeStatus(out, s, textOptions(a, &o.output, o.width)) },
		doc:  s, columns: statusColumns, rows: slices.Values(statusRows(s)),
	})
}

var statusColumns = []export.Column{
	{Name: "run_id"},
	{Name: "run"},
	{Name: "target"},
	{Name: "state"},
	{Name: "done", Kind: export.Count},
	{Name: "total", Kind: export.Count},
	{Name: "last_values"},
	{Name: "reason"},
	{Name: "log"},
}

func statusRows(s *replay.Status) [][]string {
	var rows [][]string
	for i := range s.Runs {
		r := &s.Runs[i]
		rows = append(rows, []string{
			r.RunID, r.Run, r.Target, r.State, strconv.Itoa(r.Done), strconv.Itoa(r.Total), lastText(r), r.Reason, r.Log,
		})
	}
	return rows
}

// lastText returns the values of a run's last repetition.
func lastText(r *replay.RunStatus) string {
	var parts []string
	for _, v := range r.Last {
		if v.Value != "" {
			parts = append(parts, strings.TrimSpace(v.Value+" "+v.Scale))
		}
	}
	return strings.Join(parts, ", ")
}

// writeStatus prints a status for people.
func writeStatus(w io.Writer, s *replay.Status, o export.TextOptions) error {
	var b strings.Builder
	words := func(indent int, text string) {
		for i, l := range term.Wrap(term.Visible(text), o.Width-indent-2) {
			if i == 1 {
				indent += 2
			}
			fmt.Fprintf(&b, "%s%s\n", strings.Repeat(" ", indent), l)
		}
	}
	words(0, fmt.Sprintf("Replay of %s: %s", s.Source, stateText[s.State]))
	text := fmt.Sprintf("%d of %s done", s.Done, phrase.Count(s.Total, "repetition"))
	if s.Failed > 0 {
		text += fmt.Sprintf(", %d given up", s.Failed)
	}
	if s.State != "ended" && s.Left > 0 {
		text += ", about " + durationText(s.Left) + " left"
	}
	words(0, text)
	words(0, fmt.Sprintf("begun %s, last heard of %s", s.Began.Format("2006-01-02 15:04:05 MST"), s.Last.Format("2006-01-02 15:04:05 MST")))
	if s.Block > 1 {
		words(0, fmt.Sprintf("block %d: kernel, mounts or devices changed meanwhile, and values of different blocks are kept apart", s.Block))
	}
	for i := 0; i < len(s.Runs); {
		n := i
		for n < len(s.Runs) && s.Runs[n].Test == s.Runs[i].Test {
			n++
		}
		fmt.Fprintln(&b)
		title := term.Visible(s.Runs[i].Test)
		if o.Color {
			title = term.Paint(title, bold)
		}
		fmt.Fprintln(&b, title)
		if err := statusTable(&b, s.Runs[i:n], o); err != nil {
			return err
		}
		i = n
	}
	for i := range s.Runs {
		if r := &s.Runs[i]; r.Reason != "" {
			fmt.Fprintln(&b)
			words(0, fmt.Sprintf("%s on %s failed: %s", r.Run, r.Target, r.Reason))
			words(2, "outputs: "+r.Log)
		}
	}
	if s.State == "interrupted" || s.State == "stopped" || s.Failed > 0 && s.State == "ended" {
		fmt.Fprintln(&b)
		words(0, "benchproof replay run --resume --journal "+commandText([]string{s.Journal})+" goes on")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// statusTable prints the runs of one test.
func statusTable(w io.Writer, runs []replay.RunStatus, o export.TextOptions) error {
	table := term.Table{
		Header: []string{"row", "target", "done", "state", "last"}, Right: []bool{false, false, true, false, false},
		Width: o.Width, Indent: 2, ASCII: o.ASCII, Color: o.Color,
	}
	for i := range runs {
		r := &runs[i]
		row := r.Row
		if row == "" {
			row = "(no options)"
		}
		table.Add(row, r.Target, fmt.Sprintf("%d/%d", r.Done, r.Total), r.State, lastText(r))
		switch r.State {
		case "failed":
			table.Style(3, "31")
		case "done":
			table.Style(3, "32")
		}
	}
	_, err := table.WriteTo(w)
	return err
}

var stateText = map[string]string{
	"running": "it runs", "interrupted": "interrupted", "ended": "ended",
	"stopped": "it does not run, and was not ended: killed, or the machine stopped",
}
