package systable

import (
	"cmp"
	"slices"

	"github.com/benchproof/benchproof/result"
)

// table makes the columns of a solution.
func (sol *solution) table(keys []string, columns int) Table {
	t := Table{Columns: make([]Column, columns)}
	printed := make([][]*cell, columns) // by column and row
	for c := range printed {
		printed[c] = make([]*cell, len(keys))
	}
	for i := range sol.cells {
		c := &sol.cells[i]
		printed[c.column][c.row] = c
	}
	absent := sol.absent(keys, columns)
	order := make([]int, len(keys)) // rows by rank
	for r := range order {
		order[r] = r
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(sol.ranks[a], sol.ranks[b]) })
	last := make([]string, len(keys))
	has := make([]bool, len(keys))
	for c := range t.Columns {
		col := &t.Columns[c]
		for _, r := range order {
			p := printed[c][r]
			switch {
			case p != nil:
				last[r], has[r] = p.value, true
				col.Offsets = append(col.Offsets, int(p.start))
			case !has[r] || absent[c][r]:
				continue
			default:
				col.Inherited = append(col.Inherited, keys[r])
				col.Offsets = append(col.Offsets, -1)
			}
			comp := result.Component{Key: keys[r], Value: last[r]}
			if r < sol.from {
				col.Hardware = append(col.Hardware, comp)
			} else {
				col.Software = append(col.Software, comp)
			}
		}
		col.Decode = sol.decode(c, len(keys))
		t.Decode = max(t.Decode, col.Decode)
	}
	return t
}

// absent finds the cells that cannot be: a value that a row prints again was
// absent in the column before.
func (sol *solution) absent(keys []string, columns int) [][]bool {
	out := make([][]bool, columns)
	for c := range out {
		out[c] = make([]bool, len(keys))
	}
	last := make([]string, len(keys))
	seen := make([]bool, len(keys))
	for i := range sol.cells {
		c := &sol.cells[i]
		if seen[c.row] && last[c.row] == c.value && c.column > 0 {
			out[c.column-1][c.row] = true
		}
		last[c.row], seen[c.row] = c.value, true
	}
	return out
}

// decode says how sure a column is.
func (sol *solution) decode(column, rows int) result.Decode {
	if len(sol.other) == 1 && rows == 1 {
		return result.DecodeExact // one row of one system: all of the text
	}
	if sol.cut || sol.other[column] > 1-sure {
		return result.DecodeAmbiguous
	}
	for i := range sol.cells {
		if c := &sol.cells[i]; c.column == column && c.chance < sure {
			return result.DecodeAmbiguous
		}
	}
	return result.DecodeInferred
}

// shift moves all offsets.
func (t *Table) shift(n int) {
	for c := range t.Columns {
		for i, o := range t.Columns[c].Offsets {
			if o >= 0 {
				t.Columns[c].Offsets[i] = o + n
			}
		}
	}
}

// emptyTable is that of a text without cells.
func emptyTable(keys, systems []string) Table {
	t := Table{Columns: make([]Column, len(systems))}
	if len(keys) == 0 {
		return t // nothing was there to be read
	}
	for c := range t.Columns {
		t.Columns[c].Decode = result.DecodeAmbiguous
	}
	t.Decode = result.DecodeAmbiguous
	return t
}

// undivided keeps a text that could not be divided.
func undivided(cells string, first int, keys, systems []string) Table {
	t := emptyTable([]string{""}, systems)
	key := ""
	if len(keys) > 0 {
		key = keys[0]
	}
	end := len(cells)
	for end > first && cells[end-1] == ' ' {
		end--
	}
	t.Columns[0].Hardware = []result.Component{{Key: key, Value: cells[first:end]}}
	t.Columns[0].Offsets = []int{first}
	return t
}
