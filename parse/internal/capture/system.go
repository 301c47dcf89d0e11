package capture

import (
	"strings"

	"github.com/benchproof/benchproof/parse/internal/build"
	"github.com/benchproof/benchproof/parse/internal/vocab"
	"github.com/benchproof/benchproof/result"
)

// table is the table of the system while it is read.
type table struct {
	open   bool
	group  string // the heading that the lines below belong to
	kind   string // "Hardware" or "Software" of the form of PTS 5 and before
	rows   int
	last   *[]result.Component // where the last component stands
	blanks int
}

// headings are the keys that the table prints in capitals.
var headings = map[string]string{
	"PROCESSOR": "Processor", "GRAPHICS": "Graphics", "MOTHERBOARD": "Motherboard", "MEMORY": "Memory",
	"DISK": "Disk", "OPERATING SYSTEM": "OS", "NETWORK": "Network", "AUDIO": "Audio", "MONITOR": "Monitor",
	"CHIPSET": "Chipset", "NPU": "NPU", "ACCELERATOR": "Accelerator",
}

// blank takes a blank line: two of them end a table that has rows.
func (t *table) blank() {
	if t.blanks++; t.blanks > 3 && t.rows > 0 {
		t.open = false
	}
}

// line takes a line of the table, and reports whether it is one.
func (t *table) line(line string, s *result.System) bool {
	text := strings.TrimSpace(line)
	t.blanks = 0
	switch text {
	case "Hardware:", "Software:":
		t.kind = strings.TrimSuffix(text, ":")
		return true
	}
	if t.kind != "" && !indented(line) {
		list := build.Components(text)
		if t.kind == "Hardware" {
			s.Hardware = list
		} else {
			s.Software = list
			t.open = false
		}
		t.kind = ""
		t.rows++
		return true
	}
	if !indented(line) {
		t.open = t.rows == 0
		return false
	}
	if rest, ok := strings.CutPrefix(text, "+ "); ok && t.last != nil && len(*t.last) > 0 {
		c := &(*t.last)[len(*t.last)-1]
		c.Value += " + " + strings.TrimSpace(rest)
		return true
	}
	key, value, ok := strings.Cut(text, ":")
	value = strings.TrimSpace(value)
	if !ok || value == "" || strings.HasSuffix(value, ":") || strings.Contains(text, "(Y/n)") {
		t.open = false
		return false
	}
	t.rows++
	if full, ok := headings[key]; ok {
		key, t.group = full, full
	}
	switch vocab.KeyKind(key) {
	case vocab.Hardware:
		t.last = &s.Hardware
	case vocab.Software:
		t.last = &s.Software
	default:
		// "Core Count" below PROCESSOR and the like.
		t.last = &s.Notes
		if t.group != "" {
			key = t.group + " " + key
		}
	}
	*t.last = append(*t.last, result.Component{Key: key, Value: value})
	return true
}
