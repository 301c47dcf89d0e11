// Package html reads the HTML export of the Phoronix Test Suite, and the pages
// of its result viewer, which show the same graphs.
//
// Such a page holds no table of numbers: its systems, its overview and every
// result are inline SVG drawings, and a number belongs to the system that
// stands at its height. The reader places every text by its coordinates, its
// anchor, its group and its fill, and never by its turn among the others:
//
//   - the systems table by row (y) and column (x); a shaded rectangle says
//     how many columns a cell spans, so "same as the column before" and
//     "absent" are told apart, which the page's text alone cannot do;
//   - a bar graph by its bars: identifier, standard error, value and notes
//     are those of the bar at their height (or, where bars stand upright,
//     above their place on the axis); the fill of a bar names its group
//     where a legend gives one;
//   - the overview table by row and column again. It prints values as the
//     source file has them, so it may know more digits than the graph
//     (Measurement.Precise), the test's profile with its version, a result
//     of exactly 0, for which a graph prints nothing, the values behind a
//     line graph, and the group of a graph that shows one group only.
//
// What stands on a page and finds no place becomes a diagnostic.
//
// # What such a page cannot tell
//
// Tests without any value have no graph. A pass/fail graph prints one word
// whatever the number of checks, a line graph of sensor readings only their
// minimum, average and maximum, and a box plot those of the runs: such words
// and averages are marked inferred. Integers past 2^53 were rounded by the
// exporter before it drew them.
package html
