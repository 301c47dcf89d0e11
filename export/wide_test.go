package export

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/benchproof/benchproof/result"
)

// value makes a measurement.
func value(system int, text string) result.Measurement {
	return result.Measurement{System: system, Value: text}
}

// TestWideTable: tests are one row only where all of their head agrees, and
// direction and profile as far as they are known of both; twins
// of one file, and several values of one system, take further rows.
func TestWideTable(t *testing.T) {
	old := &result.File{
		Source: "old", Systems: []result.System{{Identifier: "A"}, {Identifier: "A"}},
		Tests: []result.Test{
			{Title: "T", Version: "1", Arguments: "x", Scale: "s", Proportion: result.LIB, Measurements: []result.Measurement{value(0, "1"), value(1, "2"), value(1, "3")}},
			{Title: "T", Version: "1", Arguments: "x", Scale: "s", Proportion: result.LIB, Profile: "pts/t-3", Measurements: []result.Measurement{value(0, "4")}},
			{Title: "Old only", Measurements: []result.Measurement{value(1, "5")}},
		},
	}
	head := func(change func(*result.Test)) result.Test {
		t := result.Test{Title: "T", Version: "1", Arguments: "x", Scale: "s", Proportion: result.LIB, Measurements: []result.Measurement{value(0, "9")}}
		change(&t)
		return t
	}
	other := &result.File{
		Source: "new", Systems: []result.System{{Identifier: "A"}, {Identifier: "B"}},
		Tests: []result.Test{
			head(func(t *result.Test) { t.Version = "2" }),
			head(func(t *result.Test) { t.Arguments = "y" }),
			head(func(t *result.Test) { t.Scale = "ms" }),
			head(func(t *result.Test) { t.Proportion = result.HIB }),
			head(func(t *result.Test) {
				t.Measurements = []result.Measurement{value(1, "6")}
				t.Proportion, t.Profile = result.ProportionUnknown, "pts/t-1"
			}),
			head(func(t *result.Test) { t.Profile = "pts/t-2" }),
			{Title: "Old only", Proportion: result.HIB, Measurements: []result.Measurement{value(1, "7")}},
		},
	}
	w := NewWideTable([]*result.File{old, other})
	var got [][]string
	for row := range w.Rows() {
		got = append(got, slices.Clone(row))
	}
	var names []string
	for _, c := range w.Columns()[5:] {
		names = append(names, c.Name)
	}
	if diff := cmp.Diff([]string{"old: A", "old: A #2", "new: A", "new: B"}, names); diff != "" {
		t.Errorf("columns (-want +got):\n%s", diff)
	}
	want := [][]string{
		{"T", "1", "x", "s", "LIB", "1", "2", "", "6"},
		{"T", "1", "x", "s", "LIB", "", "3", "", ""},
		{"T", "1", "x", "s", "LIB", "4", "", "", ""},
		{"Old only", "", "", "", "HIB", "", "5", "", "7"},
		{"T", "2", "x", "s", "LIB", "", "", "9", ""},
		{"T", "1", "y", "s", "LIB", "", "", "9", ""},
		{"T", "1", "x", "ms", "LIB", "", "", "9", ""},
		{"T", "1", "x", "s", "HIB", "", "", "9", ""},
		{"T", "1", "x", "s", "LIB", "", "", "9", ""},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	// Inputs of one name are told apart by number.
	columns := NewWideTable([]*result.File{old, old}).Columns()
	names = names[:0]
	for _, c := range columns[5:] {
		names = append(names, c.Name)
	}
	if len(slices.Compact(slices.Sorted(slices.Values(names)))) != 4 {
		t.Errorf("columns %q", names)
	}
}
