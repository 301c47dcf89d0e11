package stats

import (
	"errors"
	"math"
	"testing"
)

// Summaries that lack something.
var (
	nan       = math.NaN()
	inf       = math.Inf(1)
	good      = Summary{Mean: 100, SE: 1, N: 3}
	oneRun    = Summary{Mean: 100, SE: 1, N: 1} // a standard error beside one run means nothing
	noRuns    = Summary{Mean: 100, SE: 1}       // their number is not known
	noSE      = Summary{Mean: 100, SE: nan, N: 3}
	zeroSE    = Summary{Mean: 100, SE: 0, N: 3}
	zeroMean  = Summary{Mean: 0, SE: 1, N: 3}
	negative  = Summary{Mean: -5, SE: 1, N: 3}
	nanMean   = Summary{Mean: nan, SE: 1, N: 3}
	infMean   = Summary{Mean: inf, SE: 1, N: 3}
	infSE     = Summary{Mean: 1, SE: inf, N: 3}
	negSE     = Summary{Mean: 1, SE: -1, N: 3}
	allEqual3 = []float64{7, 7, 7}
)

// errAny stands for an error that is none of the sentinels.
var errAny = errors.New("any")

func TestPairsOfSummariesThatLackSomething(t *testing.T) {
	functions := []struct {
		name  string
		ratio bool // needs positive means
		call  func(a, b Summary) error
	}{
		{"Ratio", true, func(a, b Summary) error { _, err := Ratio(a, b, 0.95); return err }},
		{"RatioTest", true, func(a, b Summary) error { _, err := RatioTest(a, b); return err }},
		{"Fieller", true, func(a, b Summary) error { _, err := Fieller(a, b, 0.95); return err }},
		{"Equivalence", true, func(a, b Summary) error { _, err := Equivalence(a, b, 0.95, 1/0.95, 0.05); return err }},
		{"RoundedRatio", true, func(a, b Summary) error {
			_, err := RoundedRatio(Rounded{Summary: a}, Rounded{Summary: b}, 0.95)
			return err
		}},
		{"RoundedRatioTest", true, func(a, b Summary) error {
			_, err := RoundedRatioTest(Rounded{Summary: a}, Rounded{Summary: b})
			return err
		}},
		{"RoundedEquivalence", true, func(a, b Summary) error {
			_, err := RoundedEquivalence(Rounded{Summary: a}, Rounded{Summary: b}, 0.9, 1.1)
			return err
		}},
		{"Welch", false, func(a, b Summary) error { _, err := Welch(a, b, 0.95); return err }},
		{"RoundedWelch", false, func(a, b Summary) error { _, err := RoundedWelch(Rounded{Summary: a}, Rounded{Summary: b}); return err }},
		{"Effect", false, func(a, b Summary) error { _, err := Effect(a, b); return err }},
	}
	for _, f := range functions {
		positive := func(err error) error {
			if f.ratio {
				return err
			}
			return nil
		}
		for _, c := range []struct {
			name  string
			other Summary
			want  error
		}{
			{"good", good, nil},
			{"one run", oneRun, ErrTooFew},
			{"unknown runs", noRuns, ErrTooFew},
			{"no standard error", noSE, ErrNoSE},
			{"one zero standard error", zeroSE, nil},
			{"zero mean", zeroMean, positive(ErrNotPositive)},
			{"negative mean", negative, positive(ErrNotPositive)},
			{"NaN mean", nanMean, ErrNotFinite},
			{"infinite mean", infMean, ErrNotFinite},
			{"infinite standard error", infSE, ErrNotFinite},
			{"negative standard error", negSE, errAny},
		} {
			if err := f.call(good, c.other); !matches(err, c.want) {
				t.Errorf("%s with %s second: %v, want %v", f.name, c.name, err, c.want)
			}
			if err := f.call(c.other, good); !matches(err, c.want) {
				t.Errorf("%s with %s first: %v, want %v", f.name, c.name, err, c.want)
			}
		}
		if err := f.call(zeroSE, Summary{Mean: 50, N: 5}); !errors.Is(err, ErrZeroSE) {
			t.Errorf("%s with no spread at all: %v, want ErrZeroSE", f.name, err)
		}
	}
}

func matches(err, want error) bool {
	if want == errAny {
		return err != nil
	}
	return errors.Is(err, want)
}

// runsN returns n different runs.
func runsN(n int) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = 10 + float64(i)
	}
	return xs
}

func TestDegenerateInput(t *testing.T) {
	p := Plan{CVA: 0.02, CVB: 0.02, Ratio: 1.05, Alpha: 0.05}
	mean := func(s [][]float64) float64 { m, _ := Summarize(s[0]); return m.Mean }
	for _, c := range []struct {
		name string
		err  error
		want error
	}{
		{"no runs", second(Summarize(nil)), ErrTooFew},
		{"NaN run", second(Summarize([]float64{1, nan})), ErrNotFinite},
		{"runs too far apart", second(Summarize([]float64{-1e308, 1e308, 1e308})), ErrOverflow},
		{"deviation of one run", second(FromDeviation(10, 0.5, 1)), ErrTooFew},
		{"negative deviation", second(FromDeviation(10, -0.5, 3)), errAny},
		{"deviation of a zero mean", second(zeroMean.DeviationPercent()), ErrNotPositive},
		{"level of 1", second(Ratio(good, good, 1)), errAny},
		{"level of NaN", second(Ratio(good, good, nan)), errAny},
		{"ratio out of range", second(Ratio(Summary{1e300, 1, 3}, Summary{1e-300, 1e-310, 3}, 0.95)), ErrOverflow},
		{"interval out of range", second(Ratio(Summary{1, 900, 2}, Summary{1, 1, 2}, 0.95)), ErrOverflow},
		{"margin upside down", second(Equivalence(good, good, 1.1, 0.9, 0.05)), errAny},
		{"margin of zero", second(Equivalence(good, good, 0, 1.1, 0.05)), ErrNotPositive},
		{"alpha of a half", second(Equivalence(good, good, 0.9, 1.1, 0.5)), errAny},
		{"prediction from one run", second(Prediction(oneRun, 1, 0.95)), ErrTooFew},
		{"prediction without spread", second(Prediction(zeroSE, 1, 0.95)), ErrZeroSE},
		{"prediction for no runs", second(Prediction(good, 0, 0.95)), ErrTooFew},
		{"single run, NaN", second(SingleRun(good, nan)), ErrNotFinite},
		{"Mann-Whitney, empty side", second(MannWhitney(nil, runsN(3))), ErrTooFew},
		{"Mann-Whitney, NaN", second(MannWhitney([]float64{nan}, runsN(3))), ErrNotFinite},
		{"Mann-Whitney, one v one", second(MannWhitney([]float64{1}, []float64{2})), nil},
		{"planning for one run at a tiny alpha", second(MannWhitneyRuns(1, 1e-9)), ErrUnreachable},
		{"planning for no runs", second(MannWhitneyRuns(0, 0.05)), ErrTooFew},
		{"Hodges-Lehmann, empty side", second(HodgesLehmann(runsN(3), nil, 0.95)), ErrTooFew},
		{"Hodges-Lehmann ratio of zero", second(HodgesLehmannRatio(runsN(3), []float64{0, 1}, 0.95)), ErrNotPositive},
		{"signed rank of nothing", second(SignedRank(nil)), ErrTooFew},
		{"signed rank of zeros", second(SignedRank([]float64{0, 0})), nil},
		{"sign test of nothing", second(SignTest(0, 0, 0.95)), ErrTooFew},
		{"more wins than tests", second(SignTest(3, 2, 0.95)), errAny},
		{"p above one", second(Holm([]float64{1.1})), errAny},
		{"negative p", second(BenjaminiHochberg([]float64{-0.1})), errAny},
		{"geometric mean of nothing", second(GeometricMean(nil)), ErrTooFew},
		{"geometric mean with a zero", second(GeometricMean([]float64{1, 0})), ErrNotPositive},
		{"geometric mean with a negative", second(GeometricMean([]float64{1, -1})), ErrNotPositive},
		{"geometric mean interval of one", second(GeoMeanOfSample([]float64{1.1}, 0.95)), ErrTooFew},
		{"geometric mean interval of equals", second(GeoMeanOfSample([]float64{1.1, 1.1}, 0.95)), ErrZeroSE},
		{"fixed geometric mean without error", second(GeoMeanOfFixed([]RatioEstimate{{Ratio: 1, TTest: TTest{DF: 2}}}, 0.95)), ErrZeroSE},
		{"fixed geometric mean without df", second(GeoMeanOfFixed([]RatioEstimate{{Ratio: 1, SELog: 1}}, 0.95)), errAny},
		{"groups that do not fit", second(CollapseRatios([]float64{1, 2}, []int{1})), errAny},
		{"Friedman of one test", second(Friedman([][]float64{{1, 2, 3}}, nil)), ErrTooFew},
		{"Friedman of one system", second(Friedman([][]float64{{1}, {2}}, nil)), ErrTooFew},
		{"Friedman of ties alone", second(Friedman([][]float64{{1, 1, 1}, {2, 2, 2}}, nil)), ErrNoVariation},
		{"Friedman of ragged rows", second(Friedman([][]float64{{1, 2, 3}, {2, 2}}, nil)), errAny},
		{"Friedman with NaN", second(Friedman([][]float64{{1, 2, 3}, {2, nan, 1}}, nil)), ErrNotFinite},
		{"Friedman with too few directions", second(Friedman([][]float64{{1, 2}, {2, 1}}, []bool{true})), errAny},
		{"Nemenyi of one system", second(Nemenyi(1, 10, 0.05)), ErrTooFew},
		{"Nemenyi over one test", second(Nemenyi(3, 1, 0.05)), ErrTooFew},
		{"analysis of variance of one system", second(WelchANOVA([]Summary{good, zeroSE, oneRun, noSE})), ErrTooFew},
		{"analysis of variance, NaN", second(WelchANOVA([]Summary{good, good, nanMean})), ErrNotFinite},
		{"pairs of one system", second(RatioPairs([]Summary{good})), ErrTooFew},
		{"pairs of too many systems", second(RatioPairs(make([]Summary, 1001))), ErrTooLarge},
		{"rank of NaN", second(RankIntervals([]float64{1, nan}, true, nil, 0.05)), ErrNotFinite},
		{"pair out of range", second(RankIntervals([]float64{1, 2}, true, []Pair{{I: 0, J: 2}}, 0.05)), errAny},
		{"letters for nobody", second(LetterGroups(nil, nil, 0.05)), ErrTooFew},
		{"Spearman of unequal lengths", second(Spearman(runsN(3), runsN(4))), errAny},
		{"Spearman of one pair", second(Spearman(runsN(1), runsN(1))), ErrTooFew},
		{"Spearman of a constant", second(Spearman(runsN(3), allEqual3)), ErrNoVariation},
		{"Spearman test of four pairs", second(SpearmanTest(runsN(4), runsN(4))), ErrTooFew},
		{"Kendall of a constant", second(Kendall(allEqual3, runsN(3))), ErrNoVariation},
		{"Kendall test of four pairs", second(KendallTest(runsN(4), runsN(4))), ErrTooFew},
		{"drift of five runs", second(Drift(runsN(5))), ErrTooFew},
		{"drift of equal runs", second(Drift([]float64{1, 1, 1, 1, 1, 1})), ErrNoVariation},
		{"concordance of a constant", second(Concordance(runsN(3), allEqual3, 0.95)), ErrNoVariation},
		{"agreement of nothing", second(Agreement(nil, nil, 0.9, 1.1, 0.95)), ErrTooFew},
		{"agreement with a zero", second(Agreement([]float64{1}, []float64{0}, 0.9, 1.1, 0.95)), ErrNotPositive},
		{"median of nothing", second(Median(nil)), ErrTooFew},
		{"median of NaN", second(Median([]float64{nan})), ErrNotFinite},
		{"quantile above one", second(Quantile(runsN(3), 1.01)), errAny},
		{"median interval of nothing", second(MedianInterval(nil, 0.95)), ErrTooFew},
		{"outliers of nothing", second(Outliers(nil, 0)), ErrTooFew},
		{"negative resolution", second(Outliers(runsN(3), -1)), errAny},
		{"dominance of nothing", second(RunDominance(nil, runsN(2))), ErrTooFew},
		{"bootstrap of nine runs", second(Bootstrap([][]float64{runsN(9)}, mean, 0.95, Resampling{})), ErrTooFew},
		{"bootstrap of nothing", second(Bootstrap(nil, mean, 0.95, Resampling{})), ErrTooFew},
		{"bootstrap of a constant", second(Bootstrap([][]float64{make([]float64, 12)}, mean, 0.95, Resampling{})), ErrNoVariation},
		{"bootstrap with too few resamples", second(Bootstrap([][]float64{runsN(12)}, mean, 0.95, Resampling{Resamples: 10})), errAny},
		{"bootstrap of a statistic without value", second(Bootstrap([][]float64{runsN(12)}, func([][]float64) float64 { return nan }, 0.95, Resampling{})), ErrNotFinite},
		{"overall ranks over nine tests", second(OverallRanks(make([][]float64, 9), nil, 0.95)), ErrTooFew},
		{"power of one run", second(p.DifferencePower(1)), ErrTooFew},
		{"power without noise", second(Plan{Ratio: 1.1, Alpha: 0.05}.DifferencePower(3)), ErrZeroSE},
		{"runs to tell 1 from 1", second(Plan{CVA: 0.1, CVB: 0.1, Ratio: 1, Alpha: 0.05}.DifferenceRuns(0.8)), ErrUnreachable},
		{"runs to prove a ratio outside", second(p.EquivalenceRuns(0.97, 1/0.97, 0.8)), ErrUnreachable},
		{"runs for a hair", second(Plan{CVA: 0.5, CVB: 0.5, Ratio: 1 + 1e-9, Alpha: 0.05}.DifferenceRuns(0.8)), ErrUnreachable},
		{"speedup of zero", second(Speedup(0, 1, true)), ErrNotPositive},
		{"reduction of a negative", second(Reduction(1, -1)), ErrNotPositive},
		{"speedup out of range", second(Speedup(1e-300, 1e300, true)), ErrOverflow},
	} {
		if !matches(c.err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, c.err, c.want)
		}
	}
}

func second[T any](_ T, err error) error { return err }
