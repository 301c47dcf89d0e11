package stats

import (
	"errors"
	"math"
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// share returns which part of the values is at most, and at least, x.
func share(values []float64, x float64) (less, greater float64) {
	for _, v := range values {
		if v <= x {
			less++
		}
		if v >= x {
			greater++
		}
	}
	n := float64(len(values))
	return less / n, greater / n
}

// drawTied draws small samples of few different values.
func drawTied(t *rapid.T, name string, low, high int) []float64 {
	ints := rapid.SliceOfN(rapid.IntRange(0, 4), low, high).Draw(t, name)
	xs := make([]float64, len(ints))
	for i, v := range ints {
		xs[i] = float64(v)
	}
	return xs
}

func TestMannWhitneyAgainstEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawTied(t, "a", 1, 6), drawTied(t, "b", 1, 6)
		pooled := append(slices.Clone(a), b...)
		u := func(set int) float64 {
			var sum float64
			for i, x := range pooled {
				for j, y := range pooled {
					if set&(1<<i) == 0 || set&(1<<j) != 0 {
						continue
					}
					if x > y {
						sum++
					} else if x == y {
						sum += 0.5
					}
				}
			}
			return sum
		}
		var all []float64
		for set := range 1 << len(pooled) {
			if bits.OnesCount(uint(set)) == len(a) {
				all = append(all, u(set))
			}
		}
		observed := u(1<<len(a) - 1)
		got, err := MannWhitney(a, b)
		if err != nil {
			t.Fatal(err)
		}
		less, greater := share(all, observed)
		smallest := 1.0
		for _, v := range all {
			l, g := share(all, v)
			smallest = min(smallest, 2*min(l, g))
		}
		want := RankTest{Statistic: observed, P: min(1, 2*min(less, greater)), PLess: less, PGreater: greater, MinP: smallest, Exact: true}
		if !sameRankTest(got, want) {
			t.Fatalf("%v and %v: %v, want %v", a, b, got, want)
		}
		d, err := RunDominance(a, b)
		if err != nil || !closeTo(d.A12, observed/float64(len(a)*len(b)), 1e-12) || !closeTo(d.Delta, 2*d.A12-1, 1e-9) {
			t.Fatalf("dominance %v, %v of U = %v", d, err, observed)
		}
	})
}

func sameRankTest(a, b RankTest) bool {
	return a.Statistic == b.Statistic && a.Exact == b.Exact && closeTo(a.P, b.P, 1e-12) &&
		closeTo(a.PLess, b.PLess, 1e-12) && closeTo(a.PGreater, b.PGreater, 1e-12) && closeTo(a.MinP, b.MinP, 1e-12)
}

func TestMannWhitneyProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.SliceOfN(rapid.Float64Range(1, 100), 1, 25).Draw(t, "a")
		b := rapid.SliceOfN(rapid.Float64Range(1, 100), 1, 25).Draw(t, "b")
		ab, err := MannWhitney(a, b)
		if err != nil {
			t.Fatal(err)
		}
		ba, err := MannWhitney(b, a)
		if err != nil || !closeTo(ab.P, ba.P, 1e-12) || !closeTo(ab.PLess, ba.PGreater, 1e-12) {
			t.Fatalf("swapped: %v, %v, want the mirror of %v", ba, err, ab)
		}
		// Order of runs and any rising transform leave it alone.
		moved := make([]float64, len(a))
		for i, x := range a {
			moved[len(a)-1-i] = math.Log(x)
		}
		logB := make([]float64, len(b))
		for i, x := range b {
			logB[i] = math.Log(x)
		}
		if again, err := MannWhitney(moved, logB); err != nil || !sameRankTest(ab, again) {
			t.Fatalf("of logs: %v, %v, want %v", again, err, ab)
		}
		if ab.P < ab.MinP*(1-1e-12) || ab.MinP < MannWhitneySmallestP(len(a), len(b))*(1-1e-12) {
			t.Fatalf("p %v, smallest with these ties %v, without %v", ab.P, ab.MinP, MannWhitneySmallestP(len(a), len(b)))
		}
	})
}

// TestMannWhitneyNormalMeetsExact compares the approximation with the exact
// distribution where one gives way to the other.
func TestMannWhitneyNormalMeetsExact(t *testing.T) {
	var a, b []float64
	for i := range 45 {
		a = append(a, float64(i*37%101))
		b = append(b, float64(i*53%103)+14.5)
	}
	exact, err := MannWhitney(a, b)
	if err != nil || !exact.Exact {
		t.Fatalf("%v, %v", exact, err)
	}
	doubled, groups := doubledRanks(append(slices.Clone(a), b...))
	normal := mannWhitneyNormal(exact.Statistic, doubled, groups, len(a))
	if !closeTo(normal.P, exact.P, 0.02) || !closeTo(normal.PLess, exact.PLess, 0.02) {
		t.Errorf("normal %v, exact %v", normal, exact)
	}
}

func TestMannWhitneyPlanning(t *testing.T) {
	for _, c := range []struct {
		runs  int
		alpha float64
		want  int
	}{
		{2, 0.05, 8},
		{3, 0.05, 5},
		{4, 0.05, 4},
		{1, 0.05, 39}, // 2/40 is exactly 0.05
		{3, 0.1, 3},
		{10, 0.05, 2},
	} {
		got, err := MannWhitneyRuns(c.runs, c.alpha)
		if err != nil || got != c.want {
			t.Errorf("for %d runs at %v: %d, %v, want %d", c.runs, c.alpha, got, err, c.want)
		}
	}
}

func TestHodgesLehmannAgainstAllDifferences(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.SliceOfN(rapid.Float64Range(-50, 50), 1, 12).Draw(t, "a")
		b := rapid.SliceOfN(rapid.Float64Range(-50, 50), 1, 12).Draw(t, "b")
		var all []float64
		for _, x := range a {
			for _, y := range b {
				all = append(all, x-y)
			}
		}
		slices.Sort(all)
		got, err := HodgesLehmann(a, b, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		n := len(all)
		if want := (all[(n-1)/2] + all[n/2]) / 2; !closeTo(got.Estimate, want, 1e-12) {
			t.Fatalf("estimate %v, want %v", got.Estimate, want)
		}
		k, level := shiftRank(len(a), len(b), 0.95)
		if got.Low != all[k-1] || got.High != all[n-k] || got.Level != level {
			t.Fatalf("interval %v, want %v to %v at %v", got.Interval, all[k-1], all[n-k], level)
		}
		sortedA, sortedB := slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
		for i, want := range all {
			if d := kthDifference(sortedA, sortedB, i+1); d != want {
				t.Fatalf("difference %d is %v, want %v", i+1, d, want)
			}
		}
	})
}

// TestHodgesLehmannOfManyRuns holds a million million differences.
func TestHodgesLehmannOfManyRuns(t *testing.T) {
	a, b := make([]float64, 1_000_000), make([]float64, 1_000_000)
	for i := range a {
		a[i], b[i] = float64(i)+3, float64(i)
	}
	got, err := HodgesLehmann(a, b, 0.95)
	if err != nil || got.Estimate != 3 || !got.Contains(3) || got.Low < -1000 || got.High > 1000 {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestHodgesLehmannRatioInverts(t *testing.T) {
	a, b := []float64{12.1, 12.4, 12.9, 13.3, 11.8}, []float64{13.1, 13.6, 14.2, 13.9, 14.4}
	ab, err := HodgesLehmannRatio(a, b, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	ba, err := HodgesLehmannRatio(b, a, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	if !closeTo(ab.Estimate*ba.Estimate, 1, 1e-12) || !closeTo(ab.Low*ba.High, 1, 1e-12) {
		t.Errorf("a/b %v, b/a %v", ab, ba)
	}
}

func TestSignedRankAgainstEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ints := rapid.SliceOfN(rapid.IntRange(-4, 4), 1, 10).Draw(t, "xs")
		xs := make([]float64, len(ints))
		var magnitudes []float64
		observed := 0
		for i, v := range ints {
			xs[i] = float64(v) / 10
			if v != 0 {
				if v > 0 {
					observed |= 1 << len(magnitudes)
				}
				magnitudes = append(magnitudes, math.Abs(xs[i]))
			}
		}
		ranks := MidRanks(magnitudes)
		v := func(set int) float64 {
			var sum float64
			for i, r := range ranks {
				if set&(1<<i) != 0 {
					sum += r
				}
			}
			return sum
		}
		var all []float64
		for set := range 1 << len(ranks) {
			all = append(all, v(set))
		}
		less, greater := share(all, v(observed))
		got, err := SignedRank(xs)
		if err != nil {
			t.Fatal(err)
		}
		if got.N != len(magnitudes) || got.Zeros != len(xs)-len(magnitudes) || got.Statistic != v(observed) ||
			!closeTo(got.PLess, less, 1e-12) || !closeTo(got.PGreater, greater, 1e-12) || !closeTo(got.P, min(1, 2*min(less, greater)), 1e-12) {
			t.Fatalf("%v: %v, want V %v, p %v and %v", xs, got, v(observed), less, greater)
		}
	})
}

// TestSignedRankTiesOfComputedLogs has ratios that tie on paper: 0.8 and 1.25,
// 0.5 and 2 are as far from 1 either way.
func TestSignedRankTiesOfComputedLogs(t *testing.T) {
	ls, err := logs([]float64{0.8, 1.25, 0.5, 2, 0.1, 10, 0.7, 1 / 0.7})
	if err != nil {
		t.Fatal(err)
	}
	got, err := SignedRank(ls)
	if err != nil || got.P != 1 || got.Statistic != 18 {
		t.Errorf("a balanced set gives %v, %v", got, err)
	}
}

// permutations calls f with all orders of xs, changing xs in place.
func permutations(xs []float64, k int, f func([]float64)) {
	if k == len(xs) {
		f(xs)
		return
	}
	for i := k; i < len(xs); i++ {
		xs[k], xs[i] = xs[i], xs[k]
		permutations(xs, k+1, f)
		xs[k], xs[i] = xs[i], xs[k]
	}
}

func TestRankCorrelationAgainstEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(5, 6).Draw(t, "n")
		x, y := drawTied(t, "x", n, n), drawTied(t, "y", n, n)
		if allEqual(x) || allEqual(y) {
			t.Skip("constant")
		}
		// By definition, unlike concordance.
		score := func(p []float64) float64 {
			s := 0
			for i := range x {
				for j := range i {
					s += sign(x[i], x[j]) * sign(p[i], p[j])
				}
			}
			if got := concordance(x, p); got != s {
				t.Fatalf("S of %v and %v is %d, want %d", x, p, got, s)
			}
			return float64(s)
		}
		rx := MidRanks(x)
		product := func(p []float64) float64 {
			var sum float64
			for i, r := range MidRanks(p) {
				sum += rx[i] * r
			}
			return sum
		}
		var scores, products []float64
		permutations(slices.Clone(y), 0, func(p []float64) {
			scores, products = append(scores, score(p)), append(products, product(p))
		})
		tau, err1 := KendallTest(x, y)
		rho, err2 := SpearmanTest(x, y)
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		less, greater := share(scores, score(y))
		if !closeTo(tau.P, min(1, 2*min(less, greater)), 1e-12) {
			t.Fatalf("tau of %v and %v: %v, want p %v or %v", x, y, tau, less, greater)
		}
		less, greater = share(products, product(y))
		if !closeTo(rho.P, min(1, 2*min(less, greater)), 1e-12) {
			t.Fatalf("rho of %v and %v: %v, want p %v or %v", x, y, rho, less, greater)
		}
		if !tau.Exact || !rho.Exact {
			t.Fatal("not exact")
		}
	})
}

func TestRankCorrelationProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(5, 20).Draw(t, "n")
		x := rapid.SliceOfN(rapid.Float64Range(0.1, 100), n, n).Draw(t, "x")
		y := rapid.SliceOfN(rapid.Float64Range(0.1, 100), n, n).Draw(t, "y")
		if allEqual(x) || allEqual(y) {
			t.Skip("constant")
		}
		for name, f := range map[string]func(x, y []float64) (CorrelationTest, error){"rho": SpearmanTest, "tau": KendallTest} {
			xy, err := f(x, y)
			if err != nil {
				t.Fatal(err)
			}
			yx, err := f(y, x)
			if err != nil || !closeTo(xy.P, yx.P, 1e-9) || !closeTo(xy.Coefficient, yx.Coefficient, 1e-12) {
				t.Fatalf("%s: %v swapped %v, %v", name, xy, yx, err)
			}
			down := make([]float64, n)
			for i, v := range y {
				down[i] = -math.Log(v)
			}
			neg, err := f(x, down)
			if err != nil || !near(neg.Coefficient, -xy.Coefficient, 1e-12, 1e-12) || !closeTo(neg.P, xy.P, 1e-9) {
				t.Fatalf("%s: %v turned over %v, %v", name, xy, neg, err)
			}
			if xy.P < 0 || xy.P > 1 || math.Abs(xy.Coefficient) > 1 {
				t.Fatalf("%s: %v", name, xy)
			}
			self, err := f(x, x)
			if err != nil || !closeTo(self.Coefficient, 1, 1e-12) {
				t.Fatalf("%s with itself: %v, %v", name, self, err)
			}
		}
	})
}
