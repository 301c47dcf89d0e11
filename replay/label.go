package replay

import (
	"slices"
	"strings"

	"github.com/benchproof/benchproof/result"
)

// Common returns the options that all rows of the step's test and version have,
// where those have different arguments: what need not be said of each.
func (p *Plan) Common(s *Step) []result.Option {
	var shared []result.Option
	first, differ := true, false
	for i := range p.Rows {
		r := &p.Rows[i]
		if r.Title != s.Test || r.Version != s.Version {
			continue
		}
		differ = differ || r.Arguments != s.Arguments
		options := result.ParseOptions(r.Arguments)
		if first {
			shared, first = options, false
			continue
		}
		shared = slices.DeleteFunc(shared, func(o result.Option) bool { return !slices.Contains(options, o) })
	}
	if !differ {
		return nil
	}
	return shared
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
