package html

import (
	"slices"
	"strings"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/analyze/stats"
	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/result"
)

// pageData is what the page's script works with. Names are short and tables
// are columns, since it may hold some hundred thousand rows.
type pageData struct {
	Schema   string   `json:"schema"` // benchproof/page/1
	By       string   `json:"by,omitempty"`
	Margin   float64  `json:"margin"`
	Adjust   string   `json:"adjust"`
	Files    []string `json:"files"`
	Systems  []sysRow `json:"systems"`
	Profiles []string `json:"profiles"`
	Tests    []test   `json:"tests"`
	// Rules, Names and Texts are what rows point into: rules of readers;
	// names of the sides of comparisons, those of systems first; reasons and
	// other sentences, each a list of indices into Parts.
	Rules       []string    `json:"rules"`
	Names       []string    `json:"names"`
	Parts       []string    `json:"parts"`
	Texts       []column    `json:"texts"`
	Verdicts    []string    `json:"verdicts"`
	Signs       []string    `json:"signs"`
	Comparisons []pairs     `json:"comparisons"`
	Columns     []csvColumn `json:"columns"`
	LeftOut     int         `json:"left_out"` // baselines without a comparison

	parts, whole, rules, names intern
	places                     map[*analyze.Cell]place
}

// csvColumn is a column of the table that is saved from the page.
type csvColumn struct {
	Name string `json:"n"`
	Text bool   `json:"t"` // guarded against formulas
}

type sysRow struct {
	Name  string `json:"n"`
	File  int    `json:"f"`
	Group string `json:"g,omitempty"`
	Label string `json:"l"`
}

type test struct {
	Title      string            `json:"t"`
	Version    string            `json:"v,omitempty"`
	Arguments  string            `json:"a,omitempty"`
	Scale      string            `json:"s"`
	Proportion result.Proportion `json:"p,omitempty"`
	Profile    int               `json:"k"`            // into Profiles
	Recipe     string            `json:"pr,omitempty"` // what PTS calls the profile
	// Options are those with a key, where the arguments do not say them.
	Options [][2]string `json:"o,omitempty"`
	// Varying are the options that not all tests of the profile have alike.
	Varying   string   `json:"w,omitempty"`
	Footnotes []string `json:"n,omitempty"`
	Cells     [][]any  `json:"c"`
}

// place is where a cell stands among the tests.
type place struct{ test, system int }

// intern numbers different texts.
type intern struct {
	index map[string]int
	list  []string
}

func (n *intern) of(text string) int {
	if n.index == nil {
		n.index = map[string]int{}
	}
	i, ok := n.index[text]
	if !ok {
		i = len(n.list)
		n.index[text] = i
		n.list = append(n.list, text)
	}
	return i
}

// verdicts in the order of the page's data, which is from good to unknown.
var verdicts = []analyze.Verdict{
	analyze.Better, analyze.Worse, analyze.Equivalent, analyze.Trivial, analyze.Undecided, analyze.Untestable,
}

// data returns the page's data.
func (p *Page) data() *pageData {
	o := p.comparisons[0].Options
	d := &pageData{
		Schema: "benchproof/page/1", By: visible(o.By), Margin: o.Margin, Adjust: string(o.Adjust),
		Files: []string{}, Systems: []sysRow{}, Tests: []test{}, LeftOut: p.leftOut,
		places: map[*analyze.Cell]place{},
	}
	for _, v := range verdicts {
		d.Verdicts = append(d.Verdicts, string(v))
		d.Signs = append(d.Signs, signs[v])
	}
	for _, c := range export.CompareColumns {
		d.Columns = append(d.Columns, csvColumn{c.Name, c.Kind == export.Text})
	}
	for _, f := range p.set.Files {
		d.Files = append(d.Files, visible(f.Source))
	}
	for i := range p.set.Systems {
		s := &p.set.Systems[i]
		label := s.Name
		if s.Group() != "" && s.Name == s.Identifier {
			label = s.Label()
		}
		d.Systems = append(d.Systems, sysRow{visible(s.Name), s.File, visible(s.Group()), visible(label)})
		d.names.of(s.Name)
	}
	var profiles intern
	varying := varyingOptions(p.set)
	for i := range p.set.Tests {
		t := &p.set.Tests[i]
		j := test{
			Title: visible(t.Title), Version: visible(t.Version), Arguments: visible(t.Arguments), Scale: visible(t.Scale),
			Proportion: t.Proportion, Profile: profiles.of(profileName(t)), Recipe: visible(t.Profile),
			Footnotes: footnotes(t.Test), Varying: visible(varying[i]), Cells: make([][]any, len(t.Cells)),
		}
		if list := options(t); !slices.Equal(list, parsedOptions(t.Arguments)) {
			for _, o := range list {
				if o.Key != "" {
					j.Options = append(j.Options, [2]string{visible(o.Key), visible(o.Value)})
				}
			}
		}
		for n := range t.Cells {
			d.places[&t.Cells[n]] = place{i, t.Cells[n].System}
			j.Cells[n] = p.cell(d, &t.Cells[n])
		}
		d.Tests = append(d.Tests, j)
	}
	d.Profiles = profiles.list
	for _, c := range p.comparisons {
		d.Comparisons = append(d.Comparisons, d.pairs(c))
	}
	for _, name := range d.names.list {
		d.Names = append(d.Names, visible(name))
	}
	d.Rules, d.Parts = d.rules.list, d.parts.list
	for _, list := range []*[]string{&d.Rules, &d.Parts, &d.Names, &d.Profiles} {
		if *list == nil {
			*list = []string{}
		}
	}
	if d.Texts == nil {
		d.Texts = []column{}
	}
	return d
}

func profileName(t *analyze.Test) string {
	return visible(strings.TrimSpace(t.Title + " " + t.Version))
}

// footnotes returns what a graph says below itself.
func footnotes(t *result.Test) []string {
	var list []string
	for _, n := range t.Footnotes {
		list = append(list, visible(n))
	}
	if t.Annotation != "" {
		list = append(list, visible(t.Annotation))
	}
	return list
}

// varyingOptions returns for every test its arguments without the options that
// all tests of its profile have alike; the arguments themselves for a profile
// of one test.
func varyingOptions(set *analyze.Set) []string {
	type profile struct{ title, version string }
	type option struct {
		profile
		result.Option
	}
	tests, counts := map[profile]int{}, map[option]int{}
	lists := make([][]result.Option, len(set.Tests))
	for i := range set.Tests {
		t := &set.Tests[i]
		p := profile{t.Title, t.Version}
		tests[p]++
		lists[i] = result.ParseOptions(t.Arguments)
		seen := map[result.Option]bool{}
		for _, o := range lists[i] {
			if !seen[o] {
				seen[o] = true
				counts[option{p, o}]++
			}
		}
	}
	out := make([]string, len(set.Tests))
	for i := range set.Tests {
		t := &set.Tests[i]
		p := profile{t.Title, t.Version}
		var parts []string
		for _, o := range lists[i] {
			if counts[option{p, o}] == tests[p] {
				continue
			}
			if o.Key == "" {
				parts = append(parts, o.Value)
			} else {
				parts = append(parts, o.Key+": "+o.Value)
			}
		}
		out[i] = strings.Join(parts, " · ")
		if tests[p] == 1 || out[i] == "" {
			out[i] = t.Arguments
		}
	}
	return out
}

// The fields of a cell in the page's data, in order. What is unknown at the end
// is left away.
//
//	0 system, 1 value, 2 standard error, 3 N, 4 problem, 5 why no standard error,
//	6 line, 7 column, 8 rule, 9 certainty (0 exact, 1 inferred, 2 ambiguous),
//	10 rank, 11 its lowest, 12 its highest, 13 letters, 14 runs,
//	15 series, 16 box of the series, 17 notes

// cell returns a cell's fields.
func (p *Page) cell(d *pageData, c *analyze.Cell) []any {
	m := c.Measurement
	se, n := "", 0
	if c.Tested() {
		se, _ = export.ShownFigures(m)
	}
	n = c.Figures.N
	row := []any{
		c.System, visible(cellValue(c)), se, n, visible(c.Problem), visible(c.NoSE),
		m.Origin.Line, m.Origin.Column, d.rules.of(visible(m.Origin.Rule)), int(m.Decode),
		0, 0, 0, "", 0, 0, 0, 0,
	}
	if k := p.ranks[c]; k != nil {
		row[10], row[11], row[12], row[13] = k.Place, k.Low, k.High, k.Letters
	}
	if c.Runs != nil && len(c.Runs) <= maxPoints {
		row[14] = c.Runs
	}
	if s := series(m); s != nil {
		row[15], row[16] = s, box(s)
		row[4] = ""
	}
	if notes := cellNotes(m); len(notes) > 0 {
		row[17] = notes
	}
	for len(row) > 2 && (row[len(row)-1] == 0 || row[len(row)-1] == "") {
		row = row[:len(row)-1]
	}
	return row
}

// cellValue is the printed value of a cell, "" where there is none.
func cellValue(c *analyze.Cell) string {
	if c == nil || c.Measurement == nil || c.Problem != "" {
		return ""
	}
	return export.Value(c.Measurement)
}

// cellNotes returns what else the source prints of a measurement, and what is
// known of a replayed one.
func cellNotes(m *result.Measurement) []string {
	var list []string
	if m.Min != "" || m.Max != "" {
		list = append(list, visible("min "+orNone(m.Min)+", max "+orNone(m.Max)))
	}
	for _, n := range m.Notes {
		list = append(list, visible(n))
	}
	if m.Decode == result.DecodeAmbiguous && len(m.Alternatives) > 0 {
		const most = 8
		shown := m.Alternatives[:min(most, len(m.Alternatives))]
		text := "may be " + strings.Join(shown, " or ")
		if len(shown) < len(m.Alternatives) {
			text += " or another"
		}
		list = append(list, visible(text))
	}
	if r := m.Replay; r != nil {
		text := "replayed by " + r.Driver + ", " + string(r.Fidelity)
		if r.Scaling != "" {
			text += ", " + r.Scaling
		}
		list = append(list, visible(text))
	}
	return list
}

func orNone(text string) string {
	if text == "" {
		return "unknown"
	}
	return text
}

// maxPoints bounds the runs, or the points of a line, that a page holds of one
// cell.
const maxPoints = 20_000

// series returns the numbers of a line graph's value ("1,2,3"); nil for other
// values and for a line with what is no number.
func series(m *result.Measurement) []float64 {
	if m.Status != result.StatusOK || strings.Count(m.Value, ",") == 0 || strings.Count(m.Value, ",") >= maxPoints {
		return nil
	}
	var list []float64
	for part := range strings.SplitSeq(m.Value, ",") {
		x, ok := result.ParseNumber(strings.TrimSpace(part))
		if !ok {
			return nil
		}
		list = append(list, x)
	}
	return list
}

// box returns the five numbers of a box plot: least, quartiles, largest.
func box(list []float64) []float64 {
	sorted := slices.Sorted(slices.Values(list))
	out := []float64{sorted[0]}
	for _, p := range []float64{0.25, 0.5, 0.75} {
		q, err := stats.Quantile(sorted, p)
		if err != nil {
			return nil
		}
		out = append(out, q)
	}
	return append(out, sorted[len(sorted)-1])
}
