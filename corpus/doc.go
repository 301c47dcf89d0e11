// Package corpus keeps many result files as one Parquet data set: it adds
// files, says what is there, gives files back, and answers questions across
// them, such as where a value stands among all published ones of its test.
//
// A corpus is a directory. Its tables lie in parts below data/, one file a
// table and part, and its manifest lists the parts: readers go by it, and the
// one writer that a lock allows ([Add], [Commit]) replaces it once a part is on
// the disk. Inputs are known by the SHA-256 of their bytes, and the keys of
// all rows are made of that, so that a set does not depend on the order or
// the process that added to it.
//
// Questions are answered by an engine in a program of its own, which
// [Corpus.Query] starts: it is DuckDB, and this package is free of C.
package corpus
