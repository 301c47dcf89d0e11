package flatrender

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/result"
)

// Score counts how the tests of pages were decoded. Every test on a page is
// counted once in the first five fields.
type Score struct {
	Pages int
	Tests int

	Exact     int // all values right, all said to be exact
	Inferred  int // all right, some said to be inferred
	Ambiguous int // some value said to be ambiguous, the others right
	ByName    int // of Ambiguous: the values are clear and the names are not
	Undecoded int // no value, and a diagnostic
	Wrong     int // a value wrong, under another system, lost or invented

	// WrongExact counts those of Wrong whose fault is said to be exact.
	WrongExact int
	// AmbiguousWithout counts ambiguous values whose alternatives do not
	// hold the right one.
	AmbiguousWithout int

	// Pages by the list of their systems' names: each is counted once in the
	// first five, by its least certain name; NamesWrongExact counts those of
	// NamesWrong and NamesAmbiguous with a wrong name that is said to be
	// exact.
	NamesExact, NamesInferred, NamesAmbiguous, NamesWrong, NamesNone, NamesWrongExact int

	ErrorsWrong int // SEs or N that are not those of their value
	ErrorsLost  int // printed SEs that are nowhere in the record
	HeadsWrong  int // heads that are wrong and said to be exact
	BoundsWrong int // minima or maxima that are not those of their value

	// Problems say what is wrong or ambiguous, a line each.
	Problems []string
}

// Unique returns the share of tests whose values were decoded to one right
// reading, whatever is known of the names that they stand under: those are
// counted by page.
func (s *Score) Unique() float64 {
	if s.Tests == 0 {
		return 1
	}
	return float64(s.Exact+s.Inferred+s.ByName) / float64(s.Tests)
}

// Add adds another score, its problems left out.
func (s *Score) Add(o *Score) {
	s.Pages += o.Pages
	s.Tests += o.Tests
	s.Exact += o.Exact
	s.Inferred += o.Inferred
	s.Ambiguous += o.Ambiguous
	s.ByName += o.ByName
	s.Undecoded += o.Undecoded
	s.Wrong += o.Wrong
	s.WrongExact += o.WrongExact
	s.AmbiguousWithout += o.AmbiguousWithout
	s.NamesExact += o.NamesExact
	s.NamesInferred += o.NamesInferred
	s.NamesAmbiguous += o.NamesAmbiguous
	s.NamesWrong += o.NamesWrong
	s.NamesNone += o.NamesNone
	s.NamesWrongExact += o.NamesWrongExact
	s.ErrorsWrong += o.ErrorsWrong
	s.ErrorsLost += o.ErrorsLost
	s.HeadsWrong += o.HeadsWrong
	s.BoundsWrong += o.BoundsWrong
}

func (s *Score) say(format string, args ...any) {
	s.Problems = append(s.Problems, fmt.Sprintf(format, args...))
}

// Rate compares what a reader made of the page of c with the file that the
// page was made of. Values must be as they are printed, digit for digit;
// those that only the overview prints as they stand there.
func Rate(got *result.File, c *Case) *Score {
	s := &Score{Pages: 1}
	s.names(got, c.File)
	p := page{file: c.File, Options: c.Options}
	p.tracker = isMulti(names(c.File)) && isTracker(c.File.Systems)
	next := 0
	for i := range c.File.Tests {
		t := &c.File.Tests[i]
		if !slices.ContainsFunc(p.bars(t), func(b bar) bool { return b.value != "" }) {
			continue
		}
		s.Tests++
		if next == len(got.Tests) {
			s.Wrong++
			s.WrongExact++
			s.say("test %q %q: lost", t.Title, t.Arguments)
			continue
		}
		s.test(&p, got, &got.Tests[next], t)
		next++
	}
	if next < len(got.Tests) {
		s.Wrong++
		s.WrongExact++
		s.say("%d tests too many", len(got.Tests)-next)
	}
	return s
}

func (s *Score) names(got, want *result.File) {
	worst := result.DecodeExact
	wrong, wrongExact := len(got.Systems) != len(want.Systems), false
	for i := range got.Systems {
		g := &got.Systems[i]
		worst = max(worst, g.Decode)
		if i >= len(want.Systems) || g.Identifier != want.Systems[i].Identifier {
			wrong = true
			wrongExact = wrongExact || g.Decode == result.DecodeExact
		}
	}
	wrongExact = wrongExact || wrong && worst == result.DecodeExact
	if len(got.Systems) == 0 {
		s.NamesNone++
		s.say("names: none, want %q", names(want))
		return
	}
	if wrongExact {
		s.NamesWrongExact++
	}
	switch {
	case worst == result.DecodeAmbiguous:
		s.NamesAmbiguous++
	case wrong:
		s.NamesWrong++
	case worst == result.DecodeInferred:
		s.NamesInferred++
	default:
		s.NamesExact++
	}
	if wrong {
		s.say("names (%v): got %q, want %q", worst, names(got), names(want))
	}
}

// test rates one test.
func (s *Score) test(p *page, got *result.File, g, w *result.Test) {
	at := fmt.Sprintf("test %q %q %q", w.Title, w.Arguments, w.Scale)
	if g.Title != w.Title || g.Arguments != w.Arguments || g.Scale != w.Scale || g.Proportion != w.Proportion ||
		g.Version != w.Version && g.HeadDecode == result.DecodeExact {
		s.HeadsWrong++
		s.say("%s: head: got %q %q %q %q %s", at, g.Title, g.Version, g.Arguments, g.Scale, g.Proportion)
	}
	want := make(map[string]bar)
	if w.DisplayFormat == "LINE_GRAPH" {
		s.line(p, at, got, g, w)
		return
	}
	for _, b := range p.bars(w) {
		want[b.id] = b
	}
	worst := result.DecodeExact
	wrong, wrongExact := 0, 0
	fault := func(d result.Decode, format string, args ...any) {
		wrong++
		if d == result.DecodeExact {
			wrongExact++
		}
		s.say("%s: "+format+" (%v)", append(append([]any{at}, args...), d)...)
	}
	right := make(map[string]bool)
	values := 0
	byName := true
	for i := range g.Measurements {
		m := &g.Measurements[i]
		worst = max(worst, m.Decode)
		if m.Decode == result.DecodeAmbiguous && len(m.Alternatives) > 1 {
			byName = false
		}
		if m.System < 0 || m.System >= len(got.Systems) {
			fault(m.Decode, "value %q of system %d", m.Value, m.System)
			continue
		}
		name := got.Systems[m.System].Identifier
		b, known := want[name]
		switch {
		case m.Decode == result.DecodeAmbiguous:
			if known && b.value != "" && !slices.Contains(m.Alternatives, b.value) && !slices.Contains(m.Alternatives, b.m.Value) {
				s.AmbiguousWithout++
				s.say("%s: %q: alternatives %q without %q", at, name, m.Alternatives, b.value)
			}
			right[name] = true
			continue
		case m.Status == result.StatusFailed && m.Value == "":
			if known && b.value != "" {
				fault(m.Decode, "%q: failed, want %q", name, b.value)
			}
			continue
		case !known || b.value == "":
			fault(m.Decode, "%q: got %q, want none", name, m.Value)
			continue
		}
		values++
		if !sameValue(p, m, b) {
			fault(m.Decode, "%q: got %q, want %q", name, m.Value, b.value)
			continue
		}
		right[name] = true
		s.extrasOf(p, at, m, b, g)
	}
	if worst != result.DecodeAmbiguous && values > 0 {
		for name, b := range want {
			if b.value != "" && !right[name] {
				fault(worst, "%q: missing, want %q", name, b.value)
			}
		}
	}
	switch {
	case wrong > 0:
		s.Wrong++
		if wrongExact > 0 {
			s.WrongExact++
		}
	case worst == result.DecodeAmbiguous:
		s.Ambiguous++
		if byName {
			s.ByName++
		}
		s.say("%s: ambiguous", at)
	case values == 0:
		s.Undecoded++
		s.say("%s: undecoded", at)
	case worst == result.DecodeInferred:
		s.Inferred++
	default:
		s.Exact++
	}
}

// sameValue reports whether a value is the printed one, digit for digit. A
// zero and the values of a tracker stand in the overview alone, as they are in
// the source.
func sameValue(p *page, m *result.Measurement, b bar) bool {
	if v, _ := numeric(b.value); v == 0 || p.tracker {
		return m.Value == b.m.Value || m.Value == b.value
	}
	return m.Value == b.value
}

// extrasOf rates what stands beside a right value.
func (s *Score) extrasOf(p *page, at string, m *result.Measurement, b bar, g *result.Test) {
	want := ""
	if !p.tracker {
		want = stdError(b)
	}
	// An N of 0 is unknown.
	is := func(se string, n int) bool {
		if n == 0 {
			return strings.HasPrefix(want, "SE +/- "+se+", N = ")
		}
		return want == "SE +/- "+se+", N = "+strconv.Itoa(n)
	}
	if m.StdError != "" {
		if !is(m.StdError, m.Samples) {
			s.ErrorsWrong++
			s.say("%s: %q: got %q, N = %d (%v), want %q", at, b.id, m.StdError, m.Samples, m.Decode, want)
		}
	} else if want != "" {
		found := slices.ContainsFunc(g.Unassigned, func(u result.Unassigned) bool {
			return is(u.StdError, u.Samples) && slices.Contains(u.Systems, m.System)
		})
		if !found {
			s.ErrorsLost++
			s.say("%s: %q: no %q", at, b.id, want)
		}
	}
	var low, high string
	for _, e := range object(b.m.Details) {
		switch e.key {
		case "min-result":
			low = figure(e.value)
		case "max-result":
			high = figure(e.value)
		}
	}
	if m.Min != "" && m.Min != low || m.Max != "" && m.Max != high {
		s.BoundsWrong++
		s.say("%s: %q: got MIN %q, MAX %q, want %q, %q", at, b.id, m.Min, m.Max, low, high)
	}
}

// line rates a test of a sensor: the average of each line, with its bounds.
func (s *Score) line(p *page, at string, got *result.File, g, w *result.Test) {
	lines := make(map[string]string)
	all, end := p.lines(w)
	for _, l := range all {
		lines[l.name] = l.figures(end)
	}
	worst := result.DecodeExact
	wrong := 0
	for i := range g.Measurements {
		m := &g.Measurements[i]
		worst = max(worst, m.Decode)
		if m.System < 0 || m.System >= len(got.Systems) {
			wrong++
			s.say("%s: value %q of system %d", at, m.Value, m.System)
			continue
		}
		name := got.Systems[m.System].Identifier
		if text := m.Min + m.Value + m.Max; lines[name] != text {
			wrong++
			s.say("%s: %q: got %q, want %q", at, name, text, lines[name])
		}
	}
	switch {
	case wrong > 0 || len(g.Measurements) > 0 && len(g.Measurements) < len(lines):
		s.Wrong++
		if worst == result.DecodeExact {
			s.WrongExact++
		}
		s.say("%s: line graph wrong", at)
	case len(g.Measurements) == 0:
		s.Undecoded++
		s.say("%s: undecoded", at)
	case worst == result.DecodeInferred:
		s.Inferred++
	default:
		s.Exact++
	}
}
