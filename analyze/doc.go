// Package analyze answers questions about result files: which system is
// better, by how much, how sure that is, and what is wrong with the file.
//
// It holds the opinions; the formulas are in analyze/stats, on plain numbers.
//
//   - A question that the published figures cannot answer gets a reason in
//     words, never a number. A measurement that is missing, failed or
//     ambiguous, and one that is zero or below, is in no ratio and no mean; it
//     is named.
//   - Ratios are set so that above 1 is better than the baseline, where more
//     is better and where less is. Where the direction is not known there is
//     neither ratio nor rank.
//   - A ratio comes with its 95 % interval and a p value. What is printed is
//     rounded, so the p value is a range too, and a verdict stands only if
//     the whole range agrees.
//   - Without standard errors there are ratios and ranks, and no claim:
//     "no uncertainty known". A standard error that belongs to one of several
//     systems is nobody's.
//   - All rows that are tested together are one family, adjusted by Holm
//     unless told otherwise; claims of a difference and claims of equality
//     are a family each.
//   - "Not different" is not "equal". Equality within a margin is claimed by
//     two one-sided tests only.
//   - A mean over tests says over which ones, and what was left out. One
//     profile with many options counts once beside the plain mean.
package analyze
