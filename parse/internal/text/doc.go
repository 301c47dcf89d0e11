// Package text reads the Phoronix Test Suite's text export: with the lines
// PTS gave it, or with all white space collapsed to single spaces, as people
// paste it.
//
// With its lines the export says nearly everything itself: an identifier, a
// value, a unit end where their line or their dots end. Collapsed, a row
// still has its marks (dots before the value, a bar behind it), a test's
// head has one (the words that say which way is better), but title and
// description, and one system's software and the next one's identifier, run
// into each other. There the rows come first: the identifiers they print
// are looked for between the systems. What no mark decides is looked up in
// package vocab, and what that does not know is decided by rules and said
// to be inferred.
//
// Values are exact in both forms, unless something speaks against them: the
// length of the bar, the room that the dots leave, decimals or columns other
// than the test's. Such a value is kept as printed, reported, and said to be
// inferred. A number that the input may have cut in two is not read.
package text
