package source

// Limits bound what an input may make a reader do. A zero field stands for
// its default.
type Limits struct {
	Input   int64 // bytes of one input, decompressed
	Text    int   // bytes of one line or text node
	Systems int   // systems of one result file
	Tests   int   // tests of one result file
	Depth   int   // depth of XML elements
	Ratio   int   // decompressed to compressed size
}

// DefaultLimits returns the limits that hold unless a flag changes them.
func DefaultLimits() Limits {
	return Limits{
		Input:   2 << 30,
		Text:    64 << 20,
		Systems: 10_000,
		Tests:   1_000_000,
		Depth:   64,
		Ratio:   1000,
	}
}
