package flat

import (
	"math"
	"strconv"
	"strings"
)

// PTS labels the value axis of a bar graph at five multiples of one step, and
// chooses the step from the largest value alone. A printed step therefore
// bounds the largest value from both sides.

// tickScale is the unit steps are counted in: a step has at most four
// decimals.
const tickScale = 10_000

// ticks is one reading of an axis' five labels.
type ticks struct {
	start, end int     // offsets of the labels in the text searched
	lo, hi     float64 // the largest value lies in [lo, hi]
	top        float64 // the last label
}

// axisStep returns the step of an axis whose largest value is v, in units of
// 1/tickScale, by PTS's rule.
func axisStep(v float64) int64 {
	if v < 6 {
		return int64(math.Floor(v*1.35/6*tickScale + 0.5))
	}
	return axisStepInt(int64(math.Floor(v*1.285+0.5))) * tickScale
}

// axisStepInt is the part of axisStep for 6 and more; a is the rounded top of
// the axis.
func axisStepInt(a int64) int64 {
	m := (a/6 + 1) * 6
	step := m / 6
	unit := int64(1)
	for d := len(strconv.FormatInt(m, 10)); d > 2; d-- {
		unit *= 10
	}
	return (step + unit/2) / unit * unit
}

// maxBounds inverts axisStep: it returns the interval in which the largest
// value of an axis with this step (in 1/tickScale) lies, and false if no
// value gives the step.
func maxBounds(step int64) (lo, hi float64, ok bool) {
	// The margin takes in the float arithmetic of the client that drew it.
	const margin = 1e-9
	if step <= 0 {
		return 0, 0, false
	}
	lo, hi = math.Inf(1), math.Inf(-1)
	if small := (float64(step) - 0.5) / tickScale * 6 / 1.35; small < 6 {
		lo, hi = small*(1-margin), math.Min(6, (float64(step)+0.5)/tickScale*6/1.35*(1+margin))
	}
	if step%tickScale == 0 {
		s := step / tickScale
		// axisStepInt never falls, so the tops with this step are one run.
		first := searchTop(s)
		last := searchTop(s+1) - 1
		if first <= last && axisStepInt(first) == s {
			lo = math.Min(lo, math.Max(6, (float64(first)-0.5)/1.285*(1-margin)))
			hi = math.Max(hi, (float64(last)+0.5)/1.285*(1+margin))
		}
	}
	return lo, hi, lo <= hi
}

// searchTop returns the smallest a with axisStepInt(a) >= s.
func searchTop(s int64) int64 {
	lo, hi := int64(0), 12*s+12
	for lo < hi {
		mid := (lo + hi) / 2
		if axisStepInt(mid) >= s {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

// tickLabels returns the five labels of a step run together. Steps above 1000
// that are whole thousands print with K, those above a million with M.
func tickLabels(step int64) string {
	var b strings.Builder
	for k := int64(1); k <= 5; k++ {
		b.WriteString(tickLabel(step, k))
	}
	return b.String()
}

func tickLabel(step, k int64) string {
	const thousand = 1000 * tickScale
	switch {
	case step > 1000*thousand && step%thousand == 0:
		v := step / thousand * k
		s := strconv.FormatInt(v/1000, 10)
		if frac := v % 1000; frac != 0 {
			s += "." + strings.TrimRight(strconv.FormatInt(frac+1000, 10)[1:], "0")
		}
		return s + "M"
	case step > thousand && step%thousand == 0:
		return strconv.FormatInt(step/thousand*k, 10) + "K"
	}
	v := step * k
	s := strconv.FormatInt(v/tickScale, 10)
	if frac := v % tickScale; frac != 0 {
		s += "." + strings.TrimRight(strconv.FormatInt(frac+tickScale, 10)[1:], "0")
	}
	return s
}

// parseTick reads one label as a step's multiple, in 1/tickScale.
func parseTick(label string) (int64, bool) {
	unit, million := int64(1), false
	switch {
	case strings.HasSuffix(label, "K"):
		unit, label = 1000, label[:len(label)-1]
	case strings.HasSuffix(label, "M"):
		unit, million, label = 1_000_000, true, label[:len(label)-1]
	}
	whole, frac, dot := strings.Cut(label, ".")
	if whole == "" || len(whole) > 12 || len(frac) > 4 || dot && (frac == "" || unit > 1 && !million || frac[len(frac)-1] == '0') {
		return 0, false
	}
	if len(whole) > 1 && whole[0] == '0' {
		return 0, false
	}
	for _, c := range whole + frac {
		if c < '0' || c > '9' {
			return 0, false
		}
	}
	w, _ := strconv.ParseInt(whole, 10, 64)
	f, _ := strconv.ParseInt((frac + "0000")[:4], 10, 64)
	return (w*tickScale + f) * unit, true
}

// ticksBefore returns the readings of five labels that end at the end of
// text.
func ticksBefore(text string) []ticks {
	var out []ticks
	for j := len(text) - 1; j >= 0 && j >= len(text)-14; j-- {
		last, ok := parseTick(text[j:])
		if !ok || last%5 != 0 {
			continue
		}
		step := last / 5
		labels := tickLabels(step)
		lo, hi, ok := maxBounds(step)
		if ok && strings.HasSuffix(text, labels) {
			out = append(out, ticks{start: len(text) - len(labels), end: len(text), lo: lo, hi: hi, top: float64(5*step) / tickScale})
		}
	}
	return out
}

// ticksIn returns the readings of five labels that stand anywhere in text,
// for graphs that print no SE to end them. Line graphs draw more than their
// largest value: anyStep takes steps that no value gives.
func ticksIn(text string, anyStep bool) []ticks {
	var out []ticks
	for i := 0; i < len(text); i++ {
		if text[i] < '0' || text[i] > '9' {
			continue
		}
		for j := i + 1; j <= len(text) && j <= i+14; j++ {
			if c := text[j-1]; (c < '0' || c > '9') && c != '.' && c != 'K' && c != 'M' {
				break
			}
			step, ok := parseTick(text[i:j])
			if !ok {
				continue
			}
			labels := tickLabels(step)
			if !strings.HasPrefix(text[i:], labels) {
				continue
			}
			if lo, hi, ok := maxBounds(step); ok || anyStep {
				out = append(out, ticks{start: i, end: i + len(labels), lo: lo, hi: hi, top: float64(5*step) / tickScale})
			}
		}
	}
	return out
}
