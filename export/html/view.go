package html

import (
	"fmt"
	"strings"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/internal/number"
	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/result"
)

// view is what the template shows: the page as it is without its script.
type view struct {
	Title       string
	Files       []fileView
	Counts      string
	Systems     systemsView
	Baseline    string
	Rule        string // how a row was judged
	Residue     []string
	Warnings    []string
	Overall     overallView
	Tall        bool // so many systems that the summary gets bars to scroll
	Groups      []groupView
	Tests       []testView
	Findings    findingsView
	Methods     []method
	Generator   string
	Notice      string // of what draws the charts
	HasInferred bool
}

type fileView struct{ Source, Title, Description, URL, Identifier, Generator, Format string }

// view returns what the template shows.
func (p *Page) view() *view {
	c := p.comparisons[0]
	v := &view{
		Title: visible(p.title), Baseline: visible(c.Baseline), Residue: texts(c.Residue),
		Warnings: p.warnings(c.Comparison), Methods: methods, Generator: visible(p.options.Generator),
		Notice:  strings.Join(strings.Fields(strings.Replace(notice, "\n\n", ". ", 1)), " "),
		Systems: p.systems(), Overall: newOverallView(c.Comparison),
		Groups: p.groups(), Tests: p.tests(c.Comparison), Findings: p.findingsView(),
	}
	v.Rule = ruleText(c.Comparison)
	v.Tall = len(p.set.Systems) > maxTall
	measurements := 0
	for i := range p.set.Tests {
		measurements += len(p.set.Tests[i].Cells)
		for j := range p.set.Tests[i].Cells {
			m := p.set.Tests[i].Cells[j].Measurement
			v.HasInferred = v.HasInferred || m != nil && m.Decode != result.DecodeExact
		}
	}
	v.Counts = fmt.Sprintf("%s, %s, %s", phrase.Count(len(p.set.Systems), "system"), phrase.Count(len(p.set.Tests), "test"), phrase.Count(measurements, "measurement"))
	if n := len(p.set.Files); n > 1 {
		v.Counts = phrase.Count(n, "file") + ", " + v.Counts
	}
	for _, f := range p.set.Files {
		v.Files = append(v.Files, fileView{
			visible(f.Source), visible(f.Title), visible(f.Description), visible(f.URL), visible(f.Identifier),
			visible(f.Generator), string(f.Format),
		})
	}
	return v
}

// ruleText says how the rows of a comparison were judged.
func ruleText(c *analyze.Comparison) string {
	return fmt.Sprintf("Intervals at 95 %%; %s; margin of equality %s %%.", c.FamilyName(), number.Significant(100*c.Options.Margin, 3))
}

// warnings joins those of the comparison and of the ranking.
func (p *Page) warnings(c *analyze.Comparison) []string {
	var list []string
	seen := map[string]bool{}
	for _, w := range append(append([]string(nil), c.Warnings...), p.ranking.Warnings...) {
		if !seen[w] {
			seen[w] = true
			list = append(list, visible(w))
		}
	}
	return list
}

// verdictView is a verdict as a word with a sign.
type verdictView struct{ Word, Sign string }

func newVerdict(v analyze.Verdict) verdictView { return verdictView{string(v), signs[v]} }

// overallView is the forest of geometric means.
type overallView struct {
	Rows  []overallRow
	Ticks []tick
	One   string // where the baseline lies
}

type overallRow struct {
	System, Against, Ratio, Interval, ByProfile string
	Tests, Wins, Losses, Even                   int
	Shares                                      []share
	Mark                                        *mark
	Verdict                                     verdictView
	Why, LeftOut                                string
}

// share is a part of the bar of wins, losses and the rest.
type share struct{ X, Width, Class string }

func newOverallView(c *analyze.Comparison) overallView {
	var v overallView
	list := make([]estimate, len(c.Overall))
	for i := range c.Overall {
		list[i] = meanEstimate(&c.Overall[i])
	}
	s := newScale(list)
	v.Ticks, v.One = s.ticks(), percent(s.at(1))
	for i := range c.Overall {
		o := &c.Overall[i]
		row := overallRow{
			System: visible(o.SystemName), Ratio: list[i].ratio(), Interval: list[i].interval(),
			ByProfile: newEstimate(o.ByProfile, o.OverProfiles.Range).ratio(),
			Tests:     o.Ratios, Wins: o.Wins, Losses: o.Losses, Even: o.Even,
			Shares: shares(o.Wins, o.Even, o.Losses), Mark: s.mark(list[i]),
			Verdict: newVerdict(o.Verdict), Why: visible(o.Why), LeftOut: leftOut(o),
		}
		if o.Why == "" && !o.GeoMean.Known {
			row.Why = visible(o.Reason)
		}
		if o.BaselineName != c.Overall[0].BaselineName {
			row.Against = visible(o.BaselineName)
		}
		v.Rows = append(v.Rows, row)
	}
	return v
}

// meanEstimate is the geometric mean with its interval, which stands only where
// the uncertainty of a value is known.
func meanEstimate(o *analyze.Overall) estimate {
	m := o.OverTests.Range
	if o.Tested == 0 {
		m = analyze.Range{}
	}
	return newEstimate(o.GeoMean, m)
}

func shares(wins, even, losses int) []share {
	total := wins + even + losses
	if total == 0 {
		return nil
	}
	var list []share
	x := 0.0
	for _, part := range []struct {
		n     int
		class string
	}{{wins, "better"}, {even, "even"}, {losses, "worse"}} {
		width := 100 * float64(part.n) / float64(total)
		if part.n > 0 {
			list = append(list, share{percent(x), percent(width), part.class})
		}
		x += width
	}
	return list
}

// testView is one test without the script.
type testView struct {
	Title, Arguments, Scale, Better string
	Reason                          string // of all rows
	Footnotes                       []string
	Rows                            []cellView
}

type cellView struct {
	System, Value, StdError, N, Ratio, Interval, P, Rank, Letters, Where, Reason string
	Verdict                                                                      verdictView
}

// tests returns all tests with their comparison.
func (p *Page) tests(c *analyze.Comparison) []testView {
	rows := make(map[*analyze.Cell]*analyze.CompareRow, len(c.Rows))
	bases := map[*analyze.Cell]bool{}
	for i := range c.Rows {
		rows[c.Rows[i].Cell] = &c.Rows[i]
		bases[c.Rows[i].Baseline] = true
	}
	list := make([]testView, len(p.set.Tests))
	for i := range p.set.Tests {
		t := &p.set.Tests[i]
		list[i] = testView{
			Title: profileName(t), Arguments: visible(t.Arguments), Scale: visible(t.Scale), Better: export.ProportionText(t.Proportion),
			Footnotes: footnotes(t.Test), Rows: make([]cellView, len(t.Cells)),
		}
		for j := range t.Cells {
			cell := &t.Cells[j]
			list[i].Rows[j] = p.cellView(cell, rows[cell])
			if rows[cell] == nil && bases[cell] {
				list[i].Rows[j].Verdict = verdictView{Word: "baseline"}
			}
		}
		list[i].common()
	}
	return list
}

// common takes a reason that all compared rows have out of them.
func (t *testView) common() {
	for i := range t.Rows {
		r := &t.Rows[i]
		switch {
		case r.Verdict.Word == "baseline" && r.Reason == "":
		case r.Reason == "" || t.Reason != "" && t.Reason != r.Reason:
			t.Reason = ""
			return
		default:
			t.Reason = r.Reason
		}
	}
	for i := range t.Rows {
		t.Rows[i].Reason = ""
	}
}

func (p *Page) cellView(c *analyze.Cell, r *analyze.CompareRow) cellView {
	m := c.Measurement
	v := cellView{
		System: visible(p.set.Systems[c.System].Name), Value: visible(cellValue(c)) + export.Mark(m.Decode),
		Where: where(m), Reason: visible(c.Problem),
	}
	if c.Problem != "" {
		v.Value = "none"
		if series(m) != nil {
			v.Value, v.Reason = visible(m.Value), ""
		}
	}
	if c.Tested() {
		v.StdError, _ = export.ShownFigures(m)
		v.N = fmt.Sprint(c.Figures.N)
	}
	if k := p.ranks[c]; k != nil && k.Place > 0 {
		v.Rank, v.Letters = rankText(k.Place, k.Low, k.High), k.Letters
	}
	if r == nil {
		return v
	}
	e := newEstimate(r.Ratio, r.Interval)
	v.Ratio, v.Interval, v.P = e.ratio(), e.interval(), export.PText(r.PAdjusted)
	v.Verdict, v.Reason = newVerdict(r.Verdict), visible(r.Reason)
	return v
}

// rankText is a place with the range that holds the true one.
func rankText(place, low, high int) string {
	if low == 0 || low == high {
		return fmt.Sprint(place)
	}
	return fmt.Sprintf("%d (%d to %d)", place, low, high)
}

// where says where in its file a measurement was read, by which rule, and how
// surely if that is less than exactly.
func where(m *result.Measurement) string {
	var parts []string
	if m.Origin.Line > 0 {
		parts = append(parts, fmt.Sprintf("%d:%d", m.Origin.Line, m.Origin.Column))
	}
	if m.Origin.Rule != "" {
		parts = append(parts, visible(m.Origin.Rule))
	}
	if m.Decode != result.DecodeExact {
		parts = append(parts, m.Decode.String())
	}
	return strings.Join(parts, ", ")
}
