package export

import "github.com/benchproof/benchproof/result"

// Better says in words which values are better.
func Better(p result.Proportion) string {
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
