package flat

import (
	"slices"
	"strconv"
	"strings"
)

// maxRegion bounds the digits of one graph.
const maxRegion = 8000

// problem returns what the overview and the graphs it holds give to decode
// together under a naming, and the graphs in the order of its tests. It is
// nil where a graph's digits cannot fit.
func (s *solver) problem(n naming) (*problem, []int) {
	p := &problem{digits: s.digits, systems: len(n.names), budget: s.budget}
	s.setGroups(p, n)
	var graphs []int
	for _, r := range s.over.rows {
		pz := s.puzzle(r.graph, p, n)
		if pz == nil {
			return nil, nil
		}
		p.tests = append(p.tests, pz)
		graphs = append(graphs, r.graph)
	}
	return p, graphs
}

// setGroups notes each system's group and label in a multi-way result.
func (s *solver) setGroups(p *problem, n naming) {
	if !s.multi {
		return
	}
	var groups, labels []string
	for _, name := range n.names {
		g, l, _ := strings.Cut(name, ": ")
		if !slices.Contains(groups, g) {
			groups = append(groups, g)
		}
		if !slices.Contains(labels, l) {
			labels = append(labels, l)
		}
		p.group = append(p.group, slices.Index(groups, g))
		p.label = append(p.label, slices.Index(labels, l))
	}
	if s.spaced() {
		for i := range groups {
			groups[i] += " "
		}
		for i := range labels {
			labels[i] += " "
		}
	}
	p.groupNames, p.labelNames = groups, labels
}

// puzzle returns one graph's digits with what is known of them under a
// naming; nil if the graph cannot be read under it.
func (s *solver) puzzle(graph int, p *problem, n naming) *puzzle {
	g := s.graphs[graph]
	if g.chosen < 0 || len(g.region) > maxRegion {
		return nil
	}
	axis := g.axes[g.chosen]
	if g.isLine {
		if !s.multi || g.region != "" {
			return nil
		}
		lim := groupLimits(g.lines, p.groupNames, axis.top)
		if lim == nil {
			return nil
		}
		return &puzzle{limits: lim, spaced: g.spaced}
	}
	pz := &puzzle{region: g.region, decimals: g.decimals, spaced: g.spaced, dots: g.dots, lo: axis.lo, hi: axis.hi}
	for _, se := range g.ses {
		v, _ := strconv.ParseFloat(se.text, 64)
		pz.ses = append(pz.ses, v)
	}
	pz.starts = g.starts()
	if len(pz.starts) == 0 {
		return nil
	}
	if s.multi {
		s.setMulti(pz, p, n, axis.run, g.legend)
	} else {
		pz.listed = n.masks[axis.run]
		if axis.run == s.run {
			pz.listed = allOf(len(n.names))
		}
	}
	if pz.listed != nil {
		for _, in := range pz.listed {
			if in {
				pz.count++
			}
		}
	}
	return pz
}

// setMulti notes which systems a multi-way graph may list.
func (s *solver) setMulti(pz *puzzle, p *problem, n naming, run, legend string) {
	if i := slices.Index(n.names, run); i >= 0 && legend == "" {
		pz.listed = make([]bool, len(n.names))
		pz.listed[i] = true
		return
	}
	if pz.dots == len(n.names) || len(pz.ses) == len(n.names) {
		pz.listed = allOf(len(n.names))
		return
	}
	if lists := labelLists(run, p.labelNames); len(lists) == 1 {
		pz.labels = lists[0]
		if legend != "" {
			if g := labelLists(legend, p.groupNames); len(g) == 1 {
				pz.groups = g[0]
			} else {
				pz.labels = nil
			}
		}
	}
}

func allOf(n int) []bool {
	out := make([]bool, n)
	for i := range out {
		out[i] = true
	}
	return out
}

// starts returns the readings of where the first value begins. Behind an SE
// the digits of its N stand before it.
func (g *graph) starts() []start {
	if len(g.ses) == 0 || g.spaced {
		return []start{{}}
	}
	var out []start
	for k := 1; k <= 4 && k <= len(g.region) && isDigit(g.region[k-1]); k++ {
		if g.region[0] == '0' {
			break
		}
		n, _ := strconv.Atoi(g.region[:k])
		if n < 2 {
			continue
		}
		out = append(out, start{off: k, n: n, cost: samplesCost(n)})
	}
	return out
}

// sameProblem reports whether two problems ask the same: the systems that
// the graphs list are what a naming changes.
func sameProblem(a, b *problem) bool {
	if a.systems != b.systems || len(a.tests) != len(b.tests) {
		return false
	}
	for i := range a.tests {
		x, y := a.tests[i], b.tests[i]
		if !slices.Equal(x.listed, y.listed) || !slices.Equal(x.labels, y.labels) || !slices.Equal(x.groups, y.groups) {
			return false
		}
	}
	return slices.Equal(a.group, b.group) && slices.Equal(a.label, b.label)
}
