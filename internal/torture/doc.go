// Package torture makes broken and hostile inputs in bulk: benchmark results
// cut, flipped, spliced and overgrown, text that terminals, spreadsheets and
// browsers would obey, compressed bombs, and directories of which files are
// damaged.
//
// Input i of a seed is always the same, so that what failed can be made again
// from two numbers and the same [Seed] files. The package only makes inputs;
// the tests of the command run them.
package torture
