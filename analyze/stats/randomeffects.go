package stats

import "math"

// RandomEffects is what several estimates of one thing, each with an error of
// its own, say together where the thing itself may vary from one to the next.
type RandomEffects struct {
	K    int     // estimates
	Mean float64 // in their unit
	SE   float64 // of Mean
	// Tau2 is the variance between them beyond their own errors, 0 or more.
	Tau2 float64
	// Q is the weighted sum of squares about the common mean, I2 the share
	// of it beyond what errors alone would give: 0 to 1.
	Q, I2 float64
}

// DerSimonianLaird joins estimates with known variances by the method of
// moments:
//
//	w = 1/v,  Q = Σw(y-ȳw)²,  τ² = max(0, (Q-(k-1))/(Σw-Σw²/Σw))
//	Mean = Σw*y/Σw*,  SE = 1/√Σw*,  w* = 1/(v+τ²),  I² = max(0, (Q-(k-1))/Q)
//
// One estimate is its own mean, with τ² 0. It returns ErrTooFew for none,
// ErrZeroSE for a variance that is not above zero and ErrNotFinite for what is
// no number. DerSimonian and Laird 1986; I²: Higgins and Thompson 2002.
func DerSimonianLaird(y, v []float64) (RandomEffects, error) {
	if err := checkCount("estimates", min(len(y), len(v)), max(1, len(y), len(v))); err != nil {
		return RandomEffects{}, err
	}
	if err := checkFinite(append(append([]float64(nil), y...), v...)...); err != nil {
		return RandomEffects{}, err
	}
	smallest := math.Inf(1)
	for _, x := range v {
		if x <= 0 {
			return RandomEffects{}, ErrZeroSE
		}
		smallest = math.Min(smallest, x)
	}
	k := len(y)
	r := RandomEffects{K: k}
	// Weights relative to the largest, means relative to the first.
	var sw, sw2, swy float64
	for i := range y {
		w := smallest / v[i]
		sw += w
		sw2 += w * w
		swy += w * (y[i] - y[0])
	}
	fixed := swy / sw
	for i := range y {
		d := y[i] - y[0] - fixed
		r.Q += d / v[i] * d
	}
	df := float64(k - 1)
	if k > 1 && r.Q > df {
		r.Tau2 = (r.Q - df) / (sw - sw2/sw) * smallest
		r.I2 = (r.Q - df) / r.Q
	}
	sw, swy = 0, 0
	for i := range y {
		w := 1 / (v[i] + r.Tau2)
		sw += w
		swy += w * (y[i] - y[0])
	}
	r.Mean, r.SE = y[0]+swy/sw, 1/math.Sqrt(sw)
	return r, checkResult(r.Mean, r.SE, r.Tau2, r.Q)
}

// OneWay is a one-way random-effects analysis of groups of runs: how much of
// their variance lies between groups and how much within.
type OneWay struct {
	RandomEffects
	// Within is the standard deviation of single runs within a group, all
	// groups pooled.
	Within float64
	// F tests that all groups have one mean, with DF1 and DF2 degrees of
	// freedom.
	F, DF1, DF2, P float64
}

// OneWayRandom analyses groups of which means, standard errors and numbers of
// runs are known. The variance within is pooled, s² = Σ(n-1)s²/Σ(n-1), as one
// group of few runs tells little of its own; a group of one run takes part with
// it. The variance between is that of [DerSimonianLaird] with v = s²/n, which
// for groups of one size is the estimator of the analysis of variance,
// (MSB-MSW)/n, not below zero. F is Q/(k-1), the exact F of that analysis.
//
// It assumes independent, near normal runs of equal spread within all groups. It
// returns ErrTooFew for fewer than two groups, an unknown number of runs, or no
// group of two runs; ErrNoSE where a group of several has no standard error;
// ErrZeroSE where no group has any spread. Searle, Casella and McCulloch 1992.
func OneWayRandom(groups []Summary) (OneWay, error) {
	y, v, o, err := pooled(groups)
	if err != nil {
		return o, err
	}
	if o.RandomEffects, err = DerSimonianLaird(y, v); err != nil {
		return o, err
	}
	o.DF1 = float64(len(groups) - 1)
	o.F = o.Q / o.DF1
	o.P = fTail(o.F, o.DF1, o.DF2)
	return o, checkResult(o.F, o.P)
}

// pooled returns the groups' means and variances of means by the pooled spread.
func pooled(groups []Summary) (y, v []float64, o OneWay, err error) {
	if err := checkCount("groups", len(groups), 2); err != nil {
		return nil, nil, o, err
	}
	var ss float64
	for _, g := range groups {
		if err := checkFinite(g.Mean); err != nil {
			return nil, nil, o, err
		}
		if err := checkCount("runs", g.N, 1); err != nil {
			return nil, nil, o, err
		}
		if g.N == 1 {
			continue
		}
		if math.IsNaN(g.SE) || g.SE < 0 {
			return nil, nil, o, ErrNoSE
		}
		ss += float64(g.N-1) * float64(g.N) * g.SE * g.SE
		o.DF2 += float64(g.N - 1)
	}
	if o.DF2 == 0 {
		return nil, nil, o, checkCount("runs of a group", 1, 2)
	}
	s2 := ss / o.DF2
	if s2 == 0 {
		return nil, nil, o, ErrZeroSE
	}
	o.Within = math.Sqrt(s2)
	for _, g := range groups {
		y = append(y, g.Mean)
		v = append(v, s2/float64(g.N))
	}
	return y, v, o, nil
}

// DeletedResidual sets one group against all others.
type DeletedResidual struct {
	Difference float64 // of the group from the others' mean
	SE         float64 // of Difference, for a group that is like the others
	TTest
}

// DeletedResiduals says of every group whether it is like the others: its
// distance from their mean, over the spread that groups like them have and the
// errors of both,
//
//	T = (y-μ₋)/√(v+τ²₋+SE²₋),  DF = k-2
//
// where the minus stands for an analysis without the group. What the others'
// variance is estimated with are k-1 groups, hence the degrees of freedom; where
// they show no variance between them the test is cautious. P values are of one
// test each: adjust them for their number ([Holm]).
//
// It needs three groups: of two that differ, nothing says which is the odd one.
// Errors are those of [OneWayRandom]. Viechtbauer and Cheung 2010.
func DeletedResiduals(groups []Summary) ([]DeletedResidual, error) {
	if err := checkCount("groups", len(groups), 3); err != nil {
		return nil, err
	}
	y, v, _, err := pooled(groups)
	if err != nil {
		return nil, err
	}
	list := make([]DeletedResidual, len(groups))
	for i := range groups {
		var oy, ov []float64
		oy = append(append(oy, y[:i]...), y[i+1:]...)
		ov = append(append(ov, v[:i]...), v[i+1:]...)
		rest, err := DerSimonianLaird(oy, ov)
		if err != nil {
			return nil, err
		}
		d := &list[i]
		d.Difference = y[i] - rest.Mean
		d.SE = math.Sqrt(v[i] + rest.Tau2 + rest.SE*rest.SE)
		d.T, d.DF = d.Difference/d.SE, float64(len(groups)-2)
		d.P = tTwoSided(d.T, d.DF)
		if err := checkResult(d.SE, d.T, d.P); err != nil {
			return nil, err
		}
	}
	return list, nil
}
