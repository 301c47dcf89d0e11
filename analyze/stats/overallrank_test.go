package stats

import (
	"math/rand/v2"
	"testing"
)

// Equal systems share the first place, and any place may be theirs.
func TestOverallRanksOfEqualSystems(t *testing.T) {
	rows := make([][]float64, 12)
	for i := range rows {
		rows[i] = []float64{10, 10, 10}
	}
	overall, err := OverallRanks(rows, nil, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	for j, r := range overall {
		if r != (OverallRank{MeanRank: 2, Rank: 1, Low: 1, High: 3}) {
			t.Errorf("system %d: %+v", j, r)
		}
	}
}

// The p value of a pair is that of a paired t test: R 4.2,
// t.test(c(1,1,2,1,1,-1,1,2,1,1))$p.value, and with no spread at all that of a
// standard deviation of a half, 2*pt(-1/(0.5/sqrt(10)), 9).
func TestRankDifference(t *testing.T) {
	x, y := make([]int, 10), make([]int, 10)
	for i, d := range []int{1, 1, 2, 1, 1, -1, 1, 2, 1, 1} {
		x[i], y[i] = 10+2*d, 10
	}
	if p := rankDifferenceP(x, y); !closeTo(p, 0.00377155755870598, 1e-9) {
		t.Errorf("p %v", p)
	}
	for i := range x {
		x[i] = 12
	}
	if p := rankDifferenceP(x, y); !closeTo(p, 0.00013693655926523, 1e-9) {
		t.Errorf("without spread p %v", p)
	}
	if p := rankDifferenceP(y, y); p != 1 {
		t.Errorf("without difference p %v", p)
	}
}

// Systems whose true places are near each other, and far apart: all ranges hold
// the true places at once in 95 % of draws. (Those by resampling did in 54 % of
// the first.)
func TestOverallRanksCover(t *testing.T) {
	const systems, draws = 5, 1500
	for _, gap := range []float64{0.02, 0.3, 1} {
		for _, tests := range []int{10, 30} {
			r := rand.New(rand.NewPCG(17, uint64(tests)))
			held, width := 0, 0
			for range draws {
				rows := make([][]float64, tests)
				for i := range rows {
					rows[i] = make([]float64, systems)
					for j := range rows[i] {
						rows[i][j] = gap*float64(j) + r.NormFloat64()
					}
				}
				overall, err := OverallRanks(rows, nil, 0.95)
				if err != nil {
					t.Fatal(err)
				}
				all := true
				for j, o := range overall {
					all = all && o.Low <= j+1 && j+1 <= o.High && o.Low <= o.Rank && o.Rank <= o.High
					width += o.High - o.Low
				}
				if all {
					held++
				}
			}
			if float64(draws-held)/draws > most(0.05, draws) {
				t.Errorf("gap %v, %d tests: all hold in %d of %d", gap, tests, held, draws)
			}
			if gap == 1 && width > draws*systems*2 {
				t.Errorf("%d tests: far apart, and ranges are %v wide", tests, float64(width)/draws/systems)
			}
		}
	}
}
