package stats

import (
	"cmp"
	"slices"
	"strconv"
)

// LetterGroups returns for each system the letters of the groups it belongs to
// (a compact letter display): two systems share a letter exactly if they do not
// differ significantly at alpha. Pairs that are missing or could not be tested
// do not differ. The letters of better systems come first; ranks says which are
// better, 1 the best, and may hold ties.
//
// Letters run from a to z, then a1 to z1, a2 and so on. Finding the fewest
// letters is a hard problem; for systems on a line, as ranked systems are, the
// groups found are the fewest. In general they cover all that is needed and
// none can be left out.
//
// It returns ErrTooFew for no systems and ErrTooLarge for more than 1000. After
// Piepho 2004 and Gramm and others 2007.
func LetterGroups(ranks []int, pairs []Pair, alpha float64) ([]string, error) {
	if err := checkLevel("alpha", alpha); err != nil {
		return nil, err
	}
	k := len(ranks)
	if err := checkCount("systems", k, 1); err != nil {
		return nil, err
	}
	if k > maxSystems {
		return nil, ErrTooLarge
	}
	// Systems are handled by place in rank order from here on.
	order := make([]int, k)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(ranks[i], ranks[j]) })
	place := make([]int, k)
	for at, system := range order {
		place[system] = at
	}
	g := newAlikeGraph(k)
	for _, p := range pairs {
		if err := checkIndices(p, k); err != nil {
			return nil, err
		}
		if p.Significant(alpha) {
			g.separate(place[p.I], place[p.J])
		}
	}
	letters := make([]string, k)
	for i, group := range g.groups() {
		for _, at := range group {
			letters[order[at]] += letter(i)
		}
	}
	return letters, nil
}

func letter(i int) string {
	name := string(rune('a' + i%26))
	if i >= 26 {
		name += strconv.Itoa(i / 26)
	}
	return name
}

// alikeGraph says which of k systems differ. covered counts the groups that two
// systems, or a system with itself, share.
type alikeGraph struct {
	k       int
	differ  []bool
	covered []int32
}

func newAlikeGraph(k int) *alikeGraph {
	return &alikeGraph{k: k, differ: make([]bool, k*k), covered: make([]int32, k*k)}
}

func (g *alikeGraph) separate(i, j int) {
	g.differ[i*g.k+j], g.differ[j*g.k+i] = true, true
}

// groups returns sets of systems none of which differ, such that all that are
// alike are together in at least one. Each is as large as it can be.
func (g *alikeGraph) groups() [][]int {
	var groups [][]int
	for i := range g.k {
		for j := i; j < g.k; j++ {
			at := i*g.k + j
			if g.differ[at] || g.covered[at] > 0 || i == j && g.hasAlike(i) {
				continue
			}
			group := g.grow(i, j)
			g.count(group, 1)
			groups = append(groups, group)
		}
	}
	// A group made early can be made needless by later ones together.
	kept := groups[:0]
	for _, group := range groups {
		if g.needless(group) {
			g.count(group, -1)
		} else {
			kept = append(kept, group)
		}
	}
	slices.SortStableFunc(kept, slices.Compare[[]int])
	return kept
}

// hasAlike reports whether i is alike to any other system: it then gets its
// groups from that pair.
func (g *alikeGraph) hasAlike(i int) bool {
	for j := range g.k {
		if j != i && !g.differ[i*g.k+j] {
			return true
		}
	}
	return false
}

// grow returns a group that holds i and j and cannot be larger, in rank order.
// Of the systems that fit it takes the one with the most pairs not yet covered,
// of equals the better one.
func (g *alikeGraph) grow(i, j int) []int {
	fits := make([]bool, g.k)
	gain := make([]int, g.k)
	for v := range fits {
		fits[v] = true
	}
	var group []int
	for next := i; next >= 0; {
		group = append(group, next)
		fits[next] = false
		row := next * g.k
		for v := range g.k {
			fits[v] = fits[v] && !g.differ[row+v]
			if g.covered[row+v] == 0 {
				gain[v]++
			}
		}
		next = -1
		if len(group) == 1 && j != i {
			next = j
			continue
		}
		for v := range g.k {
			if fits[v] && (next < 0 || gain[v] > gain[next]) {
				next = v
			}
		}
	}
	slices.Sort(group)
	return group
}

func (g *alikeGraph) count(group []int, by int32) {
	for _, u := range group {
		for _, v := range group {
			g.covered[u*g.k+v] += by
		}
	}
}

func (g *alikeGraph) needless(group []int) bool {
	for _, u := range group {
		for _, v := range group {
			if g.covered[u*g.k+v] < 2 {
				return false
			}
		}
	}
	return true
}
