package stats

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// drawRounded draws a printed measurement as files hold them: a mean of any
// size with a noise of up to a third, both cut to a number of digits.
func drawRounded(t *rapid.T, name string) Rounded {
	mean := math.Pow(10, rapid.Float64Range(-2, 5).Draw(t, name+" magnitude"))
	digits := rapid.IntRange(0, 3).Draw(t, name+" digits")
	unit := math.Pow(10, -float64(digits))
	mean = math.Max(unit, math.Round(mean/unit)*unit)
	// The standard error can be printed with fewer digits than the mean.
	coarse := unit * math.Pow(10, float64(rapid.IntRange(0, 2).Draw(t, name+" digits less")))
	se := math.Round(mean*rapid.Float64Range(0, 0.3).Draw(t, name+" noise")/coarse) * coarse
	return Rounded{
		Summary:  Summary{Mean: mean, SE: se, N: rapid.IntRange(2, 20).Draw(t, name+" runs")},
		MeanHalf: unit / 2,
		SEHalf:   coarse / 2,
	}
}

// nearby draws a measurement not far from a, so that tests are not all decided.
func nearby(t *rapid.T, a Rounded) Rounded {
	b := drawRounded(t, "b")
	b.Mean = a.Mean * rapid.Float64Range(0.8, 1.25).Draw(t, "ratio")
	b.SE = b.Mean * rapid.Float64Range(0, 0.3).Draw(t, "b noise again")
	b.MeanHalf = a.MeanHalf
	return b
}

// within draws what could stand behind a printed measurement, the ends of its
// intervals more often than not.
func within(r *rand.Rand, p Rounded) Summary {
	pick := func(iv Range) float64 {
		switch r.IntN(5) {
		case 0:
			return iv.Min
		case 1:
			return iv.Max
		case 2: // in a small part at the lower end
			return iv.Min + (iv.Max-iv.Min)*math.Pow(10, -5*r.Float64())
		}
		return iv.Min + (iv.Max-iv.Min)*r.Float64()
	}
	return Summary{Mean: pick(p.meanRange()), SE: pick(p.seRange()), N: p.N}
}

// TestRangesHoldTheirBox draws points from the rounding box of two measurements
// and checks that no quantity leaves its range.
func TestRangesHoldTheirBox(t *testing.T) {
	holds := func(r Range, x float64) bool {
		slack := 1e-9 * math.Abs(x)
		return x >= r.Min-slack && x <= r.Max+slack
	}
	rapid.Check(t, func(t *rapid.T) {
		a := drawRounded(t, "a")
		b := nearby(t, a)
		low, high := 0.9, 1/0.9
		ratio, err := RoundedRatio(a, b, 0.95)
		if errors.Is(err, ErrNotPositive) || errors.Is(err, ErrOverflow) {
			t.Skip(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		welch, err := RoundedWelch(a, b)
		if err != nil {
			t.Fatal(err)
		}
		equal, err := RoundedEquivalence(a, b, low, high)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(1, 2))
		for range 200 {
			x, y := within(r, a), within(r, b)
			est, err := Ratio(x, y, 0.95)
			if errors.Is(err, ErrZeroSE) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			d, err := Welch(x, y, 0.95)
			if err != nil {
				t.Fatal(err)
			}
			e, err := Equivalence(x, y, low, high, 0.05)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range []struct {
				what  string
				r     Range
				value float64
			}{
				{"p", ratio.P, est.P},
				{"ratio", ratio.Ratio, est.Ratio},
				{"low", ratio.Low, est.Low},
				{"high", ratio.High, est.High},
				{"welch p", welch, d.P},
				{"equivalence p", equal, e.P},
			} {
				if !holds(c.r, c.value) {
					t.Fatalf("%s of %v and %v is %v, outside %v", c.what, x, y, c.value, c.r)
				}
			}
		}
	})
}

// TestRangesAreTight compares the ends of a range with the extremes over a fine
// grid on the sides of the box, for noise up to 4 %: they are met from outside
// and no farther than the grid is coarse.
func TestRangesAreTight(t *testing.T) {
	const cells = 16
	rapid.Check(t, func(t *rapid.T) {
		a := drawRounded(t, "a")
		a.Mean = math.Max(a.Mean, 50*a.MeanHalf)
		b := nearby(t, a)
		a.SE, b.SE = math.Min(a.SE, a.Mean/25), math.Min(b.SE, b.Mean/25)
		a.SEHalf, b.SEHalf = math.Min(a.SEHalf, a.SE/2), math.Min(b.SEHalf, b.SE/2)
		if a.SE == 0 || b.SE == 0 {
			t.Skip("no spread")
		}
		got, err := RoundedRatio(a, b, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		p, low, high := Range{1, 0}, Range{inf, 0}, Range{inf, 0}
		visit := func(x, y Summary) {
			est, err := Ratio(x, y, 0.95)
			if err != nil {
				t.Fatal(err)
			}
			p.Min, p.Max = math.Min(p.Min, est.P), math.Max(p.Max, est.P)
			low.Min, low.Max = math.Min(low.Min, est.Low), math.Max(low.Max, est.Low)
			high.Min, high.Max = math.Min(high.Min, est.High), math.Max(high.Max, est.High)
		}
		ma, mb, sa, sb := a.meanRange(), b.meanRange(), a.seRange(), b.seRange()
		for _, x := range []float64{ma.Min, ma.Max} {
			for _, y := range []float64{mb.Min, mb.Max} {
				for i := range cells + 1 {
					f := float64(i) / cells
					u, v := sa.Min+f*(sa.Max-sa.Min), sb.Min+f*(sb.Max-sb.Min)
					for _, s := range [][2]float64{{u, sb.Min}, {u, sb.Max}, {sa.Min, v}, {sa.Max, v}} {
						visit(Summary{x, s[0], a.N}, Summary{y, s[1], b.N})
					}
				}
			}
		}
		if !a.Disjoint(b) {
			p.Max = 1
		}
		for _, c := range []struct {
			what      string
			got, grid Range
		}{
			{"p", got.P, p}, {"low", got.Low, low}, {"high", got.High, high},
		} {
			outside := c.got.Min <= c.grid.Min*(1+1e-9) && c.got.Max >= c.grid.Max*(1-1e-9)
			// Logarithms, since p values span many powers of ten.
			tight := near(math.Log(c.got.Min), math.Log(c.grid.Min), 0.02, 0.04) &&
				near(math.Log(c.got.Max), math.Log(c.grid.Max), 0.02, 0.04)
			if !outside || !tight {
				t.Fatalf("%s of %v and %v: %v, grid %v", c.what, a, b, c.got, c.grid)
			}
		}
	})
}

// TestExtremeInsideAnEdge has a quiet side of many runs and a noisy side of
// few: a little more noise on the quiet side brings so many degrees of freedom
// that p falls below its value at any corner. Where the standard error is
// printed coarsely that is in a small part of its range.
func TestExtremeInsideAnEdge(t *testing.T) {
	for _, se := range []Range{{0, 2}, {0, 200}} {
		half := (se.Max - se.Min) / 2
		a := Rounded{Summary{Mean: 110, SE: half, N: 15}, 0, half}
		b := Rounded{Summary{Mean: 100, SE: 1, N: 3}, 0, 0}
		got, err := RoundedWelch(a, b)
		if err != nil {
			t.Fatal(err)
		}
		p := func(se float64) float64 {
			d, err := Welch(Summary{110, se, 15}, b.Summary, 0.95)
			if err != nil {
				t.Fatal(err)
			}
			return d.P
		}
		atCorner := math.Min(p(se.Min), p(se.Max))
		lowest := 1.0
		for x := 0.0; x <= 2; x += 1e-4 {
			lowest = math.Min(lowest, p(x))
		}
		if got.Min > lowest || !closeTo(got.Min, lowest, 1e-6) || got.Min > 0.5*atCorner {
			t.Errorf("%v: smallest p %v, on a fine grid %v, at the corners %v", se, got.Min, lowest, atCorner)
		}
	}
}

func TestStandardErrorsThatPrintAsZero(t *testing.T) {
	a := Rounded{Summary{Mean: 115, SE: 0, N: 5}, 0.005, 0.005}
	b := Rounded{Summary{Mean: 78.8, SE: 0, N: 5}, 0.05, 0.005}
	r, err := RoundedRatio(a, b, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	if !r.Floored || r.Nominal.P > r.P.Max || r.Nominal.SELog == 0 || r.P.Min != 0 || r.P.Max > 1e-10 || r.Different(0.05) != Yes {
		t.Errorf("115 against 78.8 without visible spread: %v", r)
	}
	if !r.Low.Contains(115/78.8) || r.Low.Min >= 115/78.8 || r.High.Max <= 115/78.8 {
		t.Errorf("interval from %v to %v", r.Low, r.High)
	}
	// The same print on both sides says nothing.
	same, err := RoundedRatio(a, a, 0.95)
	if err != nil || same.P != (Range{0, 1}) || same.Different(0.05) != Undecided {
		t.Errorf("equal prints: %v, %v", same, err)
	}
	floor, raised := a.WithFloor()
	if !raised || floor.SE != 0.005 {
		t.Errorf("floor %v, %v", floor, raised)
	}
	if s, raised := (Rounded{good, 0.5, 0.5}).WithFloor(); raised || s != good {
		t.Errorf("a standard error that shows is changed to %v", s)
	}
	if s, raised := (Rounded{Summary{Mean: 3, N: 1}, 0.5, 0.5}).WithFloor(); raised || s.SE != 0 {
		t.Errorf("one run gets a standard error: %v", s)
	}
}

func TestRoundingDecides(t *testing.T) {
	half := func(mean, se float64, n int, unit float64) Rounded {
		return Rounded{Summary{mean, se, n}, unit / 2, unit / 2}
	}
	for _, c := range []struct {
		name  string
		a, b  Rounded
		want  Answer
		equal Answer // within 5 %
	}{
		{"close and coarse", half(9.31, 0.01, 3, 0.01), half(9.36, 0.01, 3, 0.01), Undecided, Yes},
		{"far apart", half(1523, 11, 3, 1), half(1610, 12, 4, 1), Yes, No},
		{"alike", half(1523, 11, 3, 1), half(1528, 10, 3, 1), No, Yes},
		{"equal prints, some noise", half(5, 2, 3, 1), half(5, 2, 3, 1), No, No},
	} {
		r, err := RoundedRatioTest(c.a, c.b)
		if err != nil || r.Decide(0.05) != c.want {
			t.Errorf("%s: different %v (p %v), %v, want %v", c.name, r.Decide(0.05), r, err, c.want)
		}
		low, high, err := Margin(0.05)
		if err != nil {
			t.Fatal(err)
		}
		e, err := RoundedEquivalence(c.a, c.b, low, high)
		if err != nil || e.Decide(0.05) != c.equal {
			t.Errorf("%s: equivalent %v (p %v), %v, want %v", c.name, e.Decide(0.05), e, err, c.equal)
		}
	}
}

func TestExactNumbersGiveNoRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawPair(t)
		r, err := RoundedRatio(Rounded{Summary: a}, Rounded{Summary: b}, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		n := r.Nominal
		for _, c := range []struct {
			r    Range
			want float64
		}{{r.P, n.P}, {r.Ratio, n.Ratio}, {r.Low, n.Low}, {r.High, n.High}} {
			if !near(c.r.Min, c.want, 1e-9, 1e-15) || !near(c.r.Max, c.want, 1e-9, 1e-15) {
				t.Fatalf("range %v of the exact %v", c.r, c.want)
			}
		}
	})
}

func TestRoundedFromDeviation(t *testing.T) {
	// 8306.7 with 0.37 %: the runs 8302.9, 8277.6 and 8339.5 are behind it.
	r, err := RoundedFromDeviation(8306.7, 0.37, 3, 0.05, 0.005)
	if err != nil {
		t.Fatal(err)
	}
	if truth := 17.967965321; !r.seRange().Contains(truth) {
		t.Errorf("%v does not hold the standard error of the runs, %v", r.seRange(), truth)
	}
	if r.SEHalf > 0.015*r.SE {
		t.Errorf("half-unit %v of %v is far above 1.4 %%", r.SEHalf, r.SE)
	}
}

func TestDisjointPrints(t *testing.T) {
	for i := range 3000 {
		at := func(steps int) Rounded {
			return Rounded{Summary{Mean: float64(900+i+steps) / 100}, 0.005, 0}
		}
		if at(0).Disjoint(at(0)) || at(0).Disjoint(at(1)) || at(1).Disjoint(at(0)) {
			t.Errorf("%v: neighbours share a point", at(0).Mean)
		}
		if !at(0).Disjoint(at(2)) || !at(2).Disjoint(at(0)) {
			t.Errorf("%v: two steps share none", at(0).Mean)
		}
	}
	exact := Rounded{Summary: Summary{Mean: 3}}
	if exact.Disjoint(exact) || !exact.Disjoint(Rounded{Summary: Summary{Mean: math.Nextafter(3, 4) + 1e-14}}) {
		t.Error("exact numbers are apart unless equal")
	}
}

// TestRoundedRatioIntervalCovers draws means printed to the unit whose runs vary
// by less: their interval as printed covers far less than it says, the one for all
// that rounding allows does not.
func TestRoundedRatioIntervalCovers(t *testing.T) {
	const draws = 500
	r := rand.New(rand.NewPCG(5, 1))
	print0 := func(s Summary) Rounded {
		return Rounded{Summary{math.Round(s.Mean), math.Round(100*s.SE) / 100, s.N}, 0.5, 0.005}
	}
	printed, rounded := 0, 0
	for range draws {
		mean, ratio := 45+10*r.Float64(), 0.97+0.06*r.Float64()
		a, b := print0(sample(r, 3, mean*ratio, 0.003*mean)), print0(sample(r, 3, mean, 0.003*mean))
		outer, err := RoundedRatioInterval(a, b, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		if outer.Contains(ratio) {
			rounded++
		}
		sa, _ := a.WithFloor()
		sb, _ := b.WithFloor()
		est, err := Ratio(sa, sb, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		if est.Contains(ratio) {
			printed++
		}
		if outer.Low > est.Low || outer.High < est.High {
			t.Fatalf("%v does not hold %v", outer, est.Interval)
		}
	}
	if rounded < draws*95/100 || printed > draws*70/100 {
		t.Errorf("of %d: %d as printed, %d for all that rounding allows", draws, printed, rounded)
	}
}

// The ends are the outermost of a grid of all that prints so, by scipy 1.10.
func TestRoundedRatioInterval(t *testing.T) {
	at := func(mean, half, se, seHalf float64, n int) Rounded {
		return Rounded{Summary{mean, se, n}, half, seHalf}
	}
	for _, c := range []struct {
		a, b      Rounded
		low, high float64
	}{
		{at(9.36, 0.005, 0.01, 0.005, 3), at(9.31, 0.005, 0.01, 0.005, 3), 0.9979776165358799, 1.0128184044859287},
		{at(102, 0.05, 0.1, 0.05, 5), at(100, 0.05, 0.1, 0.05, 5), 1.0140661652446492, 1.0259687807007691},
		{at(100, 0.5, 1, 0.5, 5), at(120, 0.5, 1, 0.5, 5), 0.7891032411620893, 0.8798922097005333},
	} {
		iv, err := RoundedRatioInterval(c.a, c.b, 0.95)
		if err != nil || !closeTo(iv.Low, c.low, 1e-7) || !closeTo(iv.High, c.high, 1e-7) {
			t.Errorf("%v over %v: %v, %v", c.a, c.b, iv, err)
		}
	}
}

func TestLnOfSmallNumbers(t *testing.T) {
	for x, want := range map[float64]float64{ // R 4.2: log(x)
		1e-300: -690.775527898213657, 1e-310: -713.801378828154154, 5e-324: -744.440071921381218, 3: 1.0986122886681098,
	} {
		if !closeTo(Ln(x), want, 1e-13) {
			t.Errorf("%v: %v, want %v", x, Ln(x), want)
		}
	}
	if !math.IsInf(Ln(0), -1) || !math.IsNaN(Ln(-1)) {
		t.Errorf("%v, %v", Ln(0), Ln(-1))
	}
	est, err := Ratio(Summary{3e-320, 3e-322, 3}, Summary{1e-320, 1e-322, 3}, 0.95)
	if err != nil || !est.Contains(3) {
		t.Errorf("%+v, %v", est, err)
	}
}
