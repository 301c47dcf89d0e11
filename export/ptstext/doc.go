// Package ptstext writes a result file as the text that the Phoronix Test
// Suite exports: the systems, then one block a test with its values and bars.
//
// The text is PTS's own, byte for byte, where PTS shows a value exactly. It is
// made for programs and people that know that form, and it loses much:
//
//   - Values are rounded as PTS rounds them: to two decimals where the
//     smallest value of a test is 10 or more, and all values of a test have
//     the same number of decimals.
//   - A failed or ambiguous measurement has no row, and neither has a value
//     that is rounded to "0", which PTS takes for nothing.
//   - Runs, standard errors, notes, footnotes and profiles are not written.
//   - A list of values (a line graph) becomes its minimum, mean and maximum.
//
// Other than PTS, whose numbers are binary fractions of 53 bits, it keeps all
// digits of large ones, and writes control characters as escapes.
package ptstext
