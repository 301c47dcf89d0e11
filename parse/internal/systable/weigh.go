package systable

import (
	"math"
	"slices"
)

// pieceWeight is how much more it counts that a cell is divided right than
// that its column is.
const pieceWeight = 4

// wholeWeight is what a nat of a whole division's likelihood counts against
// cells expected to be right: what belongs together stays so.
const wholeWeight = 0.3

// spot is a cell in a column.
type spot struct{ start, end, row, column int32 }

// weigh sets the cells of a solution and their chances. Of all divisions it
// takes the one with the most cells expected to be right: first in where they
// begin and end, then in their columns. That is the cheapest one where it is
// far ahead, and lies in the middle where several columns are as likely for a
// cell.
func (s *solver) weigh(end int32, sol *solution) {
	chances := s.chances(end)
	sol.cells = s.likeliest(end, chances)
	if !fits(sol.cells) {
		sol.cells = s.path(end)
	}
	for i := range sol.cells {
		c := &sol.cells[i]
		at := spot{c.start, c.end, c.row, int32(c.column)}
		c.chance = chances[at]
		delete(chances, at)
	}
	sol.other = make([]float64, s.columns)
	for at, chance := range chances {
		sol.other[at.column] = max(sol.other[at.column], chance)
	}
}

// chances returns how likely each cell is in each column, over all ways to
// the end.
func (s *solver) chances(end int32) map[spot]float64 {
	out := make(map[spot]float64)
	s.nodes[end].behind = 0
	total := s.nodes[end].log
	for _, i := range slices.Backward(s.order) {
		n := &s.nodes[i]
		if math.IsInf(n.behind, -1) {
			continue
		}
		for k := n.in; k >= 0; k = s.arcs[k].next {
			a := &s.arcs[k]
			if a.from < 0 {
				continue
			}
			weight := n.behind + a.weight
			f := &s.nodes[a.from]
			f.behind = logAdd(f.behind, weight)
			if a.seg != nil {
				out[s.spot(n, a)] += math.Exp(f.log + weight - total)
			}
		}
	}
	return out
}

// spot returns the cell that an arc to a node reads.
func (s *solver) spot(n *node, a *arc) spot {
	return spot{a.seg.start, a.seg.end, a.seg.row, n.col}
}

// likeliest returns the cells of the way to the end that has the most cells
// expected to be right and is itself likely.
func (s *solver) likeliest(end int32, chances map[spot]float64) []cell {
	pieces := anyColumn(chances)
	sum := make([]float64, len(s.nodes))
	by := make([]int32, len(s.nodes)) // the arc taken to a node
	for i := range sum {
		sum[i], by[i] = math.Inf(-1), -1
	}
	for _, i := range s.order {
		n := &s.nodes[i]
		for k := n.in; k >= 0; k = s.arcs[k].next {
			a := &s.arcs[k]
			total := 0.0
			if a.from >= 0 {
				if math.IsInf(sum[a.from], -1) {
					continue
				}
				total = sum[a.from] + wholeWeight*a.weight
				if a.seg != nil {
					at := s.spot(n, a)
					total += chances[at]
					at.column = -1
					total += pieceWeight * pieces[at]
				}
			}
			if total > sum[i]+1e-9 {
				sum[i], by[i] = total, k
			}
		}
	}
	var out []cell
	for i := end; i >= 0 && by[i] >= 0; i = s.arcs[by[i]].from {
		if a := &s.arcs[by[i]]; a.seg != nil {
			out = append(out, s.cell(a.seg, s.nodes[i].col))
		}
	}
	slices.Reverse(out)
	return out
}

// anyColumn sums the chances of cells over all columns, under column -1.
func anyColumn(chances map[spot]float64) map[spot]float64 {
	out := make(map[spot]float64)
	for at, chance := range chances {
		at.column = -1
		out[at] += chance
	}
	return out
}

// pieceChances sets the chances of cells to be divided right, whatever their
// column.
func (s *solver) pieceChances(end int32, cells []cell) {
	pieces := anyColumn(s.chances(end))
	for i := range cells {
		c := &cells[i]
		c.chance = pieces[spot{c.start, c.end, c.row, -1}]
	}
}

// path returns the cells of the cheapest way to a node.
func (s *solver) path(end int32) []cell {
	var out []cell
	for i := end; i >= 0; i = s.nodes[i].parent {
		if n := &s.nodes[i]; n.via != nil {
			out = append(out, s.cell(n.via, n.col))
		}
	}
	slices.Reverse(out)
	return out
}

func (s *solver) cell(g *segment, column int32) cell {
	return cell{segment: *g, column: int(column), value: s.text[g.start:g.end]}
}

// fits reports whether cells can be those of a table: a column has a row
// once, and no value that the column before prints or has. The search merges
// ways that differ in what they printed long before, so that a way through
// it may not.
func fits(cells []cell) bool {
	last := make(map[int32]cell)
	for _, c := range cells {
		p, ok := last[c.row]
		if ok && (p.column == c.column || p.value == c.value && p.column+1 == c.column) {
			return false
		}
		last[c.row] = c
	}
	return true
}
