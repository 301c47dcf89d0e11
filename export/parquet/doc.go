// Package parquet writes result files as one Parquet file: the long table of
// results, one row a measurement, for programs that analyse many files.
//
// The columns are those of the long CSV with the same names, figures as
// printed, and behind them what a row of text has no room for. See [Row] for
// the columns and [SchemaID] for the version, which stands in the file's
// metadata under "benchproof.schema". Pages are compressed with zstd.
//
// Systems, diagnostics and the metadata of files are not written; a figure
// that belongs to one of several systems is not either.
package parquet
