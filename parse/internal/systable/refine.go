package systable

// refine adds the rules' costs, or what else changed, and drops the segments
// that are of no division within the margin of the best.
func (l *lattice) refine(extra func(*segment) float32) {
	n, size := len(l.keys), len(l.text)
	if extra != nil {
		for i := range l.starts {
			if !l.spend(ruleWork(l.starts[i])) {
				return
			}
			for x := range l.starts[i] {
				l.starts[i][x].cost += extra(&l.starts[i][x])
			}
		}
	}
	rest := make([]float32, (size+1)*n)
	for l.costs(rest) >= l.columns && !l.spent() && l.fresh < tooMany {
		l.fresh *= 3
	}
	done := make([]float32, (size+1)*n)
	for i := range done {
		done[i] = inf
	}
	for i := 0; i < size; i++ {
		kept := l.starts[i][:0]
		if !l.spend(n * len(l.starts[i]) / 4) {
			return
		}
		for _, g := range l.starts[i] {
			reach, after := l.reach(done, i, int(g.row)), float32(0)
			if int(g.next) < size {
				after = rest[int(g.next)*n+int(g.row)]
			}
			if reach+g.cost+after > l.best+keepRuled*l.margin {
				continue
			}
			at := int(g.next)*n + int(g.row)
			done[at] = min(done[at], reach+g.cost)
			kept = append(kept, g)
		}
		l.starts[i] = kept
	}
}

// costs sets the least cost of the text behind a cell of each row at each
// offset, and of all, from the segments kept. It returns the number of columns
// that the best division begins after its first.
func (l *lattice) costs(rest []float32) int {
	n, size := len(l.keys), len(l.text)
	open := make([]float32, n)
	// turned[i*n+r] counts the columns of the best rest behind row r at i.
	turned := make([]int32, (size+1)*n)
	opened := make([]int32, n)
	for i := size - 1; i >= 0 && l.spend(n*n/4); i-- {
		for r := range open {
			open[r] = inf
		}
		for x := range l.starts[i] {
			g := &l.starts[i][x]
			c, t := g.cost, int32(0)
			if at := int(g.next)*n + int(g.row); int(g.next) < size {
				c += rest[at]
				t = turned[at]
			}
			if c < open[g.row] {
				open[g.row], opened[g.row] = c, t
			}
		}
		for a := range open {
			best, turns := inf, int32(0)
			for b, c := range open {
				if c >= inf {
					continue
				}
				if c += l.turn(a, b); c < best {
					best, turns = c, opened[b]
					if l.ranks[b] <= l.ranks[a] {
						turns++
					}
				}
			}
			rest[i*n+a], turned[i*n+a] = best, turns
		}
	}
	l.best = inf
	turns := int32(0)
	for r, c := range open {
		if c < inf && c+skipRow*float32(l.ranks[r]) < l.best {
			l.best, turns = c+skipRow*float32(l.ranks[r]), opened[r]
		}
	}
	return int(turns)
}
