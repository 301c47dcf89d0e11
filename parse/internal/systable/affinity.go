package systable

import (
	"slices"
	"strings"
)

// affinity weighs how well a column's values go with the name of its system:
// "HDD: EXT4" with ext4, "RTX 3080" with "NVIDIA GeForce RTX 3080 10GB". It
// decides which columns the changed cells stand in where too few changed to
// fill all.
type affinity struct {
	names   [][]string // words of the systems' names
	texts   []string   // by number; number 0 is none
	values  [][]int32  // the different texts seen of each row
	most    [][]float32
	matches map[affinityKey]float32
}

type affinityKey struct {
	column int
	text   int32
}

const (
	perLetter  = 1.3 // nats for a letter of a name found in a value
	mostWord   = 6
	mostValue  = 9
	alikeNames = 1.5
	mostMissed = 7 // the most that one row says against a column
)

// newAffinity returns the weights for systems, given the different values of
// each row; rows with one alone say nothing.
func newAffinity(systems, texts []string, values [][]int32) *affinity {
	a := &affinity{texts: texts, values: values, matches: make(map[affinityKey]float32)}
	for _, name := range systems {
		a.names = append(a.names, words(name))
	}
	for range systems {
		a.most = append(a.most, nil)
	}
	return a
}

// cost returns what the names say against a column whose rows have the given
// texts: for each row, how much better another value of it would match.
func (a *affinity) cost(column int, texts []int32) float32 {
	if len(a.names[column]) == 0 {
		return 0
	}
	if a.most[column] == nil {
		most := make([]float32, len(a.values))
		for r, values := range a.values {
			if len(values) < 2 {
				continue
			}
			for _, t := range values {
				most[r] = max(most[r], a.match(column, t))
			}
		}
		a.most[column] = most
	}
	var c float32
	for r, m := range a.most[column] {
		if m > 0 {
			c += min(m-a.match(column, texts[r]), mostMissed)
		}
	}
	return c
}

// alike returns the cost of a change at a column: systems whose names have
// most words in common are most often one machine.
func (a *affinity) alike(column int) float32 {
	if column == 0 {
		return 0
	}
	before, now := a.names[column-1], a.names[column]
	common := 0
	for _, w := range now {
		if slices.Contains(before, w) {
			common++
		}
	}
	if 2*common >= len(before)+len(now)-common && common > 1 {
		return alikeNames
	}
	return 0
}

// match returns how much of a column's name a text has, in nats.
func (a *affinity) match(column int, text int32) float32 {
	if text == 0 {
		return 0
	}
	key := affinityKey{column, text}
	m, ok := a.matches[key]
	if !ok {
		value := strings.ToLower(a.texts[text])
		for _, w := range a.names[column] {
			if hasWord(value, w) {
				m += min(perLetter*float32(len(w)), mostWord)
			}
		}
		m = min(m, mostValue)
		a.matches[key] = m
	}
	return m
}

// words returns the words of a name in small letters, numbers with their
// points ("5.16-rc1" is two words).
func words(name string) []string {
	isSep := func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '.' || r >= 0x80)
	}
	var out []string
	for _, w := range strings.FieldsFunc(strings.ToLower(name), isSep) {
		w = strings.Trim(w, ".")
		if len(w) > 1 && len(out) < 32 && (len(w) > 2 || digits(w) != w) {
			out = append(out, w) // a bare number counts runs more often than not
		}
		if w == "ntfs" {
			out = append(out, "fuseblk")
		}
	}
	return out
}

// hasWord reports whether a value has a word whole, or a version that goes
// on behind it.
func hasWord(value, word string) bool {
	for at := 0; ; {
		i := strings.Index(value[at:], word)
		if i < 0 {
			return false
		}
		i += at
		end := i + len(word)
		before := i == 0 || !isWord(value[i-1]) && value[i-1] != '.'
		after := end == len(value) || !isWord(value[end])
		if before && after {
			return true
		}
		at = i + 1
	}
}

func isWord(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' }
