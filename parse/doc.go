// Package parse reads published benchmark results into package result's
// record: it finds out by content which form an input has, undoes its
// compression and character encoding, and hands it to that form's reader.
//
// A reader that meets something it cannot read adds a diagnostic to the file
// and goes on. Only an input that holds no record, that breaks a limit or
// that cannot be read ends in an error.
package parse
