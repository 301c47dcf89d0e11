package systable

import (
	_ "embed"
	"math"
	"strings"
	"sync"
)

//go:embed values.txt
var valuesText string

// Symbols of the letter model: bytes, with all digits as one and all bytes
// above ASCII as one, and the two ends of a value.
const (
	symDigit = '0'
	symHigh  = 0x80
	symStart = 1
	symEnd   = 2
)

const (
	// depth is the number of symbols that the model looks back.
	depth = 5
	// floor is the chance of a symbol that was never seen after anything.
	floor = 1.0 / 96
	// ownShare is the weight of a row's own model against that of all rows,
	// which knows makers that were never seen in this row.
	ownShare = 0.88
)

// symbol returns the model's symbol of a byte.
func symbol(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return symDigit
	case c >= symHigh:
		return symHigh
	case c < ' ':
		return ' '
	}
	return c
}

// model says how likely a symbol is after others in the values of one row: a
// tree of contexts, the nearest symbol first, each with the counts of what
// followed. Longer contexts are trusted by how much they saw (Witten and
// Bell's rule).
type model struct {
	nodes []context
	next  table // (context, symbol before it) to the longer context
	seen  table // (context, symbol) to the number of times
}

type context struct {
	total float32 // symbols seen after it
	kinds float32 // different ones
}

// lore is what values.txt teaches: the models of all known rows and, under
// "", of all rows as one, and the words that values are made of.
type lore struct {
	models map[string]*model
	words  map[string]bool            // words of letters alone
	forms  map[string]bool            // words with digits, all digits the same
	firsts map[string]map[string]bool // first words of letters alone, by row
	names  map[string]bool            // the same, of all rows
}

// The lengths of words worth knowing.
const (
	shortestWord = 3
	longestWord  = 16
)

// teach reads values.txt.
var teach = sync.OnceValue(func() *lore {
	ms := map[string]*model{"": newModel(1 << 17)}
	l := &lore{models: ms, words: make(map[string]bool), forms: make(map[string]bool), firsts: make(map[string]map[string]bool), names: make(map[string]bool)}
	notLetter := func(r rune) bool { return r >= 0x80 || !isLetter(byte(r)) }
	key := ""
	for line := range strings.Lines(valuesText) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line == "" || line[0] == '#':
		case strings.HasPrefix(line, "== "):
			key = line[len("== "):]
			ms[key] = newModel(1 << 14)
			l.firsts[key] = make(map[string]bool)
		default:
			for _, v := range expand(line) {
				for _, w := range strings.FieldsFunc(v, notLetter) {
					l.words[w] = true
				}
				for i, w := range strings.Fields(v) {
					l.forms[digitForm(w)] = true
					if i == 0 && len(w) >= shortestWord && strings.IndexFunc(w, notLetter) < 0 {
						l.firsts[key][w], l.names[w] = true, true
					}
				}
				ms[key].add(v, depth)
				ms[""].add(v, depth-1)
			}
		}
	}
	// Names that older clients gave to the same rows.
	ms["Motherboard Chipset"] = ms["Chipset"]
	ms["System Memory"] = ms["Memory"]
	return l
})

// form reports whether a word stands in a value of values.txt, whatever its
// digits.
func (l *lore) form(w string) bool {
	return len(w) <= longestForm && l.forms[digitForm(w)]
}

// longestForm is more than the longest word of values.txt.
const longestForm = 64

// digitForm returns a word with all its digits as one digit each.
func digitForm(w string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return symDigit
		}
		return r
	}, w)
}

// expand returns the values that a line of values.txt stands for.
func expand(line string) []string {
	var parts [][]string
	n := 1
	for line != "" {
		i := strings.IndexByte(line, '{')
		if i < 0 {
			parts = append(parts, []string{line})
			break
		}
		j := strings.IndexByte(line, '}')
		choices := strings.Split(line[i+1:j], "|")
		parts = append(parts, []string{line[:i]}, choices)
		n = max(n, len(choices))
		line = line[j+1:]
	}
	out := make([]string, n)
	for i := range out {
		for _, choices := range parts {
			out[i] += choices[i%len(choices)]
		}
		out[i] = strings.TrimRight(out[i], " ")
	}
	return out
}

func newModel(size int) *model {
	return &model{nodes: make([]context, 1), next: newTable(size), seen: newTable(size)}
}

// add teaches the model a value, looking back n symbols.
func (m *model) add(value string, n int) {
	syms := make([]byte, 0, len(value)+2)
	syms = append(syms, symStart)
	for i := 0; i < len(value); i++ {
		syms = append(syms, symbol(value[i]))
	}
	syms = append(syms, symEnd)
	for i := 1; i < len(syms); i++ {
		node := uint32(0)
		for back := 0; ; back++ {
			count := m.seen.at(node, syms[i])
			if *count == 0 {
				m.nodes[node].kinds++
			}
			*count++
			m.nodes[node].total++
			if back == n || i-1-back < 0 {
				break
			}
			child := m.next.at(node, syms[i-1-back])
			if *child == 0 {
				*child = uint32(len(m.nodes))
				m.nodes = append(m.nodes, context{})
			}
			node = *child
		}
	}
}

// chance returns how likely sym is after the symbols of before, of which the
// last is the nearest.
func (m *model) chance(before []byte, sym byte) float64 {
	p, node := floor, uint32(0)
	for i := len(before) - 1; ; i-- {
		c := &m.nodes[node]
		p = (float64(m.seen.get(node, sym)) + float64(c.kinds)*p) / float64(c.total+c.kinds)
		if i < 0 {
			return p
		}
		if node = m.next.get(node, before[i]); node == 0 {
			return p
		}
	}
}

// cost returns the negative logarithm of a chance, of a row's own model and
// of all rows' mixed.
func cost(own, all float64) float32 {
	return float32(-math.Log(ownShare*own + (1-ownShare)*all))
}

// table is a hash table from a context and a symbol to a number that is not
// zero: Go's maps take four times as long to fill.
type table struct {
	keys []uint64
	vals []uint32
	used int
}

func newTable(size int) table {
	return table{keys: make([]uint64, size), vals: make([]uint32, size)}
}

func tableKey(node uint32, sym byte) uint64 { return uint64(node)<<8 | uint64(sym) | 1<<63 }

func (t *table) slot(key uint64) int {
	mask := uint64(len(t.keys) - 1)
	i := key * 0x9e3779b97f4a7c15 >> 20 & mask
	for t.keys[i] != 0 && t.keys[i] != key {
		i = (i + 1) & mask
	}
	return int(i)
}

// get returns the number stored for a context and a symbol, or 0.
func (t *table) get(node uint32, sym byte) uint32 {
	return t.vals[t.slot(tableKey(node, sym))]
}

// at returns the place of the number of a context and a symbol, which is
// good until the next call.
func (t *table) at(node uint32, sym byte) *uint32 {
	key := tableKey(node, sym)
	i := t.slot(key)
	if t.keys[i] == 0 {
		if t.used++; t.used > len(t.keys)*2/3 {
			t.grow()
			i = t.slot(key)
		}
		t.keys[i] = key
	}
	return &t.vals[i]
}

func (t *table) grow() {
	old := *t
	*t = newTable(2 * len(old.keys))
	t.used = old.used
	for i, key := range old.keys {
		if key != 0 {
			j := t.slot(key)
			t.keys[j], t.vals[j] = key, old.vals[i]
		}
	}
}
