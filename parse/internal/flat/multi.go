package flat

import (
	"slices"
	"strings"
)

// In a multi-way result the identifiers are "GROUP: LABEL". The systems table
// and the overview print the groups run together, then each system's label
// behind a blank; a graph prints the groups it has in its legend (none if it
// has one only) and its labels once, run together.

// multiNamings returns the divisions of the run of a multi-way result.
func (s *solver) multiNamings(run, legend string, legends, graphRuns []string, table string) []naming {
	if names := noteNames(table, func(names []string) bool { return multiRunOf(names) == run }); names != nil {
		return []naming{{names: names, hard: true}}
	}
	if isSpaced(run) {
		squeeze := func(s string) string { return strings.ReplaceAll(s, " ", "") }
		if names := noteNames(table, func(names []string) bool { return squeeze(multiRunOf(names)) == squeeze(run) }); names != nil {
			return []naming{{names: names, hard: true}}
		}
		return nil
	}
	labelPart := run[len(legend):]
	var out []naming
	for _, labels := range s.unitLabels(labelPart, graphRuns) {
		unit := ""
		for _, l := range labels {
			unit += " " + l
		}
		count := len(labelPart) / len(unit)
		for _, groups := range s.groupNamings(legend, count, legends, table) {
			n := naming{cost: groups.cost, hard: groups.hard}
			for _, g := range groups.names {
				for _, l := range labels {
					n.names = append(n.names, g+": "+l)
				}
			}
			out = append(out, n)
		}
	}
	return out
}

// groupNamings divides a legend into count groups.
func (s *solver) groupNamings(legend string, count int, legends []string, table string) []naming {
	var classes []class
	for _, l := range distinct(legends) {
		if l != "" && l != legend && s.runPieces(l, legend) > 0 {
			classes = append(classes, class{run: l})
		}
	}
	namings, slack := segmentations(legend, count, classes, table, 50, s.budget)
	s.nameSlack = min(s.nameSlack, slack)
	if count == 1 && len(namings) == 1 {
		namings[0].hard = true
	}
	return namings
}

// unitLabels returns the lists of labels that, repeated, make up the labels
// of the systems table. A graph that lists all of them tells where they end:
// there the table has a blank and the graph has none.
func (s *solver) unitLabels(labelPart string, graphRuns []string) [][]string {
	var out [][]string
	for n := 1; n <= len(labelPart); n++ {
		if len(labelPart)%n != 0 || labelPart[0] != ' ' {
			continue
		}
		if !s.budget.spend(len(labelPart) * (1 + len(graphRuns)) / 8) {
			break
		}
		unit := labelPart[:n]
		if strings.Repeat(unit, len(labelPart)/n) != labelPart {
			continue
		}
		for _, run := range graphRuns {
			labels := alignLabels(unit, run)
			if labels == nil || slices.ContainsFunc(out, func(o []string) bool { return slices.Equal(o, labels) }) {
				continue
			}
			out = append(out, labels)
		}
	}
	return out
}

// alignLabels divides unit, in which a blank stands before each label, by a
// run of the same labels without those blanks. It returns nil if they do not
// fit.
func alignLabels(unit, run string) []string {
	var labels []string
	j := 0
	begin := 0
	for i := 0; i < len(unit); i++ {
		if j < len(run) && unit[i] == run[j] {
			j++
			continue
		}
		if unit[i] != ' ' {
			return nil
		}
		if i > 0 {
			labels = append(labels, unit[begin:i])
		}
		begin = i + 1
	}
	if j != len(run) || begin == 0 || begin == len(unit) {
		return nil
	}
	labels = append(labels, unit[begin:])
	for _, l := range labels {
		if l == "" {
			return nil
		}
	}
	return labels
}

// labelLists returns the ways in which run is made of distinct labels, at
// most two.
func labelLists(run string, labels []string) [][]int {
	var out [][]int
	var walk func(rest string, used []int)
	steps := 0
	walk = func(rest string, used []int) {
		if steps++; steps > 20_000 || len(out) == 2 {
			return
		}
		if rest == "" {
			out = append(out, slices.Clone(used))
			return
		}
		for i, l := range labels {
			if l != "" && strings.HasPrefix(rest, l) && !slices.Contains(used, i) {
				walk(rest[len(l):], append(used, i))
			}
		}
	}
	walk(run, nil)
	return out
}

func distinct(list []string) []string {
	var out []string
	for _, s := range list {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
