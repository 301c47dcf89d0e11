package parse

import (
	"fmt"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

// contradictions looks for values that the figures beside them contradict, and
// for values with characters that no number is printed with. They are kept as
// they stand, but are no longer exact. It reports what should be a number and is
// none, too.
func contradictions(t *result.Test, found *findings) {
	add := func(m *result.Measurement, severity result.Severity, code, format string, args ...any) {
		m.Decode = max(m.Decode, result.DecodeInferred)
		found.add(severity, m.Origin, code, format, args...)
	}
	means, bars := isMean(t.DisplayFormat), strings.Contains(t.DisplayFormat, "BAR_GRAPH")
	for i := range t.Measurements {
		m := &t.Measurements[i]
		if m.Value == "" {
			continue
		}
		if m.Decode == result.DecodeAmbiguous {
			// As where its system's name is: it may be that system's value.
			m.Alternatives, m.Value = append(m.Alternatives, m.Value), ""
			continue
		}
		if c, odd := oddCharacter(m.Value); odd {
			add(m, result.SeverityWarning, "odd-character", "the value %q holds the character %U", clip(m.Value, 60), c)
		}
		if bars && !said(m.Origin.Rule) {
			if _, ok := m.Number(); !ok {
				found.add(result.SeverityWarning, m.Origin, "not-a-number", "the value %q of a bar graph is no number, and in no ratio and no mean", clip(m.Value, 60))
			}
		}
		if m.Min != "" && m.Max != "" && !within(m.Value, m.Min, m.Max) {
			add(m, result.SeverityError, "outside-range", "the value %s is not within its minimum and maximum, %s and %s",
				clip(m.Value, 60), clip(m.Min, 60), clip(m.Max, 60))
		}
		if means {
			if mean, ok := offRuns(m.Value, m.RawValues); !ok {
				add(m, result.SeverityError, "raw-mismatch", "the value %q is not what its %s, whose mean is %.10g", clip(m.Value, 60), phrase.Count(len(m.RawValues), "run")+" "+phrase.Verb(len(m.RawValues), "gives", "give"), mean)
			}
		}
	}
}

// said reports whether the reader of a rule says itself what is no number.
func said(rule string) bool {
	reader, _, _ := strings.Cut(rule, "/")
	return reader == "text" || reader == "capture"
}

// isMean reports whether a value of a display format is one figure of its
// runs: lists of figures and words are not.
func isMean(format string) bool {
	return format == "" || strings.Contains(format, "BAR_GRAPH")
}

// offRuns returns the mean of runs, and whether the value is one that PTS
// makes of them: their mean, least or greatest, rounded to the value's digits;
// a mean may have been taken before the runs were rounded. Where the runs are
// no numbers, or too large to add, all values are.
func offRuns(value string, runs []string) (mean float64, ok bool) {
	if len(runs) == 0 {
		return 0, true
	}
	sum, least, most := 0.0, math.Inf(1), math.Inf(-1)
	for _, run := range runs {
		v, ok := result.ParseNumber(run)
		if !ok {
			return 0, true
		}
		sum += v
		least, most = min(least, v), max(most, v)
	}
	mean = sum / float64(len(runs))
	if math.IsInf(sum, 0) {
		return mean, true
	}
	v, number := result.ParseNumber(value)
	if !number {
		return mean, strings.IndexByte(value, ',') >= 0
	}
	// Sums of many runs have a binary error of their own.
	unit := result.HalfUnit(value)
	near := func(of, half float64) bool {
		return math.Abs(v-of) <= (unit+half)*(1+1e-9)+1e-9*math.Abs(of)
	}
	if near(mean, 0) || near(least, 0) || near(most, 0) {
		return mean, true
	}
	half := 0.0
	for _, run := range runs {
		half = max(half, result.HalfUnit(run))
	}
	return mean, near(mean, half)
}

// within reports whether a value lies between two others, as far as their
// rounding tells. What is no number lies anywhere.
func within(value, least, most string) bool {
	v, ok := result.ParseNumber(value)
	low, ok1 := result.ParseNumber(least)
	high, ok2 := result.ParseNumber(most)
	if !ok || !ok1 || !ok2 {
		return true
	}
	half := result.HalfUnit(value) * (1 + 1e-9)
	return v >= low-half-result.HalfUnit(least) && v <= high+half+result.HalfUnit(most)
}

// oddCharacter returns the first character of a value that is not seen, or
// not as what it is: control and format characters, and all spaces but the
// plain one.
func oddCharacter(value string) (rune, bool) {
	for i := 0; i < len(value); {
		c, n := rune(value[i]), 1
		if c >= utf8.RuneSelf {
			c, n = utf8.DecodeRuneInString(value[i:])
		}
		if c < ' ' || c >= 0x7f && (unicode.IsControl(c) || unicode.Is(unicode.Cf, c) || unicode.Is(unicode.Z, c)) {
			return c, true
		}
		i += n
	}
	return 0, false
}

// unreadable reports whether a figure holds a character that could not be read
// or a reference to one that is not known.
func unreadable(figure string) bool {
	for i := 0; i < len(figure); i++ {
		if c := figure[i]; c == '&' || c >= utf8.RuneSelf {
			return strings.Contains(figure, source.Replacement) || hasReference(figure)
		}
	}
	return false
}

// hasReference reports whether text holds a character reference that stands
// for nothing known.
func hasReference(text string) bool {
	for {
		i := strings.IndexByte(text, '&')
		if i < 0 {
			return false
		}
		text = text[i+1:]
		n := 0
		for n < len(text) && (text[n] == '#' && n == 0 || text[n]|0x20 >= 'a' && text[n]|0x20 <= 'z' || text[n] >= '0' && text[n] <= '9') {
			n++
		}
		if n > 0 && n < len(text) && text[n] == ';' {
			return true
		}
	}
}

// mostFindings is how many findings of one code a file lists.
const mostFindings = 100

// findings are diagnostics of one file, the first ones of each code.
type findings struct {
	kept []result.Diagnostic
	more []result.Diagnostic // the first of each code that is not kept
	n    map[string]int
}

func (f *findings) add(severity result.Severity, origin result.Origin, code, format string, args ...any) {
	if f.n == nil {
		f.n = make(map[string]int)
	}
	f.n[code]++
	switch n := f.n[code]; {
	case n <= mostFindings:
		f.kept = append(f.kept, result.Diagnostic{Severity: severity, Origin: origin, Code: code, Message: fmt.Sprintf(format, args...)})
	case n == mostFindings+1:
		f.more = append(f.more, result.Diagnostic{Severity: severity, Origin: origin, Code: code})
	}
}

// list returns the findings, and behind them how many more there are.
func (f *findings) list() []result.Diagnostic {
	for i := range f.more {
		d := &f.more[i]
		d.Message = fmt.Sprintf("%d more of these from here on are not listed", f.n[d.Code]-mostFindings)
	}
	return append(f.kept, f.more...)
}
