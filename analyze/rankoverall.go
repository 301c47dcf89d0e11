package analyze

import (
	"math"
	"slices"

	"github.com/benchproof/benchproof/analyze/stats"
	"github.com/benchproof/benchproof/result"
)

// GroupRanking is the order of the systems of one group over all tests that
// all of them have.
type GroupRanking struct {
	Group string
	// Systems are those ranked, best first.
	Systems []OverallRank
	// Tests is the number of complete tests, Profiles that of the profiles
	// they belong to; the ranking counts a profile once.
	Tests, Profiles int
	// LeftOut are tests that not all of the systems have, at most
	// maxLeftOut; LeftOutCount counts all.
	LeftOut      []LeftOut
	LeftOutCount int
	// NoValues names systems that have no value at all and are not ranked.
	NoValues []string

	// W is Kendall's concordance of the profiles: 1 if all rank alike.
	W Quantity
	// P is that of Friedman's test in the form of Iman and Davenport, over
	// profiles. It is about the choice of tests, not the noise of runs.
	P Quantity
	// CriticalDifference is Nemenyi's: mean ranks further apart differ.
	CriticalDifference Quantity
	// Reason says why there is no order, or what to know about it.
	Reason string
	// Ranges reports whether places have ranges, of profiles or of tests.
	Ranges bool
}

// OverallRank is the place of a system over many tests.
type OverallRank struct {
	System   int
	MeanRank float64 // over profiles
	Place    int
	// Low and High bound the place, those of all systems at once at 95 %,
	// with the profiles as a sample of possible ones; 0 with fewer than ten
	// of them.
	Low, High int
	// TestsMeanRank and the rest are the same over all tests, each option
	// row for itself. The range takes rows for independent, which those of
	// one profile are not: it is the narrower, and the less to be trusted.
	TestsMeanRank       float64
	TestsPlace          int
	TestsLow, TestsHigh int
	// Letters are shared by systems whose mean ranks lie within the
	// critical difference; "" where no uncertainty of any value is known.
	Letters string
}

// facts are what of the systems is known anywhere in the set.
type facts struct{ value, uncertainty []bool }

func (s *Set) facts() facts {
	f := facts{make([]bool, len(s.Systems)), make([]bool, len(s.Systems))}
	for i := range s.Tests {
		for j := range s.Tests[i].Cells {
			c := &s.Tests[i].Cells[j]
			f.value[c.System] = f.value[c.System] || c.usable()
			f.uncertainty[c.System] = f.uncertainty[c.System] || c.Tested()
		}
	}
	return f
}

// overall ranks the members of a group over the tests that it has part in,
// indices into r.Tests.
func (r *Ranking) overall(name string, members, tests []int, f facts) (GroupRanking, error) {
	o := GroupRanking{Group: name}
	var systems []int
	uncertainty := false
	for _, s := range members {
		if !f.value[s] {
			o.NoValues = append(o.NoValues, r.Set.Systems[s].Name)
			continue
		}
		systems = append(systems, s)
		uncertainty = uncertainty || f.uncertainty[s]
	}
	if len(systems) < 2 {
		o.Reason = "fewer than two systems with values"
		return o, nil
	}
	var rows [][]float64
	var higher []bool
	var of []profile
	for _, i := range tests {
		t := r.Tests[i].Test
		row, reason := completeRow(t, systems, r.Set)
		if reason != "" {
			o.LeftOutCount++
			if len(o.LeftOut) < maxLeftOut {
				o.LeftOut = append(o.LeftOut, LeftOut{t.Name() + scaleText(t), reason})
			}
			continue
		}
		rows = append(rows, row)
		higher = append(higher, t.Proportion == result.HIB)
		of = append(of, t.profile())
	}
	o.Tests = len(rows)
	if len(rows) == 0 {
		o.Reason = "no test has a value of every system"
		return o, nil
	}
	collapsed := collapse(rows, higher, of)
	o.Profiles = len(collapsed)
	o.order(systems, rows, higher, collapsed)
	o.friedman(collapsed, uncertainty)
	o.intervals(rows, higher, collapsed)
	return o, nil
}

// completeRow returns the values of systems in t, or why there is no complete
// row of positive ones.
func completeRow(t *Test, systems []int, set *Set) (row []float64, reason string) {
	if t.Proportion != result.HIB && t.Proportion != result.LIB {
		return nil, "it is not known whether more or less is better"
	}
	row = make([]float64, len(systems))
	for i, s := range systems {
		c := t.Cell(s)
		switch {
		case c == nil:
			return nil, set.Systems[s].Name + ": no value"
		case c.Problem != "":
			return nil, set.Systems[s].Name + ": " + c.Problem
		case c.Figures.Mean <= 0:
			return nil, set.Systems[s].Name + ": the value is zero or negative"
		}
		row[i] = c.Figures.Mean
	}
	return row, ""
}

// collapse returns one row a profile: for each system the median of its
// logarithms relative to the mean of the row, higher the better.
func collapse(rows [][]float64, higher []bool, of []profile) [][]float64 {
	index := map[profile]int{}
	var members [][]int
	for i, p := range of {
		at, ok := index[p]
		if !ok {
			at = len(members)
			index[p] = at
			members = append(members, nil)
		}
		members[at] = append(members[at], i)
	}
	logs := make([][]float64, len(rows))
	for i, row := range rows {
		logs[i] = make([]float64, len(row))
		mean := 0.0
		for j, v := range row {
			logs[i][j] = stats.Ln(v)
			mean += logs[i][j] / float64(len(row))
		}
		for j := range row {
			logs[i][j] -= mean
			if !higher[i] {
				logs[i][j] = -logs[i][j]
			}
		}
	}
	collapsed := make([][]float64, len(members))
	for p, list := range members {
		collapsed[p] = make([]float64, len(rows[0]))
		column := make([]float64, len(list))
		for j := range collapsed[p] {
			for n, i := range list {
				column[n] = logs[i][j]
			}
			// Equal values must stay equal, which the noise of
			// logarithms could undo.
			median, _ := stats.Median(column)
			collapsed[p][j] = math.Round(median*1e12) / 1e12
		}
	}
	return collapsed
}

// order sets places by mean ranks, over profiles and over tests.
func (o *GroupRanking) order(systems []int, rows [][]float64, higher []bool, collapsed [][]float64) {
	byProfile, byTest := meanRanks(collapsed, allBetter(collapsed)), meanRanks(rows, higher)
	places, testPlaces := stats.CompetitionRanks(byProfile, false), stats.CompetitionRanks(byTest, false)
	for i, s := range systems {
		o.Systems = append(o.Systems, OverallRank{
			System: s, MeanRank: byProfile[i], Place: places[i], TestsMeanRank: byTest[i], TestsPlace: testPlaces[i],
		})
	}
}

// meanRanks returns the mean rank of every column, 1 the best.
func meanRanks(rows [][]float64, higher []bool) []float64 {
	sums := make([]float64, len(rows[0]))
	line := make([]float64, len(sums))
	for i, row := range rows {
		for j, v := range row {
			line[j] = v
			if higher[i] {
				line[j] = -v
			}
		}
		for j, rank := range stats.MidRanks(line) {
			sums[j] += rank
		}
	}
	for j := range sums {
		sums[j] /= float64(len(rows))
	}
	return sums
}

// friedman tests whether the mean ranks differ by more than the choice of
// profiles explains.
func (o *GroupRanking) friedman(collapsed [][]float64, uncertainty bool) {
	f, err := stats.Friedman(collapsed, allBetter(collapsed))
	if err != nil {
		o.Reason = "too few profiles for a test over them"
		if len(collapsed) > 1 {
			o.Reason = "the systems are equal in every profile"
		}
		return
	}
	o.W = known(f.W)
	if f.Rough {
		o.Reason = "fewer than five profiles or three systems: no test over them"
		return
	}
	o.P = known(f.PF)
	cd, err := stats.Nemenyi(f.Systems, f.Tests, Alpha)
	if err != nil {
		return
	}
	o.CriticalDifference = known(cd.CD)
	if !uncertainty {
		o.Reason = "no uncertainty of the values known: what is said over all tests rests on the choice of tests alone"
		return
	}
	o.letters(cd.CD)
}

// letters marks systems whose mean ranks lie within the critical difference.
func (o *GroupRanking) letters(cd float64) {
	pairs, err := stats.AllPairs(len(o.Systems), func(i, j int) (float64, error) {
		if math.Abs(o.Systems[i].MeanRank-o.Systems[j].MeanRank) > cd {
			return 0, nil
		}
		return 1, nil
	})
	if err != nil {
		return
	}
	places := make([]int, len(o.Systems))
	for i := range places {
		places[i] = o.Systems[i].Place
	}
	letters, err := stats.LetterGroups(places, pairs, Alpha)
	if err != nil {
		return
	}
	for i := range letters {
		o.Systems[i].Letters = letters[i]
	}
}

// intervals sets the ranges of places, where there are ten rows for it, and puts
// the best system first.
func (o *GroupRanking) intervals(rows [][]float64, higher []bool, collapsed [][]float64) {
	if overall, err := stats.OverallRanks(collapsed, allBetter(collapsed), Level); err == nil {
		o.Ranges = true
		for i := range overall {
			o.Systems[i].Low, o.Systems[i].High = overall[i].Low, overall[i].High
		}
	}
	if overall, err := stats.OverallRanks(rows, higher, Level); err == nil {
		o.Ranges = true
		for i := range overall {
			o.Systems[i].TestsLow, o.Systems[i].TestsHigh = overall[i].Low, overall[i].High
		}
	}
	slices.SortStableFunc(o.Systems, func(a, b OverallRank) int { return a.Place - b.Place })
}

// allBetter says of collapsed rows that higher is better.
func allBetter(rows [][]float64) []bool {
	better := make([]bool, len(rows))
	for i := range better {
		better[i] = true
	}
	return better
}
