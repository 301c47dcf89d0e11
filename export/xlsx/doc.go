// Package xlsx writes result files as one workbook for analysts:
//
//	Results      one row a test, one column a system
//	Records      one row a measurement, the columns of the long table
//	Systems      one row a system, one column a component
//	Compare      systems against a baseline; ratios are formulas on Results
//	Rank         the order of the systems, with its uncertainty
//	Charts       means, ranking, ratios by verdict, the values of each program
//	How computed what the figures of the other sheets are
//	Diagnostics  what readers reported, and what did not fit into a cell
//	Dictionary   what the columns, colours and words mean
//
// Numbers are numbers, shown with the decimals that the source printed
// ("274.00" stays 274.00); a figure with more digits than a spreadsheet
// keeps stays text. What is no number is text, and no text of the source
// ever becomes a formula. Equal files give equal bytes.
//
// Ratios, means over tests and the bars of charts are formulas: they follow an
// edited value, and what was published stays beside them. Formulas are built of
// addresses. Colours go by verdict, whose word stands beside; comments say how
// sure a value is and where it was read. Charts and comments have limits, for
// the sake of the programs that open the workbook; what they leave out is said
// in the sheets Charts and Diagnostics.
//
// The library loses charts and conditional formats that are set on a sheet
// whose rows it has streamed, and has no error bars. Rows, comments and charts
// are written here; the library ties them together.
//
// A sheet with more rows than a spreadsheet takes goes on in a further one
// ("Records 2").
package xlsx
