package picture

import (
	"math"
	"strconv"
)

// axis maps numbers to points between two places.
type axis struct {
	low, high float64 // numbers at the ends
	from, to  float64 // their places
	log       bool
	ticks     []float64
	decimals  int
}

// place returns where a number stands, which may be beyond the ends.
func (a *axis) place(x float64) float64 {
	low, high := a.low, a.high
	if a.log {
		if x <= 0 {
			return math.Inf(-1)
		}
		low, high, x = math.Log(low), math.Log(high), math.Log(x)
	}
	return a.from + (x-low)/(high-low)*(a.to-a.from)
}

// label returns the text of a tick.
func (a *axis) label(x float64) string {
	if a.log {
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	if size := math.Max(math.Abs(a.low), math.Abs(a.high)); size >= 1e7 || size < 1e-4 {
		return strconv.FormatFloat(x, 'g', 6, 64)
	}
	return strconv.FormatFloat(x, 'f', a.decimals, 64)
}

// largest bounds what an axis holds: beyond it sums overflow.
const largest = 1e300

// linear returns an axis that holds low to high, with about n ticks; its ends
// are ticks. Ends that are equal, or nearly so for a float64, are moved apart.
func linear(low, high float64, n int) *axis {
	low, high = math.Min(math.Max(low, -largest), largest), math.Min(math.Max(high, -largest), largest)
	size := math.Max(math.Abs(low), math.Abs(high))
	if !(high-low > 1e-9*size) || high-low < 1/largest {
		d := size * 0.1
		if size < 1/largest {
			d = 0.1
		}
		low, high = low-d, high+d
	}
	step := niceStep((high - low) / float64(n))
	// Whole numbers of steps, so that errors do not add up.
	first, last := math.Floor(low/step+1e-9), math.Ceil(high/step-1e-9)
	last = math.Max(last, first+1)
	a := &axis{low: first * step, high: last * step}
	for i := range int(last-first) + 1 {
		a.ticks = append(a.ticks, (first+float64(i))*step)
	}
	a.decimals = max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	return a
}

// niceStep returns the first of 1, 2, 5 times a power of ten that is not below
// x.
func niceStep(x float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, m := range []float64{1, 2, 5} {
		if x <= m*power*(1+1e-9) {
			return m * power
		}
	}
	return 10 * power
}

// logTicks are the ticks that ratios are marked with, from many to few; the
// first set of which no more than most lie on the axis is taken.
var logTicks = [][]float64{
	fineTicks(0.01), fineTicks(0.02), fineTicks(0.05), fineTicks(0.1), fineTicks(0.2),
	decades(1, 1.5, 2, 3, 4, 5, 7), decades(1, 2, 5), decades(1, 3), decades(1),
}

// fineTicks are the multiples of a step from 0.5 to 2.
func fineTicks(step float64) []float64 {
	var ticks []float64
	for i := math.Round(0.5 / step); i <= math.Round(2/step); i++ {
		// Divided, for the nearest number that prints short.
		ticks = append(ticks, i/math.Round(1/step))
	}
	return ticks
}

// decades are numbers times the powers of ten.
func decades(of ...float64) []float64 {
	var ticks []float64
	for e := -12; e <= 12; e++ {
		for _, x := range of {
			t, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', -1, 64)+"e"+strconv.Itoa(e), 64)
			ticks = append(ticks, t)
		}
	}
	return ticks
}

// ratios returns a logarithmic axis that holds low to high and 1.
func ratios(low, high float64) *axis {
	// Some room on both sides, and never less than a factor of 1.1.
	const far = 1e100 // beyond it powers overflow
	low, high = math.Max(math.Min(low, 1/1.1), 1/far), math.Min(math.Max(high, 1.1), far)
	room := math.Pow(high/low, 0.04)
	return &axis{low: low / room, high: high * room, log: true}
}

// choose sets the ticks of a logarithmic axis, which are no more than have room
// between its places.
func (a *axis) choose() {
	if !a.log {
		return
	}
	const apart = 26
	most := max(3, int(math.Abs(a.to-a.from)/apart))
	for _, ticks := range logTicks {
		a.ticks = a.ticks[:0]
		for _, t := range ticks {
			if t >= a.low && t <= a.high {
				a.ticks = append(a.ticks, t)
			}
		}
		if len(a.ticks) <= most && ticks[0] <= a.low && ticks[len(ticks)-1] >= a.high {
			return
		}
	}
}
