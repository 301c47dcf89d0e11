package flat

import (
	"strings"

	"github.com/benchproof/benchproof/result"
)

// overview is the overview table read as far as it can be by itself: its row
// labels are known from the graphs' headings.
type overview struct {
	rows []row
	rest string // identifiers and values run together
	off  int    // of rest, in the line
}

// row is one row label of the overview table.
type row struct {
	graph   int    // index of its graph
	profile string // "fio"
}

// shortWords are the words that PTS shortens in row labels.
var shortWords = strings.NewReplacer("Random", "Rand", "Sequential", "Seq")

// rowLabel returns the row label that the overview table prints for
// arguments, without the profile's name: the option values joined by " - ".
func rowLabel(arguments string) string {
	options := result.ParseOptions(arguments)
	values := make([]string, len(options))
	for i, o := range options {
		values[i] = o.Value
	}
	return shortWords.Replace(strings.Join(values, " - "))
}

// readOverviews returns the readings of an overview table's row labels that
// leave out the fewest graphs. PTS leaves out a graph whose profile it does
// not know. start is how the text behind the labels must begin, as far as
// known.
func readOverview(text, title, start string, graphs []*graph, b *budget) (overview, bool) {
	body, ok := trimWatermark(text)
	if !ok {
		return overview{}, false
	}
	base := 0
	if title != "" && strings.HasPrefix(body, title) {
		base = len(title)
	}
	spaced := len(graphs) > 0 && graphs[0].spaced
	if spaced {
		body = strings.TrimRight(body, " ")
		if base < len(body) && body[base] == ' ' {
			base++
		}
	}
	labels := make([]string, len(graphs))
	for i, g := range graphs {
		labels[i] = rowLabel(g.graphLine.arguments.text)
	}
	type state struct{ off, graph int }
	failed := map[state]bool{}
	var rows []row
	var end int
	// walk tries to read the labels of the graphs from g on at offset off,
	// leaving out at most skips of them.
	var walk func(off, g, skips int) bool
	walk = func(off, g, skips int) bool {
		if !b.spend(4) {
			return false
		}
		if g == len(graphs) {
			rest := body[off:]
			if rest == "" || start != "" && rest[0] != start[0] {
				return false
			}
			end = off
			return true
		}
		key := state{off, g<<8 | min(skips, 255)}
		if failed[key] {
			return false
		}
		if name := profileName(body[off:]); name != "" {
			at := off + len(name) + len(": ")
			if strings.HasPrefix(body[at:], labels[g]) {
				rows = append(rows, row{graph: g, profile: name})
				next := at + len(labels[g])
				if spaced && strings.HasPrefix(body[next:], " ") {
					next++
				}
				if walk(next, g+1, skips) {
					return true
				}
				rows = rows[:len(rows)-1]
			}
		}
		if skips > 0 && walk(off, g+1, skips-1) {
			return true
		}
		failed[key] = true
		return false
	}
	for skips := 0; skips <= len(graphs) && skips < 64 && !b.spent(); skips++ {
		clear(failed)
		rows = rows[:0]
		if walk(base, 0, skips) && len(rows) > 0 {
			return overview{rows: rows, rest: body[end:], off: end}, true
		}
	}
	return overview{}, false
}

// profileName returns the name of a profile that begins text, without its
// version, if ": " follows it.
func profileName(text string) string {
	for i := 0; i < len(text) && i < 80; i++ {
		c := text[i]
		switch {
		case c == ':' && i > 0 && strings.HasPrefix(text[i:], ": "):
			return text[:i]
		case isDigit(c), c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '-', c == '.', c == '_', c == '+':
		default:
			return ""
		}
	}
	return ""
}

// splitRun finds where the identifiers at the start of the overview's rest
// end. table is the systems table's text behind its keys, which begins with
// the same identifiers. It returns the possible ends: identifiers may end in
// digits, and values begin with them.
func splitRun(rest, table string, spaced bool) []int {
	if spaced {
		return splitSpacedRun(rest, table)
	}
	common := 0
	for common < len(rest) && common < len(table) && rest[common] == table[common] {
		common++
	}
	first := len(rest)
	for first > 0 && (isDigit(rest[first-1]) || rest[first-1] == '.') {
		first--
	}
	var ends []int
	for end := max(first, 1); end <= common; end++ {
		if end < len(rest) && isDigit(rest[end]) {
			ends = append(ends, end)
		}
	}
	return ends
}
