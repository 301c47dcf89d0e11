package html

import (
	"slices"
	"strings"

	"github.com/benchproof/benchproof/result"
)

// settle ties the graphs of a page to its systems and to the rows of its
// overview, and makes the record's tests of them.
func (p *page) settle() {
	if p.systems != nil && p.systems.title != "" {
		title := fold(p.systems.title)
		p.file.Title, _ = p.top.is(func(s string) bool { return fold(s) == title })
	} else {
		p.file.Title = p.top.plain()
	}
	rows := p.summaries()
	for _, g := range p.drafts {
		p.identify(g)
	}
	p.pair(rows)
	colours := p.colours()
	p.file.Tests = make([]result.Test, 0, len(p.drafts))
	for _, g := range p.drafts {
		p.settleGroup(g, colours)
		p.settleValues(g)
		p.settleFailures(g)
		p.file.Tests = append(p.file.Tests, g.test)
	}
	p.drafts = nil
	p.errorRow(rows)
}

// identify ties the bars of a graph to systems by their identifiers. Bars of
// a graph that leaves the group out stay untied and become g.groups'.
func (p *page) identify(g *draft) {
	unknown := 0
	for i := range g.bars {
		b := &g.bars[i]
		g.test.Measurements[i].System = p.lookup(b)
		if g.test.Measurements[i].System < 0 {
			unknown++
		}
	}
	if unknown > 0 && unknown == len(g.bars) && (g.kind == barGraph || g.kind == boxPlot) {
		if g.groups = p.candidates(g); len(g.groups) > 0 {
			return
		}
	}
	if grow := len(p.file.Systems) + len(g.bars) - len(p.met); grow > 0 {
		p.met = append(p.met, make([]int, grow)...)
	}
	p.graph++
	twice := false
	var nth map[string]int // bars met of a name that several systems have
	for i := range g.bars {
		b, m := &g.bars[i], &g.test.Measurements[i]
		if b.label == "" {
			continue
		}
		if m.System < 0 {
			name := b.name()
			if m.System = p.names.find(name); m.System < 0 {
				m.System = p.names.add(name, m.Origin)
				p.info(m.Origin.Offset, "unknown-system", "the systems table does not have %q", clip(name))
			}
		}
		name := p.file.Systems[m.System].Identifier
		if !p.names.several(name) {
			twice = twice || p.met[m.System] == p.graph
			p.met[m.System] = p.graph
			continue
		}
		if s := p.names.nth(name, nth[name]); s >= 0 {
			m.System = s
		}
		if nth == nil {
			nth = make(map[string]int)
		}
		nth[name]++
	}
	if twice {
		p.warn(g.off, "duplicate-bar", "the graph of %q shows a system twice", clip(g.test.Title))
		for i := range g.test.Measurements {
			g.test.Measurements[i].Decode = max(g.test.Measurements[i].Decode, result.DecodeInferred)
		}
	}
	if nth == nil {
		return
	}
	// Where fewer bars than systems have a name, whose they are is not known.
	for i := range g.test.Measurements {
		m := &g.test.Measurements[i]
		if m.System < 0 {
			continue
		}
		name := p.file.Systems[m.System].Identifier
		n, ok := nth[name]
		if systems := len(p.names.more[name]); ok && n != systems {
			m.Decode = max(m.Decode, result.DecodeInferred)
			p.warn(m.Origin.Offset, "duplicate-identifier", "%d systems are called %q, the graph shows %d of them", systems, clip(name), n)
		}
	}
}

// name returns the full identifier of a bar.
func (b *bar) name() string {
	if b.group == "" {
		return b.label
	}
	return b.group + ": " + b.label
}

// lookup returns the system of a bar, or -1. The parts of a label around
// " - " may stand in either order, as may group and label.
func (p *page) lookup(b *bar) int {
	if b.label == "" {
		return -1
	}
	if s := p.names.find(b.name()); s >= 0 || b.group == "" {
		return s
	}
	turned := b.label
	if parts := strings.Split(b.label, " - "); len(parts) > 1 {
		slices.Reverse(parts)
		turned = strings.Join(parts, " - ")
	}
	for _, name := range [...]string{
		b.group + ": " + turned, b.group + ":" + b.label, b.label + ": " + b.group, turned + ": " + b.group,
	} {
		if s := p.names.find(name); s >= 0 {
			return s
		}
	}
	return -1
}

// candidates returns the groups that have a system for every bar's label.
func (p *page) candidates(g *draft) []string {
	const most = 64
	if p.groups == nil {
		p.groups = make(map[string][]string)
		for i := range p.file.Systems {
			if group, label, ok := strings.Cut(p.file.Systems[i].Identifier, ": "); ok {
				p.groups[label] = append(p.groups[label], group)
			}
		}
	}
	groups := p.groups[g.bars[0].label]
	if len(groups) > most {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(groups), func(group string) bool {
		for i := range g.bars {
			if p.names.find(group+": "+g.bars[i].label) < 0 {
				return true
			}
		}
		return false
	})
}

// colours returns the groups by the fill that legends give them.
func (p *page) colours() map[string]string {
	colours := make(map[string]string)
	for _, g := range p.drafts {
		for i := range g.bars {
			b := &g.bars[i]
			if b.group == "" {
				continue
			}
			if other, ok := colours[b.fill]; ok && other != b.group {
				colours[b.fill] = "" // two groups share it
			} else {
				colours[b.fill] = b.group
			}
		}
	}
	return colours
}

// settleGroup ties the bars of a graph that shows one group, which it does
// not name: by the overview, by the group's colour in other graphs, or, and
// then as inferred, because one group alone has all the labels.
func (p *page) settleGroup(g *draft, colours map[string]string) {
	if len(g.groups) == 0 {
		return
	}
	fill := g.bars[0].fill
	for i := range g.bars {
		if g.bars[i].fill != fill {
			fill = ""
		}
	}
	left := g.groups
	sure := g.paired
	if colour := colours[fill]; colour != "" {
		left = slices.DeleteFunc(slices.Clone(left), func(group string) bool { return group != colour })
		sure = true
	}
	if len(left) != 1 {
		p.warn(g.off, "unknown-group", "the graph of %q does not say which group it shows: %q", clip(g.test.Title), g.groups)
		p.leaveGroup(g)
		return
	}
	for i := range g.bars {
		m := &g.test.Measurements[i]
		m.System = p.names.find(left[0] + ": " + g.bars[i].label)
		if !sure {
			m.Decode = max(m.Decode, result.DecodeInferred)
		}
	}
}

// leaveGroup gives the bars of a graph of an unknown group systems of their
// own, whose names are what is printed, and calls the values ambiguous.
func (p *page) leaveGroup(g *draft) {
	for i := range g.bars {
		m := &g.test.Measurements[i]
		label := g.bars[i].label
		if m.System = p.names.find(label); m.System < 0 {
			m.System = p.names.add(label, m.Origin)
			p.file.Systems[m.System].Decode = result.DecodeAmbiguous
		}
		if m.Value != "" {
			m.Alternatives = append(m.Alternatives, m.Value)
			m.Value, m.Decode = "", result.DecodeAmbiguous
		}
	}
}

// settleValues drops the bars that are nobody's or have no value.
func (p *page) settleValues(g *draft) {
	t := &g.test
	kept := t.Measurements[:0]
	for i := range t.Measurements {
		m := &t.Measurements[i]
		switch {
		case m.System < 0:
			values := strings.Join(append(m.Alternatives, m.Value), " ")
			p.warn(g.off, "unknown-bar", "a bar of %q has no identifier, its value was left out: %q", clip(t.Title), values)
		case m.Value == "" && m.Decode != result.DecodeAmbiguous:
			name := p.file.Systems[m.System].Identifier
			p.info(g.off, "value-missing", "the graph prints no value for %q: 0, or none", clip(name))
			if m.StdError != "" {
				t.Unassigned = append(t.Unassigned, result.Unassigned{
					StdError: m.StdError, Samples: m.Samples, Systems: []int{m.System}, Origin: t.Origin,
				})
			}
		default:
			m.Decode = max(m.Decode, p.file.Systems[m.System].Decode)
			kept = append(kept, *m)
		}
	}
	t.Measurements = kept
	if g.kind == lineGraph && len(g.axis) > 0 && len(kept) == 0 {
		for _, l := range g.lines {
			p.warn(l.off, "values-not-printed", "the line graph of %q prints no values: %s has minimum %s, average %s, maximum %s",
				clip(t.Title), clip(l.label), l.low, l.average, l.high)
		}
	}
}

// settleFailures reads what stands below a graph: "SYSTEM: reason" is a
// failed run, all else an annotation.
func (p *page) settleFailures(g *draft) {
	if len(g.failed) == 0 {
		return
	}
	known := make(map[int]bool, len(g.test.Measurements))
	for i := range g.test.Measurements {
		known[g.test.Measurements[i].System] = true
	}
	for _, f := range g.failed {
		s, n := p.names.prefix(f.text)
		if s < 0 {
			if g.test.Annotation != "" {
				g.test.Annotation += "\n"
			}
			g.test.Annotation += f.text
			continue
		}
		m := result.Measurement{
			System: s, Status: result.StatusFailed, Reason: f.text[n:], Origin: p.origin(f.off, "html/error"),
		}
		if known[s] {
			p.warn(f.off, "error-with-value", "%q has a value and an error: %s", clip(p.file.Systems[s].Identifier), clip(m.Reason))
			continue
		}
		known[s] = true
		g.test.Measurements = append(g.test.Measurements, m)
	}
}
