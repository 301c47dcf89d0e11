package export

import (
	"iter"

	"github.com/benchproof/benchproof/result"
)

// wideHead are the columns before the systems of a wide table.
var wideHead = columns(Text, "test", "version", "arguments", "scale", "proportion")

// WideTable is the table of results with one row a test and one column a
// system, over one or several files.
//
// Tests and systems of different files stay apart, in the order of the
// files: to say that two of them are the same is what merging is for. Equal
// identifiers get " #2" and so on over all files.
type WideTable struct {
	files   []*result.File
	columns []Column
}

// NewWideTable returns the wide table of files.
func NewWideTable(files []*result.File) *WideTable {
	var all result.File
	for _, f := range files {
		for i := range f.Systems {
			all.AddSystem(f.Systems[i].Identifier)
		}
	}
	return &WideTable{files, join(wideHead, columns(Figure, all.SystemNames()...))}
}

// Columns returns the table's columns: five of text, then one a system.
func (w *WideTable) Columns() []Column { return w.columns }

// Rows yields the rows. The slice is reused for the next row.
//
// A cell is empty where the measurement is missing, failed or ambiguous. A
// test that has several values for one system takes as many rows, the first
// values in the first.
func (w *WideTable) Rows() iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		row := make([]string, len(w.columns))
		first := len(wideHead)
		for _, f := range w.files {
			for i := range f.Tests {
				t := &f.Tests[i]
				for layer := range Layers(t) {
					clear(row)
					copy(row, []string{t.Title, t.Version, t.Arguments, t.Scale, string(t.Proportion)})
					for _, m := range layer {
						row[first+m.System] = Value(m)
					}
					if !yield(row) {
						return
					}
				}
			}
			first += len(f.Systems)
		}
	}
}

// Layers divides the measurements of t into layers with at most one a
// system, in order: the first measurement of every system, then the second
// of those that have two, and so on. A test without measurements has one
// empty layer.
func Layers(t *result.Test) iter.Seq[[]*result.Measurement] {
	return func(yield func([]*result.Measurement) bool) {
		var layers [][]*result.Measurement
		depth := make(map[int]int, len(t.Measurements))
		for i := range t.Measurements {
			m := &t.Measurements[i]
			n := depth[m.System]
			depth[m.System]++
			if n == len(layers) {
				layers = append(layers, nil)
			}
			layers[n] = append(layers[n], m)
		}
		if len(layers) == 0 {
			layers = append(layers, nil)
		}
		for _, l := range layers {
			if !yield(l) {
				return
			}
		}
	}
}
