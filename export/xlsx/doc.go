// Package xlsx writes result files as one workbook for analysts:
//
//	Results      one row a test, one column a system
//	Records      one row a measurement, the columns of the long table
//	Systems      one row a system, one column a component
//	Compare      systems against a baseline; ratios are formulas on Results
//	Rank         the order of the systems, with its uncertainty
//	How computed what the figures of Compare and Rank are
//	Diagnostics  what readers reported, and what did not fit into a cell
//	Dictionary   what the columns, colours and words mean
//
// Numbers are numbers, shown with the decimals that the source printed
// ("274.00" stays 274.00); a figure with more digits than a spreadsheet
// keeps stays text. What is no number is text, and no text of the source
// ever becomes a formula. Equal files give equal bytes.
//
// A sheet with more rows than a spreadsheet takes goes on in a further one
// ("Records 2").
package xlsx
