package replay

import (
	"slices"
	"strings"

	"github.com/benchproof/benchproof/result"
)

// testKey is what rows of one test have in common.
type testKey struct{ title, version string }

// Common returns the options that all rows of the step's test and version have,
// where those have different arguments: what need not be said of each. The
// rows are read once, whatever the number of steps asked for.
func (p *Plan) Common(s *Step) []result.Option {
	p.commonOnce.Do(func() { p.common = commonOptions(p.Rows) })
	return slices.Clone(p.common[testKey{s.Test, s.Version}])
}

// commonOptions returns the options common to the rows of each test whose rows
// have different arguments. It reads every row once.
func commonOptions(rows []Row) map[testKey][]result.Option {
	type test struct {
		arguments string // of the first row
		differ    bool
		shared    []result.Option
	}
	tests := make(map[testKey]*test)
	for i := range rows {
		r := &rows[i]
		k := testKey{r.Title, r.Version}
		t := tests[k]
		if t == nil {
			tests[k] = &test{arguments: r.Arguments, shared: result.ParseOptions(r.Arguments)}
			continue
		}
		if r.Arguments == t.arguments {
			continue // nothing that the first did not have
		}
		t.differ = true
		if len(t.shared) > 0 {
			options := result.ParseOptions(r.Arguments)
			t.shared = slices.DeleteFunc(t.shared, func(o result.Option) bool { return !slices.Contains(options, o) })
		}
	}
	common := make(map[testKey][]result.Option)
	for k, t := range tests {
		if t.differ {
			common[k] = t.shared
		}
	}
	return common
}

// Rest returns the arguments of a step without the options that all rows of its
// test have; all of them where nothing would be left.
func (p *Plan) Rest(s *Step) string {
	shared := p.Common(s)
	if len(shared) == 0 {
		return s.Arguments
	}
	var parts []string
	for _, o := range result.ParseOptions(s.Arguments) {
		if !slices.Contains(shared, o) {
			parts = append(parts, o.String())
		}
	}
	if len(parts) == 0 {
		return s.Arguments
	}
	return strings.Join(parts, " - ")
}

// label names what a step runs, for people.
func (p *Plan) label(s *Step) string {
	parts := []string{s.Test, s.Version, p.Rest(s)}
	return strings.Join(slices.DeleteFunc(parts, func(t string) bool { return t == "" }), " ")
}
