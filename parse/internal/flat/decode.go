package flat

import (
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/benchproof/benchproof/result"
)

// decoded is a page whose names and values have been found, as far as they
// can be.
type decoded struct {
	names      []string
	nameDecode []result.Decode // how sure each name is
	run        string          // the identifiers as they run together
	tests      []decodedTest
	digitsOff  int // of the overview's values, in its line
}

// decodedTest is one graph with its readings.
type decodedTest struct {
	graph   *graph
	profile string
	cells   []cell // by system
	samples int    // N of the last SE, 0 if unknown
	nDecode result.Decode
	lines   []legendLine // of a line graph whose points are not printed
	solved  bool
}

// cell is what was decided for one system and test.
type cell struct {
	choice
	decode       result.Decode
	alternatives []string
}

// Bounds of what the solver takes on: the systems of a page, the length of
// their identifiers run together, the digits of the overview.
const (
	maxSystems = 200
	maxRun     = 2500
	maxDigits  = 60_000
)

// solver carries the parts of one page through its decoding.
type solver struct {
	graphs []*graph // bar graphs with an axis
	over   overview
	hasRow map[int]int // graph to row
	table  string      // the systems table behind its keys
	run    string      // identifiers run together
	digits string      // the overview's values
	multi  bool
	legend string
	budget *budget
	// nameSlack is how much more names that were not tried cost at least.
	nameSlack float64
}

// decode finds names and values of a page's bar graphs.
func decode(graphs []*graph, over overview, hasOverview bool, table string, b *budget) decoded {
	s := &solver{graphs: graphs, over: over, table: table, budget: b}
	runs := s.candidateRuns(hasOverview)
	best := outcome{cost: math.Inf(1)}
	var others []outcome
	for _, r := range runs {
		if len(r.digits) > maxDigits {
			continue
		}
		s.run, s.digits = r.run, r.digits
		o := s.decodeRun(r)
		if o.better(best) {
			best, o = o, best
		}
		others = append(others, o)
	}
	// Another reading of where the names end that solves as much takes
	// certainty from this one.
	for _, o := range others {
		if o.unsolved > best.unsolved || math.IsInf(o.cost, 1) {
			continue
		}
		least := result.DecodeInferred
		if o.cost-best.cost < nameLead {
			least = result.DecodeAmbiguous
		}
		for i := range best.nameDecode {
			best.nameDecode[i] = max(best.nameDecode[i], least)
		}
	}
	return best.decoded
}

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
	for _, g := range s.graphs {
		for _, a := range g.axes {
			if len(a.run) > len(best) && a.version == "" {
				best = a.run
			}
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

// outcome is a decoding with its cost.
type outcome struct {
	decoded
	unsolved int
	cost     float64
}

func (o outcome) better(b outcome) bool {
	if math.IsInf(b.cost, 1) {
		return true
	}
	if o.unsolved != b.unsolved {
		return o.unsolved < b.unsolved
	}
	return o.cost < b.cost
}

// trial is one naming with what solving under it gave.
type trial struct {
	naming
	whole    solution
	solved   bool
	problem  *problem
	inTable  []int // graphs of the problem's tests
	totalLow float64
}

// decodeRun decodes the page under one reading of the identifiers' run.
func (s *solver) decodeRun(r runReading) outcome {
	s.findMulti()
	s.chooseAxes()
	namings := s.namings()
	var trials []trial
	tried := 0
	for _, n := range namings {
		if len(n.names) == 0 || len(n.names) > maxSystems {
			continue
		}
		if len(trials) > 0 && (n.cost > trials[0].cost+3*nameLead || tried >= 40) {
			s.nameSlack = min(s.nameSlack, n.cost-trials[0].cost)
			break
		}
		tried++
		t := trial{naming: n}
		t.problem, t.inTable = s.problem(n)
		if t.problem == nil {
			continue
		}
		if same := slices.IndexFunc(trials, func(o trial) bool { return sameProblem(o.problem, t.problem) }); same >= 0 {
			t.whole, t.solved = trials[same].whole, trials[same].solved
		} else if r.overview && len(t.inTable) > 1 {
			t.whole, t.solved = solve(t.problem)
			if !t.solved {
				continue
			}
		}
		t.totalLow = n.cost + t.whole.cost
		trials = append(trials, t)
		sort.SliceStable(trials, func(a, b int) bool { return trials[a].totalLow < trials[b].totalLow })
	}
	if len(trials) == 0 {
		// The graphs and the overview contradict each other, or there is
		// too much of them: what a graph says alone is not sure then.
		o := s.withoutOverview(namings)
		if r.overview {
			o.doubt()
		}
		return o
	}
	if r.doubtful {
		s.nameSlack = 0
	}
	return s.assemble(trials)
}

// withoutOverview decodes each test by itself, where the overview does not
// fit the graphs or there is none.
func (s *solver) withoutOverview(namings []naming) outcome {
	for _, n := range namings {
		if len(n.names) == 0 || len(n.names) > maxSystems {
			continue
		}
		return s.assemble([]trial{{naming: n, totalLow: n.cost}})
	}
	return outcome{unsolved: len(s.graphs), cost: 1e9}
}

// doubt makes every value of an outcome inferred at best, and every name
// ambiguous.
func (o *outcome) doubt() {
	for i := range o.nameDecode {
		o.nameDecode[i] = result.DecodeAmbiguous
	}
	for i := range o.tests {
		for k := range o.tests[i].cells {
			c := &o.tests[i].cells[k]
			c.decode = max(c.decode, result.DecodeInferred)
		}
	}
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

// spaced reports whether the page is of the spaced form.
func (s *solver) spaced() bool { return len(s.graphs) > 0 && s.graphs[0].spaced }

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
