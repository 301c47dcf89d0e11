package xlsx

import (
	"fmt"

	"github.com/xuri/excelize/v2"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/result"
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
// told apart by all kinds of colour vision; in grey print a line is under what
// is worse.
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
		Font: &excelize.Font{Bold: true, Underline: "single", Color: orangeText},
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

// Names for the columns of the sheet Compare that colour the sheet Results: a
// conditional format reaches cells of another sheet by name alone.
const (
	verdictWords = "verdict_words"
	verdictCells = "verdict_cells"
)

// maxColoured is how many ratios colour the sheet Results: for each cell on
// the screen all of them are looked through.
const maxColoured = 20_000

// valueRules colour the values of the sheet Results by their verdict in the
// sheet Compare, which finds them by the number of their cell.
func (w *Writer) valueRules(rows, columns int) []rule {
	ratios, most := 0, min(maxColoured, w.maxRows-1)
	for _, c := range w.comparisons {
		if c.Options.By != "" {
			return nil // a value can stand in several rows
		}
		ratios += len(c.Rows) + len(c.Overall)
	}
	if ratios == 0 || rows > w.maxRows-1 {
		return nil // nothing to colour by, or cells of two sheets with one number
	}
	if ratios > most {
		w.mention("not-coloured", fmt.Sprintf("sheet Results is not coloured by verdict: %d rows of the sheet Compare, the limit is %d; the sheet Compare is", ratios, most))
		return nil
	}
	first := sourceColumns(len(w.comparisons))
	for _, n := range []struct {
		name   string
		column int
	}{{verdictCells, cellColumn}, {verdictWords, verdictColumn}} {
		if err := w.book.SetDefinedName(&excelize.DefinedName{
			Name: n.name, RefersTo: w.ranges("Compare", 0, ratios, first+n.column)[0],
		}); err != nil {
			return nil
		}
	}
	when := func(v analyze.Verdict) string {
		return fmt.Sprintf(`IFERROR(INDEX(%s,MATCH(ROW()*%d+COLUMN(),%s,0))="%s",FALSE)`, verdictWords, excelize.MaxColumns, verdictCells, v)
	}
	return []rule{
		{resultHead, columns - 1, when(analyze.Better), tintBetter},
		{resultHead, columns - 1, when(analyze.Worse), tintWorse},
	}
}

// cellNumber is the number of the cell of the sheet Results with a measurement,
// as its rules work it out; none for one in a further sheet.
func (w *Writer) cellNumber(m *result.Measurement) cell {
	at, ok := w.places.at[m]
	if !ok || w.places.of[m] == "" || at[0] >= w.maxRows-1 {
		return cell{}
	}
	return countCell((at[0]+2)*excelize.MaxColumns + at[1] + 1)
}

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
