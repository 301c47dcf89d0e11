package export

import (
	"math"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/internal/term"
)

// rankLayout is which columns the tables of a ranking have, and how wide they
// are: the same in every test.
type rankLayout struct {
	o      TextOptions
	ranges bool // ranges and letters are known
	strip  bool // ranges are drawn too
	places int  // cells of the drawn ranges
	bars   int  // cells of the bars, 0 without
	bar    int  // the column of bars, -1 without
	least  []int
	top    float64 // what a whole bar stands for in the test at hand
	named  string  // top as printed
}

// Cells of the drawings of a ranking.
const (
	barLeast = 12
	barMost  = 60
	// stripMost is the number of places up to which each has a cell.
	stripMost = 24
	// nameThin is the width of names that a ranking is no thinner than.
	nameThin = 24
)

// newRankLayout chooses the columns that something is known of, and what of the
// width the drawings get.
func newRankLayout(r *analyze.Ranking, o TextOptions) *rankLayout {
	l := &rankLayout{o: o, bar: -1}
	for i := range r.Tests {
		l.places = max(l.places, len(r.Tests[i].Ranks))
		for _, k := range r.Tests[i].Ranks {
			l.ranges = l.ranges || k.Low > 0
		}
	}
	l.strip = l.ranges && l.places <= stripMost
	l.measure(r)
	if l.strip && l.room(nameThin) < barLeast {
		l.strip = false
		l.measure(r)
	}
	if l.room(nameThin) >= barLeast {
		l.bars = min(max(l.room(nameMost), barLeast), barMost)
		l.measure(r)
	}
	return l
}

// room returns the cells that are left for bars where names take no more than
// most.
func (l *rankLayout) room(most int) int {
	used := tableIndent + tableGap*len(l.least)
	for i, n := range l.least {
		if i == l.name() {
			n = min(n, most)
		}
		used += n
	}
	return l.o.Width - used
}

// name returns the column of the systems' names.
func (l *rankLayout) name() int {
	n := 1
	for _, has := range []bool{l.ranges, l.strip} {
		if has {
			n++
		}
	}
	return n
}

func (l *rankLayout) measure(r *analyze.Ranking) {
	header := l.header()
	l.least = make([]int, len(header))
	widen := func(row []string) {
		for i, text := range row {
			if i != l.bar {
				l.least[i] = max(l.least[i], term.Width(term.Visible(text)))
			}
		}
	}
	widen(header)
	for i := range r.Tests {
		t := &r.Tests[i]
		for n := range t.Ranks {
			if k := &t.Ranks[n]; k.Cell.Problem == "" {
				widen(l.row(r, t, k, ""))
			}
		}
	}
	if l.bar >= 0 {
		l.least[l.bar] = l.bars
	}
}

func (l *rankLayout) header() []string {
	l.bar = -1
	header := l.line("rank", "range", strings.Repeat(" ", l.places), "system", "value", "", "letters")
	if l.bars > 0 {
		l.bar = l.name() + 2
	}
	return header
}

// line keeps the cells of the columns that there are.
func (l *rankLayout) line(rank, span, strip, name, value, bar, letters string) []string {
	row := []string{rank}
	if l.ranges {
		row = append(row, span)
	}
	if l.strip {
		row = append(row, strip)
	}
	row = append(row, name, value)
	if l.bars > 0 {
		row = append(row, bar)
	}
	if l.ranges {
		row = append(row, letters)
	}
	return row
}

// table returns an empty table for one test and group.
func (l *rankLayout) table(k *analyze.TestRanking) *term.Table {
	t := &term.Table{Header: l.header(), Least: l.least}
	t.Right, t.Fixed = make([]bool, len(t.Header)), make([]bool, len(t.Header))
	name := l.name()
	for i := range t.Header {
		strip := l.strip && i == name-1
		t.Right[i] = i == 0 || i == 1 && l.ranges || i == name+1
		t.Fixed[i] = strip || i > name+1
		if strip {
			t.Header[i] = stripHeader(len(k.Ranks))
		}
		if i == l.bar && l.top > 0 && len(l.named)+2 < l.bars {
			t.Header[i] = "0" + strings.Repeat(" ", l.bars-1-len(l.named)) + l.named
		}
	}
	return t
}

// row returns the cells of a system.
func (l *rankLayout) row(r *analyze.Ranking, t *analyze.TestRanking, k *analyze.TestRank, place string) []string {
	bar := ""
	if l.bars > 0 {
		bar = term.Bar(k.Cell.Figures.Mean, l.top, l.bars, l.o.ASCII)
	}
	return l.line(place, rangeCell(k.Low, k.High), stripCell(k.Place, k.Low, k.High, len(t.Ranks), l.o.ASCII),
		r.Set.Systems[k.System].Name, cellValue(k.Cell)+Mark(k.Cell.Measurement.Decode), bar, lettersCell(k.Letters))
}

// scale sets what a whole bar stands for: the largest value of the first test,
// over all of its groups.
func (l *rankLayout) scale(tests []analyze.TestRanking) {
	l.top, l.named = 0, ""
	for i := range tests {
		if tests[i].Test != tests[0].Test {
			return
		}
		for _, k := range tests[i].Ranks {
			if k.Cell.Problem == "" && k.Cell.Figures.Mean > l.top {
				l.top, l.named = k.Cell.Figures.Mean, cellValue(k.Cell)
			}
		}
	}
}

// stripHeader numbers the ends of drawn ranges of n places, where two numbers
// have room.
func stripHeader(n int) string {
	last := strconv.Itoa(n)
	if n < 2+len(last) {
		return ""
	}
	return "1" + strings.Repeat(" ", n-1-len(last)) + last
}

// stripCell draws a place and its range among n: a dot a place, a line for the
// range, a mark for the place; "" without a range.
func stripCell(place, low, high, n int, ascii bool) string {
	if low == 0 {
		return ""
	}
	dot, line, mark := '·', '─', '●'
	if ascii {
		dot, line, mark = '.', '-', 'O'
	}
	strip := make([]rune, n)
	for i := range strip {
		switch at := i + 1; {
		case at == place:
			strip[i] = mark
		case at >= low && at <= high:
			strip[i] = line
		default:
			strip[i] = dot
		}
	}
	return string(strip)
}

// lettersCell sets letters below each other: each in its own place, as long as
// they are few.
func lettersCell(letters string) string {
	const most = 8
	places := make([]byte, most)
	used := 0
	for i := range len(letters) {
		at := int(letters[i]) - 'a'
		if at < 0 || at >= most || at < used {
			return letters
		}
		for ; used < at; used++ {
			places[used] = ' '
		}
		places[at] = letters[i]
		used = at + 1
	}
	return string(places[:used])
}

// legend says what the tables show.
func (l *rankLayout) legend() string {
	text := "Rank 1 is the best."
	if l.ranges {
		text += " Its range holds the true rank of all systems of a test at once at 95 %"
		if l.strip {
			text += " (drawn: "
			text += stripCell(2, 1, 3, 4, l.o.ASCII) + " is rank 2, range 1-3, of 4)"
		}
		text += "; systems that share a letter do not differ significantly."
	}
	if l.bars > 0 {
		text += " Bars are the values, to one scale a test."
	}
	return text
}

// commonRankReason returns the reason that the ranks of several tests all have,
// "" if there is none.
func commonRankReason(r *analyze.Ranking) string {
	if len(r.Tests) < 2 {
		return ""
	}
	for i := range r.Tests {
		if r.Tests[i].Reason != r.Tests[0].Reason {
			return ""
		}
	}
	return r.Tests[0].Reason
}

// groupTable returns the order over all tests. Mean ranks are drawn on a line
// from 1 to the number of systems.
func groupTable(r *analyze.Ranking, o *analyze.GroupRanking, text TextOptions) *term.Table {
	ranges, letters, testRanges := false, false, false
	ties := map[int]int{}
	for _, s := range o.Systems {
		ties[s.Place]++
		ranges, letters, testRanges = ranges || s.Low > 0, letters || s.Letters != "", testRanges || s.TestsLow > 0
	}
	build := func(cells int) *term.Table {
		t := &term.Table{}
		drawn := -1
		column := func(has bool, name string, right, fixed bool) {
			if !has {
				return
			}
			t.Header, t.Right, t.Fixed = append(t.Header, name), append(t.Right, right), append(t.Fixed, fixed)
		}
		column(true, "rank", true, false)
		column(ranges, "range", true, false)
		column(true, "system", false, false)
		column(true, "mean rank", true, false)
		if cells > 0 {
			drawn = len(t.Header)
			last := strconv.Itoa(len(o.Systems))
			column(true, "1"+strings.Repeat(" ", cells-1-len(last))+last, false, true)
		}
		column(letters, "letters", false, true)
		column(true, "over tests", true, false)
		column(testRanges, "range", true, false)
		for _, s := range o.Systems {
			place := count(s.Place)
			if ties[s.Place] > 1 {
				place = "=" + place
			}
			row := []string{place}
			if ranges {
				row = append(row, rangeCell(s.Low, s.High))
			}
			row = append(row, r.Set.Systems[s.System].Name, strconv.FormatFloat(s.MeanRank, 'f', 2, 64))
			if cells > 0 {
				row = append(row, meanRankLine(s.MeanRank, len(o.Systems), cells, text.ASCII))
			}
			if letters {
				row = append(row, lettersCell(s.Letters))
			}
			row = append(row, strconv.FormatFloat(s.TestsMeanRank, 'f', 2, 64))
			if testRanges {
				row = append(row, rangeCell(s.TestsLow, s.TestsHigh))
			}
			t.Add(row...)
			if drawn >= 0 {
				t.Style(drawn, calm)
			}
		}
		return t
	}
	t := build(0)
	room := text.Width - tableIndent - tableGap*len(t.Header)
	for i, n := range t.Widths() {
		if t.Header[i] == "system" {
			n = min(n, nameMost)
		}
		room -= n
	}
	if room < forestLeast || len(o.Systems) < 2 {
		return t
	}
	return build(min(room, forestMost))
}

// meanRankLine draws a mean rank among n systems on a line of cells.
func meanRankLine(mean float64, n, cells int, ascii bool) string {
	dot, mark := "·", "●"
	if ascii {
		dot, mark = ".", "O"
	}
	at := int(math.Round((mean - 1) / float64(n-1) * float64(cells-1)))
	at = min(max(at, 0), cells-1)
	return strings.Repeat(dot, at) + mark + strings.Repeat(dot, cells-1-at)
}
