package torture

import (
	"bytes"
	"slices"
)

// smallSeed is the largest seed that is cut at every byte.
const smallSeed = 6 << 10

// cutSeed is a seed and the number of the first of its cuts.
type cutSeed struct {
	Seed
	first int
}

// cutsOf lists the cuts of all small seeds.
func cutsOf(seeds []Seed) []cutSeed {
	var list []cutSeed
	n := 0
	for _, s := range seeds {
		if len(s.Data) > 0 && len(s.Data) <= smallSeed {
			list = append(list, cutSeed{s, n})
			n += len(s.Data)
		}
	}
	return list
}

// cutEach makes cut n of all, in an order that jumps, so that few of them are
// spread over all seeds already.
func (m *maker) cutEach(n uint64) {
	last := m.g.cuts[len(m.g.cuts)-1]
	all := uint64(last.first + len(last.Data))
	const step = 1000003 // a prime that is no factor of so few
	at := int(n % all * step % all)
	k, found := slices.BinarySearchFunc(m.g.cuts, at, func(c cutSeed, at int) int { return c.first - at })
	if !found {
		k--
	}
	m.seed = m.g.cuts[k].Seed
	m.set(bytes.Clone(m.seed.Data[:at-m.g.cuts[k].first]))
	m.in.Damage, m.in.Kind = Cut, "cut-each"
}

// cut ends the seed at any byte, mostly late.
func (m *maker) cut() bool {
	n := len(m.seed.Data)
	if n < 2 {
		return false
	}
	m.in.Damage = Cut
	return m.set(bytes.Clone(m.seed.Data[:max(m.IntN(n), m.IntN(n))]))
}

// What structure is made of.
const (
	marks   = "<>&\"',;:|=.{}[]\\/-+ \t\n\r0\x00"
	letters = "0123456789.,:;|=<>/\"'{}[]()ANSE+- \n\t&#x\\"
)

// flip changes single bytes.
func (m *maker) flip() bool {
	data := bytes.Clone(m.seed.Data)
	if len(data) == 0 {
		return m.set([]byte{byte(m.IntN(256))})
	}
	for range 1 + m.IntN(1+m.IntN(30)) {
		at := m.IntN(len(data))
		switch m.IntN(4) {
		case 0:
			data[at] ^= 1 << m.IntN(8)
		case 1:
			data[at] = byte(m.IntN(256))
		case 2:
			data = slices.Insert(data, at, byte(m.IntN(256)))
		default:
			data[at] = marks[m.IntN(len(marks))]
		}
	}
	return m.set(data)
}

// span returns the ends of a part of n things.
func (m *maker) span(n int) (from, to int) {
	from = m.IntN(n + 1)
	to = from + m.IntN(1+min(n-from, 1+m.IntN(n+1)))
	return from, to
}

// blocks takes parts out, doubles them or moves them.
func (m *maker) blocks() bool {
	data := bytes.Clone(m.seed.Data)
	for range 1 + m.IntN(3) {
		a, b := m.span(len(data))
		part := bytes.Clone(data[a:b])
		switch m.IntN(4) {
		case 0:
			data = slices.Delete(data, a, b)
		case 1:
			data = slices.Insert(data, b, part...)
		case 2:
			data = slices.Delete(data, a, b)
			data = slices.Insert(data, m.IntN(len(data)+1), part...)
		default:
			clear(data[a:b])
		}
		if len(data) > 2*maxSeed {
			break
		}
	}
	return m.set(data)
}

// lines does the same with whole lines, or with elements where there are no
// lines.
func (m *maker) lines() bool {
	sep := []byte("\n")
	if bytes.Count(m.seed.Data, sep) < 5 {
		sep = []byte(">")
	}
	list := bytes.Split(m.seed.Data, sep)
	if len(list) < 3 {
		return false
	}
	list = slices.Clone(list)
	for range 1 + m.IntN(3) {
		a, b := m.IntN(len(list)), m.IntN(len(list))
		switch m.IntN(5) {
		case 0, 1:
			list = slices.Delete(list, a, a+1)
		case 2:
			list = slices.Insert(list, b, list[a])
		case 3:
			list[a], list[b] = list[b], list[a]
		default:
			list = slices.Insert(list, b, slices.Repeat([][]byte{list[a]}, 1+m.IntN(50))...)
		}
		if len(list) < 2 {
			break
		}
	}
	return m.set(bytes.Join(list, sep))
}

// splice puts the beginning of one file before the end of another.
func (m *maker) splice() bool {
	other := m.anySeed()
	a, b := m.IntN(len(m.seed.Data)+1), m.IntN(len(other.Data)+1)
	if m.IntN(3) == 0 {
		a, b = len(m.seed.Data), 0 // two whole ones
	}
	return m.set(slices.Concat(m.seed.Data[:a], other.Data[b:]))
}

// random makes bytes that are of no form, or begin like one.
func (m *maker) random() bool {
	heads := []string{"", "", "\x1f\x8b\x08", "\xfd7zXZ\x00", "\x28\xb5\x2f\xfd", "PK\x03\x04", "SQLite format 3\x00", "PAR1", "<?xml version=\"1.0\"?>", "<PhoronixTestSuite>", "<!DOCTYPE html>", "{\"schema\":\"benchproof/result/1\",", "source,title,test,version,profile,", "\xff\xfe", "\xfe\xff", "\xef\xbb\xbf", "%PDF-1.4\n"}
	data := []byte(pick(m, heads))
	sort := m.IntN(3)
	for range m.IntN(1 + m.IntN(4000)) {
		switch sort {
		case 0:
			data = append(data, byte(m.IntN(256)))
		case 1:
			data = append(data, byte(32+m.IntN(95)))
		default:
			data = append(data, letters[m.IntN(len(letters))])
		}
	}
	m.seed = Seed{}
	return m.set(data)
}
