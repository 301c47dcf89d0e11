package torture

import (
	"bytes"
	"math/rand/v2"
	"path"
	"slices"
)

// Dir is a directory in memory: the contents of its files by their path below
// it, with slashes.
type Dir map[string][]byte

// Break returns a copy of dir of which one or two files are damaged, taken
// away, emptied, exchanged or made up, and says how. It is the same for the same
// dir, seed and index.
func (g *Generator) Break(dir Dir, i uint64) (Dir, string) {
	m := &maker{Rand: rand.New(rand.NewPCG(g.Seed^0xd15c, i)), g: g}
	out := Dir{}
	var names []string
	for name, data := range dir {
		out[name] = data
		names = append(names, name)
	}
	slices.Sort(names)
	if len(names) == 0 {
		return out, "empty"
	}
	what := ""
	for range 1 + m.IntN(2) {
		name := pick(m, names)
		m.seed = Seed{Name: name, Form: formOf(dir[name]), Data: out[name]}
		var how string
		switch m.IntN(12) {
		case 0:
			delete(out, name)
			how = "removed"
		case 1:
			out[name] = nil
			how = "emptied"
		case 2:
			out[name] = dir[pick(m, names)]
			how = "exchanged"
		case 3:
			out[name] = slices.Repeat(dir[name], 2)
			how = "doubled"
		case 4:
			out[pick(m, []string{"x", "journal.jsonl.tmp", name + "~", name + "/x", "runs/../y", "-"})] = []byte(m.hostileText())
			how = "added"
			delete(out, "runs/../y")
			if _, ok := out[name+"/x"]; ok {
				delete(out, name) // a folder where a file was
			}
		case 5:
			how = "lines of JSON"
			out[name] = m.jsonLines(out[name])
		default:
			k := []kind{
				{"cut", 0, (*maker).cut},
				{"flip", 0, (*maker).flip},
				{"blocks", 0, (*maker).blocks},
				{"lines", 0, (*maker).lines},
				{"number", 0, (*maker).number},
				{"text", 0, (*maker).text},
				{"raw-text", 0, (*maker).rawText},
				{"tree", 0, (*maker).tree},
			}[m.IntN(8)]
			if !k.make(m) {
				m.flip()
			}
			out[name] = m.in.Data
			how = k.name
		}
		what += name + ": " + how + "; "
	}
	for name := range out { // no file is a folder, too
		for up := path.Dir(name); up != "."; up = path.Dir(up) {
			delete(out, up)
		}
	}
	return out, what
}

// jsonLines changes one member of one line of JSON lines.
func (m *maker) jsonLines(data []byte) []byte {
	lines := bytes.SplitAfter(data, []byte("\n"))
	at := m.IntN(len(lines))
	m.seed = Seed{Form: "json", Data: bytes.TrimSpace(lines[at])}
	if !m.tree() {
		return data
	}
	lines = slices.Clone(lines)
	lines[at] = append(bytes.Clone(m.in.Data), '\n')
	return bytes.Join(lines, nil)
}
