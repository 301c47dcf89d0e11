package systable

import (
	"math"
	"slices"
	"strings"

	"github.com/benchproof/benchproof/result"
)

// Table is a systems table divided into cells.
type Table struct {
	Columns []Column // one a system, in order
	// Decode says how sure the whole division is: as sure as its least
	// sure column.
	Decode result.Decode
	// Stopped says that the search was given up for the steps it took: what
	// it had by then, if anything, is what the columns have.
	Stopped bool
}

// Column is what the table says of one system.
type Column struct {
	// Hardware and Software are the components in the order in which the
	// system lists them, inherited ones included.
	Hardware []result.Component
	Software []result.Component
	// Inherited are the keys, in the same order, of the components that the
	// column does not print, and that have their value from the column
	// before. Such a component may in truth be absent. Where the table
	// proves that it is (a later column prints the value again), it is left
	// out.
	Inherited []string
	// Decode says how sure it is that the column prints these cells and no
	// others.
	Decode result.Decode
	// Offsets are the byte offsets in the divided text of the components'
	// values, hardware first, -1 for inherited ones.
	Offsets []int
}

const (
	// maxCells is the longest text that is searched.
	maxCells = 48 << 10
	// longText is the longest text that is worth a second try.
	longText = 8 << 10
	// sure is the chance of a cell from which it counts as inferred.
	sure = 0.999
)

// Split divides the cells of a systems table, given the row keys in page
// order and the identifiers of the systems in theirs, into one column a
// system. The identifiers may be empty; known ones help to find the columns
// that the cells stand in.
//
// Every byte of cells but blanks between them becomes part of one printed
// component. Text that fits no table, and text beyond 48 KiB or
// that takes too many steps, is one component of the first system, under the first key, marked ambiguous;
// without keys its key is empty. Without systems there is one column.
func Split(cells string, keys, systems []string) Table {
	if len(systems) == 0 {
		systems = []string{""}
	}
	first := skipBlank(cells, 0)
	if first == len(cells) {
		return emptyTable(keys, systems)
	}
	text, stopped := cells[first:], false
	if len(keys) > 0 && len(keys) <= maxKeys && len(text) <= maxCells {
		t, ok := search(text, keys, systems)
		if ok {
			t.shift(first)
			return t
		}
		stopped = t.Stopped
	}
	t := undivided(cells, first, keys, systems)
	t.Stopped = stopped
	return t
}

// maxKeys bounds the rows of a table: more are no table of PTS.
const maxKeys = 60

// search tries the readings of a table and returns the best.
func search(text string, keys, systems []string) (Table, bool) {
	orders := [][]int{columnOrder(keys, true)}
	if page := columnOrder(keys, false); !slices.Equal(page, orders[0]) {
		orders = append(orders, page)
	}
	s := newScorer(text, keys)
	var best *solution
	for _, spaced := range spacings(text) {
		for _, ranks := range orders {
			if s.spent() {
				break
			}
			sol := divide(s, keys, systems, ranks, spaced)
			switch {
			case sol == nil:
			case best == nil:
				best = sol
			default:
				// Readings of nearly the same cost say that none is sure.
				doubt := math.Abs(float64(sol.cost-best.cost)) < doubtful && !sameCells(sol.cells, best.cells)
				if sol.cost < best.cost {
					best = sol
				}
				best.cut = best.cut || doubt
			}
		}
	}
	if best == nil {
		return Table{Stopped: s.spent()}, false
	}
	best.cut = best.cut || s.spent()
	t := best.table(keys, len(systems))
	t.Stopped = s.spent()
	return t, true
}

// spacings returns how cells may be parted: with no blank, with a blank, or
// either if the first processor does not tell.
func spacings(text string) []bool {
	m := processorTail.FindStringIndex(text)
	switch {
	case !strings.Contains(text, " "):
		return []bool{false}
	case m == nil || m[1] == len(text):
		return []bool{false, true}
	}
	return []bool{text[m[1]] == ' '}
}

// doubtful is how near in cost two readings are that are both possible.
const doubtful = 11

func sameCells(a, b []cell) bool {
	return slices.EqualFunc(a, b, func(a, b cell) bool {
		return a.start == b.start && a.end == b.end && a.row == b.row && a.column == b.column
	})
}

// solution is one division with the chance of each of its cells.
type solution struct {
	ranks []int
	from  int
	cost  float32
	cells []cell
	// other is the chance, by column, of the likeliest cell that the
	// division does not have there.
	other []float64
	cut   bool
}

// cell is a printed cell of a solution.
type cell struct {
	segment
	column int
	chance float64
	value  string
}

// divide searches twice: the values found first, and forms like theirs, are
// likely to come again in later columns. Where nothing that was kept makes a
// table it keeps more, once.
func divide(s *scorer, keys, systems []string, ranks []int, spaced bool) *solution {
	margins := []float32{1, 1.8}
	if len(s.text) > longText {
		margins = margins[:1]
	}
	for _, margin := range margins {
		l := newLattice(s, keys, ranks, len(systems), spaced, margin)
		if l.best >= inf || l.spent() {
			return nil
		}
		l.refine(func(g *segment) float32 { return ruleCost(keys[g.row], l.text[g.start:g.end]) })
		l.number()
		sv := &solver{lattice: l, columns: len(systems), from: softwareFrom(keys), change: changeCosts(len(keys))}
		end := sv.solve()
		if end >= 0 && len(systems) > 1 {
			cells := sv.path(end)
			sv.pieceChances(end, cells)
			l.learn(cells)
			texts := l.number()
			sv.names = newAffinity(systems, texts, valuesOf(cells, texts, len(keys)))
			end = sv.solve()
		}
		if end >= 0 {
			sol := &solution{ranks: ranks, from: sv.from, cost: sv.nodes[end].cost, cut: sv.cut}
			sv.weigh(end, sol)
			return sol
		}
	}
	return nil
}

// valuesOf returns the numbers of the different values of each row.
func valuesOf(cells []cell, texts []string, rows int) [][]int32 {
	number := make(map[string]int32, len(cells))
	for _, c := range cells {
		number[c.value] = 0
	}
	for i, t := range texts {
		if _, ok := number[t]; ok {
			number[t] = int32(i)
		}
	}
	values := make([][]int32, rows)
	for _, c := range cells {
		if t := number[c.value]; t > 0 && !slices.Contains(values[c.row], t) {
			values[c.row] = append(values[c.row], t)
		}
	}
	return values
}
