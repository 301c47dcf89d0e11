package flat

import (
	"math"
	"slices"

	"github.com/benchproof/benchproof/result"
)

// assemble makes the page's values from the namings under which it could be
// solved, the best first.
func (s *solver) assemble(trials []trial) outcome {
	best := &trials[0]
	d := decoded{names: best.names, nameDecode: s.nameDecodes(trials), run: s.run, digitsOff: s.over.off + len(s.run)}
	d.tests = make([]decodedTest, len(s.graphs))
	rowProfile := map[int]string{}
	for _, r := range s.over.rows {
		rowProfile[r.graph] = r.profile
	}
	// Namings of nearly the same cost that give other values count too.
	rivals := s.rivals(trials)
	for i, g := range s.graphs {
		t := &d.tests[i]
		t.graph, t.profile = g, rowProfile[i]
		t.cells = make([]cell, len(best.names))
		if k := slices.Index(best.inTable, i); best.solved && k >= 0 {
			s.decideFromTable(t, rivals, k)
		} else if g.isLine {
			if ways := legendLines(g.lines, best.names, g.top()); len(ways) == 1 {
				t.lines, t.solved = ways[0], true
			}
		} else {
			s.decideAlone(t, i, best.naming)
		}
	}
	o := outcome{decoded: d, cost: best.totalLow}
	for _, t := range d.tests {
		if !t.solved {
			o.unsolved++
		}
	}
	return o
}

// rivals returns the trials that cost little more than the best: what they
// read for a name, wherever it stands among theirs, counts against it.
func (s *solver) rivals(trials []trial) []trial {
	out := trials[:1:1]
	for _, t := range trials[1:] {
		if t.totalLow <= trials[0].totalLow+2*decisive && t.solved {
			out = append(out, t)
		}
	}
	return out
}

// nameDecodes returns how sure each of the best trial's names is.
func (s *solver) nameDecodes(trials []trial) []result.Decode {
	best := &trials[0]
	out := make([]result.Decode, len(best.names))
	if best.hard {
		return out
	}
	for i := range out {
		next := best.totalLow + s.nameSlack
		at := best.place(i)
		for k := range trials[1:] {
			if t := &trials[k+1]; t.has(at, best.names[i]) < 0 {
				next = math.Min(next, t.totalLow)
			}
		}
		out[i] = result.DecodeAmbiguous
		if next-best.totalLow >= nameLead {
			out[i] = result.DecodeInferred
		}
	}
	return out
}

// decideFromTable decides the cells of test k of the problem that the
// overview takes part in.
func (s *solver) decideFromTable(t *decodedTest, rivals []trial, k int) {
	t.solved = true
	nt := len(rivals[0].problem.tests)
	for sys := range t.cells {
		var all []reading
		bound := math.Inf(1)
		at := rivals[0].place(sys)
		for _, r := range rivals {
			theirs := r.has(at, rivals[0].names[sys])
			if theirs < 0 {
				continue // the name's own certainty tells
			}
			for _, rd := range r.whole.cells[theirs*nt+k] {
				all = addReading(all, rd.choice, rd.cost+r.cost)
			}
			bound = math.Min(bound, r.whole.bound+r.cost)
		}
		t.cells[sys] = decideCell(all, bound)
	}
	starts := rivals[0].problem.tests[k].starts
	costs := slices.Repeat([]float64{math.Inf(1)}, len(starts))
	for _, r := range rivals {
		for i, c := range r.whole.starts[k] {
			costs[i] = math.Min(costs[i], c+r.cost)
		}
	}
	t.decideSamples(starts, costs)
}

// decideAlone decides the cells of a graph that the overview does not hold.
func (s *solver) decideAlone(t *decodedTest, i int, n naming) {
	p := &problem{alone: true, systems: len(n.names), budget: s.budget}
	s.setGroups(p, n)
	pz := s.puzzle(i, p, n)
	if pz == nil || s.graphs[i].cut {
		return
	}
	p.tests = []*puzzle{pz}
	sol, ok := solve(p)
	if !ok {
		return
	}
	t.solved = true
	for sys := range t.cells {
		t.cells[sys] = decideCell(sol.cells[sys], sol.bound)
	}
	t.decideSamples(pz.starts, sol.starts[0])
}

// decideCell decides a cell by its readings: one that the hard rules leave
// alone is exact, one that is far likelier than the others inferred.
func decideCell(all []reading, bound float64) cell {
	if len(all) == 0 {
		return cell{}
	}
	slices.SortStableFunc(all, func(a, b reading) int {
		switch {
		case a.cost < b.cost:
			return -1
		case a.cost > b.cost:
			return 1
		}
		return 0
	})
	c := cell{choice: all[0].choice}
	next := bound
	if len(all) > 1 {
		next = math.Min(next, all[1].cost)
	}
	switch {
	case math.IsInf(next, 1):
		return c
	case next-all[0].cost >= decisive:
		c.decode = result.DecodeInferred
		return c
	}
	c.decode = result.DecodeAmbiguous
	for _, r := range all {
		if r.cost-all[0].cost >= decisive || len(c.alternatives) == 20 {
			break
		}
		if r.kind == hasValue || r.kind == isZero {
			c.alternatives = append(c.alternatives, r.text())
		}
	}
	return c
}

// text returns the printed text of a reading.
func (c choice) text() string {
	if c.kind == isZero {
		return "0"
	}
	return c.value
}

// decideSamples decides N of the last SE.
func (t *decodedTest) decideSamples(starts []start, costs []float64) {
	best, next := -1, math.Inf(1)
	for i, c := range costs {
		switch {
		case math.IsInf(c, 1):
		case best < 0:
			best = i
		case c < costs[best]:
			next = costs[best]
			best = i
		default:
			next = math.Min(next, c)
		}
	}
	if best < 0 {
		return
	}
	t.samples = starts[best].n
	switch {
	case math.IsInf(next, 1):
	case next-costs[best] >= decisive:
		t.nDecode = result.DecodeInferred
	default:
		t.samples, t.nDecode = 0, result.DecodeAmbiguous
	}
}
