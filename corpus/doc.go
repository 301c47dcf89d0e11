// Package corpus keeps many result files as one Parquet data set: it adds
// files, says what is there, and answers questions across them, such as where
// a value stands among all published ones of its test.
package corpus
