package torture

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
)

// manifestName is the file of a corpus that vouches for the others.
const manifestName = "manifest.json"

// BreakCorpus returns a copy of the directory of a corpus of which a file or two
// are cut, flipped, or exchanged between parts or tables, or the manifest is
// edited, and says how. In half of them the manifest vouches for what was
// changed, so that only who reads the file can tell. It is the same for the same
// dir, seed and index.
func (g *Generator) BreakCorpus(dir Dir, i uint64) (Dir, string) {
	m := &maker{Rand: rand.New(rand.NewPCG(g.Seed^0xc0f5, i)), g: g}
	if m.IntN(4) == 0 {
		return g.Break(dir, i)
	}
	out := Dir{}
	var files []string
	for name, data := range dir {
		out[name] = data
		if strings.HasSuffix(name, ".parquet") {
			files = append(files, name)
		}
	}
	slices.Sort(files)
	if len(files) < 2 {
		return g.Break(dir, i)
	}
	var how []string
	for range 1 + m.IntN(2) {
		name := pick(m, files)
		what := m.parquet(out, files, name)
		if m.IntN(2) == 0 && vouch(out, name) {
			what += ", vouched for"
		}
		how = append(how, name+": "+what)
	}
	if m.IntN(3) == 0 {
		m.seed = Seed{Form: "json", Data: out[manifestName]}
		if m.tree() {
			out[manifestName] = m.in.Data
			how = append(how, "manifest edited")
		}
	}
	return out, strings.Join(how, "; ")
}

// parquet damages one file and says how.
func (m *maker) parquet(out Dir, files []string, name string) string {
	data := out[name]
	flip := func(from int, n int) {
		data = bytes.Clone(data)
		for range n {
			at := from + m.IntN(max(len(data)-from, 1))
			if at < len(data) {
				data[at] ^= byte(1 + m.IntN(255))
			}
		}
		out[name] = data
	}
	// The footer ends with its length, of four bytes, and PAR1.
	footer := len(data) - 8
	if footer > 0 {
		footer -= min(int(data[footer])|int(data[footer+1])<<8|int(data[footer+2])<<16, footer)
	}
	switch m.IntN(8) {
	case 0:
		out[name] = data[:m.IntN(len(data)+1)]
		return "cut"
	case 1:
		flip(0, 1+m.IntN(8))
		return "flipped"
	case 2:
		flip(max(footer, 0), 1+m.IntN(4))
		return "flipped in the footer"
	case 3:
		flip(max(len(data)-8, 0), 1)
		return "flipped in its end"
	case 4: // of the same table in another part, or in this part of another table
		same := pick(m, files)
		for range 20 {
			if f := pick(m, files); f != name && (path.Base(f) == path.Base(name)) == (m.IntN(2) == 0) {
				same = f
				break
			}
		}
		out[name], out[same] = out[same], data
		return "exchanged with " + same
	case 5:
		out[name] = append(bytes.Clone(data), data...)
		return "doubled"
	case 6: // a page less, or one of zeros
		a, b := m.span(max(footer, 0))
		if m.IntN(2) == 0 {
			out[name] = slices.Concat(data[:a], data[b:])
		} else {
			out[name] = slices.Concat(data[:a], make([]byte, b-a), data[b:])
		}
		return "a block less"
	}
	delete(out, name)
	return "removed"
}

// vouch writes the size and hash that a file has now into the manifest.
func vouch(out Dir, name string) bool {
	data, ok := out[name]
	d := json.NewDecoder(bytes.NewReader(out[manifestName]))
	d.UseNumber()
	var doc map[string]any
	if !ok || d.Decode(&doc) != nil {
		return false
	}
	parts, _ := doc["parts"].([]any)
	for _, p := range parts {
		part, _ := p.(map[string]any)
		sizes, ok1 := part["bytes"].(map[string]any)
		sums, ok2 := part["sha256"].(map[string]any)
		if !ok1 || !ok2 || part["name"] != path.Base(path.Dir(name)) {
			continue
		}
		table := strings.TrimSuffix(path.Base(name), ".parquet")
		sum := sha256.Sum256(data)
		sizes[table], sums[table] = json.Number(fmt.Sprint(len(data))), hex.EncodeToString(sum[:])
		text, err := json.MarshalIndent(doc, "", " ")
		if err == nil {
			out[manifestName] = append(text, '\n')
		}
		return err == nil
	}
	return false
}

// Rows returns inputs i of which names, hardware and figures are hostile, and
// that are sound all the same where they can be: rows for a corpus.
func (g *Generator) Rows(i uint64, n int) []Input {
	m := &maker{Rand: rand.New(rand.NewPCG(g.Seed^0x205a, i)), g: g}
	if g.cuts == nil {
		g.cuts = cutsOf(g.Seeds)
	}
	var list []Input
	for k := range n {
		way := []func(*maker) bool{(*maker).text, (*maker).text, (*maker).number, (*maker).tree, (*maker).duplicate}[m.IntN(5)]
		for range 50 {
			m.seed, m.in = m.anySeed(), Input{Index: i}
			if way(m) {
				break
			}
		}
		m.in.Kind, m.in.Name = "rows", fmt.Sprintf("rows%d", k)
		list = append(list, m.in)
	}
	return list
}
