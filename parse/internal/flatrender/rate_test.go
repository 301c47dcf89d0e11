package flatrender

import (
	"strconv"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/result"
)

// perfect returns what a reader that knows all would make of c's page.
func perfect(c *Case) *result.File {
	p := page{file: c.File, Options: c.Options}
	f := &result.File{Title: c.File.Title}
	for i := range c.File.Systems {
		f.AddSystem(c.File.Systems[i].Identifier)
	}
	for i := range c.File.Tests {
		w := &c.File.Tests[i]
		if !hasNumber(w) {
			continue
		}
		t := result.Test{Title: w.Title, Version: w.Version, Arguments: w.Arguments, Scale: w.Scale, Proportion: w.Proportion}
		for _, b := range p.bars(w) {
			if b.value == "" {
				continue
			}
			m := result.Measurement{System: b.m.System, Value: b.value}
			if se, n, ok := strings.Cut(strings.TrimPrefix(stdError(b), "SE +/- "), ", N = "); ok {
				m.StdError = se
				m.Samples, _ = strconv.Atoi(n)
			}
			t.Measurements = append(t.Measurements, m)
		}
		f.Tests = append(f.Tests, t)
	}
	return f
}

func TestRate(t *testing.T) {
	c := Generate("plain", 1)
	const at = 5 // the test that is changed
	for _, tt := range []struct {
		name   string
		change func(f *result.File, m []result.Measurement)
		want   func(s *Score) bool
	}{
		{"perfect", func(*result.File, []result.Measurement) {}, func(s *Score) bool { return s.Exact == s.Tests && s.NamesExact == 1 && s.Problems == nil }},
		{
			"inferred", func(_ *result.File, m []result.Measurement) { m[0].Decode = result.DecodeInferred },
			func(s *Score) bool { return s.Inferred == 1 && s.Exact == s.Tests-1 },
		},
		{
			"swapped", func(_ *result.File, m []result.Measurement) { m[0].Value, m[1].Value = m[1].Value, m[0].Value },
			func(s *Score) bool { return s.Wrong == 1 && s.WrongExact == 1 },
		},
		{
			"wrong and inferred", func(_ *result.File, m []result.Measurement) { m[0].Value += "1"; m[0].Decode = result.DecodeInferred },
			func(s *Score) bool { return s.Wrong == 1 && s.WrongExact == 0 },
		},
		{
			"other digits", func(_ *result.File, m []result.Measurement) { m[0].Value += "0" },
			func(s *Score) bool { return s.WrongExact == 1 },
		},
		{
			"invented", func(f *result.File, m []result.Measurement) { m[0].System = f.AddSystem("invented") },
			func(s *Score) bool { return s.WrongExact == 1 && s.NamesWrongExact == 1 },
		},
		{"no system", func(_ *result.File, m []result.Measurement) { m[0].System = -1 }, func(s *Score) bool { return s.WrongExact == 1 }},
		{
			"lost", func(f *result.File, _ []result.Measurement) { g := &f.Tests[at]; g.Measurements = g.Measurements[1:] },
			func(s *Score) bool { return s.WrongExact == 1 },
		},
		{
			"failed", func(_ *result.File, m []result.Measurement) { m[0].Value, m[0].Status = "", result.StatusFailed },
			func(s *Score) bool { return s.WrongExact == 1 },
		},
		{
			"undecoded", func(f *result.File, _ []result.Measurement) { f.Tests[at].Measurements = nil },
			func(s *Score) bool { return s.Undecoded == 1 && s.Wrong == 0 },
		},
		{"ambiguous", func(_ *result.File, m []result.Measurement) {
			m[0] = result.Measurement{System: m[0].System, Decode: result.DecodeAmbiguous, Alternatives: []string{m[0].Value, "5"}}
		}, func(s *Score) bool { return s.Ambiguous == 1 && s.ByName == 0 && s.AmbiguousWithout == 0 }},
		{"ambiguous by name", func(_ *result.File, m []result.Measurement) {
			m[0] = result.Measurement{System: m[0].System, Decode: result.DecodeAmbiguous, Alternatives: []string{m[0].Value}}
		}, func(s *Score) bool { return s.ByName == 1 }},
		{"alternatives without the value", func(_ *result.File, m []result.Measurement) {
			m[0] = result.Measurement{System: m[0].System, Decode: result.DecodeAmbiguous, Alternatives: []string{"5", "6"}}
		}, func(s *Score) bool { return s.AmbiguousWithout == 1 }},
		{"ambiguous beside wrong", func(_ *result.File, m []result.Measurement) {
			m[0] = result.Measurement{System: m[0].System, Decode: result.DecodeAmbiguous, Alternatives: []string{m[0].Value, "5"}}
			m[1].Value += "1"
		}, func(s *Score) bool { return s.WrongExact == 1 && s.Ambiguous == 0 }},
		{"test lost", func(f *result.File, _ []result.Measurement) { f.Tests = f.Tests[:len(f.Tests)-1] }, func(s *Score) bool { return s.WrongExact == 1 }},
		{"test invented", func(f *result.File, _ []result.Measurement) { f.Tests = append(f.Tests, result.Test{}) }, func(s *Score) bool { return s.WrongExact == 1 }},
		{"head", func(f *result.File, _ []result.Measurement) { f.Tests[at].Scale += "s" }, func(s *Score) bool { return s.HeadsWrong == 1 }},
		{"SE", func(_ *result.File, m []result.Measurement) { m[0].StdError += "1" }, func(s *Score) bool { return s.ErrorsWrong == 1 }},
		{"N", func(_ *result.File, m []result.Measurement) { m[0].Samples++ }, func(s *Score) bool { return s.ErrorsWrong == 1 }},
		{"N unknown", func(_ *result.File, m []result.Measurement) { m[0].Samples = 0 }, func(s *Score) bool { return s.ErrorsWrong == 0 && s.ErrorsLost == 0 }},
		{"SE lost", func(_ *result.File, m []result.Measurement) { m[0].StdError, m[0].Samples = "", 0 }, func(s *Score) bool { return s.ErrorsLost == 1 }},
		{
			"name inferred and wrong", func(f *result.File, _ []result.Measurement) {
				f.Systems[0] = result.System{Identifier: "x", Decode: result.DecodeInferred}
			},
			func(s *Score) bool { return s.NamesWrong == 1 && s.NamesWrongExact == 0 && s.Wrong > 1 },
		},
		{"name wrong", func(f *result.File, _ []result.Measurement) { f.Systems[0].Identifier = "x" }, func(s *Score) bool { return s.NamesWrongExact == 1 }},
		{"no names", func(f *result.File, _ []result.Measurement) { f.Systems = nil }, func(s *Score) bool { return s.NamesNone == 1 }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := perfect(c)
			tt.change(f, f.Tests[at].Measurements)
			if s := Rate(f, c); !tt.want(s) {
				t.Errorf("%+v", s)
			}
		})
	}
}

// TestShrink: what is left is what the fault is about, and the case is as it
// was.
func TestShrink(t *testing.T) {
	c := Generate("plain", 1)
	name, title := c.File.Systems[1].Identifier, c.File.Tests[7].Title
	tests, systems := len(c.File.Tests), len(c.File.Systems)
	d := Shrink(c, func(c *Case) bool {
		for i := range c.File.Tests {
			for _, m := range c.File.Tests[i].Measurements {
				if c.File.Tests[i].Title == title && c.File.Systems[m.System].Identifier == name {
					return true
				}
			}
		}
		return false
	})
	if len(d.File.Tests) != 1 || d.File.Tests[0].Title != title || len(d.File.Systems) != 1 || d.File.Systems[0].Identifier != name {
		t.Errorf("%d tests, systems %q", len(d.File.Tests), names(d.File))
	}
	if len(c.File.Tests) != tests || len(c.File.Systems) != systems {
		t.Error("the case was changed")
	}
	if _, err := Page(d.File, d.Options); err != nil {
		t.Error(err)
	}
}
