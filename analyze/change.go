package analyze

import (
	"math"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/internal/number"
)

// timeUnits are units of which a value is said to be time, in lower case.
var timeUnits = map[string]bool{
	"ns": true, "nanoseconds": true, "us": true, "µs": true, "microseconds": true, "ms": true, "milliseconds": true,
	"s": true, "sec": true, "second": true, "seconds": true, "min": true, "minutes": true, "hours": true,
}

// Change says in words by how much the printed value differs from the
// baseline's, "9.3 % less time than SSD": with two digits, whole percents from
// 100 on, and fewer, or a range, where the rounding of the two values leaves them
// open. It says of what there is more, never that more is better; and nothing of whether
// the difference is more than noise. It is "" where a value is missing, zero or
// negative.
func (r *CompareRow) Change() string {
	if !r.Baseline.usable() || !r.Cell.usable() {
		return ""
	}
	b, v := r.Baseline.Figures, r.Cell.Figures
	if !(b.Mean > b.MeanHalf) || !(v.Mean > 0) {
		return ""
	}
	change := 100 * (v.Mean - b.Mean) / b.Mean
	low := 100 * (v.Mean - v.MeanHalf - b.Mean - b.MeanHalf) / (b.Mean + b.MeanHalf)
	high := 100 * (v.Mean + v.MeanHalf - b.Mean + b.MeanHalf) / (b.Mean - b.MeanHalf)
	if math.IsInf(low, 0) || math.IsInf(high, 0) || math.IsNaN(high-low) {
		return ""
	}
	const noise = 1e-9 // of the arithmetic, in percent
	switch {
	case change == 0:
		return "the same as " + r.BaselineName
	case low <= noise && high >= -noise:
		return "no difference from " + r.BaselineName + " beyond the rounding of the values"
	}
	word := "more"
	if change < 0 {
		word = "less"
		change, low, high = -change, -high, -low
	}
	if unit := strings.TrimSpace(r.Test.Scale); timeUnits[strings.ToLower(unit)] {
		word += " time"
	} else if unit != "" && !strings.Contains(unit, "%") && !strings.Contains(strings.ToLower(unit), "percent") {
		word += " " + unit
	}
	return changed(change, low, high) + " % " + word + " than " + r.BaselineName
}

// changed returns a percentage with two digits, or as few as its error, half the
// range that rounding leaves it, is at most two units of the last one of; the
// range, rounded outwards, where that leaves no digit.
func changed(percent, low, high float64) string {
	half := (high - low) / 2
	first := int(math.Floor(math.Log10(percent)))
	place := min(0, first-1)
	if half > 0 {
		place = max(place, int(math.Ceil(math.Log10(half/2))))
	}
	if place <= first {
		return atPlace(percent, place, math.Round)
	}
	place = int(math.Floor(math.Log10(half))) - 1
	return atPlace(low, place, math.Floor) + " to " + atPlace(high, place, math.Ceil)
}

// atPlace rounds x, by one of the ways of package math, to a multiple of 10^place.
func atPlace(x float64, place int, round func(float64) float64) string {
	if place < 0 {
		return strconv.FormatFloat(round(x*math.Pow10(-place))/math.Pow10(-place), 'f', -place, 64)
	}
	rounded := round(x/math.Pow10(place)) * math.Pow10(place)
	if rounded >= 1e15 {
		return number.Significant(rounded, 3) // hundreds of digits are no words
	}
	return strconv.FormatFloat(rounded, 'f', 0, 64)
}
