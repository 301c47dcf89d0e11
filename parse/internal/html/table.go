package html

import (
	"math"
	"slices"
	"sort"
	"strings"
)

// table is a drawn table: the systems table or the overview.
type table struct {
	title   string
	columns []column // left to right
	rows    []row    // top to bottom
	// below are the labels under the last row and outside of the grid, in
	// document order: notes and the mark.
	below []label
}

// column is one system.
type column struct {
	name string // full identifier, group included
	x    float64
	off  int
	part bool // its group is not known
}

// row is one line of a table.
type row struct {
	name  string
	link  string
	off   int
	y     float64
	cells []cell // in document order
}

// cell is one text of a row. It stands in columns first to last.
type cell struct {
	text        string
	first, last int
	off         int
	order       int // its turn among all cells of the table
}

// slack is how far two places may differ that are meant to be one: places
// are printed as whole numbers, halves cut off.
const slack = 2

// readTable takes the labels and boxes of a drawing as a table. What finds no
// place in it stays unused in d.
func readTable(d *drawing) *table {
	t := new(table)
	t.head(d)
	if len(t.columns) == 0 {
		return t
	}
	spans := t.spans(d)
	order := 0
	for i := range d.labels {
		l := &d.labels[i]
		if l.used || l.lost || l.group == 0 || l.anchor != atMiddle || l.text == "" {
			continue
		}
		r := t.rowAt(l.y)
		if r < 0 {
			continue
		}
		c := cell{text: l.text, off: l.off, order: order}
		var ok bool
		if c.first, c.last, ok = t.place(spans[r], l.x); !ok {
			continue
		}
		l.used = true
		order++
		if t.rows[r].cells == nil && len(spans[r]) == 0 {
			t.rows[r].cells = make([]cell, 0, min(len(t.columns), 64))
		}
		t.rows[r].cells = append(t.rows[r].cells, c)
	}
	return t
}

// head finds title, row names, columns and what stands below.
func (t *table) head(d *drawing) {
	for i := range d.labels {
		l := &d.labels[i]
		if l.lost {
			continue
		}
		switch {
		case l.group == 0 && l.anchor == atStart && l.size > 12 && !l.used:
			t.title = l.text
			l.used = true
		case l.group > 0 && l.bold && l.anchor == atEnd:
			t.rows = append(t.rows, row{name: l.text, link: l.link, off: l.off, y: l.y})
			l.used = true
		}
	}
	slices.SortStableFunc(t.rows, func(a, b row) int { return compare(a.y, b.y) })
	top := math.Inf(1)
	if len(t.rows) > 0 {
		top = t.rows[0].y
	}
	t.heads(d, top)
	for i := range d.labels {
		l := &d.labels[i]
		if l.group == 0 && !l.used && !l.lost && (len(t.rows) == 0 || l.y > t.rows[len(t.rows)-1].y) {
			t.below = append(t.below, *l)
			l.used = true
		}
	}
}

// heads finds the columns' names above the first row, and joins them with
// the names of their groups, which stand higher, each in the middle of its
// columns.
func (t *table) heads(d *drawing, top float64) {
	var names, groups []*label
	lowest := math.Inf(-1)
	for i := range d.labels {
		l := &d.labels[i]
		if !l.used && !l.lost && l.group > 0 && l.bold && l.anchor == atMiddle && l.y < top {
			lowest = max(lowest, l.y)
		}
	}
	for i := range d.labels {
		l := &d.labels[i]
		if l.used || l.lost || l.group == 0 || !l.bold || l.anchor != atMiddle || l.y >= top {
			continue
		}
		if l.y < lowest-slack {
			groups = append(groups, l)
		} else {
			names = append(names, l)
		}
		l.used = true
	}
	byX := func(a, b *label) int { return compare(a.x, b.x) }
	slices.SortStableFunc(names, byX)
	slices.SortStableFunc(groups, byX)
	for _, l := range names {
		t.columns = append(t.columns, column{name: l.text, x: l.x, off: l.off})
		if l.spaced {
			t.columns[len(t.columns)-1].name = " " + l.text
		}
	}
	// A group's last column is as far right of the group's name as its
	// first is left of it.
	first := 0
	for _, g := range groups {
		last := first
		for last < len(t.columns) && t.columns[last].x < 2*g.x-t.columns[first].x-slack {
			last++
		}
		if last >= len(t.columns) || math.Abs(t.columns[first].x+t.columns[last].x-2*g.x) > 2*slack {
			break
		}
		for ; first <= last; first++ {
			t.columns[first].name = g.text + ":" + t.columns[first].name
		}
		g.group = -1
		if first == len(t.columns) {
			break
		}
	}
	for _, g := range groups {
		if g.group >= 0 {
			g.used = false // its columns are unknown
		}
	}
	for i := first; i < len(t.columns); i++ {
		t.columns[i].name = strings.TrimLeft(t.columns[i].name, space)
		t.columns[i].part = len(groups) > 0
	}
}

// span is a shaded rectangle: a cell of several columns.
type span struct {
	middle      float64
	first, last int
}

// spans returns the rectangles of every row by their middles.
func (t *table) spans(d *drawing) [][]span {
	all := make([][]span, len(t.rows))
	for i := range d.boxes {
		b := &d.boxes[i]
		if b.group == 0 {
			continue
		}
		r := t.rowAt(b.y + b.h/2)
		if r < 0 || b.h > 2*t.pitch() {
			continue
		}
		first := sort.Search(len(t.columns), func(i int) bool { return t.columns[i].x >= b.x })
		last := sort.Search(len(t.columns), func(i int) bool { return t.columns[i].x > b.right() }) - 1
		if first <= last {
			all[r] = append(all[r], span{b.middle(), first, last})
		}
	}
	for _, s := range all {
		slices.SortStableFunc(s, func(a, b span) int { return compare(a.middle, b.middle) })
	}
	return all
}

// pitch is the height of a row.
func (t *table) pitch() float64 {
	if len(t.rows) < 2 {
		return 16
	}
	return (t.rows[len(t.rows)-1].y - t.rows[0].y) / float64(len(t.rows)-1)
}

// rowAt returns the row whose text stands at y, or -1.
func (t *table) rowAt(y float64) int {
	i := sort.Search(len(t.rows), func(i int) bool { return t.rows[i].y >= y })
	if i == len(t.rows) || i > 0 && y-t.rows[i-1].y < t.rows[i].y-y {
		i--
	}
	if i < 0 || math.Abs(t.rows[i].y-y) > 5 {
		return -1
	}
	return i
}

// place returns the columns of a cell whose text is centred at x.
func (t *table) place(spans []span, x float64) (first, last int, ok bool) {
	i := sort.Search(len(spans), func(i int) bool { return spans[i].middle >= x-slack })
	if i < len(spans) && spans[i].middle <= x+slack {
		return spans[i].first, spans[i].last, true
	}
	i = sort.Search(len(t.columns), func(i int) bool { return t.columns[i].x >= x-slack })
	if i < len(t.columns) && t.columns[i].x <= x+slack {
		return i, i, true
	}
	return 0, 0, false
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
