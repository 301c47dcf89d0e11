package result

import "strings"

// Test is one row of a result file: one profile with one set of options.
// Its measurements stand in published order.
type Test struct {
	// Profile is the test profile with its version ("pts/fio-1.11.2"),
	// where known.
	Profile string
	// Title of the test ("Flexible IO Tester").
	Title string
	// Version of the application under test ("3.1"), "" if none.
	Version string
	// HeadDecode says how sure the division of the test's head into Title,
	// Version, Arguments and Scale is.
	HeadDecode Decode
	// Arguments as published, what PTS calls the description
	// ("Test: 1000 Files, 1MB Size").
	Arguments string
	// Options are the parts of Arguments in order.
	Options []Option
	// CommandArguments are what composite.xml calls Arguments: what the
	// test's command was given. XML and JSON only.
	CommandArguments string

	// Scale is the unit as published ("MB/s").
	Scale      string
	Proportion Proportion
	// DisplayFormat as published ("BAR_GRAPH"); of other forms what the
	// graph shows, "" if unknown.
	DisplayFormat string
	// Footnotes of the graph without their number.
	Footnotes []string
	// Parent is the comparison hash of the test that this one belongs to
	// (sensor graphs), "" if none.
	Parent string
	// Annotation is text that PTS shows below the graph. XML and JSON only.
	Annotation string

	Measurements []Measurement
	// Unassigned are printed figures known only to belong to one of
	// several systems.
	Unassigned []Unassigned

	Origin Origin
}

// Name returns title, version and arguments joined by spaces, the text that
// the filter --test is matched against.
func (t *Test) Name() string {
	parts := make([]string, 0, 3)
	for _, p := range [...]string{t.Title, t.Version, t.Arguments} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return strings.Join(parts, " ")
}

// Option is one part of a test's arguments. A bare part ("12 Clients") has
// no key.
type Option struct {
	Key   string `json:"key,omitempty"`
	Value string `json:"value"`
}

// String returns the option as it is published, "Key: value" or the value alone.
func (o Option) String() string { return keyed(o.Key, o.Value) }

// ParseOptions divides arguments as PTS joins them ("Key: value - Key:
// value") into options, in order. A part without "Key: " is a bare option:
// values hold " - " rarely, and then their tail stands as a bare option of
// its own. It returns nil for "".
func ParseOptions(arguments string) []Option {
	if arguments == "" {
		return nil
	}
	parts := strings.Split(arguments, " - ")
	options := make([]Option, 0, len(parts))
	for _, p := range parts {
		key, value, ok := strings.Cut(p, ": ")
		if !ok || key == "" {
			options = append(options, Option{Value: p})
			continue
		}
		options = append(options, Option{Key: key, Value: value})
	}
	return options
}

// Unassigned is a standard error with its N that the source prints for one
// of several systems without saying which.
type Unassigned struct {
	StdError string `json:"std_error"`         // as printed
	Samples  int    `json:"samples,omitempty"` // 0 if not printed
	// Systems are the indexes into File.Systems of those it may belong to.
	Systems []int  `json:"systems"`
	Origin  Origin `json:"origin"`
}

// Proportion says whether higher or lower is better.
type Proportion string

// The proportions of PTS.
const (
	HIB               Proportion = "HIB" // higher is better
	LIB               Proportion = "LIB" // lower is better
	ProportionUnknown Proportion = ""
)
