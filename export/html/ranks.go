package html

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/analyze/stats"
	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/internal/number"
	"github.com/benchproof/benchproof/internal/phrase"
)

// groupView is the overall ranking of a group.
type groupView struct {
	Group, Summary, Reason string
	Rows                   []rankRow
	Ticks                  []tick
	// Ranges says that places have ranges, which are drawn; without them mean
	// ranks are, unless the diagram has them.
	Letters, Ranges, Plots bool
	NoValues               []string
	LeftOut                []analyze.LeftOut
	LeftOutMore            int
	CD                     *cdView
}

type rankRow struct {
	System, Place, MeanRank, Letters string
	Plot                             mark
}

// cdView is a diagram of mean ranks: systems hang from an axis, the best at the
// left, and those that do not differ are joined by bars.
type cdView struct {
	Difference string
	Ticks      []tick
	Low, High  string // the critical difference, drawn from rank 1 on
	Bars       []barView
	Height     int // of the axis with its bars
	Rows       []cdRow
	Spoken     string
}

type barView struct {
	Low, High string
	Y         int
}

// cdRow is a system: the lines that pass through its row, and its own that
// ends there.
type cdRow struct {
	System, MeanRank, At string
	Through              string // a path in a box of 100 by 24
}

// Bounds of what is drawn and listed of a group.
const (
	maxDiagram = 60
	maxListed  = 100
)

func (p *Page) groups() []groupView {
	var list []groupView
	for i := range p.ranking.Overall {
		list = append(list, p.group(&p.ranking.Overall[i]))
	}
	return list
}

func (p *Page) group(o *analyze.GroupRanking) groupView {
	v := groupView{Group: visible(o.Group), Reason: visible(o.Reason), NoValues: texts(o.NoValues)}
	for i, l := range o.LeftOut {
		if i == maxListed {
			break
		}
		v.LeftOut = append(v.LeftOut, analyze.LeftOut{Test: visible(l.Test), Reason: visible(l.Reason)})
	}
	v.LeftOutMore = o.LeftOutCount - len(v.LeftOut)
	if len(o.Systems) == 0 {
		return v
	}
	parts := []string{fmt.Sprintf("over %s of %s that all systems have", phrase.Count(o.Profiles, "profile"), phrase.Count(o.Tests, "test"))}
	if o.W.Known {
		parts = append(parts, "Kendall's W "+number.Significant(o.W.X, 2))
	}
	if o.P.Known {
		parts = append(parts, "Friedman p "+export.PText(o.P))
	}
	v.Summary = strings.Join(parts, "; ")
	v.Ranges = o.Systems[0].Low > 0
	v.Plots = v.Ranges || !o.CriticalDifference.Known
	axis := linear{1, float64(len(o.Systems))}
	v.Ticks = axis.ticks()
	for i := range o.Systems {
		k := &o.Systems[i]
		row := rankRow{
			System: visible(p.set.Systems[k.System].Name), Place: rankText(k.Place, k.Low, k.High),
			MeanRank: strconv.FormatFloat(k.MeanRank, 'f', 2, 64), Letters: k.Letters,
			Plot: mark{At: percent(axis.at(k.MeanRank))},
		}
		if k.Low > 0 {
			row.Plot = mark{At: percent(axis.at(float64(k.Place))), Low: percent(axis.at(float64(k.Low))), High: percent(axis.at(float64(k.High)))}
		}
		v.Letters = v.Letters || k.Letters != ""
		v.Rows = append(v.Rows, row)
	}
	if o.CriticalDifference.Known && len(o.Systems) <= maxDiagram {
		v.CD = p.diagram(o, axis)
	}
	return v
}

// Heights of the parts of a diagram's axis, in pixels.
const (
	cdAxis = 46 // where the axis is
	cdLane = 9
)

func (p *Page) diagram(o *analyze.GroupRanking, axis linear) *cdView {
	cd := o.CriticalDifference.X
	v := &cdView{
		Difference: number.Significant(cd, 3), Ticks: axis.ticks(),
		Low: percent(axis.at(1)), High: percent(axis.at(1 + cd)),
	}
	systems := slices.Clone(o.Systems)
	slices.SortStableFunc(systems, func(a, b analyze.OverallRank) int {
		switch {
		case a.MeanRank < b.MeanRank:
			return -1
		case a.MeanRank > b.MeanRank:
			return 1
		}
		return 0
	})
	ranks := make([]float64, len(systems))
	for i := range systems {
		ranks[i] = systems[i].MeanRank
	}
	y := cdAxis + cdLane
	var joined []string
	for _, c := range stats.Cliques(ranks, cd) {
		v.Bars = append(v.Bars, barView{percent(max(0, axis.at(ranks[c[0]])-0.6)), percent(min(100, axis.at(ranks[c[1]])+0.6)), y})
		var names []string
		for _, k := range systems[c[0] : c[1]+1] {
			names = append(names, p.set.Systems[k.System].Name)
		}
		joined = append(joined, strings.Join(names, ", "))
		y += cdLane
	}
	v.Height = y
	for i, k := range systems {
		row := cdRow{System: visible(p.set.Systems[k.System].Name), MeanRank: strconv.FormatFloat(k.MeanRank, 'f', 2, 64), At: percent(axis.at(k.MeanRank))}
		for _, later := range systems[i+1:] {
			row.Through += "M" + number.Significant(axis.at(later.MeanRank), 4) + " 0V24"
		}
		v.Rows = append(v.Rows, row)
	}
	v.Spoken = "Critical difference " + v.Difference + ". "
	if len(joined) > 0 {
		v.Spoken += "Joined, which do not differ: " + visible(strings.Join(joined, "; ")) + "."
	}
	return v
}

// linear maps ranks to places along an axis, in percent of its length.
type linear struct{ low, high float64 }

func (l linear) at(x float64) float64 {
	const pad = 4
	if l.high <= l.low {
		return 50
	}
	return pad + (100-2*pad)*min(1, max(0, (x-l.low)/(l.high-l.low)))
}

// ticks returns whole ranks, at most about ten.
func (l linear) ticks() []tick {
	step := 1
	for (l.high-l.low)/float64(step) > 10 {
		step++
	}
	var list []tick
	for x := int(l.low); x <= int(l.high); x += step {
		list = append(list, tick{At: percent(l.at(float64(x))), Label: fmt.Sprint(x)})
	}
	return list
}
