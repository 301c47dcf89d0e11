// Package csv reads the CSV and raw CSV exports of the Phoronix Test Suite,
// and this project's own long and wide tables.
//
// The suite's exports are not CSV as any standard has it: no quote is doubled,
// only identifiers and labels are quoted, line breaks stand as they are, and
// one file holds two tables. So rows are read by the marks that the exporter
// always writes, from both ends: a label ends with its unit in parentheses, a
// quote and the direction; the values behind it must be as many as there are
// systems. A row whose values are more or fewer is known to be shifted, and
// not by where: all of its measurements are ambiguous.
//
// What the exporter does to values is undone where it can be, else said:
//
//   - It compares identifiers as numbers, so that of systems named "5.1" and
//     "5.10" both get the first one's value: the later ones are ambiguous.
//   - It gives systems of one name the first one's value: likewise.
//   - It makes 0 of values that are lists of words: a 0 without unit and
//     direction is ambiguous.
//   - It makes the mean of a series over time, with two decimals and without
//     a mark: values of sensors are inferred.
//   - A blank cell is a run that failed, or one that never was: it gives no
//     measurement, and a diagnostic.
//
// The raw CSV prints single runs alone. Values are their means then, marked
// inferred; a row without runs gives no measurement.
package csv
