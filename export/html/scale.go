package html

import (
	"math"
	"strconv"

	"github.com/benchproof/benchproof/internal/number"
)

// scale maps ratios to places along a logarithmic axis, in percent of its
// length.
type scale struct{ low, high float64 } // logarithms

// maxSpan is how far beyond the ratios themselves intervals stretch an axis, as
// a factor; longer ones end in an arrow.
const maxSpan = 3

// newScale returns a scale for ratios and their intervals. 1 is on it.
func newScale(list []estimate) scale {
	low, high := 1.0, 1.0
	for _, e := range list {
		if e.x.Known && e.x.X > 0 {
			low, high = math.Min(low, e.x.X), math.Max(high, e.x.X)
		}
	}
	least, most := low/maxSpan, high*maxSpan
	for _, e := range list {
		if e.low.Known {
			low = math.Min(low, math.Max(e.low.X, least))
		}
		if e.high.Known {
			high = math.Max(high, math.Min(e.high.X, most))
		}
	}
	if high/low < 1.02 {
		low, high = low/1.01, high*1.01
	}
	a, b := math.Log(low), math.Log(high)
	pad := 0.06 * (b - a)
	return scale{a - pad, b + pad}
}

// at returns the place of x in percent, between 0 and 100.
func (s scale) at(x float64) float64 {
	if x <= 0 {
		return 0
	}
	return math.Min(100, math.Max(0, 100*(math.Log(x)-s.low)/(s.high-s.low)))
}

// off reports on which side of the axis x lies, 0 for on it.
func (s scale) off(x float64) int {
	switch {
	case x <= 0 || math.Log(x) < s.low:
		return -1
	case math.Log(x) > s.high:
		return 1
	}
	return 0
}

// tick is a labelled place on an axis.
type tick struct {
	At    string // in percent
	Label string
	One   bool // the baseline's
}

// ticks returns at most seven round ratios on the scale.
func (s scale) ticks() []tick {
	low, high := math.Exp(s.low), math.Exp(s.high)
	var list []float64
	if high/low >= 4 {
		for _, steps := range [][]float64{{1, 2, 5}, {1, 3}, {1}} {
			list = nil
			for e := math.Floor(s.low / math.Ln10); e <= math.Ceil(s.high/math.Ln10); e++ {
				for _, m := range steps {
					if x := m * math.Pow(10, e); x >= low && x <= high {
						list = append(list, x)
					}
				}
			}
			if len(list) <= 7 {
				break
			}
		}
		for len(list) > 7 {
			list = everyOther(list)
		}
	} else {
		step := math.Pow(10, math.Floor(math.Log10((high-low)/2)))
		for _, m := range []float64{1, 2, 5, 10} {
			list = nil
			for k := math.Ceil(low / (step * m)); k*step*m <= high; k++ {
				list = append(list, k*step*m)
			}
			if len(list) <= 6 {
				break
			}
		}
	}
	ticks := make([]tick, len(list))
	for i, x := range list {
		ticks[i] = tick{percent(s.at(x)), number.Significant(x, 4), math.Abs(x-1) < 1e-9}
	}
	return ticks
}

// everyOther returns every second of a list, counted from the one that is 1.
func everyOther(list []float64) []float64 {
	start := 0
	for i, x := range list {
		if math.Abs(x-1) < 1e-9 {
			start = i % 2
		}
	}
	var out []float64
	for i := start; i < len(list); i += 2 {
		out = append(out, list[i])
	}
	return out
}

// percent returns a place as an attribute of a drawing.
func percent(x float64) string { return strconv.FormatFloat(x, 'f', 2, 64) + "%" }

// mark is one estimate drawn along an axis.
type mark struct {
	At, Low, High   string // in percent; Low is "" without an interval
	OffLow, OffHigh bool   // what lies outside of the axis
}

// mark returns the drawing of e, nil where there is no ratio.
func (s scale) mark(e estimate) *mark {
	if !e.x.Known || e.x.X <= 0 {
		return nil
	}
	m := &mark{At: percent(s.at(e.x.X))}
	if e.low.Known && e.high.Known {
		m.Low, m.High = percent(s.at(e.low.X)), percent(s.at(e.high.X))
		m.OffLow, m.OffHigh = s.off(e.low.X) < 0, s.off(e.high.X) > 0
	}
	return m
}
