package analyze

import "github.com/benchproof/benchproof/analyze/stats"

// Methods are further answers to the question of one row, by other methods
// than the one behind its verdict. Those that its figures do not allow are
// unknown.
type Methods struct {
	// Fieller is the exact confidence set of the ratio for normal runs. It
	// is unknown where it is no interval, and FiellerShape says so.
	Fieller      Range  `json:"fieller"`
	FiellerShape string `json:"fieller_shape,omitempty"`
	// Difference of value and baseline in the unit of the test, with its
	// interval and Welch's t test.
	Difference         Quantity `json:"difference"`
	DifferenceInterval Range    `json:"difference_interval"`
	WelchP             Quantity `json:"welch_p"`
	// MannWhitneyP is exact and needs single runs; MannWhitneyMinP is the
	// smallest that so many runs can give.
	MannWhitneyP    Quantity `json:"mann_whitney_p"`
	MannWhitneyMinP Quantity `json:"mann_whitney_min_p"`
	// ShiftRatio is the Hodges–Lehmann ratio, normalised, with an interval
	// of the level ShiftLevel.
	ShiftRatio    Quantity `json:"hodges_lehmann_ratio"`
	ShiftInterval Range    `json:"hodges_lehmann_interval"`
	ShiftLevel    Quantity `json:"hodges_lehmann_level"`
	// HedgesG is the difference in standard deviations of a run.
	HedgesG Quantity `json:"hedges_g"`
	// NewRun holds a single further run of the side with several, at 95 %,
	// where the other side is a single run; NewRunP tests that one.
	NewRun  Range    `json:"new_run"`
	NewRunP Quantity `json:"new_run_p"`
}

// Methods works out the further answers.
func (r *CompareRow) Methods() Methods {
	var m Methods
	if !r.Baseline.usable() || !r.Cell.usable() {
		return m
	}
	base, _ := r.Baseline.Figures.WithFloor()
	cell, _ := r.Cell.Figures.WithFloor()
	m.Difference = known(cell.Mean - base.Mean)
	m.single(r, base, cell)
	if r.Baseline.NoSE != "" || r.Cell.NoSE != "" {
		return m
	}
	if d, err := stats.Welch(cell, base, Level); err == nil {
		m.DifferenceInterval, m.WelchP = knownRange(d.Low, d.High), known(d.P)
	}
	if e, err := stats.Effect(cell, base); err == nil {
		m.HedgesG = known(e.G)
	}
	if !r.Ratio.Known {
		return m
	}
	x, y, runsX, runsY := cell, base, r.Cell.Runs, r.Baseline.Runs
	if r.Test.Proportion == "LIB" {
		x, y, runsX, runsY = y, x, runsY, runsX
	}
	if f, err := stats.Fieller(x, y, Level); err == nil {
		m.FiellerShape = f.Shape.String()
		if f.Bounded() {
			m.Fieller = knownRange(f.Low, f.High)
		}
	}
	if runsX == nil || runsY == nil {
		return m
	}
	if t, err := stats.MannWhitney(runsX, runsY); err == nil {
		m.MannWhitneyP, m.MannWhitneyMinP = known(t.P), known(t.MinP)
	}
	if s, err := stats.HodgesLehmannRatio(runsX, runsY, Level); err == nil {
		m.ShiftRatio, m.ShiftInterval, m.ShiftLevel = known(s.Estimate), knownRange(s.Low, s.High), known(s.Level)
	}
	return m
}

// single compares a single run with several.
func (m *Methods) single(r *CompareRow, base, cell stats.Summary) {
	several, one := base, cell
	switch {
	case r.Baseline.NoSE == "" && r.Cell.NoSE == oneRun:
	case r.Cell.NoSE == "" && r.Baseline.NoSE == oneRun:
		several, one = cell, base
	default:
		return
	}
	if iv, err := stats.Prediction(several, 1, Level); err == nil {
		m.NewRun = knownRange(iv.Low, iv.High)
	}
	if t, err := stats.SingleRun(several, one.Mean); err == nil {
		m.NewRunP = known(t.P)
	}
}
