package term

import (
	"math"
	"strings"
)

var eighths = [...]string{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"}

// Bar returns a bar of value's share of top in at most cells cells: in
// eighths of a cell, or whole ones in ASCII. A value above zero always has
// some bar, one of zero or below, or one that is no number, has none.
func Bar(value, top float64, cells int, ascii bool) string {
	if !(value > 0) || !(top > 0) || cells <= 0 {
		return ""
	}
	share := min(value/top, 1)
	if math.IsNaN(share) {
		return ""
	}
	if ascii {
		n := max(1, int(math.Round(share*float64(cells))))
		return strings.Repeat("#", n)
	}
	n := max(1, int(math.Round(share*float64(cells)*8)))
	return strings.Repeat("█", n/8) + eighths[n%8]
}

// Whisker returns what stands behind the bar of value to show that it may be
// as high as high: a line from the bar's end to that place, closed, or open
// where the place is beyond the last cell. It is "" where it would end in the
// bar's own last cell, and where there is no bar.
func Whisker(value, high, top float64, cells int, ascii bool) string {
	bar := Width(Bar(value, top, cells, ascii))
	if bar == 0 || !(high > value) {
		return ""
	}
	line, end, open := "─", "┤", "▸"
	if ascii {
		line, end, open = "-", "]", ">"
	}
	to := int(math.Ceil(high / top * float64(cells)))
	if high > top*(1+1e-9) {
		to, end = cells, open
	}
	if to <= bar {
		return ""
	}
	return strings.Repeat(line, to-bar-1) + end
}
