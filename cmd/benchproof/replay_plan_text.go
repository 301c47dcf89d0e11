package main

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/internal/term"
	"github.com/benchproof/benchproof/replay"
	"github.com/benchproof/benchproof/replay/profile"
)

// planText is how a plan is printed for people.
type planText struct {
	export.TextOptions
	all bool // every option and command
}

// planPrinter prints a plan.
type planPrinter struct {
	w *bufio.Writer
	o planText
	p *replay.Plan
	// first is the step of each run that stands for its time and space.
	first map[string]string
}

// writePlanText prints a plan: the targets, the rows by test, and what it comes
// to.
func writePlanText(w io.Writer, p *replay.Plan, o planText) error {
	if o.Width == 0 {
		o.Width = 80
	}
	o.Width = max(o.Width, 40)
	t := &planPrinter{w: bufio.NewWriter(w), o: o, p: p, first: map[string]string{}}
	for i := range p.Steps {
		s := &p.Steps[i]
		if _, ok := t.first[s.RunID]; !ok && s.RunID != "" {
			t.first[s.RunID] = s.ID
		}
	}
	t.words(0, fmt.Sprintf("Plan of %s", p.Source), bold)
	t.targets()
	t.machines()
	for group := range slices.Values(planGroups(p)) {
		t.group(group)
	}
	t.total()
	return t.w.Flush()
}

// bold is the style of titles.
const bold = "1"

// planASCII are our own signs in ASCII letters.
var planASCII = strings.NewReplacer("×", "x", "–", "-", "…", "...")

// words prints text, wrapped; further lines are indented by two more.
func (t *planPrinter) words(indent int, text, style string) {
	if t.o.ASCII {
		text = planASCII.Replace(text)
	}
	for i, l := range term.Wrap(term.Visible(text), t.o.Width-indent-2) {
		if i == 1 {
			indent += 2
		}
		if t.o.Color {
			l = term.Paint(l, style)
		}
		fmt.Fprintf(t.w, "%s%s\n", strings.Repeat(" ", indent), l)
	}
}

func (t *planPrinter) targets() {
	if !t.p.HasTarget() {
		t.words(0, "for no target yet: free space is not looked at", "")
		return
	}
	for _, g := range t.p.Targets {
		if g.Lab != nil {
			t.labTarget(&g)
			continue
		}
		what := []string{g.Dir}
		if g.FileSystem != "" {
			what = append(what, g.FileSystem)
		}
		if g.Device != "" {
			what = append(what, "on "+g.Device)
		}
		if g.Free >= 0 {
			what = append(what, replay.ByteText(g.Free)+" free")
		}
		t.words(0, fmt.Sprintf("Target %s: %s", g.Label, strings.Join(what, ", ")), "")
		for _, n := range g.Notes {
			t.words(2, n, "")
		}
	}
	t.labSystems()
}

// machines prints what of the published machine some tests depend on, beside
// this one's.
func (t *planPrinter) machines() {
	published, first, last := t.p.Published()
	text := "Published of " + machineText(published)
	switch {
	case first == "":
	case first == last:
		text += ", made " + first
	default:
		text += ", made " + first + " to " + last
	}
	t.words(0, text+"; here "+machineText(replay.ThisMachine()), "")
}

// machineText returns what is known of a machine for people.
func machineText(m replay.Machine) string {
	var parts []string
	if m.Cores > 0 {
		parts = append(parts, phrase.Count(m.Cores, "core"))
	}
	if m.Threads > 0 {
		parts = append(parts, phrase.Count(m.Threads, "thread"))
	}
	if m.MemoryMB > 0 {
		parts = append(parts, replay.ByteText(int64(m.MemoryMB)<<20)+" of memory")
	}
	if len(parts) == 0 {
		return "a machine that is unknown, or several"
	}
	return strings.Join(parts, ", ")
}

// planGroup are the steps of one test.
type planGroup struct {
	title string
	steps []*replay.Step
}

// planGroups returns the steps by test and version, in published order.
func planGroups(p *replay.Plan) []*planGroup {
	type key struct{ test, version string }
	var groups []*planGroup
	at := make(map[key]*planGroup)
	for i := range p.Steps {
		s := &p.Steps[i]
		k := key{s.Test, s.Version}
		if at[k] == nil {
			at[k] = &planGroup{title: strings.TrimSpace(s.Test + " " + s.Version)}
			groups = append(groups, at[k])
		}
		at[k].steps = append(at[k].steps, s)
	}
	return groups
}

func (t *planPrinter) group(g *planGroup) {
	fmt.Fprintln(t.w)
	t.words(0, g.title, bold)
	shared := t.p.Common(g.steps[0])
	if len(shared) > 0 {
		parts := make([]string, len(shared))
		for i, o := range shared {
			parts[i] = o.String()
		}
		t.words(2, "all: "+strings.Join(parts, " - "), "")
	}
	if s := g.ready(); s != nil {
		t.words(2, means(s), "")
	}
	t.table(g)
	t.options(g)
	t.reasons(g)
	if t.o.all {
		t.commands(g)
	}
}

// ready returns a step of the group that has a job, nil if there is none.
func (g *planGroup) ready() *replay.Step {
	i := slices.IndexFunc(g.steps, func(s *replay.Step) bool { return s.Driver != "" })
	if i < 0 {
		return nil
	}
	return g.steps[i]
}

// table prints the rows of a group.
func (t *planPrinter) table(g *planGroup) {
	header, right := []string{"row"}, []bool{false}
	many := len(t.p.Targets) > 1
	if many {
		header, right = append(header, "target"), append(right, false)
	}
	header, right = append(header, "scale", "runs", "time", "space"), append(right, false, true, true, true)
	if t.noted(g) {
		header, right = append(header, ""), append(right, false)
	}
	table := term.Table{
		Header: header, Right: right,
		Width: t.o.Width, Indent: 2, ASCII: t.o.ASCII, Color: t.o.Color,
	}
	for _, s := range g.steps {
		cells := []string{t.p.Rest(s)}
		if cells[0] == "" {
			cells[0] = "(no options)"
		}
		if many {
			cells = append(cells, s.Target)
		}
		cells = append(cells, s.Scale)
		note := ""
		switch {
		case s.Status != replay.Ready:
			cells = append(cells, "", "", "")
			note = s.Status
		case t.first[s.RunID] != s.ID:
			cells = append(cells, "", "", "")
			note = "same run"
		default:
			cells = append(cells, t.runs(s), durationText(*s.Seconds*float64(s.Runs)), replay.ByteText(*s.Bytes))
		}
		table.Add(append(cells, note)...)
		if s.Status != replay.Ready {
			table.Style(len(cells), "33")
		}
	}
	_, _ = table.WriteTo(t.w) // a bufio.Writer keeps its error for Flush
}

// noted reports whether a row of the group has a word beside its figures.
func (t *planPrinter) noted(g *planGroup) bool {
	return slices.ContainsFunc(g.steps, func(s *replay.Step) bool {
		return s.Status != replay.Ready || t.first[s.RunID] != s.ID
	})
}

// runs returns how often a step runs, for the table.
func (t *planPrinter) runs(s *replay.Step) string {
	if t.p.Request.Rule != "" {
		return fmt.Sprintf("%d+", s.Runs)
	}
	return fmt.Sprint(s.Runs)
}

// options prints which options of a group's runs are not published.
func (t *planPrinter) options(g *planGroup) {
	for _, from := range []profile.From{profile.Default, profile.System, profile.Set, profile.Unknown} {
		var names []string
		values := make(map[string][]string)
		for _, s := range g.steps {
			for _, o := range s.Options {
				if o.From != from {
					continue
				}
				if values[o.Name] == nil {
					names = append(names, o.Name)
				}
				if !slices.Contains(values[o.Name], o.Value) {
					values[o.Name] = append(values[o.Name], o.Value)
				}
			}
		}
		for i, n := range names {
			if v := strings.Join(values[n], " or "); v != "" {
				names[i] = n + " " + v
			}
		}
		if len(names) > 0 {
			t.words(2, fromText[from]+": "+strings.Join(names, ", "), "")
		}
	}
}

var fromText = map[profile.From]string{
	profile.Default: "by default", profile.System: "of the published system",
	profile.Set: "set", profile.Unknown: "unknown",
}

// reasons prints why rows cannot run, what limits their values, and warnings,
// each text once.
func (t *planPrinter) reasons(g *planGroup) {
	type key struct{ kind, text, hint string }
	type note struct {
		key
		rows  []string
		named map[string]bool // the rows, for a test may have 100 000
		steps int
	}
	var notes []*note
	at := make(map[key]*note)
	add := func(s *replay.Step, kind, text, hint string) {
		if text == "" {
			return
		}
		k := key{kind, text, hint}
		n := at[k]
		if n == nil {
			n = &note{key: k, named: make(map[string]bool)}
			at[k] = n
			notes = append(notes, n)
		}
		if name := t.p.Rest(s); !n.named[name] {
			n.named[name] = true
			n.rows = append(n.rows, name)
		}
		n.steps++
	}
	for _, s := range g.steps {
		if s.Status != replay.Ready {
			add(s, s.Status, s.Reason, s.Hint)
			continue
		}
		add(s, "not comparable", s.NotComparable, "")
		for _, w := range s.Warnings {
			add(s, "note", w, "")
		}
	}
	for _, n := range notes {
		where := ""
		if n.steps < len(g.steps) && len(n.rows) > 0 {
			where = " (" + strings.Join(n.rows, "; ") + ")"
		}
		t.words(2, n.kind+": "+n.text+where, "")
		if n.hint != "" {
			t.words(4, "hint: "+n.hint, "")
		}
	}
}

// commands prints every option, command and file of a group's runs.
func (t *planPrinter) commands(g *planGroup) {
	done := make(map[string]bool)
	for _, s := range g.steps {
		if s.Driver == "" || s.Target != t.p.Targets[0].Label || done[s.RunID] && s.RunID != "" {
			continue
		}
		done[s.RunID] = true
		t.words(2, t.p.Rest(s), bold)
		for _, o := range s.Options {
			t.words(4, fmt.Sprintf("%s = %s (%s)", o.Name, o.Value, o.From), "")
		}
		for _, c := range s.Commands {
			for _, f := range c.Files {
				t.words(4, fmt.Sprintf("file %s, %s", f.Name, phrase.Count(f.Bytes, "byte")), "")
				for line := range strings.Lines(f.Text) {
					t.words(6, "| "+strings.TrimSuffix(line, "\n"), "")
				}
			}
			text := commandText(c.Argv)
			if c.When != "every" {
				text += "  (" + c.When + " time only)"
			}
			if c.Copies > 1 {
				text += fmt.Sprintf("  (%d at once)", c.Copies)
			}
			if len(c.Argv) > 0 {
				t.words(4, "$ "+text, "")
			}
		}
	}
}
