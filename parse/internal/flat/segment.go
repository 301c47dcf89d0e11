package flat

import (
	"math"
	"sort"
	"strings"
	"unicode/utf8"
)

// class is the set of graphs that list the same run of identifiers.
type class struct {
	run  string
	dots int // values of its graphs, where points count them; 0 if unknown
}

// beamWidth bounds the partial divisions kept at each place of a run, and
// perState those of them that only plausibility tells apart.
const (
	beamWidth = 3000
	perState  = 12
)

// partial is a division of a run up to some place.
type partial struct {
	prev   *partial
	end    int
	seg    *segment // the identifier that ends here
	count  int
	at     []int // per class: how much of its run is used
	used   []int // per class: how many identifiers it lists
	member []bool
	cost   float64
}

// segment is one candidate identifier.
type segment struct {
	name string
	form string
	word string  // its first word, "" if it is the only one
	last string  // its last word, "" if it is the only one
	cost float64 // by itself, its end included
}

// segmentations returns divisions of run into identifiers, cheapest first,
// such that every class' run is made of some of them in order. count is the
// number of identifiers, 0 if unknown. capped says that implausible ones
// were left out.
func segmentations(run string, count int, classes []class, cells string, limit int) (out []naming, capped bool) {
	maxCount := count
	if count == 0 {
		maxCount = 64
	}
	// need[c][j]: whether class c's run from j on can still be made of
	// run[i:] is checked by reach: the least place of run at which the run's
	// tail may begin.
	reach := make([][]int, len(classes))
	for c, cl := range classes {
		reach[c] = latestStarts(cl.run, run)
	}
	splits := splitWordCost(run)
	layers := make([][]*partial, len(run)+1)
	layers[0] = []*partial{{at: make([]int, len(classes)), used: make([]int, len(classes))}}
	for i := 0; i < len(run); i++ {
		layer := layers[i]
		if len(layer) == 0 {
			continue
		}
		layer, cut := prune(layer)
		capped = capped || cut
		layers[i] = layer
		for j := i + 1; j <= len(run) && j-i <= 120; j++ {
			if !mayCut(run, j) {
				continue
			}
			seg := newSegment(run, i, j, cells)
			seg.cost += splits[j]
			if seg.cost > 18 {
				capped = true
				continue
			}
			for _, p := range layer {
				if p.count+1 > maxCount || count > 0 && j == len(run) && p.count+1 != count {
					continue
				}
				if count > 0 && len(run)-j < count-p.count-1 {
					continue
				}
				extendPartial(p, seg, j, classes, reach, len(run), func(q *partial) {
					layers[j] = append(layers[j], q)
				})
			}
			if len(layers[j]) > 4*beamWidth {
				var cut bool
				layers[j], cut = prune(layers[j])
				capped = capped || cut
			}
		}
	}
	final := layers[len(run)]
	sort.SliceStable(final, func(a, b int) bool { return final[a].cost < final[b].cost })
	for _, p := range final {
		if len(out) == limit {
			capped = true
			break
		}
		out = append(out, p.naming(classes))
	}
	return out, capped
}

// newSegment returns run[i:j] as an identifier.
func newSegment(run string, i, j int, cells string) *segment {
	name := run[i:j]
	s := &segment{name: name, form: formOf(name), cost: segmentCost(name, cells)}
	if w := firstWord(name); len(w) < len(name) {
		s.word = w
		s.last = name[strings.LastIndexByte(name, ' ')+1:]
	}
	if j < len(run) {
		a, _ := utf8.DecodeLastRuneInString(run[:j])
		b, _ := utf8.DecodeRuneInString(run[j:])
		s.cost += boundaryCost(a, b)
	}
	return s
}

// extendPartial calls add for each way in which the classes may list or not
// list the identifier seg, which ends at place end.
func extendPartial(p *partial, seg *segment, end int, classes []class, reach [][]int, total int, add func(*partial)) {
	n := len(classes)
	name := seg.name
	cost := seg.cost + repeatCost(p, seg)
	at := make([]int, n)
	used := make([]int, n)
	member := make([]bool, n)
	var both []int // classes that may list it or not
	for c, cl := range classes {
		at[c], used[c] = p.at[c], p.used[c]
		in := strings.HasPrefix(cl.run[p.at[c]:], name)
		outOK := reach[c][p.at[c]] >= end
		if in && reach[c][p.at[c]+len(name)] < end {
			in = false
		}
		if in && cl.dots > 0 && p.used[c] == cl.dots {
			in = false
		}
		switch {
		case in && outOK:
			both = append(both, c)
			fallthrough
		case in:
			at[c] += len(name)
			used[c]++
			member[c] = true
		case !outOK:
			return
		}
	}
	if end == total {
		for c, cl := range classes {
			if at[c] != len(cl.run) || cl.dots > 0 && used[c] != cl.dots {
				// The last identifier settles each class; a class that
				// could go either way is settled by listing it.
				return
			}
		}
		both = nil
	}
	if len(both) > 3 {
		both = both[:3]
	}
	for choice := 0; choice < 1<<len(both); choice++ {
		q := &partial{prev: p, end: end, seg: seg, count: p.count + 1, cost: p.cost + cost}
		if choice == 0 {
			q.at, q.used, q.member = at, used, member
		} else {
			q.at = append([]int(nil), at...)
			q.used = append([]int(nil), used...)
			q.member = append([]bool(nil), member...)
			for k, c := range both {
				if choice>>k&1 == 1 {
					q.at[c] -= len(name)
					q.used[c]--
					q.member[c] = false
				}
			}
		}
		add(q)
	}
}

// latestStarts returns for each j the latest place of whole from which
// part[j:] can still be read as a subsequence.
func latestStarts(part, whole string) []int {
	out := make([]int, len(part)+1)
	i := len(whole)
	out[len(part)] = i
	for j := len(part) - 1; j >= 0; j-- {
		i--
		for i >= 0 && whole[i] != part[j] {
			i--
		}
		if i < 0 {
			for ; j >= 0; j-- {
				out[j] = -1
			}
			return out
		}
		out[j] = i
	}
	return out
}

// repeatCost is the cost of an identifier beside those before it: names of
// one result often share their first word or their form.
func repeatCost(p *partial, seg *segment) float64 {
	cost := 0.0
	sharedWord, sharedForm, sharedLast := false, false, false
	for q := p; q.prev != nil; q = q.prev {
		if q.seg.name == seg.name {
			cost += 8 // duplicated identifiers are rare
		}
		sharedWord = sharedWord || seg.word != "" && (q.seg.word == seg.word || q.seg.name == seg.word)
		sharedLast = sharedLast || seg.last != "" && q.seg.last == seg.last && kindOf(rune(seg.last[0])) != kindDigit
		sharedForm = sharedForm || q.seg.form == seg.form
	}
	if sharedWord {
		cost -= 2
	}
	if sharedLast {
		cost -= 2.5
	}
	if sharedForm {
		cost--
	}
	return cost
}

// formOf returns the form of a name: its kinds of letters, runs of equal
// kinds taken together.
func formOf(name string) string {
	var b strings.Builder
	var prev byte
	for _, r := range name {
		c := byte('.')
		switch kindOf(r) {
		case kindLower:
			c = 'a'
		case kindUpper:
			c = 'A'
		case kindDigit:
			c = '0'
		default:
			if r == ' ' {
				c = ' '
			}
		}
		if c != prev {
			b.WriteByte(c)
		}
		prev = c
	}
	return b.String()
}

// prune keeps the cheapest partials of a layer: perState of each state, and
// beamWidth of all.
func prune(layer []*partial) ([]*partial, bool) {
	sort.SliceStable(layer, func(a, b int) bool { return layer[a].cost < layer[b].cost })
	seen := make(map[string]int, len(layer))
	kept := layer[:0:0]
	cut := false
	var key []byte
	for _, p := range layer {
		key = append(key[:0], byte(p.count), byte(p.count>>8))
		for _, v := range p.at {
			key = append(key, byte(v), byte(v>>8))
		}
		if seen[string(key)] >= perState || len(kept) >= beamWidth {
			cut = true
			continue
		}
		seen[string(key)]++
		kept = append(kept, p)
	}
	return kept, cut
}

// naming returns the division that ends in p.
func (p *partial) naming(classes []class) naming {
	n := naming{cost: p.cost, masks: make(map[string][]bool, len(classes))}
	n.names = make([]string, p.count)
	for c := range classes {
		n.masks[classes[c].run] = make([]bool, p.count)
	}
	for q := p; q.prev != nil; q = q.prev {
		n.names[q.count-1] = q.seg.name
		for c := range classes {
			n.masks[classes[c].run][q.count-1] = q.member[c]
		}
	}
	return n
}

// lead returns how much more the second of two sorted costs is.
func lead(best, next float64) float64 {
	if math.IsInf(next, 1) {
		return math.Inf(1)
	}
	return next - best
}
