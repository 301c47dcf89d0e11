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
// [Keys] finds the row keys, [NoteNames] the identifiers that the notes
// list, [Split] divides the cells and [Notes] the notes.
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
// which orders a table can have at all. A division that keeps all rules of
// the table and is the likeliest is returned. It is called inferred where
// all others together are a thousand times less likely, else ambiguous, and
// exact only where the table leaves no choice, which is rare: free text
// could always end elsewhere.
package systable
