package export

import (
	"io"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/result"
)

// compareDocument is a comparison as JSON. Rows have the names of the table's
// columns, and what a table has no room for.
type compareDocument struct {
	Schema   string         `json:"schema"` // benchproof/compare/1
	Baseline string         `json:"baseline"`
	By       string         `json:"by,omitempty"`
	Margin   float64        `json:"margin"`
	Level    float64        `json:"level"`
	Adjust   analyze.Adjust `json:"adjust"`
	Family   int            `json:"family"`
	Note     string         `json:"family_note"`
	Rows     []compareRow   `json:"rows"`
	Overall  []overallRow   `json:"overall"`
	Residue  []string       `json:"residue"`
	Warnings []string       `json:"warnings"`
}

type compareRow struct {
	Test              string            `json:"test"`
	Version           string            `json:"version"`
	Arguments         string            `json:"arguments"`
	Scale             string            `json:"scale"`
	Proportion        result.Proportion `json:"proportion"`
	Baseline          string            `json:"baseline"`
	System            string            `json:"system"`
	BaselineValue     string            `json:"baseline_value"`
	Value             string            `json:"value"`
	Ratio             analyze.Quantity  `json:"ratio"`
	RatioLow          analyze.Quantity  `json:"ratio_low"`
	RatioHigh         analyze.Quantity  `json:"ratio_high"`
	P                 analyze.Quantity  `json:"p_value"`
	PLow              analyze.Quantity  `json:"p_low"`
	PHigh             analyze.Quantity  `json:"p_high"`
	PAdjusted         analyze.Quantity  `json:"p_adjusted"`
	Verdict           analyze.Verdict   `json:"verdict"`
	RunsNeeded        *int              `json:"runs_needed"`
	Reason            string            `json:"reason"`
	BaselineStdError  analyze.Quantity  `json:"baseline_std_error"`
	StdError          analyze.Quantity  `json:"std_error"`
	BaselineSamples   *int              `json:"baseline_samples"`
	Samples           *int              `json:"samples"`
	EquivalenceP      analyze.Quantity  `json:"equivalence_p"`
	EquivalencePLow   analyze.Quantity  `json:"equivalence_p_low"`
	EquivalencePHigh  analyze.Quantity  `json:"equivalence_p_high"`
	EquivalenceAdjust analyze.Quantity  `json:"equivalence_p_adjusted"`
	analyze.Methods
}

type overallRow struct {
	Baseline     string            `json:"baseline"`
	System       string            `json:"system"`
	Tests        int               `json:"tests"`
	Tested       int               `json:"tested"`
	Ratio        analyze.Quantity  `json:"ratio"`
	OverTests    analyze.Mean      `json:"over_tests"`
	TheseTests   analyze.Mean      `json:"these_tests"`
	Profiles     int               `json:"profiles"`
	ByProfile    analyze.Quantity  `json:"ratio_by_profile"`
	OverProfiles analyze.Mean      `json:"over_profiles"`
	Wins         int               `json:"wins"`
	Losses       int               `json:"losses"`
	Even         int               `json:"even"`
	SignP        analyze.Quantity  `json:"sign_p"`
	PAdjusted    analyze.Quantity  `json:"p_adjusted"`
	Verdict      analyze.Verdict   `json:"verdict"`
	Reason       string            `json:"reason"`
	LeftOut      []analyze.LeftOut `json:"left_out"`
	LeftOutCount int               `json:"left_out_count"`
}

// WriteCompareJSON writes a comparison as one JSON document. What is not known
// is null, never zero.
func WriteCompareJSON(w io.Writer, c *analyze.Comparison) error {
	doc := compareDocument{
		Schema: "benchproof/compare/1", Baseline: c.Baseline, By: c.Options.By, Margin: c.Options.Margin,
		Level: analyze.Level, Adjust: c.Options.Adjust, Family: c.Family, Note: c.FamilyName(),
		Rows: make([]compareRow, len(c.Rows)), Overall: make([]overallRow, len(c.Overall)),
		Residue: list(c.Residue), Warnings: list(c.Warnings),
	}
	for i := range c.Rows {
		r := &c.Rows[i]
		j := compareRow{
			Test: r.Test.Title, Version: r.Test.Version, Arguments: r.Arguments, Scale: r.Test.Scale,
			Proportion: r.Test.Proportion, Baseline: r.BaselineName, System: r.SystemName,
			BaselineValue: cellValue(r.Baseline), Value: cellValue(r.Cell),
			Ratio: r.Ratio, RatioLow: r.Interval.Low, RatioHigh: r.Interval.High,
			P: r.P, PLow: r.PRange.Low, PHigh: r.PRange.High, PAdjusted: r.PAdjusted,
			Verdict: r.Verdict, RunsNeeded: known(r.RunsNeeded), Reason: r.Reason,
			EquivalenceP: r.Equality, EquivalencePLow: r.EqualityRange.Low,
			EquivalencePHigh: r.EqualityRange.High, EquivalenceAdjust: r.EqualityAdjusted,
			Methods: r.Methods(),
		}
		j.BaselineStdError, j.BaselineSamples = uncertainty(r.Baseline)
		j.StdError, j.Samples = uncertainty(r.Cell)
		doc.Rows[i] = j
	}
	for i := range c.Overall {
		o := &c.Overall[i]
		doc.Overall[i] = overallRow{
			o.BaselineName, o.SystemName, o.Ratios, o.Tested, o.GeoMean, o.OverTests, o.TheseTests,
			o.Profiles, o.ByProfile, o.OverProfiles, o.Wins, o.Losses, o.Even, o.SignP, o.PAdjusted,
			o.Verdict, o.Reason, list(o.LeftOut), o.LeftOutCount,
		}
	}
	return writeDocument(w, doc)
}

// uncertainty returns standard error and N of a cell as they were used.
func uncertainty(c *analyze.Cell) (analyze.Quantity, *int) {
	if c == nil || c.Problem != "" {
		return analyze.Quantity{}, nil
	}
	if !c.Tested() {
		return analyze.Quantity{}, known(c.Figures.N)
	}
	return analyze.Quantity{X: c.Figures.SE, Known: true}, known(c.Figures.N)
}
