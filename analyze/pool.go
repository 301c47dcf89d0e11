package analyze

import (
	"fmt"
	"slices"

	"github.com/benchproof/benchproof/internal/number"
	"github.com/benchproof/benchproof/result"
)

// poolable reports whether the runs of two measurements of one system can be
// taken together: all runs of both are known and are numbers, and both were made
// in the same way.
func poolable(a, b *result.Measurement) bool {
	for _, m := range []*result.Measurement{a, b} {
		if m.Status != result.StatusOK || m.Decode == result.DecodeAmbiguous || len(m.RawValues) == 0 {
			return false
		}
		for _, v := range m.RawValues {
			if _, ok := result.ParseNumber(v); !ok || !number.Measured(v) {
				return false
			}
		}
	}
	if (a.Replay == nil) != (b.Replay == nil) {
		return false
	}
	return a.Replay == nil || *a.Replay == *b.Replay
}

// pooled returns the measurement of the runs of both, which stay in the order of
// the files. Its value is their mean, as PTS would print it: no source prints it,
// so it is inferred, and a note says what it is made of. What is known of some of
// the runs alone is left out.
func pooled(a, b *result.Measurement) result.Measurement {
	m := *a
	m.RawValues = slices.Concat(a.RawValues, b.RawValues)
	m.Value, m.Samples = number.MeanText(m.RawValues), len(m.RawValues)
	m.StdError, m.StdErrorDerived = number.StdError(m.RawValues), true
	m.RunTimes = nil
	if len(a.RunTimes) == len(a.RawValues) && len(b.RunTimes) == len(b.RawValues) {
		m.RunTimes = slices.Concat(a.RunTimes, b.RunTimes)
	}
	m.Min, m.Max, m.Precise, m.Details = "", "", "", nil
	m.Decode = result.DecodeInferred
	m.Notes = slices.Clone(a.Notes)
	for _, n := range b.Notes {
		if !slices.Contains(m.Notes, n) {
			m.Notes = append(m.Notes, n)
		}
	}
	m.Notes = append(m.Notes, fmt.Sprintf("pooled with %s of %s, where the value is %s", countText(len(b.RawValues), "run"), b.Origin.Source, b.Value))
	return m
}
