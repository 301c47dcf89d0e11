package flatrender

import (
	"encoding/json"
	"slices"
	"strings"
)

// entryNotes are what an entry's JSON holds for the notes of a graph.
type entryNotes struct {
	id       string
	compiler []member
	footnote string
	min, max string
}

// footnotes returns the numbered notes below a graph, and those that stand in
// the bars, by the bars' names.
func footnotes(bars []bar) (below []string, beside map[string]string) {
	entries := readNotes(bars)
	beside = make(map[string]string)
	besides := func(id, text string) {
		if beside[id] != "" {
			text = beside[id] + " - " + text
		}
		beside[id] = text
	}
	below = compilerNotes(bars, entries, besides)

	shared := ""
	for _, e := range entries {
		switch {
		case e.footnote == "":
		case shared == "":
			shared = e.footnote
		case shared != e.footnote:
			shared = "\x00"
		}
		if shared == "\x00" {
			shared = ""
			break
		}
	}
	if shared != "" {
		below = append(below, shared)
	}
	for _, e := range entries {
		var both []string
		if e.min != "" {
			both = append(both, "MIN: "+e.min)
		}
		if e.max != "" {
			both = append(both, "MAX: "+e.max)
		}
		if both != nil {
			besides(e.id, strings.Join(both, " / "))
		}
		if shared == "" && e.footnote != "" {
			below = append(below, e.id+": "+e.footnote)
		}
	}
	return below, beside
}

// readNotes reads the entries' JSON; of entries with one name, as multi-way
// graphs have them, the last counts.
func readNotes(bars []bar) []entryNotes {
	var out []entryNotes
	for _, b := range bars {
		members := object(b.m.Details)
		if len(members) == 0 {
			continue
		}
		e := entryNotes{id: b.id}
		for _, m := range members {
			switch m.key {
			case "compiler-options":
				e.compiler = compilerOf(b.m.Details)
			case "install-footnote":
				e.footnote = scalar(m.value)
			case "min-result":
				e.min = figure(m.value)
			case "max-result":
				e.max = figure(m.value)
			}
		}
		if i := slices.IndexFunc(out, func(o entryNotes) bool { return o.id == e.id }); i >= 0 {
			out[i] = e
		} else {
			out = append(out, e)
		}
	}
	return out
}

// compilerOf returns the members of an entry's compiler options in order.
func compilerOf(details []byte) []member {
	var d struct {
		Compiler json.RawMessage `json:"compiler-options"`
	}
	if json.Unmarshal(details, &d) != nil {
		return nil
	}
	return object(d.Compiler)
}

// figure returns a JSON number as PTS prints it.
func figure(v any) string {
	n, ok := v.(json.Number)
	if !ok {
		return scalar(v)
	}
	if !strings.ContainsAny(n.String(), ".eE") {
		return n.String()
	}
	f, err := n.Float64()
	if err != nil {
		return ""
	}
	return shown(f)
}

func value(list []member, key string) (string, bool) {
	for _, m := range list {
		if m.key == key {
			return scalar(m.value), true
		}
	}
	return "", false
}

// compilerNotes returns the note of the compiler options that all entries
// share, and gives what they do not share to their bars.
func compilerNotes(bars []bar, entries []entryNotes, besides func(id, text string)) []string {
	var unique [][]member
	for _, b := range bars {
		c := compilerOf(b.m.Details)
		if len(c) > 0 && !slices.ContainsFunc(unique, func(u []member) bool { return sameMembers(u, c) }) {
			unique = append(unique, c)
		}
	}
	if len(unique) == 0 {
		return nil
	}
	prefix := ""
	kind, ok := value(unique[0], "compiler-type")
	name, ok2 := value(unique[0], "compiler")
	if ok && ok2 {
		prefix = "(" + strings.ToUpper(kind) + ") " + name + " options: "
	}
	if len(unique) == 1 {
		if options, _ := value(unique[0], "compiler-options"); options != "" {
			return []string{prefix + options}
		}
		return nil
	}
	key := oddKey(unique)
	if key == "" {
		return nil
	}
	var lists [][]string
	for _, e := range entries {
		if v, ok := value(e.compiler, key); ok {
			words := strings.Split(v, " ")
			if !slices.ContainsFunc(lists, func(l []string) bool { return slices.Equal(l, words) }) {
				lists = append(lists, words)
			}
		}
	}
	if len(lists) == 0 {
		return nil
	}
	var below, shared []string
	if key == "compiler-options" {
		for _, w := range lists[0] {
			if !slices.ContainsFunc(lists, func(l []string) bool { return !slices.Contains(l, w) }) {
				shared = append(shared, w)
			}
		}
		below = append(below, prefix+strings.Join(shared, " "))
	}
	if len(lists) < 2 {
		return below
	}
	for _, e := range entries {
		v, ok := value(e.compiler, key)
		if !ok {
			continue
		}
		var own []string
		for w := range strings.SplitSeq(v, " ") {
			if !slices.Contains(shared, w) {
				own = append(own, w)
			}
		}
		if own != nil {
			besides(e.id, strings.Join(own, " "))
		}
	}
	return below
}

// oddKey returns the only key whose value in the first list no other list
// holds, "" if there is not exactly one.
func oddKey(lists [][]member) string {
	key := ""
	for _, m := range lists[0] {
		v := scalar(m.value)
		if slices.ContainsFunc(lists[1:], func(l []member) bool {
			return slices.ContainsFunc(l, func(o member) bool { return scalar(o.value) == v })
		}) {
			continue
		}
		if key != "" {
			return ""
		}
		key = m.key
	}
	return key
}

func sameMembers(a, b []member) bool {
	if len(a) != len(b) {
		return false
	}
	for _, m := range a {
		if v, ok := value(b, m.key); !ok || v != scalar(m.value) {
			return false
		}
	}
	return true
}
