package flat

import (
	"encoding/binary"
	"math"
	"strconv"
	"strings"
)

const (
	zeroCost = 6.5
	noneCost = 9.0
	freeCost = 1.2 // a system left out of a graph whose list is unknown
)

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
