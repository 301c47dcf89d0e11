package terminal

import (
	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/internal/term"
	"github.com/benchproof/benchproof/result"
)

// narrowest is the width below which a column of the systems table is too
// thin to read.
const narrowest = 14

// systems prints what the systems are: in a table what sets them apart, and
// once what they share. Where the table has no room, each system gets a
// block.
func (v *view) systems(f *result.File) {
	if len(f.Systems) == 0 {
		return
	}
	shared, differing := export.Properties(f.Systems)
	names := f.SystemNames()
	for i := range names {
		names[i] += v.mark(f.Systems[i].Decode)
	}
	v.line("")
	switch {
	case len(f.Systems) == 1:
		v.paragraph(0, term.Visible(names[0]), bold)
	case (len(differing)+1)*(narrowest+2) <= v.o.Width:
		v.line(v.paint("Systems", bold))
		v.systemsTable(names, differing)
	default:
		v.line(v.paint("Systems", bold))
		v.systemBlocks(names, differing)
	}
	if len(shared) > 0 && len(f.Systems) > 1 {
		v.line("")
		v.line("The same in all systems")
	}
	for _, p := range shared {
		v.paragraph(2, term.Visible(p.Name()+": "+p.Values[0]), plain)
	}
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
