package stats_test

import (
	"errors"
	"fmt"

	"github.com/benchproof/benchproof/analyze/stats"
)

// Two published means with their standard errors: how they compare, and whether
// the digits that were not printed could change that.
func Example() {
	a := stats.Summary{Mean: 1610, SE: 12, N: 4}
	b := stats.Summary{Mean: 1523, SE: 11, N: 3}
	r, err := stats.Ratio(a, b, 0.95)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("ratio %.3f, 95 %% interval %.3f to %.3f, p = %.4f\n", r.Ratio, r.Low, r.High, r.P)

	p, err := stats.RoundedRatioTest(
		stats.Rounded{Summary: a, MeanHalf: 0.5, SEHalf: 0.5},
		stats.Rounded{Summary: b, MeanHalf: 0.5, SEHalf: 0.5})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("p from %.4f to %.4f: different? %v\n", p.Min, p.Max, p.Decide(0.05))
	// Output:
	// ratio 1.057, 95 % interval 1.029 to 1.086, p = 0.0033
	// p from 0.0026 to 0.0042: different? yes
}

// Means printed with few digits can leave the answer open.
func ExampleRoundedRatioTest() {
	a := stats.Rounded{Summary: stats.Summary{Mean: 9.31, SE: 0.01, N: 3}, MeanHalf: 0.005, SEHalf: 0.005}
	b := stats.Rounded{Summary: stats.Summary{Mean: 9.36, SE: 0.01, N: 3}, MeanHalf: 0.005, SEHalf: 0.005}
	p, err := stats.RoundedRatioTest(a, b)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("p from %.4f to %.2f: different? %v\n", p.Min, p.Max, p.Decide(0.05))
	// Output:
	// p from 0.0011 to 0.13: different? undecided
}

// One run has no standard error, and the error says so.
func ExampleRatio_untestable() {
	_, err := stats.Ratio(stats.Summary{Mean: 143.62, N: 1}, stats.Summary{Mean: 130.26, N: 1}, 0.95)
	fmt.Println(err, errors.Is(err, stats.ErrTooFew))
	// Output:
	// runs: have 1, need 2: too few values true
}

// A rank test of three runs against three cannot be significant, however far
// apart they are.
func ExampleMannWhitney() {
	t, err := stats.MannWhitney([]float64{1, 2, 3}, []float64{4, 5, 6})
	if err != nil {
		fmt.Println(err)
		return
	}
	need, err := stats.MannWhitneyRuns(3, 0.05)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("p = %.2f, smallest possible %.2f; against three runs it takes %d\n", t.P, t.MinP, need)
	// Output:
	// p = 0.10, smallest possible 0.10; against three runs it takes 5
}

// Ranks of five systems in one test, with what the noise leaves open.
func ExampleRankIntervals() {
	systems := []stats.Summary{
		{Mean: 1523, SE: 11, N: 3},
		{Mean: 1547, SE: 18, N: 5},
		{Mean: 1490, SE: 9, N: 3},
		{Mean: 1610, SE: 12, N: 4},
		{Mean: 1528, SE: 10, N: 3},
	}
	pairs, err := stats.RatioPairs(systems)
	if err != nil {
		fmt.Println(err)
		return
	}
	values, ranks := make([]float64, len(systems)), make([]int, len(systems))
	for i, s := range systems {
		values[i] = s.Mean
	}
	intervals, err := stats.RankIntervals(values, true, pairs, 0.05)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, r := range intervals {
		ranks[i] = r.Rank
	}
	letters, err := stats.LetterGroups(ranks, pairs, 0.05)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, r := range intervals {
		fmt.Printf("%c: rank %d, %d to %d, %s\n", 'A'+i, r.Rank, r.Low, r.High, letters[i])
	}
	// Output:
	// A: rank 4, 2 to 5, b
	// B: rank 2, 1 to 5, ab
	// C: rank 5, 2 to 5, b
	// D: rank 1, 1 to 2, a
	// E: rank 3, 2 to 5, b
}

// How many runs a side show 2 % at the noise seen, and how many prove that there
// are no 5 %.
func ExamplePlan() {
	differ := stats.Plan{CVA: 0.015, CVB: 0.02, Ratio: 1.02, Alpha: 0.05}
	n, err := differ.DifferenceRuns(0.8)
	if err != nil {
		fmt.Println(err)
		return
	}
	same := stats.Plan{CVA: 0.015, CVB: 0.02, Ratio: 1, Alpha: 0.05}
	m, err := same.EquivalenceRuns(0.95, 1/0.95, 0.8)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(n, m)
	// Output:
	// 14 4
}
