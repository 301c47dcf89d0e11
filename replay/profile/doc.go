// Package profile says, one file a test profile, how the options that a
// result file publishes become the command that was run: by profile version,
// with what is a default, what is published and what nobody can know.
//
// A profile reads a row strictly: an option or a value that it does not know is
// refused by name, since the run may have been another one. What it puts into
// commands are its own words for known values and numbers that it has read,
// never published text.
//
// What a tool prints becomes samples in SI units, with invariants that must
// hold for them to count; a tool that failed, was interrupted or ran something
// else gives none. Publish then gives a sample as the profile's version
// publishes it: in its unit, with its rounding, and nothing where it is
// censored.
//
// A new profile is a new file that registers itself; see rocksdb.go for a plain
// one and pgbench.go for one with a server. doc/howto-add-profile.md goes through
// it, and TestCovered names what was forgotten.
package profile
