package html

import (
	"slices"
	"strings"

	"github.com/benchproof/benchproof/result"
)

// pairing compares the overview's rows with the graphs.
type pairing struct {
	*page
	// bars has the bar of each system of the draft that mark has marked.
	bars   []int
	marked []int
	turn   int
	budget int // figures that may still be compared
}

// pair ties rows of the overview to graphs. Rows and graphs stand in the same
// order and both name their profile; where as many rows as graphs have one,
// they belong together in turn, and otherwise a row belongs to the graph
// whose values it has, if there is one alone. Either way all must agree: the
// label with the arguments, and every number with the one that the graph
// prints.
func (p *page) pair(rows []summary) {
	if len(rows) == 0 {
		return
	}
	n := len(p.file.Systems)
	w := pairing{page: p, bars: make([]int, n), marked: make([]int, n), budget: 1 << 22}
	graphs := make(map[string][]*draft)
	var all []*draft
	for _, g := range p.drafts {
		if g.kind == barGraph || g.kind == lineGraph {
			graphs[g.profile] = append(graphs[g.profile], g)
			all = append(all, g)
		}
	}
	byProfile := make(map[string][]*summary)
	var profiles []string
	for i := range rows {
		s := &rows[i]
		if byProfile[s.profile] == nil {
			profiles = append(profiles, s.profile)
		}
		byProfile[s.profile] = append(byProfile[s.profile], s)
	}
	for _, profile := range profiles {
		list := graphs[profile]
		switch {
		case len(list) > 0:
		case profile == "":
			list = all // only the rows do not say
		default:
			list = graphs[""] // only the graphs do not say
		}
		w.pairAll(byProfile[profile], list)
	}
}

// pairAll pairs the rows and graphs of one profile.
func (w *pairing) pairAll(rows []*summary, graphs []*draft) {
	if len(rows) == len(graphs) {
		for i, s := range rows {
			if g := graphs[i]; w.fits(s, g, true) {
				w.apply(s, g)
			} else {
				w.unpaired(s)
				w.doubt(s, g)
			}
		}
		return
	}
	var lost []*summary
	for _, s := range rows {
		var found *draft
		several := false
		for _, g := range graphs {
			if !g.paired && w.fits(s, g, false) {
				several = found != nil
				found = g
			}
			if several || w.budget < 0 {
				break
			}
		}
		if found == nil || several || w.budget < 0 {
			lost = append(lost, s)
			continue
		}
		w.apply(s, found)
	}
	for _, s := range lost {
		w.unpaired(s)
		for _, g := range graphs {
			if w.budget < 0 {
				break
			}
			if !g.paired {
				w.doubt(s, g)
			}
		}
	}
}

// doubt makes the values of a graph inferred that a row of the overview
// contradicts, which is or may be the graph's own.
func (w *pairing) doubt(s *summary, g *draft) {
	w.budget -= len(s.cells) + len(g.bars) + (len(s.label)+len(g.test.Arguments))/8 + 1
	if !shortened(s.label, g.test.Arguments) {
		return
	}
	if len(g.groups) > 0 || g.kind == lineGraph {
		// Which value is which figure's is not known.
		for i := range g.test.Measurements {
			m := &g.test.Measurements[i]
			m.Decode = max(m.Decode, result.DecodeInferred)
		}
		return
	}
	w.mark(g, "")
	for _, c := range s.cells {
		i := w.bar(c.system)
		if i < 0 || g.bars[i].empty {
			continue
		}
		if m := &g.test.Measurements[i]; !agrees(c.text, m.Value) {
			m.Decode = max(m.Decode, result.DecodeInferred)
			w.warn(m.Origin.Offset, "overview-mismatch", "the graph prints %s for %q, the overview %s",
				clip(m.Value), clip(w.file.Systems[c.system].Identifier), clip(c.text))
		}
	}
}

func (w *pairing) unpaired(s *summary) {
	var values []string
	for i := range s.cells {
		if i == 4 {
			values = append(values, "…")
			break
		}
		values = append(values, s.cells[i].text)
	}
	w.warn(s.row.off, "overview-mismatch", "no one graph shows the values of the overview's row %q: %s", clip(s.row.name), strings.Join(values, ", "))
}

// fits reports whether a row is that of a graph. Where their turn says that
// they belong together the row may have values that the graph leaves out.
func (w *pairing) fits(s *summary, g *draft, turn bool) bool {
	w.budget -= (len(s.cells)+len(g.bars))*max(len(g.groups), len(g.lines), 1) + (len(s.label)+len(g.test.Arguments))/8 + 1
	if w.budget < 0 {
		return false
	}
	if !shortened(s.label, g.test.Arguments) {
		return false
	}
	if g.kind == lineGraph {
		return w.fitsLines(s, g)
	}
	if len(g.groups) == 0 {
		return w.fitsBars(s, g, "", turn)
	}
	return slices.ContainsFunc(g.groups, func(group string) bool { return w.fitsBars(s, g, group, false) })
}

// mark notes the bar of each system.
func (w *pairing) mark(g *draft, group string) {
	w.turn++
	for i := range g.bars {
		k := g.test.Measurements[i].System
		if group != "" {
			k = w.names.find(group + ": " + g.bars[i].label)
		}
		if k >= 0 && k < len(w.marked) {
			w.bars[k], w.marked[k] = i, w.turn
		}
	}
}

// bar returns the bar of a system that mark has marked, or -1.
func (w *pairing) bar(system int) int {
	if w.marked[system] != w.turn {
		return -1
	}
	return w.bars[system]
}

// fitsBars reports whether the figures of a row are what the graph prints
// for their systems, and the graph prints no more. With more set the row may
// have figures that the graph has not, and the graph a bar without an
// identifier, which is then one of those figures'.
func (w *pairing) fitsBars(s *summary, g *draft, group string, more bool) bool {
	w.mark(g, group)
	agreed, extra := 0, 0
	for _, c := range s.cells {
		i := w.bar(c.system)
		switch {
		case i < 0:
			extra++
		case g.bars[i].empty:
			if v, _ := result.ParseNumber(c.text); v != 0 {
				return false
			}
		case agrees(c.text, g.test.Measurements[i].Value):
			agreed++
		default:
			return false
		}
	}
	printed, nameless := 0, -1
	for i := range g.bars {
		if g.bars[i].empty {
			continue
		}
		printed++
		if g.test.Measurements[i].System < 0 && group == "" {
			nameless = i
		}
	}
	if !more {
		return extra == 0 && agreed == printed
	}
	if nameless >= 0 && agreed == printed-1 {
		return w.owner(s, g, nameless) >= 0
	}
	return agreed == printed && agreed > 0
}

// owner returns the system of the one figure that has no bar, for a bar that
// has no identifier and prints that figure; -1 where it is not the only one.
func (w *pairing) owner(s *summary, g *draft, bar int) int {
	system := -1
	for _, c := range s.cells {
		if w.bar(c.system) >= 0 {
			continue
		}
		if system >= 0 || !agrees(c.text, g.test.Measurements[bar].Value) {
			return -1
		}
		system = c.system
	}
	return system
}

// fitsLines reports whether a row's figures are the points of a line graph:
// their least and greatest are what its legend prints for each group, or for
// its only line.
func (w *pairing) fitsLines(s *summary, g *draft) bool {
	if len(g.axis) == 0 || len(g.lines) == 0 {
		return false
	}
	for _, l := range g.lines {
		low, high := "", ""
		for _, c := range s.cells {
			if len(g.lines) > 1 && !strings.HasPrefix(w.file.Systems[c.system].Identifier, l.label+":") {
				continue
			}
			v, _ := result.ParseNumber(c.text)
			if a, _ := result.ParseNumber(low); low == "" || v < a {
				low = c.text
			}
			if a, _ := result.ParseNumber(high); high == "" || v > a {
				high = c.text
			}
		}
		if !agrees(low, l.low) || !agrees(high, l.high) {
			return false
		}
	}
	return true
}

// apply takes from a row what its graph does not tell.
func (w *pairing) apply(s *summary, g *draft) {
	g.paired = true
	if s.version != "" {
		g.test.Profile = s.profile + "-" + s.version
	}
	if g.kind == lineGraph {
		for _, c := range s.cells {
			g.test.Measurements = append(g.test.Measurements, result.Measurement{
				System: c.system, Value: c.text, Origin: w.origin(c.off, "html/overview"),
			})
		}
		return
	}
	group := ""
	if len(g.groups) > 0 {
		g.groups = slices.DeleteFunc(g.groups, func(group string) bool { return !w.fitsBars(s, g, group, false) })
		if len(g.groups) != 1 {
			return
		}
		group = g.groups[0]
	}
	w.mark(g, group)
	for i := range g.bars {
		m := &g.test.Measurements[i]
		if m.System >= 0 || group != "" {
			continue
		}
		if m.System = w.owner(s, g, i); m.System >= 0 {
			m.Decode = result.DecodeInferred
			w.info(m.Origin.Offset, "identifier-missing", "the graph prints no identifier for %s, the overview has it for %q",
				m.Value, clip(w.file.Systems[m.System].Identifier))
			w.mark(g, "")
		}
	}
	for _, c := range s.cells {
		i := w.bar(c.system)
		if i < 0 {
			w.info(c.off, "value-not-drawn", "the overview has %s for %q, the graph shows no bar", c.text, clip(w.file.Systems[c.system].Identifier))
			g.test.Measurements = append(g.test.Measurements, result.Measurement{
				System: c.system, Value: c.text, Origin: w.origin(c.off, "html/overview"),
			})
			continue
		}
		m := &g.test.Measurements[i]
		switch {
		case g.bars[i].empty:
			g.bars[i].empty = false
			m.Value = c.text
			m.Origin = w.origin(c.off, "html/overview")
		case !sameNumber(c.text, m.Value):
			m.Precise = c.text
		}
	}
}
