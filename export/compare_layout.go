package export

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/internal/term"
)

// compareLayout is which columns the tables of a comparison have, and how wide
// they are: the same in every test, so that they can be read down the page.
type compareLayout struct {
	o TextOptions
	// errors: SE and N; interval; p: p values as they are; adjusted ones;
	// runs: the runs needed.
	errors, interval, p, adjusted, runs bool
	dropped                             bool // the adjusted p values gave way
	single                              bool // one row in all, which has room for a sentence
	// forest and verdict are the columns of these two; forest is -1 where
	// there is none.
	forest, verdict int
	cells           int // of a forest line
	least           []int
	axis            forest // of the test at hand
}

// Widths in which names of systems are set where there is no room for all.
const (
	nameLeast = 10
	nameMost  = 40
)

// newCompareLayout chooses the columns that something is known of, and of the
// width what the forest gets. In a narrow report the adjusted p value gives way
// to it: the verdict stands for it.
func newCompareLayout(c *analyze.Comparison, o TextOptions) *compareLayout {
	l := &compareLayout{o: o, adjusted: c.Family > 0, single: len(c.Rows) == 1, forest: -1}
	extra := o.Width >= wide
	ratios := false
	for i := range c.Rows {
		r := &c.Rows[i]
		ratios = ratios || r.Ratio.Known
		l.interval = l.interval || r.Interval.Low.Known
		l.runs = l.runs || extra && r.RunsNeeded > 0
		for _, side := range []*analyze.Cell{r.Baseline, r.Cell} {
			l.errors = l.errors || extra && side != nil && side.Tested()
		}
	}
	l.p = extra && l.adjusted
	l.measure(c)
	if !ratios {
		return l
	}
	room := l.room(nameMost)
	if room < forestLeast && l.adjusted && !extra {
		l.adjusted, l.dropped = false, true
		l.measure(c)
		room = l.room(nameMost)
	}
	if l.p && room < forestWords {
		l.p = false
		l.measure(c)
		room = l.room(nameMost)
	}
	if room < forestLeast {
		room = forestLeast
		if l.room(nameLeast) < forestLeast {
			return l
		}
	}
	l.cells = oddCells(room)
	l.measure(c)
	return l
}

// room returns the cells that are left for a forest where names take no more
// than most.
func (l *compareLayout) room(most int) int {
	used := tableIndent + tableGap*len(l.least)
	for i, n := range l.least {
		if i == 0 {
			n = min(n, most)
		}
		used += n
	}
	return l.o.Width - used
}

// measure sets the widths of all columns.
func (l *compareLayout) measure(c *analyze.Comparison) {
	header := l.header()
	l.least = make([]int, len(header))
	widen := func(row []string) {
		for i, text := range row {
			if i != l.forest {
				l.least[i] = max(l.least[i], term.Width(term.Visible(text)))
			}
		}
	}
	widen(header)
	for i := range c.Rows {
		if i == 0 || c.Rows[i].Test != c.Rows[i-1].Test || c.Rows[i].BaselineName != c.Rows[i-1].BaselineName {
			widen(l.baseline(&c.Rows[i]))
		}
		widen(l.row(&c.Rows[i]))
	}
	if l.forest >= 0 {
		l.least[l.forest] = l.cells
	}
}

// header returns the titles of the columns, and sets where the drawn ones are.
func (l *compareLayout) header() []string {
	titles := l.line("system", "value", "SE", "N", "ratio", "95 % interval", "", "p", "adj. p", "runs needed", "verdict")
	l.verdict = len(titles) - 1
	l.forest = -1
	if l.cells > 0 {
		l.forest = 3 // behind name, value and ratio
		for _, has := range []bool{l.errors, l.errors, l.interval} {
			if has {
				l.forest++
			}
		}
	}
	return titles
}

// line keeps the cells of the columns that there are.
func (l *compareLayout) line(name, value, se, n, ratio, interval, forest, p, adjusted, runs, verdict string) []string {
	row := []string{name, value}
	for _, cell := range []struct {
		has  bool
		text string
	}{
		{l.errors, se},
		{l.errors, n},
		{true, ratio},
		{l.interval, interval},
		{l.cells > 0, forest},
		{l.p, p},
		{l.adjusted, adjusted},
		{l.runs, runs},
	} {
		if cell.has {
			row = append(row, cell.text)
		}
	}
	return append(row, verdict)
}

// table returns an empty table for the rows of one test.
func (l *compareLayout) table(rows []analyze.CompareRow) *term.Table {
	if l.cells > 0 {
		ratios, intervals := make([]analyze.Quantity, len(rows)), make([]analyze.Range, len(rows))
		for i := range rows {
			ratios[i], intervals[i] = rows[i].Ratio, rows[i].Interval
		}
		l.axis = newForest(ratios, intervals, l.cells, l.o.ASCII)
		if !slices.ContainsFunc(ratios, func(q analyze.Quantity) bool { return q.Known }) {
			l.axis = forest{}
		}
	}
	t := &term.Table{Header: l.header(), Least: l.least, Plain: l.axis.strokes().base}
	t.Right, t.Fixed = make([]bool, len(t.Header)), make([]bool, len(t.Header))
	for i := range t.Header {
		t.Right[i] = i > 0 && i != l.forest && i != l.verdict
		t.Fixed[i] = i == l.forest || i == l.verdict
	}
	if l.forest >= 0 && l.axis.cells > 0 {
		t.Header[l.forest] = l.axis.header()
	}
	return t
}

// row returns the cells of a row.
func (l *compareLayout) row(r *analyze.CompareRow) []string {
	interval := intervalCell(r.Interval)
	if interval != "" && r.RunsAdded != "" {
		interval = addedMark + interval
	}
	value, se, n := sideCells(r.Cell)
	drawn := ""
	if l.axis.cells > 0 {
		drawn = l.axis.draw(r.Ratio, r.Interval)
	}
	return l.line(r.SystemName, value, se, n, ratioCell(r.Ratio, r.Interval), interval, drawn,
		pCell(r.P), pCell(r.PAdjusted), count(r.RunsNeeded), signs[r.Verdict])
}

// baseline returns the cells of the line of a row's baseline.
func (l *compareLayout) baseline(r *analyze.CompareRow) []string {
	one, drawn := "", ""
	if r.Baseline != nil && r.Baseline.Problem == "" && r.Baseline.Figures.Mean > 0 {
		one = "1"
		if l.axis.cells > 0 {
			drawn = l.axis.baseline()
		}
	}
	value, se, n := sideCells(r.Baseline)
	return l.line(r.BaselineName, value, se, n, one, "", drawn, "", "", "", "  baseline")
}

// sideCells returns what is printed of one side of a row.
func sideCells(c *analyze.Cell) (value, se, n string) {
	if c == nil || c.Problem != "" {
		return "none", "", ""
	}
	value = cellValue(c) + Mark(c.Measurement.Decode)
	if c.Tested() {
		se, _ = ShownFigures(c.Measurement)
		n = strconv.Itoa(c.Figures.N)
	}
	return value, se, n
}

// legend says what the drawing means; "" where there is none.
func (l *compareLayout) legend() string {
	if l.cells == 0 {
		return ""
	}
	s := forest{ascii: l.o.ASCII}.strokes()
	sure := string([]rune{s.low, s.line, s.sure, s.line, s.high})
	text := string(s.base) + " the baseline; "
	if l.interval {
		text += sure + " a ratio and its interval; " + string(s.unsure) + " a ratio without one"
	} else {
		text += string(s.unsure) + " a ratio"
	}
	text += "; the axis is logarithmic and each test's own."
	if l.dropped {
		text += " A wider report has the p values."
	}
	return text
}

// overallTable returns the table of the means over tests, with a forest where
// there is room for one.
func overallTable(c *analyze.Comparison, o TextOptions) *term.Table {
	build := func(cells int) *term.Table {
		t := &term.Table{
			Header: []string{"system", "tests", "mean", "95 % interval"},
			Right:  []bool{false, true, true, true},
		}
		ratios, intervals := make([]analyze.Quantity, len(c.Overall)), make([]analyze.Range, len(c.Overall))
		for i := range c.Overall {
			ratios[i] = c.Overall[i].GeoMean
			if c.Overall[i].Tested > 0 {
				intervals[i] = c.Overall[i].OverTests.Range
			}
		}
		axis := newForest(ratios, intervals, cells, o.ASCII)
		drawn := -1
		if cells > 0 {
			drawn = len(t.Header)
			t.Header = append(t.Header, axis.header())
			t.Right = append(t.Right, false)
			t.Fixed = []bool{false, false, false, false, true}
			t.Plain = axis.strokes().base
		}
		t.Header = append(t.Header, "by profile", "+/-/even", "verdict")
		t.Right = append(t.Right, true, true, false)
		for i := range c.Overall {
			m := &c.Overall[i]
			name := m.SystemName
			if c.Overall[0].BaselineName != m.BaselineName {
				name += " against " + m.BaselineName
			}
			row := []string{name, strconv.Itoa(m.Ratios), ratioCell(m.GeoMean, intervals[i]), intervalCell(intervals[i])}
			if drawn >= 0 {
				row = append(row, axis.draw(m.GeoMean, intervals[i]))
			}
			t.Add(append(row, ratioCell(m.ByProfile, m.OverProfiles.Range),
				fmt.Sprintf("%d/%d/%d", m.Wins, m.Losses, m.Even), signs[m.Verdict])...)
			if drawn >= 0 {
				t.Style(drawn, styles[m.Verdict])
			}
			t.Style(len(t.Header)-1, styles[m.Verdict])
		}
		return t
	}
	t := build(0)
	room := o.Width - tableIndent - tableGap*len(t.Header)
	for i, n := range t.Widths() {
		if i == 0 {
			n = min(n, nameMost)
		}
		room -= n
	}
	if room < forestLeast {
		return t
	}
	return build(oddCells(room))
}

// oddCells returns the cells of a forest in a room of at least forestLeast.
func oddCells(room int) int {
	room = min(room, forestMost)
	return room - 1 + room%2
}
