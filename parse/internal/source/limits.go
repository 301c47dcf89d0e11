package source

// Limits bound what an input may make a reader do. A field of zero or less
// stands for its default.
type Limits struct {
	Input   int64 // bytes of one input, decompressed
	Text    int   // bytes of one line or text node
	Systems int   // systems of one result file
	Tests   int   // tests of one result file
	Depth   int   // depth of XML elements
	Ratio   int   // decompressed to compressed size
}

// The flags that set the limits, as errors name them.
const (
	FlagInput   = "--max-input"
	FlagText    = "--max-text"
	FlagSystems = "--max-systems"
	FlagTests   = "--max-tests"
	FlagDepth   = "--max-depth"
	flagRatio   = "--max-ratio"
)

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

// WithDefaults returns l with the default for every field of zero or less.
func (l Limits) WithDefaults() Limits {
	d := DefaultLimits()
	if l.Input <= 0 {
		l.Input = d.Input
	}
	if l.Text <= 0 {
		l.Text = d.Text
	}
	if l.Systems <= 0 {
		l.Systems = d.Systems
	}
	if l.Tests <= 0 {
		l.Tests = d.Tests
	}
	if l.Depth <= 0 {
		l.Depth = d.Depth
	}
	if l.Ratio <= 0 {
		l.Ratio = d.Ratio
	}
	return l
}
