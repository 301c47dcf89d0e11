package stats

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"
)

// noNaN reports the first NaN or infinity anywhere in v.
func noNaN(v reflect.Value, path string) error {
	switch v.Kind() {
	case reflect.Float64:
		if !isFinite(v.Float()) {
			return fmt.Errorf("%s is %v", path, v.Float())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if err := noNaN(v.Field(i), path+"."+v.Type().Field(i).Name); err != nil {
				return err
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			if err := noNaN(v.Index(i), fmt.Sprintf("%s[%d]", path, i)); err != nil {
				return err
			}
		}
	}
	return nil
}

// numbers reads a float64 from every 8 bytes and one from what is left over, so
// that a fuzzer reaches every bit pattern.
func numbers(data []byte) []float64 {
	var xs []float64
	for len(data) >= 8 && len(xs) < 24 {
		xs = append(xs, math.Float64frombits(binary.LittleEndian.Uint64(data)))
		data = data[8:]
	}
	for _, b := range data { // and small ones, which tie
		if len(xs) == 24 {
			break
		}
		xs = append(xs, float64(int8(b))/4)
	}
	return xs
}

// FuzzNoNaN calls everything with whatever numbers come: nothing may panic, and
// what comes without an error must be finite, arguments unchanged.
func FuzzNoNaN(f *testing.F) {
	seed := func(xs ...float64) []byte {
		var data []byte
		for _, x := range xs {
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(x))
		}
		return data
	}
	f.Add(seed(1523, 11, 1547, 18, 0.005, 0.005, 0.95), uint16(3), uint16(5))
	f.Add(seed(1e308, 1e308, -1e308, 1e-308, 5e-324, 1e300), uint16(2), uint16(2))
	f.Add(seed(math.NaN(), math.Inf(1), 0, -1, 1, 1), uint16(0), uint16(1))
	f.Add([]byte{1, 2, 3, 3, 3, 4, 1}, uint16(9), uint16(65535))
	f.Add(seed(1, 1e-300, 1, 1e300, 2, 3), uint16(4), uint16(40))
	f.Fuzz(func(t *testing.T, data []byte, n, m uint16) {
		xs := numbers(data)
		if len(xs) < 6 {
			return
		}
		before := slices.Clone(xs)
		a, b := Summary{xs[0], xs[1], int(n)}, Summary{xs[2], xs[3], int(m)}
		ra, rb := Rounded{a, xs[4], xs[5]}, Rounded{b, xs[5], xs[4]}
		level := 0.95
		if l := math.Abs(xs[4]); l < 1 {
			level = l
		}
		half := len(xs) / 2
		x, y := xs[:half], xs[half:2*half]
		rows := [][]float64{x, y, x, y, y}
		higher := []bool{true, false, true, false, true}
		mean := func(s [][]float64) float64 { v, _ := Summarize(s[0]); return v.Mean }

		check := func(name string, result any, err error) {
			if err != nil {
				return
			}
			if err := noNaN(reflect.ValueOf(result), name); err != nil {
				t.Fatalf("%v for %v, %d and %d", err, xs, n, m)
			}
		}
		call := func(name string) func(result any, err error) {
			return func(result any, err error) { check(name, result, err) }
		}
		if s, err := Summarize(xs); err == nil {
			check("Summarize", s, nil)
		}
		call("Ratio")(pack(Ratio(a, b, level)))
		call("RatioTest")(pack(RatioTest(a, b)))
		call("Fieller")(pack(Fieller(a, b, level)))
		call("Welch")(pack(Welch(a, b, level)))
		call("WelchRuns")(pack(WelchRuns(x, y, level)))
		call("Equivalence")(pack(Equivalence(a, b, 0.95, 1/0.95, level/2)))
		call("Equivalence")(pack(Equivalence(a, b, xs[4], xs[5], 0.05)))
		call("RoundedRatio")(pack(RoundedRatio(ra, rb, level)))
		call("RoundedRatioTest")(pack(RoundedRatioTest(ra, rb)))
		call("RoundedWelch")(pack(RoundedWelch(ra, rb)))
		call("RoundedEquivalence")(pack(RoundedEquivalence(ra, rb, 0.9, 1.1)))
		call("RoundedFromDeviation")(pack(RoundedFromDeviation(xs[0], xs[1], int(n), xs[2], xs[3])))
		call("DeviationPercent")(pack(a.DeviationPercent()))
		call("Prediction")(pack(Prediction(a, int(m), level)))
		call("SingleRun")(pack(SingleRun(a, xs[2])))
		call("Effect")(pack(Effect(a, b)))
		call("RunDominance")(pack(RunDominance(x, y)))
		call("MannWhitney")(pack(MannWhitney(x, y)))
		call("MannWhitneyRuns")(pack(MannWhitneyRuns(int(n), level)))
		call("HodgesLehmann")(pack(HodgesLehmann(x, y, level)))
		call("HodgesLehmannRatio")(pack(HodgesLehmannRatio(x, y, level)))
		call("SignedRank")(pack(SignedRank(xs)))
		call("SignTest")(pack(SignTest(int(n), int(m), level)))
		call("GeometricMean")(pack(GeometricMean(xs)))
		call("GeoMeanOfSample")(pack(GeoMeanOfSample(xs, level)))
		call("GeoMeanOfFixed")(pack(GeoMeanOfFixed([]RatioEstimate{
			{Ratio: xs[0], SELog: xs[1], TTest: TTest{DF: xs[2]}}, {Ratio: xs[3], SELog: xs[4], TTest: TTest{DF: xs[5]}},
		}, level)))
		call("Nemenyi")(pack(Nemenyi(int(n%300), int(m), level)))
		call("NemenyiP")(pack(NemenyiP(int(n%300), int(m), xs[0])))
		call("WelchANOVA")(pack(WelchANOVA([]Summary{a, b, {xs[3], xs[4], int(n)}, {xs[1], xs[2], 3}})))
		call("Spearman")(pack(SpearmanTest(x, y)))
		call("Kendall")(pack(KendallTest(x, y)))
		call("Drift")(pack(Drift(xs)))
		call("Concordance")(pack(Concordance(x, y, level)))
		call("Agreement")(pack(Agreement(x, y, 0.9, 1.1, level)))
		call("Quantile")(pack(Quantile(xs, level)))
		call("MAD")(pack(MAD(xs)))
		call("MedianInterval")(pack(MedianInterval(xs, level)))
		call("ModifiedZ")(pack(ModifiedZ(xs, math.Abs(xs[0]))))
		call("Outliers")(pack(Outliers(xs, 0)))
		call("Bootstrap")(pack(Bootstrap([][]float64{xs}, mean, level, Resampling{Resamples: 1000})))
		call("Speedup")(pack(Speedup(xs[0], xs[1], true)))
		call("Reduction")(pack(Reduction(xs[0], xs[1])))
		plan := Plan{CVA: xs[0], CVB: xs[1], Ratio: xs[2], Alpha: level / 2}
		call("DifferencePower")(pack(plan.DifferencePower(int(n))))
		call("EquivalencePower")(pack(plan.EquivalencePower(int(n), 0.9, 1.2)))
		call("DifferenceRuns")(pack(plan.DifferenceRuns(0.8)))
		call("EquivalenceRuns")(pack(plan.EquivalenceRuns(0.9, 1.2, 0.8)))
		if fr, err := Friedman(rows, higher); err == nil {
			if fr.Perfect { // the one documented infinity
				fr.F = 0
			}
			check("Friedman", fr, nil)
		}
		// A p value that is missing stays NaN, all others are numbers.
		if adjusted, err := Holm(xs); err == nil {
			for i, v := range adjusted {
				if math.IsNaN(v) != math.IsNaN(xs[i]) || v < xs[i] || v > 1 {
					t.Fatalf("Holm makes %v of %v", v, xs[i])
				}
			}
		}
		if pairs, err := RoundedPairs([]Rounded{ra, rb, ra}); err == nil {
			for _, p := range pairs {
				if (p.Err == nil) != (p.P >= 0 && p.P <= 1 && p.Adjusted >= p.P && p.Adjusted <= 1) {
					t.Fatalf("pair %v", p)
				}
			}
		}
		for i := range xs {
			if math.Float64bits(xs[i]) != math.Float64bits(before[i]) {
				t.Fatalf("argument %d changed from %v to %v", i, before[i], xs[i])
			}
		}
	})
}

func pack[T any](v T, err error) (any, error) { return v, err }
