// Package html writes a comparison and a ranking as one page: a file that is
// mailed around and opens from a disk, without a network.
//
// The page says, in the order in which a reader asks, what was compared, how
// the systems stand over all tests, how in each test, where each value was
// read, what is doubtful, and how the numbers were computed. All of it is there
// without JavaScript, as tables and drawings. With it the baseline can be
// chosen, tests be filtered and sorted, and charts be looked at and saved; the
// address keeps the choice.
//
// The page computes no statistics of its own. It holds the comparison with
// every baseline as package analyze made it, in the figures of the CSV of
// package export, and only rounds them for the eye.
//
// No text of the source is markup, script, style or address: text goes through
// html/template or encoding/json, the script sets text content alone, and a
// Content-Security-Policy allows the page's own two scripts and its style by
// their hashes and nothing else. Equal sets give equal bytes.
package html
