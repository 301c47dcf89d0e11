package xlsx

import (
	"fmt"
	"strings"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/internal/number"
	"github.com/benchproof/benchproof/internal/phrase"
)

// ratioComments are the comments of the sheet Compare, at its ratios.
func (w *Writer) ratioComments(list []*analyze.Comparison) []comment {
	n := 0
	for _, c := range list {
		for i := range c.Rows {
			if c.Rows[i].Ratio.Known {
				n++
			}
		}
		n += len(c.Overall)
	}
	if !w.fits("Compare", n, "its columns and the sheet Records say the same") {
		return nil
	}
	column := sourceColumns(len(list)) + ratioColumn
	notes := make([]comment, 0, n)
	row := 0
	for _, c := range list {
		for i := range c.Rows {
			if c.Rows[i].Ratio.Known {
				notes = append(notes, comment{row, column, ratioComment(c.Set, &c.Rows[i])})
			}
			row++
		}
		for i := range c.Overall {
			notes = append(notes, comment{row, column, meanComment(&c.Overall[i])})
			row++
		}
	}
	return notes
}

// ratioComment says how sure a ratio is, and where its two values were read.
func ratioComment(set *analyze.Set, r *analyze.CompareRow) string {
	lines := []string{
		fmt.Sprintf("ratio %s, %s", number.Significant(r.Ratio.X, 6), interval(r.Interval)),
		"verdict: " + string(r.Verdict) + after(", adjusted p ", figure(r.PAdjusted)),
	}
	for _, side := range []struct {
		name string
		cell *analyze.Cell
	}{{r.BaselineName, r.Baseline}, {r.SystemName, r.Cell}} {
		m := side.cell.Measurement
		lines = append(lines,
			fmt.Sprintf("%s: %s%s", side.name, m.Value, after(" ", r.Test.Scale)),
			"   "+uncertainty(m),
			"   "+place(m, set.Files[set.Systems[side.cell.System].File].Source))
	}
	if text := r.Change(); text != "" {
		lines = append(lines, "as printed: "+text)
	}
	if r.Reason != "" {
		lines = append(lines, r.Reason)
	}
	return strings.Join(lines, "\n")
}

// meanComment says what a mean over tests is made of.
func meanComment(o *analyze.Overall) string {
	if !o.GeoMean.Known {
		return orUnknown(o.Reason)
	}
	lines := []string{
		fmt.Sprintf("geometric mean of %s, %d of them with uncertainty: %s", phrase.Count(o.Ratios, "ratio"), o.Tested, number.Significant(o.GeoMean.X, 6)),
		"the tests taken for a sample: " + interval(o.OverTests.Range),
		"these tests alone, noise of runs: " + interval(o.TheseTests.Range),
		fmt.Sprintf("one ratio a test profile (%d): %s, %s", o.Profiles, orUnknown(figure(o.ByProfile)), interval(o.OverProfiles.Range)),
		fmt.Sprintf("better in %d, worse in %d, tested and neither in %d", o.Wins, o.Losses, o.Even),
	}
	if o.LeftOutCount > 0 {
		lines = append(lines, fmt.Sprintf("%s left out: sheet How computed", phrase.Count(o.LeftOutCount, "test")))
	}
	if o.Tested == 0 {
		lines[1] = "no uncertainty of any value known"
	}
	return strings.Join(lines, "\n")
}

func figure(q analyze.Quantity) string {
	if !q.Known {
		return ""
	}
	return number.Significant(q.X, 4)
}

func interval(r analyze.Range) string {
	if !r.Low.Known || !r.High.Known {
		return "no interval known"
	}
	return fmt.Sprintf("95 %% CI %s to %s", figure(r.Low), figure(r.High))
}
