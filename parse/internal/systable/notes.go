package systable

import (
	"slices"
	"strings"

	"github.com/benchproof/benchproof/result"
)

// note is one note below a systems table.
type note struct {
	// Key is the heading without its last word ("Compiler" of "Compiler
	// Details"). A page of one system has no headings: there Key is told
	// from the note's first words, "System" where they say nothing.
	Key   string
	Value string // without blanks at its ends
	// Systems are the indices of the systems that the note names, nil where
	// it names none and is said of all.
	Systems []int
	// Offset is that of the value in the notes' text.
	Offset int
}

// otherNotes is the key of notes that no heading and no first words name: a
// person's own notes on a system.
const otherNotes = "System"

// parseNotes divides the text behind the watermark into notes, in page
// order. systems are the identifiers: they tell where one system's note ends
// and the next one's begins, and which systems a note is said of.
func parseNotes(text string, systems []string) []note {
	heads := headings(text)
	start := skipBlank(text, 0)
	if len(heads) == 0 {
		return looseNotes(text, start)
	}
	var out []note
	if heads[0].start > start {
		out = looseNotes(text[:heads[0].start], start)
	}
	names := newNameIndex(systems)
	for i, h := range heads {
		end := len(text)
		if i+1 < len(heads) {
			end = heads[i+1].start
		}
		out = appendSection(out, text[:end], h, names)
	}
	return out
}

// AllNotes returns the notes of each system in page order, those said of all
// systems among them.
func AllNotes(text string, systems []string) [][]result.Component {
	out := make([][]result.Component, len(systems))
	for _, n := range parseNotes(text, systems) {
		for i := range systems {
			if n.Systems == nil || slices.Contains(n.Systems, i) {
				out[i] = append(out[i], result.Component{Key: n.Key, Value: n.Value})
			}
		}
	}
	return out
}

// heading is "X Details", and where the notes below it begin.
type heading struct {
	key   string
	start int
	body  int
}

// knownHeadings are the headings that PTS prints.
var knownHeadings = []string{
	"Kernel", "Environment", "Compiler", "Disk", "Processor", "Graphics", "OpenCL", "OpenGL", "Vulkan",
	"Java", "Python", "Security", "System", "Memory", "Motherboard", "Network", "Audio", "Monitor",
	"Power", "Desktop", "Display", "Storage", "Software", "Hardware",
}

// headings finds the headings of a text.
func headings(text string) []heading {
	const mark = " Details"
	var out []heading
	at := 0
	for {
		i := strings.Index(text[at:], mark)
		if i < 0 {
			return out
		}
		i += at
		at = i + len(mark)
		body := skipBlank(text, at)
		if !strings.HasPrefix(text[body:], "- ") {
			continue
		}
		last := 0
		if len(out) > 0 {
			last = out[len(out)-1].body
		}
		if key := headingWord(text[last:i]); key != "" {
			out = append(out, heading{key: key, start: i - len(key), body: body})
		}
	}
}

// headingWord returns the word of a heading that text ends with: a known one,
// else what begins with its last capital.
func headingWord(text string) string {
	best := ""
	for _, k := range knownHeadings {
		if len(k) > len(best) && strings.HasSuffix(text, k) {
			best = k
		}
	}
	if best != "" {
		return best
	}
	i := len(text)
	for i > 0 && isLower(text[i-1]) {
		i--
	}
	if i == 0 || i == len(text) || text[i-1] < 'A' || text[i-1] > 'Z' {
		return ""
	}
	return text[i-1:]
}

// appendSection appends the notes below a heading; text ends where they do.
func appendSection(out []note, text string, h heading, names *nameIndex) []note {
	at := h.body + len("- ")
	systems, n := names.match(text[at:])
	for {
		value := at + n
		end, next, nextSystems, nextLen := len(text), -1, []int(nil), 0
		if systems != nil {
			end, next, nextSystems, nextLen = names.next(text, value, slices.Max(systems))
		}
		out = append(out, newNote(h.key, text, value, end, systems))
		if next < 0 {
			return out
		}
		at, systems, n = next, nextSystems, nextLen
	}
}

// newNote trims text[from:to].
func newNote(key, text string, from, to int, systems []int) note {
	from = min(skipBlank(text, from), to)
	return note{Key: key, Value: strings.TrimRight(text[from:to], " "), Systems: systems, Offset: from}
}

// mostNamed bounds the systems that one note names.
const mostNamed = 512

// nameIndex finds systems' identifiers in notes.
type nameIndex struct {
	index   map[string][]int
	longest int
}

func newNameIndex(systems []string) *nameIndex {
	x := &nameIndex{index: make(map[string][]int)}
	for i, name := range systems {
		if name != "" {
			x.index[name] = append(x.index[name], i)
			x.longest = max(x.longest, len(name))
		}
	}
	return x
}

// match returns the systems that "NAME: " or "NAME, NAME: " at the start of
// text names, and the length of that; nil if it names none. The longest name
// is taken, since one may be another's beginning ("HDD" and "HDD: EXT4").
func (x *nameIndex) match(text string) (systems []int, length int) {
	for range mostNamed {
		found, end, more := []int(nil), 0, false
		for j := 0; j <= x.longest && j+1 < len(text); j++ {
			if text[j+1] != ' ' || text[j] != ':' && text[j] != ',' {
				continue
			}
			if s := x.index[text[:j]]; s != nil {
				found, end, more = s, j+2, text[j] == ','
			}
		}
		if found == nil {
			return nil, 0
		}
		systems = append(systems, found...)
		length += end
		if !more {
			return systems, length
		}
		text = text[end:]
	}
	return nil, 0
}

// next finds the note of a later system than last, from an offset on: where
// the note before it ends, where its name begins, its systems and the length
// of its name. Without one the note before goes on to the end of text.
func (x *nameIndex) next(text string, from, last int) (end, name int, systems []int, length int) {
	for at := from; ; {
		i := strings.Index(text[at:], "- ")
		if i < 0 {
			return len(text), -1, nil, 0
		}
		i += at
		at = i + 1
		if i > 0 && text[i-1] == '-' {
			continue
		}
		if s, n := x.match(text[i+2:]); s != nil && slices.Min(s) > last {
			return i, i + 2, s, n
		}
	}
}
