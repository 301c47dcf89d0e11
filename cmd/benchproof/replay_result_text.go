package main

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/internal/number"
	"github.com/benchproof/benchproof/internal/term"
	"github.com/benchproof/benchproof/replay"
	"github.com/benchproof/benchproof/result"
)

// writeReplayText prints what a replay gave: a table a test, a row a published
// row, a column a target. What holds for all values of a test is said once.
func writeReplayText(w io.Writer, p *replay.Plan, f *result.File, o export.TextOptions) error {
	t := &planPrinter{w: bufio.NewWriter(w), o: planText{TextOptions: o}, p: p}
	t.words(0, f.Title, bold)
	t.words(0, f.Description, "")
	names := f.SystemNames()
	for group := range slices.Values(planGroups(p)) {
		tests := testsOf(f, group)
		if len(tests) == 0 {
			continue
		}
		t.resultTable(group, tests, names)
	}
	return t.w.Flush()
}

// resultRow is a test of the result with the step of the plan that it is of.
type resultRow struct {
	test *result.Test
	step *replay.Step
}

// testsOf returns the tests of a result that are those of a group of steps.
func testsOf(f *result.File, g *planGroup) []resultRow {
	var rows []resultRow
	for i := range f.Tests {
		test := &f.Tests[i]
		var of *replay.Step
		for _, s := range g.steps {
			if s.Test != test.Title || s.Version != test.Version || s.Arguments != test.Arguments || s.Scale != test.Scale ||
				strings.Contains(s.Profile, "/") && s.Profile != test.Profile {
				continue
			}
			// One that has run tells more than one that could not.
			if of == nil || of.Status != replay.Ready && s.Status == replay.Ready {
				of = s
			}
		}
		if of != nil {
			rows = append(rows, resultRow{test, of})
		}
	}
	return rows
}

func (t *planPrinter) resultTable(g *planGroup, rows []resultRow, names []string) {
	fmt.Fprintln(t.w)
	t.words(0, g.title, bold)
	if shared := t.p.Common(g.steps[0]); len(shared) > 0 {
		parts := make([]string, len(shared))
		for i, o := range shared {
			parts[i] = o.String()
		}
		t.words(2, "all: "+strings.Join(parts, " - "), "")
	}
	table := term.Table{
		Header: []string{"row", "scale"}, Right: []bool{false, false},
		Width: t.o.Width, Indent: 2, ASCII: t.o.ASCII, Color: t.o.Color,
	}
	if len(names) > 1 {
		table.Header, table.Right = append(table.Header, "target"), append(table.Right, false)
	}
	table.Header = append(table.Header, "value", "error", "runs", "better")
	table.Right = append(table.Right, true, true, true, false)
	var notes []string
	note := func(text string) {
		if !slices.Contains(notes, text) {
			notes = append(notes, text)
		}
	}
	for _, r := range rows {
		if r.step.Driver != "" && r.step.Status == replay.Ready {
			note(means(r.step))
		}
		if r.step.NotComparable != "" && r.step.Status == replay.Ready {
			note("not comparable with the published values: " + r.step.NotComparable)
		}
		for i := range names {
			t.resultCells(&table, r, names, i, note)
		}
	}
	_, _ = table.WriteTo(t.w) // a bufio.Writer keeps its error for Flush
	for _, n := range notes {
		t.words(2, n, "")
	}
}

// means says by what a step is replayed, and how near that is, where it is
// there.
func means(s *replay.Step) string {
	text := "with " + s.Driver
	if s.Fidelity != "" {
		text += ", " + fidelityText(s.Fidelity)
	}
	return text + ", as " + s.Profile
}

// fidelityText says in words how near a tool is to the published one.
func fidelityText(f result.Fidelity) string {
	switch f {
	case result.NativeSameVersion:
		return "the published version"
	case result.NativeOtherVersion:
		return "another version than published"
	case result.UserBinary:
		return "your own build"
	case result.Reimplementation:
		return "the algorithm written anew"
	case result.Emulation:
		return "the like by another tool"
	}
	return string(f)
}

// resultCells adds the line of a test on a target.
func (t *planPrinter) resultCells(table *term.Table, r resultRow, names []string, system int, note func(string)) {
	cells := []string{t.p.Rest(r.step), r.test.Scale}
	if cells[0] == "" {
		cells[0] = "(no options)"
	}
	if len(names) > 1 {
		cells = append(cells, names[system])
	}
	j := slices.IndexFunc(r.test.Measurements, func(m result.Measurement) bool { return m.System == system })
	better := map[result.Proportion]string{result.HIB: "more", result.LIB: "less"}[r.test.Proportion]
	if j < 0 {
		if len(names) > 1 {
			return // of another block, or not run yet
		}
		table.Add(append(cells, "-", "", "0", better)...)
		return
	}
	m := &r.test.Measurements[j]
	if m.Status == result.StatusFailed {
		table.Add(append(cells, "none", "", "", better)...)
		table.Style(len(cells), "31")
		note(fmt.Sprintf("no value: %s on %s: %s", t.p.Rest(r.step), names[system], m.Reason))
		return
	}
	table.Add(append(cells, m.Value, errorText(m, t.o.ASCII), fmt.Sprint(m.Samples), better)...)
}

// errorText returns the standard error of a value in percent of it.
func errorText(m *result.Measurement, ascii bool) string {
	v, ok := m.Number()
	se, known := m.StdErrorNumber()
	if !ok || !known || v == 0 {
		return ""
	}
	sign := "±"
	if ascii {
		sign = "+/-"
	}
	return sign + number.Significant(100*se/v, 2) + "%"
}
