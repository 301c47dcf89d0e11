package flat

import (
	"encoding/binary"
	"math"
	"sort"
)

// The values of a page are decoded together. The overview table prints, one
// system after another, the value of every test; each graph prints the same
// values of its own test. Reading the overview from its start, each value
// must be the next one in its graph's digits. The readings form a layered
// graph, a layer for each pair of system and test, a node for each state of
// all the cursors; every path through it is a reading that the hard rules
// allow.

// effort bounds a search: states that cost more than window above the
// cheapest of their layer, and those beyond nodes, are left out.
type effort struct {
	window float64
	nodes  int
	whole  bool // give up rather than leave out
}

// solve decodes a problem: by following every reading where they are few,
// else by following the likely ones. ok is false if no reading fits.
func solve(p *problem) (sol solution, ok bool) {
	for _, e := range []effort{
		{math.Inf(1), 8000, true},
		{12, 2500, false},
		{22, 6000, false},
	} {
		sol, ok = search(p, e)
		if ok && sol.bound >= sol.cost+decisive || p.budget.spent() {
			return sol, ok
		}
	}
	return sol, ok
}

// search follows the readings of a problem within an effort.
func search(p *problem, limit effort) (sol solution, ok bool) {
	layers := make([][]node, 1, p.systems*len(p.tests)+1)
	layers[0] = []node{{}}
	p.layout = newLayout(p.tests)
	keys := []string{string(make([]byte, p.layout[len(p.tests)]))}
	p.key = make([]byte, len(keys[0]))
	sol.bound = math.Inf(1)
	var dropped []float64 // cheapest node left out of each
	for s := 0; s < p.systems; s++ {
		for t := range p.tests {
			if !p.budget.spend(len(keys) * (100 + 4*len(p.tests))) {
				return solution{}, false
			}
			next := expansion{index: map[string]int32{}}
			for i, key := range keys {
				p.expand(&next, key, int32(i), layers[len(layers)-1][i].cost, s, t)
			}
			if len(next.nodes) == 0 {
				return solution{}, false
			}
			d := next.prune(limit)
			if limit.whole && !math.IsInf(d, 1) {
				return solution{}, false
			}
			dropped = append(dropped, d)
			layers = append(layers, next.nodes)
			keys = next.keys
		}
	}
	last := layers[len(layers)-1]
	best := math.Inf(1)
	for i, key := range keys {
		c := p.endCost(key)
		last[i].back = c
		best = math.Min(best, last[i].cost+c)
	}
	if math.IsInf(best, 1) {
		return solution{}, false
	}
	sol.cost = best
	p.backward(layers, &sol)
	// What was left out at a layer would have had to read the rest of the
	// page too: it is taken to cost what it costs the best reading.
	for l, d := range dropped {
		rest := math.Inf(1)
		for i := range layers[l+1] {
			n := &layers[l+1][i]
			if n.cost+n.back <= best+1e-9 {
				rest = math.Min(rest, n.back)
			}
		}
		sol.bound = math.Min(sol.bound, d+rest)
	}
	return sol, true
}

// backward finds for each reading the cheapest whole path it lies on.
func (p *problem) backward(layers [][]node, sol *solution) {
	nt := len(p.tests)
	sol.cells = make([][]reading, len(layers)-1)
	sol.starts = make([][]float64, nt)
	for t := range sol.starts {
		sol.starts[t] = make([]float64, len(p.tests[t].starts))
		for k := range sol.starts[t] {
			sol.starts[t][k] = math.Inf(1)
		}
	}
	for l := len(layers) - 1; l > 0; l-- {
		prev := layers[l-1]
		for i := range prev {
			prev[i].back = math.Inf(1)
		}
		for i := range layers[l] {
			n := &layers[l][i]
			if math.IsInf(n.back, 1) {
				continue
			}
			for k := range n.in {
				e := &n.in[k]
				from := &prev[e.from]
				cost := float64(e.cost)
				from.back = math.Min(from.back, cost+n.back)
				total := from.cost + cost + n.back
				sol.cells[l-1] = addReading(sol.cells[l-1], p.choice((l-1)%nt, e.move), total)
				if e.start >= 0 {
					st := sol.starts[(l-1)%nt]
					st[e.start] = math.Min(st[e.start], total)
				}
			}
		}
		sort.SliceStable(sol.cells[l-1], func(a, b int) bool { return sol.cells[l-1][a].cost < sol.cells[l-1][b].cost })
	}
}

// addReading notes a reading; readings with the same printed value are one,
// the cheapest standing for it.
func addReading(list []reading, c choice, cost float64) []reading {
	for i := range list {
		if list[i].kind == c.kind && list[i].value == c.value {
			if cost < list[i].cost {
				list[i] = reading{c, cost}
			}
			return list
		}
	}
	return append(list, reading{c, cost})
}

// expansion collects the nodes of one layer.
type expansion struct {
	index map[string]int32
	nodes []node
	keys  []string
}

func (x *expansion) add(key []byte, e edge, cost float64) {
	i, ok := x.index[string(key)]
	if !ok {
		i = int32(len(x.nodes))
		k := string(key)
		x.index[k] = i
		x.keys = append(x.keys, k)
		x.nodes = append(x.nodes, node{cost: cost})
	}
	n := &x.nodes[i]
	n.cost = math.Min(n.cost, cost)
	n.in = append(n.in, e)
}

// prune keeps the nodes within an effort and returns the least cost left out.
func (x *expansion) prune(limit effort) float64 {
	best := math.Inf(1)
	for i := range x.nodes {
		best = math.Min(best, x.nodes[i].cost)
	}
	order := make([]int, 0, len(x.nodes))
	bound := math.Inf(1)
	for i := range x.nodes {
		if c := x.nodes[i].cost; c <= best+limit.window {
			order = append(order, i)
		} else {
			bound = math.Min(bound, c)
		}
	}
	if len(order) > limit.nodes {
		sort.SliceStable(order, func(a, b int) bool { return x.nodes[order[a]].cost < x.nodes[order[b]].cost })
		bound = math.Min(bound, x.nodes[order[limit.nodes]].cost)
		order = order[:limit.nodes]
	}
	if len(order) == len(x.nodes) {
		return bound
	}
	nodes := make([]node, len(order))
	keys := make([]string, len(order))
	for i, o := range order {
		nodes[i], keys[i] = x.nodes[o], x.keys[o]
	}
	x.nodes, x.keys = nodes, keys
	return bound
}

// endCost returns the cost of ending in a state; +Inf if it is no end: all
// digits must be used, and the largest value must be the axis'.
func (p *problem) endCost(key string) float64 {
	if !p.alone && int(binary.LittleEndian.Uint32([]byte(key[:4]))) != len(p.digits) {
		return math.Inf(1)
	}
	for t, pz := range p.tests {
		st := p.layout.get(key, t)
		if !pz.done(st) {
			return math.Inf(1)
		}
	}
	return 0
}

// done reports whether a test may end in a state.
func (pz *puzzle) done(st cellState) bool {
	if pz.limits != nil {
		return true
	}
	if st.flags&flagStarted == 0 {
		return false // an axis has a largest value
	}
	if int(st.cur) != len(pz.region) || st.flags&flagMax == 0 {
		return false
	}
	if st.flags&flagCapped != 0 && st.flags&flagSmall != 0 {
		return false
	}
	if len(pz.ses) > int(st.listed) {
		return false // a result of exactly 0 has an SE, too, but no value
	}
	if pz.labels != nil && int(st.labels) != len(pz.labels) {
		return false
	}
	if pz.groups != nil && int(st.groups) != len(pz.groups) {
		return false
	}
	return pz.count == 0 || int(st.listed) == pz.count
}
