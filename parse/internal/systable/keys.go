package systable

import "strings"

// The keys that PTS prints, in the order in which a system lists its
// components.
var (
	hardwareKeys = []string{
		"Processor", "Motherboard", "Motherboard Chipset", "Chipset", "System Memory", "Memory",
		"Disk", "Graphics", "Audio", "Monitor", "Network",
	}
	softwareKeys = []string{
		"OS", "Kernel", "Desktop", "X.Org Server", "Display Server", "Display Driver", "OpenGL",
		"OpenCL", "Vulkan", "Compiler", "File-System", "Screen Resolution", "System Layer",
	}
)

// place is a key's rank in a system's own list. Screen Resolution was once
// hardware, as the last one.
var place = func() map[string]int {
	m := make(map[string]int)
	for i, k := range hardwareKeys {
		m[k] = i
	}
	for i, k := range softwareKeys {
		m[k] = len(hardwareKeys) + i
	}
	return m
}()

// lastKey ends either list.
const lastKey = "Screen Resolution"

// maxUnknownKey bounds the length of a row key that is no known one.
const maxUnknownKey = 40

// Keys finds the row keys at the start of text and returns them in order,
// with the offset where the systems' identifiers begin. The title may stand
// before them, whole or shortened; keys may stand apart by a blank each.
//
// No mark ends the keys, so an identifier that begins like a further key
// ("Vulkan RADV") is told from one by its place: hardware comes before
// software, no key comes twice, and one out of the usual order must be
// followed by something that can begin an identifier. ok is false where text
// has no keys.
func Keys(text, title string) (keys []string, end int, ok bool) {
	start := 0
	if title != "" && strings.HasPrefix(text, title) {
		if keys, end = keysAt(text, len(title)); len(keys) > 0 {
			return keys, end, true
		}
	}
	if keys, end = keysAt(text, 0); len(keys) > 0 {
		return keys, end, true
	}
	// A title that is not the page's: the first run of keys ends it.
	for start < len(text) && start < 2000 {
		i := strings.IndexAny(text[start:], "PMCSDGANOKFV")
		if i < 0 {
			break
		}
		start += i
		if keys, end = keysAt(text, start); len(keys) > 2 {
			return keys, end, true
		}
		start++
	}
	return nil, 0, false
}

// keysAt reads keys from an offset on, after blanks.
func keysAt(text string, at int) (keys []string, end int) {
	seen := make(map[string]bool)
	software, rank := false, -1
	end = at
	for {
		i := skipBlank(text, end)
		spaced := len(keys) > 0 && i > end
		key := keyPrefix(text[i:])
		if key == "" {
			if key = unknownKey(text[i:], software || len(keys) == 0); key == "" {
				return keys, end
			}
		}
		r, known := place[key]
		isSoftware := known && r >= len(hardwareKeys)
		switch {
		case seen[key], known && software && !isSoftware:
			return keys, end
		case known && software && isSoftware && r < rank && !beginsName(text[i+len(key):], spaced):
			return keys, end
		}
		seen[key] = true
		keys = append(keys, key)
		end = i + len(key)
		software = software || isSoftware && key != lastKey
		if known {
			rank = max(rank, r)
		}
	}
}

// keyPrefix returns the longest known key that text begins with, or "".
func keyPrefix(text string) string {
	best := ""
	for _, keys := range [][]string{hardwareKeys, softwareKeys} {
		for _, k := range keys {
			if len(k) > len(best) && strings.HasPrefix(text, k) {
				best = k
			}
		}
	}
	return best
}

// unknownKey returns a key that is none of the known ones: what stands
// between the known hardware keys and the keys of software, which always
// begin with the same two.
func unknownKey(text string, never bool) string {
	if never {
		return ""
	}
	for _, mark := range []string{"OSKernel", "OS Kernel"} {
		i := strings.Index(text[:min(len(text), maxUnknownKey+len(mark))], mark)
		if i > 0 {
			return strings.TrimRight(text[:i], " ")
		}
	}
	return ""
}

// beginsName reports whether text can go on behind a row key: with a further
// key or an identifier. A key's own word followed by a blank or by small
// letters is the start of an identifier, unless blanks part all texts.
func beginsName(text string, spaced bool) bool {
	if text == "" {
		return true
	}
	c := text[0]
	return spaced || c != ' ' && (c < 'a' || c > 'z')
}

// skipBlank returns the offset of the first byte at or after i that is no
// blank.
func skipBlank(text string, i int) int {
	for i < len(text) && text[i] == ' ' {
		i++
	}
	return i
}

// softwareFrom returns the index of the first row of software.
func softwareFrom(keys []string) int {
	for i, k := range keys {
		if r, ok := place[k]; ok && r >= len(hardwareKeys) && k != lastKey {
			return i
		}
	}
	for i, k := range keys {
		if k == lastKey {
			return i
		}
	}
	return len(keys)
}

// columnOrder returns the rank of each row in a system's own list: the usual
// order of known keys; an unknown key follows the one before it on the page.
// The two groups stay apart. usual is false where the page's order is taken.
func columnOrder(keys []string, usual bool) []int {
	order := make([]int, 0, len(keys)) // rows in the order of a column
	from := softwareFrom(keys)
	for i, k := range keys {
		at := len(order)
		if r, ok := place[k]; ok && usual {
			low := 0
			if i >= from {
				low = from
			}
			for at > low {
				prev, known := place[keys[order[at-1]]]
				if known && prev <= r {
					break
				}
				if !known && !laterKnown(keys, order[low:at], r) {
					break
				}
				at--
			}
		}
		order = append(order, 0)
		copy(order[at+1:], order[at:])
		order[at] = i
	}
	rank := make([]int, len(keys))
	for r, i := range order {
		rank[i] = r
	}
	return rank
}

// laterKnown reports whether any of rows has a known key that ranks above r.
func laterKnown(keys []string, rows []int, r int) bool {
	for _, i := range rows {
		if p, ok := place[keys[i]]; ok && p > r {
			return true
		}
	}
	return false
}
