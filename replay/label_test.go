package replay

import (
	"fmt"
	"slices"
	"testing"

	"github.com/benchproof/benchproof/result"
)

func TestCommon(t *testing.T) {
	p := &Plan{Rows: []Row{
		{Title: "A", Version: "1", Arguments: "Type: Read - Size: 1"},
		{Title: "A", Version: "1", Arguments: "Type: Read - Size: 1"},
		{Title: "A", Version: "2", Arguments: "Type: Write - Size: 1"},
		{Title: "A", Version: "1", Arguments: "Type: Read - Size: 2"},
		{Title: "B", Arguments: "Size: 1"},
		{Title: "B", Arguments: "Size: 1"},
		{Title: "C"},
		{Title: "C", Arguments: "Size: 1"},
	}}
	for _, c := range []struct {
		step   Step
		common []result.Option
		rest   string
	}{
		{Step{Test: "A", Version: "1", Arguments: "Type: Read - Size: 2"}, []result.Option{{Key: "Type", Value: "Read"}}, "Size: 2"},
		{Step{Test: "A", Version: "2", Arguments: "Type: Write - Size: 1"}, nil, "Type: Write - Size: 1"},
		{Step{Test: "B", Arguments: "Size: 1"}, nil, "Size: 1"},
		{Step{Test: "C"}, nil, ""},
		{Step{Test: "D", Arguments: "x"}, nil, "x"},
	} {
		if got := p.Common(&c.step); !slices.Equal(got, c.common) {
			t.Errorf("%s %s: common %v, want %v", c.step.Test, c.step.Version, got, c.common)
		}
		if got := p.Rest(&c.step); got != c.rest {
			t.Errorf("%s %s: rest %q, want %q", c.step.Test, c.step.Version, got, c.rest)
		}
	}
}

// TestCommonOnce checks that a step's label costs the same whatever the number
// of rows: what they have in common was found once, by their first label.
func TestCommonOnce(t *testing.T) {
	allocs := func(rows int) float64 {
		p := &Plan{Rows: make([]Row, rows)}
		for i := range p.Rows {
			p.Rows[i] = Row{Title: "A", Arguments: fmt.Sprintf("Type: Read - Size: %d", i)}
		}
		s := &Step{Test: "A", Arguments: "Type: Read - Size: 1"}
		p.Rest(s)
		return testing.AllocsPerRun(10, func() { p.Rest(s) })
	}
	if few, many := allocs(2), allocs(2000); many != few {
		t.Errorf("a label among 2000 rows allocates %v times, among two %v times", many, few)
	}
}
