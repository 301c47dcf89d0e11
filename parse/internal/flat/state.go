package flat

import (
	"encoding/binary"
	"math"
)

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
	labels uint8   // multi-way: labels seen; line graphs: 1 + the reading of the legend
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
		b[0], b[1], b[2] = c.count, c.flags, c.labels
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
		return cellState{count: b[0], flags: b[1], labels: b[2], sum: math.Float64frombits(bits)}
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
