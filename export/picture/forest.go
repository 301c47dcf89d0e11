package picture

import (
	"math"
	"slices"
	"strconv"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/analyze/stats"
	"github.com/benchproof/benchproof/export"
)

// forestRow is a ratio with its interval and verdict.
type forestRow struct {
	label   string
	head    bool
	ratio   analyze.Quantity
	in      analyze.Range
	verdict analyze.Verdict
	extra   string // a further figure
	mean    bool   // a mean over the others
	words   string
}

// forest draws ratios on a logarithmic axis, the baseline at 1. The band is the
// margin of equality.
func (b *book) forest(s *sheet, y float64, extra string, rows []forestRow) float64 {
	low, high := 1.0, 1.0
	for _, r := range rows {
		if r.ratio.Known {
			low, high = math.Min(low, r.ratio.X), math.Max(high, r.ratio.X)
		}
	}
	// Intervals may take as much again, on a logarithmic scale.
	room := math.Max(high/low, 2)
	for _, r := range rows {
		if r.in.Low.Known && r.in.High.Known && r.in.Low.X > 0 {
			low = math.Max(math.Min(low, r.in.Low.X), low/room)
			high = math.Min(math.Max(high, r.in.High.X), high*room)
		}
	}
	c := chart{axis: ratios(low, high), heads: []string{"ratio", "95 % interval", extra, "verdict"}}
	c.axisTitle = "← worse|ratio to the baseline|better →"
	for _, r := range rows {
		line := row{label: r.label, head: r.head}
		if !r.head {
			line.cells = []cell{
				{text: export.RatioText(r.ratio, r.in), color: ink},
				{text: export.IntervalText(r.in), color: ink},
				{text: r.extra, color: ink},
				{text: verdictSigns[r.verdict], color: verdictColor(r.verdict), left: true},
			}
			if r.verdict == "" {
				line.cells[3].text = ""
			}
			switch {
			case !r.ratio.Known:
				line.words = "no ratio"
				if r.words != "" {
					line.words = r.words
				}
			default:
				line.draw = func(y, half float64) { s.ratio(&r, c.axis, y) }
			}
		}
		c.rows = append(c.rows, line)
	}
	if b.compared.Family == 0 {
		c.drop(3)
	}
	if extra == "" {
		c.drop(2)
	}
	if !slices.ContainsFunc(rows, func(r forestRow) bool { return r.in.Low.Known }) {
		c.drop(1)
	}
	c.under = func(top, bottom float64) {
		if l, h, err := stats.Margin(b.compared.Options.Margin); err == nil && b.compared.Family > 0 {
			from, to := math.Max(c.axis.place(l), c.axis.from), math.Min(c.axis.place(h), c.axis.to)
			s.rect(faint, from, top, to, bottom)
		}
	}
	c.one = true
	return c.draw(s, y)
}

// ratio draws one ratio: its shape and colour are those of the verdict.
func (s *sheet) ratio(r *forestRow, a *axis, y float64) {
	c := verdictColor(r.verdict)
	x := math.Min(math.Max(a.place(r.ratio.X), a.from), a.to)
	known := r.in.Low.Known && r.in.High.Known
	if known {
		s.interval(c, a.place(r.in.Low.X), a.place(r.in.High.X), y, a.from, a.to)
	}
	switch {
	case r.mean:
		s.area(c, polygon(x, y, 5.5, 4, 0)...)
	case !known:
		s.ring(c, x, y, 3.2)
	case r.verdict == analyze.Better:
		s.area(c, polygon(x, y, 4.6, 3, 0)...)
	case r.verdict == analyze.Worse:
		s.area(c, polygon(x, y, 4.6, 3, math.Pi)...)
	case r.verdict == analyze.Equivalent || r.verdict == analyze.Trivial:
		s.area(c, polygon(x, y, 4.2, 4, math.Pi/4)...)
	default:
		s.area(c, polygon(x, y, 3.4, 24, 0)...)
	}
}

// shapesNote says what the shapes of a forest mean.
func (b *book) shapesNote() string {
	if b.compared.Family == 0 {
		return "Ring: a ratio without an interval, since no standard error is known; nothing is claimed. The axis is logarithmic. A ratio above 1 is better than the baseline, whether more or less is better."
	}
	return "Triangle: shown to be better (pointing right) or worse (left); square: shown to be within the margin of " +
		percent(b.compared.Options.Margin) + ", the gray band; disc: undecided; ring: no interval known. The axis is logarithmic. A ratio above 1 is better than the baseline, whether more or less is better."
}

// means draws the geometric means over all tests against the baseline.
func (b *book) means(f *fonts) *sheet {
	c := b.compared
	s, y := begin(f, "Over all tests: geometric mean of the ratios", b.against(), "")
	var rows []forestRow
	for i := range c.Overall {
		o := &c.Overall[i]
		r := forestRow{label: shown(o.SystemName), ratio: o.GeoMean, verdict: o.Verdict, extra: strconv.Itoa(o.Ratios)}
		if b.severalBases() {
			r.label += " against " + shown(o.BaselineName)
		}
		if o.Tested > 0 {
			r.in = o.OverTests.Range
		}
		rows = append(rows, r)
	}
	y = b.forest(s, y, "tests", rows)
	intervals := ""
	if b.compared.Family > 0 {
		intervals = "Intervals take the tests for a sample of all possible ones. "
	}
	return s.finish(y, intervals+b.shapesNote(), b.different(), b.sources())
}

// different warns where the means are not over the same tests.
func (b *book) different() string {
	for i := range b.compared.Overall {
		if b.compared.Overall[i].Ratios != b.compared.Overall[0].Ratios {
			return "The means are over different numbers of tests: they compare with the baseline, not with each other."
		}
	}
	return ""
}

func (b *book) severalBases() bool {
	for i := range b.compared.Overall {
		if b.compared.Overall[i].BaselineName != b.compared.Overall[0].BaselineName {
			return true
		}
	}
	return false
}

// against says what the baseline is and how the p values were adjusted.
func (b *book) against() string {
	return "Baseline: " + shown(b.compared.Baseline) + "; " + b.compared.FamilyName()
}

// pageRows is the number of tests on one picture of ratios.
const pageRows = 40

// ratioPages returns the rows of every pair of systems, cut into pages.
func (b *book) ratioPages() [][]*analyze.CompareRow {
	type pair struct{ base, system string }
	var order []pair
	of := map[pair][]*analyze.CompareRow{}
	for i := range b.compared.Rows {
		r := &b.compared.Rows[i]
		k := pair{r.BaselineName, r.SystemName}
		if of[k] == nil {
			order = append(order, k)
		}
		if r.Ratio.Known {
			of[k] = append(of[k], r)
		}
	}
	var pages [][]*analyze.CompareRow
	for _, k := range order {
		rows := of[k]
		for len(rows) > 0 {
			n := min(len(rows), pageRows)
			if rest := len(rows) - n; rest > 0 && rest < pageRows/4 {
				n = (len(rows) + 1) / 2
			}
			pages, rows = append(pages, rows[:n]), rows[n:]
		}
	}
	return pages
}

// ratioPage draws one system's ratios of all tests, and their mean.
func (b *book) ratioPage(f *fonts, page []*analyze.CompareRow, last bool) *sheet {
	first := page[0]
	s, y := begin(f, shown(first.SystemName)+" against "+shown(first.BaselineName), "Ratios of all tests", b.compared.FamilyName())
	var rows []forestRow
	head := ""
	for _, r := range page {
		if h := heading(r.Test); h != head {
			head = h
			if r.Arguments != "" {
				rows = append(rows, forestRow{label: h, head: true})
			}
		}
		label := shown(r.Arguments)
		if label == "" {
			label = head
		}
		label = joined(", ", label, shown(r.Test.Scale))
		rows = append(rows, forestRow{label: label, ratio: r.Ratio, in: r.Interval, verdict: r.Verdict})
	}
	if last {
		for i := range b.compared.Overall {
			if o := &b.compared.Overall[i]; o.SystemName == first.SystemName && o.BaselineName == first.BaselineName {
				m := forestRow{label: "geometric mean of all", ratio: o.GeoMean, verdict: o.Verdict, mean: true}
				if o.Tested > 0 {
					m.in = o.OverTests.Range
				}
				rows = append(rows, forestRow{label: "Over all tests", head: true}, m)
			}
		}
	}
	y = b.forest(s, y, "", rows)
	return s.finish(y, b.shapesNote(), b.sources())
}
