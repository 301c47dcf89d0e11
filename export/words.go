package export

import (
	"math"
	"strings"

	"github.com/benchproof/benchproof/internal/number"
	"github.com/benchproof/benchproof/result"
)

// ProportionText says in words which values are better.
func ProportionText(p result.Proportion) string {
	switch p {
	case result.HIB:
		return "more is better"
	case result.LIB:
		return "less is better"
	}
	return "better direction unknown"
}

// Marks of values that are not exact, and what they mean.
const (
	InferredMark  = "~"
	AmbiguousMark = "?"

	InferredMeaning  = "inferred: the source leaves this reading as the plausible one"
	AmbiguousMeaning = "ambiguous: the source leaves several readings"
)

// Mark returns the mark behind values of that certainty, "" for exact.
func Mark(d result.Decode) string {
	switch d {
	case result.DecodeInferred:
		return InferredMark
	case result.DecodeAmbiguous:
		return AmbiguousMark
	}
	return ""
}

// ShownFigures returns standard error and N of m as people are shown them:
// as published, or worked out from its raw runs with the two or three
// significant digits that few runs can tell. Tables for programs have six.
// Unknown ones are "" and 0.
func ShownFigures(m *result.Measurement) (stdError string, samples int) {
	stdError, samples = number.Figures(m)
	if m.StdError != "" && !m.StdErrorDerived {
		return stdError, samples
	}
	v, ok := result.ParseNumber(stdError)
	if !ok || v == 0 {
		return stdError, samples
	}
	digits := 2
	if strings.HasPrefix(strings.TrimLeft(stdError, "-+0."), "1") {
		digits = 3
	}
	// No digit before the point becomes a zero.
	digits = max(digits, int(math.Floor(math.Log10(math.Abs(v))))+1)
	return number.Significant(v, min(digits, 6)), samples
}
