// Package result is the normalised record of a published benchmark result
// file, in the vocabulary of the Phoronix Test Suite: a result file holds
// systems (columns) and tests (rows), a test holds one measurement for each
// system that ran it.
//
// The record keeps what the source printed. A value is the printed text;
// its float64 and the half-unit of its last printed place are derived from
// that text on demand ([Measurement.Number]) and so can never disagree with
// it. Missing is missing: a system without a value for a test has no
// measurement, never a zero. What a reader inferred or could not decide says
// so in [Measurement.Decode].
//
// The package is plain data on the standard library alone. Readers live in
// package parse, writers in package export.
package result
