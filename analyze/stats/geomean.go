package stats

import (
	"fmt"
	"math"
)

// GeoMeanEstimate is a geometric mean of ratios with what is known about it.
type GeoMeanEstimate struct {
	GeoMean float64
	N       int // ratios in it
	// SELog is the standard error of ln GeoMean.
	SELog float64
	// SDLog is the standard deviation of the ln of the ratios over N-1, and
	// GeoSD its exponential. Both are zero from [GeoMeanOfFixed].
	SDLog, GeoSD float64
	// TTest tests the geometric mean against 1.
	TTest
	// Interval holds the geometric mean.
	Interval
}

// GeometricMean returns the geometric mean of positive numbers. It returns
// ErrTooFew for none, and ErrNotPositive for one that is zero or negative:
// leave those out and name them, never let one turn the mean to nothing.
// Fleming and Wallace 1986.
func GeometricMean(xs []float64) (float64, error) {
	if err := checkCount("ratios", len(xs), 1); err != nil {
		return 0, err
	}
	ls, err := logs(xs)
	if err != nil {
		return 0, err
	}
	s, err := Summarize(ls)
	if err != nil {
		return 0, err
	}
	return math.Exp(s.Mean), nil
}

// GeoMeanOfSample returns the geometric mean of ratios with the interval for
// tests that are a sample of all tests one could have run: Student's t on their
// logarithms with N-1 degrees of freedom. It answers "how would another such
// set of tests come out"; the noise of single runs is in it, unnamed.
//
// The other reading of the same ratios is [GeoMeanOfFixed], which can be many
// times narrower: say which one is printed. It assumes ratios that are
// independent and near log-normal; option rows of one profile are not (see
// [CollapseRatios]).
//
// It returns ErrTooFew for fewer than two ratios, ErrNotPositive for one that
// is zero or negative, and ErrZeroSE if all are equal.
func GeoMeanOfSample(ratios []float64, level float64) (GeoMeanEstimate, error) {
	if err := checkLevel("level", level); err != nil {
		return GeoMeanEstimate{}, err
	}
	if err := checkCount("ratios", len(ratios), 2); err != nil {
		return GeoMeanEstimate{}, err
	}
	ls, err := logs(ratios)
	if err != nil {
		return GeoMeanEstimate{}, err
	}
	s, err := Summarize(ls)
	if err != nil {
		return GeoMeanEstimate{}, err
	}
	if s.SE == 0 {
		return GeoMeanEstimate{}, ErrZeroSE
	}
	g := newGeoMean(s.Mean, s.SE, float64(s.N-1), s.N, level)
	g.SDLog = s.SD()
	g.GeoSD = math.Exp(g.SDLog)
	return g, g.check(g.GeoSD)
}

// GeoMeanOfFixed returns the geometric mean of measured ratios with the
// interval for these very tests: only the measurement error of the ratios
// counts, SE = √(ΣSElog²)/N with Satterthwaite degrees of freedom over the
// parts. It answers "how well is the mean of exactly these tests known" and
// says nothing about other tests; for that see [GeoMeanOfSample].
//
// It uses Ratio, SELog and DF (1 or more) of each part and assumes their errors to be
// independent: with one baseline for all, systems share its error, tests do
// not. It returns ErrTooFew for no ratios, ErrNotPositive for one that is zero
// or negative and ErrZeroSE if all errors are zero.
func GeoMeanOfFixed(ratios []RatioEstimate, level float64) (GeoMeanEstimate, error) {
	if err := checkLevel("level", level); err != nil {
		return GeoMeanEstimate{}, err
	}
	if err := checkCount("ratios", len(ratios), 1); err != nil {
		return GeoMeanEstimate{}, err
	}
	n := float64(len(ratios))
	var sum, largest float64
	for i, r := range ratios {
		if err := checkPositive(r.Ratio); err != nil {
			return GeoMeanEstimate{}, fmt.Errorf("ratio %d: %w", i+1, err)
		}
		if err := checkFinite(r.SELog, r.DF); err != nil {
			return GeoMeanEstimate{}, fmt.Errorf("ratio %d: %w", i+1, err)
		}
		if r.SELog < 0 || r.DF < minDF {
			return GeoMeanEstimate{}, fmt.Errorf("ratio %d: standard error %v with %v degrees of freedom", i+1, r.SELog, r.DF)
		}
		sum += Ln(r.Ratio)
		largest = math.Max(largest, r.SELog)
	}
	if largest == 0 {
		return GeoMeanEstimate{}, ErrZeroSE
	}
	var v, w float64
	for _, r := range ratios {
		s := r.SELog / largest
		v += s * s
		w += s * s * s * s / r.DF
	}
	g := newGeoMean(sum/n, largest*math.Sqrt(v)/n, v*v/w, len(ratios), level)
	return g, g.check()
}

func newGeoMean(log, se, df float64, n int, level float64) GeoMeanEstimate {
	half := tQuantile(level, df) * se
	t := log / se
	return GeoMeanEstimate{
		GeoMean:  math.Exp(log),
		N:        n,
		SELog:    se,
		TTest:    TTest{T: t, DF: df, P: tTwoSided(t, df)},
		Interval: Interval{Low: math.Exp(log - half), High: math.Exp(log + half), Level: level},
	}
}

func (g GeoMeanEstimate) check(more ...float64) error {
	if g.Low == 0 {
		return ErrOverflow
	}
	return checkResult(append(more, g.GeoMean, g.SELog, g.T, g.DF, g.Low, g.High)...)
}

// CollapseRatios returns one ratio a group: the median, taken on logarithms, of
// the ratios that carry the same group number. Groups come in the order of
// their first ratio. A profile with thirty option rows then counts as one test
// beside a profile with one. The two slices must have equal length.
func CollapseRatios(ratios []float64, group []int) ([]float64, error) {
	if len(ratios) != len(group) {
		return nil, fmt.Errorf("%d ratios in %d groups: want a group for each ratio", len(ratios), len(group))
	}
	ls, err := logs(ratios)
	if err != nil {
		return nil, err
	}
	index := make(map[int]int)
	var members [][]float64
	for i, g := range group {
		at, known := index[g]
		if !known {
			at = len(members)
			index[g] = at
			members = append(members, nil)
		}
		members[at] = append(members[at], ls[i])
	}
	collapsed := make([]float64, len(members))
	for i, m := range members {
		median, err := Median(m)
		if err != nil {
			return nil, err
		}
		collapsed[i] = math.Exp(median)
	}
	return collapsed, nil
}
