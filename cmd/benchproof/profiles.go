package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/internal/term"
	"github.com/benchproof/benchproof/replay"
	"github.com/benchproof/benchproof/replay/profile"
)

// profilesOptions are the flags of profiles.
type profilesOptions struct {
	output outputFlags
	width  int
	format *format
}

func (o *profilesOptions) validate(a *app) error {
	if err := validWidth(o.width); err != nil {
		return err
	}
	var err error
	o.format, err = o.output.choose(&a.globals)
	return err
}

func (a *app) profiles() *cobra.Command {
	o := &profilesOptions{output: outputFlags{what: "profiles", only: answerFormats, otherwise: "txt"}}
	c := a.command(command{
		use:   "profiles [NAME]",
		short: "list the tests that replay knows, and explain one",
		long: `Profiles lists the tests that replay knows, the tool each runs and whether it
is here. With a name it explains one: the published options and what each
becomes, the values that come out and what they really are, what it needs, the
keys of --set, and what a reader of its numbers must know.`,
		exits: exitsPrint,
		example: `  benchproof profiles
  benchproof profiles fio`,
		args:     atMost(1),
		validate: func() error { return o.validate(a) },
		run:      func(ctx context.Context, args []string) error { return o.run(ctx, a, args) },
	})
	c.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		var names []string
		for _, p := range replayProfiles() {
			if info := p.Info(); len(args) == 0 {
				names = append(names, info.Name+"\t"+info.Title)
			}
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
	addFlags(c, groupOwn, func(f *pflag.FlagSet) { addWidth(f, &o.width) })
	addFlags(c, groupOutput, o.output.addFlags)
	return c
}

// profileTool is a program of a profile, as it is found here.
type profileTool struct {
	Program  string `json:"program"` // "" for what benchproof does itself
	Package  string `json:"package"`
	Fidelity string `json:"fidelity"`
	Path     string `json:"path"` // "" if it is not here
	Version  string `json:"version"`
}

// profilesDocument is the JSON form of profiles.
type profilesDocument struct {
	Schema   string        `json:"schema"`
	Profiles []profileInfo `json:"profiles"`
}

// profileInfo is a profile as JSON has it.
type profileInfo struct {
	Name     string          `json:"name"`
	Title    string          `json:"title"`
	Versions []string        `json:"versions"`
	Profiles []string        `json:"profiles"`
	Summary  string          `json:"summary"`
	Options  []profileOption `json:"options"`
	Metrics  []profileMetric `json:"metrics"`
	Tools    []profileTool   `json:"tools"`
	Space    string          `json:"space"`
	Time     string          `json:"time"`
	Root     string          `json:"root"`
	Notes    []string        `json:"notes"`
}

type profileOption struct {
	Key     string   `json:"key"`
	Values  []string `json:"values"`
	Meaning string   `json:"meaning"`
	Set     string   `json:"set"`
	Default string   `json:"default"`
}

type profileMetric struct {
	Name       string `json:"name"`
	Scale      string `json:"scale"`
	Proportion string `json:"proportion"`
	Meaning    string `json:"meaning"`
}

// newProfileInfo returns what a profile says of itself, with its tools as they
// are here.
func newProfileInfo(p profile.Profile, tools profile.Tools) profileInfo {
	in := p.Info()
	out := profileInfo{
		Name: in.Name, Title: in.Title, Versions: filled(in.Versions), Profiles: filled(in.Profiles), Summary: in.Summary,
		Space: in.Space, Time: in.Time, Root: in.Root, Notes: filled(in.Notes),
		Options: []profileOption{}, Metrics: []profileMetric{}, Tools: []profileTool{},
	}
	for _, o := range in.Options {
		out.Options = append(out.Options, profileOption{o.Key, filled(o.Values), o.Meaning, o.Set, o.Default})
	}
	for _, m := range in.Metrics {
		out.Metrics = append(out.Metrics, profileMetric{m.Name, m.Scale, string(m.Proportion), m.Meaning})
	}
	for _, t := range in.Tools {
		tool := profileTool{Program: t.Program, Package: t.Package, Fidelity: string(t.Fidelity)}
		if t.Program != "" {
			tool.Path, tool.Version, _ = tools.Find(t.Program)
		}
		out.Tools = append(out.Tools, tool)
	}
	return out
}

// filled returns a list that is not nil.
func filled(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

func (o *profilesOptions) run(ctx context.Context, a *app, args []string) error {
	tools := &replay.Finder{Path: filepath.SplitList(a.e.getenv("PATH"))}
	var list []profileInfo
	var names []string
	for _, p := range replayProfiles() {
		info := p.Info()
		names = append(names, info.Name)
		if len(args) == 0 || strings.EqualFold(args[0], info.Name) || strings.EqualFold(args[0], info.Title) {
			list = append(list, newProfileInfo(p, tools))
		}
	}
	if len(list) == 0 && len(args) > 0 {
		return usage(didYouMean(nearest(args[0], names)), fmt.Errorf("unknown profile %q: want %s", args[0], listed(names)))
	}
	t := textOptions(a, &o.output, o.width)
	return o.output.writeForms(ctx, a.e, o.format, nil, forms{
		text: func(out io.Writer) error {
			if len(args) == 0 {
				return writeProfileList(out, list, t)
			}
			for i := range list {
				if err := writeProfile(out, &list[i], t); err != nil {
					return err
				}
			}
			return nil
		},
		doc:     profilesDocument{"benchproof/profiles/1", list},
		columns: profileColumns, rows: slices.Values(profileRows(list)),
	})
}

var profileColumns = []export.Column{
	{Name: "name"},
	{Name: "title"},
	{Name: "versions"},
	{Name: "tools"},
	{Name: "fidelity"},
	{Name: "here"},
	{Name: "summary"},
}

func profileRows(list []profileInfo) [][]string {
	var rows [][]string
	for i := range list {
		p := &list[i]
		var programs, degrees []string
		for _, t := range p.Tools {
			programs = append(programs, t.name())
			degrees = append(degrees, t.Fidelity)
		}
		rows = append(rows, []string{
			p.Name, p.Title, strings.Join(p.Versions, ", "), strings.Join(programs, ", "),
			strings.Join(slices.Compact(degrees), ", "), p.here(), p.Summary,
		})
	}
	return rows
}

// name returns what a tool is called.
func (t *profileTool) name() string {
	if t.Program == "" {
		return "benchproof itself"
	}
	return t.Program
}

// here says what of a profile's tools is on this machine.
func (p *profileInfo) here() string {
	if !measures {
		return "Linux only"
	}
	var have, miss []string
	for _, t := range p.Tools {
		switch {
		case t.Program == "":
			have = append(have, "built in")
		case t.Path == "":
			miss = append(miss, t.Program)
		case t.Version != "":
			have = append(have, t.Program+" "+t.Version)
		default:
			have = append(have, t.Program)
		}
	}
	if len(have) > 0 {
		return strings.Join(have, ", ")
	}
	return "no " + strings.Join(miss, ", ")
}

func writeProfileList(w io.Writer, list []profileInfo, o export.TextOptions) error {
	table := term.Table{Header: []string{"name", "test", "versions", "here"}, Width: o.Width, ASCII: o.ASCII, Color: o.Color}
	for i := range list {
		p := &list[i]
		table.Add(p.Name, p.Title, strings.Join(p.Versions, ", "), p.here())
	}
	if _, err := table.WriteTo(w); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, "\nbenchproof profiles NAME explains one.")
	return err
}

// writeProfile explains one profile.
func writeProfile(w io.Writer, p *profileInfo, o export.TextOptions) error {
	var b bytes.Buffer
	paragraph := func(indent int, text string) {
		if o.ASCII {
			text = planASCII.Replace(text)
		}
		for i, l := range term.Wrap(term.Visible(text), o.Width-indent-2) {
			if i == 1 {
				indent += 2
			}
			fmt.Fprintf(&b, "%s%s\n", strings.Repeat(" ", indent), l)
		}
	}
	heading := func(text string) {
		fmt.Fprintln(&b)
		if o.Color {
			text = term.Paint(text, bold)
		}
		fmt.Fprintln(&b, text)
	}
	paragraph(0, fmt.Sprintf("%s: %s %s", p.Name, p.Title, strings.Join(p.Versions, ", ")))
	paragraph(0, p.Summary)
	if len(p.Profiles) > 0 {
		paragraph(0, "as "+strings.Join(p.Profiles, ", "))
	}
	if len(p.Options) > 0 {
		heading("Published options")
		t := term.Table{Header: []string{"option", "values", "becomes", "--set", "default"}, Width: o.Width, Indent: 2, ASCII: o.ASCII}
		for _, x := range p.Options {
			key := x.Key
			if key == "" {
				key = "-"
			}
			t.Add(key, strings.Join(x.Values, ", "), x.Meaning, x.Set, x.Default)
		}
		_, _ = t.WriteTo(&b) // a buffer's writes do not fail
	}
	heading("Values")
	t := term.Table{Header: []string{"value", "published as", "better", "really is"}, Width: o.Width, Indent: 2, ASCII: o.ASCII}
	for _, m := range p.Metrics {
		better := map[string]string{"HIB": "more", "LIB": "less"}[m.Proportion]
		t.Add(m.Name, m.Scale, better, m.Meaning)
	}
	_, _ = t.WriteTo(&b)
	heading("Tools")
	t = term.Table{Header: []string{"tool", "package", "fidelity", "here"}, Width: o.Width, Indent: 2, ASCII: o.ASCII}
	for i := range p.Tools {
		x := &p.Tools[i]
		here := "no"
		switch {
		case !measures:
			here = "Linux only"
		case x.Program == "":
			here = "built in"
		case x.Path != "":
			here = strings.TrimSpace(x.Path + " " + x.Version)
		}
		t.Add(x.name(), x.Package, x.Fidelity, here)
	}
	_, _ = t.WriteTo(&b)
	heading("Needs")
	for _, line := range [][2]string{{"space", p.Space}, {"time", p.Time}, {"root", p.Root}} {
		if line[1] != "" {
			paragraph(2, line[0]+": "+line[1])
		}
	}
	if len(p.Notes) > 0 {
		heading("Notes")
		for _, n := range p.Notes {
			paragraph(2, "- "+n)
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}
