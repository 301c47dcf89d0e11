package flat

import (
	"slices"
	"strings"
)

// runReading is one reading of where the identifiers end.
type runReading struct {
	run, digits string
	overview    bool
	doubtful    bool // nothing but one graph tells that these are all
}

// candidateRuns returns the readings of the run of all identifiers.
func (s *solver) candidateRuns(hasOverview bool) []runReading {
	var out []runReading
	if hasOverview {
		for _, end := range splitRun(s.over.rest, s.table, s.spaced()) {
			digits := s.over.rest[end:]
			if s.spaced() {
				digits += " "
			}
			out = append(out, runReading{run: s.over.rest[:end], digits: digits, overview: true})
		}
		// Prefer those that a graph prints whole.
		full := slices.DeleteFunc(slices.Clone(out), func(r runReading) bool { return !s.printed(r.run) })
		if len(full) > 0 {
			out = full
		}
		if len(out) > 16 {
			out = out[:16]
		}
	}
	if len(out) > 0 {
		return out
	}
	// Without an overview: names that the notes list and with which the
	// systems table begins, or the longest run of a graph that does.
	best := ""
	if names := noteNames(s.table, func(names []string) bool {
		for _, run := range []string{multiRunOf(names), runOf(names, s.spaced())} {
			if run != "" && len(names) > 1 && strings.HasPrefix(s.table, run) {
				best = run
				return true
			}
		}
		return false
	}); names != nil {
		return []runReading{{run: best}}
	}
	for _, g := range s.graphs {
		for _, a := range g.axes {
			if len(a.run) > len(best) && strings.HasPrefix(s.table, a.run) {
				best = a.run
			}
		}
	}
	if best != "" {
		return []runReading{{run: best}}
	}
	// Else the longest list of a graph, of one with arguments first: in others
	// the version runs into the list.
	for _, plain := range []bool{false, true} {
		for _, g := range s.graphs {
			for _, a := range g.axes {
				if len(a.run) > len(best) && a.version == "" && (g.graphLine.arguments.text == "") == plain {
					best = a.run
				}
			}
		}
		if best != "" {
			return []runReading{{run: best, doubtful: plain}}
		}
	}
	return []runReading{{run: best, doubtful: true}}
}

// printed reports whether some graph lists exactly the run.
func (s *solver) printed(run string) bool {
	for _, g := range s.graphs {
		for _, a := range g.axes {
			if a.run == run || g.legend != "" && strings.HasPrefix(run, g.legend) {
				return true
			}
		}
	}
	return false
}

// findMulti finds out whether the result is a multi-way one: some graph's
// legend begins the run of identifiers.
func (s *solver) findMulti() {
	s.multi, s.legend = false, ""
	for _, g := range s.graphs {
		if l := g.legend; len(l) > len(s.legend) && (strings.HasPrefix(s.run, l+" ") || g.spaced && strings.HasPrefix(s.run, l)) {
			s.multi, s.legend = true, l
		}
	}
}

// chooseAxes takes for each graph the reading of its axis whose identifiers
// fit the run best.
func (s *solver) chooseAxes() {
	for _, g := range s.graphs {
		best, bestCost := -1, 0
		for i, a := range g.axes {
			pieces := 0
			switch {
			case a.run == s.run:
				pieces = 1
			case s.multi:
				pieces = multiPieces(a.run, s.run[len(s.legend):], s.legend)
			default:
				pieces = s.runPieces(a.run, s.run)
			}
			if pieces == 0 {
				continue
			}
			cost := pieces + versionCost(a.version)
			if best < 0 || cost < bestCost || cost == bestCost && len(a.run) > len(g.axes[best].run) {
				best, bestCost = i, cost
			}
		}
		g.chosen = best
		switch {
		case best < 0 || len(g.ses) > 0 || g.isLine:
		case g.spaced:
			g.readSpacedRegion(tokens(g.tail), g.axes[best].next)
		default:
			g.readRegion(g.axes[best].end)
		}
	}
}

// versionCost tells how unlike a version a text is: versions are digits and
// points, with few letters and fewer blanks and capitals.
func versionCost(version string) int {
	cost := 0
	for _, c := range version {
		switch {
		case c >= '0' && c <= '9', c == '.', c == '-':
		case c >= 'a' && c <= 'z':
			cost++
		default:
			cost += 3
		}
	}
	return cost
}

// multiPieces is a graph's fit in a multi-way result: its labels stand
// behind blanks in labels, in some order.
func multiPieces(run, labels, legend string) int {
	if group, label, ok := strings.Cut(run, ": "); ok && strings.Contains(legend, group) && strings.Contains(labels, " "+label) {
		return 1
	}
	pieces := 0
	for run != "" {
		n := len(run)
		for n > 0 && !strings.Contains(labels, " "+run[:n]) && !strings.HasPrefix(labels, run[:n]) {
			n--
		}
		if n == 0 {
			return 0
		}
		run = run[n:]
		pieces++
	}
	return pieces
}

// grouped reports whether some bar graph has a legend, so that the result is a
// multi-way one.
func (s *solver) grouped() bool {
	return slices.ContainsFunc(s.graphs, func(g *graph) bool { return g.legend != "" && !g.isLine })
}
