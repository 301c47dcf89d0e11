// Package analyze answers questions about result files: which system is
// better, by how much, how sure that is, and what is wrong with the file.
//
// It holds the opinions: which measurements may be compared at all, which
// test of package stats answers a question, what a verdict is called and when
// there is none. A question that the published figures cannot answer gets a
// reason, never a number. The formulas themselves are in analyze/stats, on
// plain numbers.
//
// Ratios are set so that above 1 is better than the baseline, for tests where
// more is better and for those where less is.
package analyze
