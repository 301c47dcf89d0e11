package systable

import (
	"regexp"
	"strings"
)

// noteForms are the first words of PTS's notes, by heading.
var noteForms = []struct {
	key  string
	form *regexp.Regexp
}{
	{"Kernel", regexp.MustCompile(`^(?:Transparent Huge Pages: |[a-z][a-z0-9_]*\.[a-z0-9_.]+=)`)},
	{"Environment", regexp.MustCompile(`^[A-Z][A-Z0-9_]*=`)},
	{"Compiler", regexp.MustCompile(`^(?:--[a-z]|Optimized build|Default target)`)},
	{"Disk", regexp.MustCompile(`^(?:NONE|MQ-DEADLINE|DEADLINE|CFQ|BFQ|NOOP|KYBER|ANTICIPATORY|ADIOS|none)(?: ?/ |$| |- )`)},
	{"Disk", regexp.MustCompile(`^(?:(?:[a-z_0-9]+(?:=[^ ,]*)?,)+(?:rw|ro)\b|(?:rw|ro),|rw$|ro$|Disk Scheduler: |Block Size: )`)},
	{"Processor", regexp.MustCompile(`^(?:Scaling Governor: |CPU Microcode: |Thermald |Platform Profile: |ACPI Profile: )`)},
	{"Graphics", regexp.MustCompile(`^(?:BAR1 / Visible vRAM|GPU Compute Cores: |vBIOS Version: |GLAMOR|DRI3|Color Tiling|SNA|UXA|EXA|AA: |AF: |GPU Cores: |RADV)`)},
	{"OpenCL", regexp.MustCompile(`^GPU Compute `)},
	{"Java", regexp.MustCompile(`^(?:OpenJDK|Java\(TM\)|Java |java )`)},
	{"Python", regexp.MustCompile(`^Python [23]`)},
	{"Security", regexp.MustCompile(`^(?:gather_data_sampling: |itlb_multihit: |l1tf: |mds: |meltdown: |spec_store_bypass: |SELinux|KPTI|__user pointer|OSB|Full generic|Retpoline|Mitigation|usercopy)`)},
}

// noteKey returns the heading that a note's first words belong to, or "".
func noteKey(text string) string {
	text = text[:min(len(text), 200)]
	for _, f := range noteForms {
		if f.form.MatchString(text) {
			return f.key
		}
	}
	return ""
}

// begins reports whether text begins like a note under a heading.
func begins(text, key string) bool {
	text = text[:min(len(text), 200)]
	for _, f := range noteForms {
		if f.key == key && f.form.MatchString(text) {
			return true
		}
	}
	return false
}

// looseNotes divides the notes of a page of one system, which have no
// headings: "- --build=… -v- NONE / relatime,rw- Scaling Governor: …".
//
// A note ends before "- " if no blank stands there, since notes themselves
// join their parts by " - ", or if what follows begins like a note under
// another heading.
func looseNotes(text string, start int) []Note {
	if start >= len(text) {
		return nil
	}
	if !strings.HasPrefix(text[start:], "- ") {
		return []Note{newNote(otherNotes, text, start, len(text), nil)}
	}
	var out []Note
	from := start + 2
	key := noteKey(text[from:])
	for at := from; ; {
		i := strings.Index(text[at:], "- ")
		if i < 0 {
			break
		}
		i += at
		at = i + 1
		if text[i-1] == '-' || i < from {
			continue
		}
		next := noteKey(text[i+2:])
		switch {
		case text[i-1] == ' ' && (next == "" || next == key):
			continue
		case next == "Compiler" && key == next:
			continue // an option that ends in a dash: --program-prefix=arm-
		}
		out = append(out, newNote(orOther(key), text, from, i, nil))
		from, key = i+2, next
		at = from
	}
	return append(out, newNote(orOther(key), text, from, len(text), nil))
}

func orOther(key string) string {
	if key == "" {
		return otherNotes
	}
	return key
}

const (
	// longestName bounds an identifier in bytes, and mostColons the ": " in
	// one.
	longestName = 300
	mostColons  = 8
)

// NoteNames returns the identifiers that the notes list one by one ("- NAME:
// …"), in order: the longest list under one heading, nil if no heading has
// two. Systems without a note of that kind are not in it. It needs no
// identifiers, but knows only how the notes under PTS's own headings begin.
func NoteNames(text string) []string {
	heads := headings(text)
	var best []string
	for i, h := range heads {
		end := len(text)
		if i+1 < len(heads) {
			end = heads[i+1].start
		}
		if names := namesBelow(text[h.body:end], h.key); len(names) > len(best) {
			best = names
		}
	}
	if len(best) < 2 {
		return nil
	}
	return best
}

// namesBelow reads the names before the notes of a section, whose text begins
// with "- ". It gives up, with nil, where a note does not begin like one.
func namesBelow(text, key string) []string {
	var out []string
	for at := len("- "); ; {
		mark := noteStart(text, at, key)
		if mark < 0 {
			return out
		}
		name := text[at : mark-len(": ")]
		if name == "" {
			return nil
		}
		out = append(out, name)
		next := nextItem(text, mark, key)
		if next < 0 {
			return out
		}
		at = next
	}
}

// noteStart returns the offset of the first note's own words behind a name
// and ": ", or -1.
func noteStart(text string, at int, key string) int {
	i := at
	for range mostColons {
		j := strings.Index(text[i:min(len(text), at+longestName)], ": ")
		if j < 0 {
			return -1
		}
		i += j + len(": ")
		if begins(text[i:], key) {
			return i
		}
	}
	return -1
}

// nextItem returns the offset behind the next "- " that begins an item with a
// name: one without a blank before it if there is any, since notes join their
// parts by " - ".
func nextItem(text string, from int, key string) int {
	spaced := -1
	for at := from; ; {
		i := strings.Index(text[at:], "- ")
		if i < 0 {
			return spaced
		}
		i += at
		at = i + 1
		if text[i-1] == '-' {
			continue
		}
		if m := noteStart(text, i+2, key); m < 0 {
			return spaced
		}
		if begins(text[i+2:], key) {
			continue // a further part of the same note
		}
		if text[i-1] != ' ' {
			if spaced >= 0 && noteStart(text, spaced, key) < i {
				return spaced // an item begins and ends before
			}
			return i + 2
		}
		if spaced < 0 {
			spaced = i + 2
		}
	}
}
