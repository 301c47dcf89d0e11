package text

import (
	"math"

	"github.com/benchproof/benchproof/result"
)

// The columns of a line of published exports, from the first byte of the
// identifier to the end of the longest bar. Older versions indent the tests by
// four; on a terminal PTS takes its width.
const (
	exportWidth   = 79
	plainWidth    = 80
	indentedWidth = 76
)

// checkBars compares the values of all tests with the lengths of their bars.
// A bar is as long as its value's share of the largest value of the test,
// in the room that the line has left:
//
//	bar = max(0, round(value / largest × room))
//
// PTS draws the bar of the number it prints, not of a more precise one, so
// the check has no room for rounding. The room follows from the dots and the
// longest value.
func (b *builder) checkBars() {
	width := b.lineWidth()
	for i := range b.blocks {
		if b.blocks[i].n > 0 {
			b.checkBlock(i, width)
		}
	}
}

// prefix returns the bytes before the bars of a test.
func (blk *block) prefix() int {
	// Identifier and dots, the spaces beside the dots, the value and a space
	// behind it, the bar's mark.
	return blk.leader + 2 + blk.width + 1 + 1
}

// lineWidth returns the width that the longest bars of most tests speak for.
func (b *builder) lineWidth() int {
	counts := make(map[int]int)
	total, most := 0, exportWidth
	for i := range b.blocks {
		blk := &b.blocks[i]
		longest := 0
		for _, c := range b.cells[blk.first : blk.first+blk.n] {
			longest = max(longest, int(c.bar))
		}
		width := blk.prefix() + longest
		if longest == 0 || total > 0 && b.mayBeCut(i) && counts[width] == 0 {
			continue
		}
		total++
		counts[width]++
		if n := counts[width]; n > counts[most] || n == counts[most] && width == exportWidth {
			most = width
		}
	}
	// A single test tells the width only where it cannot be one of the usual
	// ones with a digit more or less in the value.
	const digits = 4
	sure := total > 1 || most >= plainWidth+digits || most == indentedWidth
	switch {
	case counts[most]*2 > total && sure:
		return most
	case counts[exportWidth] == 0 && counts[plainWidth] > 0:
		return plainWidth
	}
	return exportWidth
}

// fit is how the bars of a test agree with a largest value and a room.
type fit struct {
	largest float64
	room    int
	misfits int
}

// checkBlock checks the bars of one test.
func (b *builder) checkBlock(index, width int) {
	blk := &b.blocks[index]
	t := &b.file.Tests[index]
	cells := b.cells[blk.first : blk.first+blk.n]
	room := width - blk.prefix()
	longest, largest := 0, -1
	for i := range cells {
		if cells[i].bar < 0 {
			continue
		}
		if math.IsNaN(cells[i].value) {
			return // no number: reported, and no share to compute
		}
		longest = max(longest, int(cells[i].bar))
		if largest < 0 || cells[i].value > cells[largest].value {
			largest = i
		}
	}
	if largest < 0 || cells[largest].value <= 0 && longest == 0 {
		return
	}
	if b.cutInOnlyBar(index, width) {
		return
	}
	best := tryFit(cells, cells[largest].value, room)
	if best.misfits == 0 {
		return
	}
	// The largest value may be the wrong one: then a row with the longest
	// bar says what it is a share of. And where a longest value has lost or
	// gained a digit, the room is not what its length says.
	for i, tried := 0, 0; i < len(cells) && tried < 4; i++ {
		if int(cells[i].bar) == longest && longest > 0 && i != largest {
			tried++
			if f := tryFit(cells, cells[i].value, room); f.misfits < best.misfits {
				best = f
			}
			if f := tryFit(cells, cells[i].value, longest); f.misfits < best.misfits {
				best = f
			}
		}
	}
	if f := tryFit(cells, cells[largest].value, longest); longest > 0 && f.misfits < best.misfits {
		best = f
	}
	last := len(cells) - 1
	final := b.ended && index == len(b.blocks)-1
	switch {
	case longest < room && longest > 0 && len(cells) > 1 && commonShare(cells):
		// All agree with each other, and with a larger value.
		if final {
			b.diagAt(result.SeverityWarning, t.Measurements[last].Origin, "truncated", "the bars fit a larger value than any here: rows behind this one are missing")
			return
		}
		b.diagAt(result.SeverityError, t.Measurements[last].Origin, "row-missing", "the bars fit a larger value than any of this test: a row is missing")
		return
	case final && len(cells) > 2 && longest < room && commonShare(cells[:last]) && shortOf(cells[:last], cells[last]):
		b.diagAt(result.SeverityWarning, t.Measurements[last].Origin, "truncated", "the input ends within the bar of this row, and the bars fit a larger value than any here: rows behind it are missing")
		return
	case final && best.misfits == 1 && best.misfit(cells[last]) && int(cells[last].bar) < best.length(cells[last].value):
		b.diagAt(result.SeverityWarning, t.Measurements[last].Origin, "truncated", "the input ends within the bar of this row")
		return
	}
	if best.misfits == 0 {
		// The bars agree with the values, but leave room for a value longer
		// or shorter than the longest one.
		for i := range cells {
			if cells[i].bar >= 0 && len(t.Measurements[i].Value) == blk.width {
				b.contradict(&t.Measurements[i], "the longest bar has %d columns, %d beside a value as long as %q", longest, room, t.Measurements[i].Value)
				return
			}
		}
	}
	// With few rows it may as well be the others that are wrong.
	const enough = 3
	for i := range cells {
		if m := &t.Measurements[i]; len(cells)-best.misfits < enough {
			m.Decode = max(m.Decode, result.DecodeInferred)
		}
		if best.misfit(cells[i]) {
			b.contradict(&t.Measurements[i], "the value %s has a bar of %d, not %d", t.Measurements[i].Value, cells[i].bar, best.length(cells[i].value))
		}
	}
}

// mayBeCut reports whether the input ends with the bar of a test's only row.
func (b *builder) mayBeCut(index int) bool {
	return b.ended && index == len(b.blocks)-1 && b.blocks[index].n == 1 && b.v.endsInBar()
}

// cutInOnlyBar reports whether the input ends within the bar of a last test's
// only row, or may do so, and says so. No other row of the test tells how long
// that bar is: the lines of other tests do. Without these the most common width
// is sure, and any other may be what a cut has left of a longer line.
func (b *builder) cutInOnlyBar(index, width int) bool {
	blk, t := &b.blocks[index], &b.file.Tests[index]
	if !b.mayBeCut(index) {
		return false
	}
	have := blk.prefix() + int(b.cells[blk.first].bar)
	others := false
	for i := range b.blocks[:index] {
		for _, c := range b.cells[b.blocks[i].first : b.blocks[i].first+b.blocks[i].n] {
			others = others || c.bar > 0
		}
	}
	lines := b.file.Format == result.FormatText
	switch {
	case have < width && (others || lines):
		// A value that has lost a digit leaves room too.
		m := &t.Measurements[0]
		m.Decode = max(m.Decode, result.DecodeInferred)
		b.diagAt(result.SeverityWarning, m.Origin, "truncated", "the input ends within the bar of this row")
		return true
	case !others && lines && have != plainWidth:
		// An export ends every line.
		b.diagAt(result.SeverityWarning, t.Measurements[0].Origin, "truncated", "the input ends with the bar of this row, and not with its line: the bar may be cut, and what follows it be missing")
		return true
	}
	return false
}

// contradict reports a value that its bar contradicts. It is kept as printed,
// but is no longer sure.
func (b *builder) contradict(m *result.Measurement, format string, args ...any) {
	b.diagAt(result.SeverityError, m.Origin, "bar-mismatch", format, args...)
	m.Decode = max(m.Decode, result.DecodeInferred)
}

// tryFit counts the rows whose bar does not fit if value is the largest and its
// bar fills the room.
func tryFit(cells []cell, value float64, room int) fit {
	f := fit{largest: value, room: room}
	for _, c := range cells {
		if f.misfit(c) {
			f.misfits++
		}
	}
	return f
}

// share returns the length of a value's bar before it is rounded.
func (f fit) share(value float64) float64 {
	if f.largest <= 0 || f.room <= 0 {
		return 0
	}
	return max(0, value/f.largest*float64(f.room))
}

// length returns the length of a value's bar.
func (f fit) length(value float64) int {
	return int(math.Round(min(f.share(value), math.MaxInt32)))
}

// misfit reports whether the bar of a row is not that of its value.
func (f fit) misfit(c cell) bool {
	// Halves go either way: they may be off by the binary error of the share.
	const half = 0.5 + 1e-9
	return c.bar >= 0 && math.Abs(f.share(c.value)-float64(c.bar)) > half
}

// commonShare reports whether all bars of a test are the same share of their
// value, within their rounding.
func commonShare(cells []cell) bool {
	low, high := 0.0, math.Inf(1)
	for _, c := range cells {
		if c.bar < 0 || c.value <= 0 {
			continue
		}
		high = min(high, (float64(c.bar)+0.5)/c.value)
		low = max(low, (float64(c.bar)-0.5)/c.value)
	}
	return low <= high
}

// shortOf reports whether the bar of c is shorter than those of cells, which
// are a common share of their values, let it be.
func shortOf(cells []cell, c cell) bool {
	low := 0.0
	for _, k := range cells {
		if k.bar >= 0 && k.value > 0 {
			low = max(low, (float64(k.bar)-0.5)/k.value)
		}
	}
	return c.bar >= 0 && c.value > 0 && float64(c.bar)+0.5 < low*c.value
}
