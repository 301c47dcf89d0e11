package xlsx

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/internal/number"
	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/result"
)

// verdictSeries are the colours of ratios: by verdict, since a ratio alone
// decides nothing. The legend has the words.
var verdictSeries = []struct {
	name     string
	verdicts []analyze.Verdict
	paint
}{
	{"better", []analyze.Verdict{analyze.Better}, paint{colour: palette[0]}},
	{"worse", []analyze.Verdict{analyze.Worse}, paint{colour: palette[5]}},
	{"equivalent or trivial", []analyze.Verdict{analyze.Equivalent, analyze.Trivial}, paint{colour: "8C8C8C"}},
	{"undecided", []analyze.Verdict{analyze.Undecided}, paint{colour: "8C8C8C", pattern: "ltUpDiag"}},
	{"untestable", []analyze.Verdict{analyze.Untestable}, paint{colour: "8C8C8C", hollow: true}},
}

// ratioPoint is one bar of a chart of ratios.
type ratioPoint struct {
	label    string
	verdict  analyze.Verdict
	ratio    float64
	interval analyze.Range
	// formula works the ratio out of other sheets' cells, #N/A where one of
	// them has been emptied; "" if there is none.
	formula string
}

// means adds the charts of the means over tests. It returns how many there is
// no room for.
func (b *board) means(list []*analyze.Comparison) (undrawn int) {
	first := sourceColumns(len(list))
	start, pairs := 0, 0
	for _, c := range list {
		of := "against " + c.Baseline
		rows := b.w.meanRange(start, len(c.Rows)+len(c.Overall))
		if len(list) > 1 {
			of += " of " + sources(c.Set)
		}
		var points []ratioPoint
		for i := range c.Overall {
			o := &c.Overall[i]
			if !o.GeoMean.Known {
				continue
			}
			p := ratioPoint{label: pairLabel(c, o.BaselineName, o.SystemName), verdict: o.Verdict, ratio: o.GeoMean.X, formula: b.w.meanFormula(rows, first, strconv.Itoa(pairs+i+1), "NA()")}
			if o.Tested > 0 {
				p.interval = o.OverTests.Range
			}
			points = append(points, p)
		}
		for part := range slices.Chunk(points, maxBars) {
			if b.ratioCharts >= maxRatioCharts {
				undrawn++
				continue
			}
			b.ratioChart("Geometric mean of all ratios "+of, "error bars: the tests as a sample of all possible ones", part)
		}
		start += len(c.Rows) + len(c.Overall)
		pairs += len(c.Overall)
	}
	return undrawn
}

// ratios adds the charts of the tests of each system against its baseline. It
// returns how many there is no room for.
func (b *board) ratios(list []*analyze.Comparison) (undrawn int) {
	for _, c := range list {
		byPair := map[[2]string][]int{}
		for i := range c.Rows {
			if r := &c.Rows[i]; r.Ratio.Known {
				byPair[pairOf(r)] = append(byPair[pairOf(r)], i)
			}
		}
		for i := range c.Overall {
			o := &c.Overall[i]
			rows := byPair[[2]string{o.BaselineName, o.SystemName}]
			if len(rows) == 0 {
				continue
			}
			if b.ratioCharts >= maxRatioCharts {
				undrawn++
				continue
			}
			shown := largest(c, rows)
			note := ""
			if len(shown) < len(rows) {
				note = fmt.Sprintf("%d of %s: decided ones first, then by difference", len(shown), phrase.Count(len(rows), "test"))
			}
			b.ratioChart(short(o.SystemName, titleLetters/2-5)+" against "+short(o.BaselineName, titleLetters/2-5), note, b.testPoints(c, shown))
		}
	}
	return undrawn
}

// pairLabel names a system, with what it is compared with where that is not
// one for all.
func pairLabel(c *analyze.Comparison, base, system string) string {
	if base == c.Baseline {
		return label(system)
	}
	return label(system + " / " + base)
}

// largest returns as many of the rows as a chart takes, in their order: those
// that are decided before the others, and of those the largest differences.
func largest(c *analyze.Comparison, rows []int) []int {
	if len(rows) <= maxBars {
		return rows
	}
	weight := func(i int) (open int, size float64) {
		r := &c.Rows[i]
		if r.Verdict != analyze.Better && r.Verdict != analyze.Worse {
			open = 1
		}
		return open, -math.Abs(math.Log(r.Ratio.X))
	}
	sorted := slices.Clone(rows)
	slices.SortStableFunc(sorted, func(i, j int) int {
		openI, sizeI := weight(i)
		openJ, sizeJ := weight(j)
		return cmp.Or(cmp.Compare(openI, openJ), cmp.Compare(sizeI, sizeJ))
	})
	sorted = sorted[:maxBars]
	slices.Sort(sorted)
	return sorted
}

// testPoints are the bars of tests, each with its program and the options that
// tell it from the others of that program.
func (b *board) testPoints(c *analyze.Comparison, rows []int) []ratioPoint {
	programs := map[string][]*result.Test{}
	for _, i := range rows {
		t := c.Rows[i].Test.Test
		programs[t.Title] = append(programs[t.Title], t)
	}
	shared := make(map[string][]result.Option, len(programs))
	for title, tests := range programs {
		shared[title] = common(tests)
	}
	own := func(t *result.Test) string { return t.Title + after(": ", ownLabel(t, shared[t.Title])) }
	withScale := func(t *result.Test) string { return own(t) + after(", ", t.Scale) }
	seen := map[string]int{}
	for _, i := range rows {
		t := c.Rows[i].Test.Test
		seen[own(t)]++
		seen[withScale(t)+"\n"]++
	}
	points := make([]ratioPoint, 0, len(rows))
	for _, i := range rows {
		r := &c.Rows[i]
		t := r.Test.Test
		text := own(t)
		if seen[text] > 1 { // alike but for unit or version
			text = withScale(t)
			if seen[text+"\n"] > 1 {
				text += after(", ", t.Version)
			}
		}
		points = append(points, ratioPoint{label(text), r.Verdict, r.Ratio.X, r.Interval, b.w.ratioFormula(r, "NA()")})
	}
	return points
}

// ratioChart draws ratios from 1 to both sides, in the colour of their
// verdict, with their intervals.
func (b *board) ratioChart(title, note string, points []ratioPoint) {
	if !slices.ContainsFunc(points, func(p ratioPoint) bool { return p.verdict != analyze.Untestable }) {
		note = "no verdicts: the sheet Compare has the reasons"
	}
	c := &chart{
		title: short(title, titleLetters), subtitle: short(note, subtitleLetters),
		axis:    "ratio to the baseline; above 1 is better",
		stacked: true, legend: true, width: halfPixels, height: min(chartHeight(len(points), nil)+20, (pageRows-1)*rowPixels),
		scale: ratioScale(points),
	}
	var cells []seriesCells
	for _, p := range points {
		c.names = append(c.names, p.label)
	}
	for _, v := range verdictSeries {
		if !slices.ContainsFunc(points, func(p ratioPoint) bool { return slices.Contains(v.verdicts, p.verdict) }) {
			continue
		}
		var s seriesCells
		for _, p := range points {
			var value, low, high cell
			if slices.Contains(v.verdicts, p.verdict) {
				value, low, high = ratioCells(p)
			}
			s.values, s.minus, s.plus = append(s.values, value), append(s.minus, low), append(s.plus, high)
		}
		cells = append(cells, s)
		c.series = append(c.series, series{name: v.name, paint: v.paint})
	}
	b.ratioCharts++
	c.description = fmt.Sprintf("Bar chart of ratios: %s, %s, coloured by verdict", c.title, phrase.Count(len(points), "bar"))
	b.add(c, cells)
}

// ratioCells are the cells of a bar: its ratio and the lengths of its error
// bars, which end where the published interval does. They follow the sheet
// Results by what their rows are about, not by where the sheet Compare has
// them: it may be sorted.
func ratioCells(p ratioPoint) (value, low, high cell) {
	value = cell{value: p.ratio, formula: p.formula, look: look{format: ratioFormat(p.ratio)}, width: 10}
	if p.interval.Low.Known && p.interval.High.Known {
		end := func(x float64, formula string) cell {
			c := cell{value: x, look: look{format: "General"}, width: 10}
			if p.formula != "" {
				c.formula = formula
			}
			return c
		}
		// The sheet Compare has the ends with six digits.
		lowText, highText := number.Significant(p.interval.Low.X, 6), number.Significant(p.interval.High.X, 6)
		l, _ := figureCell(lowText).value.(float64)
		h, _ := figureCell(highText).value.(float64)
		low = end(p.ratio-l, p.formula+"-"+lowText)
		high = end(h-p.ratio, highText+"-"+p.formula)
	}
	return value, low, high
}

// ratioScale is the axis of ratios: even steps where all are near each other,
// else powers of 2 or 10. Intervals that reach far beyond all ratios are cut.
func ratioScale(points []ratioPoint) scale {
	low, high := 1.0, 1.0
	for _, p := range points {
		low, high = min(low, p.ratio), max(high, p.ratio)
	}
	most, least := high*2, low/2
	for _, p := range points {
		if p.interval.Low.Known && p.interval.High.Known {
			low = min(low, max(p.interval.Low.X, least))
			high = max(high, min(p.interval.High.X, most))
		}
	}
	if high/low <= 4 {
		step := niceStep(max(high-low, 0.08) / 8)
		return scale{low: math.Floor(low/step-0.2) * step, high: math.Ceil(high/step+0.2) * step, step: step, from: 1}
	}
	base := 2.0
	if high/low > 64 {
		base = 10
	}
	power := func(x float64, round func(float64) float64) float64 {
		return math.Pow(base, round(math.Log(x)/math.Log(base)))
	}
	return scale{base: base, low: power(low, math.Floor), high: power(high, math.Ceil), step: base, from: 1}
}

// niceStep is the next of 1, 2 or 5 times a power of ten.
func niceStep(x float64) float64 {
	ten := math.Pow(10, math.Floor(math.Log10(x)))
	for _, n := range []float64{1, 2, 5} {
		if n*ten >= x {
			return n * ten
		}
	}
	return 10 * ten
}
