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
// Tests of several files that agree in title, version, arguments and scale are
// one row, unless direction, profile or command arguments, which not every form
// has, are known of both and differ. Systems stay apart: with several files the
// column of each is named after its file, too ("old: SSD"). Equal names get
// " #2" and so on.
type WideTable struct {
	columns []Column
	groups  []wideGroup
}

// wideGroup is the tests of one row, at most one a file, the first of them with
// the direction that any of them has.
type wideGroup []wideTest

// wideTest is the test of a file whose systems begin at column first, counted
// from 0 behind the head.
type wideTest struct {
	*result.Test
	first int
}

// wideKey is what tests of different files must have in common to be one row.
type wideKey struct{ title, version, arguments, scale string }

// agrees reports whether what a group and t both have of the rest is the same.
func (g wideGroup) agrees(t *result.Test) bool {
	same := func(a, b string) bool { return a == "" || b == "" || a == b }
	for _, other := range g {
		if !same(string(other.Proportion), string(t.Proportion)) ||
			!same(other.Profile, t.Profile) || !same(other.CommandArguments, t.CommandArguments) {
			return false
		}
	}
	return true
}

// NewWideTable returns the wide table of files, which it keeps.
func NewWideTable(files []*result.File) *WideTable {
	w := &WideTable{columns: csvNames(join(wideHead, columns(Figure, wideNames(files)...)))}
	index := map[wideKey][]int{}
	first := 0
	for _, f := range files {
		// Of the groups of a key those of the files before, and the next of
		// them: tests of one file stay apart, and the first is one with the
		// first of another file.
		before, next := map[wideKey]int{}, map[wideKey]int{}
		for i := range f.Tests {
			t := &f.Tests[i]
			k := wideKey{t.Title, t.Version, t.Arguments, t.Scale}
			list := index[k]
			if _, ok := before[k]; !ok {
				before[k] = len(list)
			}
			at := len(w.groups)
			if n := next[k]; n < before[k] && w.groups[list[n]].agrees(t) {
				at, next[k] = list[n], n+1
			} else {
				index[k] = append(list, at)
				w.groups = append(w.groups, nil)
			}
			w.groups[at] = w.groups[at].with(wideTest{t, first})
		}
		first += len(f.Systems)
	}
	return w
}

// with returns g with t.
func (g wideGroup) with(t wideTest) wideGroup {
	if len(g) > 0 && g[0].Proportion == result.ProportionUnknown && t.Proportion != result.ProportionUnknown {
		known := *g[0].Test
		known.Proportion = t.Proportion
		g[0].Test = &known
	}
	return append(g, t)
}

// wideNames names the systems of all files, in order.
func wideNames(files []*result.File) []string {
	if len(files) == 1 {
		return files[0].SystemNames()
	}
	var all result.File
	for _, f := range files {
		for _, name := range f.SystemNames() {
			if f.Source != "" {
				name = f.Source + ": " + name
			}
			all.AddSystem(name)
		}
	}
	return all.SystemNames()
}

// Columns returns the table's columns: five of text, then one a system.
func (w *WideTable) Columns() []Column { return w.columns }

// Rows yields the rows as text. The slice is reused for the next row.
//
// A cell is empty where the measurement is missing, failed or ambiguous. A
// test that has several values for one system takes as many rows, the first
// values in the first.
func (w *WideTable) Rows() iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		row := make([]string, len(w.columns))
		for t, cells := range w.Cells() {
			clear(row)
			copy(row, []string{t.Title, t.Version, t.Arguments, t.Scale, string(t.Proportion)})
			for i, m := range cells {
				if m != nil {
					row[len(wideHead)+i] = Value(m)
				}
			}
			if !yield(row) {
				return
			}
		}
	}
}

// Cells yields the rows of Rows as the test that the row is about, of the
// first file that has it, and one measurement a system, nil where there is
// none. The slice is reused for the next row.
func (w *WideTable) Cells() iter.Seq2[*result.Test, []*result.Measurement] {
	return func(yield func(*result.Test, []*result.Measurement) bool) {
		systems := len(w.columns) - len(wideHead)
		var rows [][]*result.Measurement
		for _, group := range w.groups {
			used := 0
			for _, t := range group {
				n := 0
				for layer := range layers(t.Test) {
					if n == len(rows) {
						rows = append(rows, make([]*result.Measurement, systems))
					}
					for _, m := range layer {
						rows[n][t.first+m.System] = m
					}
					n++
				}
				used = max(used, n)
			}
			for _, row := range rows[:used] {
				if !yield(group[0].Test, row) {
					return
				}
				clear(row)
			}
		}
	}
}

// layers divides the measurements of t into layers with at most one a
// system, in order: the first measurement of every system, then the second
// of those that have two, and so on. A test without measurements has one
// empty layer.
func layers(t *result.Test) iter.Seq[[]*result.Measurement] {
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
