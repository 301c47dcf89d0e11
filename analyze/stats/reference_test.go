package stats

import (
	"math"
	"strconv"
	"testing"
)

// outcome is what an evaluation returns: one number or a row of them a key.
type outcome map[string][]float64

func one(x float64) []float64 { return []float64{x} }

func yes(b bool) []float64 {
	if b {
		return one(1)
	}
	return one(0)
}

func mustNumber(s string) float64 {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		panic(err)
	}
	return x
}

func mustInt(s string) int { return int(mustNumber(s)) }

// evaluations are the functions that a .stat file can name.
var evaluations = map[string]func(c *statCase, args []string) (outcome, error){
	"summary": func(c *statCase, _ []string) (outcome, error) {
		s, err := Summarize(c.values("x"))
		if err != nil {
			return nil, err
		}
		dev, err := s.DeviationPercent()
		return outcome{
			"mean": one(s.Mean), "sd": one(s.SD()), "se": one(s.SE),
			"devpct": one(dev), "sdpop": one(s.PopulationSD()),
		}, err
	},
	"from_deviation": func(c *statCase, _ []string) (outcome, error) {
		s, err := FromDeviation(c.values("mean")[0], c.values("percent")[0], int(c.values("n")[0]))
		return outcome{"se": one(s.SE)}, err
	},
	"welch": func(c *statCase, _ []string) (outcome, error) {
		d, err := Welch(first3(c, "a"), first3(c, "b"), 0.95)
		return differenceOutcome(d), err
	},
	"welch_runs": func(c *statCase, _ []string) (outcome, error) {
		d, err := WelchRuns(c.values("a"), c.values("b"), 0.95)
		return differenceOutcome(d), err
	},
	"ratio": func(c *statCase, _ []string) (outcome, error) {
		r, err := Ratio(c.summary("a"), c.summary("b"), 0.95)
		return outcome{
			"ratio": one(r.Ratio), "se_log": one(r.SELog), "df": one(r.DF),
			"t": one(r.T), "p": one(r.P), "lo": one(r.Low), "hi": one(r.High),
		}, err
	},
	"fieller": func(c *statCase, _ []string) (outcome, error) {
		f, err := Fieller(c.summary("a"), c.summary("b"), 0.95)
		return outcome{
			"df": one(f.DF), "g": one(f.G), "lo": one(f.Low), "hi": one(f.High),
			"bounded": yes(f.Bounded()), "shape": one(float64(f.Shape)),
		}, err
	},
	"equivalence": func(c *statCase, args []string) (outcome, error) {
		e, err := Equivalence(c.summary("a"), c.summary("b"), mustNumber(args[0]), mustNumber(args[1]), 0.05)
		return outcome{
			"t_low": one(e.TLow), "t_up": one(e.TUp), "df": one(e.DF), "p_low": one(e.PLow),
			"p_up": one(e.PUp), "p": one(e.P), "lo": one(e.Low), "hi": one(e.High),
			"equivalent": yes(e.Equivalent),
		}, err
	},
	"prediction": func(c *statCase, args []string) (outcome, error) {
		iv, err := Prediction(c.summary(args[0]), mustInt(args[1]), 0.95)
		return outcome{"lo": one(iv.Low), "hi": one(iv.High)}, err
	},
	"single_run": func(c *statCase, args []string) (outcome, error) {
		t, err := SingleRun(c.summary(args[0]), mustNumber(args[1]))
		return outcome{"t": one(t.T), "df": one(t.DF), "p": one(t.P)}, err
	},
	"rounded_welch": func(c *statCase, _ []string) (outcome, error) {
		p, err := RoundedWelch(c.rounded("a"), c.rounded("b"))
		return outcome{
			"p_min": one(p.Min), "p_max": one(p.Max), "different_at_05": one(float64(p.Decide(0.05))),
		}, err
	},
	"mwu": func(c *statCase, _ []string) (outcome, error) {
		t, err := MannWhitney(c.values("a"), c.values("b"))
		return outcome{
			"u": one(t.Statistic), "p": one(t.P), "p_less": one(t.PLess),
			"p_greater": one(t.PGreater), "min_p": one(t.MinP), "exact": yes(t.Exact),
		}, err
	},
	"mwu_smallest_p": func(_ *statCase, args []string) (outcome, error) {
		return outcome{"p": one(MannWhitneySmallestP(mustInt(args[0]), mustInt(args[1])))}, nil
	},
	"hodges_lehmann": func(c *statCase, _ []string) (outcome, error) {
		s, err := HodgesLehmann(c.values("a"), c.values("b"), 0.95)
		return outcome{"hl": one(s.Estimate), "lo": one(s.Low), "hi": one(s.High), "level": one(s.Level)}, err
	},
	"signed_rank": func(c *statCase, _ []string) (outcome, error) {
		return signedRankOutcome(c.values("x"))
	},
	"signed_rank_of_logs": func(c *statCase, _ []string) (outcome, error) {
		ls, err := logs(c.values("ratios"))
		if err != nil {
			return nil, err
		}
		return signedRankOutcome(ls)
	},
	"sign_test": func(_ *statCase, args []string) (outcome, error) {
		s, err := SignTest(mustInt(args[0]), mustInt(args[1]), 0.95)
		return outcome{"p": one(s.P), "lo": one(s.Low), "hi": one(s.High)}, err
	},
	"adjust": func(c *statCase, _ []string) (outcome, error) {
		p := c.values("p")
		holm, err := Holm(p)
		if err != nil {
			return nil, err
		}
		bh, err := BenjaminiHochberg(p)
		if err != nil {
			return nil, err
		}
		by, err := BenjaminiYekutieli(p)
		return outcome{"holm": holm, "bh": bh, "by": by}, err
	},
	"geomean_sample": func(c *statCase, _ []string) (outcome, error) {
		return geoMeanOutcome(GeoMeanOfSample(c.values("ratios"), 0.95))
	},
	"geomean_fixed": func(c *statCase, _ []string) (outcome, error) {
		ratios, se, df := c.values("ratios"), c.values("se_log"), c.values("df")
		parts := make([]RatioEstimate, len(ratios))
		for i := range parts {
			parts[i] = RatioEstimate{Ratio: ratios[i], SELog: se[i], TTest: TTest{DF: df[i]}}
		}
		return geoMeanOutcome(GeoMeanOfFixed(parts, 0.95))
	},
	"friedman": func(c *statCase, _ []string) (outcome, error) {
		f, err := Friedman(c.data["rows"], nil)
		return outcome{
			"chi2": one(f.ChiSquared), "p": one(f.P), "f": one(f.F), "pf": one(f.PF),
			"w": one(f.W), "mean_ranks": f.MeanRanks,
		}, err
	},
	"nemenyi": func(_ *statCase, args []string) (outcome, error) {
		n, err := Nemenyi(mustInt(args[0]), mustInt(args[1]), mustNumber(args[2]))
		return outcome{"q": one(n.Q), "cd": one(n.CD)}, err
	},
	"nemenyi_p": func(_ *statCase, args []string) (outcome, error) {
		p, err := NemenyiP(mustInt(args[0]), mustInt(args[1]), mustNumber(args[2]))
		return outcome{"p": one(p)}, err
	},
	"range_tail": func(_ *statCase, args []string) (outcome, error) {
		return outcome{"p": one(studentizedRangeTail(mustNumber(args[0]), mustInt(args[1])))}, nil
	},
	"anova": func(c *statCase, _ []string) (outcome, error) {
		groups := make([]Summary, len(c.data["groups"]))
		for i, runs := range c.data["groups"] {
			var err error
			if groups[i], err = Summarize(runs); err != nil {
				return nil, err
			}
		}
		a, err := WelchANOVA(groups)
		return outcome{"f": one(a.F), "df1": one(a.DF1), "df2": one(a.DF2), "p": one(a.P)}, err
	},
	"ranks": func(c *statCase, args []string) (outcome, error) {
		return ranksOutcome(c.data["systems"], args[0] == "higher")
	},
	"correlation": func(c *statCase, _ []string) (outcome, error) {
		rho, err := SpearmanTest(c.values("x"), c.values("y"))
		if err != nil {
			return nil, err
		}
		tau, err := KendallTest(c.values("x"), c.values("y"))
		return outcome{
			"rho": one(rho.Coefficient), "rho_p": one(rho.P),
			"tau": one(tau.Coefficient), "tau_p": one(tau.P),
		}, err
	},
	"concordance": func(c *statCase, _ []string) (outcome, error) {
		e, err := Concordance(c.values("x"), c.values("y"), 0.95)
		return outcome{"ccc": one(e.Coefficient), "lo": one(e.Low), "hi": one(e.High)}, err
	},
	"drift": func(c *statCase, _ []string) (outcome, error) {
		d, err := Drift(c.values("x"))
		return outcome{"s": one(float64(d.S)), "tau": one(d.Tau), "p": one(d.P)}, err
	},
	"outliers": func(c *statCase, _ []string) (outcome, error) {
		x := c.values("x")
		median, err := Median(x)
		if err != nil {
			return nil, err
		}
		mad, err := MAD(x)
		if err != nil {
			return nil, err
		}
		z, err := ModifiedZ(x, 0)
		return outcome{"median": one(median), "mad": one(mad), "z": z}, err
	},
	"effect": func(c *statCase, _ []string) (outcome, error) {
		a, err := Summarize(c.values("a"))
		if err != nil {
			return nil, err
		}
		b, err := Summarize(c.values("b"))
		if err != nil {
			return nil, err
		}
		e, err := Effect(a, b)
		return outcome{"d": one(e.D), "j": one(e.J), "g": one(e.G)}, err
	},
	"dominance": func(c *statCase, _ []string) (outcome, error) {
		d, err := RunDominance(c.values("a"), c.values("b"))
		return outcome{"a12": one(d.A12), "delta": one(d.Delta)}, err
	},
	"quantile": func(c *statCase, args []string) (outcome, error) {
		q, err := Quantile(c.values("x"), mustNumber(args[0]))
		return outcome{"q": one(q)}, err
	},
	"all_resamples": func(c *statCase, _ []string) (outcome, error) {
		means := allResampleMeans(c.values("x"))
		s, err := Summarize(means)
		if err != nil {
			return nil, err
		}
		low, err := Quantile(means, 0.025)
		if err != nil {
			return nil, err
		}
		high, err := Quantile(means, 0.975)
		return outcome{"q025": one(low), "q975": one(high), "sd": one(s.PopulationSD())}, err
	},
	"median_level": func(_ *statCase, args []string) (outcome, error) {
		return outcome{"level": one(orderLevel(mustInt(args[0]), mustInt(args[1])))}, nil
	},
	"t_quantile": func(_ *statCase, args []string) (outcome, error) {
		return outcome{"q": one(tQuantile(0.95, mustNumber(args[0])))}, nil
	},
	"t_cdf": func(_ *statCase, args []string) (outcome, error) {
		return outcome{"p": one(tSurvival(-mustNumber(args[0]), mustNumber(args[1])))}, nil
	},
	"t_tail": func(_ *statCase, args []string) (outcome, error) {
		return outcome{"p": one(tTail(mustNumber(args[0]), mustNumber(args[1])))}, nil
	},
	"t_level_quantile": func(_ *statCase, args []string) (outcome, error) {
		return outcome{"q": one(tQuantile(mustNumber(args[0]), mustNumber(args[1])))}, nil
	},
	"speedup": func(_ *statCase, args []string) (outcome, error) {
		r, err := Speedup(mustNumber(args[0]), mustNumber(args[1]), args[2] == "higher")
		return outcome{"ratio": one(r)}, err
	},
	"reduction": func(_ *statCase, args []string) (outcome, error) {
		p, err := Reduction(mustNumber(args[0]), mustNumber(args[1]))
		return outcome{"percent": one(p)}, err
	},
	"power": func(_ *statCase, args []string) (outcome, error) {
		p := Plan{CVA: mustNumber(args[1]), CVB: mustNumber(args[2]), Ratio: mustNumber(args[3]), Alpha: mustNumber(args[4])}
		power, err := p.DifferencePower(mustInt(args[0]))
		return outcome{"power": one(power)}, err
	},
	"equivalence_power": func(_ *statCase, args []string) (outcome, error) {
		p := Plan{CVA: mustNumber(args[1]), CVB: mustNumber(args[2]), Ratio: mustNumber(args[3]), Alpha: mustNumber(args[6])}
		power, err := p.EquivalencePower(mustInt(args[0]), mustNumber(args[4]), mustNumber(args[5]))
		return outcome{"power": one(power)}, err
	},
}

func first3(c *statCase, name string) Summary { return toSummary(c.values(name)[:3]) }

func differenceOutcome(d DifferenceEstimate) outcome {
	return outcome{"t": one(d.T), "df": one(d.DF), "p": one(d.P), "lo": one(d.Low), "hi": one(d.High)}
}

func signedRankOutcome(xs []float64) (outcome, error) {
	s, err := SignedRank(xs)
	return outcome{"v": one(s.Statistic), "p": one(s.P), "min_p": one(s.MinP)}, err
}

func geoMeanOutcome(g GeoMeanEstimate, err error) (outcome, error) {
	return outcome{
		"gm": one(g.GeoMean), "lo": one(g.Low), "hi": one(g.High), "p": one(g.P),
		"gsd": one(g.GeoSD), "sdlog": one(g.SDLog), "se": one(g.SELog), "df": one(g.DF),
	}, err
}

func ranksOutcome(rows [][]float64, higher bool) (outcome, error) {
	systems := make([]Summary, len(rows))
	values := make([]float64, len(rows))
	for i, row := range rows {
		systems[i] = toSummary(row)
		values[i] = systems[i].Mean
	}
	pairs, err := RatioPairs(systems)
	if err != nil {
		return nil, err
	}
	intervals, err := RankIntervals(values, higher, pairs, 0.05)
	out := outcome{}
	for _, p := range pairs {
		out["p"] = append(out["p"], p.P)
		out["holm"] = append(out["holm"], p.Adjusted)
	}
	for _, iv := range intervals {
		out["rank_lo"] = append(out["rank_lo"], float64(iv.Low))
		out["rank_hi"] = append(out["rank_hi"], float64(iv.High))
		out["point_rank"] = append(out["point_rank"], float64(iv.Rank))
	}
	return out, err
}

// allResampleMeans returns the means of all n^n resamples of n values.
func allResampleMeans(xs []float64) []float64 {
	sums := []float64{0}
	for range xs {
		var next []float64
		for _, s := range sums {
			for _, x := range xs {
				next = append(next, s+x)
			}
		}
		sums = next
	}
	for i := range sums {
		sums[i] /= float64(len(xs))
	}
	return sums
}

func TestReference(t *testing.T) {
	for _, file := range []struct {
		name  string
		cases int // at least, so that a file cannot lose its cases unseen
	}{
		{"reference.stat", 39},
		{"r.stat", 69},
		{"python.stat", 38},
	} {
		cases := readStatFile(t, file.name)
		if len(cases) < file.cases {
			t.Errorf("%s has %d cases, want %d", file.name, len(cases), file.cases)
		}
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) { runStatCase(t, file.name, c) })
		}
	}
}

func runStatCase(t *testing.T, file string, c *statCase) {
	for _, e := range c.evals {
		evaluate, ok := evaluations[e.name]
		if !ok {
			t.Errorf("%s:%d: unknown function %q", file, e.line, e.name)
			continue
		}
		got, err := evaluate(c, e.args)
		if err != nil {
			t.Errorf("%s:%d: %v", file, e.line, err)
			continue
		}
		for _, want := range e.expect {
			values, ok := got[want.key]
			if !ok || len(values) != len(want.want) {
				t.Errorf("%s:%d: %s is %v, want %v", file, want.line, want.key, values, want.want)
				continue
			}
			for i, w := range want.want {
				if !near(values[i], w, c.rel, c.abs) {
					t.Errorf("%s:%d: %s = %.15g, want %.15g (%s)", file, want.line, want.key, values[i], w, c.tool)
				}
			}
		}
	}
}

// near reports whether got is within the relative or the absolute tolerance of
// want. Whole numbers must be met exactly up to the last bits.
func near(got, want, rel, abs float64) bool {
	if want == math.Trunc(want) && rel > 1e-12 && math.Abs(want) < 1e6 {
		rel = 1e-12
	}
	return math.Abs(got-want) <= math.Max(abs, rel*math.Abs(want))
}
