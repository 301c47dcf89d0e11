package xml

import (
	"strings"

	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/result"
)

func (d *document) entries(t *result.Test) {
	var seen map[int]bool
	if len(t.Measurements) > 1 {
		seen = make(map[int]bool, len(t.Measurements))
	}
	twice := false
	for i := range t.Measurements {
		m := &t.Measurements[i]
		twice = twice || seen[m.System]
		if seen != nil {
			seen[m.System] = true
		}
		d.entry(m)
	}
	if twice {
		d.lost.add(lostTwice, t.Origin)
	}
}

func (d *document) entry(m *result.Measurement) {
	if m.Precise != "" && m.Precise != m.Value {
		d.lost.add(lostPrecise, m.Origin)
	}
	if m.StdError != "" && len(m.RawValues) < 2 {
		d.lost.add(lostError, m.Origin)
	}
	if len(m.Notes) > 0 {
		d.lost.add(lostNote, m.Origin)
	}
	if m.Replay != nil {
		d.lost.add(lostReplay, m.Origin)
	}
	value, failure := export.Value(m), ""
	switch _, bad := clean(value); {
	case bad:
		// What is left of it would be another value.
		d.lost.add(lostValue, m.Origin)
		value, failure = "", "the value cannot be written as XML"
	case m.Status == result.StatusFailed:
	case m.Decode == result.DecodeAmbiguous:
		d.lost.add(lostAmbiguous, m.Origin)
		failure = "the source leaves several readings of the value"
		if len(m.Alternatives) > 0 {
			failure += ": " + strings.Join(m.Alternatives, " or ")
		}
	case m.Decode == result.DecodeInferred && !d.twin(m):
		d.lost.add(lostInferred, m.Origin)
	}
	d.open(3, "Entry")
	d.leaf(4, "Identifier", d.names[m.System], m.Origin)
	d.leaf(4, "Value", value, m.Origin)
	d.leaf(4, "RawString", d.runs(m), m.Origin)
	d.optional(4, "JSON", d.entryDetails(m, failure), m.Origin)
	d.close(3, "Entry")
}

// runs returns the runs as PTS joins them, and "" where that would not give
// the same runs back.
func (d *document) runs(m *result.Measurement) string {
	for _, run := range m.RawValues {
		if _, bad := clean(run); bad || run == "" || strings.Contains(run, ":") {
			d.lost.add(lostRuns, m.Origin)
			return ""
		}
	}
	return strings.Join(m.RawValues, ":")
}
