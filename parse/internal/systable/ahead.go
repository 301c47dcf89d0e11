package systable

// view is what the rest of a text costs at least, for a search to measure its
// nodes by. It keeps the order of rows and the number of columns, but not
// what was printed before.
//
// Where enough columns are left their number says nothing, and where too few
// are no rest can be read: each level keeps only the stretch between.
type view struct {
	columns int
	rows    int
	number  []int32 // of an offset that has segments, -1 for others
	any     []float32
	levels  []level
}

// level is the view for a number of columns that may follow. Before the
// numbers from low to high all is too dear, behind them it is as with any
// number of columns.
type level struct {
	low, high int
	costs     []float32 // by number from low on and rank from -1 on
}

// maxCosts bounds what a view keeps; columns beyond count as any number.
const maxCosts = 16 << 20

// lookAhead makes the view of a lattice for a number of columns.
func lookAhead(l *lattice, columns int) *view {
	v := &view{columns: columns, rows: len(l.keys), number: make([]int32, len(l.text)+1)}
	var offsets []int
	for i := range l.starts {
		v.number[i] = -1
		if len(l.starts[i]) > 0 {
			v.number[i] = int32(len(offsets))
			offsets = append(offsets, i)
		}
	}
	v.number[len(l.text)] = -1
	width := v.rows + 1
	v.any = make([]float32, len(offsets)*width)
	open := make([]float32, v.rows)
	at := func(costs []float32, k int) []float32 { return costs[k*width : (k+1)*width] }
	for k := len(offsets) - 1; k >= 0; k-- {
		v.column(l, offsets[k], open, at(v.any, k), func(k int) []float32 { return at(v.any, k) })
		row := at(v.any, k)
		for r := range row {
			row[r] = row[0] // a new column can always begin
		}
	}
	scratch := make([]float32, len(offsets)*width)
	copy(scratch, v.any)
	kept, high := 0, len(offsets)
	for m := 0; m < columns && high > 0 && kept < maxCosts; m++ {
		lv := level{low: 0, high: 0}
		dead, same := 0, true
		k := high - 1
		for ; k >= 0; k-- {
			if !l.spend(width + len(l.starts[offsets[k]])) {
				return v
			}
			row := at(scratch, k)
			v.column(l, offsets[k], open, row, func(k int) []float32 { return at(scratch, k) })
			if m > 0 {
				fresh := v.levels[m-1].cost(v, k, -1)
				for r := range row {
					row[r] = min(row[r], fresh)
				}
			}
			if same = same && equal(row, at(v.any, k)); same {
				continue
			}
			lv.high = max(lv.high, k+1)
			if row[0] < inf {
				dead = 0
			} else if dead++; dead > longestReach {
				break
			}
		}
		lv.low = k + 1
		if lv.high > 0 {
			lv.costs = append(lv.costs, scratch[lv.low*width:lv.high*width]...)
		} else {
			lv.low = 0
		}
		for i := range scratch[:lv.low*width] {
			scratch[i] = inf
		}
		kept += len(lv.costs)
		v.levels = append(v.levels, lv)
		high = lv.high
	}
	return v
}

// longestReach is more than the offsets that one cell can span.
const longestReach = 800

func equal(a, b []float32) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// column sets the costs behind each rank at an offset, with cells of one
// column alone; from says those at later offsets, by number.
func (v *view) column(l *lattice, offset int, open, costs []float32, from func(int) []float32) {
	for r := range open {
		open[r] = inf
	}
	for x := range l.starts[offset] {
		g := &l.starts[offset][x]
		r := l.ranks[g.row]
		c := g.cost
		if int(g.next) < len(l.text) {
			next := v.number[g.next]
			if next < 0 {
				continue
			}
			c += from(int(next))[r+1]
		}
		open[r] = min(open[r], c)
	}
	best := inf
	for r := v.rows - 1; r >= 0; r-- {
		costs[r+1] = best
		best = min(best, open[r])
	}
	costs[0] = best
}

// cost returns the level's cost at an offset, by number, behind a rank.
func (lv *level) cost(v *view, k, rank int) float32 {
	width := v.rows + 1
	switch {
	case k < lv.low:
		return inf
	case k >= lv.high:
		return v.any[k*width+rank+1]
	}
	return lv.costs[(k-lv.low)*width+rank+1]
}

// rest returns the least cost of the text from an offset on, read by a node
// of a column whose last cell has a rank.
func (v *view) rest(pos, col, rank int) float32 {
	if col >= v.columns || pos == len(v.number)-1 {
		return 0
	}
	k := int(v.number[pos])
	if k < 0 {
		return inf
	}
	if m := v.columns - 1 - col; m < len(v.levels) {
		return v.levels[m].cost(v, k, rank)
	}
	return v.any[k*(v.rows+1)+rank+1]
}
