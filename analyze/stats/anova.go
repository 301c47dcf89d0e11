package stats

import "math"

// ANOVATest is the outcome of an analysis of variance.
type ANOVATest struct {
	F, DF1, DF2, P float64
	// Excluded lists the indices of the systems left out, in order: those
	// with fewer than two runs, no standard error or a zero one.
	Excluded []int
}

// WelchANOVA tests whether the means of several systems in one test are equal,
// from published summaries and without the assumption of equal spread. For two
// systems it is [Welch]'s test with F = T².
//
// Systems that carry no information about their spread are left out and named
// in Excluded. It assumes independent, near normal runs. It returns ErrTooFew
// if fewer than two systems remain, and ErrNotFinite for a mean that is NaN or
// infinite. Welch 1951.
func WelchANOVA(systems []Summary) (ANOVATest, error) {
	var test ANOVATest
	var used []Summary
	smallest := math.Inf(1)
	for i, s := range systems {
		if err := checkFinite(s.Mean); err != nil {
			return ANOVATest{}, err
		}
		if s.check() != nil || s.SE == 0 {
			test.Excluded = append(test.Excluded, i)
			continue
		}
		used = append(used, s)
		smallest = math.Min(smallest, s.SE)
	}
	if err := checkCount("systems", len(used), 2); err != nil {
		return test, err
	}
	k := float64(len(used))
	// Weights relative to the largest, means relative to the first.
	weight := make([]float64, len(used))
	var total, mean float64
	for i, s := range used {
		w := smallest / s.SE
		weight[i] = w * w
		total += weight[i]
		mean += weight[i] * (s.Mean - used[0].Mean)
	}
	mean = used[0].Mean + mean/total
	var between, h float64
	for i, s := range used {
		d := (s.Mean - mean) / s.SE
		between += d * d
		rest := 1 - weight[i]/total
		h += rest * rest / float64(s.N-1)
	}
	test.F = between / (k - 1) / (1 + 2*(k-2)/(k*k-1)*h)
	test.DF1 = k - 1
	test.DF2 = (k*k - 1) / (3 * h)
	test.P = fTail(test.F, test.DF1, test.DF2)
	return test, checkResult(test.F, test.DF2, test.P)
}
