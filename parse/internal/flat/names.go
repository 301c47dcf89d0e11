package flat

import (
	"slices"
	"strings"
)

// naming is one division of the systems' run of identifiers.
type naming struct {
	names []string // full identifiers, groups joined by ": "
	// masks tells for each distinct run of a graph which systems it lists;
	// nil where the run does not tell (multi-way graphs).
	masks map[string][]bool
	cost  float64
	raw   float64 // cost without what the names share
	hard  bool    // the page itself prints the identifiers apart
}

// place returns where name i stands in the run, as its begin and end; in
// multi-way results, where names are put together, their number and -1.
func (n *naming) place(i int) [2]int {
	if n.masks == nil {
		return [2]int{i, -1}
	}
	begin := 0
	for _, name := range n.names[:i] {
		begin += len(name)
	}
	return [2]int{begin, begin + len(n.names[i])}
}

// has returns the index of the name that stands at a place under another
// naming, -1 if there is none.
func (n *naming) has(at [2]int, name string) int {
	for i := range n.names {
		if n.names[i] == name && n.place(i) == at {
			return i
		}
	}
	return -1
}

// runPieces returns the least number of pieces of whole that, in order,
// make up part; 0 if there is no such division. Pieces begin and end where
// an identifier may.
func (s *solver) runPieces(part, whole string) int {
	if len(part) > len(whole) || !s.budget.spend((len(part)+len(whole))/16) ||
		latestStarts(part, whole)[0] < 0 || !s.budget.spend(len(part)*len(whole)) {
		return 0
	}
	const none = 1 << 30
	n := len(whole)
	cut := make([]bool, n+1)
	for j := range cut {
		cut[j] = mayCut(whole, j)
	}
	// closed[j] is the least number of pieces that make part[:i] and end at
	// whole[:j] or before; open[j] the same while within a piece.
	rows := make([]int, 4*(n+1))
	closed, open := rows[:n+1], rows[n+1:2*(n+1)]
	nextClosed, nextOpen := rows[2*(n+1):3*(n+1)], rows[3*(n+1):]
	for j := range open {
		open[j] = none
	}
	for i := 0; i < len(part); i++ {
		best := none // least closed count up to j
		nextClosed[0], nextOpen[0] = none, none
		for j := 0; j < n; j++ {
			nextClosed[j+1], nextOpen[j+1] = nextClosed[j], none
			if cut[j] && closed[j] < best {
				best = closed[j]
			}
			if whole[j] != part[i] {
				continue
			}
			v := open[j]
			if cut[j] && best+1 < v {
				v = best + 1
			}
			nextOpen[j+1] = v
			if cut[j+1] && v < nextClosed[j+1] {
				nextClosed[j+1] = v
			}
		}
		closed, open, nextClosed, nextOpen = nextClosed, nextOpen, closed, open
	}
	if closed[n] >= none {
		return 0
	}
	return closed[n]
}

// mayCut reports whether one identifier may end and the next begin at offset
// i of a run: identifiers have no blanks at their ends.
func mayCut(run string, i int) bool {
	if i == 0 || i == len(run) {
		return true
	}
	if isSpaced(run) {
		return run[i-1] == ' '
	}
	return run[i-1] != ' ' && run[i] != ' ' && run[i]&0xc0 != 0x80
}

// noteNames returns the identifiers that the notes below the systems table
// list one by one ("Disk Details- SSD: …- HDD: …"), nil if they list none.
// Their concatenation must be want, the run of identifiers.
func noteNames(table string, want func(names []string) bool) []string {
	const mark = " Details"
	for at := 0; ; {
		i := strings.Index(table[at:], mark)
		if i < 0 {
			return nil
		}
		at += i + len(mark)
		section, ok := strings.CutPrefix(strings.TrimPrefix(table[at:], " "), "- ")
		if !ok {
			continue
		}
		if j := strings.Index(section, mark); j >= 0 {
			section = section[:j]
		}
		if names := listedNames(section, want); names != nil {
			return names
		}
	}
}

// listedNames divides a notes section "A: x- B: y" into its names such that
// want holds.
func listedNames(section string, want func([]string) bool) []string {
	// Entries begin behind "- "; a name ends at ": ". Names of multi-way
	// results hold one ": " themselves.
	entries := []string{}
	for part := range strings.SplitSeq(section, "- ") {
		entries = append(entries, strings.TrimSpace(part))
	}
	if len(entries) > 20_000 {
		return nil
	}
	for _, depth := range []int{1, 2} {
		var names []string
		for _, e := range entries {
			cut := -1
			for k, from := 0, 0; k < depth; k++ {
				i := strings.Index(e[from:], ": ")
				if i < 0 {
					cut = -1
					break
				}
				cut = from + i
				from = cut + 2
			}
			if cut > 0 {
				names = append(names, e[:cut])
			}
		}
		if len(names) > 0 && want(names) {
			return names
		}
	}
	return nil
}

// runOf returns the run that identifiers make in the overview and the
// systems table.
func runOf(names []string, spaced bool) string {
	if spaced {
		return strings.Join(names, " ") + " "
	}
	return strings.Join(names, "")
}

// multiRunOf returns the run that a multi-way result's identifiers make: the
// groups, then a blank and the label of each system.
func multiRunOf(names []string) string {
	var groups, labels strings.Builder
	var seen []string
	for _, n := range names {
		group, label, ok := strings.Cut(n, ": ")
		if !ok {
			return ""
		}
		if !slices.Contains(seen, group) {
			seen = append(seen, group)
			groups.WriteString(group)
		}
		labels.WriteString(" " + label)
	}
	return groups.String() + labels.String()
}

// onlyNaming reports whether run can be divided into count identifiers in
// one way only, given the graphs' runs: then plausibility is not needed.
func onlyNaming(run string, count int, classes []class) bool {
	if count < 2 || len(classes) == 0 {
		return count == 1
	}
	found := map[string]bool{}
	cuts := make([]byte, 0, count)
	at := make([]int, len(classes))
	used := make([]int, len(classes))
	steps := 0
	var walk func(begin, left int) bool // false: give up
	// join tries the ways in which the classes from c on may list name.
	var join func(c int, name string, next func() bool) bool
	join = func(c int, name string, next func() bool) bool {
		if c == len(classes) {
			return next()
		}
		rest := classes[c].run[at[c]:]
		if strings.HasPrefix(rest, name) && (classes[c].dots == 0 || used[c] < classes[c].dots) {
			at[c] += len(name)
			used[c]++
			ok := join(c+1, name, next)
			at[c] -= len(name)
			used[c]--
			if !ok {
				return false
			}
		}
		return join(c+1, name, next)
	}
	walk = func(begin, left int) bool {
		if steps++; steps > 100_000 || len(found) > 1 {
			return false
		}
		if left == 0 {
			if begin != len(run) {
				return true
			}
			for c := range classes {
				if at[c] != len(classes[c].run) || classes[c].dots > 0 && used[c] != classes[c].dots {
					return true
				}
			}
			found[string(cuts)] = true
			return true
		}
		for end := begin + 1; end <= len(run)-left+1; end++ {
			if left == 1 {
				end = len(run)
			}
			if !mayCut(run, end) {
				continue
			}
			cuts = append(cuts, byte(end), byte(end>>8))
			ok := join(0, run[begin:end], func() bool { return walk(end, left-1) })
			cuts = cuts[:len(cuts)-2]
			if !ok {
				return false
			}
		}
		return true
	}
	return walk(0, count) && len(found) == 1
}
