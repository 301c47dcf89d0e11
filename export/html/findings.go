package html

import (
	"github.com/benchproof/benchproof/result"
)

// findingsView is what is doubtful about the files.
type findingsView struct {
	Errors, Warnings, Infos int
	Rows                    []findingView
	More                    int
}

type findingView struct{ Severity, Where, Message, Code string }

// maxFindings bounds the findings that are listed, the severe ones first.
const maxFindings = 500

func (p *Page) findingsView() findingsView {
	var v findingsView
	for _, severity := range []result.Severity{result.SeverityError, result.SeverityWarning, result.SeverityInfo} {
		for _, list := range p.findings {
			for _, d := range list {
				if d.Severity != severity {
					continue
				}
				switch severity {
				case result.SeverityError:
					v.Errors++
				case result.SeverityWarning:
					v.Warnings++
				default:
					v.Infos++
				}
				if len(v.Rows) == maxFindings {
					v.More++
					continue
				}
				at := d.Origin.Source
				if d.Origin.Line > 0 {
					at = d.Origin.String()
				}
				v.Rows = append(v.Rows, findingView{string(severity), visible(at), visible(d.Message), visible(d.Code)})
			}
		}
	}
	return v
}

// method says how one number of the page is computed.
type method struct{ Name, Text string }

var methods = []method{
	{"Value, ± SE, N", "As the source prints them. SE is the standard error of the mean: as printed, or worked out from the single runs where the source has them. An error bar is one SE either way, not an interval."},
	{"Ratio", "Value by baseline where more is better, baseline by value where less is: above 1 is better than the baseline, below 1 is worse, for every test alike."},
	{"95 % interval", "exp(ln ratio ± t·s), s² = (SE/value)² of both sides added, t of Student with Welch–Satterthwaite degrees of freedom."},
	{"p", "Two-sided, of ln ratio / s with the same degrees of freedom; the verdict goes by the largest one that the rounding of the printed figures allows."},
	{"Adjusted p", "p adjusted for all rows of the comparison that could be tested. It belongs to the baseline: another baseline makes another family."},
	{"▲ better, ▼ worse", "The largest adjusted p that rounding allows is at most 0.05, and equality is not shown."},
	{"= equivalent", "Two one-sided tests show the ratio to be within the margin of equality, adjusted likewise."},
	{"≈ trivial", "Different, and within the margin all the same."},
	{"? undecided", "Neither is shown; the reason says what is in the way, and how many runs a side would decide it."},
	{"– untestable", "The figures cannot answer: a value is missing, failed, ambiguous or not above 0, or no standard error is known."},
	{"Geometric mean", "Of the ratios of all tests that both sides have. Its interval takes the tests for a sample of all possible ones. It is better or worse only if the mean with one ratio a profile agrees, adjusted for the number of systems. By profile: the median of a profile's ratios counts once."},
	{"Better / neither / worse", "The tested rows by their verdict. Rows that cannot be tested are in none of the three."},
	{"Rank in a test", "1 is the best; equal values share the better place; in a multi-way result within the group. The range in brackets holds the true ranks of all systems of the test at once at 95 %."},
	{"Letters", "Systems that share a letter do not differ significantly (all pairs, adjusted by Holm within the test)."},
	{"Rank over all tests", "Mean rank over profiles, of the tests that all systems have. The range, from ten profiles on, holds the places of all systems at once at 95 %, the profiles being a sample of possible ones. W says how far the profiles agree (1: fully). The p value of Friedman's test and the critical difference of Nemenyi are about the choice of tests, not the noise of runs."},
	{"~ and ?", "~ inferred: the source leaves this reading as the plausible one. ? ambiguous: the source leaves several readings, and none is chosen."},
	{"Colours", "They follow the verdicts, not the values, and every one goes with a sign or a shape."},
}
