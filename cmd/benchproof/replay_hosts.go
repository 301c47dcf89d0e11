package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/internal/number"
	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/internal/term"
	"github.com/benchproof/benchproof/result"
)

func init() { replayCommands = append(replayCommands, (*app).replayHosts) }

// replayHostsOptions are the flags of replay hosts.
type replayHostsOptions struct {
	readFlags
	output outputFlags
	width  int
	format *format
}

func (a *app) replayHosts() *cobra.Command {
	o := &replayHostsOptions{output: outputFlags{what: "differences between hosts", only: answerFormats, otherwise: "txt"}}
	c := a.command(command{
		use:   "hosts GATHERED",
		short: "say which hosts of a replay differ from the rest",
		long: `Hosts reads what replay gather has made and tells, for every test and
configuration, what varies between hosts apart from what varies within one,
whether hosts differ at all, and which of them differs from the others, with
p values adjusted for all that are tested. Where hosts have several
configurations it counts on how many each is best.

A host is called odd where it is further from the others than these are from
each other: that needs three hosts. GATHERED is a result, or the directory of
the job.`,
		exits: exitsRead,
		example: `  benchproof replay hosts replay-5a6b7c8d
  benchproof replay hosts hosts.json --test FS-Mark --format csv`,
		args: cobra.ArbitraryArgs,
		validate: func() error {
			if err := o.readFlags.validate(); err != nil {
				return err
			}
			if err := validWidth(o.width); err != nil {
				return err
			}
			var err error
			o.format, err = o.output.choose(&a.globals)
			return err
		},
		run: func(ctx context.Context, args []string) error {
			if len(args) != 1 {
				return usage("benchproof replay hosts GATHERED", fmt.Errorf("want one input, got %d", len(args)))
			}
			return o.run(ctx, a, args)
		},
	})
	addFlags(c, groupOwn, func(f *pflag.FlagSet) { addWidth(f, &o.width) })
	addReadFlags(c, &o.readFlags)
	addFlags(c, groupOutput, o.output.addFlags)
	return c
}

func (o *replayHostsOptions) run(ctx context.Context, a *app, args []string) error {
	if err := notGathered(args[0]); err != nil {
		return err
	}
	if name := filepath.Join(args[0], replayResult); isFile(name) {
		args = []string{name}
	}
	var files []*result.File
	src := o.source(a.e, a.m)
	if err := src.each(ctx, args, func(f *result.File) error {
		files = append(files, f)
		return nil
	}); err != nil {
		return err
	}
	if len(files) != 1 {
		return usage("name one result file", fmt.Errorf("%s holds %s: want one", args[0], phrase.Count(len(files), "result file")))
	}
	h, err := analyze.Hosts(files[0])
	if errors.Is(err, analyze.ErrNoHosts) {
		return usage("benchproof replay gather makes such a result", fmt.Errorf("%s: %w", args[0], err))
	}
	if err != nil {
		return failed("", err)
	}
	err = o.output.writeForms(ctx, a.e, o.format, args, forms{
		text: func(out io.Writer) error { return writeHosts(out, h, textOptions(a, &o.output, o.width)) },
		doc:  hostsDocument(h), columns: hostColumns, rows: hostRows(h),
	})
	if err != nil {
		return err
	}
	for _, w := range h.Warnings {
		a.m.warning("%s", w)
	}
	return nil
}

var hostColumns = []export.Column{
	{Name: "test"},
	{Name: "version"},
	{Name: "arguments"},
	{Name: "scale"},
	{Name: "proportion"},
	{Name: "configuration"},
	{Name: "host"},
	{Name: "value", Kind: export.Figure},
	{Name: "ratio_to_others", Kind: export.Figure},
	{Name: "p_value", Kind: export.Figure},
	{Name: "p_adjusted", Kind: export.Figure},
	{Name: "odd", Kind: export.Bool},
	{Name: "mean", Kind: export.Figure},
	{Name: "between", Kind: export.Figure},
	{Name: "within", Kind: export.Figure},
	{Name: "i_squared", Kind: export.Figure},
	{Name: "all_p_value", Kind: export.Figure},
	{Name: "all_p_adjusted", Kind: export.Figure},
	{Name: "reason"},
}

// figure6 writes a figure with 6 digits, "" where it is unknown.
func figure6(q analyze.Quantity) string {
	if !q.Known {
		return ""
	}
	return number.Significant(q.X, 6)
}

// hostRows yields a row a host, test and configuration.
func hostRows(h *analyze.HostAnalysis) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		for i := range h.Rows {
			r := &h.Rows[i]
			for k := range r.Values {
				v := &r.Values[k]
				if !yield([]string{
					r.Test.Title, r.Test.Version, r.Test.Arguments, r.Test.Scale, string(r.Test.Proportion), r.Configuration,
					v.Host, v.Value, figure6(v.Ratio), figure6(v.P), figure6(v.PAdjusted), strconv.FormatBool(v.Odd()),
					figure6(r.Mean), figure6(r.Between), figure6(r.Within), figure6(r.I2), figure6(r.P), figure6(r.PAdjusted), r.Reason,
				}) {
					return
				}
			}
		}
	}
}

// hostsSchema names the JSON form of an analysis of hosts.
const hostsSchema = "benchproof/hosts/1"

// hostsDocument returns the analysis as JSON has it.
func hostsDocument(h *analyze.HostAnalysis) any {
	type object = map[string]any
	rows := []object{}
	for i := range h.Rows {
		r := &h.Rows[i]
		values := []object{}
		for k := range r.Values {
			v := &r.Values[k]
			values = append(values, object{"host": v.Host, "value": v.Value, "ratio_to_others": v.Ratio, "p_value": v.P, "p_adjusted": v.PAdjusted, "odd": v.Odd()})
		}
		rows = append(rows, object{
			"test": r.Test.Title, "version": r.Test.Version, "arguments": r.Test.Arguments, "scale": r.Test.Scale, "proportion": r.Test.Proportion,
			"configuration": r.Configuration, "mean": r.Mean, "between": r.Between, "within": r.Within, "i_squared": r.I2,
			"p_value": r.P, "p_adjusted": r.PAdjusted, "differ": r.Differ(), "reason": r.Reason, "hosts": values,
		})
	}
	wins := []object{}
	for i := range h.Wins {
		w := &h.Wins[i]
		list := []object{}
		for _, c := range w.Configurations {
			list = append(list, object{"configuration": c.Configuration, "wins": c.Wins, "clear": c.Clear})
		}
		wins = append(wins, object{
			"test": w.Test.Title, "version": w.Test.Version, "arguments": w.Test.Arguments, "scale": w.Test.Scale,
			"hosts": w.Hosts, "ties": w.Ties, "configurations": list, "reason": w.Reason,
		})
	}
	hosts := []object{}
	for _, s := range h.Summary {
		hosts = append(hosts, object{"host": s.Host, "rows": s.Rows, "odd": s.Odd, "ratio_to_others": s.Ratio})
	}
	warnings := append([]string{}, h.Warnings...)
	return object{
		"schema": hostsSchema, "hosts": hosts, "configurations": h.Configurations, "host_tests": h.Family, "row_tests": h.RowFamily,
		"rows": rows, "wins": wins, "warnings": warnings,
	}
}

// percent writes a share for people.
func percent(q analyze.Quantity) string {
	if !q.Known {
		return "unknown"
	}
	return number.Significant(100*q.X, 3) + " %"
}

// figure3 writes a figure for people, "" where it is unknown.
func figure3(q analyze.Quantity) string {
	if !q.Known {
		return ""
	}
	return number.Significant(q.X, 3)
}

// writeHosts prints the analysis for people.
func writeHosts(w io.Writer, h *analyze.HostAnalysis, o export.TextOptions) error {
	var b strings.Builder
	words := func(indent int, text string) {
		for _, line := range term.Wrap(term.Visible(text), max(o.Width-indent, 20)) {
			fmt.Fprintf(&b, "%*s%s\n", indent, "", line)
		}
	}
	table := func(t *term.Table) error {
		_, err := t.WriteTo(&b)
		return err
	}
	words(0, fmt.Sprintf("%s: %s, %s", h.Set.Files[0].Title, phrase.Count(len(h.Hosts), "host"), phrase.Count(len(h.Configurations), "configuration")))
	words(0, fmt.Sprintf("Ratios are a host over the mean of the others; above 1 is better, whether more or less is. p values are adjusted by Holm, of hosts over %s, of rows over %s.",
		phrase.Count(h.Family, "test"), phrase.Count(h.RowFamily, "test")))
	// Of two hosts it is the same in every row, and said once.
	two := ""
	if i := slices.IndexFunc(h.Rows, func(r analyze.HostRow) bool { return r.P.Known && r.Reason != "" }); len(h.Hosts) == 2 && i >= 0 {
		two = h.Rows[i].Reason
		words(0, two)
	}
	b.WriteByte('\n')
	if err := writeHostSummary(&b, h, o); err != nil {
		return err
	}
	for i := range h.Rows {
		r := &h.Rows[i]
		b.WriteByte('\n')
		name := r.Test.Name()
		if len(h.Configurations) > 1 {
			name += " on " + r.Configuration
		}
		words(0, name)
		t := &term.Table{
			Header: []string{"host", r.Test.Scale, "ratio", "adj. p", ""}, Right: []bool{false, true, true, true, false},
			Width: o.Width, Indent: 2, ASCII: o.ASCII, Color: o.Color,
		}
		for k := range r.Values {
			v := &r.Values[k]
			odd := ""
			if v.Odd() {
				odd = "differs from the rest"
			}
			t.Add(v.Host, v.Value, figure3(v.Ratio), figure3(v.PAdjusted), odd)
		}
		if err := table(t); err != nil {
			return err
		}
		if r.P.Known {
			text := "no difference between hosts is shown"
			if r.Differ() {
				text = "hosts differ"
			}
			words(2, fmt.Sprintf("%s (adj. p %s): %s between hosts, %s within one; I² %s", text, figure3(r.PAdjusted), percent(r.Between), percent(r.Within), percent(r.I2)))
		}
		if r.Reason != "" && r.Reason != two {
			words(2, r.Reason)
		}
	}
	if err := writeWins(&b, h, words, o); err != nil {
		return err
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeHostsBrief adds to an analysis for people what it says of hosts, where its
// one file is of several: how they compare with each other, which is odd where,
// and which configuration is best on how many.
func writeHostsBrief(w io.Writer, files []*result.File, o export.TextOptions) error {
	if len(files) != 1 {
		return nil
	}
	h, err := analyze.Hosts(files[0])
	if err != nil { // not of several hosts
		return nil
	}
	var b strings.Builder
	words := func(indent int, text string) {
		for _, line := range term.Wrap(term.Visible(text), max(o.Width-indent, 20)) {
			fmt.Fprintf(&b, "%*s%s\n", indent, "", line)
		}
	}
	b.WriteByte('\n')
	words(0, fmt.Sprintf("Hosts: a ratio is a host over the mean of the others; adjusted by Holm over %s", phrase.Count(h.Family, "test")))
	if err := writeHostSummary(&b, h, o); err != nil {
		return err
	}
	differ, tested := 0, 0
	for i := range h.Rows {
		r := &h.Rows[i]
		if r.P.Known {
			tested++
		}
		if r.Differ() {
			differ++
		}
		for k := range r.Values {
			if v := &r.Values[k]; v.Odd() {
				words(2, fmt.Sprintf("%s differs from the rest: %s times in %s on %s (adj. p %s)", v.Host, figure3(v.Ratio), r.Test.Name(), r.Configuration, figure3(v.PAdjusted)))
			}
		}
	}
	words(2, fmt.Sprintf("hosts differ in %d of %s that can be tested; replay hosts has each", differ, phrase.Count(tested, "row")))
	if err := writeWins(&b, h, words, o); err != nil {
		return err
	}
	_, err = io.WriteString(w, b.String())
	return err
}

// writeHostSummary prints a line a host.
func writeHostSummary(w io.Writer, h *analyze.HostAnalysis, o export.TextOptions) error {
	t := &term.Table{Header: []string{"host", "rows", "odd in", "mean ratio"}, Right: []bool{false, true, true, true}, Width: o.Width, Indent: 2, ASCII: o.ASCII, Color: o.Color}
	for _, s := range h.Summary {
		t.Add(s.Host, strconv.Itoa(s.Rows), strconv.Itoa(s.Odd), figure3(s.Ratio))
	}
	_, err := t.WriteTo(w)
	return err
}

// writeWins prints which configuration is best on how many hosts.
func writeWins(b *strings.Builder, h *analyze.HostAnalysis, words func(int, string), o export.TextOptions) error {
	if len(h.Wins) == 0 {
		return nil
	}
	b.WriteByte('\n')
	words(0, "The best configuration, on how many hosts (shown to be better than the next)")
	t := &term.Table{Header: []string{"test", "hosts"}, Right: []bool{false, true}, Width: o.Width, Indent: 2, ASCII: o.ASCII, Color: o.Color}
	for _, c := range h.Configurations {
		t.Header, t.Right = append(t.Header, c), append(t.Right, true)
	}
	t.Header, t.Right = append(t.Header, "ties"), append(t.Right, true)
	for i := range h.Wins {
		w := &h.Wins[i]
		cells := []string{w.Test.Name(), strconv.Itoa(w.Hosts)}
		for _, c := range w.Configurations {
			cells = append(cells, fmt.Sprintf("%d (%d)", c.Wins, c.Clear))
		}
		if w.Reason != "" {
			cells[0] += ": " + w.Reason
		}
		t.Add(append(cells, strconv.Itoa(w.Ties))...)
	}
	_, err := t.WriteTo(b)
	return err
}
