package picture

import (
	"math"
	"strings"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/result"
)

// series returns the values of a line graph, NaN for what is no number; nil if
// the measurement is none.
func series(c *analyze.Cell) []float64 {
	m := c.Measurement
	if m == nil || m.Status == result.StatusFailed || !strings.Contains(m.Value, ",") {
		return nil
	}
	var values []float64
	known := 0
	for text := range strings.SplitSeq(m.Value, ",") {
		v, ok := result.ParseNumber(strings.TrimSpace(text))
		if ok {
			known++
		} else {
			v = math.NaN()
		}
		values = append(values, v)
	}
	if known < 2 {
		return nil
	}
	return values
}

// hasSeries reports whether a test is a line graph.
func hasSeries(t *analyze.Test) bool {
	for i := range t.Cells {
		if series(&t.Cells[i]) != nil {
			return true
		}
	}
	return false
}

// dashes tell lines apart beside their colours and symbols.
var dashes = [][]float64{nil, {5, 2}, {1.5, 1.5}, {6, 2, 1.5, 2}}

// seriesMost is how many lines one picture has; more would not be told apart.
const seriesMost = 28

// lines draws a line graph: the values of every system in their order.
func (b *book) lines(f *fonts, t *analyze.Test) *sheet {
	s, y := begin(f, heading(t), shown(t.Arguments), unit(t))
	low, high, longest := math.Inf(1), math.Inf(-1), 0
	var of []*analyze.Cell
	var without []string
	for i := range t.Cells {
		c := &t.Cells[i]
		values := series(c)
		if values == nil {
			without = append(without, shown(b.compared.Set.Systems[c.System].Name))
			continue
		}
		of = append(of, c)
		longest = max(longest, len(values))
		for _, v := range values {
			if !math.IsNaN(v) {
				low, high = math.Min(low, v), math.Max(high, v)
			}
		}
	}
	more := 0
	if len(of) > seriesMost {
		more, of = len(of)-seriesMost, of[:seriesMost]
	}
	if low > 0 && low < high/2 {
		low = 0
	}
	up := linear(low, high, 6)
	widest := 0.0
	for _, tick := range up.ticks {
		widest = math.Max(widest, f.width(up.label(tick), tickStyle))
	}
	const tall = 230
	left, right := margin+widest+8, float64(pageWidth-margin)
	up.from, up.to = y+tall, y+6
	across := linear(1, float64(longest), 8)
	across.low, across.high = 1, float64(max(longest, 2))
	across.from, across.to = left, right
	for _, tick := range up.ticks {
		ty := up.place(tick)
		s.line(pale, 0.6, point{left, ty}, point{right, ty})
		s.text(left-5, ty+2.8, atEnd, tickStyle, up.label(tick))
	}
	across.ticks = wholeTicks(across)
	for n, c := range of {
		s.series(n, series(c), across, up)
	}
	y = s.axisBelow(across, "reading, in the order it was taken", up.from)
	y = b.legend(s, y+2, of)
	var notes []string
	if up.low > 0 {
		notes = append(notes, "The axis does not begin at zero.")
	}
	if more > 0 {
		notes = append(notes, phrase.Count(more, "more system")+" not drawn.")
	}
	if len(without) > 0 {
		notes = append(notes, "No values: "+strings.Join(without, ", "))
	}
	return s.finish(y, append(notes, b.sources())...)
}

// wholeTicks are the ticks of an axis within it that are whole numbers.
func wholeTicks(a *axis) []float64 {
	var ticks []float64
	for _, t := range append([]float64{1}, a.ticks...) {
		if t == math.Trunc(t) && t >= a.low && t <= a.high && (len(ticks) == 0 || t > ticks[len(ticks)-1]) {
			ticks = append(ticks, t)
		}
	}
	a.decimals = 0
	return ticks
}

// series draws the n-th line, with some symbols on it. Gaps stay gaps. Of more
// values than can be seen the lowest and highest of each piece are drawn.
func (s *sheet) series(n int, values []float64, across, up *axis) {
	c := palette[n%len(palette)]
	at := func(i int) point { return point{across.place(float64(i + 1)), up.place(values[i])} }
	var run []point
	end := func() {
		switch {
		case len(run) == 1:
			s.symbol(n, c, run[0].x, run[0].y, 2)
		case len(run) > 1:
			s.dashed(c, 1.3, dashes[n/len(palette)%len(dashes)], run...)
		}
		run = nil
	}
	step := max(1, len(values)/600)
	for i := 0; i < len(values); i += step {
		lowest, highest := -1, -1
		for j := i; j < min(i+step, len(values)); j++ {
			if math.IsNaN(values[j]) {
				continue
			}
			if lowest < 0 || values[j] < values[lowest] {
				lowest = j
			}
			if highest < 0 || values[j] > values[highest] {
				highest = j
			}
		}
		if lowest < 0 {
			end()
			continue
		}
		run = append(run, at(min(lowest, highest)))
		if lowest != highest {
			run = append(run, at(max(lowest, highest)))
		}
	}
	end()
	const symbols = 12
	every := max(1, len(values)/symbols)
	for i := n % every; i < len(values); i += every {
		if !math.IsNaN(values[i]) {
			p := at(i)
			s.symbol(n, c, p.x, p.y, 2.2)
		}
	}
}

// legend names the lines in two columns below y.
func (b *book) legend(s *sheet, y float64, of []*analyze.Cell) float64 {
	columns := 2
	if len(of) > 12 {
		columns = 3
	}
	width := float64(pageWidth-2*margin) / float64(columns)
	for i := 0; i < len(of); i += columns {
		bottom := y
		for j := i; j < min(i+columns, len(of)); j++ {
			x := margin + float64(j-i)*width
			c := palette[j%len(palette)]
			s.dashed(c, 1.3, dashes[j/len(palette)%len(dashes)], point{x, y + 7}, point{x + 22, y + 7})
			s.symbol(j, c, x+11, y+7, 2.4)
			name := shown(b.compared.Set.Systems[of[j].System].Name)
			bottom = math.Max(bottom, s.paragraph(x+28, y+0.5, width-34, labelStyle, name, 3))
		}
		y = bottom
	}
	return y
}
