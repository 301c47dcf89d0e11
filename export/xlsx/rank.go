package xlsx

import (
	"fmt"
	"slices"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/internal/number"
	"github.com/benchproof/benchproof/internal/phrase"
)

// rankRules show which systems of a test are not shown to differ from the best:
// they have its letter.
func rankRules(first int) []rule {
	letters := first + rankColumn("letters")
	return []rule{{letters, letters, fmt.Sprintf(`LEFT($%s2,1)="a"`, columnName(letters)), tintBetter}}
}

// ranks adds the charts of the overall rankings, one a group of systems. It
// returns what is left out, a line each.
func (b *board) ranks(list []*analyze.Ranking) []string {
	drawn, undrawn := 0, 0
	for _, r := range list {
		for i := range r.Overall {
			o := &r.Overall[i]
			systems := o.Systems
			if len(systems) > maxBars {
				undrawn += len(systems) - maxBars
				systems = systems[:maxBars]
			}
			switch {
			case len(systems) == 0:
			case drawn >= maxRankCharts:
				undrawn += len(systems)
			default:
				b.rankChart(r, o, systems, len(list) > 1)
				drawn++
			}
		}
	}
	if undrawn == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s of the overall ranking %s not drawn: the sheet takes %d charts of %d bars; all stand in the sheet Rank", phrase.Count(undrawn, "more place"), phrase.Verb(undrawn, "is", "are"), maxRankCharts, maxBars)}
}

func rankColumn(name string) int {
	return slices.IndexFunc(export.RankColumns, func(c export.Column) bool { return c.Name == name })
}

// rankChart draws mean ranks, the best on top, with their place and its range
// in words. The error bars are half of the critical difference of Nemenyi:
// systems whose bars do not meet differ. After Demšar 2006.
func (b *board) rankChart(r *analyze.Ranking, o *analyze.GroupRanking, systems []analyze.OverallRank, several bool) {
	title := "Overall ranking" + after(", ", o.Group)
	if several {
		title += after(" of ", sources(r.Set))
	}
	note := fmt.Sprintf("%s, %s; ", phrase.Count(o.Profiles, "profile"), phrase.Count(o.Tests, "test"))
	if o.CriticalDifference.Known {
		note += "error bars that do not meet: different"
	} else {
		note += "certainty of the order unknown"
	}
	c := &chart{
		title: short(title, titleLetters), subtitle: short(note, subtitleLetters), axis: "mean rank over profiles; less is better",
		labels: true, width: halfPixels, height: chartHeight(len(systems), nil),
	}
	var s seriesCells
	for _, k := range systems {
		c.names = append(c.names, rankLabel(k, r.Set.Systems[k.System].Name))
		mean := figureCell(number.Significant(k.MeanRank, 6))
		var half cell
		if o.CriticalDifference.Known {
			half = cell{value: o.CriticalDifference.X / 2, look: look{format: "0.000"}, width: 6}
		}
		s.values, s.plus, s.minus = append(s.values, mean), append(s.plus, half), append(s.minus, half)
	}
	c.series = []series{{name: "mean rank", paint: paint{colour: palette[0]}}}
	c.description = fmt.Sprintf("Bar chart: %s, %s, the best on top", c.title, phrase.Count(len(systems), "system"))
	b.add(c, []seriesCells{s})
}

// rankLabel is a system with its place, the range of that and its letters.
func rankLabel(k analyze.OverallRank, name string) string {
	place := fmt.Sprintf("%d", k.Place)
	if k.Low > 0 {
		place += fmt.Sprintf(" (%d–%d)", k.Low, k.High)
	}
	return label(place + ". " + name + after(" ", k.Letters))
}
