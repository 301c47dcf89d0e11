package analyze

import (
	"fmt"
	"math"
	"strings"

	"github.com/benchproof/benchproof/analyze/stats"
	"github.com/benchproof/benchproof/result"
)

// Cell is what one system has to say in one test of a [Set].
type Cell struct {
	System int // index into Set.Systems
	// Measurement is the published one.
	Measurement *result.Measurement
	// Problem says why there is no number to work with: failed, ambiguous,
	// no number, several values. "" if there is one.
	Problem string
	// Figures are mean, standard error and N with their rounding. SE is NaN
	// where it is not known, and then NoSE says why.
	Figures stats.Rounded
	NoSE    string
	// Runs are the single runs, nil unless all of them are numbers.
	Runs []float64
}

// usable reports whether the cell holds a number. A nil cell, which is a
// missing measurement, holds none.
func (c *Cell) usable() bool { return c != nil && c.Problem == "" }

// Tested reports whether a standard error and its N are known.
func (c *Cell) Tested() bool { return c.usable() && c.NoSE == "" }

// inferred reports whether the value is the only plausible reading, not a
// certain one.
func (c *Cell) inferred() bool {
	return c.Measurement != nil && c.Measurement.Decode == result.DecodeInferred
}

// newCell reads a measurement of test t. The system's name is that of the
// file's own list.
func newCell(t *result.Test, m *result.Measurement, system int, names []string) Cell {
	c := Cell{System: system, Measurement: m}
	v, ok := m.Number()
	switch {
	case m.Status == result.StatusFailed:
		c.Problem = m.Failure()
	case m.Decode == result.DecodeAmbiguous:
		c.Problem = "the value is ambiguous"
	case !ok:
		c.Problem = fmt.Sprintf("the value is no number: %s", shortened(m.Value))
	}
	if c.Problem != "" {
		return c
	}
	c.Figures = stats.Rounded{Summary: stats.Summary{Mean: v, SE: math.NaN()}, MeanHalf: m.HalfUnit()}
	c.uncertainty(t, m, names)
	return c
}

// uncertainty sets standard error and N: from the single runs where the source
// has them, else as printed.
func (c *Cell) uncertainty(t *result.Test, m *result.Measurement, names []string) {
	runs, half := parseRuns(m.RawValues)
	se, printed := m.StdErrorNumber()
	switch {
	case len(runs) >= 2:
		c.Runs = runs
		s, err := stats.Summarize(runs)
		if err != nil {
			c.NoSE = "the runs cannot be summed up"
			return
		}
		c.Figures.SE, c.Figures.N = s.SE, s.N
		// Every run moves by up to half a unit, which turns their
		// spread by no more than this.
		c.Figures.SEHalf = half / math.Sqrt(float64(s.N-1))
	case printed && m.Samples >= 2 && se >= 0:
		c.Figures.SE, c.Figures.N = se, m.Samples
		c.Figures.SEHalf = result.HalfUnit(m.StdError)
	case len(runs) == 1 || m.Samples == 1:
		c.Figures.N = 1
		c.NoSE = oneRun
	case printed && se < 0:
		c.NoSE = "a negative standard error"
	case printed:
		c.NoSE = "the number of runs is not known"
	default:
		c.Figures.N = max(0, m.Samples)
		c.NoSE = "no standard error"
		if u := unassigned(t, m.System, names); u != "" {
			c.NoSE = u
		}
	}
}

// unassigned says that the test has standard errors of which one may be the
// system's; "" if there are none.
func unassigned(t *result.Test, system int, names []string) string {
	for _, u := range t.Unassigned {
		for _, s := range u.Systems {
			if s != system {
				continue
			}
			const most = 6
			var of []string
			for _, s := range u.Systems {
				if s >= 0 && s < len(names) && len(of) < most {
					of = append(of, names[s])
				}
			}
			if len(u.Systems) > most {
				of = append(of, "…")
			}
			return fmt.Sprintf("the standard error %s is of one of %s", shortened(u.StdError), strings.Join(of, ", "))
		}
	}
	return ""
}

// parseRuns returns printed runs as numbers and the largest half-unit among
// them; nil if one is no number.
func parseRuns(printed []string) (runs []float64, half float64) {
	if len(printed) == 0 {
		return nil, 0
	}
	runs = make([]float64, len(printed))
	for i, text := range printed {
		v, ok := result.ParseNumber(text)
		if !ok {
			return nil, 0
		}
		runs[i] = v
		half = math.Max(half, result.HalfUnit(text))
	}
	return runs, half
}

// shortened cuts text of the source for a message.
func shortened(text string) string {
	const most = 60
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most]) + "…"
}
