package xlsx

import (
	"fmt"

	"github.com/xuri/excelize/v2"

	"github.com/benchproof/benchproof/analyze"
)

// rule is a conditional format: how the cells of some columns look where a
// formula on their row holds.
type rule struct {
	from, to int // columns, from 0
	// when is a formula of ours for the second row, with columns that are
	// fixed ("$Q2"); no text of the source is in it.
	when string
	look tint
}

// tint is a way to look beside a word that says the same. Blue and orange are
// told apart by all kinds of colour vision, and by lightness in grey print.
type tint uint8

const (
	tintBetter tint = iota
	tintWorse
	tintEven
	tintOpen
	tintEdited
)

var tints = map[tint]excelize.Style{
	tintBetter: {
		Font: &excelize.Font{Bold: true, Color: blueText},
		Fill: excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{blueFill}},
	},
	tintWorse: {
		Font: &excelize.Font{Bold: true, Color: orangeText},
		Fill: excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{orangeFill}},
	},
	tintEven:   {Fill: excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{greyFill}}},
	tintOpen:   {Font: &excelize.Font{Italic: true, Color: "6B6B6B"}},
	tintEdited: {Fill: excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{"FFF2AB"}}},
}

const (
	blueText, blueFill     = "0B3C6F", "D3E5F5"
	orangeText, orangeFill = "7A3300", "FBDCC2"
	greyFill               = "E9E9E9"
)

// verdictRules colour columns by the verdict in another one.
func verdictRules(from, to, verdict int) []rule {
	var rules []rule
	at, _ := excelize.ColumnNumberToName(verdict + 1)
	for _, r := range []struct {
		look     tint
		verdicts []analyze.Verdict
	}{
		{tintBetter, []analyze.Verdict{analyze.Better}},
		{tintWorse, []analyze.Verdict{analyze.Worse}},
		{tintEven, []analyze.Verdict{analyze.Equivalent, analyze.Trivial}},
		{tintOpen, []analyze.Verdict{analyze.Undecided, analyze.Untestable}},
	} {
		for _, v := range r.verdicts {
			rules = append(rules, rule{from, to, is(at, string(v)), r.look})
		}
	}
	return rules
}

// is holds where a column has a word of ours.
func is(column, word string) string { return fmt.Sprintf(`$%s2="%s"`, column, word) }

// addRules sets the conditional formats of a sheet with n rows below its
// header. It comes before the rows.
func (w *Writer) addRules(sheet string, rules []rule, n int) error {
	if n == 0 {
		return nil
	}
	for _, r := range rules {
		id, ok := w.tints[r.look]
		if !ok {
			style := tints[r.look]
			var err error
			if id, err = w.book.NewConditionalStyle(&style); err != nil {
				return err
			}
			w.tints[r.look] = id
		}
		first, err := excelize.CoordinatesToCellName(r.from+1, 2)
		if err != nil {
			return err
		}
		last, err := excelize.CoordinatesToCellName(r.to+1, n+1)
		if err != nil {
			return err
		}
		if err := w.book.SetConditionalFormat(sheet, first+":"+last, []excelize.ConditionalFormatOptions{
			{Type: "formula", Criteria: r.when, Format: &id},
		}); err != nil {
			return err
		}
	}
	return nil
}
