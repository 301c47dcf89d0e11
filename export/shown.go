package export

import "github.com/benchproof/benchproof/analyze"

// PText returns a p value with four decimals, or "<0.0001", as the reports for
// people print it; "" where it is not known.
func PText(p analyze.Quantity) string { return pCell(p) }

// LeftOutText says how many tests are not in the mean of o, and why, the first
// reasons as "12 tests: 11 (A: no value), 1 (B: failed)"; of very many
// only the first are listed, and then it says so.
func LeftOutText(o *analyze.Overall) string { return leftOut(o) }
