// Package stats holds the formulas of the analysis: pure functions on
// numbers, with no knowledge of result files, units or systems' names.
//
// Its opinions:
//
//   - The headline of a comparison is the ratio of two means with its interval
//     ([Ratio]); a p value alone never is. Quantiles are Student's with
//     Welch–Satterthwaite degrees of freedom, never 1.96: at three runs the
//     normal quantile makes a nominal 95 % interval cover 88 %.
//   - A missing number is missing. A standard error that is not known is NaN
//     in a [Summary] and answered with [ErrNoSE]; one run has no standard
//     error, whatever the field says. Neither is ever taken for zero.
//   - A printed number stands for an interval. [Rounded] carries the half-units
//     of the last printed places, and p values, intervals and decisions over
//     them are ranges; where the two ends disagree the answer is undecided.
//   - Rank tests are exact, ties included, as long as that is affordable, and
//     say the smallest p value the sample sizes can give at all.
//   - Many tests need an adjustment: [Holm] where one claim must hold,
//     [BenjaminiHochberg] for a list of changes. The caller names the family.
//   - "No significant difference" is not "equal". Equality within a margin is
//     claimed by [Equivalence] only.
//   - What is random is seeded, and equal seeds give equal results.
//
// Conventions. Means are in the unit of the test, ratios are plain numbers,
// level is a confidence level such as 0.95, alpha an error rate such as 0.05,
// and all p values are two-sided unless said otherwise. A result is
// significant if its p value is at most alpha.
//
// No function panics on any input, and none changes its arguments. A result
// returned with a nil error holds neither NaN nor an infinity, except where a
// comment says so. Functions that need more than the input has return an error
// that wraps one of the sentinels ([ErrTooFew], [ErrNoSE], [ErrZeroSE],
// [ErrNotPositive], …): callers turn those into the reason why a row is
// untestable. All functions are safe for concurrent use.
package stats
