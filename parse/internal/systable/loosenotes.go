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

// looseNotes divides the notes of a page of one system, which have no
// headings: "- --build=… -v- NONE / relatime,rw- Scaling Governor: …".
//
// A note ends before "- " if no blank stands there, since notes themselves
// join their parts by " - ", or if what follows begins like a note under
// another heading.
func looseNotes(text string, start int) []note {
	if start >= len(text) {
		return nil
	}
	if !strings.HasPrefix(text[start:], "- ") {
		return []note{newNote(otherNotes, text, start, len(text), nil)}
	}
	var out []note
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
