package flat

import (
	"math"
	"slices"
	"sort"
	"strconv"

	"github.com/benchproof/benchproof/result"
)

// decoded is a page whose names and values have been found, as far as they
// can be.
type decoded struct {
	names      []string
	nameDecode []result.Decode // how sure each name is
	run        string          // the identifiers as they run together
	unknown    bool            // names are numbers: the text does not tell them
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
	table  string // the systems table behind its keys
	// pieces are its first texts, where they were lines of their own.
	pieces []string
	run    string // identifiers run together
	digits string // the overview's values
	multi  bool
	legend string
	budget *budget
	// nameSlack is how much more names that were not tried cost at least.
	nameSlack float64
}

// decode finds names and values of a page's bar graphs.
func decode(graphs []*graph, over overview, hasOverview bool, table string, pieces []string, b *budget) decoded {
	s := &solver{graphs: graphs, over: over, table: table, pieces: pieces, budget: b}
	runs := s.candidateRuns(hasOverview)
	if slices.ContainsFunc(runs, s.onPieces) {
		runs = slices.DeleteFunc(runs, func(r runReading) bool { return !s.onPieces(r) })
	}
	for _, g := range graphs {
		if g.isLine {
			if names := legendPrefix(g.lines, table, g.top()); names != "" {
				g.legend = names
			}
		}
	}
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
			o.doubt(!s.onPieces(r))
		}
		return o
	}
	if r.doubtful || !s.multi && s.grouped() {
		s.nameSlack = 0
		if o, ok := s.unnamed(); ok && !r.overview {
			return o
		}
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

// unnamed decodes the graphs of a text without systems table and overview, in
// which nothing tells whose the values are: the systems are numbered in the
// order of their values.
func (s *solver) unnamed() (outcome, bool) {
	count := 0
	for _, g := range s.graphs {
		count = max(count, g.dots, len(g.ses))
	}
	if count == 0 || count > maxSystems {
		return outcome{}, false
	}
	n := naming{names: make([]string, count), masks: map[string][]bool{}}
	for i := range n.names {
		n.names[i] = "system " + strconv.Itoa(i+1)
	}
	for _, g := range s.graphs {
		if g.chosen < 0 {
			continue
		}
		listed := make([]bool, count)
		for i := range max(g.dots, len(g.ses)) {
			listed[i] = true
		}
		n.masks[g.axes[g.chosen].run] = listed
	}
	run := s.run
	s.run = "" // no graph's list is that of all systems
	o := s.assemble([]trial{{naming: n}})
	s.run = run
	o.unknown = true
	return o, true
}

// doubt makes every value of an outcome inferred at best, and every name
// ambiguous unless names are known otherwise.
func (o *outcome) doubt(names bool) {
	for i := range o.nameDecode {
		if names {
			o.nameDecode[i] = result.DecodeAmbiguous
		}
	}
	for i := range o.tests {
		for k := range o.tests[i].cells {
			c := &o.tests[i].cells[k]
			c.decode = max(c.decode, result.DecodeInferred)
		}
	}
}

// spaced reports whether the page is of the spaced form.
func (s *solver) spaced() bool { return len(s.graphs) > 0 && s.graphs[0].spaced }
