package systable

import "strings"

// Costs of a cell that is like one found before in the same row, in nats.
const (
	sameValue = 2.0
	sameForm  = 6.0
	// runTogether is the cost of a value that begins with another of its
	// row and goes on without a blank.
	runTogether = 8.0

	// beyondDoubt is the chance from which on a value found lends all its
	// likelihood to the same value further on, and likely that from which
	// on it lends some, so that a doubtful one does not prove itself.
	beyondDoubt = 0.99
	likely      = 0.5
	lent        = 3.0
)

// number gives each different text of the lattice's segments a number from 1
// on and returns the texts by number.
func (l *lattice) number() []string {
	texts := []string{""}
	index := make(map[string]int32)
	for i := range l.starts {
		for x := range l.starts[i] {
			g := &l.starts[i][x]
			v := l.text[g.start:g.end]
			n, ok := index[v]
			if !ok {
				n = int32(len(texts))
				index[v] = n
				texts = append(texts, v)
			}
			g.text = n
		}
	}
	return texts
}

// lesson is what a value found says of the text behind it.
type lesson struct {
	from int32   // it holds from this offset on
	most float32 // the most that it makes a cell cheaper
}

// learn makes the values of a first division, and values of the same form,
// likelier where they come again further on, and drops segments that are
// then too bad. The cells' chances say how sure their division is.
func (l *lattice) learn(cells []cell) {
	values := make([]map[string]lesson, len(l.keys))
	forms := make([]map[string]lesson, len(l.keys))
	long := make([][]cell, len(l.keys))
	for r := range l.keys {
		values[r], forms[r] = make(map[string]lesson), make(map[string]lesson)
	}
	for _, c := range cells {
		if c.chance < likely {
			continue
		}
		most := inf
		if c.chance < beyondDoubt {
			most = lent
		}
		if len(c.value) > 3 {
			long[c.row] = append(long[c.row], c)
		}
		if form := valueForm(c.value); forms[c.row][form].from == 0 {
			forms[c.row][form] = lesson{c.end, most}
		}
		if values[c.row][c.value].from == 0 {
			values[c.row][c.value] = lesson{c.end, most}
			l.addAgain(int(c.row), c.value, int(c.end))
		}
	}
	l.refine(func(g *segment) float32 {
		v := l.text[g.start:g.end]
		gap := float32(0)
		if int(g.next) < len(l.text) {
			gap = l.gap(int(g.next - g.end))
		}
		if s, ok := values[g.row][v]; ok && g.start >= s.from {
			return min(0, max(sameValue+gap-g.cost, -s.most))
		}
		if s, ok := forms[g.row][valueForm(v)]; ok && g.start >= s.from {
			return min(0, max(sameForm+gap-g.cost, -s.most))
		}
		for _, c := range long[g.row] {
			if g.start >= c.end && len(v) > len(c.value) && v[len(c.value)] != ' ' && strings.HasPrefix(v, c.value) {
				return runTogether
			}
		}
		return 0
	})
}

// unseenCost is that of a value that the first search did not keep, which is
// then made cheaper like any other.
const unseenCost = 24

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
			there = there || int(g.row) == row && int(g.end) == end
		}
		if !there {
			next := skipBlank(l.text, end)
			cost := float32(unseenCost)
			if next < len(l.text) {
				cost += l.gap(next - end)
			}
			l.starts[i] = append(l.starts[i], segment{row: int32(row), start: int32(i), end: int32(end), next: int32(next), cost: cost})
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
