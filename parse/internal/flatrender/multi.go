package flatrender

import (
	"strings"

	"github.com/benchproof/benchproof/result"
)

// isMulti reports whether PTS takes names for those of a multi-way comparison:
// two or more, each of two parts around its only colon, and none a date with a
// time.
func isMulti(names []string) bool {
	for _, n := range names {
		if strings.Count(n, ":") != 1 || len(n) > 14 && n[4] == '-' && n[13] == ':' {
			return false
		}
	}
	return len(names) > 1
}

// isTracker reports whether PTS takes a file's systems for the states of one
// system over time: six or more whose names differ in digits alone. Multi-way
// files of that kind become line graphs.
func isTracker(systems []result.System) bool {
	if len(systems) < 6 {
		return false
	}
	first := systems[0].Identifier
	hash := len(first) == 40 && !strings.Contains(first, " ")
	short := true
	names := make([]string, len(systems))
	hardware := make(map[string]bool)
	distinct := make(map[string]bool)
	for i := range systems {
		id := systems[i].Identifier
		short = short && isShortHash(id)
		names[i] = without(id, "0123456789-.")
		distinct[names[i]] = true
		hardware[join(systems[i].Hardware)] = true
	}
	if (len(distinct) == 1 || hash || short) && len(hardware) < len(systems) {
		return true
	}
	for i, n := range names {
		if _, after, ok := strings.Cut(n, ": "); ok {
			names[i] = after
		}
		if i > 0 && without(names[i], "0123456789.") != without(names[i-1], "0123456789.") {
			return false
		}
	}
	return true
}

// isShortHash reports whether the last eight characters of a name without
// blanks are letters and digits.
func isShortHash(id string) bool {
	if len(id) < 8 || strings.Contains(id, " ") {
		return false
	}
	for _, c := range []byte(id[len(id)-8:]) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return true
}

func without(s, chars string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(chars, r) {
			return -1
		}
		return r
	}, s)
}

// join returns components as composite.xml writes them.
func join(list []result.Component) string {
	parts := make([]string, len(list))
	for i, c := range list {
		parts[i] = c.Key + ": " + c.Value
	}
	return strings.Join(parts, ", ")
}

// names returns the systems' identifiers.
func names(f *result.File) []string {
	out := make([]string, len(f.Systems))
	for i := range f.Systems {
		out[i] = f.Systems[i].Identifier
	}
	return out
}

// groups returns the groups of multi-way names, one for each run of equal
// ones, and the labels behind the colon with the blank before them.
func groups(names []string) (groups, labels []string) {
	for i, n := range names {
		g, l, _ := strings.Cut(n, ":")
		if i == 0 || groups[len(groups)-1] != g {
			groups = append(groups, g)
		}
		labels = append(labels, l)
	}
	return groups, labels
}
