package oracle

import (
	"strings"
	"testing"

	"github.com/benchproof/benchproof/result"
)

// Stands checks that every figure of a record stands in the text that it was
// read from, where it is not said to be derived, and that every place and
// system index is one. It is the property that readers are fuzzed with.
func Stands(t *testing.T, f *result.File, text string) {
	t.Helper()
	check := func(what, figure string) {
		if figure != "" && !strings.Contains(text, figure) {
			t.Errorf("the %s %q stands nowhere in the input", what, figure)
		}
	}
	for i := range f.Tests {
		for j := range f.Tests[i].Measurements {
			m := &f.Tests[i].Measurements[j]
			if m.System < 0 || m.System >= len(f.Systems) {
				t.Fatalf("system %d of %d", m.System, len(f.Systems))
			}
			if m.Origin.Offset < 0 || m.Origin.Offset > len(text) || m.Origin.Line < 1 || m.Origin.Column < 1 {
				t.Errorf("origin %+v in a text of %d bytes", m.Origin, len(text))
			}
			if m.Value != "" && (m.Decode == result.DecodeAmbiguous || m.Status == result.StatusFailed) {
				t.Errorf("%s %s measurement with the value %q", m.Decode, m.Status, m.Value)
			}
			if m.Value == "" && m.Decode != result.DecodeAmbiguous && m.Status == result.StatusOK {
				t.Errorf("a measurement without a value at %s is neither failed nor ambiguous", m.Origin)
			}
			check("value", m.Value)
			check("minimum", m.Min)
			check("maximum", m.Max)
			check("precise value", m.Precise)
			if !m.StdErrorDerived {
				check("standard error", m.StdError)
			}
			for _, r := range m.RawValues {
				check("run", r)
			}
			for _, r := range m.RunTimes {
				check("run time", r)
			}
		}
	}
}
