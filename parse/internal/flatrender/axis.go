package flatrender

import (
	"math"
	"strconv"
)

// marks is the number of divisions of a value axis.
const marks = 6

// top returns the upper end of the axis of a bar graph whose largest value is
// v.
func top(v float64) float64 {
	if v <= 0 {
		return 0
	}
	if v < marks {
		return v * 1.35 / marks * marks
	}
	m := (math.Floor(math.Round(v*1.285)/marks) + 1) * marks
	return divisions(m) * marks
}

// divisions returns a sixth of m, rounded up to an integer and then to as many
// digits as are left of m's length and two.
func divisions(m float64) float64 {
	return roundTo(math.Ceil(m/marks), 2-len(shown(m)))
}

// labels returns the labels of an axis that ends at top, run together.
func labels(top float64) string {
	if top <= 0 {
		return ""
	}
	places := 2
	if top < 10 {
		places = 4
	}
	step := roundTo(top/marks, places)
	out, at := "", 0.0
	for range marks - 1 {
		at += step
		if at != 0 {
			out += label(at, step)
		}
	}
	return out
}

// label returns one label: whole thousands of steps above a thousand are
// printed with K, above a million with M.
func label(v, step float64) string {
	thousands := math.Mod(math.Trunc(step), 1000) == 0
	switch {
	case step > 1e6 && thousands:
		return shown(roundTo(v/1e6, 2)) + "M"
	case step > 1000 && thousands:
		return shown(roundTo(v/1000, 2)) + "K"
	}
	return shown(v)
}

// lineTop returns the upper end of the axis of a line graph: bar is what a bar
// graph's would be, largest the largest point.
func lineTop(bar, largest float64, scale string) float64 {
	switch {
	case scale == "Percent" && largest < 100 && largest > 80:
		return 120
	case largest < 10:
		t := math.Max(bar, largest) * 1.25
		return t + float64(int(t)%marks)
	}
	t := math.Round(math.Max(bar, largest) * 1.2)
	return roundTo(math.Ceil(t/marks), 2-len(strconv.FormatFloat(t, 'f', 0, 64))) * marks
}
