package xlsx

import "strings"

// meanings explains the columns and words of the workbook, a line each:
// sheet, column, meaning.
const meanings = `
Results|test|title of the test
Results|version|version of the application under test
Results|arguments|the options of the test as published
Results|scale|unit of the values
Results|proportion|HIB: higher is better, LIB: lower is better, empty: not known
Results|a system|with several files named after its file, too; the published value, with the decimals of the source; an empty cell: the source has no value
Results|italic|an inferred value: the source leaves it as the only plausible reading
Results|blue and bold; orange, bold and underlined|better; worse than the baseline by the verdict in Compare, never by the value alone; not coloured: neither is shown
Results|a comment|95 % interval of the mean by its standard error and N, the verdict in words, single runs, notes, where the value was read, by which rule and how surely
Results|row|number of the row as it was written, by which formulas and colours find the values after a sort; leave it in place
Results|failed|the test ran and gave no value; the reason stands in Records
Results|? … or …|an ambiguous value: the source leaves these readings, none is chosen
Records|source|file or label the row was read from
Records|title|title of the published result
Records|test, version, arguments, scale, proportion|as in Results
Records|profile|test profile with its version, where known
Records|system|full name of the system; " #2" and so on mark the second and later of equal names
Records|value|the published value; empty where it failed or is ambiguous; text where it is no number, or has more digits than a spreadsheet keeps
Records|std_error|standard error of the mean in the unit of the value, as published, or worked out from raw_values
Records|samples|number of runs
Records|raw_values|the single runs, in order, divided by ;
Records|status|ok or failed
Records|decode|exact: the source says so; inferred: the only plausible reading; ambiguous: several readings are left
Records|line, column|where in the source the value stands, counted from 1, columns in bytes
Records|reason|why a measurement failed, as published
Records|alternatives|the readings of an ambiguous value, divided by ;
Systems|group|group of the system in a comparison of several dimensions
Systems|measured|when, as the result says it, in the time of that machine; empty: not said
Systems|address|where the result was published, as it says itself
Systems|a component|as published; "(notes)" marks the published notes
Systems|grey|taken from the system before it: the source does not print it for this one
Compare|test, version, arguments, scale, proportion|as in Results; OVERALL is over all tests
Compare|baseline, system|what is compared with what
Compare|baseline_value, value|live: what the sheet Results has
Compare|ratio|live: follows the sheet Results when a value is edited, and OVERALL follows the ratios; above 1 is better than the baseline, whether more or less is better
Compare|ratio_low, ratio_high|95 % interval of the ratio; empty: no uncertainty known
Compare|p_value, p_low, p_high, p_adjusted|p value, its range over the rounding of the print, and adjusted for all rows
Compare|verdict|better, worse, equivalent, trivial, undecided or untestable; blue and bold: better, orange, bold and underlined: worse, grey: equivalent or trivial, grey italic: undecided or untestable
Compare|runs_needed|runs a side that would decide an undecided row; empty: not known
Compare|reason|why there is no verdict, and what to know about one
Compare|a comment|interval, verdict, and both values with where they were read; for OVERALL what the mean is made of
Compare|ratio_published|the ratio of the values as published; stays when a value is edited
Compare|edited|says so where ratio is not ratio_published any more: verdict, p values and interval are still those of the published values; the ratio is yellow
Compare|pair|number of the baseline and system, by which OVERALL finds its rows
Compare|ln_ratio|natural logarithm of ratio: OVERALL is exp of their mean
Compare|result_cell|number of the value's cell in Results, by which that sheet finds its verdict; 0 once the row was edited: the value has no colour then
Rank|system_group|group within which is ranked; empty: there is one
Rank|value|as published; for OVERALL the mean rank
Rank|rank, rank_low, rank_high|place and its range; empty: not ranked, or no uncertainty known
Rank|letters|systems of a test that share a letter do not differ significantly; blue: not shown to differ from the best
Charts|a chart|bars are the cells to the right of the charts, which follow Results; what is not drawn is said at the top
Charts|error bars|95 % interval of the value or ratio; of mean ranks half of the critical difference of Nemenyi; none: no uncertainty known
Charts|colours|of ratios by verdict, with its word in the legend; of values by system
How computed|how|method, and what was chosen in this workbook
Diagnostics|severity|info, warning, or error: a value was lost or contradicts itself
Diagnostics|code|stable short name of the finding`

// dictionary is what the other sheets' columns and words mean.
func (w *Writer) dictionary() *table {
	return &table{
		name:    "Dictionary",
		columns: []column{{name: "sheet"}, {name: "column"}, {name: "meaning", widest: 100}},
		rows: func(yield func([]cell) bool) {
			row := make([]cell, 3)
			for line := range strings.SplitSeq(strings.TrimSpace(meanings), "\n") {
				for i, text := range strings.SplitN(line, "|", 3) {
					row[i] = textCell(text)
				}
				if !yield(row) {
					return
				}
			}
		},
	}
}
