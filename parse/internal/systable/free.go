package systable

// free finds the best division that obeys the order of rows, with no view of
// columns, and keeps the segments of all that are not much worse.
func (l *lattice) free(s *scorer) {
	n, size := len(l.keys), len(l.text)
	next := make([]int, size+1) // where a cell begins behind an end
	for i := size; i >= 0; i-- {
		next[i] = i
		if i < size && l.text[i] == ' ' {
			next[i] = next[i+1]
		}
	}
	limits := make([]int, n)
	for r, k := range l.keys {
		if limits[r] = maxValue[k]; limits[r] == 0 {
			limits[r] = maxPlainValue
		}
	}
	f := &found{next: next}
	for f.search(l, s, limits); !l.spent() && l.turns(f) >= l.columns && l.fresh < tooMany; f.search(l, s, limits) {
		l.fresh *= 3
	}
	l.best = inf
	if l.spent() {
		return
	}
	for r := 0; r < n && size > 0; r++ {
		l.best = min(l.best, skipRow*float32(l.ranks[r])+f.open[r])
	}
	for margin := keepFree * l.margin; !l.keep(s, f, margin) && !l.spent(); margin *= 0.7 {
	}
}

// found is what the search from the end of a text found: for each offset i
// and row r, at i*n+r.
type found struct {
	next  []int     // where a cell begins behind an end
	rest  []float32 // least cost from i on, where a cell of row r ended
	open  []float32 // the same, where a cell of row r begins
	until []int32   // where looking for that cell's end stopped
	ends  []int32   // the end of that cell
}

// search fills all but next.
func (f *found) search(l *lattice, s *scorer, limits []int) {
	n, size := len(l.keys), len(l.text)
	f.rest = make([]float32, (size+1)*n)
	f.open = make([]float32, (size+1)*n)
	f.until = make([]int32, (size+1)*n)
	f.ends = make([]int32, (size+1)*n)
	for i := size - 1; i >= 0; i-- {
		for r := 0; r < n; r++ {
			f.open[i*n+r], f.rest[i*n+r] = inf, inf
		}
		if !l.cuts[i] || l.text[i] == ' ' {
			continue
		}
		for r := 0; r < n; r++ {
			best := inf
			j := i + 1
			for ; j <= min(size, i+limits[r]); j++ {
				if !l.cuts[j] || l.text[j-1] == ' ' {
					continue
				}
				c := s.value(r, i, j) + l.tear(i)
				if k := f.next[j]; k < size {
					c += f.rest[k*n+r] + l.gap(k-j)
				}
				if c < best {
					best, f.ends[i*n+r] = c, int32(j)
				}
				if c > best+hopeless {
					break
				}
			}
			f.open[i*n+r], f.until[i*n+r] = best, int32(j)
			l.spend(j - i)
		}
		if !l.spend(n * n / 4) {
			return
		}
		l.spread(f.open[i*n:(i+1)*n], f.rest[i*n:(i+1)*n])
	}
}

// turns returns the number of columns that the best division begins after
// its first.
func (l *lattice) turns(f *found) int {
	n, size, count := len(l.keys), len(l.text), 0
	last := -1
	for i := 0; i < size; {
		best, row := inf, 0
		for r := 0; r < n; r++ {
			c := f.open[i*n+r]
			if last >= 0 {
				c += l.turn(last, r)
			} else {
				c += skipRow * float32(l.ranks[r])
			}
			if c < best {
				best, row = c, r
			}
		}
		if best >= inf {
			return count
		}
		if last >= 0 && l.ranks[row] <= l.ranks[last] {
			count++
		}
		last = row
		i = f.next[f.ends[i*n+row]]
	}
	return count
}

// keep searches from the front and keeps the segments of all divisions that
// are within a margin of the best. It reports false if they were too many.
func (l *lattice) keep(s *scorer, f *found, margin float32) bool {
	n, size := len(l.keys), len(l.text)
	done := make([]float32, (size+1)*n) // cost up to i, the last cell of row r
	for i := range done {
		done[i] = inf
	}
	l.starts = make([][]segment, size)
	kept := 0
	for i := 0; i < size; i++ {
		if !l.cuts[i] || l.text[i] == ' ' {
			continue
		}
		for r := 0; r < n; r++ {
			if !l.spend(n / 4) {
				return false
			}
			reach := l.reach(done, i, r)
			if reach+f.open[i*n+r] > l.best+margin {
				continue
			}
			l.spend(int(f.until[i*n+r]) - i)
			for j := i + 1; j < int(f.until[i*n+r]) && j <= size; j++ {
				if !l.cuts[j] || l.text[j-1] == ' ' {
					continue
				}
				c := s.value(r, i, j) + l.tear(i)
				k, after := f.next[j], float32(0)
				if k < size {
					c += l.gap(k - j)
					after = f.rest[k*n+r]
				}
				if reach+c+after > l.best+margin {
					continue
				}
				done[k*n+r] = min(done[k*n+r], reach+c)
				if kept++; kept > maxSegments {
					return margin < 1
				}
				l.starts[i] = append(l.starts[i], segment{row: int32(r), start: int32(i), end: int32(j), next: int32(k), cost: c})
			}
		}
	}
	return true
}

// spread sets the least cost behind a cell of each row from that of a cell of
// each row to begin.
func (l *lattice) spread(open, rest []float32) {
	for a := range rest {
		best := inf
		for b, c := range open {
			if c < inf {
				best = min(best, c+l.turn(a, b))
			}
		}
		rest[a] = best
	}
}

// reach returns the least cost up to offset i, where a cell of row r begins,
// given the costs up to it by the row of the last cell.
func (l *lattice) reach(done []float32, i, r int) float32 {
	if i == 0 {
		return skipRow * float32(l.ranks[r])
	}
	n := len(l.keys)
	best := inf
	for a, d := range done[i*n : (i+1)*n] {
		if d < inf {
			best = min(best, d+l.turn(a, r))
		}
	}
	return best
}
