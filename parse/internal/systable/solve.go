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
	skippedAt = 12  // a row without a cell although a later row of its group has one
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
	// spread is how much worse than the best a node may be to be kept.
	spread = 16
	// slack is how much the best may get worse while a search goes on: the
	// view ahead does not know all rules of a table.
	slack = 30
	// pasts bounds the nodes that differ in what was printed before alone.
	pasts = 6
	// maxNodes and maxArcs bound a whole search. Offsets share what is left
	// of the nodes evenly, each having at least minWidth and at most maxWidth.
	maxNodes           = 150_000
	maxArcs            = 1_000_000
	minWidth, maxWidth = 24, 600
)

// solver searches the divisions of a lattice that a table of a number of
// columns can have.
type solver struct {
	*lattice
	columns int
	from    int       // first row of software
	change  []float32 // cost of a column's next cell, by the number it has
	names   *affinity

	nodes   []node
	arcs    []arc
	past    [][]int32        // the last text of each row, 0 for none
	pastOf  map[uint64]int32 // by hash
	order   []int32          // nodes in the order in which they were left
	at      [][]int32        // nodes at an offset
	index   []map[nodeKey][]int32
	ahead   *view
	least   []float32 // least cost of a whole division by a node at an offset
	limit   float32   // what a whole division may cost at most
	far     int       // the last offset reached
	offsets int       // offsets that have segments and were not left yet
	cut     bool      // nodes were dropped for their number alone
}

// node is a state of the search: what was read up to an offset.
type node struct {
	pos, col, rank int32   // rank is that of the last cell in the column, -1 for none
	past           int32   // what was printed last in each row
	now            uint64  // rows with a cell in this column
	prev           uint64  // rows with one in the column before
	varied         uint64  // rows that changed
	sig            uint64  // hash of past
	cost           float32 // of the cheapest way here
	parent         int32   // on that way, -1 for none
	via            *segment
	in             int32   // ways here: the first arc, -1 for none
	log            float64 // log chance of all ways here
	behind         float64 // of all ways from here to the end
}

// arc is a way from one node to another: a cell, or a column's end if seg is
// nil.
type arc struct {
	from, next int32 // next is the next arc to the same node
	seg        *segment
	weight     float64 // log chance
}

type nodeKey struct{ col, rank int32 }

// solve returns the last node of the cheapest division, in which all ways
// end, or -1 if there is none.
func (s *solver) solve() int32 {
	size := len(s.text)
	s.nodes, s.arcs, s.order = s.nodes[:0], s.arcs[:0], s.order[:0]
	s.past, s.pastOf = [][]int32{make([]int32, len(s.keys))}, map[uint64]int32{0: 0}
	s.at = make([][]int32, size+1)
	s.index = make([]map[nodeKey][]int32, size+1)
	s.least = make([]float32, size+1)
	for i := range s.least {
		s.least[i] = inf
	}
	s.far, s.cut, s.offsets, s.limit = 0, false, 1, inf-1
	for i := range s.starts {
		if len(s.starts[i]) > 0 {
			s.offsets++
		}
	}
	if s.spent() {
		return -1
	}
	s.ahead = lookAhead(s.lattice, s.columns)
	s.reach(0, node{rank: -1, parent: -1}, -1, nil, 0)
	for pos := range s.at {
		if s.spent() {
			return -1
		}
		if len(s.at[pos]) > 0 {
			s.leave(pos)
			s.offsets = max(s.offsets-1, 1)
		}
		s.index[pos] = nil
	}
	for _, i := range s.at[size] {
		if int(s.nodes[i].col) == s.columns {
			return i
		}
	}
	return -1
}

// reach adds a way to a node.
func (s *solver) reach(pos int, n node, from int32, seg *segment, weight float64) {
	whole := n.cost + s.ahead.rest(pos, int(n.col), int(n.rank))
	if whole >= min(inf, s.limit+slack) {
		return // too dear, or the columns left cannot hold the rest
	}
	s.spend(nodeSteps)
	if len(s.nodes) >= maxNodes || len(s.arcs) >= maxArcs {
		s.cut = true
		return
	}
	s.far = max(s.far, pos)
	s.least[pos] = min(s.least[pos], whole)
	log := weight
	if from >= 0 {
		log += s.nodes[from].log
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
		i = int32(len(s.nodes))
		n.pos, n.log, n.behind, n.in = int32(pos), math.Inf(-1), math.Inf(-1), -1
		s.nodes = append(s.nodes, n)
		s.at[pos] = append(s.at[pos], i)
		s.index[pos][key] = append(same, i)
	}
	old := &s.nodes[i]
	old.log = logAdd(old.log, log)
	s.arcs = append(s.arcs, arc{from: from, next: old.in, seg: seg, weight: weight})
	old.in = int32(len(s.arcs) - 1)
	if n.cost < old.cost {
		old.cost, old.parent, old.via, old.sig = n.cost, n.parent, n.via, n.sig
		old.past, old.now, old.prev, old.varied = n.past, n.now, n.prev, n.varied
	}
}

// leave follows all ways from the nodes at an offset, column by column: the
// end of a column adds nodes of the next one at the same offset.
func (s *solver) leave(pos int) {
	room := min(max((maxNodes-len(s.nodes))/s.offsets, minWidth), maxWidth)
	s.prune(pos, room)
	if pos == len(s.text) {
		s.finish(pos)
		return
	}
	left := 0
	for done := 0; done < len(s.at[pos]); {
		// Nodes that a column's end adds stand behind all that are there.
		list := s.at[pos][done:]
		slices.SortStableFunc(list, func(a, b int32) int { return cmp.Compare(s.nodes[a].col, s.nodes[b].col) })
		col := s.nodes[list[0]].col
		for len(list) > 0 && s.nodes[list[0]].col == col {
			i := list[0]
			list = list[1:]
			done++
			if left++; left > 2*room {
				s.cut = true
				return
			}
			s.order = append(s.order, i)
			s.recall(&s.nodes[i])
			for x := range s.starts[pos] {
				s.print(i, &s.starts[pos][x])
			}
			if int(col) < s.columns-1 {
				s.close(i)
			}
		}
	}
}

// prune drops the nodes at an offset that are too bad, measured by the best
// division that they can be part of, or too many.
func (s *solver) prune(pos, room int) {
	s.limit = inf
	for p := pos; p <= s.far; p++ {
		s.limit = min(s.limit, s.least[p])
	}
	s.limit += spread
	whole := func(i int32) float32 {
		n := &s.nodes[i]
		return n.cost + s.ahead.rest(pos, int(n.col), int(n.rank))
	}
	list := slices.DeleteFunc(s.at[pos], func(i int32) bool { return whole(i) > s.limit })
	if len(list) > room {
		slices.SortFunc(list, func(a, b int32) int { return cmp.Or(cmp.Compare(whole(a), whole(b)), cmp.Compare(a, b)) })
		list, s.cut = list[:room], true
	}
	s.at[pos] = list
}

// print reads a cell in the node's column.
func (s *solver) print(i int32, g *segment) {
	n := &s.nodes[i]
	row := int(g.row)
	if s.ranks[row] <= int(n.rank) {
		return
	}
	bit := uint64(1) << uint(row)
	past := s.past[n.past]
	old := past[row]
	low := 0
	if row >= s.from {
		low = s.from
	}
	var cost float32
	switch {
	case old == 0:
		for r := low; r < row; r++ {
			if past[r] == 0 {
				cost += skippedAt
			}
		}
		if n.col == 0 && low > 0 && int(n.rank) < s.from {
			cost += s.tail(n, 0, s.from)
		}
	case old == g.text:
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
			cost += s.names.alike(int(n.col))
		}
	}
	m := node{
		col: n.col, rank: int32(s.ranks[row]), cost: n.cost + cost + g.cost, parent: i, via: g,
		now: n.now | bit, prev: n.prev, varied: n.varied,
		sig: n.sig ^ mix(row, old) ^ mix(row, g.text),
	}
	m.past = -1 // made when the node is left
	if old != 0 {
		m.varied |= bit
	}
	s.reach(int(g.next), m, i, g, -float64(cost)-float64(g.cost)/temper)
}

// recall makes the past of a node that a cell led to.
func (s *solver) recall(n *node) {
	if n.past >= 0 {
		return
	}
	i, ok := s.pastOf[n.sig]
	if !ok {
		i = int32(len(s.past))
		p := slices.Clone(s.past[s.nodes[n.parent].past])
		p[n.via.row] = n.via.text
		s.past = append(s.past, p)
		s.pastOf[n.sig] = i
	}
	n.past = i
}

// close ends the node's column.
func (s *solver) close(i int32) {
	n := &s.nodes[i]
	cost, named := s.closing(n, int(n.col))
	s.reach(int(n.pos), node{
		col: n.col + 1, rank: -1, parent: i, cost: n.cost + cost + named,
		past: n.past, prev: n.now, varied: n.varied, sig: n.sig,
	}, i, nil, -float64(cost)-float64(named)/temper)
}

// closing is the cost of a column's end, and what the names say to it.
func (s *solver) closing(n *node, col int) (cost, named float32) {
	if n.col == 0 && col == 0 {
		if int(n.rank) < s.from {
			cost += s.tail(n, 0, s.from)
		}
		cost += s.tail(n, s.from, len(s.keys))
	}
	if s.names != nil {
		s.spend(len(s.keys))
		named = s.names.cost(col, s.past[n.past])
	}
	return cost, named
}

// finish ends all ways at the end of the text in one node: the columns left
// print nothing.
func (s *solver) finish(pos int) {
	nodes := slices.Clone(s.at[pos])
	for _, i := range nodes {
		s.order = append(s.order, i)
		s.recall(&s.nodes[i])
		n := &s.nodes[i]
		var cost, named float32
		for col := int(n.col); col < s.columns; col++ {
			c, m := s.closing(n, col)
			cost += c
			named += m
		}
		for _, t := range s.past[n.past] {
			if t == 0 {
				cost += skippedAt // every row has a cell somewhere
			}
		}
		s.reach(pos, node{col: int32(s.columns), rank: -1, parent: i, cost: n.cost + cost + named},
			i, nil, -float64(cost)-float64(named)/temper)
	}
	s.order = append(s.order, s.at[pos][len(nodes):]...)
}
