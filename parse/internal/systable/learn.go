package systable

import "strings"

// Costs of a cell that is like one found before in the same row, in nats.
const (
	sameValue = 2.0
	sameForm  = 6.0
	// runTogether is the cost of a value that begins with another of its
	// row and goes on without a blank.
	runTogether = 8.0
)

// number gives each different text of the lattice's segments a number from 1
// on and returns the texts by number.
func (l *lattice) number() []string {
	texts := []string{""}
	index := make(map[string]int)
	for i := range l.starts {
		for x := range l.starts[i] {
			g := &l.starts[i][x]
			v := l.text[g.start:g.end]
			n, ok := index[v]
			if !ok {
				n = len(texts)
				index[v] = n
				texts = append(texts, v)
			}
			g.text = n
		}
	}
	return texts
}

// learn makes the values of a first division, and values of the same form,
// likelier where they come again further on, and drops segments that are
// then too bad.
func (l *lattice) learn(cells []cell) {
	values := make([]map[string]int, len(l.keys)) // value to the end of its first place
	forms := make([]map[string]int, len(l.keys))
	for r := range l.keys {
		values[r], forms[r] = make(map[string]int), make(map[string]int)
	}
	starts := make([][]cell, len(l.keys))
	for _, c := range cells {
		if len(c.value) > 3 {
			starts[c.row] = append(starts[c.row], c)
		}
		if _, ok := values[c.row][c.value]; !ok {
			values[c.row][c.value] = c.end
		}
		f := valueForm(c.value)
		if _, ok := forms[c.row][f]; !ok {
			forms[c.row][f] = c.end
		}
	}
	for _, c := range cells {
		if values[c.row][c.value] == c.end {
			l.addAgain(c.row, c.value, c.end)
		}
	}
	l.refine(func(g *segment) float32 {
		v := l.text[g.start:g.end]
		gap := l.gap(g.next - g.end)
		if g.next == len(l.text) {
			gap = 0
		}
		if first, ok := values[g.row][v]; ok && g.start >= first {
			return min(0, sameValue+gap-g.cost)
		}
		if first, ok := forms[g.row][valueForm(v)]; ok && g.start >= first {
			return min(0, sameForm+gap-g.cost)
		}
		for _, v0 := range starts[g.row] {
			if g.start >= v0.end && len(v) > len(v0.value) && strings.HasPrefix(v, v0.value) && v[len(v0.value)] != ' ' {
				return runTogether
			}
		}
		return 0
	})
}

// addAgain adds the places of a value from an offset on that the lattice
// lacks.
func (l *lattice) addAgain(row int, v string, at int) {
	for tries := 0; at < len(l.text) && tries < 10_000; tries++ {
		i := strings.Index(l.text[at:], v)
		if i < 0 {
			return
		}
		i += at
		at = i + 1
		end := i + len(v)
		if !l.cuts[i] || !l.cuts[end] {
			continue
		}
		there := false
		for _, g := range l.starts[i] {
			there = there || g.row == row && g.end == end
		}
		if !there {
			next := skipBlank(l.text, end)
			cost := float32(sameValue)
			if next < len(l.text) {
				cost += l.gap(next - end)
			}
			l.starts[i] = append(l.starts[i], segment{row: row, start: i, end: end, next: next, cost: cost})
		}
	}
}

// valueForm returns a value with every run of digits as one.
func valueForm(v string) string {
	b := make([]byte, 0, len(v))
	for i := 0; i < len(v); i++ {
		c := symbol(v[i])
		if c == symDigit && len(b) > 0 && b[len(b)-1] == symDigit {
			continue
		}
		b = append(b, c)
	}
	return string(b)
}
