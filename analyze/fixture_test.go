package analyze

import (
	"math"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/result"
)

// fig is a measurement in a test's text: "value ±error N=n", each part but the
// first optional, or "failed", "censored", "ambiguous", "-" for none, or runs "1;2;3".
func fig(text string, system int) (result.Measurement, bool) {
	m := result.Measurement{System: system}
	switch {
	case text == "-":
		return m, false
	case text == "failed":
		m.Status, m.Reason = result.StatusFailed, "timeout"
		return m, true
	case text == "censored":
		m.Status, m.Reason = result.StatusFailed, result.CensoredReason+"fio printed 9164"
		return m, true
	case text == "ambiguous":
		m.Decode, m.Alternatives = result.DecodeAmbiguous, []string{"1", "12"}
		return m, true
	}
	for i, part := range strings.Fields(text) {
		switch {
		case i == 0 && strings.Contains(part, "="):
			value, runs, _ := strings.Cut(part, "=")
			m.Value, m.RawValues = value, strings.Split(runs, ";")
		case i == 0:
			m.Value = part
		case strings.HasPrefix(part, "±"):
			m.StdError = strings.TrimPrefix(part, "±")
		case strings.HasPrefix(part, "N="):
			for _, c := range part[2:] {
				m.Samples = m.Samples*10 + int(c-'0')
			}
		}
	}
	return m, true
}

// row is a test with one figure a system.
func row(title string, p result.Proportion, figures ...string) result.Test {
	t := result.Test{Title: title, Scale: "MB/s", Proportion: p}
	if p == result.LIB {
		t.Scale = "s"
	}
	for i, text := range figures {
		if m, ok := fig(text, i); ok {
			t.Measurements = append(t.Measurements, m)
		}
	}
	return t
}

// file is a file of tests with the systems A, B, C, …, or those named.
func file(systems string, tests ...result.Test) *result.File {
	f := &result.File{Source: "f", Tests: tests}
	for name := range strings.SplitSeq(systems, ",") {
		if name != "" {
			f.AddSystem(name)
		}
	}
	result.SetGroups(f.Systems)
	return f
}

func compare(t *testing.T, o CompareOptions, files ...*result.File) *Comparison {
	t.Helper()
	c, err := Compare(NewSet(files), o)
	if err != nil {
		t.Fatal(err)
	}
	checkSane(t, c)
	return c
}

// checkSane checks what must hold of every comparison: no NaN, an interval
// around its ratio, a range around its p value, a verdict with what it needs.
func checkSane(t testing.TB, c *Comparison) {
	t.Helper()
	finite := func(what string, list ...Quantity) {
		for _, q := range list {
			if math.IsNaN(q.X) || math.IsInf(q.X, 0) {
				t.Errorf("%s: %v", what, q)
			}
		}
	}
	for i := range c.Rows {
		r := &c.Rows[i]
		m := r.Methods()
		finite("row", r.Ratio, r.Interval.Low, r.Interval.High, r.P, r.PRange.Low, r.PRange.High, r.PAdjusted, r.Equality, r.EqualityAdjusted)
		finite("methods", m.Fieller.Low, m.Fieller.High, m.Difference, m.WelchP, m.MannWhitneyP, m.ShiftRatio, m.HedgesG, m.NewRun.Low, m.NewRunP)
		if exact := strings.Contains(r.Reason, "compared exactly"); r.P.Known != (r.Verdict != Untestable && !exact) {
			t.Errorf("%s: p %v with the verdict %s", r.SystemName, r.P, r.Verdict)
		}
		if r.Verdict == Untestable && r.Reason == "" || r.Verdict == Undecided && r.Reason == "" {
			t.Errorf("%s: %s without a reason", r.SystemName, r.Verdict)
		}
		if !r.P.Known {
			continue
		}
		if !(r.Interval.Low.X <= r.Ratio.X && r.Ratio.X <= r.Interval.High.X) ||
			!(0 <= r.PRange.Low.X && r.PRange.Low.X <= r.P.X && r.P.X <= r.PRange.High.X && r.PRange.High.X <= 1) ||
			r.PAdjusted.X < r.P.X {
			t.Errorf("%s: ratio %v in %v, p %v in %v, adjusted %v", r.SystemName, r.Ratio, r.Interval, r.P, r.PRange, r.PAdjusted)
		}
	}
	for i := range c.Overall {
		o := &c.Overall[i]
		finite("overall", o.GeoMean, o.OverTests.Low, o.OverTests.High, o.OverTests.P, o.TheseTests.Low, o.ByProfile, o.SignP)
		if o.Reason == "" || o.Verdict == "" {
			t.Errorf("overall %s: verdict %q, reason %q", o.SystemName, o.Verdict, o.Reason)
		}
	}
}

func near(got Quantity, want float64) bool {
	return got.Known && math.Abs(got.X-want) <= 1e-5*math.Abs(want)
}
