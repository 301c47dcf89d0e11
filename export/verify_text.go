package export

import (
	"fmt"
	"io"
	"strings"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/internal/number"
	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/internal/term"
	"github.com/benchproof/benchproof/result"
)

var outcomeStyles = map[analyze.Outcome]string{
	analyze.Reproduced: good, analyze.SmallDifference: good, analyze.OrderReproduced: calm,
	analyze.NotReproduced: bad, analyze.NotDecided: open, analyze.NotComparable: dim, analyze.NotReplayable: dim,
}

// outcomeSigns are outcomes with a sign before them, so that they can be found
// without colour.
var outcomeSigns = map[analyze.Outcome]string{
	analyze.Reproduced: "= reproduced", analyze.SmallDifference: "~ small-difference", analyze.OrderReproduced: "> order-reproduced",
	analyze.NotReproduced: "! not-reproduced", analyze.NotDecided: "? undecided", analyze.NotComparable: "  not-comparable",
	analyze.NotReplayable: "  not-replayable",
}

// WriteVerifyText writes a verification for people: what stands for what, a
// table a test with its values and pairs, and what becomes of the set.
func WriteVerifyText(w io.Writer, v *analyze.Verification, o TextOptions) error {
	t := newReport(w, o)
	for i, f := range v.Set.Files {
		title := f.Title
		if title == "" {
			title = f.Source
		} else {
			title += " (" + f.Source + ")"
		}
		t.words(0, [...]string{"Published: ", "Replayed: "}[min(i, 1)]+title, bold)
	}
	for _, text := range machines(v) {
		t.words(0, text, "")
	}
	t.words(0, fmt.Sprintf("Ratios are replayed over published; intervals at 90 %%; a claim is reproduced within a margin of %s %%, or more where the published error or digits are coarser.",
		number.Significant(100*v.Options.Margin, 3)), "")
	// Values stand in the order of tests, then pairs: print a test's together.
	var order []*analyze.Test
	byTest := map[*analyze.Test][]*analyze.VerifyRow{}
	for i := range v.Rows {
		r := &v.Rows[i]
		if r.Test == nil {
			continue
		}
		if byTest[r.Test] == nil {
			order = append(order, r.Test)
		}
		byTest[r.Test] = append(byTest[r.Test], r)
	}
	silent := map[string]int{}
	var reasons []string
	for _, test := range order {
		if reason := nothingTestable(byTest[test]); reason != "" {
			if silent[reason] == 0 {
				reasons = append(reasons, reason)
			}
			silent[reason]++
			continue
		}
		t.verified(test, byTest[test])
	}
	if len(reasons) > 0 {
		t.line("")
		t.words(0, "Nothing testable:", bold)
		for _, reason := range reasons {
			t.words(2, fmt.Sprintf("%s: %s", phrase.Count(silent[reason], "test"), reason), dim)
		}
	}
	t.line("")
	t.words(0, "The set: "+string(v.Verdict), boldOf(v.Verdict))
	t.words(2, v.Reason, "")
	t.words(2, v.Sentence, "")
	for i, text := range v.Warnings {
		if i == 0 {
			t.line("")
		}
		t.words(0, "Note: "+text, "")
	}
	return t.w.Flush()
}

func boldOf(o analyze.Outcome) string {
	if s := outcomeStyles[o]; s != dim {
		return bold + ";" + s
	}
	return bold
}

// machines says of every replayed system what it stands for, those with one
// reason together.
func machines(v *analyze.Verification) []string {
	var order []string
	of := map[string][]string{}
	for _, m := range v.Systems {
		name := v.Set.Systems[m.Published].Identifier
		if again := v.Set.Systems[m.Replayed].Identifier; again != name {
			name += " by " + again
		}
		if of[m.Why] == nil {
			order = append(order, m.Why)
		}
		of[m.Why] = append(of[m.Why], name)
	}
	var lines []string
	for _, why := range order {
		lines = append(lines, strings.Join(of[why], ", ")+": "+why)
	}
	return lines
}

// nothingTestable returns the one reason why no row of a test is testable; ""
// if one is, or if they have several reasons.
func nothingTestable(rows []*analyze.VerifyRow) string {
	for _, r := range rows {
		if r.Verdict.Testable() || plainReason(r) != plainReason(rows[0]) {
			return ""
		}
	}
	return plainReason(rows[0])
}

// plainReason is a row's reason without the system that it names first.
func plainReason(r *analyze.VerifyRow) string {
	for _, name := range []string{r.System, r.SystemB} {
		if rest, ok := strings.CutPrefix(r.Reason, name+": "); ok && name != "" {
			return rest
		}
	}
	return r.Reason
}

// verified prints the rows of one test.
func (t *report) verified(test *analyze.Test, rows []*analyze.VerifyRow) {
	t.heading(strings.TrimSpace(test.Title+" "+test.Version), test.Arguments, test.Scale, ProportionText(test.Proportion))
	table := &term.Table{
		Header: []string{"", "published", "replayed", "ratio", "90 %", "verdict"},
		Right:  []bool{false, true, true, true, true, false},
	}
	hidden := map[string]int{}
	var order []string
	for _, r := range rows {
		if r.Claim == analyze.PairClaim && !r.Verdict.Testable() {
			// Many pairs of a test have nothing to say for one reason.
			reason := plainReason(r)
			if strings.HasPrefix(reason, "a tie as published") {
				reason = "a tie as published"
			}
			if hidden[reason] == 0 {
				order = append(order, reason)
			}
			hidden[reason]++
			continue
		}
		name := r.System
		published, replayed := r.Published, r.Replayed
		if r.Claim == analyze.PairClaim {
			name += " : " + r.SystemB
			published, replayed = threeDigits(published), threeDigits(replayed)
		}
		table.Add(name, published, replayed, ratioCell(r.Ratio, r.Interval), intervalCell(r.Interval), outcomeSigns[r.Verdict])
		table.Style(5, outcomeStyles[r.Verdict])
	}
	t.table(table)
	t.outcomes(rows)
	for _, reason := range order {
		t.words(2, fmt.Sprintf("%s not testable: %s", phrase.Count(hidden[reason], "pair"), reason), dim)
	}
}

// outcomes prints the reasons of a test's rows, equal ones once with all they
// are of.
func (t *report) outcomes(rows []*analyze.VerifyRow) {
	of := map[string][]string{}
	var order []string
	values := 0
	for _, r := range rows {
		if r.Claim == analyze.PairClaim && !r.Verdict.Testable() {
			continue
		}
		values++
		text := r.Reason
		if r.RunsNeeded > 0 {
			text += fmt.Sprintf("; about %d runs would decide it", r.RunsNeeded)
		}
		name := r.System
		if r.SystemB != "" {
			name += " : " + r.SystemB
		}
		if of[text] == nil {
			order = append(order, text)
		}
		of[text] = append(of[text], name)
	}
	for _, text := range order {
		if names := of[text]; len(names) < values || values == 1 && rows[0].SystemB != "" {
			const most = 4
			if more := len(names) - most; more > 0 {
				names = append(names[:most:most], fmt.Sprintf("and %d more", more))
			}
			text = strings.Join(names, ", ") + ": " + text
		}
		t.words(2, text, dim)
	}
}

// threeDigits shortens a ratio for a table.
func threeDigits(text string) string {
	q, ok := result.ParseNumber(text)
	if !ok {
		return text
	}
	return number.Significant(q, 3)
}
