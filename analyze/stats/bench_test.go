package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

var sink float64

// BenchmarkAllPairs is one large result file: 2 000 tests of 30 systems, every
// pair tested, adjusted by Holm and turned into rank intervals.
func BenchmarkAllPairs(b *testing.B) {
	const tests, systems = 2000, 30
	r := rand.New(rand.NewPCG(1, 1))
	file := make([][]Summary, tests)
	for i := range file {
		file[i] = make([]Summary, systems)
		for j := range file[i] {
			mean := 1000 * math.Exp(0.1*r.NormFloat64())
			file[i][j] = Summary{Mean: mean, SE: mean * 0.01 * r.Float64(), N: 3 + r.IntN(6)}
		}
	}
	values := make([]float64, systems)
	for b.Loop() {
		for _, row := range file {
			pairs, err := RatioPairs(row)
			if err != nil {
				b.Fatal(err)
			}
			for j, s := range row {
				values[j] = s.Mean
			}
			intervals, err := RankIntervals(values, true, pairs, 0.05)
			if err != nil {
				b.Fatal(err)
			}
			sink += float64(intervals[0].Low)
		}
	}
}

// BenchmarkRoundedPairs is one test of 30 systems with printed numbers.
func BenchmarkRoundedPairs(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	systems := make([]Rounded, 30)
	for i := range systems {
		mean := math.Round(1e5*math.Exp(0.1*r.NormFloat64())) / 100
		se := math.Round(mean*r.Float64()) / 100
		systems[i] = Rounded{Summary{mean, se, 3 + r.IntN(6)}, 0.005, 0.005}
	}
	for b.Loop() {
		pairs, err := RoundedPairs(systems)
		if err != nil {
			b.Fatal(err)
		}
		sink += pairs[0].P
	}
}

func benchmarkMannWhitney(b *testing.B, n, values int) {
	r := rand.New(rand.NewPCG(1, 1))
	x, y := make([]float64, n), make([]float64, n)
	for i := range n {
		x[i], y[i] = float64(r.IntN(values)), float64(r.IntN(values))
	}
	for b.Loop() {
		t, err := MannWhitney(x, y)
		if err != nil || !t.Exact {
			b.Fatal(t, err)
		}
		sink += t.P
	}
}

func BenchmarkMannWhitney5v5(b *testing.B)       { benchmarkMannWhitney(b, 5, 1_000_000) }
func BenchmarkMannWhitney20v20(b *testing.B)     { benchmarkMannWhitney(b, 20, 1_000_000) }
func BenchmarkMannWhitneyTies20v20(b *testing.B) { benchmarkMannWhitney(b, 20, 12) }
func BenchmarkMannWhitney50v50(b *testing.B)     { benchmarkMannWhitney(b, 50, 1_000_000) }

func BenchmarkRatio(b *testing.B) {
	for b.Loop() {
		r, err := Ratio(Summary{1523, 11, 3}, Summary{1547, 18, 5}, 0.95)
		if err != nil {
			b.Fatal(err)
		}
		sink += r.Low
	}
}

func BenchmarkRatioTest(b *testing.B) {
	for b.Loop() {
		r, err := RatioTest(Summary{1523, 11, 3}, Summary{1547, 18, 5})
		if err != nil {
			b.Fatal(err)
		}
		sink += r.P
	}
}

func BenchmarkRoundedRatio(b *testing.B) {
	x, y := Rounded{Summary{9.31, 0.01, 3}, 0.005, 0.005}, Rounded{Summary{9.36, 0.01, 3}, 0.005, 0.005}
	for b.Loop() {
		r, err := RoundedRatio(x, y, 0.95)
		if err != nil {
			b.Fatal(err)
		}
		sink += r.P.Max
	}
}

func BenchmarkRoundedRatioTest(b *testing.B) {
	x, y := Rounded{Summary{9.31, 0.01, 3}, 0.005, 0.005}, Rounded{Summary{9.36, 0.01, 3}, 0.005, 0.005}
	for b.Loop() {
		r, err := RoundedRatioTest(x, y)
		if err != nil {
			b.Fatal(err)
		}
		sink += r.Max
	}
}

func BenchmarkDifferenceRuns(b *testing.B) {
	p := Plan{CVA: 0.02, CVB: 0.03, Ratio: 1.02, Alpha: 0.05}
	for b.Loop() {
		n, err := p.DifferenceRuns(0.8)
		if err != nil {
			b.Fatal(err)
		}
		sink += float64(n)
	}
}

func BenchmarkNemenyiP(b *testing.B) {
	for b.Loop() {
		p, err := NemenyiP(30, 40, 5)
		if err != nil {
			b.Fatal(err)
		}
		sink += p
	}
}

func BenchmarkBootstrap(b *testing.B) {
	xs := runsN(30)
	mean := func(s [][]float64) float64 {
		var sum float64
		for _, x := range s[0] {
			sum += x
		}
		return sum / float64(len(s[0]))
	}
	for b.Loop() {
		e, err := Bootstrap([][]float64{xs}, mean, 0.95, Resampling{})
		if err != nil {
			b.Fatal(err)
		}
		sink += e.Low
	}
}
