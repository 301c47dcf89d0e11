// Package json reads the JSON export of the Phoronix Test Suite.
//
// Numbers are kept as the JSON text prints them; none goes through a float.
// What the export itself lost cannot be had back, but where it may have lost
// something this is said:
//
//   - It writes floats, so a number of 17 or more digits, or a whole number
//     past 2^53, may differ from the one that was measured: the value is
//     result.DecodeInferred. Zeros at the end of a number are gone.
//   - It leaves out values of 0. An entry without a value and an error is 0
//     where all its runs are 0 (inferred), failed where its runs say that it
//     is not, and else result.DecodeAmbiguous.
//   - It writes systems and entries as a list where their identifiers are 0,
//     1, 2 and so on; the place in the list is then the identifier.
//   - It cuts hardware and software at ", " and ": ".
//
// What fio prints with --output-format=json is read, too, by [ReadFio].
//
// NaN, -nan, Infinity and the like stand where numbers do in documents of
// other writers: they are kept as printed, as values that are no number.
package json
