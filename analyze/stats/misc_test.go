package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestSpeedupTurnsWithDirection(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(1e-6, 1e6).Draw(t, "x")
		y := rapid.Float64Range(1e-6, 1e6).Draw(t, "y")
		up, err1 := Speedup(x, y, true)
		down, err2 := Speedup(x, y, false)
		if err1 != nil || err2 != nil || !closeTo(up*down, 1, 1e-12) {
			t.Fatalf("%v and %v, %v, %v", up, down, err1, err2)
		}
	})
}

func TestSignTest(t *testing.T) {
	for _, c := range []struct {
		wins, decided int
		p             float64
	}{
		{0, 1, 1},
		{5, 10, 1},
		{0, 5, 0.0625},
		{5, 5, 0.0625},
		{1, 6, 14.0 / 64}, // 2·(1+6)/2^6
	} {
		s, err := SignTest(c.wins, c.decided, 0.95)
		if err != nil || !closeTo(s.P, c.p, 1e-12) {
			t.Errorf("%d of %d: %v, %v, want %v", c.wins, c.decided, s.P, err, c.p)
		}
	}
	none, err := ClopperPearson(0, 7, 0.95)
	if err != nil || none.Low != 0 || !closeTo(none.High, 1-math.Pow(0.025, 1.0/7), 1e-12) {
		t.Errorf("0 of 7: %v, %v", none, err)
	}
	all, err := ClopperPearson(7, 7, 0.95)
	if err != nil || all.High != 1 || !closeTo(all.Low, 1-none.High, 1e-12) {
		t.Errorf("7 of 7: %v, %v", all, err)
	}
	// A small tail of a long distribution, values from qbeta of R 4.2.2.
	rare, err := ClopperPearson(3, 50_000, 0.999999)
	if err != nil || !closeTo(rare.Low, 2.89500984666974e-07, 1e-9) || !closeTo(rare.High, 0.000442883614635989, 1e-9) {
		t.Errorf("3 of 50000: %v, %v", rare, err)
	}
}

// TestClopperPearsonCovers adds up the exact probabilities: for no true share
// may the intervals miss it more often than 5 %.
func TestClopperPearsonCovers(t *testing.T) {
	const n = 12
	intervals := make([]Interval, n+1)
	for k := range intervals {
		var err error
		if intervals[k], err = ClopperPearson(k, n, 0.95); err != nil {
			t.Fatal(err)
		}
	}
	for p := 0.001; p < 1; p += 0.001 {
		covered, ways := 0.0, 1.0
		for k := range n + 1 {
			if intervals[k].Contains(p) {
				covered += ways * math.Pow(p, float64(k)) * math.Pow(1-p, float64(n-k))
			}
			ways *= float64(n-k) / float64(k+1)
		}
		if covered < 0.95 {
			t.Fatalf("at %v the intervals cover %v", p, covered)
		}
	}
}

func TestMedianInterval(t *testing.T) {
	for _, c := range []struct {
		n         int
		low, high float64
		level     float64
	}{
		{1, 10, 10, 0},
		{3, 10, 12, 0.75},
		{5, 10, 14, 0.9375},
		{6, 10, 15, 0.96875},
		{10, 11, 18, 0.978515625}, // second and ninth
	} {
		iv, err := MedianInterval(runsN(c.n), 0.95)
		if err != nil || iv != (Interval{c.low, c.high, c.level}) {
			t.Errorf("%d runs: %v, %v, want %v to %v at %v", c.n, iv, err, c.low, c.high, c.level)
		}
	}
	// The fifth and the sixth of ten: no five of ten on either side.
	if iv, err := MedianInterval(runsN(10), 0.2); err != nil || iv.Low != 14 || iv.High != 15 || !closeTo(iv.Level, 252.0/1024, 1e-12) {
		t.Errorf("a low level: %v, %v", iv, err)
	}
}

func TestOutliers(t *testing.T) {
	for _, c := range []struct {
		name       string
		runs       []float64
		resolution float64
		want       []int
	}{
		{"one far off", []float64{98.2, 99.1, 98.7, 98.9, 112.4, 98.5, 98.8}, 0.1, []int{4}},
		{"far off, but four runs", []float64{98.2, 99.1, 98.7, 500}, 0.1, nil},
		{"all equal", []float64{5, 5, 5, 5, 5, 5}, 0, nil},
		{"all equal but the last digit", []float64{5, 5, 5, 5, 5, 5.1}, 0.1, nil},
		{"all equal but one far off", []float64{5, 5, 5, 5, 5, 5, 5, 5, 50}, 0.1, []int{8}},
		{"a quiet run within a few steps", []float64{1.1, 1.1, 1.2, 1.1, 1.1, 1.1, 1.4}, 0.1, nil},
		{"nine equal and one five times as long", []float64{100, 100, 100, 100, 100, 100, 100, 100, 100, 500}, 1, []int{9}},
		{"both ends", []float64{1, 100, 101, 99, 100, 102, 98, 900}, 1, []int{0, 7}},
	} {
		got, err := Outliers(c.runs, c.resolution)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v, want %v", c.name, got, err, c.want)
		}
	}
}

// TestModifiedZWithoutMAD has more than half of the runs equal: the mean distance
// from the median, 5, stands in, times √(π/2).
func TestModifiedZWithoutMAD(t *testing.T) {
	z, err := ModifiedZ([]float64{5, 5, 5, 5, 5, 5, 5, 5, 50}, 0)
	if err != nil || z[0] != 0 || !closeTo(z[8], 45/6.266570686577501, 1e-12) {
		t.Errorf("got %v, %v", z, err)
	}
	// The floor is in the unit of the runs.
	z, err = ModifiedZ([]float64{5, 5, 5, 5, 5, 5, 5, 5, 50}, 10)
	if err != nil || z[8] != 4.5 {
		t.Errorf("with a floor of 10: %v, %v", z, err)
	}
}

func TestGeoMeanReadings(t *testing.T) {
	// One test is no sample, but its own measurement error is known.
	r, err := Ratio(Summary{1610, 12, 4}, Summary{1523, 11, 3}, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	g, err := GeoMeanOfFixed([]RatioEstimate{r}, 0.95)
	if err != nil || !closeTo(g.Low, r.Low, 1e-12) || !closeTo(g.High, r.High, 1e-12) || !closeTo(g.P, r.P, 1e-12) {
		t.Errorf("geometric mean of one ratio %v, %v, want %v", g, err, r)
	}
	collapsed, err := CollapseRatios([]float64{2, 1.1, 8, 4, 1}, []int{7, 3, 7, 7, 3})
	if err != nil || len(collapsed) != 2 || !closeTo(collapsed[0], 4, 1e-12) || !closeTo(collapsed[1], math.Sqrt(1.1), 1e-12) {
		t.Errorf("collapsed to %v, %v", collapsed, err)
	}
}

func TestGeoMeanInverts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ratios := rapid.SliceOfN(rapid.Float64Range(0.2, 5), 2, 30).Draw(t, "ratios")
		if allEqual(ratios) {
			t.Skip("no variation")
		}
		g, err := GeoMeanOfSample(ratios, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		inverse := make([]float64, len(ratios))
		for i, r := range ratios {
			inverse[i] = 1 / r
		}
		slices.Reverse(inverse)
		h, err := GeoMeanOfSample(inverse, 0.95)
		if err != nil || !closeTo(h.GeoMean*g.GeoMean, 1, 1e-9) || !closeTo(h.Low*g.High, 1, 1e-6) || !near(h.P, g.P, 1e-6, 1e-9) {
			t.Fatalf("of reciprocals %v, %v, want the reciprocal of %v", h, err, g)
		}
	})
}

func TestConcordanceIsNotCorrelation(t *testing.T) {
	x := []float64{1, 2, 3, 4, 5, 6}
	half := make([]float64, len(x))
	for i, v := range x {
		half[i] = v / 2
	}
	same, err := Concordance(x, x, 0.95)
	if err != nil || !closeTo(same.Coefficient, 1, 1e-12) || same.HasInterval {
		t.Errorf("with itself: %v, %v", same, err)
	}
	c, err := Concordance(x, half, 0.95)
	if err != nil || !closeTo(c.Pearson, 1, 1e-12) || c.Coefficient > 0.6 || !c.HasInterval || !c.Contains(c.Coefficient) {
		t.Errorf("with its half: %v, %v", c, err)
	}
	if rho, err := Spearman(x, half); err != nil || rho != 1 {
		t.Errorf("rank correlation with its half: %v, %v", rho, err)
	}
	// The scale and the order of the two do not matter.
	big, huge := make([]float64, len(x)), make([]float64, len(x))
	for i := range x {
		big[i], huge[i] = half[i]*1e200, x[i]*1e200
	}
	d, err := Concordance(big, huge, 0.95)
	if err != nil || !closeTo(d.Coefficient, c.Coefficient, 1e-12) || !closeTo(d.Low, c.Low, 1e-9) {
		t.Errorf("in other units: %v, %v, want %v", d, err, c)
	}
}

func TestAgreement(t *testing.T) {
	published := []float64{100, 200, 300, 400, 500}
	replayed := []float64{100, 210, 270, 800, 495}
	a, err := Agreement(published, replayed, 0.95, 1/0.95, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	// Factors 1, 1.05, 1.111, 2 and 1.0101.
	if a.N != 5 || a.Within != 3 || !closeTo(a.Median, 1.05, 1e-12) || !closeTo(a.Bias, math.Pow(1.05*0.9*2*0.99, 0.2), 1e-12) {
		t.Errorf("got %v", a)
	}
	if want := math.Exp(0.4*math.Log(1/0.9) + 0.6*math.Log(2)); !closeTo(a.P90, want, 1e-12) {
		t.Errorf("90 %% quantile %v, want %v", a.P90, want)
	}
	back, err := Agreement(replayed, published, 0.95, 1/0.95, 0.95)
	if err != nil || !closeTo(back.Bias*a.Bias, 1, 1e-12) || back.Within != a.Within || !closeTo(back.P90, a.P90, 1e-12) {
		t.Errorf("turned round %v, %v, want the mirror of %v", back, err, a)
	}
}

func TestDriftTurnsWithDirection(t *testing.T) {
	up := []float64{10, 11, 11, 13, 12, 14, 15, 15, 16}
	down := slices.Clone(up)
	slices.Reverse(down)
	a, err := Drift(up)
	if err != nil || a.P > 0.001 || a.Tau < 0.8 || !a.Exact {
		t.Errorf("rising: %v, %v", a, err)
	}
	b, err := Drift(down)
	if err != nil || b.S != -a.S || !closeTo(b.P, a.P, 1e-12) {
		t.Errorf("falling: %v, %v, want the mirror of %v", b, err, a)
	}
	long := make([]float64, 40)
	for i := range long {
		long[i] = float64((i * 7) % 10) // ties, no drift
	}
	if c, err := Drift(long); err != nil || c.Exact || c.P < 0.5 {
		t.Errorf("no drift: %v, %v", c, err)
	}
}

func TestKendallNormalMeetsExact(t *testing.T) {
	x, y := make([]float64, 100), make([]float64, 100)
	for i := range x {
		x[i], y[i] = float64(i), float64((i*61)%101)+float64(i)/5
	}
	exact, err := KendallTest(x, y)
	if err != nil || !exact.Exact {
		t.Fatalf("%v, %v", exact, err)
	}
	s := concordance(x, y)
	_, ones := doubledRanks(x)
	normal := 2 * normalTail(math.Abs(float64(s))/math.Sqrt(concordanceVariance(100, ones, ones)))
	if !closeTo(normal, exact.P, 0.05) {
		t.Errorf("normal %v, exact %v", normal, exact.P)
	}
}

func TestBootstrap(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	a, b := make([]float64, 25), make([]float64, 20)
	for i := range a {
		a[i] = 100 * math.Exp(0.1*random.NormFloat64())
	}
	for i := range b {
		b[i] = 110 * math.Exp(0.1*random.NormFloat64())
	}
	mean := func(xs []float64) float64 { s, _ := Summarize(xs); return s.Mean }
	ratio := func(s [][]float64) float64 { slices.Sort(s[0]); return mean(s[0]) / mean(s[1]) }
	before := slices.Clone(a)
	first, err := Bootstrap([][]float64{a, b}, ratio, 0.95, Resampling{Seed: 42, Resamples: 4000})
	if err != nil {
		t.Fatal(err)
	}
	again, err := Bootstrap([][]float64{a, b}, ratio, 0.95, Resampling{Seed: 42, Resamples: 4000})
	if err != nil || again != first {
		t.Errorf("the same seed gives %v, then %v, %v", first, again, err)
	}
	other, err := Bootstrap([][]float64{a, b}, ratio, 0.95, Resampling{Seed: 43, Resamples: 4000})
	if err != nil || other == first {
		t.Errorf("another seed gives the same: %v, %v", other, err)
	}
	if !slices.Equal(a, before) {
		t.Error("sample changed")
	}
	sa, err := Summarize(a)
	if err != nil {
		t.Fatal(err)
	}
	sb, err := Summarize(b)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Ratio(sa, sb, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	// At such sizes it must come near the interval by formula.
	if first.Estimate != ratio([][]float64{slices.Clone(a), b}) || !closeTo(first.Low, r.Low, 0.015) || !closeTo(first.High, r.High, 0.015) || !closeTo(first.SE, r.SELog*r.Ratio, 0.1) {
		t.Errorf("bootstrap %v, formula %v", first, r)
	}
	if first.Seed != 42 || first.Resamples != 4000 {
		t.Errorf("recorded %v", first.Resampling)
	}
	defaults, err := Bootstrap([][]float64{b}, func(s [][]float64) float64 { return mean(s[0]) }, 0.9, Resampling{})
	if err != nil || defaults.Resamples != 10_000 || defaults.Seed != 0 {
		t.Errorf("defaults %v, %v", defaults.Resampling, err)
	}
}

// TestBootstrapAgainstScipy has the BCa interval and standard error that
// scipy.stats.bootstrap of scipy 1.10.1 gives with 300 000 resamples.
func TestBootstrapAgainstScipy(t *testing.T) {
	xs := []float64{1.2, 0.3, 5.1, 2.2, 0.9, 0.1, 3.3, 1.7, 8.8, 0.6, 0.4, 2.9, 1.1, 0.2, 4.0}
	mean := func(s [][]float64) float64 { m, _ := Summarize(s[0]); return m.Mean }
	b, err := Bootstrap([][]float64{xs}, mean, 0.95, Resampling{Resamples: 20_000})
	if err != nil || !closeTo(b.Low, 1.3, 0.03) || !closeTo(b.High, 3.8, 0.03) || !closeTo(b.SE, 0.5924, 0.02) {
		t.Errorf("got %v, %v, want 1.3 to 3.8", b, err)
	}
}

// TestBootstrapLeansWithSkew has skewed data: BCa moves the interval of the mean
// towards the long tail, the percentile interval does so less.
func TestBootstrapLeansWithSkew(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	xs := make([]float64, 30)
	for i := range xs {
		xs[i] = random.ExpFloat64()
	}
	b, err := Bootstrap([][]float64{xs}, func(s [][]float64) float64 { m, _ := Summarize(s[0]); return m.Mean }, 0.95, Resampling{})
	if err != nil || b.Low <= b.Percentile.Low || b.High <= b.Percentile.High {
		t.Errorf("BCa %v, percentile %v, %v", b.Interval, b.Percentile, err)
	}
}

func TestRunsNeeded(t *testing.T) {
	p := Plan{CVA: 0.02, CVB: 0.02, Ratio: 1.03, Alpha: 0.05}
	n, err := p.DifferenceRuns(0.9)
	if err != nil {
		t.Fatal(err)
	}
	enough, err1 := p.DifferencePower(n)
	short, err2 := p.DifferencePower(n - 1)
	if err1 != nil || err2 != nil || enough < 0.9 || short >= 0.9 {
		t.Errorf("%d runs give %v, one fewer %v", n, enough, short)
	}
	// The ratio the other way round needs as many.
	q := p
	q.Ratio = 1 / p.Ratio
	if m, err := q.DifferenceRuns(0.9); err != nil || m != n {
		t.Errorf("for the reciprocal %d, %v, want %d", m, err, n)
	}
	p.Ratio = 1
	n, err = p.EquivalenceRuns(0.95, 1/0.95, 0.9)
	if err != nil {
		t.Fatal(err)
	}
	enough, err1 = p.EquivalencePower(n, 0.95, 1/0.95)
	short, err2 = p.EquivalencePower(n-1, 0.95, 1/0.95)
	if err1 != nil || err2 != nil || enough < 0.9 || short >= 0.9 {
		t.Errorf("%d runs give %v, one fewer %v", n, enough, short)
	}
}

func TestPowerGrowsWithRuns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Plan{
			CVA:   rapid.Float64Range(0.001, 0.3).Draw(t, "a"),
			CVB:   rapid.Float64Range(0.001, 0.3).Draw(t, "b"),
			Ratio: rapid.Float64Range(0.9, 1.1).Draw(t, "ratio"),
			Alpha: rapid.Float64Range(0.001, 0.2).Draw(t, "alpha"),
		}
		n := rapid.IntRange(2, 200).Draw(t, "n")
		for name, f := range map[string]func(n int) (float64, error){
			"difference":  p.DifferencePower,
			"equivalence": func(n int) (float64, error) { return p.EquivalencePower(n, 0.85, 1/0.85) },
		} {
			x, err1 := f(n)
			y, err2 := f(n + 1)
			if err1 != nil || err2 != nil || x < 0 || y > 1+1e-9 {
				t.Fatalf("%s: %d runs %v, one more %v, %v, %v", name, n, x, y, err1, err2)
			}
			// Two one-sided tests lose a little at first where they have
			// hardly any power.
			if y < x-1e-9 && (name == "difference" || x > 0.2) {
				t.Fatalf("%s: %d runs %v, one more %v, %v, %v", name, n, x, y, err1, err2)
			}
		}
	})
}

func TestEstimatesAddUpToOne(t *testing.T) {
	for _, df := range []float64{1, 1.02, 1.3, 2, 4, 7.7, 100, 1e4, 2e6} {
		if got := overEstimates(df, inf, func(float64) float64 { return 1 }); !closeTo(got, 1, 1e-9) {
			t.Errorf("df %v: %v", df, got)
		}
		// The mean of s² is 1.
		if got := overEstimates(df, inf, func(s float64) float64 { return s * s }); df > 1.5 && !closeTo(got, 1, 1e-9) {
			t.Errorf("df %v: mean square %v", df, got)
		}
	}
}
