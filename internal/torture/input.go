package torture

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Damage says what is known of an input beside its bytes.
type Damage int

// What is known of an input.
const (
	// Unknown: nothing is known of what a reader should find.
	Unknown Damage = iota
	// Cut: it is the beginning of its seed. What it lacks must be said, unless
	// what is there is whole, and it must hold no figure that the seed lacks.
	Cut
	// Lost: one figure of a system and test that keep others was emptied or
	// taken out. There must be one less, and a word about it.
	Lost
)

// Input is one broken input.
type Input struct {
	Index uint64
	Kind  string // how it was made
	Seed  string // the name of its seed, "" where it has none
	Name  string // what its file is to be called, without a folder
	Data  []byte
	Damage
	// Heavy is set where size is the point of it: a bomb, or a result of very
	// many systems. It should not go through every command.
	Heavy bool
}

// Generator makes inputs.
type Generator struct {
	// Seed is the number that all inputs follow from.
	Seed uint64
	// Seeds are the sound files, at least one.
	Seeds []Seed
	// Xz and Zstd compress; nil leaves bombs of those forms out.
	Xz, Zstd func([]byte) []byte

	cuts []cutSeed
}

// kind is a way to make an input.
type kind struct {
	name   string
	weight int
	make   func(*maker) bool // false: not with that seed
}

// kinds are all ways but the enumerated cuts. Weights are out of their sum.
var kinds = []kind{
	{"cut", 40, (*maker).cut},
	{"flip", 60, (*maker).flip},
	{"blocks", 60, (*maker).blocks},
	{"lines", 60, (*maker).lines},
	{"number", 120, (*maker).number},
	{"text", 150, (*maker).text},
	{"raw-text", 50, (*maker).rawText},
	{"encoding", 60, (*maker).encoding},
	{"splice", 50, (*maker).splice},
	{"lost", 60, (*maker).lost},
	{"tree", 90, (*maker).tree},
	{"duplicate", 50, (*maker).duplicate},
	{"entities", 15, (*maker).entities},
	{"nest", 15, (*maker).nest},
	{"long", 12, (*maker).long},
	{"compressed", 30, (*maker).compressed},
	{"foreign", 25, (*maker).foreign},
	{"random", 20, (*maker).random},
}

// heavy are the ways to make inputs whose size is the point of them.
var heavy = []kind{{"bomb", 1, (*maker).bomb}, {"big", 1, (*maker).big}}

// kindNames returns the names of the ways in which inputs are made.
func kindNames() []string {
	list := []string{"cut-each"}
	for _, k := range append(slices.Clone(kinds), heavy...) {
		list = append(list, k.name)
	}
	return list
}

// maker is one input in the making.
type maker struct {
	*rand.Rand
	g    *Generator
	seed Seed
	in   Input
}

// How often an input is one of the enumerated cuts, and how often a heavy one.
const (
	cutEvery   = 8
	heavyEvery = 1500
)

// Input returns input i. It is the same for the same Seed, Seeds and i.
func (g *Generator) Input(i uint64) Input {
	if len(g.Seeds) == 0 {
		return Input{Index: i, Kind: "empty", Name: "empty"}
	}
	if g.cuts == nil {
		g.cuts = cutsOf(g.Seeds)
	}
	m := &maker{Rand: rand.New(rand.NewPCG(g.Seed, i)), g: g}
	m.in.Index = i
	if i%cutEvery == 0 && len(g.cuts) > 0 {
		m.cutEach(i / cutEvery)
		m.name()
		return m.in
	}
	chosen := m.kind()
	if i%heavyEvery == heavyEvery-1 {
		chosen = heavy[i/heavyEvery%2]
	}
	for try := 0; ; try++ {
		m.seed = m.anySeed()
		if chosen.make(m) {
			m.in.Kind = chosen.name
			break
		}
		if try == 50 {
			m.flip()
			m.in.Kind = "flip"
			break
		}
	}
	m.name()
	return m.in
}

// kind chooses a way by its weight.
func (m *maker) kind() kind {
	sum := 0
	for _, k := range kinds {
		sum += k.weight
	}
	at := m.IntN(sum)
	for _, k := range kinds {
		if at -= k.weight; at < 0 {
			return k
		}
	}
	return kinds[0]
}

// anySeed returns a seed, the smallest of some, but now and then any: what goes
// wrong does so in small ones too, and many of them can be tried.
func (m *maker) anySeed() Seed {
	best := pick(m, m.g.Seeds)
	if m.IntN(12) == 0 {
		return best
	}
	for range 7 {
		if s := pick(m, m.g.Seeds); len(s.Data) < len(best.Data) {
			best = s
		}
	}
	return best
}

// seedOf returns a seed of a form, as it is if there is none.
func (m *maker) seedOf(form string) bool {
	for range 50 {
		if s := m.anySeed(); s.Form == form {
			m.seed = s
			return true
		}
	}
	return false
}

// set keeps data as what was made of the seed.
func (m *maker) set(data []byte) bool {
	m.in.Data, m.in.Seed = data, m.seed.Name
	return true
}

// name gives the input's file a name: mostly one that says what it is.
func (m *maker) name() {
	ending := map[string]string{"xml": ".xml", "html": ".html", "json": ".json", "csv": ".csv"}[m.seed.Form]
	if ending == "" {
		ending = ".txt"
	}
	m.in.Name = fmt.Sprintf("in%d%s", m.in.Index, ending)
	if m.IntN(12) == 0 {
		m.in.Name = pick(m, fileNames)
	}
}

func pick[T any](m *maker, list []T) T { return list[m.IntN(len(list))] }

// hostileText returns a text to put in the place of another, mostly short.
func (m *maker) hostileText() string {
	switch m.IntN(40) {
	case 0:
		return pick(m, longTexts)
	case 1, 2, 3:
		return pick(m, texts) + pick(m, texts)
	}
	return pick(m, texts)
}

// hostileNumber returns a figure to put in the place of another.
func (m *maker) hostileNumber() string {
	if m.IntN(12) == 0 {
		return pick(m, longNumbers)
	}
	return pick(m, numbers)
}

// Text returns a hostile text, by chance of r.
func (g *Generator) Text(r *rand.Rand) string { return (&maker{Rand: r, g: g}).hostileText() }
