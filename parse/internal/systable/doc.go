// Package systable reads the systems table of a flattened result page: the
// text of PTS's table of hardware and software, all cells run together
// without a separator.
//
// Such a text is made of the row keys, the systems' identifiers, the cells
// column by column, a watermark and notes:
//
//	ProcessorMotherboard…File-SystemSSDHDDIntel Core i5-4690K @ 3.90GHz (4
//	Cores)ASUS Z97-E (0803 BIOS)…ext4xfsOpenBenchmarking.orgCompiler
//	Details- --build=…
//
// [Keys] finds the row keys, [Split] divides the cells and [AllNotes] the notes.
//
// The table prints a cell only where it differs from its left neighbour. A
// column thus prints what changed, in the order in which its own system
// lists its components, and "same" and "absent" look alike.
//
// # How cells are divided
//
// Nothing in the text says where a cell ends, so Split weighs divisions: it
// knows what the values of each row look like (a letter model taught by
// values.txt, and rules for versions, sizes and names of file-systems), and
// which orders a table can have at all. The likeliest division that keeps the
// rules of the table is returned. A column is called inferred where each of
// its cells has a chance of at least 999 in 1000 and no other cell one of more
// than 1 in 1000, else ambiguous. It is exact only where the table leaves no
// choice, one row of one system: free text could always end elsewhere.
//
// Where several columns are as likely for a cell, as for one that a machine
// prints again among ten like it, no reader can know; such columns are
// ambiguous.
package systable
