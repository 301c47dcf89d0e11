// Package sqlite writes result files as one SQLite database: what the record
// holds in seven tables, and views with the columns of the CSV tables.
//
//	files         one row a result file
//	systems       one row a system
//	components    hardware, software and notes of systems, in order
//	tests         one row a test
//	measurements  one row a measurement: figures as printed, and as numbers
//	runs          single runs
//	diagnostics   what readers reported
//
//	long, long_systems, long_runs, long_diagnostics
//
// A figure that is unknown is NULL, never 0; a measurement that failed or is
// ambiguous has no value. Lists (footnotes, alternatives, run times, options)
// are JSON text, which SQLite's json functions read. PRAGMA user_version is
// the version of the tables ([Version]).
//
// The database is made in a file of its own, in one transaction, and written
// to the output when it is whole.
package sqlite
