package analyze

import (
	"github.com/benchproof/benchproof/analyze/stats"
	"github.com/benchproof/benchproof/result"
)

// lead is the best configuration on a host, with the test of it against the next.
type lead struct {
	wins          *ConfigurationWins
	p, adjusted   Quantity
	configuration string
}

// wins counts on how many hosts which configuration is best.
func (a *HostAnalysis) wins() {
	if len(a.Configurations) < 2 {
		return
	}
	var leads []*lead
	for i := range a.Set.Tests {
		t := &a.Set.Tests[i]
		w := HostWins{Test: t}
		for _, c := range a.Configurations {
			w.Configurations = append(w.Configurations, ConfigurationWins{Configuration: c})
		}
		if t.Proportion == result.ProportionUnknown {
			w.Reason = "it is not known whether more or less is better"
		} else {
			for _, h := range a.Hosts {
				if l := a.lead(&w, h); l != nil {
					leads = append(leads, l)
				}
			}
			if w.Hosts == 0 {
				continue
			}
		}
		a.Wins = append(a.Wins, w)
	}
	var from, to []*Quantity
	for _, l := range leads {
		if l.p.Known {
			from, to = append(from, &l.p), append(to, &l.adjusted)
		}
	}
	holm(from, to)
	for _, l := range leads {
		if l.adjusted.Known && l.adjusted.X <= Alpha {
			l.wins.Clear++
		}
	}
}

// lead counts a host in w, and returns its best configuration; nil where it has
// none, or two that are as good.
func (a *HostAnalysis) lead(w *HostWins, host string) *lead {
	var best, next *Cell
	name := ""
	better := func(x, y *Cell) bool {
		if w.Test.Proportion == result.LIB {
			x, y = y, x
		}
		return x.Figures.Mean > y.Figures.Mean
	}
	for i := range w.Test.Cells {
		c := &w.Test.Cells[i]
		h, configuration := hostOf(a.Set.Systems[c.System].System)
		switch {
		case h != host || !c.usable():
		case best == nil || better(c, best):
			best, next, name = c, best, configuration
		case next == nil || better(c, next):
			next = c
		}
	}
	if next == nil {
		return nil
	}
	w.Hosts++
	if best.Figures.Mean == next.Figures.Mean {
		w.Ties++
		return nil
	}
	for i := range w.Configurations {
		if c := &w.Configurations[i]; c.Configuration == name {
			c.Wins++
			l := &lead{wins: c, configuration: name}
			if best.Tested() && next.Tested() {
				// It must hold for all that rounding allows.
				if p, err := stats.RoundedRatioTest(best.Figures, next.Figures); err == nil {
					l.p = known(p.Max)
				}
			}
			return l
		}
	}
	return nil
}
