package stats

import (
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawSummary draws a measurement with two runs or more and some noise.
func drawSummary(t *rapid.T, name string) Summary {
	mean := math.Pow(10, rapid.Float64Range(-3, 6).Draw(t, name+" magnitude"))
	cv := math.Pow(10, rapid.Float64Range(-5, -0.7).Draw(t, name+" noise"))
	return Summary{Mean: mean, SE: mean * cv, N: rapid.IntRange(2, 30).Draw(t, name+" runs")}
}

// drawPair draws two measurements within a factor of two of each other.
func drawPair(t *rapid.T) (a, b Summary) {
	a, b = drawSummary(t, "a"), drawSummary(t, "b")
	f := a.Mean * rapid.Float64Range(0.5, 2).Draw(t, "ratio") / b.Mean
	b.Mean, b.SE = b.Mean*f, b.SE*f
	return a, b
}

func closeTo(got, want, rel float64) bool {
	return math.Abs(got-want) <= rel*math.Max(math.Abs(got), math.Abs(want))
}

func TestRatioIsSymmetricAndScaleFree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawPair(t)
		ab, err := Ratio(a, b, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		// Lower is better: the other way round is the reciprocal.
		ba, err := Ratio(b, a, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		inverse := ab.Inverse()
		for _, c := range [][2]float64{
			{ba.Ratio, inverse.Ratio},
			{ba.Low, inverse.Low},
			{ba.High, inverse.High},
			{ba.P, inverse.P},
			{ba.SELog, inverse.SELog},
		} {
			if !closeTo(c[0], c[1], 1e-9) {
				t.Fatalf("b/a gives %v, inverse of a/b %v", ba, inverse)
			}
		}
		test, err := RatioTest(b, a)
		if err != nil || test != ba.TTest {
			t.Fatalf("test alone %v, %v, want %v", test, err, ba.TTest)
		}
		// Another unit changes nothing.
		f := math.Pow(10, rapid.Float64Range(-9, 9).Draw(t, "unit"))
		a.Mean, a.SE, b.Mean, b.SE = a.Mean*f, a.SE*f, b.Mean*f, b.SE*f
		other, err := Ratio(a, b, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		if !closeTo(other.Ratio, ab.Ratio, 1e-12) || !closeTo(other.High, ab.High, 1e-9) {
			t.Fatalf("in another unit %v, want %v", other, ab)
		}
		// p and interval are two views of one test.
		if ab.P < 0.049999 && ab.Contains(1) || ab.P > 0.050001 && !ab.Contains(1) {
			t.Fatalf("p = %v and interval %v disagree", ab.P, ab.Interval)
		}
	})
}

// TestFiellerSolvesItsEquation checks the ends of a set against the definition:
// there the t statistic of a - r·b is exactly the quantile.
func TestFiellerSolvesItsEquation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawPair(t)
		b.SE *= rapid.Float64Range(1, 10).Draw(t, "more noise")
		f, err := Fieller(a, b, 0.95)
		if errors.Is(err, ErrOverflow) {
			t.Skip(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		q := tQuantile(0.95, f.DF)
		statistic := func(r float64) float64 {
			return math.Abs(a.Mean-r*b.Mean) / math.Hypot(a.SE, r*b.SE)
		}
		if f.Shape == FiellerEverything {
			for _, r := range []float64{-1e6, -1, 0, 0.5, 1, 2, 1e6} {
				if statistic(r) > q*(1+1e-9) {
					t.Fatalf("%v is excluded from everything", r)
				}
			}
			return
		}
		if f.G < 0.999 || f.G > 1.001 { // roots lose digits next to 1
			for _, end := range []float64{f.Low, f.High} {
				if !closeTo(statistic(end), q, 1e-6) {
					t.Fatalf("%v: statistic at %v is %v, want %v", f.Shape, end, statistic(end), q)
				}
			}
		}
		if f.Bounded() != (f.G < 1) {
			t.Fatalf("g = %v but %v", f.G, f.Shape)
		}
		middle := (f.Low + f.High) / 2
		if f.Bounded() != (statistic(middle) < q) {
			t.Fatalf("middle %v of %v set has statistic %v", middle, f.Shape, statistic(middle))
		}
	})
}

func TestFiellerAgreesWithLogIntervalAtSmallNoise(t *testing.T) {
	a, b := Summary{1523, 3, 5}, Summary{1547, 4, 3}
	f, err := Fieller(a, b, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Ratio(a, b, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	if !closeTo(f.Low, r.Low, 2e-5) || !closeTo(f.High, r.High, 2e-5) || f.DF != r.DF {
		t.Errorf("Fieller %v, log interval %v", f, r)
	}
}

func TestWelchProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawPair(t)
		ab, err := Welch(a, b, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		ba, err := Welch(b, a, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		if ab.P != ba.P || ab.T != -ba.T || ab.Low != -ba.High {
			t.Fatalf("not antisymmetric: %v and %v", ab, ba)
		}
		if ab.P < 0 || ab.P > 1 {
			t.Fatalf("p = %v", ab.P)
		}
		least, most := float64(min(a.N, b.N)-1), float64(a.N+b.N-2)
		if ab.DF < least*(1-1e-12) || ab.DF > most*(1+1e-12) {
			t.Fatalf("df = %v, want %v to %v", ab.DF, least, most)
		}
		// Of two systems the analysis of variance is the same test.
		v, err := WelchANOVA([]Summary{a, b})
		if err != nil {
			t.Fatal(err)
		}
		if !near(v.F, ab.T*ab.T, 1e-7, 1e-12) || !closeTo(v.DF2, ab.DF, 1e-9) || math.Abs(v.P-ab.P) > 1e-9 {
			t.Fatalf("analysis of variance %v, Welch %v", v, ab)
		}
	})
}

func TestSummarizeProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		xs := rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), 1, 20).Draw(t, "runs")
		s, err := Summarize(xs)
		if err != nil {
			t.Fatal(err)
		}
		if s.N == 1 {
			if !math.IsNaN(s.SE) || s.Mean != xs[0] {
				t.Fatalf("one run gives %v", s)
			}
			return
		}
		if s.Mean < slices.Min(xs)-1e-9 || s.Mean > slices.Max(xs)+1e-9 || s.SE < 0 {
			t.Fatalf("%v gives %v", xs, s)
		}
		// Runs of the same value have no spread, to the last bit.
		same := slices.Repeat(xs[:1], len(xs))
		if s, err := Summarize(same); err != nil || s.SE != 0 || s.Mean != xs[0] {
			t.Fatalf("%v gives %v, %v", same, s, err)
		}
	})
}

func TestEquivalenceMatchesItsInterval(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawPair(t)
		d := rapid.Float64Range(0.005, 0.5).Draw(t, "margin")
		low, high, err := Margin(d)
		if err != nil {
			t.Fatal(err)
		}
		e, err := Equivalence(a, b, low, high, 0.05)
		if err != nil {
			t.Fatal(err)
		}
		inside := low < e.Low && e.High < high
		if e.Equivalent != inside && math.Abs(e.P-0.05) > 1e-6 {
			t.Fatalf("p = %v, but interval %v in margin %v to %v", e.P, e.Interval, low, high)
		}
		// Swapping the sides changes nothing for a symmetric margin.
		back, err := Equivalence(b, a, low, high, 0.05)
		if err != nil || math.Abs(back.P-e.P) > 1e-9 {
			t.Fatalf("swapped: %v, %v, want %v", back.P, err, e.P)
		}
	})
}

func TestPredictionMatchesSingleRun(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSummary(t, "published")
		iv, err := Prediction(s, 1, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range []float64{iv.Low, iv.High} {
			test, err := SingleRun(s, x)
			if err != nil || math.Abs(test.P-0.05) > 1e-6 {
				t.Fatalf("p at the end %v of the interval is %v, %v", x, test.P, err)
			}
		}
		more, err := Prediction(s, 10, 0.95)
		if err != nil || more.High >= iv.High {
			t.Fatalf("mean of ten: %v, %v, want inside %v", more, err, iv)
		}
	})
}

func TestAdjustProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SliceOf(rapid.Float64Range(0, 1)).Draw(t, "p")
		before := slices.Clone(p)
		holm, err1 := Holm(p)
		bh, err2 := BenjaminiHochberg(p)
		by, err3 := BenjaminiYekutieli(p)
		if err := errors.Join(err1, err2, err3); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(p, before) {
			t.Fatal("input changed")
		}
		for i := range p {
			if holm[i] < p[i] || bh[i] < p[i]-1e-15 || bh[i] > holm[i]+1e-12 || by[i] < bh[i]-1e-15 || holm[i] > 1 || by[i] > 1 {
				t.Fatalf("p %v: Holm %v, BH %v, BY %v", p[i], holm[i], bh[i], by[i])
			}
			for j := range p {
				if p[i] < p[j] && (holm[i] > holm[j] || bh[i] > bh[j] || by[i] > by[j]) {
					t.Fatal("order of p values changed")
				}
			}
		}
		// From the definition: Holm rejects at alpha while p(j) <=
		// alpha/(m-j+1) for all j up to i.
		sorted := slices.Sorted(slices.Values(p))
		for i := range p {
			alpha := holm[i]
			if alpha >= 1 {
				continue
			}
			for j, v := range sorted {
				if v > p[i] {
					break
				}
				if v*float64(len(p)-j) > alpha*(1+1e-12) {
					t.Fatalf("Holm %v of %v is below %v times %v", alpha, p[i], len(p)-j, v)
				}
			}
		}
	})
}

func TestAdjustLeavesOutWhatIsMissing(t *testing.T) {
	got, err := Holm([]float64{nan, 0.01, nan, 0.04})
	if err != nil {
		t.Fatal(err)
	}
	if !math.IsNaN(got[0]) || !math.IsNaN(got[2]) || got[1] != 0.02 || got[3] != 0.04 {
		t.Errorf("got %v, want NaN 0.02 NaN 0.04", got)
	}
	if got, err := Holm(nil); err != nil || len(got) != 0 {
		t.Errorf("no p values give %v, %v", got, err)
	}
}

func TestQuantileProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		xs := rapid.SliceOfN(rapid.Float64Range(-1e9, 1e9), 1, 30).Draw(t, "xs")
		p := rapid.Float64Range(0, 1).Draw(t, "p")
		q := rapid.Float64Range(0, 1).Draw(t, "q")
		x, err1 := Quantile(xs, min(p, q))
		y, err2 := Quantile(xs, max(p, q))
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		if x > y || x < slices.Min(xs) || y > slices.Max(xs) {
			t.Fatalf("quantiles %v and %v of %v", x, y, xs)
		}
		low, err1 := Quantile(xs, 0)
		high, err2 := Quantile(xs, 1)
		if err := errors.Join(err1, err2); err != nil || low != slices.Min(xs) || high != slices.Max(xs) {
			t.Fatalf("ends %v and %v, %v", low, high, err)
		}
	})
}

func TestTQuantileInvertsTail(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		df := math.Pow(10, rapid.Float64Range(0, 9).Draw(t, "df"))
		level := 1 - math.Pow(10, rapid.Float64Range(-14, -0.01).Draw(t, "1-level"))
		q := tQuantile(level, df)
		if got := 2 * tTail(q, df); !closeTo(got, 1-level, 1e-9) {
			t.Fatalf("tail at the quantile %v is %v, want %v", q, got, 1-level)
		}
	})
}

// TestRunsAreTheFewest: one run less does not reach the power.
func TestRunsAreTheFewest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Plan{
			CVA:   math.Exp(rapid.Float64Range(-9, 0).Draw(t, "a")),
			CVB:   math.Exp(rapid.Float64Range(-9, 0).Draw(t, "b")),
			Ratio: math.Exp(rapid.Float64Range(-1, 1).Draw(t, "log ratio")),
			Alpha: math.Exp(rapid.Float64Range(-14, -1).Draw(t, "log alpha")),
		}
		want := rapid.Float64Range(0.5, 0.99).Draw(t, "power")
		check := func(what string, n int, err error, power func(n int) (float64, error)) {
			if errors.Is(err, ErrUnreachable) {
				if got, _ := power(mostRuns); got >= want {
					t.Fatalf("%s: unreachable, but %v with a million runs", what, got)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got, _ := power(n); got < want {
				t.Fatalf("%s: %d runs reach %v of %v", what, n, got, want)
			}
			if n > 2 {
				if got, _ := power(n - 1); got >= want {
					t.Fatalf("%s: one less than %d runs reaches %v of %v", what, n, got, want)
				}
			}
		}
		n, err := p.DifferenceRuns(want)
		check("difference", n, err, p.DifferencePower)
		p.Ratio = math.Exp(rapid.Float64Range(-0.049, 0.049).Draw(t, "near"))
		n, err = p.EquivalenceRuns(0.95, 1/0.95, want)
		check("equivalence", n, err, func(n int) (float64, error) { return p.EquivalencePower(n, 0.95, 1/0.95) })
	})
}
