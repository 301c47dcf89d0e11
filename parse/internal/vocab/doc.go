// Package vocab knows the words of the Phoronix Test Suite: the keys of a
// system's components, the titles of its tests, the units they print, the
// option keys and captions of their arguments.
//
// PTS prints titles, arguments and units without a mark between them where
// white space is lost, so a reader of such text looks here first. What is
// listed is what published results print; a title that is not listed is
// still a title, and callers need rules for it.
//
// All functions are safe for concurrent use and work on the text they are
// given without copying it.
package vocab
