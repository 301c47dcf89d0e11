package stats

// Cliques returns what the bars of a critical-difference diagram join: groups
// of systems, as first and last place in mean ranks that rise, within which no
// two are more than cd apart, and that are in no larger group. Groups of one
// are none. Demšar 2006, Statistical comparisons of classifiers over multiple
// data sets.
func Cliques(ranks []float64, cd float64) [][2]int {
	var groups [][2]int
	end := -1
	for i := range ranks {
		j := i
		for j+1 < len(ranks) && ranks[j+1]-ranks[i] <= cd {
			j++
		}
		if j > i && j > end {
			groups = append(groups, [2]int{i, j})
			end = j
		}
	}
	return groups
}
