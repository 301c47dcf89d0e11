package export

import (
	"io"
	"iter"

	"github.com/benchproof/benchproof/analyze"
)

// VerifyColumns are the columns of a verification as a table.
var VerifyColumns = join(
	columns(Text, "kind", "test", "version", "arguments", "scale", "proportion", "system", "system_b"),
	columns(Figure, "published", "replayed", "ratio", "ratio_low", "ratio_high"),
	columns(Text, "verdict", "reason"),
)

// VerifyRows yields the rows of a verification: values, pairs and the set. The
// slice is reused for the next row. A number that is not known is empty.
func VerifyRows(v *analyze.Verification) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		row := make([]string, len(VerifyColumns))
		for i := range v.Rows {
			r := &v.Rows[i]
			h := headOf(r)
			copy(row, []string{
				string(r.Claim), h.title, h.version, h.arguments, h.scale, h.proportion, r.System, r.SystemB,
				r.Published, r.Replayed, ratioFigure(r.Ratio), ratioFigure(r.Interval.Low), ratioFigure(r.Interval.High),
				string(r.Verdict), r.Reason,
			})
			if !yield(row) {
				return
			}
		}
	}
}

// verifyHead is what a row is about.
type verifyHead struct{ title, version, arguments, scale, proportion string }

func headOf(r *analyze.VerifyRow) verifyHead {
	if r.Test == nil {
		return verifyHead{title: OverallTest}
	}
	t := r.Test
	return verifyHead{t.Title, t.Version, t.Arguments, t.Scale, string(t.Proportion)}
}

// verifyDocument is a verification as JSON.
type verifyDocument struct {
	Schema   string          `json:"schema"` // benchproof/verify/1
	Margin   float64         `json:"margin"`
	Level    float64         `json:"level"` // of the intervals of ratios
	Verdict  analyze.Outcome `json:"verdict"`
	Reason   string          `json:"reason"`
	Sentence string          `json:"sentence"`
	Claims   verifyClaims    `json:"claims"`
	Order    verifyOrder     `json:"order"`
	Values   verifyValues    `json:"values"`
	Systems  []verifySystem  `json:"systems"`
	Rows     []verifyRow     `json:"rows"`
	Warnings []string        `json:"warnings"`
}

type verifyClaims struct {
	Testable      int `json:"testable"`
	Hold          int `json:"hold"`
	NotReproduced int `json:"not_reproduced"`
	Certain       int `json:"not_reproduced_adjusted"`
	Undecided     int `json:"undecided"`
	NotComparable int `json:"not_comparable"`
	NotReplayable int `json:"not_replayable"`
	Values        int `json:"values"`
	Pairs         int `json:"pairs"`
}

type verifyOrder struct {
	Tests     int              `json:"tests"`
	Pairs     int              `json:"pairs"`
	TauB      analyze.Quantity `json:"tau_b"`
	Low       analyze.Quantity `json:"tau_b_low"`
	High      analyze.Quantity `json:"tau_b_high"`
	Seed      uint64           `json:"seed"`
	Resamples int              `json:"resamples"`
	Reason    string           `json:"reason"`
}

type verifyValues struct {
	N         int              `json:"n"`
	Median    analyze.Quantity `json:"median_factor"`
	P90       analyze.Quantity `json:"p90_factor"`
	Bias      analyze.Quantity `json:"bias"`
	Within    int              `json:"within_margin"`
	ShareLow  analyze.Quantity `json:"share_low"`
	ShareHigh analyze.Quantity `json:"share_high"`
}

type verifySystem struct {
	Published   string `json:"published"`
	Replayed    string `json:"replayed"`
	SameMachine bool   `json:"same_machine"`
	Reason      string `json:"reason"`
}

type verifyRow struct {
	Kind           analyze.Claim    `json:"kind"`
	Test           string           `json:"test"`
	Version        string           `json:"version"`
	Arguments      string           `json:"arguments"`
	Scale          string           `json:"scale"`
	Proportion     string           `json:"proportion"`
	System         string           `json:"system"`
	SystemB        string           `json:"system_b"`
	Published      string           `json:"published"`
	Replayed       string           `json:"replayed"`
	Ratio          analyze.Quantity `json:"ratio"`
	RatioLow       analyze.Quantity `json:"ratio_low"`
	RatioHigh      analyze.Quantity `json:"ratio_high"`
	Verdict        analyze.Outcome  `json:"verdict"`
	Reason         string           `json:"reason"`
	MarginLow      analyze.Quantity `json:"margin_low"`
	MarginHigh     analyze.Quantity `json:"margin_high"`
	PEqual         analyze.Quantity `json:"equivalence_p"`
	POutside       analyze.Quantity `json:"difference_p"`
	PredictionLow  analyze.Quantity `json:"prediction_low"`
	PredictionHigh analyze.Quantity `json:"prediction_high"`
	RunsNeeded     *int             `json:"runs_needed"`
}

// WriteVerifyJSON writes a verification as one JSON document. What is not known
// is null, never zero.
func WriteVerifyJSON(w io.Writer, v *analyze.Verification) error {
	c, o, a := v.Claims, v.Order, v.Values
	doc := verifyDocument{
		Schema: "benchproof/verify/1", Margin: v.Options.Margin, Level: 1 - 2*analyze.Alpha,
		Verdict: v.Verdict, Reason: v.Reason, Sentence: v.Sentence,
		Claims:  verifyClaims{c.Testable, c.Hold, c.Failed, c.Certain, c.Open, c.Incomparable, c.Unreplayable, c.Values, c.Pairs},
		Order:   verifyOrder{o.Tests, o.Pairs, o.TauB, o.Interval.Low, o.Interval.High, o.Seed, o.Resamples, o.Reason},
		Values:  verifyValues{a.N, a.Median, a.P90, a.Bias, a.Within, a.Share.Low, a.Share.High},
		Systems: make([]verifySystem, len(v.Systems)), Rows: make([]verifyRow, len(v.Rows)),
		Warnings: list(v.Warnings),
	}
	for i, m := range v.Systems {
		doc.Systems[i] = verifySystem{v.Set.Systems[m.Published].Identifier, v.Set.Systems[m.Replayed].Identifier, m.SameMachine, m.Why}
	}
	for i := range v.Rows {
		r := &v.Rows[i]
		h := headOf(r)
		doc.Rows[i] = verifyRow{
			r.Claim, h.title, h.version, h.arguments, h.scale, h.proportion, r.System, r.SystemB, r.Published, r.Replayed,
			r.Ratio, r.Interval.Low, r.Interval.High, r.Verdict, r.Reason, r.MarginLow, r.MarginHigh, r.PEqual, r.POutside,
			r.Prediction.Low, r.Prediction.High, known(r.RunsNeeded),
		}
	}
	return writeDocument(w, doc)
}
