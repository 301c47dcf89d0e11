package result

import (
	"fmt"
	"slices"
)

// settle puts measurements of a decoded file right that say two things at
// once, and reports each: an edited document must not give out a value that it
// does not vouch for. An ambiguous or failed measurement with a value becomes
// ambiguous with the value among its alternatives; one without a value that
// is neither has failed.
func (f *File) settle() {
	report := func(m *Measurement, severity Severity, code, format string, args ...any) {
		f.Diagnostics = append(f.Diagnostics, Diagnostic{
			Severity: severity, Origin: m.Origin, Code: code, Message: fmt.Sprintf(format, args...),
		})
	}
	for i := range f.Tests {
		for k := range f.Tests[i].Measurements {
			m := &f.Tests[i].Measurements[k]
			switch {
			case m.Value != "" && (m.Decode == DecodeAmbiguous || m.Status == StatusFailed):
				word := "ambiguous"
				if m.Status == StatusFailed {
					word = "failed"
				}
				report(m, SeverityError, "value-not-vouched", "the record has the value %.60q for a measurement that is %s: it is ambiguous", m.Value, word)
				if !slices.Contains(m.Alternatives, m.Value) {
					m.Alternatives = append(m.Alternatives, m.Value)
				}
				m.Value, m.Status, m.Decode = "", StatusOK, DecodeAmbiguous
			case m.Value == "" && m.Decode != DecodeAmbiguous && m.Status == StatusOK:
				report(m, SeverityWarning, "value-absent", "the record has no value for a measurement that is neither failed nor ambiguous: it failed")
				m.Status = StatusFailed
				if m.Reason == "" {
					m.Reason = "the record has no value"
				}
			}
		}
	}
}
