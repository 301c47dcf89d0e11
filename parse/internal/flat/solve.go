package flat

import (
	"encoding/binary"
	"math"
	"sort"
	"strconv"
	"strings"
)

// The values of a page are decoded together. The overview table prints, one
// system after another, the value of every test; each graph prints the same
// values of its own test. Reading the overview from its start, each value
// must be the next one in its graph's digits. The readings form a layered
// graph, a layer for each pair of system and test, a node for each state of
// all the cursors; every path through it is a reading that the hard rules
// allow.

// problem is what is to be decoded together.
type problem struct {
	digits  string // the overview's values; "" to decode tests by themselves
	alone   bool   // there is no overview for these tests
	tests   []*puzzle
	systems int
	// group and label of each system in a multi-way result; nil otherwise.
	budget                 *budget
	layout                 layout
	key                    []byte // of the state being made
	group, label           []int
	groupNames, labelNames []string
}

// puzzle is one test's digits with what is known of them.
type puzzle struct {
	region   string
	decimals int
	spaced   bool // a blank stands behind each value, here and in the overview
	starts   []start
	lo, hi   float64 // bounds of the largest value
	dots     int
	listed   []bool // which systems the graph lists; nil if unknown
	count    int    // how many it lists, 0 if unknown
	ses      []float64
	labels   []int    // multi-way: the labels it lists, in order; nil if unknown
	groups   []int    // multi-way: the groups it lists; nil if one or unknown
	limits   []limits // line graph: of each group; nil otherwise
	rest     map[restKey]span
}

// restKey is what decides how many systems a graph may still list.
type restKey struct{ system, labels, groups int }

// span is the least and the most systems that may still be listed; most is
// negative if the graph's lists cannot be completed.
type span struct{ least, most int }

// start is one reading of where the first value begins and what N precedes
// it (0 where no SE is printed).
type start struct {
	off  int
	n    int
	cost float64
}

// choiceKind says what a path reads for a system and a test.
type choiceKind uint8

const (
	absent   choiceKind = iota // the graph does not list the system
	hasValue                   // a value
	isZero                     // exactly 0: stands in the overview only
	noValue                    // listed without a value
)

// choice is one reading of one cell.
type choice struct {
	kind  choiceKind
	value string // as the graph prints it
	raw   string // as the overview prints it
	off   int    // of value, in the region
	start int    // index of the start taken, for the first value; else -1
	table bool   // off is in the overview's digits: the graph prints no value
}

// move is a choice as the search keeps it, by offsets.
type move struct {
	off      uint32 // of the value in the region, or in the digits if table
	pos      uint32 // of its raw form in the digits
	valueLen uint8
	rawLen   uint8
	kind     choiceKind
	start    int8
	table    bool
}

type edge struct {
	from int32
	move
	cost float32
}

type node struct {
	cost float64 // least cost from the beginning
	back float64 // least cost to an end
	in   []edge
}

// cellState is the state of one test's cursor.
type cellState struct {
	cur    uint16
	count  uint8 // values read
	listed uint8 // systems listed so far
	flags  uint8
	labels uint8   // multi-way: labels seen
	groups uint8   // multi-way: groups seen, or 1 + the only group
	sum    float64 // line graphs: the sum of the group's values
}

const (
	flagStarted = 1 << iota
	flagMax     // a value that may be the largest has been read
	flagCapped  // a value with more decimals than printed has been read
	flagSmall   // a value below 10 has been read
	flagMin     // line graphs: the group's minimum has been read
	flagTop     // line graphs: the group's maximum has been read
)

const (
	zeroCost = 6.5
	noneCost = 9.0
	freeCost = 1.2 // a system left out of a graph whose list is unknown
)

// layout tells where each test's state lies in a node's key: behind the place
// in the overview's digits. Only tests that need them keep labels and groups,
// or a sum.
type layout []int

func newLayout(tests []*puzzle) layout {
	l := make(layout, len(tests)+1)
	l[0] = 4
	for t, pz := range tests {
		size := 5
		switch {
		case pz.limits != nil:
			size = 11
		case pz.labels != nil:
			size = 7
		}
		l[t+1] = l[t] + size
	}
	return l
}

// put writes the state of test t into a key.
func (l layout) put(key []byte, t int, c cellState) {
	b := key[l[t]:l[t+1]]
	if len(b) == 11 {
		b[0], b[1], b[2] = c.count, c.flags, 0
		binary.LittleEndian.PutUint64(b[3:], math.Float64bits(c.sum))
		return
	}
	binary.LittleEndian.PutUint16(b, c.cur)
	b[2], b[3], b[4] = c.count, c.listed, c.flags
	if len(b) == 7 {
		b[5], b[6] = c.labels, c.groups
	}
}

// get reads the state of test t from a key.
func (l layout) get(key string, t int) cellState {
	b := key[l[t]:l[t+1]]
	if len(b) == 11 {
		var bits uint64
		for i := 10; i >= 3; i-- {
			bits = bits<<8 | uint64(b[i])
		}
		return cellState{count: b[0], flags: b[1], sum: math.Float64frombits(bits)}
	}
	c := cellState{cur: uint16(b[0]) | uint16(b[1])<<8, count: b[2], listed: b[3], flags: b[4]}
	if len(b) == 7 {
		c.labels, c.groups = b[5], b[6]
	}
	return c
}

// choice returns a move of test t as what it reads.
func (p *problem) choice(t int, m move) choice {
	c := choice{kind: m.kind, start: int(m.start), off: int(m.off), table: m.table}
	if m.kind == hasValue {
		text := p.tests[t].region
		if m.table {
			text = p.digits
		}
		c.value = text[m.off : int(m.off)+int(m.valueLen)]
		c.raw = p.digits[min(int(m.pos), len(p.digits)):]
		c.raw = c.raw[:min(int(m.rawLen), len(c.raw))]
	}
	return c
}

// solution is the outcome of a problem.
type solution struct {
	cost float64
	// cells holds for each layer (system-major) the readings of the cell
	// that lie on some path, cheapest path first.
	cells [][]reading
	// starts holds for each test the cost of the cheapest path by start.
	starts [][]float64
	// bound is the least cost of readings left out for their cost;
	// +Inf if every reading was followed.
	bound float64
}

// reading is one reading of a cell and the cost of the cheapest path with it.
type reading struct {
	choice
	cost float64
}

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

// expand adds what may follow a state at the cell of system s and test t.
func (p *problem) expand(x *expansion, key string, from int32, cost float64, s, t int) {
	pz := p.tests[t]
	pos := int(binary.LittleEndian.Uint32([]byte(key[:4])))
	st := p.layout.get(key, t)
	buf := p.key
	copy(buf, key)
	put := func(pos int, st cellState, m move, extra float64) {
		binary.LittleEndian.PutUint32(buf, uint32(pos))
		p.layout.put(buf, t, st)
		x.add(buf, edge{from: from, move: m, cost: float32(extra)}, cost+float64(float32(extra)))
	}
	if pz.limits != nil {
		p.free(pz, pos, s, st, put)
		return
	}
	if pz.listed != nil && !pz.listed[s] {
		put(pos, st, move{kind: absent, start: -1}, 0)
		return
	}
	if pz.listed == nil && p.fits(pz, st, s+1) {
		put(pos, st, move{kind: absent, start: -1}, freeCost)
	}
	listed, ok := p.list(pz, st, s)
	if !ok {
		return
	}
	listed.listed++
	// Where points count the values, and their number is that of the
	// identifiers, no value is missing.
	full := pz.dots > 0 && pz.count == pz.dots
	if !full {
		if p.fits(pz, listed, s+1) {
			switch rest := p.digits[min(pos, len(p.digits)):]; {
			case pz.spaced && strings.HasPrefix(rest, "0 "):
				put(pos+2, listed, move{kind: isZero, start: -1}, zeroCost)
			case !pz.spaced && strings.HasPrefix(rest, "0") && !strings.HasPrefix(rest, "0."):
				put(pos+1, listed, move{kind: isZero, start: -1}, zeroCost)
			}
			put(pos, listed, move{kind: noValue, start: -1}, noneCost)
		}
	}
	if st.flags&flagStarted != 0 {
		p.values(pz, pos, s, listed, -1, 0, put)
		return
	}
	for k, first := range pz.starts {
		begun := listed
		begun.cur = uint16(first.off)
		begun.flags |= flagStarted
		p.values(pz, pos, s, begun, k, first.cost, put)
	}
}

// list notes that system s stands in the graph, and reports false if the
// graph's order of labels and groups forbids it.
func (p *problem) list(pz *puzzle, st cellState, s int) (cellState, bool) {
	if pz.labels == nil {
		return st, true
	}
	k := indexOf(pz.labels, p.label[s])
	switch {
	case k < 0 || k > int(st.labels):
		return st, false
	case k == int(st.labels):
		st.labels++
	}
	if pz.groups == nil {
		if st.groups != 0 && int(st.groups) != p.group[s]+1 {
			return st, false
		}
		st.groups = uint8(p.group[s] + 1)
		return st, true
	}
	k = indexOf(pz.groups, p.group[s])
	switch {
	case k < 0 || k > int(st.groups):
		return st, false
	case k == int(st.groups):
		st.groups++
	}
	return st, true
}

func indexOf(list []int, v int) int {
	for i, x := range list {
		if x == v {
			return i
		}
	}
	return -1
}

// remaining returns how many systems from s on a graph may still list.
func (p *problem) remaining(pz *puzzle, st cellState, s int) span {
	if pz.listed != nil {
		n := pz.count - int(st.listed)
		return span{n, n}
	}
	if pz.labels == nil {
		return span{0, p.systems - s}
	}
	key := restKey{s, int(st.labels), int(st.groups)}
	if r, ok := pz.rest[key]; ok {
		return r
	}
	r := span{1 << 20, -1}
	if s == p.systems {
		if int(st.labels) == len(pz.labels) && (pz.groups == nil || int(st.groups) == len(pz.groups)) {
			r = span{0, 0}
		}
	} else {
		r = p.remaining(pz, st, s+1)
		if in, ok := p.list(pz, st, s); ok {
			if with := p.remaining(pz, in, s+1); with.most >= 0 {
				r.least = min(r.least, with.least+1)
				r.most = max(r.most, with.most+1)
			}
		}
	}
	if pz.rest == nil {
		pz.rest = map[restKey]span{}
	}
	pz.rest[key] = r
	return r
}

// fits reports whether the digits left of a graph can be the values of the
// systems that it may still list, from system s on.
func (p *problem) fits(pz *puzzle, st cellState, s int) bool {
	r := p.remaining(pz, st, s)
	if r.most < 0 {
		return false
	}
	rest := pz.region[st.cur:]
	if st.flags&flagStarted == 0 {
		// The first value's N stands before it.
		return r.most > 0 || rest == ""
	}
	if pz.spaced {
		return strings.Count(rest, " ") <= r.most
	}
	if pz.decimals > 0 {
		return strings.Count(rest, ".") <= r.most
	}
	return len(rest) <= r.most*pz.maxDigits()
}

// maxDigits returns the most digits a value without decimals may have.
func (pz *puzzle) maxDigits() int {
	return len(strconv.FormatInt(int64(math.Min(pz.hi, 1e15)), 10))
}

// values adds the readings of the next value of a test, that of system s.
func (p *problem) values(pz *puzzle, pos, s int, st cellState, first int, extra float64, put func(int, cellState, move, float64)) {
	rest := pz.region[st.cur:]
	if pz.spaced {
		if end := strings.IndexByte(rest, ' '); end > 0 && decimalsIn(rest[:end]) == pz.decimals {
			p.value(pz, pos, s, st, rest[:end], first, extra, put)
		}
		return
	}
	if pz.decimals > 0 {
		dot := strings.IndexByte(rest, '.')
		if dot <= 0 || dot > 1 && rest[0] == '0' || dot+1+pz.decimals > len(rest) {
			return
		}
		p.value(pz, pos, s, st, rest[:dot+1+pz.decimals], first, extra, put)
		return
	}
	if rest == "" || rest[0] == '0' {
		return
	}
	for k := 1; k <= len(rest) && k <= pz.maxDigits(); k++ {
		if !p.value(pz, pos, s, st, rest[:k], first, extra, put) {
			return
		}
	}
}

// value adds the readings in which text is the next value of a test. It
// reports false if no longer text can be.
func (p *problem) value(pz *puzzle, pos, s int, st cellState, text string, first int, extra float64, put func(int, cellState, move, float64)) bool {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || len(text) > 40 {
		return false
	}
	// Where two decimals are printed the source may have more.
	slack := 1e-9 * v
	if pz.decimals == 2 {
		slack += 0.005
	}
	if v-slack > pz.hi {
		return false
	}
	c := move{kind: hasValue, off: uint32(st.cur), valueLen: uint8(len(text)), pos: uint32(pos), start: int8(first)}
	cost := extra + spreadCost(v, pz.hi)
	if k := int(st.count); pz.count > 0 && len(pz.ses) == pz.count && k < len(pz.ses) {
		cost += stdErrorCost(pz.ses[k], v)
	}
	behind := "" // what stands behind a value
	if pz.spaced {
		behind = " "
	}
	st.cur += uint16(len(text) + len(behind))
	st.count++
	if v+slack >= pz.lo {
		st.flags |= flagMax
	}
	if v < 9.99 {
		st.flags |= flagSmall
	}
	if !p.fits(pz, st, s+1) {
		return true
	}
	if p.alone {
		put(pos, st, c, cost)
		return true
	}
	rest := p.digits[pos:]
	if pz.decimals == 0 {
		if !strings.HasPrefix(rest, text+behind) {
			// A longer text begins with this one.
			return false
		}
		c.rawLen = uint8(len(text))
		put(pos+len(text)+len(behind), st, c, cost)
		return true
	}
	for raw := text; ; {
		if strings.HasPrefix(rest, raw) && strings.HasPrefix(rest[len(raw):], behind) {
			d := c
			d.rawLen = uint8(len(raw))
			put(pos+len(raw)+len(behind), st, d, cost)
		}
		if raw[len(raw)-1] == '0' && strings.Contains(raw, ".") {
			raw = strings.TrimSuffix(raw[:len(raw)-1], ".")
			continue
		}
		break
	}
	if pz.decimals == 2 && st.flags&flagSmall == 0 {
		st.flags |= flagCapped
		for _, raw := range longForms(rest, v) {
			if !strings.HasPrefix(rest[len(raw):], behind) {
				continue
			}
			d := c
			d.rawLen = uint8(len(raw))
			put(pos+len(raw)+len(behind), st, d, cost+0.3*float64(decimalsOf(raw)-3)+0.2)
		}
	}
	return true
}

// longForms returns the prefixes of digits that are numbers of three and
// more decimals which round to v at two.
func longForms(digits string, v float64) []string {
	dot := strings.IndexByte(digits, '.')
	if dot <= 0 || dot > 15 {
		return nil
	}
	end := dot + 1
	for end < len(digits) && isDigit(digits[end]) && end < dot+16 {
		end++
	}
	var out []string
	for e := dot + 4; e <= end; e++ {
		r, err := strconv.ParseFloat(digits[:e], 64)
		if err == nil && math.Abs(r-v) <= 0.005+1e-9*v {
			out = append(out, digits[:e])
		}
	}
	return out
}

// decimalsIn returns the decimals of a number, 0 without a point.
func decimalsIn(raw string) int {
	if !strings.Contains(raw, ".") {
		return 0
	}
	return decimalsOf(raw)
}

func decimalsOf(raw string) int { return len(raw) - strings.IndexByte(raw, '.') - 1 }

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
	if len(pz.ses) > int(st.count) {
		return false
	}
	if pz.labels != nil && int(st.labels) != len(pz.labels) {
		return false
	}
	if pz.groups != nil && int(st.groups) != len(pz.groups) {
		return false
	}
	return pz.count == 0 || int(st.listed) == pz.count
}
