package flatrender

import (
	"math"
	"strings"

	"github.com/benchproof/benchproof/result"
)

// table is what the texts of a table are made of, and what its width is.
type table struct {
	rows    []string
	columns []string // names of the systems
	cells   [][]string
	// widest is the longest cell, of a cell over several columns its share.
	widest string
}

// text returns the texts of the table in the order they are drawn.
func (t *table) text(p *page) string {
	var b strings.Builder
	if !p.multi {
		b.WriteString(p.file.Title)
	}
	b.WriteString(strings.Join(t.rows, ""))
	heads := t.columns
	if p.multi {
		g, l := groups(t.columns)
		b.WriteString(strings.Join(g, ""))
		heads = l
	}
	b.WriteString(strings.Join(heads, ""))
	for _, column := range t.cells {
		b.WriteString(strings.Join(column, ""))
	}
	b.WriteString(p.mark)
	return b.String()
}

// width returns the width of the drawing in pixels for a font size.
func (t *table) width(p *page, size float64) float64 {
	columns := t.columns
	if p.multi {
		_, columns = groups(t.columns)
	}
	left := math.Ceil(math.Max(86, textWidth(longest(t.rows), size)*1.1+12))
	item := math.Max(math.Ceil(textWidth(t.widest, size)*1.02)+2, math.Round(textWidth(longest(columns), size)*1.1)+8) + 2
	return left + math.Max(item*float64(len(columns)), math.Floor(textWidth(p.file.Title, 12)/item)*item)
}

func longest(list []string) string {
	best := ""
	for _, s := range list {
		if len(s) > len(best) {
			best = s
		}
	}
	return best
}

// systems returns the text of the table of systems with its notes.
func (p *page) systems() string {
	const size, noteSize = 8, 8
	t := p.components()
	text := t.text(p)
	width := t.width(p, size) - 6
	section := ""
	for _, n := range p.notes() {
		if n.section != "" && n.section != section {
			text += wrapped(n.section+" Details", noteSize, width)
			section = n.section
		}
		text += wrapped("- "+n.text, noteSize, width)
	}
	return text
}

// components fills the table of systems: a cell that equals the one to its
// left is drawn once over both columns.
func (p *page) components() *table {
	t := &table{columns: names(p.file)}
	type cell struct {
		row   int
		value string
		drawn bool
	}
	columns := make([][]cell, len(p.file.Systems))
	row := func(key string) int {
		for i, r := range t.rows {
			if same(r, key) {
				return i
			}
		}
		t.rows = append(t.rows, key)
		return len(t.rows) - 1
	}
	add := func(i int, list []result.Component) {
		// The published text is divided anew, since PTS divides it at
		// every comma and blank.
		for part := range strings.SplitSeq(join(list), ", ") {
			key, value, ok := strings.Cut(part, ": ")
			if !ok {
				continue
			}
			r := row(key)
			at := -1
			for k := range columns[i] {
				if columns[i][k].row == r {
					at = k
				}
			}
			if at < 0 {
				columns[i] = append(columns[i], cell{r, value, true})
			} else {
				columns[i][at].value = value
			}
		}
	}
	for i := range p.file.Systems {
		add(i, p.file.Systems[i].Hardware)
	}
	for i := range p.file.Systems {
		add(i, p.file.Systems[i].Software)
	}
	for i := range columns {
		var drawn []string
		for k := range columns[i] {
			c := &columns[i][k]
			if !c.drawn {
				continue
			}
			span := 1
		right:
			for j := i + 1; j < len(columns); j++ {
				for m := range columns[j] {
					if d := &columns[j][m]; d.row == c.row && d.drawn && same(d.value, c.value) {
						d.drawn = false
						span++
						continue right
					}
				}
				break
			}
			drawn = append(drawn, c.value)
			share := (len(c.value) + span - 1) / span
			if share > len(t.widest) {
				t.widest = c.value[:share]
			}
		}
		t.cells = append(t.cells, drawn)
	}
	return t
}
