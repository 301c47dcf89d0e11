package terminal

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/internal/term"
	"github.com/benchproof/benchproof/result"
)

// narrowest is the width below which a column of the systems table is too
// thin to read.
const narrowest = 14

// longValue is the length from which a value that all systems share is shown
// only where all of it is asked for: how a compiler was built, say.
const longValue = 160

// systems prints what the systems are: in a table what sets them apart, and
// once what they share. Where the table has no room, each system gets a
// block.
func (v *view) systems(f *result.File) {
	if len(f.Systems) == 0 {
		return
	}
	shared, differing := export.Properties(f.Systems)
	long := false
	if len(f.Systems) > 1 {
		differing, long = v.shortened(differing)
	}
	names := f.SystemNames()
	for i := range names {
		names[i] += v.mark(f.Systems[i].Decode)
	}
	v.line("")
	switch {
	case len(f.Systems) == 1:
		v.paragraph(0, term.Visible(names[0]), bold)
	case v.o.Brief:
		v.line(v.paint("Systems", bold))
		v.systemsBrief(names, differing)
	case (len(differing)+1)*(narrowest+2) <= v.o.Width:
		v.line(v.paint("Systems", bold))
		v.systemsTable(names, differing)
	default:
		v.line(v.paint("Systems", bold))
		v.systemBlocks(names, differing)
	}
	if long && !v.o.Brief {
		v.paragraph(2, "values over "+strconv.Itoa(longValue)+" characters are cut; --verbose shows them whole", dim)
	}
	v.explain()
	if v.o.Brief {
		return
	}
	if len(shared) > 0 && len(f.Systems) > 1 {
		v.line("")
		v.line("The same in all systems")
	}
	for _, p := range shared {
		text := p.Name() + ": " + p.Values[0]
		if n := term.Width(term.Visible(p.Values[0])); n > longValue && !v.o.Long {
			text = fmt.Sprintf("%s: %s, which --verbose shows", p.Name(), phrase.Count(n, "character"))
		}
		v.paragraph(2, term.Visible(text), plain)
	}
}

// shortened returns properties with long values cut, unless all of them is
// asked for, and whether there were any.
func (v *view) shortened(properties []export.Property) (short []export.Property, cut bool) {
	if v.o.Long {
		return properties, false
	}
	mark := "…"
	if v.o.ASCII {
		mark = "..."
	}
	short = slices.Clone(properties)
	for i := range short {
		short[i].Values = slices.Clone(short[i].Values)
		for j, value := range short[i].Values {
			if value = term.Visible(value); term.Width(value) > longValue {
				short[i].Values[j] = term.Cut(value, longValue, mark)
				cut = true
			}
		}
	}
	return short, cut
}

// Widths of the brief table.
const (
	briefName  = 30
	briefValue = 30 // no more than names: the table narrows its widest column first
)

// systemsBrief prints a line a system: its name, and of the properties in
// which systems differ those that tell most of them apart, as many as a line
// has room for. What is left out is named.
func (v *view) systemsBrief(names []string, properties []export.Property) {
	mark := "…"
	if v.o.ASCII {
		mark = "..."
	}
	name := term.Width("system")
	for _, n := range names {
		name = max(name, min(term.Width(term.Visible(n)), briefName))
	}
	room := v.o.Width - 2 - name
	order := make([]int, len(properties))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return distinct(properties[b].Values) - distinct(properties[a].Values)
	})
	shown := make([]bool, len(properties))
	for _, i := range order {
		if need := 2 + briefWidth(&properties[i]); need <= room {
			room -= need
			shown[i] = true
		}
	}
	t := term.Table{Header: []string{"system"}, Width: v.o.Width, Indent: 2, ASCII: v.o.ASCII}
	var left []string
	for i := range properties {
		if shown[i] {
			t.Header = append(t.Header, properties[i].Name())
		} else {
			left = append(left, properties[i].Name())
		}
	}
	for i, n := range names {
		row := []string{n}
		for j := range properties {
			if shown[j] {
				row = append(row, term.Cut(term.Visible(properties[j].Values[i]), briefValue, mark))
			}
		}
		t.Add(row...)
	}
	// Errors of the buffered writer come back from its Flush.
	_, _ = t.WriteTo(v.w)
	if len(left) > 0 {
		v.paragraph(2, term.Visible("also different: "+strings.Join(left, ", ")+"; --verbose shows all"), dim)
	}
}

func distinct(values []string) int {
	seen := make(map[string]bool, len(values))
	for _, v := range values {
		seen[v] = true
	}
	return len(seen)
}

// briefWidth is what a column of the brief table takes.
func briefWidth(p *export.Property) int {
	n := term.Width(term.Visible(p.Name()))
	for _, value := range p.Values {
		n = max(n, min(term.Width(term.Visible(value)), briefValue))
	}
	return n
}

func (v *view) systemsTable(names []string, properties []export.Property) {
	t := term.Table{Header: []string{"system"}, Width: v.o.Width, Indent: 2, ASCII: v.o.ASCII}
	for i := range properties {
		t.Header = append(t.Header, properties[i].Name())
	}
	for i, name := range names {
		row := []string{name}
		for _, p := range properties {
			row = append(row, p.Values[i])
		}
		t.Add(row...)
	}
	// Errors of the buffered writer come back from its Flush.
	_, _ = t.WriteTo(v.w)
}

// systemBlocks prints a block a system. One that has more in common with the
// system before it than not names only what is different.
func (v *view) systemBlocks(names []string, properties []export.Property) {
	for i, name := range names {
		changed := 0
		for _, p := range properties {
			if i > 0 && p.Values[i] != p.Values[i-1] {
				changed++
			}
		}
		brief := i > 0 && changed*2 <= len(properties)
		switch {
		case brief && changed == 0:
			name += ": as the one before"
		case brief:
			name += ": as the one before, but"
		}
		v.paragraph(2, term.Visible(name), plain)
		for _, p := range properties {
			value := p.Values[i]
			switch {
			case brief && value == p.Values[i-1], !brief && value == "":
				continue
			case value == "":
				value = "none"
			}
			v.paragraph(4, term.Visible(p.Name()+": "+value), dim)
		}
	}
}
