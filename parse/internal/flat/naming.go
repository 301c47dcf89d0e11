package flat

import (
	"math"
	"slices"
	"sort"
	"strings"
)

// namings returns the divisions of the run, cheapest first.
func (s *solver) namings() []naming {
	s.nameSlack = math.Inf(1)
	if s.run == "" || len(s.run) > maxRun {
		return nil
	}
	var runs, legends []string
	for _, g := range s.graphs {
		if g.chosen >= 0 {
			runs = append(runs, g.axes[g.chosen].run)
			legends = append(legends, g.legend)
		}
	}
	if s.multi {
		return s.multiNamings(s.run, s.legend, legends, distinct(runs), s.table)
	}
	if names := firstPieces(s.pieces, s.run); names != nil {
		return s.withMasks(names, runs)
	}
	if names := noteNames(s.table, func(names []string) bool { return runOf(names, s.spaced()) == s.run }); names != nil {
		if s.spaced() {
			for i := range names {
				names[i] += " "
			}
		}
		return s.withMasks(names, runs)
	}
	count, classes := s.classes(runs)
	cells := s.table
	if len(s.run) <= len(cells) {
		cells = cells[len(s.run):]
	}
	if count == 1 && s.countAgreed(count) {
		return []naming{{names: []string{s.run}, masks: map[string][]bool{s.run: {true}}, hard: true}}
	}
	out, slack := segmentations(s.run, count, classes, cells, 600, s.budget)
	if len(out) == 0 {
		for i := range classes {
			classes[i].dots = 0
		}
		out, slack = segmentations(s.run, count, classes, cells, 600, s.budget)
	}
	if len(out) == 0 && len(classes) > 0 {
		// The graphs' lists do not fit: names by plausibility, and unsure.
		out, _ = segmentations(s.run, count, nil, cells, 1, s.budget)
		slack = 0
	}
	s.nameSlack = slack
	if len(out) > 0 && s.countAgreed(count) && onlyNaming(s.run, count, classes) {
		out[0].hard = true
	}
	return out
}

// onPieces reports whether a reading of the run ends where one of the first pieces
// of the systems table does.
func (s *solver) onPieces(r runReading) bool { return firstPieces(s.pieces, r.run) != nil }

// firstPieces returns the pieces that make up run, of which there are at least two
// and which come first; nil if they do not.
func firstPieces(pieces []string, run string) []string {
	for i, p := range pieces {
		rest, ok := strings.CutPrefix(run, p)
		switch {
		case !ok:
			return nil
		case rest == "" && i > 0:
			return slices.Clone(pieces[:i+1])
		}
		run = rest
	}
	return nil
}

// withMasks returns the namings of known names: one for each way in which
// the graphs' runs may be made of them.
func (s *solver) withMasks(names, runs []string) []naming {
	n := naming{names: names, masks: map[string][]bool{}, hard: true}
	for _, run := range distinct(runs) {
		masks := runMasks(run, names)
		if len(masks) == 1 {
			n.masks[run] = masks[0]
		}
	}
	return []naming{n}
}

// runMasks returns the ways, at most two, in which run is made of names in
// order.
func runMasks(run string, names []string) [][]bool {
	var out [][]bool
	mask := make([]bool, len(names))
	steps := 0
	var walk func(rest string, i int)
	walk = func(rest string, i int) {
		if steps++; steps > 20_000 || len(out) == 2 {
			return
		}
		if rest == "" {
			out = append(out, slices.Clone(mask))
			return
		}
		if i == len(names) {
			return
		}
		if strings.HasPrefix(rest, names[i]) && names[i] != "" {
			mask[i] = true
			walk(rest[len(names[i]):], i+1)
			mask[i] = false
		}
		walk(rest, i+1)
	}
	walk(run, 0)
	return out
}

// classes returns the number of systems, as far as a graph with all of them
// tells it, and the classes of graphs that list fewer.
func (s *solver) classes(runs []string) (count int, out []class) {
	dots := map[string]int{}
	for _, g := range s.graphs {
		if g.chosen < 0 {
			continue
		}
		run := g.axes[g.chosen].run
		dots[run] = max(dots[run], g.dots, len(g.ses))
		if g.dots > 0 {
			dots[run] = max(dots[run], g.dots)
		}
	}
	pointed := map[string]bool{}
	for _, g := range s.graphs {
		if g.chosen >= 0 && g.dots > 0 {
			pointed[g.axes[g.chosen].run] = true
		}
	}
	for _, run := range distinct(runs) {
		n := 0
		if pointed[run] {
			n = dots[run]
		}
		if run == s.run {
			count = n
			continue
		}
		out = append(out, class{run: run, dots: n})
	}
	// A class costs time for each identifier; the longest runs tell most.
	sort.SliceStable(out, func(a, b int) bool { return len(out[a].run) > len(out[b].run) })
	if len(out) > 40 {
		out = out[:40]
	}
	return count, out
}

// countAgreed reports whether at least two graphs with all systems print
// that many values: one alone may lack a value of exactly 0.
func (s *solver) countAgreed(count int) bool {
	n := 0
	for _, g := range s.graphs {
		if g.chosen >= 0 && g.dots == count && g.axes[g.chosen].run == s.run {
			n++
		}
	}
	return n >= 2
}
