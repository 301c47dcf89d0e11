package export

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/internal/number"
	"github.com/benchproof/benchproof/internal/phrase"
)

// styles are the colours of verdicts. Their words and signs tell them apart
// without.
var styles = map[analyze.Verdict]string{
	analyze.Better: good, analyze.Worse: bad, analyze.Equivalent: calm, analyze.Trivial: calm,
	analyze.Undecided: open, analyze.Untestable: dim,
}

// signs are verdicts with a sign before them, so that they can be found without
// colour.
var signs = map[analyze.Verdict]string{
	analyze.Better: "+ better", analyze.Worse: "- worse", analyze.Equivalent: "= equivalent",
	analyze.Trivial: "~ trivial", analyze.Undecided: "? undecided", analyze.Untestable: "  untestable",
}

// WriteCompareText writes a comparison for people: what was compared how, a
// table a test with reasons below it, and the means over all tests.
func WriteCompareText(w io.Writer, c *analyze.Comparison, o TextOptions) error {
	t := newReport(w, o)
	t.files(c.Set)
	if len(c.Rows) > 0 {
		t.words(0, "Baseline: "+c.Baseline+". A ratio above 1 is better than the baseline, whether more or less is better.", "")
		t.words(0, fmt.Sprintf("Intervals at 95 %%; %s; margin %s %%.", c.FamilyName(), number.Significant(100*c.Options.Margin, 3)), "")
	}
	const most = 12
	residue := c.ResidueTexts()
	for i, text := range residue {
		if i == most {
			t.words(0, fmt.Sprintf("… and %d more that differ in something else", len(residue)-most), "")
			break
		}
		t.words(0, text, "")
	}
	t.common = commonReason(c.Rows)
	t.words(0, t.common, "")
	l := newCompareLayout(c, t.o)
	t.words(0, l.legend(), "")
	for from := 0; from < len(c.Rows); {
		to := from + 1
		for to < len(c.Rows) && c.Rows[to].Test == c.Rows[from].Test && c.Rows[to].Arguments == c.Rows[from].Arguments {
			to++
		}
		t.rows(c.Rows[from:to], l)
		from = to
	}
	t.overall(c)
	notes := c.Warnings
	if text := addedNote(c.Rows); text != "" {
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

// addedMark stands before intervals that rest on more than three runs.
const addedMark = "*"

// addedNote says once what the mark means; "" if no row has it.
func addedNote(rows []analyze.CompareRow) string {
	count, most := 0, 0
	for i := range rows {
		if r := &rows[i]; r.RunsAdded != "" {
			count++
			most = max(most, r.Baseline.Figures.N, r.Cell.Figures.N)
		}
	}
	if count == 0 {
		return ""
	}
	return fmt.Sprintf("%s marks %s with a side of more than 3 runs, up to %d: PTS adds runs where they vary, and then the standard error and the interval may be too small",
		addedMark, phrase.Count(count, "row"), most)
}

// ownReason is the reason of a row without what the mark says.
func ownReason(r *analyze.CompareRow) string {
	return strings.TrimSuffix(strings.TrimSuffix(r.Reason, r.RunsAdded), "; ")
}

// commonReason returns the reason that several rows all have, "" if there is
// none.
func commonReason(rows []analyze.CompareRow) string {
	if len(rows) < 2 {
		return ""
	}
	for i := range rows {
		if ownReason(&rows[i]) != ownReason(&rows[0]) {
			return ""
		}
	}
	return ownReason(&rows[0])
}

// rows prints the rows of one test.
func (t *report) rows(rows []analyze.CompareRow, l *compareLayout) {
	test := rows[0].Test
	t.heading(strings.TrimSpace(test.Title+" "+test.Version), rows[0].Arguments, test.Scale, ProportionText(test.Proportion))
	table := l.table(rows)
	base := ""
	for i := range rows {
		r := &rows[i]
		if r.BaselineName != base || i == 0 {
			base = r.BaselineName
			table.Add(l.baseline(r)...)
			table.Style(l.verdict, dim)
			table.Style(l.forest, dim)
		}
		table.Add(l.row(r)...)
		table.Style(l.verdict, styles[r.Verdict])
		table.Style(l.forest, styles[r.Verdict])
	}
	t.table(table)
	if l.single && rows[0].Change() != "" {
		t.words(2, rows[0].SystemName+", as printed: "+rows[0].Change(), "")
	}
	t.reasons(rows)
}

// reasons prints the reasons below a table, equal ones once.
func (t *report) reasons(rows []analyze.CompareRow) {
	seen := map[string][]string{}
	var order []string
	for i := range rows {
		r := &rows[i]
		text := ownReason(r)
		if text == "" || text == t.common {
			continue
		}
		if r.RunsNeeded > 0 && t.o.Width < wide {
			text += fmt.Sprintf("; %d runs a side would decide it", r.RunsNeeded)
		}
		if seen[text] == nil {
			order = append(order, text)
		}
		seen[text] = append(seen[text], r.SystemName)
	}
	for _, text := range order {
		of := seen[text]
		if len(rows) == 1 || len(of) == len(rows) {
			t.words(2, text, dim)
			continue
		}
		t.words(2, strings.Join(of, ", ")+": "+text, dim)
	}
}

// overall prints the means over tests.
func (t *report) overall(c *analyze.Comparison) {
	if len(c.Overall) == 0 {
		return
	}
	if !c.Comparable() {
		t.line("")
		t.leftOut(c)
		return
	}
	t.line("")
	if !slices.ContainsFunc(c.Overall, func(o analyze.Overall) bool { return o.Ratios > 1 }) {
		t.words(0, "No mean over tests: no system has more than one to compare.", "")
		t.leftOut(c)
		return
	}
	t.words(0, "Over all tests: geometric mean of the ratios", bold)
	t.table(overallTable(c, t.o))
	t.words(2, "The interval takes the tests for a sample of all possible ones; by profile one ratio a test profile counts, the median of its rows; +/-/even are the rows better, worse and neither.", dim)
	for i := range c.Overall {
		o := &c.Overall[i]
		if o.Why != "" && o.Tested > 0 {
			t.words(2, o.SystemName+": "+o.Why, dim)
		}
		if o.TheseTests.P.Known {
			t.words(2, fmt.Sprintf("%s: these very tests alone, %s", o.SystemName, intervalCell(o.TheseTests.Range)), dim)
		}
	}
	t.leftOut(c)
}

// leftOut says of every system how many tests are in no mean, and why; of those
// of which it is the same, once.
func (t *report) leftOut(c *analyze.Comparison) {
	systems := map[string][]string{}
	var order []string
	for i := range c.Overall {
		o := &c.Overall[i]
		if o.LeftOutCount == 0 {
			continue
		}
		why := leftOut(o)
		if systems[why] == nil {
			order = append(order, why)
		}
		systems[why] = append(systems[why], o.SystemName)
	}
	for _, why := range order {
		t.words(2, fmt.Sprintf("%s: left out %s", strings.Join(systems[why], ", "), why), dim)
	}
}

// leftOut says how many tests were left out, and why.
func leftOut(o *analyze.Overall) string {
	counts := map[string]int{}
	var order []string
	for _, l := range o.LeftOut {
		if counts[l.Reason] == 0 {
			order = append(order, l.Reason)
		}
		counts[l.Reason]++
	}
	const most = 4
	var parts []string
	for i, reason := range order {
		if i == most {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, fmt.Sprintf("%d (%s)", counts[reason], reason))
	}
	if len(parts) == 0 {
		return phrase.Count(o.LeftOutCount, "test")
	}
	if len(order) == 1 && len(o.LeftOut) == o.LeftOutCount {
		return fmt.Sprintf("%s (%s)", phrase.Count(o.LeftOutCount, "test"), order[0])
	}
	of := ": "
	if n := len(o.LeftOut); n < o.LeftOutCount {
		of = fmt.Sprintf(": of the first %d, ", n)
	}
	return phrase.Count(o.LeftOutCount, "test") + of + strings.Join(parts, ", ")
}
