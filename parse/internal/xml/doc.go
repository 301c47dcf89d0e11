// Package xml reads composite.xml, the file in which the Phoronix Test Suite
// keeps a result, in every generation of its schema: that of PTS 0.1 to 2.6
// (Suite, System, Benchmark) and that of 3.0 and later (Generated, System,
// Result), and also parts of such files (test-N.xml, a bare Result).
//
// The record says what the file says: values are the text of their elements,
// and neither a result nor an entry is ever merged with another, whatever
// they have in common. These rules turn the file's structure into the
// record's:
//
//   - An entry belongs to the system that has its identifier: the same bytes,
//     white space around them apart. If none has, a system is added.
//   - A test has at most one measurement of a system. Where a result holds
//     several entries of one identifier, they go to the systems of that
//     identifier in order, and where these run out, further ones are added
//     that share the components of the first. If the systems of one
//     identifier are not the same machine, which one an entry means is the
//     file's secret: the measurement is then result.DecodeInferred.
//   - An entry without a value is a failed measurement. Its reason is the
//     error message of the entry; where there is none, the reason says that.
//   - Raw runs give Samples and, from two on, a derived StdError, which is
//     the standard error that PTS itself shows.
//
// A file that breaks off, or whose tags do not match, gives what is whole in
// it and a diagnostic of severity error with the place: a value whose element
// is closed is whole, and so is an entry with its identifier and its value.
// Behind a wrong tag reading goes on at the next entry or section.
package xml
