package flatrender

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/result"
)

// addTests gives a file n tests of different heads, those of one title
// together.
func addTests(r *rand.Rand, f *result.File, s shape, n int) {
	all := heads()
	seen := make(map[string]bool)
	var tests []head
	for len(tests) < n {
		h := pick(r, all)
		// Arguments that hold the text of the watermark are a kind by itself.
		if strings.Contains(h.arguments, "Phoronix Test Suite") != (s.watermark && len(tests) == 0) {
			continue
		}
		if v := strings.TrimSpace(h.title + h.arguments + h.scale); !seen[v] {
			seen[v] = true
			tests = append(tests, h)
			// The same test with the other unit of a disk.
			if (h.scale == "MB/s" || h.scale == "IOPS") && chance(r, 0.5) || chance(r, s.pairs) {
				o := h
				o.scale = "IOPS"
				if h.scale == "IOPS" {
					o.scale = "MB/s"
				}
				if w := strings.TrimSpace(o.title + o.arguments + o.scale); !seen[w] && len(tests) < n {
					seen[w] = true
					o.decimals = r.IntN(3)
					tests = append(tests, o)
				}
			}
		}
	}
	if chance(r, 0.8) {
		slices.SortStableFunc(tests, func(a, b head) int { return strings.Compare(a.title, b.title) })
	}
	padded := chance(r, 0.5)
	valued := false
	for i, h := range tests {
		t := result.Test{
			Profile: h.profile + "-1." + strconv.Itoa(i%10) + ".0", Title: h.title, Version: h.version, Arguments: h.arguments,
			Scale: h.scale, Proportion: h.proportion, DisplayFormat: "BAR_GRAPH", Options: result.ParseOptions(h.arguments),
		}
		if chance(r, s.noProfile) {
			t.Profile = ""
		}
		addValues(r, f, &t, s, h.decimals, padded)
		if !valued && i == len(tests)-1 && !hasNumber(&t) {
			t.Measurements = []result.Measurement{{System: 0, Value: "1.5"}}
		}
		valued = valued || hasNumber(&t)
		f.Tests = append(f.Tests, t)
	}
	for i := range s.monitors {
		f.Tests = append(f.Tests, monitor(r, f, i))
	}
}

// addValues gives a test its measurements in the order of the systems.
func addValues(r *rand.Rand, f *result.File, t *result.Test, s shape, places int, padded bool) {
	switch {
	case chance(r, s.integers):
		places = 0
	case chance(r, s.fine):
		places = 1 + r.IntN(5)
	}
	level := drawLevel(r, places)
	switch {
	case s.huge:
		level = math.Pow(10, 6+4*r.Float64())
	case s.tiny && chance(r, 0.5):
		places = 5
		level = math.Pow(10, -4.7+2*r.Float64())
	}
	spread := pick(r, []float64{0.01, 0.05, 0.2, 0.2, 0.5, 1})
	noise := math.Exp(r.NormFloat64())*0.005 + 0.0005
	bimodal := chance(r, s.bimodal)
	ratio := math.Exp(1 + 4.5*r.Float64())
	single := chance(r, s.single)
	zeros := chance(r, s.zero)
	compiler := drawCompiler(r)
	minMax := chance(r, s.notes)
	previous := ""
	for i := range f.Systems {
		if chance(r, s.missing) {
			if chance(r, s.failed) {
				t.Measurements = append(t.Measurements, result.Measurement{System: i, Status: result.StatusFailed})
			}
			continue
		}
		m := result.Measurement{System: i}
		mean := level * math.Exp(r.NormFloat64()*spread)
		if bimodal && i < (len(f.Systems)+1)/2 {
			mean /= ratio
		}
		if zeros && chance(r, 0.4) {
			m.Value = "0"
			if !single {
				m.RawValues = []string{"0", "0", "0"}
			}
		} else {
			runs := drawRuns(r, s)
			if single || chance(r, 0.02) {
				runs = 1
			}
			setValue(r, &m, mean, noise, runs, places)
			if previous != "" && chance(r, s.equal) {
				m.Value = previous
			}
			previous = m.Value
			if !padded {
				m.Value = trimZeros(m.Value)
			}
			if len(m.RawValues) == 1 {
				m.RawValues[0] = m.Value
			}
		}
		m.Samples = len(m.RawValues)
		setDetails(r, &m, compiler, minMax, places)
		t.Measurements = append(t.Measurements, m)
	}
	if chance(r, s.mixed) {
		r.Shuffle(len(t.Measurements), func(i, j int) {
			t.Measurements[i], t.Measurements[j] = t.Measurements[j], t.Measurements[i]
		})
	}
}

// drawLevel returns the level of a test's values: over nine orders of
// magnitude, and such that the decimals are not all zeros.
func drawLevel(r *rand.Rand, places int) float64 {
	low, high := max(0.5-float64(places), -2.5), 6.5-0.8*float64(places)
	if places == 0 {
		low = 0.3
	}
	return math.Pow(10, low+r.Float64()*(high-low))
}

// drawRuns returns the number of runs: three by rule, up to fifteen where they
// scatter, more for a few profiles.
func drawRuns(r *rand.Rand, s shape) int {
	switch {
	case s.runs > 0 && chance(r, 0.5):
		return 2 + r.IntN(s.runs)
	case chance(r, 0.65):
		return 3
	case chance(r, 0.05):
		return pick(r, []int{2, 16, 20, 25, 30, 60})
	}
	return 4 + r.IntN(12)
}

// setValue draws the single runs and sets the value, their mean.
func setValue(r *rand.Rand, m *result.Measurement, mean, noise float64, runs, places int) {
	unit := math.Pow10(-places)
	mean = math.Max(mean, unit)
	rawPlaces := places
	if chance(r, 0.3) {
		rawPlaces += 1 + r.IntN(3)
	}
	sum := 0.0
	for range runs {
		v := math.Max(mean*(1+r.NormFloat64()*noise), unit)
		text := fixed(v, rawPlaces)
		v, _ = numeric(text)
		sum += v
		m.RawValues = append(m.RawValues, text)
	}
	m.Value = fixed(math.Max(sum/float64(runs), unit), places)
}

func trimZeros(s string) string {
	if !strings.Contains(s, ".") {
		return s
	}
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
}

var compilerFlags = strings.Fields("-O2 -O3 -march=native -lm -lpthread -ldl -lz -lrt -fopenmp -std=c++11 -std=gnu99 -m64 -fPIC -static -laio -lcrypto -lssl -rdynamic -ffast-math")

// drawCompiler returns the compiler options of a test, nil for none.
func drawCompiler(r *rand.Rand) []string {
	if chance(r, 0.5) {
		return nil
	}
	flags := slices.Clone(compilerFlags)
	r.Shuffle(len(flags), func(i, j int) { flags[i], flags[j] = flags[j], flags[i] })
	return flags[:1+r.IntN(8)]
}

// setDetails gives a measurement the JSON that its notes come from.
func setDetails(r *rand.Rand, m *result.Measurement, flags []string, minMax bool, places int) {
	d := make(map[string]any)
	if flags != nil {
		if chance(r, 0.01) {
			flags = append([]string{"-mavx2"}, flags...)
		}
		d["compiler-options"] = map[string]string{"compiler-type": "CC", "compiler": "gcc", "compiler-options": strings.Join(flags, " ")}
	}
	if v, ok := numeric(m.Value); minMax && ok && v > 0 {
		d["min-result"] = json.Number(fixed(v*(0.7+0.2*r.Float64()), max(2, places)))
		d["max-result"] = json.Number(fixed(v*(1.1+0.2*r.Float64()), max(2, places)))
	}
	if chance(r, 0.005) {
		d["install-footnote"] = "Built with 12. patches"
	}
	if len(d) > 0 {
		m.Details, _ = json.Marshal(d)
	}
}

// monitor returns a test of a sensor, whose values are lists of points.
func monitor(r *rand.Rand, f *result.File, i int) result.Test {
	names := []string{"CPU Temperature Monitor", "CPU Usage (Summary) Monitor", "Memory Usage Monitor"}
	scales := []string{"Celsius", "Percent", "Megabytes"}
	t := result.Test{
		Title: names[i], Arguments: "Phoronix Test Suite System Monitoring", Scale: scales[i],
		Proportion: result.LIB, DisplayFormat: "LINE_GRAPH", Options: result.ParseOptions("Phoronix Test Suite System Monitoring"),
	}
	for k := range f.Systems {
		base := 20 + 60*r.Float64()
		if i == 2 {
			base *= 40
		}
		var points []string
		for range 10 + r.IntN(30) {
			points = append(points, fixed(base*(0.9+0.2*r.Float64()), 2))
		}
		t.Measurements = append(t.Measurements, result.Measurement{System: k, Value: strings.Join(points, ",")})
	}
	return t
}
