package text

import (
	"slices"
	"strings"

	"github.com/benchproof/benchproof/result"
)

// doubt says that bytes were lost here: the rows of the open test that follow
// may be those of another test whose head is gone, and are inferred.
func (b *builder) doubt() { b.doubtful = true }

// rename puts a row right whose name has other text before it, and reports
// whether the row has a name at all. The text is reported.
func (b *builder) rename(r *row) bool {
	if i := b.next; i < len(b.file.Systems) && b.file.Systems[i].Identifier == r.system || b.names[r.system] != nil {
		return true
	}
	if r.system == "" {
		b.diag(result.SeverityError, r.start, "unreadable-row", "the row of the value %q has no name and is not read", clip(r.value))
		return false
	}
	wreck := len(r.system) > longestName || isWreck(r.system)
	leader := 0
	if cells := b.last(); len(cells) > 0 {
		leader = int(cells[len(cells)-1].leader)
	}
	dots := r.leader - len(r.system)
	for i := max(0, len(r.system)-longestName); i < len(r.system); {
		space := strings.IndexByte(r.system[i:], ' ')
		if space < 0 {
			break
		}
		i += space + 1
		name := r.system[i:]
		if b.names[name] == nil || !wreck && len(name)+dots != leader {
			continue
		}
		b.diag(result.SeverityError, r.systemAt, "unreadable-row", "before the row of %q stands %q, which is no row", clip(name), clip(strings.TrimSpace(r.system[:i])))
		r.system, r.leader = name, len(name)+dots
		r.decode = max(r.decode, result.DecodeInferred)
		b.doubt()
		return true
	}
	if wreck {
		b.diag(result.SeverityError, r.systemAt, "unreadable-row", "the row of the value %q has no name but %q and is not read", clip(r.value), clip(r.system))
		return false
	}
	return true
}

// mixed reports a row of another kind than the rows before it in its test.
func (b *builder) mixed(r *row, format string) {
	b.diag(result.SeverityError, r.systemAt, "mixed-rows", "a row of a %s stands among those of a %s: a head may be missing before it", formatNames[displayFormats[r.kind]], formatNames[format])
	b.doubt()
}

var formatNames = map[string]string{"BAR_GRAPH": "bar graph", "LINE_GRAPH": "line graph", "PASS_FAIL": "pass or fail test"}

// entry is what one test has of one system.
type entry struct{ test, system int }

// settleEntries makes the rows ambiguous that give one system of a test
// several values: any of them may be another test's, so each may have the
// values of all. Rows that repeat a value stay.
func (b *builder) settleEntries() {
	if len(b.repeated) == 0 {
		return
	}
	places := make(map[entry][]int, len(b.repeated))
	tests := make([]int, 0, len(b.repeated)) // ascending
	for _, e := range b.repeated {
		places[e] = nil
		if n := len(tests); n == 0 || tests[n-1] != e.test {
			tests = append(tests, e.test)
		}
	}
	for _, t := range tests {
		ms := b.file.Tests[t].Measurements
		for i := range ms {
			e := entry{t, ms[i].System}
			if _, ok := places[e]; ok {
				places[e] = append(places[e], i)
			}
		}
		for i := range ms {
			if at := places[entry{t, ms[i].System}]; len(at) > 0 && at[0] == i {
				b.settle(ms, at)
			}
		}
	}
}

// mostValues is how many values one system of a test may have for each of
// its rows to list them all.
const mostValues = 16

// settle makes the measurements at the places, which are of one system,
// ambiguous if they differ.
func (b *builder) settle(ms []result.Measurement, places []int) {
	first, last := &ms[places[0]], &ms[places[len(places)-1]]
	var values []string
	seen := make(map[string]bool)
	same := true
	for _, i := range places {
		m := &ms[i]
		same = same && m.Value == first.Value && m.Status == first.Status && m.Min == first.Min && m.Max == first.Max
		if m.Value != "" && !seen[m.Value] {
			seen[m.Value] = true
			values = append(values, m.Value)
		}
	}
	name := clip(b.file.Systems[first.System].Identifier)
	if same {
		b.diagAt(result.SeverityWarning, last.Origin, "duplicate-entry", "the test has a further row of %q, with the same value", name)
		for _, i := range places {
			ms[i].Decode = max(ms[i].Decode, result.DecodeInferred)
		}
		return
	}
	b.diagAt(result.SeverityError, last.Origin, "duplicate-entry", "the test has %d rows of %q that contradict each other: %s", len(places), name,
		clip(strings.Join(values[:min(len(values), mostValues)], ", ")))
	for _, i := range places {
		m := result.Measurement{System: ms[i].System, Decode: result.DecodeAmbiguous, Origin: ms[i].Origin}
		switch {
		case len(values) <= mostValues:
			m.Alternatives = slices.Clone(values)
		case ms[i].Value != "":
			m.Alternatives = []string{ms[i].Value}
		}
		ms[i] = m
	}
}
