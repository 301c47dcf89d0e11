package flat

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// class is the set of graphs that list the same run of identifiers.
type class struct {
	run  string
	dots int // values of its graphs, where points count them; 0 if unknown
}

// Bounds of the search: the partial divisions kept at each place of a run
// (fewer in long runs), those of them that only plausibility tells apart, and
// the length of an identifier.
const (
	beamWork = 30_000
	beamMost = 8 * beamWork
	perState = 8
	// ceilingLead is how much a division may seem to cost above the best
	// known one; what its names share may still lower it.
	ceilingLead = 12
	maxLength   = 100
)

// beamWidth returns how many partial divisions are kept at each place.
func beamWidth(run string, work int) int { return min(max(work/len(run), 50), 4000) }

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
	raw    float64 // cost of the identifiers by themselves
	est    float64 // cost and what the rest of the run costs at least by itself
}

// segmentations returns divisions of run into identifiers, cheapest first,
// such that every class' run is made of some of them in order. count is the
// number of identifiers, 0 if unknown. Divisions that were left out for their
// cost cost at least slack more than the first; slack is +Inf if none was.
func segmentations(run string, count int, classes []class, cells string, limit int, b *budget) (out []naming, slack float64) {
	if !b.spend(300 * len(run) * min(len(run), maxLength)) {
		return nil, 0
	}
	starts := startsOf(run, cells)
	ceiling := math.Inf(1)
	for work := beamWork / 8; ; work *= 8 {
		out, slack = searchNames(run, count, classes, starts, limit, work, ceiling, b)
		// More work pays if what was left out may be as good.
		if b.spent() || work >= beamMost || slack >= nameLead && len(out) > 0 {
			return out, slack
		}
		if len(out) > 0 {
			ceiling = out[0].raw + ceilingLead
		}
		if work >= beamWork && len(out) > 1 && out[1].cost-out[0].cost < 1 {
			return out, slack
		}
	}
}

// searchNames is segmentations with a bound on its work. Divisions that are
// sure to cost more than ceiling are not followed.
func searchNames(run string, count int, classes []class, starts [][]*segment, limit, work int, ceiling float64, b *budget) (out []naming, slack float64) {
	reach := make([][]int, len(classes))
	for c, cl := range classes {
		reach[c] = latestStarts(cl.run, run)
	}
	width := beamWidth(run, work)
	if !b.spend(len(run) * min(len(run), maxLength) * max(1, count)) {
		return nil, 0
	}
	rest := restCosts(run, starts, count)
	layers := make([][]*partial, len(run)+1)
	layers[0] = []*partial{{at: make([]int, len(classes)), used: make([]int, len(classes))}}
	lost := make([]float64, len(run)+1) // least estimate left out at each place
	for i := range lost {
		lost[i] = math.Inf(1)
	}
	for i := 0; i < len(run); i++ {
		if len(layers[i]) == 0 {
			continue
		}
		layer, least := prune(layers[i], width)
		lost[i] = math.Min(lost[i], least)
		if b.spent() {
			return nil, 0
		}
		for _, seg := range starts[i] {
			j := i + len(seg.name)
			for _, p := range layer {
				r := rest.at(j, p.count+1)
				if math.IsInf(r, 1) {
					continue
				}
				if p.raw+seg.cost+r > ceiling {
					lost[j] = math.Min(lost[j], p.cost+seg.cost+r)
					continue
				}
				b.spend(20 + 2*p.count + 2*len(classes))
				extendPartial(p, seg, j, classes, reach, len(run), func(q *partial) {
					q.est = q.cost + r
					layers[j] = append(layers[j], q)
				})
			}
			if len(layers[j]) > 8*width {
				layers[j], least = prune(layers[j], width)
				lost[j] = math.Min(lost[j], least)
			}
		}
		layers[i] = nil
	}
	final := layers[len(run)]
	slices.SortStableFunc(final, func(x, y *partial) int { return cmp.Compare(x.cost, y.cost) })
	for _, p := range final {
		if len(out) == limit {
			break
		}
		out = append(out, p.naming(classes))
	}
	slack = math.Inf(1)
	if len(final) > 0 {
		// What was left out at a place is set against the cheapest division
		// there; what names share is taken to lower both costs alike.
		q := final[0]
		for i := len(run); i > 0; i-- {
			if q.prev.end >= i && q.prev.prev != nil {
				q = q.prev
			}
			slack = math.Min(slack, lost[i]-q.est)
		}
	}
	return out, slack
}

// extendPartial calls add for each way in which the classes may list or not
// list the identifier seg, which ends at place end.
func extendPartial(p *partial, seg *segment, end int, classes []class, reach [][]int, total int, add func(*partial)) {
	n := len(classes)
	name := seg.name
	for c := range classes {
		if reach[c][p.at[c]] < end && !strings.HasPrefix(classes[c].run[p.at[c]:], name) {
			return // a class needs what this identifier skips
		}
	}
	cost := seg.cost + repeatCost(p, seg)
	ints := make([]int, 2*n)
	at, used := ints[:n:n], ints[n:]
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
		q := &partial{prev: p, end: end, seg: seg, count: p.count + 1, cost: p.cost + cost, raw: p.raw + seg.cost}
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

// prune keeps the cheapest partials of a layer: perState of each state, and
// width of all. It returns the least estimate left out by width; those left out by
// perState have cheaper ones of the same state before them.
func prune(layer []*partial, width int) ([]*partial, float64) {
	slices.SortStableFunc(layer, func(x, y *partial) int { return cmp.Compare(x.est, y.est) })
	seen := make(map[string]int, len(layer))
	kept := layer[:0:0]
	var key []byte
	for _, p := range layer {
		if len(kept) >= width {
			return kept, p.est
		}
		key = append(key[:0], byte(p.count), byte(p.count>>8))
		for c, v := range p.at {
			key = append(key, byte(v), byte(v>>8), byte(p.used[c]))
		}
		if seen[string(key)] >= perState {
			continue
		}
		seen[string(key)]++
		kept = append(kept, p)
	}
	return kept, math.Inf(1)
}

// naming returns the division that ends in p.
func (p *partial) naming(classes []class) naming {
	n := naming{cost: p.cost, raw: p.raw, masks: make(map[string][]bool, len(classes))}
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
