package flat

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// A line graph's legend prints minimum, average and maximum of each line,
// behind the line's name: of a system's readings over time, or, where
// results of many systems are drawn as lines, of a group's results. Then the
// values stand in the overview table only.

const legendHead = "MinAvgMax"

// legendLine is one line of a line graph's legend.
type legendLine struct {
	name          string
	min, avg, max string
	off           int // of avg, in the graph's text
}

// legendNames returns the names of a line graph's legend run together, the
// numbers left out, as far as they can be told without knowing the names: a
// run of digits and points that holds three numbers.
func legendNames(legend string) string {
	text, ok := strings.CutPrefix(legend, legendHead)
	if !ok {
		return ""
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		if !isDigit(text[i]) {
			b.WriteByte(text[i])
			i++
			continue
		}
		j := i
		for j < len(text) && (isDigit(text[j]) || text[j] == '.') {
			j++
		}
		if len(threeNumbers(text[i:j], math.Inf(1))) == 0 {
			b.WriteString(text[i:j])
		}
		i = j
	}
	return b.String()
}

// threeNumbers returns the ways to divide digits into minimum, average and
// maximum with the same decimals (none or one), each no less than the one
// before and none above top.
func threeNumbers(digits string, top float64) [][3]string {
	var out [][3]string
	add := func(a, b, c string) {
		x, err1 := strconv.ParseFloat(a, 64)
		y, err2 := strconv.ParseFloat(b, 64)
		z, err3 := strconv.ParseFloat(c, 64)
		if err1 == nil && err2 == nil && err3 == nil && x <= y && y <= z && z <= top && !leadingZero(a) && !leadingZero(b) && !leadingZero(c) {
			out = append(out, [3]string{a, b, c})
		}
	}
	if strings.Contains(digits, ".") {
		if strings.Count(digits, ".") != 3 {
			return nil
		}
		i := strings.IndexByte(digits, '.') + 2
		if i > len(digits) {
			return nil
		}
		j := i + strings.IndexByte(digits[i:], '.') + 2
		if j > len(digits) || strings.IndexByte(digits[j:], '.') != len(digits)-j-2 {
			return nil
		}
		add(digits[:i], digits[i:j], digits[j:])
		return out
	}
	if len(digits) < 3 || len(digits) > 45 {
		return nil
	}
	for i := 1; i < len(digits)-1; i++ {
		for j := i + 1; j < len(digits); j++ {
			add(digits[:i], digits[i:j], digits[j:])
		}
	}
	return out
}

func leadingZero(s string) bool { return len(s) > 1 && s[0] == '0' && s[1] != '.' }

// legendLines divides a line graph's legend by the names that its lines may
// have; top is the axis' last label. It returns the ways to do so, up to
// maxLegends: nil if the names do not fit, or fit in more.
func legendLines(legend string, names []string, top float64) [][]legendLine {
	text, ok := strings.CutPrefix(legend, legendHead)
	if !ok {
		return nil
	}
	var found [][]legendLine
	var lines []legendLine
	steps := 0
	var walk func(i int)
	walk = func(i int) {
		if steps++; steps > 20_000 || len(found) > maxLegends {
			return
		}
		if i == len(text) {
			found = append(found, slices.Clone(lines))
			return
		}
		for _, n := range names {
			if n == "" || !strings.HasPrefix(text[i:], n) || slices.ContainsFunc(lines, func(l legendLine) bool { return l.name == n }) {
				continue
			}
			at := i + len(n)
			// The numbers end where the next name begins, which may be a
			// digit.
			end := at
			for end < len(text) && (isDigit(text[end]) || text[end] == '.') {
				end++
				if end < len(text) && !slices.ContainsFunc(names, func(o string) bool { return o != "" && strings.HasPrefix(text[end:], o) }) {
					continue
				}
				for _, three := range threeNumbers(text[at:end], top) {
					lines = append(lines, legendLine{
						name: n, min: three[0], avg: three[1], max: three[2],
						off: len(legendHead) + at + len(three[0]),
					})
					walk(end)
					lines = lines[:len(lines)-1]
				}
			}
		}
	}
	walk(0)
	if len(found) > maxLegends {
		return nil
	}
	return found
}

// maxLegends bounds the divisions of a legend that are followed.
const maxLegends = 12

// limits are what a legend says of a group's values.
type limits struct {
	min, avg, max float64
	half          float64 // of the last printed place
}

// groupLimits returns the limits of each group of a multi-way result by a
// line graph's legend, in each way to divide it; nil if the legend is not one
// of groups.
func groupLimits(legend string, groups []string, top float64) [][]limits {
	var out [][]limits
	for _, lines := range legendLines(legend, groups, top) {
		out = append(out, limitsOf(lines, groups))
	}
	return out
}

func limitsOf(lines []legendLine, groups []string) []limits {
	out := make([]limits, len(groups))
	for i := range out {
		out[i].half = -1
	}
	for _, l := range lines {
		k := slices.Index(groups, l.name)
		var m limits
		m.min, _ = strconv.ParseFloat(l.min, 64)
		m.avg, _ = strconv.ParseFloat(l.avg, 64)
		m.max, _ = strconv.ParseFloat(l.max, 64)
		m.half = 0.5
		if strings.Contains(l.avg, ".") {
			m.half = 0.05
		}
		out[k] = m
	}
	return out
}

// free adds the readings of a value that only the overview prints: any
// number within its group's limits.
func (p *problem) free(pz *puzzle, pos, s int, st cellState, put func(int, cellState, move, float64)) {
	if st.labels == 0 {
		for k := range pz.limits {
			st.labels = uint8(k + 1)
			p.free(pz, pos, s, st, put)
		}
		return
	}
	g := p.group[s]
	lim := pz.limits[st.labels-1][g]
	last := s+1 == p.systems || p.group[s+1] != g
	none := st
	if !last || groupDone(&none, lim) {
		if last {
			none.endGroup()
		}
		put(pos, none, move{kind: absent, start: -1}, 3)
	}
	if lim.half < 0 {
		return
	}
	rest := p.digits[pos:]
	dot := false
	for k := 1; k <= len(rest) && k <= 18; k++ {
		c := rest[k-1]
		if c == '.' {
			if dot || k == 1 {
				return
			}
			dot = true
			continue
		}
		raw := rest[:k]
		if leadingZero(raw) {
			return
		}
		v, err := strconv.ParseFloat(raw, 64)
		if err != nil {
			return
		}
		if v > lim.max+lim.half*1.001 {
			return
		}
		if v < lim.min-lim.half*1.001 {
			continue
		}
		next := st
		if v <= lim.min+lim.half*1.001 {
			next.flags |= flagMin
		}
		if v >= lim.max-lim.half*1.001 {
			next.flags |= flagTop
		}
		next.count++
		next.sum += v
		next.flags |= flagStarted | flagMax
		if last {
			if !groupDone(&next, lim) {
				continue
			}
			next.endGroup()
		}
		after := k
		if g0 := p.tests[0]; g0.spaced {
			if k == len(rest) || rest[k] != ' ' {
				continue
			}
			after++
		}
		cost := 0.0
		if dot {
			cost = 0.4 * float64(max(0, k-strings.IndexByte(raw, '.')-3))
		}
		put(pos+after, next, move{kind: hasValue, valueLen: uint8(k), rawLen: uint8(k), off: uint32(pos), pos: uint32(pos), start: -1, table: true}, cost)
	}
}

// groupDone reports whether the values read of a group have its minimum,
// maximum and average.
func groupDone(st *cellState, lim limits) bool {
	if lim.half < 0 || st.count == 0 {
		return lim.half < 0 && st.count == 0
	}
	if st.flags&flagMin == 0 || st.flags&flagTop == 0 {
		return false
	}
	return math.Abs(st.sum/float64(st.count)-lim.avg) <= lim.half*1.01
}

// endGroup forgets a group's values.
func (c *cellState) endGroup() {
	c.flags &^= flagMin | flagTop
	c.count = 0
	c.sum = 0
}

// legendPrefix returns the names of a line graph's legend run together, if
// they are what table begins with: the groups of a multi-way result, behind
// which a blank follows. Names may end in digits, so the numbers between them
// are told by it.
func legendPrefix(legend, table string, top float64) string {
	text, ok := strings.CutPrefix(legend, legendHead)
	if !ok || len(text) > 400 {
		return ""
	}
	failed := map[[2]int]bool{}
	var walk func(i, j int) int
	walk = func(i, j int) int {
		if i == len(text) {
			if j < len(table) && table[j] == ' ' {
				return j
			}
			return -1
		}
		if failed[[2]int{i, j}] {
			return -1
		}
		if j < len(table) && text[i] == table[j] {
			if end := walk(i+1, j+1); end >= 0 {
				return end
			}
		}
		if isDigit(text[i]) && j > 0 {
			for k := i + 1; k <= len(text) && k-i <= 45 && (isDigit(text[k-1]) || text[k-1] == '.'); k++ {
				if len(threeNumbers(text[i:k], top)) == 0 {
					continue
				}
				if end := walk(k, j); end >= 0 {
					return end
				}
			}
		}
		failed[[2]int{i, j}] = true
		return -1
	}
	if end := walk(0, 0); end > 0 {
		return table[:end]
	}
	return ""
}
