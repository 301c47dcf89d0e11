package export

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/internal/number"
	"github.com/benchproof/benchproof/internal/term"
)

// TextOptions are those of comparisons and rankings for people.
type TextOptions struct {
	Width int // cells of a line; 80 if 0, never below 40
	// ASCII writes our own words and lines in ASCII letters. Text of the
	// source stays.
	ASCII bool
	// Color sets titles in bold and verdicts in colour. The words stay.
	Color bool
}

// wide is the width from which tables have more columns.
const wide = 120

// report prints the parts of a text report.
type report struct {
	w *bufio.Writer
	o TextOptions
	// common is the reason of all rows, which is said once.
	common string
}

func newReport(w io.Writer, o TextOptions) *report {
	if o.Width == 0 {
		o.Width = 80
	}
	o.Width = max(o.Width, 40)
	return &report{w: bufio.NewWriterSize(w, 64<<10), o: o}
}

var toASCII = strings.NewReplacer("–", "-", "±", "+/-", "…", "...")

func (t *report) line(text string) {
	t.w.WriteString(text)
	t.w.WriteByte('\n')
}

// words prints text of ours and of the source, wrapped; further lines are
// indented by two more.
func (t *report) words(indent int, text, style string) {
	if text == "" {
		return
	}
	if t.o.ASCII {
		text = toASCII.Replace(text)
	}
	for i, l := range term.Wrap(term.Visible(text), t.o.Width-indent-2) {
		if i == 1 {
			indent += 2
		}
		t.line(strings.Repeat(" ", indent) + t.paint(l, style))
	}
}

func (t *report) paint(text, style string) string {
	if !t.o.Color || style == "" || text == "" {
		return text
	}
	return "\x1b[" + style + "m" + text + "\x1b[0m"
}

// styles of text.
const (
	bold = "1"
	dim  = "2"
	good = "32"
	bad  = "31"
)

// table prints a table, and colours verdicts at the end of a line.
func (t *report) table(table *term.Table) {
	table.Width, table.ASCII, table.Indent = t.o.Width, t.o.ASCII, 2
	var b bytes.Buffer
	// A buffer's writes do not fail.
	_, _ = table.WriteTo(&b)
	for line := range strings.Lines(b.String()) {
		line = strings.TrimSuffix(line, "\n")
		for _, v := range []struct{ mark, style string }{{signs[analyze.Better], good}, {signs[analyze.Worse], bad}} {
			if rest, ok := strings.CutSuffix(line, v.mark); ok {
				line = rest + t.paint(v.mark, v.style)
				break
			}
		}
		t.line(line)
	}
}

// signs are verdicts with a sign before them, so that they can be found without
// colour.
var signs = map[analyze.Verdict]string{
	analyze.Better: "+ better", analyze.Worse: "- worse", analyze.Equivalent: "= equivalent",
	analyze.Trivial: "~ trivial", analyze.Undecided: "? undecided", analyze.Untestable: "  untestable",
}

// heading prints what a test is: title, arguments, unit and direction.
func (t *report) heading(test, arguments, scale, better string) {
	t.line("")
	t.words(0, test, bold)
	t.words(0, arguments, "")
	if scale != "" {
		better = scale + ", " + better
	}
	t.words(0, better, dim)
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
	for i, text := range c.Residue {
		if i == most {
			t.words(0, fmt.Sprintf("… and %d more that differ in something else", len(c.Residue)-most), "")
			break
		}
		t.words(0, text, "")
	}
	t.common = commonReason(c.Rows)
	t.words(0, t.common, "")
	for from := 0; from < len(c.Rows); {
		to := from + 1
		for to < len(c.Rows) && c.Rows[to].Test == c.Rows[from].Test && c.Rows[to].Arguments == c.Rows[from].Arguments {
			to++
		}
		t.rows(c.Rows[from:to])
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
func addedNote(rows []analyze.Row) string {
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
		addedMark, plural(count, "row"), most)
}

// ownReason is the reason of a row without what the mark says.
func ownReason(r *analyze.Row) string {
	return strings.TrimSuffix(strings.TrimSuffix(r.Reason, r.RunsAdded), "; ")
}

// commonReason returns the reason that several rows all have, "" if there is
// none.
func commonReason(rows []analyze.Row) string {
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

// files names what was read.
func (t *report) files(s *analyze.Set) {
	for _, f := range s.Files {
		title := f.Title
		if title == "" {
			title = f.Source
		} else {
			title += " (" + f.Source + ")"
		}
		t.words(0, title, bold)
	}
}

// rows prints the rows of one test.
func (t *report) rows(rows []analyze.Row) {
	test := rows[0].Test
	t.heading(strings.TrimSpace(test.Title+" "+test.Version), rows[0].Arguments, test.Scale, Better(test.Proportion))
	extra := t.o.Width >= wide
	table := &term.Table{}
	column := func(name string, right bool) {
		table.Header = append(table.Header, name)
		table.Right = append(table.Right, right)
	}
	column("system", false)
	column("value", true)
	if extra {
		column("SE", true)
		column("N", true)
	}
	column("ratio", true)
	column("95 % interval", true)
	if extra {
		column("p", true)
	}
	column("adj. p", true)
	if extra {
		column("runs needed", true)
	}
	column("verdict", false)
	base := ""
	for i := range rows {
		r := &rows[i]
		if r.BaselineName != base || i == 0 {
			base = r.BaselineName
			one := ""
			if r.Baseline != nil && r.Baseline.Problem == "" && r.Baseline.Figures.Mean > 0 {
				one = "1"
			}
			table.Add(t.side(base, r.Baseline, extra, one, "", "", "", "", "  baseline")...)
		}
		interval := intervalCell(r.Interval)
		if interval != "" && r.RunsAdded != "" {
			interval = addedMark + interval
		}
		table.Add(t.side(r.SystemName, r.Cell, extra, ratioCell(r.Ratio, r.Interval), interval,
			pCell(r.P), pCell(r.PAdjusted), count(r.RunsNeeded), signs[r.Verdict])...)
	}
	t.table(table)
	t.reasons(rows)
}

// side returns the cells of a row.
func (t *report) side(name string, c *analyze.Cell, extra bool, ratio, interval, p, adjusted, runs, verdict string) []string {
	value, se, n := cellValue(c), "", ""
	switch {
	case c == nil:
		value = "none"
	case c.Problem != "":
		value = "none"
	default:
		value += Mark(c.Measurement.Decode)
		if c.Tested() {
			se, _ = ShownFigures(c.Measurement)
			n = strconv.Itoa(c.Figures.N)
		}
	}
	if extra {
		return []string{name, value, se, n, ratio, interval, p, adjusted, runs, verdict}
	}
	return []string{name, value, ratio, interval, adjusted, verdict}
}

// reasons prints the reasons below a table, equal ones once.
func (t *report) reasons(rows []analyze.Row) {
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
	t.words(0, "Over all tests: geometric mean of the ratios", bold)
	table := &term.Table{
		Header: []string{"system", "tests", "mean", "95 % interval", "by profile", "+/-/even", "verdict"},
		Right:  []bool{false, true, true, true, true, true, false},
	}
	for i := range c.Overall {
		o := &c.Overall[i]
		m := o.OverTests.Range
		if o.Tested == 0 {
			m = analyze.Range{}
		}
		name := o.SystemName
		if c.Overall[0].BaselineName != o.BaselineName {
			name += " against " + o.BaselineName
		}
		table.Add(name, strconv.Itoa(o.Ratios), ratioCell(o.GeoMean, m), intervalCell(m),
			ratioCell(o.ByProfile, o.OverProfiles.Range), fmt.Sprintf("%d/%d/%d", o.Wins, o.Losses, o.Even), signs[o.Verdict])
	}
	t.table(table)
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

// leftOut says of every system how many tests are in no mean, and why.
func (t *report) leftOut(c *analyze.Comparison) {
	for i := range c.Overall {
		if o := &c.Overall[i]; o.LeftOutCount > 0 {
			t.words(2, fmt.Sprintf("%s: left out %s", o.SystemName, leftOut(o)), dim)
		}
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
		return plural(o.LeftOutCount, "test")
	}
	return plural(o.LeftOutCount, "test") + ": " + strings.Join(parts, ", ")
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// decimals returns how many decimals a ratio is worth: two digits of half its
// interval, or three digits of itself where it has none.
func decimals(x float64, iv analyze.Range) int {
	d := 2 - int(math.Floor(math.Log10(math.Abs(x))))
	if iv.Low.Known && iv.High.Known && iv.High.X > iv.Low.X {
		// Never less than two digits of the ratio itself.
		d = max(d-1, 1-int(math.Floor(math.Log10((iv.High.X-iv.Low.X)/2))))
	}
	return min(max(d, 0), 6)
}

// ratioCell returns a ratio with the digits that its uncertainty allows.
func ratioCell(q analyze.Quantity, iv analyze.Range) string {
	switch {
	case !q.Known || q.X <= 0:
		return ""
	case q.X < 0.001 || q.X >= 1e6:
		return number.Significant(q.X, 3)
	}
	return strconv.FormatFloat(q.X, 'f', decimals(q.X, iv), 64)
}

func intervalCell(iv analyze.Range) string {
	if !iv.Low.Known || !iv.High.Known {
		return ""
	}
	if iv.Low.X < 0.001 || iv.High.X >= 1e6 {
		return number.Significant(iv.Low.X, 3) + " to " + number.Significant(iv.High.X, 3)
	}
	d := decimals(1, iv)
	return strconv.FormatFloat(iv.Low.X, 'f', d, 64) + " to " + strconv.FormatFloat(iv.High.X, 'f', d, 64)
}

// pCell returns a p value with at most four decimals.
func pCell(q analyze.Quantity) string {
	switch {
	case !q.Known:
		return ""
	case q.X < 0.0001:
		return "<0.0001"
	}
	return strconv.FormatFloat(q.X, 'f', 4, 64)
}
