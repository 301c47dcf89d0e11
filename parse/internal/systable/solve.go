package systable

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// Costs of what a table does, in nats.
const (
	tailRow   = 4.0 // a row that has no cell in the first column
	tailOften = 2.5 // the same, for rows that a machine often lacks
	tailRare  = 7.0 // and for rows that every machine has
	skippedAt = 12  // one that has none although a later row of its group has
	vanished  = 3.0 // a cell equal to that of an earlier column: it was absent between
	again     = 1.2 // less for a row that changed in a column before

	// Chances that a row differs from the column before, in the same
	// machine and in another, and that it is another.
	fewChange    = 0.07
	manyChange   = 0.65
	otherMachine = 0.1

	// temper is what the costs of texts and names are divided by to make
	// chances of them: the letter model is too sure of itself.
	temper = 1.5
)

const (
	// spread is how much worse than the best a state may be to be kept, and
	// width the number of states kept at one offset.
	spread = 16
	width  = 600
	// pasts bounds the states that differ in what was printed before alone.
	pasts = 6
	// maxStates bounds a whole search.
	maxStates = 400_000
)

// solver searches the divisions of a lattice that a table of a number of
// columns can have.
type solver struct {
	*lattice
	columns int
	from    int       // first row of software
	change  []float32 // cost of a column's next cell, by the number it has
	names   *affinity

	nodes []node
	order []int32   // nodes in the order in which they were left
	at    [][]int32 // nodes at an offset
	index []map[nodeKey][]int32
	least []float32 // cost of the cheapest node at an offset
	far   int       // the last offset reached
	cut   bool      // nodes were dropped for their number alone
}

// node is a state of the search: what was read up to an offset.
type node struct {
	pos, col int
	rank     int     // of the last cell in this column, -1 for none
	texts    []int32 // the last cell's text of each row, 0 for none
	now      uint64  // rows with a cell in this column
	prev     uint64  // rows with one in the column before
	varied   uint64  // rows that changed
	sig      uint64  // hash of texts
	cost     float32 // of the cheapest way here
	parent   int32   // on that way, -1 for none
	via      *segment
	in       []arc
	ahead    float64 // log chance of all ways here
	behind   float64 // of all ways from here to the end
}

// arc is a way from one node to another: a cell, or a column's end if seg is
// nil.
type arc struct {
	from   int32
	seg    *segment
	weight float64 // log chance
}

type nodeKey struct{ col, rank int }

// solve returns the last node of the cheapest division, in which all ways
// end, or -1 if there is none.
func (s *solver) solve() int32 {
	size := len(s.text)
	s.nodes, s.order = s.nodes[:0], s.order[:0]
	s.at = make([][]int32, size+1)
	s.index = make([]map[nodeKey][]int32, size+1)
	s.least = make([]float32, size+1)
	for i := range s.least {
		s.least[i] = inf
	}
	s.far, s.cut = 0, false
	s.reach(0, node{rank: -1, parent: -1, texts: make([]int32, len(s.keys))}, arc{from: -1})
	for pos := range s.at {
		s.leave(pos)
		s.index[pos] = nil
	}
	for _, i := range s.at[size] {
		if s.nodes[i].col == s.columns {
			return i
		}
	}
	return -1
}

// reach adds a way to a node.
func (s *solver) reach(pos int, n node, a arc) {
	s.far = max(s.far, pos)
	s.least[pos] = min(s.least[pos], n.cost)
	weight := a.weight
	if a.from >= 0 {
		weight += s.nodes[a.from].ahead
	}
	if s.index[pos] == nil {
		s.index[pos] = make(map[nodeKey][]int32)
	}
	key := nodeKey{n.col, n.rank}
	same := s.index[pos][key]
	i := int32(-1)
	for _, j := range same {
		if s.nodes[j].sig == n.sig && s.nodes[j].prev == n.prev {
			i = j
		}
	}
	if i < 0 && len(same) == pasts {
		i = same[0] // the dearest gives way
		for _, j := range same {
			if s.nodes[j].cost > s.nodes[i].cost {
				i = j
			}
		}
	}
	if i < 0 {
		if len(s.nodes) >= maxStates {
			s.cut = true
			return
		}
		n.pos, n.ahead, n.behind = pos, weight, math.Inf(-1)
		n.in = []arc{a}
		i = int32(len(s.nodes))
		s.nodes = append(s.nodes, n)
		s.at[pos] = append(s.at[pos], i)
		s.index[pos][key] = append(same, i)
		return
	}
	old := &s.nodes[i]
	old.ahead = logAdd(old.ahead, weight)
	old.in = append(old.in, a)
	if n.cost < old.cost {
		old.cost, old.parent, old.via, old.sig = n.cost, n.parent, n.via, n.sig
		old.texts, old.now, old.prev, old.varied = n.texts, n.now, n.prev, n.varied
	}
}

// leave follows all ways from the nodes at an offset, column by column: the
// end of a column adds nodes of the next one at the same offset.
func (s *solver) leave(pos int) {
	s.prune(pos)
	for col := 0; col <= s.columns; col++ {
		more := false
		for _, i := range s.at[pos] {
			if s.nodes[i].col > col {
				more = true
			}
			if s.nodes[i].col != col {
				continue
			}
			s.order = append(s.order, i)
			if col < s.columns-1 || col < s.columns && pos == len(s.text) {
				s.close(i)
				more = true
			}
			if pos < len(s.text) && col < s.columns {
				for x := range s.starts[pos] {
					s.print(i, &s.starts[pos][x])
				}
			}
		}
		if !more {
			return
		}
	}
}

// prune drops the nodes at an offset that are too bad, measured against the
// best of all that were not left yet, or too many.
func (s *solver) prune(pos int) {
	list := s.at[pos]
	if len(list) == 0 {
		return
	}
	slices.SortFunc(list, func(a, b int32) int {
		return cmp.Or(cmp.Compare(s.nodes[a].cost, s.nodes[b].cost), cmp.Compare(a, b))
	})
	limit := inf
	for p := pos; p <= s.far; p++ {
		limit = min(limit, s.least[p]+s.ahead[p])
	}
	limit += spread - s.ahead[pos]
	keep := len(list)
	for keep > 0 && s.nodes[list[keep-1]].cost > limit {
		keep--
	}
	if keep > width {
		keep, s.cut = width, true
	}
	s.at[pos] = list[:keep]
}

// print reads a cell in the node's column.
func (s *solver) print(i int32, g *segment) {
	n := &s.nodes[i]
	if s.ranks[g.row] <= n.rank {
		return
	}
	bit := uint64(1) << uint(g.row)
	var cost float32
	old := n.texts[g.row]
	low := 0
	if g.row >= s.from {
		low = s.from
	}
	switch {
	case old == 0:
		for r := low; r < g.row; r++ {
			if n.texts[r] == 0 {
				cost += skippedAt
			}
		}
		if n.col == 0 && low > 0 && n.rank < s.from {
			cost += s.tail(n, 0, s.from)
		}
	case old == int32(g.text):
		if n.prev&bit != 0 {
			return // the column before has it, and would not have it again
		}
		cost += vanished
	}
	if n.col > 0 {
		cost += s.change[bits.OnesCount64(n.now)]
		if n.varied&bit != 0 {
			cost -= again
		}
		if n.now == 0 && s.names != nil {
			cost += s.names.alike(n.col)
		}
	}
	m := node{
		col: n.col, rank: s.ranks[g.row], cost: n.cost + cost + g.cost, parent: i, via: g,
		texts: slices.Clone(n.texts), now: n.now | bit, prev: n.prev, varied: n.varied,
		sig: n.sig ^ mix(g.row, old) ^ mix(g.row, int32(g.text)),
	}
	m.texts[g.row] = int32(g.text)
	if old != 0 {
		m.varied |= bit
	}
	s.reach(g.next, m, arc{from: i, seg: g, weight: -float64(cost) - float64(g.cost)/temper})
}

// tail is the cost of the rows from low to high that have no cell yet at the
// end of their part of the first column.
func (s *solver) tail(n *node, low, high int) float32 {
	var c float32
	for r := low; r < high; r++ {
		if n.texts[r] != 0 {
			continue
		}
		switch s.keys[r] {
		case "Monitor", "Display Driver", "OpenGL", "OpenCL", "Vulkan", "System Layer", "Audio":
			c += tailOften
		case "Processor", "Memory", "OS", "Kernel", "File-System":
			c += tailRare
		default:
			c += tailRow
		}
	}
	return c
}

// close ends the node's column.
func (s *solver) close(i int32) {
	n := &s.nodes[i]
	var cost float32
	if n.col == 0 {
		if n.rank < s.from {
			cost += s.tail(n, 0, s.from)
		}
		cost += s.tail(n, s.from, len(s.keys))
	}
	var named float32
	if s.names != nil {
		named = s.names.cost(n.col, n.texts)
	}
	m := node{
		col: n.col + 1, rank: -1, parent: i,
		texts: n.texts, prev: n.now, varied: n.varied, sig: n.sig,
	}
	if m.col == s.columns {
		for _, t := range n.texts {
			if t == 0 {
				cost += skippedAt // every row has a cell somewhere
			}
		}
		m.sig, m.prev = 0, 0 // the end of all ways
	}
	m.cost = n.cost + cost + named
	s.reach(n.pos, m, arc{from: i, weight: -float64(cost) - float64(named)/temper})
}

// changeCosts returns the cost of a further cell in a column that has printed
// a number of the rows: it is one of two kinds, a machine like the one before
// with a few changes, or another machine with many.
func changeCosts(rows int) []float32 {
	total := func(k int) float64 {
		same := float64(k)*math.Log(fewChange) + float64(rows-k)*math.Log(1-fewChange)
		other := math.Log(otherMachine) + float64(k)*math.Log(manyChange) + float64(rows-k)*math.Log(1-manyChange)
		return -logAdd(same, other)
	}
	costs := make([]float32, rows+1)
	for k := range costs {
		costs[k] = float32(total(k+1) - total(k))
	}
	return costs
}

// mix hashes a row's text.
func mix(row int, text int32) uint64 {
	if text == 0 {
		return 0
	}
	x := uint64(row+1)<<32 | uint64(uint32(text))
	x ^= x >> 31
	x *= 0x7fb5d329728ea185
	x ^= x >> 27
	x *= 0x81dadef4bc2dd44d
	return x ^ x>>33
}

func logAdd(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	if math.IsInf(b, -1) {
		return a
	}
	return a + math.Log1p(math.Exp(b-a))
}
