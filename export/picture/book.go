package picture

import (
	"strings"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/result"
)

// book is what all pictures are drawn from.
type book struct {
	compared *analyze.Comparison
	ranked   *analyze.Ranking
	// rows are the compared pairs by the cell of the system that is not the
	// baseline; bases the baselines' cells.
	rows  map[*analyze.Cell]*analyze.CompareRow
	bases map[*analyze.Cell]string
	// letters are those of the ranking, by cell.
	letters map[*analyze.Cell]string
	// groups are the names of the systems' groups, members the places of
	// their names in the groups, the same in all; nil without groups.
	groups  []string
	members []int
	labels  []string
}

func newBook(c *analyze.Comparison, r *analyze.Ranking) *book {
	b := &book{compared: c, ranked: r, rows: map[*analyze.Cell]*analyze.CompareRow{}, bases: map[*analyze.Cell]string{}, letters: map[*analyze.Cell]string{}}
	for i := range c.Rows {
		row := &c.Rows[i]
		if row.Cell != nil {
			b.rows[row.Cell] = row
		}
		if row.Baseline != nil {
			b.bases[row.Baseline] = row.BaselineName
		}
	}
	for i := range r.Tests {
		for _, k := range r.Tests[i].Ranks {
			b.letters[k.Cell] = k.Letters
		}
	}
	b.group(c.Set.Systems)
	return b
}

// group finds the groups of multi-way results. A name that does not begin with
// its group's stays whole, and then there are no groups.
func (b *book) group(systems []analyze.System) {
	for i := range systems {
		b.labels = append(b.labels, shown(systems[i].Name))
	}
	at := map[string]int{}
	var groups, labels []string
	var members []int
	for i := range systems {
		group := systems[i].Group()
		label, ok := strings.CutPrefix(systems[i].Name, group+": ")
		if group == "" || !ok {
			return
		}
		if _, ok := at[label]; !ok {
			at[label] = len(at)
		}
		groups, labels, members = append(groups, shown(group)), append(labels, shown(label)), append(members, at[label])
	}
	b.groups, b.members, b.labels = groups, members, labels
}

// style returns which colour and hatch a system has: in groups that of its
// name there, else the first one.
func (b *book) style(system int) int {
	if b.groups == nil || b.members[system] >= len(palette) {
		return 0
	}
	return b.members[system]
}

// inGroups calls use for every system in the order of the set, group by group,
// with its group where that is a new one.
func (b *book) inGroups(use func(system int, group string)) {
	if b.groups == nil {
		for i := range b.labels {
			use(i, "")
		}
		return
	}
	done := map[string]bool{}
	for i, g := range b.groups {
		if done[g] {
			continue
		}
		done[g] = true
		for j := i; j < len(b.groups); j++ {
			if b.groups[j] != g {
				continue
			}
			name := ""
			if j == i {
				name = g
			}
			use(j, name)
		}
	}
}

// unit returns scale and direction of a test.
func unit(t *analyze.Test) string {
	return joined(", ", shown(t.Scale), export.ProportionText(t.Proportion))
}

// arrowed returns unit with an arrow to the better side of an axis.
func arrowed(t *analyze.Test) string {
	switch t.Proportion {
	case result.HIB:
		return unit(t) + " →"
	case result.LIB:
		return "← " + unit(t)
	}
	return unit(t)
}

func heading(t *analyze.Test) string { return shown(joined(" ", t.Title, t.Version)) }

// sources names the files that the pictures are of.
func (b *book) sources() string {
	var names []string
	const most = 4
	for i, f := range b.compared.Set.Files {
		if i == most {
			names = append(names, "…")
			break
		}
		name := joined(", ", f.Title, f.Source)
		names = append(names, shown(name))
	}
	return "Data: " + strings.Join(names, "; ")
}

// baseline returns the one cell of a test that others are compared with; nil
// if there are several or none.
func (b *book) baseline(t *analyze.Test) *analyze.Cell {
	var only *analyze.Cell
	for i := range t.Cells {
		c := &t.Cells[i]
		if _, ok := b.bases[c]; ok {
			if only != nil {
				return nil
			}
			only = c
		}
	}
	return only
}

// verdict returns the figures of a cell against its baseline: ratio and
// verdict.
func (b *book) verdict(c *analyze.Cell) (ratio string, words cell) {
	r := b.rows[c]
	if r == nil {
		if _, ok := b.bases[c]; ok && c.Problem == "" {
			return "1", cell{text: "baseline", color: gray, left: true}
		}
		return "", cell{left: true}
	}
	return export.RatioText(r.Ratio, r.Interval), cell{text: verdictSigns[r.Verdict], color: verdictColor(r.Verdict), left: true}
}
