package analyze

import (
	"math"

	"github.com/benchproof/benchproof/analyze/stats"
	"github.com/benchproof/benchproof/result"
)

// Ranking is the order of systems, test by test and over all tests. Systems of
// a multi-way result (HDD: EXT4) are ranked within their group.
type Ranking struct {
	Set     *Set
	Tests   []TestRanking
	Overall []GroupRanking
	// Warnings say what could not be ranked, a line each.
	Warnings []string
}

// TestRanking is the order of the systems of one group in one test.
type TestRanking struct {
	Test  *Test
	Group string // "" where there are no groups
	// Ranks are the systems that have a measurement, in published order.
	Ranks []TestRank
	// Pairs is the number of pairs that could be tested, the family of
	// Holm's adjustment within this test and group.
	Pairs int
	// Reason says why there is no rank, or no interval. "" if both are.
	Reason string
}

// TestRank is the place of one system in one test.
type TestRank struct {
	System int
	Cell   *Cell
	// Place is 1 for the best; equal values share the better one. 0 if the
	// system has none.
	Place int
	// Low and High bound the true place, for all systems of the test at
	// once at 95 %; 0 where no uncertainty is known.
	Low, High int
	// Letters are shared by systems that do not differ significantly; ""
	// where no uncertainty is known.
	Letters string
	Reason  string
}

// Rank ranks the systems of a set.
func Rank(set *Set) (*Ranking, error) {
	r := &Ranking{Set: set, Warnings: append([]string(nil), set.Warnings...)}
	groups, names := set.groups()
	members, tests := make([][]int, len(names)), make([][]int, len(names))
	for i, g := range groups {
		members[g] = append(members[g], i)
	}
	unknown, budget := 0, maxPairs
	for i := range set.Tests {
		t := &set.Tests[i]
		if t.Proportion != result.HIB && t.Proportion != result.LIB {
			unknown++
		}
		parts := make(map[int][]TestRank, len(names))
		var order []int
		for j := range t.Cells {
			g := groups[t.Cells[j].System]
			if parts[g] == nil {
				order = append(order, g)
			}
			parts[g] = append(parts[g], TestRank{System: t.Cells[j].System, Cell: &t.Cells[j]})
		}
		for _, g := range order {
			tr := TestRanking{Test: t, Group: names[g], Ranks: parts[g]}
			if err := tr.rank(&budget); err != nil {
				return nil, err
			}
			tests[g] = append(tests[g], len(r.Tests))
			r.Tests = append(r.Tests, tr)
		}
	}
	known := set.facts()
	for g, name := range names {
		overall, err := r.overall(name, members[g], tests[g], known)
		if err != nil {
			return nil, err
		}
		r.Overall = append(r.Overall, overall)
	}
	r.warn(unknown)
	if budget < 0 {
		r.Warnings = append(r.Warnings, "too many pairs of systems to test all of them: some tests have ranks only")
	}
	return r, nil
}

// groups returns the group of every system and the groups' names. Without
// groups all systems are in one of no name.
func (s *Set) groups() (of []int, names []string) {
	index := map[string]int{}
	of = make([]int, len(s.Systems))
	for i := range s.Systems {
		name := s.Systems[i].Group()
		g, ok := index[name]
		if !ok {
			g = len(names)
			index[name] = g
			names = append(names, name)
		}
		of[i] = g
	}
	return of, names
}

func (r *Ranking) warn(unknown int) {
	add := func(text string) { r.Warnings = append(r.Warnings, text) }
	ranked, tested := 0, 0
	for i := range r.Tests {
		for _, k := range r.Tests[i].Ranks {
			if k.Place > 0 {
				ranked++
			}
		}
		tested += r.Tests[i].Pairs
	}
	switch {
	case len(r.Set.Systems) < 2:
		add("a ranking needs two systems; there is " + countText(len(r.Set.Systems), "system"))
	case len(r.Set.Tests) == 0:
		add("there is no test")
	case ranked == 0:
		add("nothing could be ranked: see the reasons")
	case tested == 0:
		add("no uncertainty known: each test has ranks only, and no two systems are claimed to differ in it")
	}
	if unknown > 0 && len(r.Set.Systems) > 1 {
		add(countText(unknown, "test") + " not ranked: it is not known whether more or less is better")
	}
}

// maxPairs bounds the pairs of systems that are tested in one ranking, some
// minutes of work.
const maxPairs = 100_000_000

// rank ranks the systems of one test. The pairs that it tests go off the
// budget.
func (tr *TestRanking) rank(budget *int) error {
	var at []int
	var values []float64
	var systems []stats.Rounded
	for i := range tr.Ranks {
		k := &tr.Ranks[i]
		if !k.Cell.usable() {
			k.Reason = k.Cell.Problem
			continue
		}
		at = append(at, i)
		values = append(values, k.Cell.Figures.Mean)
		systems = append(systems, k.Cell.Figures)
		k.Reason = k.Cell.NoSE
	}
	higher := tr.Test.Proportion == result.HIB
	switch {
	case !higher && tr.Test.Proportion != result.LIB:
		tr.Reason = "it is not known whether more or less is better"
		return nil
	case len(values) < 2:
		tr.Reason = "fewer than two systems with a value"
		return nil
	}
	for n, place := range stats.CompetitionRanks(values, higher) {
		tr.Ranks[at[n]].Place = place
	}
	if *budget -= len(values) * (len(values) - 1) / 2; *budget < 0 {
		tr.Reason = "too many pairs of systems to test"
		return nil
	}
	pairs, err := decidedPairs(systems)
	if err != nil {
		// More systems than all pairs can be tested of.
		tr.Reason = inWords(err)
		return nil
	}
	if tr.Pairs = stats.Family(pairs); tr.Pairs == 0 {
		tr.Reason = "no uncertainty known"
		return nil
	}
	intervals, err := stats.RankIntervals(values, higher, pairs, Alpha)
	if err != nil {
		return err
	}
	places := make([]int, len(values))
	for n, iv := range intervals {
		places[n] = iv.Rank
	}
	letters, err := stats.LetterGroups(places, pairs, Alpha)
	if err != nil {
		return err
	}
	for n, iv := range intervals {
		k := &tr.Ranks[at[n]]
		if !iv.Tested {
			continue
		}
		k.Low, k.High, k.Letters = iv.Low, iv.High, letters[n]
	}
	return nil
}

// decidedPairs is stats.RoundedPairs for the question which pairs differ at
// Alpha. Most pairs are so clear that one cheap bound tells: a p value above
// Alpha is not claimed whatever it is, and one below Alpha over the number of
// pairs is whatever the others are. Only for what lies between the rounding is
// searched. Pairs that differ are the same ones; the p values are bounds.
func decidedPairs(systems []stats.Rounded) ([]stats.Pair, error) {
	k := len(systems)
	certain := Alpha / math.Max(1, float64(k*(k-1)/2))
	positive := true
	for _, s := range systems {
		positive = positive && s.Mean-s.MeanHalf > 0
	}
	return stats.AllPairs(k, func(i, j int) (float64, error) {
		a, b := systems[i], systems[j]
		if !positive {
			p, err := stats.RoundedWelch(a, b)
			return p.Max, err
		}
		nearA, nearB := closest(a, b)
		if nearA.Mean == nearB.Mean && a.SE+a.SEHalf+b.SE+b.SEHalf > 0 && a.N > 1 && b.N > 1 {
			return 1, nil // the printed values may stand for one
		}
		p, err := stats.RatioTest(nearA, nearB)
		if err == nil && p.P > Alpha {
			return p.P, nil
		}
		if err == nil {
			if bound, err := worstCase(a, b, nearA.Mean, nearB.Mean); err == nil && bound <= certain {
				return bound, nil
			}
		}
		exact, err := stats.RoundedPairs([]stats.Rounded{a, b})
		if err == nil {
			err = exact[0].Err
		}
		if err != nil {
			return 0, err
		}
		return exact[0].P, nil
	})
}

// closest returns two printed measurements with their means as close together
// as rounding allows, equal where it allows that.
func closest(a, b stats.Rounded) (x, y stats.Summary) {
	x, _ = a.WithFloor()
	y, _ = b.WithFloor()
	switch {
	case math.Abs(x.Mean-y.Mean) <= a.MeanHalf+b.MeanHalf:
		y.Mean = x.Mean
	case x.Mean < y.Mean:
		x.Mean, y.Mean = x.Mean+a.MeanHalf, y.Mean-b.MeanHalf
	default:
		x.Mean, y.Mean = x.Mean-a.MeanHalf, y.Mean+b.MeanHalf
	}
	return x, y
}

// worstCase returns a p value that no rounding exceeds: with the nearest means,
// the largest relative standard errors, and as few degrees of freedom as the
// standard errors can make of Welch's formula, in whole ones.
func worstCase(a, b stats.Rounded, nearA, nearB float64) (float64, error) {
	lowA, highA := relativeErrors(a)
	lowB, highB := relativeErrors(b)
	df := math.Min(welchDF(lowA, highB, a.N, b.N), welchDF(highA, lowB, a.N, b.N))
	if !(df >= 1) {
		return 1, nil
	}
	ratio := nearA / nearB
	n := int(df) + 1
	t, err := stats.RatioTest(
		stats.Summary{Mean: ratio, SE: ratio * math.Hypot(highA, highB), N: n},
		stats.Summary{Mean: 1, SE: 0, N: n},
	)
	return t.P, err
}

// relativeErrors returns the smallest and largest standard error as shares of
// the mean that rounding allows.
func relativeErrors(r stats.Rounded) (low, high float64) {
	return math.Max(0, r.SE-r.SEHalf) / (r.Mean + r.MeanHalf), (r.SE + r.SEHalf) / (r.Mean - r.MeanHalf)
}

// welchDF returns Welch's degrees of freedom. In the share of one side they
// rise and then fall, so that over a range of shares they are fewest at an end.
func welchDF(sa, sb float64, na, nb int) float64 {
	va, vb := sa*sa, sb*sb
	return (va + vb) * (va + vb) / (va*va/float64(na-1) + vb*vb/float64(nb-1))
}
