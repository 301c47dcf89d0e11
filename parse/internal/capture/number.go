package capture

import (
	"math"
	"strings"

	"github.com/benchproof/benchproof/result"
)

// isRun reports whether a line below a caption is the figure of a run: a number,
// one with marks of a locale, or what is printed for none.
func isRun(text string) bool {
	switch strings.ToLower(strings.TrimLeft(text, "+-")) {
	case "nan", "inf":
		return true
	}
	return isNumber(text) || strings.Trim(text, "+-0123456789,.") == "" && strings.ContainsAny(text, "0123456789")
}

func isNumber(text string) bool {
	_, ok := result.ParseNumber(text)
	return ok
}

// agrees reports whether a printed average is the mean of runs, within what
// it was rounded by.
func agrees(value string, runs []string) bool {
	v, ok := result.ParseNumber(value)
	if !ok {
		return true
	}
	sum := 0.0
	for _, run := range runs {
		x, ok := result.ParseNumber(run)
		if !ok {
			return true
		}
		sum += x / float64(len(runs))
	}
	return math.Abs(sum-v) <= 1.01*result.HalfUnit(value)+math.Abs(v)*1e-9
}
