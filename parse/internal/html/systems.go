package html

import (
	"slices"
	"strings"

	"github.com/benchproof/benchproof/parse/internal/vocab"
	"github.com/benchproof/benchproof/result"
)

// maxKeys bounds the rows of a systems table that are read, and the notes
// that hold for all systems: each is stored once a system.
const maxKeys = 100

// addSystems makes the systems of a page of its systems table.
func (p *page) addSystems(t *table) {
	base := len(p.file.Systems)
	p.file.Systems = slices.Grow(p.file.Systems, len(t.columns))
	for i := range t.columns {
		c := &t.columns[i]
		s := p.names.add(c.name, p.origin(c.off, "html/systems-table"))
		if c.part {
			p.file.Systems[s].Decode = result.DecodeInferred
		}
	}
	if len(t.rows) > maxKeys {
		p.warn(t.rows[maxKeys].off, "too-many-components", "the systems table has more than 100 rows, the rest was left out")
		t.rows = t.rows[:maxKeys]
	}
	own := make([][]component, len(t.columns))
	for i := range own {
		own[i] = make([]component, 0, len(t.rows))
	}
	taken := make([]int, len(t.columns)) // the last row with a cell in each column
	for r := range t.rows {
		for i := range t.rows[r].cells {
			c := &t.rows[r].cells[i]
			if taken[c.first] > r {
				p.warn(c.off, "unplaced-text", "a second text stands in a cell of the systems table and was left out: %q", clip(c.text))
				continue
			}
			for k := c.first; k <= c.last && taken[k] <= r; k++ {
				taken[k] = r + 1
				own[k] = append(own[k], component{row: r, cell: c})
			}
		}
	}
	keys := make([]key, len(t.rows))
	for r := range keys {
		keys[r] = newKey(t.rows[r].name)
	}
	o := order{keys: keys, place: make([]int, len(keys))}
	for i := range own {
		o.put(own[i], i)
		setComponents(&p.file.Systems[base+i], keys, own[i], i)
	}
	p.addNotes(t)
}

// key is the name of a row of the systems table.
type key struct {
	name string
	kind vocab.Kind // Unknown too for one that has been either
	turn int        // its turn among those that the suite writes, or -1
}

func newKey(name string) key {
	k := key{name: name, kind: vocab.KeyKind(name), turn: slices.Index(usual, name)}
	if name == "Screen Resolution" {
		k.kind = vocab.Unknown
	}
	return k
}

// component is a cell of the systems table in one of its columns.
type component struct {
	row  int
	cell *cell
	rank int
}

// order puts the components of one column after the other in their published
// order. The cells that begin in a column stand in the drawing in that
// system's own order; those that reach in from the column before have that
// column's. A component that the column before lacks stands where the suite
// has it.
type order struct {
	keys   []key
	before []component
	place  []int // by row: the turn in before, counted from 1; 0 if not there
}

func (o *order) put(list []component, i int) {
	for k := range o.place {
		o.place[k] = 0
	}
	for k := range o.before {
		o.place[o.before[k].row] = k + 1
	}
	slices.SortFunc(list, func(a, b component) int { return a.cell.order - b.cell.order })
	rank := 0
	for k := range list {
		c := &list[k]
		at := 2 * o.place[c.row]
		if c.cell.first < i {
			c.rank = at + 1 // behind an own one of the same rank
			continue
		}
		if at == 0 {
			at = o.among(o.keys[c.row].turn)
		}
		rank = max(rank, at)
		c.rank = rank
	}
	slices.SortStableFunc(list, func(a, b component) int { return a.rank - b.rank })
	o.before = list
}

// usual is the order in which the suite writes components, hardware first.
var usual = []string{
	"Processor", "Motherboard", "Chipset", "Memory", "Disk", "Graphics", "Audio", "Monitor", "Network",
	"OS", "Kernel", "Desktop", "Display Server", "Display Driver", "OpenGL", "OpenCL", "Vulkan", "Compiler",
	"File-System", "Screen Resolution", "System Layer",
}

// among returns a rank behind the last component of before that the suite
// writes before the one of that turn, and 0 for one that it does not write.
func (o *order) among(turn int) int {
	for k := len(o.before) - 1; k >= 0; k-- {
		if at := o.keys[o.before[k].row].turn; at >= 0 && at < turn {
			return 2*(k+1) + 1
		}
	}
	return 0
}

// setComponents divides the components of column i into hardware and
// software. The published software begins with OS; a key that may be either
// or is not known is what its neighbours are.
func setComponents(s *result.System, keys []key, list []component, i int) {
	all := make([]result.Component, 0, len(list))
	hardware, inherited := 0, 0
	for _, turn := range [...]vocab.Kind{vocab.Hardware, vocab.Software} {
		place := vocab.Hardware
		for _, c := range list {
			k := &keys[c.row]
			if k.name == "OS" {
				place = vocab.Software
			}
			if k.kind == turn || k.kind == vocab.Unknown && place == turn {
				all = append(all, result.Component{Key: k.name, Value: c.cell.text})
				if c.cell.first < i {
					inherited++
				}
			}
		}
		if turn == vocab.Hardware {
			hardware = len(all)
		}
	}
	s.Hardware, s.Software = all[:hardware:hardware], all[hardware:]
	if inherited == 0 {
		return
	}
	s.InheritedKeys = make([]string, 0, inherited)
	for _, c := range list {
		if c.cell.first < i {
			s.InheritedKeys = append(s.InheritedKeys, keys[c.row].name)
		}
	}
}

// addNotes reads what stands below the systems table: bold keys, and below
// each a line for all systems or lines that begin with a system's name. A
// page of one system may leave the keys out.
func (p *page) addNotes(t *table) {
	key, shared := "", 0
	for i := range t.below {
		l := &t.below[i]
		switch {
		case isMark(l.text):
		case l.bold:
			key = strings.TrimSuffix(l.text, " Details")
		case strings.HasPrefix(l.text, "- "):
			text := l.text[2:]
			s, n := p.names.prefix(text)
			if s >= 0 {
				p.addNote(s, key, text[n:])
				continue
			}
			if shared++; shared > maxKeys {
				p.warn(l.off, "too-many-notes", "more than 100 notes hold for all systems, the rest was left out")
				return
			}
			for s := range p.file.Systems {
				p.addNote(s, key, text)
			}
		default:
			p.unplaced(l)
		}
	}
}

func (p *page) addNote(system int, key, text string) {
	s := &p.file.Systems[system]
	s.Notes = append(s.Notes, result.Component{Key: key, Value: text})
}
