package stats

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestCompetitionRanks(t *testing.T) {
	values := []float64{10, 30, 20, 20, 5}
	for _, c := range []struct {
		higher bool
		want   []int
	}{
		{true, []int{4, 1, 2, 2, 5}},
		{false, []int{2, 5, 3, 3, 1}},
	} {
		if got := CompetitionRanks(values, c.higher); !slices.Equal(got, c.want) {
			t.Errorf("higher %v: %v, want %v", c.higher, got, c.want)
		}
	}
	if got := MidRanks(values); !slices.Equal(got, []float64{2, 5, 3.5, 3.5, 1}) {
		t.Errorf("mid-ranks %v", got)
	}
}

func TestFriedmanDirections(t *testing.T) {
	times := [][]float64{{10, 12, 15}, {4, 3, 5}, {7, 8, 9}, {1, 2, 4}, {30, 31, 29}}
	rates := make([][]float64, len(times))
	higher := make([]bool, len(times))
	for i, row := range times {
		for _, v := range row {
			rates[i] = append(rates[i], 100/v)
		}
		higher[i] = true
	}
	a, err := Friedman(times, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Friedman(rates, higher)
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(a) != fmt.Sprint(b) {
		t.Errorf("times %v, rates %v", a, b)
	}
	if a.Rough {
		t.Error("five tests of three systems are not rough")
	}
}

func TestFriedmanPerfectAgreement(t *testing.T) {
	row := []float64{1, 2, 3, 4}
	f, err := Friedman([][]float64{row, row, row}, nil)
	if err != nil {
		t.Fatal(err)
	}
	// Two more rows must draw the one order out of 4!.
	if !f.Perfect || f.W != 1 || !math.IsInf(f.F, 1) || !closeTo(f.PF, 1.0/(24*24), 1e-12) || !f.Rough {
		t.Errorf("got %v", f)
	}
	// With two of the four tied there are 12 different rows.
	tied := []float64{1, 2, 2, 4}
	if f, err := Friedman([][]float64{tied, tied}, nil); err != nil || !f.Perfect || !closeTo(f.PF, 1.0/12, 1e-12) {
		t.Errorf("tied rows give %v, %v", f, err)
	}
	// A row that is all ties keeps the others from being the same.
	if f, err := Friedman([][]float64{row, row, {5, 5, 5, 5}}, nil); err != nil || f.Perfect || f.W >= 1 {
		t.Errorf("with a row of ties %v, %v", f, err)
	}
}

func TestNemenyiPMeetsCD(t *testing.T) {
	for _, k := range []int{2, 3, 7, 20, 100} {
		for _, alpha := range []float64{0.1, 0.05, 0.01, 1e-6} {
			n, err := Nemenyi(k, 12, alpha)
			if err != nil {
				t.Fatal(err)
			}
			if p, err := NemenyiP(k, 12, n.CD); err != nil || !closeTo(p, alpha, 1e-9) {
				t.Errorf("k = %d: p at the critical difference is %v, %v, want %v", k, p, err, alpha)
			}
		}
	}
}

// TestStudentizedRangeOfTwo has the closed form for two systems.
func TestStudentizedRangeOfTwo(t *testing.T) {
	for q := 0.01; q < 50; q *= 1.7 {
		if got, want := studentizedRangeTail(q, 2), 2*normalTail(q/math.Sqrt2); !closeTo(got, want, 1e-11) {
			t.Errorf("q = %v: %v, want %v", q, got, want)
		}
	}
	if got := studentizedRangeTail(-1, 5); got != 1 {
		t.Errorf("below zero: %v", got)
	}
}

func TestWelchANOVANamesWhatItLeavesOut(t *testing.T) {
	a, err := WelchANOVA([]Summary{good, oneRun, {Mean: 105, SE: 1.5, N: 4}, zeroSE, noSE, {Mean: 98, SE: 1, N: 3}})
	if err != nil || !slices.Equal(a.Excluded, []int{1, 3, 4}) || a.DF1 != 2 {
		t.Errorf("got %v, %v", a, err)
	}
}

func TestRanksKeepUntestableSystemsOpen(t *testing.T) {
	systems := []Summary{{100, 0.1, 5}, {90, 0, 1}, {80, 0.1, 5}, {100, 0.1, 5}}
	pairs, err := RatioPairs(systems)
	if err != nil {
		t.Fatal(err)
	}
	if Family(pairs) != 3 {
		t.Errorf("family of %d, want 3", Family(pairs))
	}
	for _, p := range pairs {
		if untested := p.I == 1 || p.J == 1; untested != errors.Is(p.Err, ErrTooFew) || untested != math.IsNaN(p.P) || untested != math.IsNaN(p.Adjusted) {
			t.Errorf("pair %v", p)
		}
	}
	got, err := RankIntervals([]float64{100, 90, 80, 100}, true, pairs, 0.05)
	if err != nil {
		t.Fatal(err)
	}
	want := []RankInterval{
		{Rank: 1, Tied: true, Low: 1, High: 3, Tested: true},
		{Rank: 3, Low: 1, High: 4},
		{Rank: 4, Low: 3, High: 4, Tested: true},
		{Rank: 1, Tied: true, Low: 1, High: 3, Tested: true},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestOneBadMeanDoesNotChangeTheMethod has a NaN among the means: the others are
// compared as if it were not there.
func TestOneBadMeanDoesNotChangeTheMethod(t *testing.T) {
	with, err := RatioPairs([]Summary{good, {Mean: 130, SE: 5, N: 4}, nanMean})
	if err != nil {
		t.Fatal(err)
	}
	without, err := RatioTest(good, Summary{Mean: 130, SE: 5, N: 4})
	if err != nil || with[0].P != without.P || !errors.Is(with[1].Err, ErrNotFinite) || Family(with) != 1 {
		t.Errorf("%v, want %v, %v", with, without, err)
	}
}

// TestRanksOfNegativeMeans has a mean below zero: all pairs are then compared by
// their difference.
func TestRanksOfNegativeMeans(t *testing.T) {
	systems := []Summary{{-10, 0.1, 5}, {3, 0.1, 5}, {20, 0.1, 5}}
	pairs, err := RatioPairs(systems)
	if err != nil || Family(pairs) != 3 {
		t.Fatalf("%v, %v", pairs, err)
	}
	got, err := RankIntervals([]float64{-10, 3, 20}, false, pairs, 0.05)
	if err != nil || got[0].High != 1 || got[2].Low != 3 {
		t.Errorf("got %v, %v", got, err)
	}
}

// TestRoundedPairsAreCautious checks that rounding can only widen a rank.
func TestRoundedPairsAreCautious(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(2, 6).Draw(t, "k")
		rounded, exact, values := make([]Rounded, k), make([]Summary, k), make([]float64, k)
		for i := range k {
			mean := math.Round(1000+rapid.Float64Range(-50, 50).Draw(t, "mean")) / 10
			se := math.Round(rapid.Float64Range(0.5, 20).Draw(t, "se")) / 10
			rounded[i] = Rounded{Summary{mean, se, rapid.IntRange(2, 6).Draw(t, "n")}, 0.05, 0.05}
			exact[i], values[i] = rounded[i].Summary, mean
		}
		with, err := RoundedPairs(rounded)
		if err != nil {
			t.Fatal(err)
		}
		without, err := RatioPairs(exact)
		if err != nil {
			t.Fatal(err)
		}
		for i := range with {
			if without[i].Err == nil && with[i].P < without[i].P*(1-1e-9) {
				t.Fatalf("pair %v with rounding, %v without", with[i], without[i])
			}
		}
		a, err1 := RankIntervals(values, true, with, 0.05)
		b, err2 := RankIntervals(values, true, without, 0.05)
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		for i := range a {
			if a[i].Low > b[i].Low || a[i].High < b[i].High || a[i].Rank < a[i].Low || a[i].Rank > a[i].High {
				t.Fatalf("system %d: %v with rounding, %v without", i, a[i], b[i])
			}
		}
	})
}

// letterPairs makes pairs of k systems that differ exactly if differ says so.
func letterPairs(k int, differ func(i, j int) bool) []Pair {
	pairs, err := AllPairs(k, func(i, j int) (float64, error) {
		if differ(i, j) {
			return 0, nil
		}
		return 1, nil
	})
	if err != nil {
		panic(err)
	}
	return pairs
}

func places(k int) []int {
	ranks := make([]int, k)
	for i := range ranks {
		ranks[i] = i + 1
	}
	return ranks
}

func TestLetterGroups(t *testing.T) {
	far := func(d int) func(i, j int) bool {
		return func(i, j int) bool { return j-i > d }
	}
	for _, c := range []struct {
		name   string
		ranks  []int
		differ func(i, j int) bool
		want   string
	}{
		{"all differ", places(4), far(0), "a b c d"},
		{"none differ", places(4), far(4), "a a a a"},
		{"neighbours alike", places(4), far(1), "a ab bc c"},
		{"three in a row alike", places(5), far(2), "a ab abc bc c"},
		{"worst first", []int{3, 2, 1}, far(1), "b ab a"},
		// The best and the worst cannot be told apart, as with a noisy
		// system, the middle one from both.
		{"middle apart", places(3), func(i, j int) bool { return i == 1 || j == 1 }, "a b a"},
		{"reference ranks", []int{4, 2, 5, 1, 3}, func(i, j int) bool { return (i == 3 || j == 3) && i != 1 && j != 1 }, "b ab b a b"},
	} {
		got, err := LetterGroups(c.ranks, letterPairs(len(c.ranks), c.differ), 0.05)
		if err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, %v, want %s", c.name, got, err, c.want)
		}
	}
}

// splitLetters takes "aba1" apart into a, b and a1.
func splitLetters(s string) []string {
	var out []string
	for _, r := range s {
		if r >= '0' && r <= '9' {
			out[len(out)-1] += string(r)
		} else {
			out = append(out, string(r))
		}
	}
	return out
}

func TestLetterGroupsSayWhatDiffers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(1, 14).Draw(t, "k")
		matrix := rapid.SliceOfN(rapid.Bool(), k*k, k*k).Draw(t, "differ")
		ranks := rapid.Permutation(places(k)).Draw(t, "ranks")
		var pairs []Pair
		if k > 1 {
			pairs = letterPairs(k, func(i, j int) bool { return matrix[i*k+j] })
		}
		letters, err := LetterGroups(ranks, pairs, 0.05)
		if err != nil {
			t.Fatal(err)
		}
		for i := range k {
			mine := splitLetters(letters[i])
			if len(mine) == 0 {
				t.Fatalf("system %d has no letter", i)
			}
			for j := i + 1; j < k; j++ {
				shared := slices.ContainsFunc(splitLetters(letters[j]), func(l string) bool { return slices.Contains(mine, l) })
				if shared == matrix[i*k+j] {
					t.Fatalf("systems %d %s and %d %s, differ %v", i, letters[i], j, letters[j], matrix[i*k+j])
				}
			}
		}
	})
}

// TestLetterGroupsOfManySystems has more groups than the alphabet and a pattern
// with 2^20 largest groups, of which few are needed.
func TestLetterGroupsOfManySystems(t *testing.T) {
	letters, err := LetterGroups(places(60), letterPairs(60, func(int, int) bool { return true }), 0.05)
	if err != nil || letters[25] != "z" || letters[26] != "a1" || letters[59] != "h2" {
		t.Errorf("%v, %v", letters, err)
	}
	matching := letterPairs(40, func(i, j int) bool { return i/2 == j/2 })
	if letters, err = LetterGroups(places(40), matching, 0.05); err != nil {
		t.Fatal(err)
	}
	for i, l := range letters {
		if n := len(splitLetters(l)); n > 40 {
			t.Errorf("system %d has %d letters", i, n)
		}
	}
}

func TestOverallRanks(t *testing.T) {
	var rows [][]float64
	higher := make([]bool, 20)
	for i := range 20 {
		row := []float64{100, 95 + float64(i/2%2*10), 80, 90 - float64(i%5)}
		if higher[i] = i%2 == 0; !higher[i] {
			for j, v := range row {
				row[j] = 1000 / v
			}
		}
		rows = append(rows, row)
	}
	a, err := OverallRanks(rows, higher, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	f, err := Friedman(rows, higher)
	if err != nil {
		t.Fatal(err)
	}
	for j, r := range a {
		if !closeTo(r.MeanRank, f.MeanRanks[j], 1e-12) || r.Low > r.Rank || r.High < r.Rank {
			t.Errorf("system %d: %v, mean rank %v", j, r, f.MeanRanks[j])
		}
	}
	if a[2] != (OverallRank{MeanRank: 4, Rank: 4, Low: 4, High: 4}) {
		t.Errorf("always the worst: %v", a[2])
	}
	// Two that take turns are not told apart, the third is always behind.
	if a[0].Low != 1 || a[0].High != 2 || a[1].Low != 1 || a[1].High != 2 || a[3].Low != 3 || a[3].High != 3 {
		t.Errorf("got %v", a)
	}
}
