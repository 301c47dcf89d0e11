package oracle

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/result"
)

// cell identifies a measurement within a test: its system's printable name,
// and which of that system's measurements it is.
type cell struct {
	system string
	nth    int
}

// cells returns the measurements by cell, and the cells in order.
func cells(f *result.File, t *result.Test) (map[cell]*result.Measurement, []cell) {
	names := f.SystemNames()
	byCell := make(map[cell]*result.Measurement, len(t.Measurements))
	var order []cell
	seen := make(map[string]int)
	for i := range t.Measurements {
		m := &t.Measurements[i]
		name := fmt.Sprintf("no system %d", m.System)
		if m.System >= 0 && m.System < len(names) {
			name = names[m.System]
		}
		c := cell{name, seen[name]}
		seen[name]++
		byCell[c] = m
		order = append(order, c)
	}
	return byCell, order
}

func (d *differ) measurements(at string, got, want *result.Test) {
	gotBy, gotOrder := cells(d.got, got)
	wantBy, wantOrder := cells(d.want, want)
	ambiguous := false
	for _, m := range gotBy {
		ambiguous = ambiguous || m.Decode == result.DecodeAmbiguous
	}
	places := printedDecimals(want)
	for _, c := range wantOrder {
		w, g := wantBy[c], gotBy[c]
		at := fmt.Sprintf("%s: %q", at, c.system)
		if w.Status == result.StatusFailed {
			d.failed(at, g, w)
			continue
		}
		switch {
		case g == nil && d.SkipAmbiguous && ambiguous:
			d.Tally.Ambiguous++
		case g == nil && d.ZeroMayBeMissing && isZero(w.Value):
			d.Tally.Missing++
		case g == nil:
			d.Tally.Missing++
			if !d.SkipMissing {
				d.add("%s: missing, want %q", at, w.Value)
			}
		case g.Decode == result.DecodeAmbiguous:
			d.ambiguous(at, g, w, places)
		default:
			if d.value(at, g, w, places) {
				d.rest(at, got, g, w, places)
			}
		}
	}
	for _, c := range gotOrder {
		g := gotBy[c]
		if wantBy[c] != nil || g.Status == result.StatusFailed {
			continue
		}
		if g.Decode == result.DecodeAmbiguous && d.SkipAmbiguous {
			continue
		}
		d.Tally.Unwanted++
		d.add("%s: %q: unwanted %s value %q", at, c.system, g.Decode, g.Value)
	}
	if d.Order && fmt.Sprint(gotOrder) != fmt.Sprint(wantOrder) {
		d.add("%s: got order %v, want %v", at, gotOrder, wantOrder)
	}
}

// failed compares with an entry that has no value.
func (d *differ) failed(at string, g, w *result.Measurement) {
	switch {
	case g == nil && d.NumericValues:
	case g == nil:
		d.add("%s: missing, want a failed one", at)
	case g.Status != result.StatusFailed:
		d.Tally.Unwanted++
		d.add("%s: got %s value %q, want a failed one", at, g.Decode, g.Value)
	case !d.SkipXMLFields:
		d.known(at+": reason", g.Reason, w.Reason)
	}
}

func (d *differ) ambiguous(at string, g, w *result.Measurement, places int) {
	d.Tally.Ambiguous++
	held := false
	for _, a := range g.Alternatives {
		held = held || d.same(a, w.Value, places)
	}
	if !held {
		d.Tally.AmbiguousWithout++
	}
	if g.Value != "" {
		d.add("%s: ambiguous and yet a value %q", at, g.Value)
	}
	if !d.SkipAmbiguous {
		d.add("%s: ambiguous %q, want %q", at, g.Alternatives, w.Value)
	}
}

// value compares and counts a value that is said to be known.
func (d *differ) value(at string, g, w *result.Measurement, places int) bool {
	right := g.Status == result.StatusOK && (d.same(g.Value, w.Value, places) || d.summary(g, w))
	switch {
	case right && g.Decode == result.DecodeExact:
		d.Tally.Exact++
	case right:
		d.Tally.Inferred++
	case g.Decode == result.DecodeExact:
		d.Tally.WrongExact++
	default:
		d.Tally.WrongInferred++
	}
	if !right {
		d.add("%s: got %s %s value %q, want %q", at, g.Decode, g.Status, g.Value, w.Value)
	}
	return right
}

// same reports whether a value as got is the wanted one.
func (d *differ) same(got, want string, places int) bool {
	if got == want {
		return true
	}
	if !d.NumericValues {
		return false
	}
	g, ok := number(got)
	w, ok2 := number(want)
	return ok && ok2 && decimals(got) == places && near(g, w, places)
}

// summary reports whether g is what a graph prints of a series (a comma
// list): its mean, with its minimum and maximum.
func (d *differ) summary(g, w *result.Measurement) bool {
	if !d.NumericValues || !strings.Contains(w.Value, ",") {
		return false
	}
	low, high, sum, n := math.Inf(1), math.Inf(-1), 0.0, 0
	for part := range strings.SplitSeq(w.Value, ",") {
		v, ok := number(part)
		if !ok {
			return false
		}
		low, high, sum, n = min(low, v), max(high, v), sum+v, n+1
	}
	fits := func(text string, want float64) bool {
		v, ok := number(text)
		return ok && near(v, want, decimals(text))
	}
	return fits(g.Min, low) && fits(g.Max, high) && (g.Value == "" || fits(g.Value, sum/float64(n)))
}

// rest compares what stands beside a right value.
func (d *differ) rest(at string, gt *result.Test, g, w *result.Measurement, places int) {
	switch {
	case !d.NumericValues:
		d.known(at+": precise value", g.Precise, w.Precise)
	case g.Precise != "" && g.Precise != w.Value:
		d.add("%s: precise value: got %q, want %q", at, g.Precise, w.Value)
	}
	if !d.SkipSE {
		if d.NumericValues {
			d.numericSE(at, gt, g, w, places)
		} else if !g.StdErrorDerived || w.StdError != "" {
			d.text(at+": standard error", g.StdError, w.StdError)
			if g.Samples != w.Samples {
				d.add("%s: N: got %d, want %d", at, g.Samples, w.Samples)
			}
		}
	}
	if !d.SkipXMLFields && w.RawValues != nil {
		d.list(at+": raw values", g.RawValues, w.RawValues)
		d.list(at+": run times", g.RunTimes, w.RunTimes)
		d.text(at+": minimum", g.Min, w.Min)
		d.text(at+": maximum", g.Max, w.Max)
	}
}

// numericSE compares a printed standard error with the raw values.
func (d *differ) numericSE(at string, gt *result.Test, g, w *result.Measurement, places int) {
	want, ok := standardError(w.RawValues)
	places = max(2, places)
	fits := func(text string, n int) bool {
		v, isNumber := number(text)
		return isNumber && n == len(w.RawValues) && near(v, want, min(places, decimals(text)))
	}
	switch {
	case !ok && g.StdError != "":
		d.add("%s: got standard error %q, want none", at, g.StdError)
	case !ok, g.StdError == "" && d.SkipMissingSE:
	case g.StdError == "":
		for _, u := range gt.Unassigned {
			if fits(u.StdError, u.Samples) {
				return
			}
		}
		d.add("%s: no standard error, want %.*f, N = %d", at, places, want, len(w.RawValues))
	case !fits(g.StdError, g.Samples):
		d.add("%s: got standard error %q, N = %d, want %.*f, N = %d", at, g.StdError, g.Samples, places, want, len(w.RawValues))
	}
}

// standardError returns the sample standard deviation over the root of n,
// and false for fewer than two numbers.
func standardError(raw []string) (float64, bool) {
	if len(raw) < 2 {
		return 0, false
	}
	values := make([]float64, len(raw))
	mean := 0.0
	for i, s := range raw {
		v, ok := number(s)
		if !ok {
			return 0, false
		}
		values[i] = v
		mean += v / float64(len(raw))
	}
	ss := 0.0
	for _, v := range values {
		ss += (v - mean) * (v - mean)
	}
	n := float64(len(values))
	return math.Sqrt(ss/(n-1)) / math.Sqrt(n), true
}

// printedDecimals returns how many decimals PTS prints for every value of a
// test that was read from XML: the most that any of its values has, at most
// 2 where the smallest is 10 or more. It returns 0 for a test without
// numbers.
func printedDecimals(t *result.Test) int {
	most, smallest := 0, math.Inf(1)
	for i := range t.Measurements {
		if v, ok := number(t.Measurements[i].Value); ok {
			most = max(most, decimals(t.Measurements[i].Value))
			smallest = min(smallest, v)
		}
	}
	if smallest >= 10 {
		most = min(most, 2)
	}
	return most
}

// near reports whether printed lies within half a unit of the last of so
// many places of exact, with room for the binary error of halves.
func near(printed, exact float64, places int) bool {
	half := 0.5 * math.Pow(10, -float64(places))
	return math.Abs(printed-exact) <= half*(1+1e-6)+math.Abs(exact)*1e-15
}

func isZero(s string) bool {
	v, ok := number(s)
	return ok && v == 0
}

func number(s string) (float64, bool) {
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
}
