package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The tests here simulate: they draw runs whose truth is known and count how
// often an interval holds it, or a claim is false. Seeds are fixed, so that they
// give one answer for good; the bounds leave three standard errors of the
// simulation.

func skipShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("simulation")
	}
}

// sample returns the summary of n normal runs.
func sample(r *rand.Rand, n int, mean, sd float64) Summary {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = mean + sd*r.NormFloat64()
	}
	s, err := Summarize(xs)
	if err != nil {
		panic(err)
	}
	return s
}

// most returns the largest rate that a true rate can show in n draws.
func most(rate float64, n int) float64 { return rate + 3*math.Sqrt(rate*(1-rate)/float64(n)) }

func TestRatioIntervalCoverage(t *testing.T) {
	skipShort(t)
	const draws = 10_000
	r := rand.New(rand.NewPCG(11, 1))
	for _, n := range []int{3, 5, 10} {
		for _, cv := range []float64{0.01, 0.05, 0.15} {
			var byLog, byFieller, byRounded int
			for range draws {
				a, b := sample(r, n, 110, 110*cv), sample(r, n, 100, 100*cv)
				est, err := Ratio(a, b, 0.95)
				if err != nil {
					t.Fatal(err)
				}
				f, err := Fieller(a, b, 0.95)
				if err != nil {
					t.Fatal(err)
				}
				if est.Contains(1.1) {
					byLog++
				}
				if f.Shape == FiellerEverything || f.Contains(1.1) == (f.Shape == FiellerBounded) {
					byFieller++
				}
				// Printed with two decimals, as PTS does: the outermost
				// ends must not cover less.
				if byRounded += 1; !roundedHolds(t, a, b, est) {
					byRounded--
				}
			}
			for name, count := range map[string]int{"log": byLog, "Fieller": byFieller} {
				if share := float64(count) / draws; share < 0.94 || share > 0.97 {
					t.Errorf("n = %d, CV %v: the %s interval covers %v", n, cv, name, share)
				}
			}
			if byRounded != draws {
				t.Errorf("n = %d, CV %v: %d of %d ranges miss the unrounded interval", n, cv, draws-byRounded, draws)
			}
		}
	}
}

// roundedHolds reports whether the ranges over printed numbers hold the p value
// and the interval of the numbers before they were printed. Few are tried: the
// search takes its time.
func roundedHolds(t *testing.T, a, b Summary, est RatioEstimate) bool {
	t.Helper()
	if int(a.Mean*1e9)%100 != 0 {
		return true
	}
	print2 := func(s Summary) Rounded {
		cut := func(x float64) float64 { return math.Round(x*100) / 100 }
		return Rounded{Summary{cut(s.Mean), cut(s.SE), s.N}, 0.005, 0.005}
	}
	r, err := RoundedRatio(print2(a), print2(b), 0.95)
	if err != nil {
		t.Fatal(err)
	}
	return r.P.Contains(est.P) && r.Low.Contains(est.Low) && r.High.Contains(est.High) && r.Ratio.Contains(est.Ratio)
}

func TestWelchKeepsItsErrorRate(t *testing.T) {
	skipShort(t)
	const draws = 20_000
	r := rand.New(rand.NewPCG(11, 2))
	// Unequal spread with unequal numbers is what Welch is for.
	for _, c := range []struct{ na, nb int }{{3, 3}, {3, 15}, {15, 3}, {5, 8}} {
		rejected := 0
		for range draws {
			d, err := Welch(sample(r, c.na, 50, 5), sample(r, c.nb, 50, 1), 0.95)
			if err != nil {
				t.Fatal(err)
			}
			if d.P <= 0.05 {
				rejected++
			}
		}
		if share := float64(rejected) / draws; share > 0.062 || share < 0.03 {
			t.Errorf("%d against %d: rejects %v", c.na, c.nb, share)
		}
	}
}

func TestEquivalenceKeepsItsErrorRate(t *testing.T) {
	skipShort(t)
	const draws = 20_000
	low, high, err := Margin(0.05)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(11, 3))
	for _, n := range []int{3, 5, 10} {
		for _, cv := range []float64{0.01, 0.03} {
			// The true ratio is just outside: every claim is false.
			claimed := 0
			for range draws {
				e, err := Equivalence(sample(r, n, 95, 95*cv), sample(r, n, 100, 100*cv), low, high, 0.05)
				if err != nil {
					t.Fatal(err)
				}
				if e.Equivalent {
					claimed++
				}
			}
			if share := float64(claimed) / draws; share > most(0.05, draws) {
				t.Errorf("n = %d, CV %v: claims equivalence in %v", n, cv, share)
			}
		}
	}
}

func TestHolmKeepsItsErrorRate(t *testing.T) {
	skipShort(t)
	const draws, k = 6000, 5
	r := rand.New(rand.NewPCG(11, 4))
	for _, n := range []int{3, 5, 10} {
		wrong := 0
		for range draws {
			systems := make([]Summary, k)
			for i := range systems {
				systems[i] = sample(r, n, 100, 3)
			}
			pairs, err := RatioPairs(systems)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range pairs {
				if p.Significant(0.05) {
					wrong++
					break
				}
			}
		}
		if share := float64(wrong) / draws; share > most(0.05, draws) {
			t.Errorf("n = %d: a false difference among equal systems in %v", n, share)
		}
	}
}

func TestBenjaminiHochbergKeepsItsRate(t *testing.T) {
	skipShort(t)
	const draws, m = 4000, 20
	r := rand.New(rand.NewPCG(11, 5))
	var falseShare float64
	for range draws {
		p := make([]float64, m)
		for i := range p {
			z := r.NormFloat64()
			if i < m/2 { // the first half is really different
				z += 3
			}
			p[i] = 2 * normalTail(math.Abs(z))
		}
		adjusted, err := BenjaminiHochberg(p)
		if err != nil {
			t.Fatal(err)
		}
		var claims, wrong float64
		for i, v := range adjusted {
			if v <= 0.05 {
				claims++
				if i >= m/2 {
					wrong++
				}
			}
		}
		falseShare += wrong / math.Max(1, claims) / draws
	}
	// Half of the hypotheses are true: the rate is half of the nominal one.
	if falseShare > 0.027 || falseShare < 0.022 {
		t.Errorf("%v of the claims are false, want 0.025", falseShare)
	}
}

func TestRankIntervalCoverage(t *testing.T) {
	skipShort(t)
	const draws = 6000
	r := rand.New(rand.NewPCG(11, 6))
	for _, truth := range [][]float64{
		{100, 101, 102, 103, 104, 105},
		{100, 100, 100, 108, 108, 120}, // ties: the interval must hold all their places
	} {
		for _, n := range []int{3, 6} {
			held := 0
			for range draws {
				systems, values := make([]Summary, len(truth)), make([]float64, len(truth))
				for i, mean := range truth {
					systems[i] = sample(r, n, mean, 2)
					values[i] = systems[i].Mean
				}
				pairs, err := RatioPairs(systems)
				if err != nil {
					t.Fatal(err)
				}
				intervals, err := RankIntervals(values, true, pairs, 0.05)
				if err != nil {
					t.Fatal(err)
				}
				all := true
				for i, mean := range truth {
					better, worse := 0, 0
					for _, other := range truth {
						if other > mean {
							better++
						} else if other < mean {
							worse++
						}
					}
					all = all && intervals[i].Low <= 1+better && intervals[i].High >= len(truth)-worse
				}
				if all {
					held++
				}
			}
			if share := float64(held) / draws; share < 1-most(0.05, draws) {
				t.Errorf("%v with n = %d: all ranks held in %v", truth, n, share)
			}
		}
	}
}

func TestPredictionCoverage(t *testing.T) {
	skipShort(t)
	const draws = 20_000
	r := rand.New(rand.NewPCG(11, 7))
	for _, c := range []struct{ n, m int }{{3, 1}, {3, 5}, {10, 3}} {
		held := 0
		for range draws {
			iv, err := Prediction(sample(r, c.n, 1523, 19), c.m, 0.95)
			if err != nil {
				t.Fatal(err)
			}
			var mean float64
			for range c.m {
				mean += (1523 + 19*r.NormFloat64()) / float64(c.m)
			}
			if iv.Contains(mean) {
				held++
			}
		}
		if share := float64(held) / draws; math.Abs(share-0.95) > most(0.05, draws)-0.05 {
			t.Errorf("n = %d, m = %d: covers %v", c.n, c.m, share)
		}
	}
}

func TestGeoMeanCoverage(t *testing.T) {
	skipShort(t)
	const draws, k = 4000, 8
	r := rand.New(rand.NewPCG(11, 8))
	var sampleHeld, fixedHeld int
	for range draws {
		ratios, parts := make([]float64, k), make([]RatioEstimate, k)
		var fixedTruth float64
		for i := range ratios {
			truth := 0.05 + 0.1*r.NormFloat64() // of this test, as ln
			fixedTruth += truth / k
			est, err := Ratio(sample(r, 3, 100*math.Exp(truth), 2), sample(r, 3, 100, 2), 0.95)
			if err != nil {
				t.Fatal(err)
			}
			ratios[i], parts[i] = est.Ratio, est
		}
		ofSample, err := GeoMeanOfSample(ratios, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		ofFixed, err := GeoMeanOfFixed(parts, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		if ofSample.Contains(math.Exp(0.05)) {
			sampleHeld++
		}
		if ofFixed.Contains(math.Exp(fixedTruth)) {
			fixedHeld++
		}
	}
	for name, held := range map[string]int{"sample": sampleHeld, "fixed": fixedHeld} {
		if share := float64(held) / draws; share < 0.935 || share > 0.965 {
			t.Errorf("%s: covers %v", name, share)
		}
	}
}

func TestConcordanceCoverage(t *testing.T) {
	skipShort(t)
	const draws, n = 6000, 40
	r := rand.New(rand.NewPCG(11, 9))
	// Var x = 1, var y = 1 + 0.25, covariance 1, shift 0.3.
	truth := 2.0 / (1 + 1.25 + 0.09)
	held := 0
	for range draws {
		x, y := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i] = r.NormFloat64()
			y[i] = x[i] + 0.5*r.NormFloat64() + 0.3
		}
		c, err := Concordance(x, y, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		if c.Contains(truth) {
			held++
		}
	}
	if share := float64(held) / draws; share < 0.935 || share > 0.965 {
		t.Errorf("covers %v", share)
	}
}

func TestPowerAgainstSimulation(t *testing.T) {
	skipShort(t)
	const draws = 10_000
	r := rand.New(rand.NewPCG(11, 10))
	low, high, err := Margin(0.05)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{3, 6, 12} {
		p := Plan{CVA: 0.02, CVB: 0.03, Ratio: 1.04, Alpha: 0.05}
		q := Plan{CVA: 0.02, CVB: 0.02, Ratio: 1.01, Alpha: 0.05}
		var different, equivalent int
		for range draws {
			d, err := RatioTest(sample(r, n, 104, 104*p.CVA), sample(r, n, 100, 100*p.CVB))
			if err != nil {
				t.Fatal(err)
			}
			e, err := Equivalence(sample(r, n, 101, 101*q.CVA), sample(r, n, 100, 100*q.CVB), low, high, 0.05)
			if err != nil {
				t.Fatal(err)
			}
			if d.P <= 0.05 {
				different++
			}
			if e.Equivalent {
				equivalent++
			}
		}
		wantDifferent, err := p.DifferencePower(n)
		if err != nil {
			t.Fatal(err)
		}
		wantEquivalent, err := q.EquivalencePower(n, low, high)
		if err != nil {
			t.Fatal(err)
		}
		// The plan takes the degrees of freedom as known, the test estimates
		// them and is a little more careful with few runs.
		slack := 0.02
		if n == 3 {
			slack = 0.1
		}
		if got := float64(different) / draws; got > wantDifferent+0.01 || got < wantDifferent-slack {
			t.Errorf("n = %d: power to tell apart %v, simulated %v", n, wantDifferent, got)
		}
		if got := float64(equivalent) / draws; got > wantEquivalent+0.01 || got < wantEquivalent-slack {
			t.Errorf("n = %d: power to prove equal %v, simulated %v", n, wantEquivalent, got)
		}
	}
}

func TestBootstrapCoverage(t *testing.T) {
	skipShort(t)
	const draws = 400
	r := rand.New(rand.NewPCG(11, 11))
	mean := func(s [][]float64) float64 {
		var sum float64
		for _, x := range s[0] {
			sum += x
		}
		return sum / float64(len(s[0]))
	}
	held := 0
	for i := range draws {
		xs := make([]float64, 20)
		for j := range xs {
			xs[j] = 100 + 5*r.NormFloat64()
		}
		b, err := Bootstrap([][]float64{xs}, mean, 0.95, Resampling{Seed: uint64(i), Resamples: 1000})
		if err != nil {
			t.Fatal(err)
		}
		if b.Contains(100) {
			held++
		}
	}
	// 20 runs are few for a bootstrap: some 93 % are what the method gives.
	if share := float64(held) / draws; share < 0.9 || share > 0.97 {
		t.Errorf("covers %v", share)
	}
}
