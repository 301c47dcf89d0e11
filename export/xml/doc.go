// Package xml writes a result file as composite.xml, the form in which the
// Phoronix Test Suite keeps results and which it loads.
//
// Elements and their order are those of PTS 10.8. Values are written as
// printed. The details (JSON) of systems and entries are written as published
// where the record has them; else they are made of notes, of run times,
// minimum and maximum, and of the reason of a failure. A failed measurement
// has an empty Value.
//
// The form has no place for a standard error without its runs, for footnotes,
// for the positions of values, and for how sure a value is. What the record
// holds and the form does not is never left out without a word: see
// [Writer.Diagnostics]. An ambiguous value is written like a failed one whose
// error lists the alternatives. A value that is inferred is written, with
// "decode":"inferred" among its details.
package xml
