package xlsx

import (
	"fmt"
	"math"
	"slices"

	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/internal/term"
	"github.com/benchproof/benchproof/result"
)

// maxGrouped is how many systems a chart of several tests tells apart by
// colour; with more each test is a chart with a bar a system.
const maxGrouped = 8

// family is the tests of one program and unit.
type family struct {
	key   familyKey
	tests []familyTest
	more  int // tests that are not kept
}

type familyTest struct {
	*result.Test
	row   int // of the sheet Results, from 0
	cells []*result.Measurement
}

// families adds a chart for each family of tests, or several where it has many
// bars. It returns what is left out, a line each.
func (b *board) families() []string {
	wide := export.NewWideTable(b.w.files)
	if len(wide.Columns()) > b.w.maxColumns {
		return []string{"the values of tests are not drawn, since the sheet Results is left out"}
	}
	list, more, unnumbered := collect(wide)
	first := len(b.charts)
	undrawn := more
	for i := range list {
		undrawn += list[i].more
		undrawn += b.family(&list[i], wide, first+maxFamilyCharts)
	}
	var left []string
	if undrawn > 0 {
		left = append(left, fmt.Sprintf("%s not drawn, or not for all systems: the sheet takes %d charts of values, a family of tests %d bars a chart and %d tests; filter the sheet Results for them",
			phrase.Count(undrawn, "more test")+" "+phrase.Verb(undrawn, "is", "are"), maxFamilyCharts, maxBars, maxFamilyTests))
	}
	if unnumbered > 0 {
		left = append(left, fmt.Sprintf("%s without a value that is one number %s not drawn", phrase.Count(unnumbered, "test"), phrase.Verb(unnumbered, "is", "are")))
	}
	return left
}

// maxFamilyTests is how many tests of a family are drawn.
const maxFamilyTests = 40

// collect divides the rows of a table into families, in order, as many as can
// be drawn. It returns how many rows are in none because there are too many
// families, and how many have no number.
func collect(wide *export.WideTable) (list []family, more, unnumbered int) {
	index := map[familyKey]int{}
	row := -1
	for t, cells := range wide.Cells() {
		row++
		if !slices.ContainsFunc(cells, drawable) {
			unnumbered++
			continue
		}
		key := keyOf(t)
		at, ok := index[key]
		if !ok {
			if len(list) == maxFamilyCharts {
				more++
				continue
			}
			at = len(list)
			index[key] = at
			list = append(list, family{key: key})
		}
		f := &list[at]
		if len(f.tests) == maxFamilyTests {
			f.more++
			continue
		}
		f.tests = append(f.tests, familyTest{t, row, slices.Clone(cells)})
	}
	return list, more, unnumbered
}

// drawable reports whether a measurement stands in the sheet Results as a
// number.
func drawable(m *result.Measurement) bool {
	if m == nil {
		return false
	}
	_, ok := valueCell(m).value.(float64)
	return ok
}

// family adds the charts of one family while there are fewer than so many in
// all. It returns how many tests are in none.
func (b *board) family(f *family, wide *export.WideTable, most int) (undrawn int) {
	var systems []int // with a value, as columns
	for i := range len(wide.Columns()) - resultHead {
		if slices.ContainsFunc(f.tests, func(t familyTest) bool { return drawable(t.cells[i]) }) {
			systems = append(systems, i)
		}
	}
	name := func(i int) string { return wide.Columns()[resultHead+i].Name }
	if len(systems) > maxGrouped {
		for _, t := range f.tests {
			undrawn += b.testChart(f.key, t, systems, name, most)
		}
		return undrawn
	}
	for _, tests := range divide(f.tests, maxBars/len(systems)) {
		if len(b.charts) >= most {
			undrawn += len(tests)
			continue
		}
		b.groupChart(f, tests, systems, name, most)
	}
	return undrawn
}

// spread is how many times the largest value of a test in a chart may be that
// of another: bars that are shorter tell nothing.
const spread = 20

// divide gathers tests of one size in order, at most so many together.
func divide(tests []familyTest, most int) [][]familyTest {
	type group struct {
		tests     []familyTest
		low, high float64 // of the largest values
	}
	var groups []group
	for _, t := range tests {
		largest := 0.0
		for _, m := range t.cells {
			if drawable(m) {
				v, _ := m.Number()
				largest = max(largest, math.Abs(v))
			}
		}
		at := slices.IndexFunc(groups, func(g group) bool {
			return len(g.tests) < most && max(g.high, largest) <= spread*min(g.low, largest)
		})
		if at < 0 {
			groups = append(groups, group{[]familyTest{t}, largest, largest})
			continue
		}
		g := &groups[at]
		g.tests = append(g.tests, t)
		g.low, g.high = min(g.low, largest), max(g.high, largest)
	}
	list := make([][]familyTest, len(groups))
	for i := range groups {
		list[i] = groups[i].tests
	}
	return list
}

// testChart draws one test with a bar a system, in as many charts as that
// takes while there are fewer than most. It returns 1 if there is no room for
// all of them.
func (b *board) testChart(key familyKey, t familyTest, systems []int, name func(int) string, most int) (undrawn int) {
	for part := range slices.Chunk(systems, maxBars) {
		c := &chart{
			title: short(key.name(), titleLetters), subtitle: short(optionTexts(options(t.Test)), subtitleLetters), axis: short(key.axis(), titleLetters),
			labels: true, width: halfPixels,
		}
		var cells seriesCells
		for _, i := range part {
			if drawable(t.cells[i]) {
				c.names = append(c.names, label(name(i)))
				b.value(&cells, t, i)
			}
		}
		if len(c.names) == 0 {
			continue
		}
		if len(b.charts) >= most {
			return 1
		}
		c.height = chartHeight(len(c.names), nil)
		c.series = []series{{name: short(key.axis(), titleLetters), paint: paint{colour: palette[0]}}}
		c.description = fmt.Sprintf("Bar chart: %s, %s, %s, %s", c.title, c.subtitle, phrase.Count(len(c.names), "system"), c.axis)
		b.add(c, []seriesCells{cells})
	}
	return 0
}

// groupChart draws tests with a colour a system.
func (b *board) groupChart(f *family, tests []familyTest, systems []int, name func(int) string, most int) {
	plain := make([]*result.Test, len(f.tests))
	for i := range f.tests {
		plain[i] = f.tests[i].Test
	}
	shared := common(plain)
	if len(tests) == 1 {
		b.testChart(f.key, tests[0], systems, name, most)
		return
	}
	c := &chart{
		title: short(f.key.name(), titleLetters), subtitle: short(optionTexts(shared), subtitleLetters), axis: short(f.key.axis(), titleLetters),
		labels: true, legend: len(systems) > 1, width: halfPixels,
	}
	for _, t := range tests {
		c.names = append(c.names, label(orUnnamed(ownLabel(t.Test, shared))))
	}
	var legend []string
	for _, i := range systems {
		legend = append(legend, label(name(i)))
	}
	c.height = chartHeight(len(tests), legend)
	cells := make([]seriesCells, len(systems))
	for n, i := range systems {
		for _, t := range tests {
			b.value(&cells[n], t, i)
		}
		c.series = append(c.series, series{name: legend[n], paint: paint{colour: palette[n]}})
	}
	c.description = fmt.Sprintf("Bar chart: %s, %s on %s, %s", c.title, phrase.Count(len(tests), "test"), phrase.Count(len(systems), "system"), c.axis)
	b.add(c, cells)
}

func orUnnamed(text string) string {
	if text == "" {
		return "(no options)"
	}
	return text
}

// value adds one value with its error bars to a series.
func (b *board) value(to *seriesCells, t familyTest, system int) {
	m := t.cells[system]
	var value, half cell
	if drawable(m) {
		value = valueCell(m)
		value.formula = numberOf(b.w.valueAt(t.row, resultHead+system))
		value.look.tone = normal
		if interval, err := valueInterval(m); err == nil {
			half = cell{value: (interval.High - interval.Low) / 2, look: look{format: "General"}, width: 10}
		}
	}
	to.values = append(to.values, value)
	to.plus, to.minus = append(to.plus, half), append(to.minus, half)
}

// numberOf is a formula for what a cell holds: no bar where it has been
// emptied, instead of one of length 0.
func numberOf(at string) string { return fmt.Sprintf(`IF(COUNT(%[1]s)=1,%[1]s,NA())`, at) }

// chartHeight is the height in pixels of a chart with names beside bars of
// some colours, and with a legend of the colours' names.
func chartHeight(names int, legend []string) int {
	bars, height := max(len(legend), 1), 155
	bar := 17
	if bars > 1 {
		bar = 13
	}
	if len(legend) > 0 {
		width := 0
		for _, name := range legend {
			width += 7*term.Width(name) + 25
		}
		height += 18 * (width/halfPixels + 1)
	}
	return min(height+names*(bars*bar+6*truth(bars > 1)), (pageRows-1)*rowPixels)
}
