package xlsx

import (
	"fmt"
	"strings"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/internal/phrase"
)

// methods says how the figures of Compare and Rank come about, a line each:
// sheet, figure, how.
const methods = `
Compare|ratio|value / baseline_value where more is better, baseline_value / value where less is: above 1 is better than the baseline; a formula on the sheet Results
Compare|OVERALL ratio|a formula: exp of the mean of ln_ratio over the rows of its pair; verdicts, p values and intervals are worked out once, of the published values, and do not follow an edit
Compare|ratio_low, ratio_high|95 % interval: exp(ln ratio ± t·s), s² = (SE/value)² of both sides added, t of Student with Welch–Satterthwaite degrees of freedom; SE as published, or from the single runs
Compare|p_value|two-sided, of T = ln ratio / s with the same degrees of freedom: the chance of so large a ratio if both were equal
Compare|p_low, p_high|the smallest and largest p value while values and standard errors move within the rounding of their print
Compare|p_adjusted|p_value adjusted for all rows that could be tested
Compare|verdict better, worse|the largest adjusted p value that rounding allows is at most 0.05, and equality is not shown
Compare|verdict equivalent|two one-sided tests show the ratio to be within the margin, for all that rounding allows, adjusted likewise as a family of their own
Compare|verdict trivial|different, and within the margin all the same
Compare|verdict undecided|neither is shown; the reason says what is in the way
Compare|verdict untestable|the figures cannot answer: a value is missing, failed, ambiguous or not above 0, or no standard error is known
Compare|runs_needed|runs a side that would decide with a chance of 80 % if spread and ratio are as measured, whatever the other rows say
Compare|a mean printed coarsely|where half a unit of its last place is above a quarter of its standard error, ratio_low and ratio_high are the outermost that rounding allows
Compare|a standard error of 0|taken as the largest that prints so
Compare|three or more runs a side that all print alike|compared exactly, without p value: they differ where no rounding makes them equal; ratio_low and ratio_high are then what rounding allows
Compare|OVERALL|geometric mean of the ratios of all tests that both sides have; the interval takes them for a sample of all possible tests; better or worse only if the mean with one ratio a test profile agrees, adjusted for the number of such rows
Rank|rank|1 is the best; equal values share the better place; within the group of a multi-way result
Rank|rank_low, rank_high|hold the true ranks of all systems of a test at once at 95 %: all pairs tested as in Compare by their largest p value, adjusted by Holm within the test
Rank|letters|systems that share a letter do not differ significantly
Rank|OVERALL|value is the mean rank over test profiles (the median of a profile's rows counts once), of tests that all systems have; ranges from ten profiles on hold all places at once at 95 %: Student's t on the differences of ranks, all pairs adjusted by Holm; letters by the critical difference of Nemenyi
Results|interval in a comment|mean ± t·SE, t of Student with N − 1 degrees of freedom at 95 %; it is about one system: whether two differ is said in Compare
Charts|error bars|that interval; of ratios ratio_low and ratio_high; of mean ranks half of the critical difference of Nemenyi: systems whose bars do not meet differ (Demšar 2006)
Charts|several charts of one program|tests whose largest values are more than 20 times apart are drawn apart`

// computed is the sheet that says how the figures of the others come about,
// with what was chosen for this workbook.
func (w *Writer) computed(comparisons []*analyze.Comparison, rankings []*analyze.Ranking) *table {
	return &table{
		name:    "How computed",
		columns: []column{{name: "sheet"}, {name: "figure", widest: 32}, {name: "how", widest: 110}},
		rows: func(yield func([]cell) bool) {
			row := make([]cell, 3)
			print := func(cells ...string) bool {
				for i, text := range cells {
					row[i] = textCell(text)
				}
				return yield(row)
			}
			for line := range strings.SplitSeq(strings.TrimSpace(methods), "\n") {
				if !print(strings.SplitN(line, "|", 3)...) {
					return
				}
			}
			for _, c := range comparisons {
				of := "Compare " + sources(c.Set)
				lines := [][2]string{
					{"family", c.FamilyName()},
					{"margin", fmt.Sprintf("%g", c.Options.Margin)},
				}
				if c.Baseline != "" {
					lines = append([][2]string{{"baseline", c.Baseline}}, lines...)
				}
				for _, text := range c.Residue {
					lines = append(lines, [2]string{"differs", text})
				}
				for _, text := range c.Warnings {
					lines = append(lines, [2]string{"note", text})
				}
				for i := range c.Overall {
					for _, l := range c.Overall[i].LeftOut {
						lines = append(lines, [2]string{"left out of " + c.Overall[i].SystemName, l.Test + ": " + l.Reason})
					}
				}
				for _, l := range lines {
					if !print(of, l[0], l[1]) {
						return
					}
				}
			}
			for _, r := range rankings {
				of := "Rank " + sources(r.Set)
				for _, text := range r.Warnings {
					if !print(of, "note", text) {
						return
					}
				}
				for i := range r.Overall {
					o := &r.Overall[i]
					text := fmt.Sprintf("%s of %s", phrase.Count(o.Profiles, "profile"), phrase.Count(o.Tests, "test"))
					if o.Reason != "" {
						text += "; " + o.Reason
					}
					figure := "overall"
					if o.Group != "" {
						figure += " " + o.Group
					}
					if !print(of, figure, text) {
						return
					}
				}
			}
		},
	}
}
