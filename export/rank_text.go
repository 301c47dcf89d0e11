package export

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/internal/number"
	"github.com/benchproof/benchproof/internal/phrase"
)

// WriteRankText writes a ranking for people: a table a test and group, and the
// order over all tests.
func WriteRankText(w io.Writer, r *analyze.Ranking, o TextOptions) error {
	t := newReport(w, o)
	t.files(r.Set)
	l := newRankLayout(r, o)
	t.words(0, l.legend(), "")
	t.common = commonRankReason(r)
	if t.common != "" {
		t.words(0, "In every test: "+t.common+".", "")
	}
	var last *analyze.Test
	for i := range r.Tests {
		k := &r.Tests[i]
		if k.Test != last {
			last = k.Test
			l.scale(r.Tests[i:])
			t.heading(strings.TrimSpace(last.Title+" "+last.Version), last.Arguments, last.Scale, ProportionText(last.Proportion))
		}
		t.ranks(r, k, l)
	}
	for i := range r.Overall {
		t.group(r, &r.Overall[i])
	}
	notes := r.Warnings
	if text := addedRuns(r); text != "" {
		notes = append([]string{text}, notes...)
	}
	for i, text := range notes {
		if i == 0 {
			t.line("")
		}
		t.words(0, "Note: "+text, "")
	}
	return t.w.Flush()
}

// addedRuns says how many values with a range rest on more than three runs; ""
// if none does.
func addedRuns(r *analyze.Ranking) string {
	count, most := 0, 0
	for i := range r.Tests {
		for _, k := range r.Tests[i].Ranks {
			if n := k.Cell.Figures.N; k.Low > 0 && n > 3 {
				count++
				most = max(most, n)
			}
		}
	}
	if count == 0 {
		return ""
	}
	return fmt.Sprintf("%s with a range rest on more than 3 runs, up to %d: PTS adds runs where they vary, and then the standard error and the range may be too small",
		phrase.Count(count, "value"), most)
}

// ranks prints the systems of one test and group.
func (t *report) ranks(r *analyze.Ranking, k *analyze.TestRanking, l *rankLayout) {
	if k.Group != "" {
		t.words(0, k.Group, "")
	}
	table := l.table(k)
	ties := map[int]int{}
	for _, s := range k.Ranks {
		ties[s.Place]++
	}
	var without []string
	for i := range k.Ranks {
		s := &k.Ranks[i]
		if s.Cell.Problem != "" {
			without = append(without, r.Set.Systems[s.System].Name+": "+s.Cell.Problem)
			continue
		}
		place := count(s.Place)
		if s.Place > 0 && ties[s.Place] > 1 {
			place = "=" + place
		}
		table.Add(l.row(r, k, s, place)...)
		if s.Place == 1 && len(k.Ranks) > ties[1] {
			table.Style(0, good)
		}
		if l.bar >= 0 {
			table.Style(l.bar, calm)
		}
	}
	if table.Len() > 0 {
		t.table(table)
	}
	if k.Reason != t.common {
		t.words(2, k.Reason, dim)
	}
	for _, text := range without {
		t.words(2, text, dim)
	}
}

func rangeCell(low, high int) string {
	switch {
	case low == 0:
		return ""
	case low == high:
		return strconv.Itoa(low)
	}
	return fmt.Sprintf("%d-%d", low, high)
}

// group prints the order over all tests.
func (t *report) group(r *analyze.Ranking, o *analyze.GroupRanking) {
	if len(o.Systems) == 0 && o.Reason == "" {
		return
	}
	t.line("")
	title := "Over all tests"
	if o.Group != "" {
		title = o.Group + ": over all tests"
	}
	t.words(0, title, bold)
	if len(o.Systems) > 0 {
		t.words(0, fmt.Sprintf("Mean ranks over %s, and beside them over all %s that every system has.",
			phrase.Count(o.Profiles, "test profile"), phrase.Count(o.Tests, "test")), "")
		t.table(groupTable(r, o, t.o))
	}
	if o.P.Known {
		text := fmt.Sprintf("Friedman over profiles: p %s, Kendall's W %s", pCell(o.P), number.Significant(o.W.X, 2))
		if o.P.X <= analyze.Alpha {
			text += "; some systems differ over the tests as a whole"
		}
		if o.CriticalDifference.Known {
			text += fmt.Sprintf("; mean ranks more than %s apart differ", number.Significant(o.CriticalDifference.X, 3))
		}
		t.words(2, text, dim)
	}
	if o.Ranges {
		t.words(2, "Ranges hold all places at once at 95 %, the rows being a sample of possible ones, of which ten are needed.", dim)
	}
	t.words(2, o.Reason, dim)
	if len(o.NoValues) > 0 {
		t.words(2, "without any value: "+strings.Join(o.NoValues, ", "), dim)
	}
	if o.LeftOutCount > 0 {
		t.words(2, phrase.Count(o.LeftOutCount, "test")+" left out, not every system has a value", dim)
	}
}
