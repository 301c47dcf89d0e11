package result

import "strings"

// System is one column of a result file: a machine, or one configuration of
// it.
type System struct {
	// Identifier is the full name as published, groups joined as PTS joins
	// them ("HDD: EXT4").
	Identifier string
	// GroupPath is the division of Identifier in a multi-way comparison
	// (["HDD", "EXT4"]); nil where the result is no multi-way one.
	GroupPath []string
	// Decode says how sure the reader is of Identifier. Only the flattened
	// form makes it other than DecodeExact.
	Decode Decode

	// Hardware and Software are the components in published order.
	Hardware []Component
	Software []Component
	// Notes are the system's published notes in order, keyed as published
	// ("Compiler", "Disk", "Processor", "Security").
	Notes []Component
	// InheritedKeys names the components that the source's systems table
	// does not print for this system, since they equal those of the column
	// before. In such a table "same" and "absent" look alike.
	InheritedKeys []string

	// Of composite.xml and the JSON export; empty elsewhere.
	User          string
	Timestamp     string // as published
	ClientVersion string
	NotesText     string // System/Notes, free text
	Details       []byte // System/JSON, the published JSON text

	Origin Origin
}

// Component is one key and value of a system's hardware, software or notes.
type Component struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// String returns the component as PTS writes it, "Key: value" or the value alone.
func (c Component) String() string { return keyed(c.Key, c.Value) }

func keyed(key, value string) string {
	if key == "" {
		return value
	}
	return key + ": " + value
}

// ComponentText joins components as PTS does: "Key: value, Key: value".
func ComponentText(list []Component) string {
	parts := make([]string, len(list))
	for i, c := range list {
		parts[i] = c.String()
	}
	return strings.Join(parts, ", ")
}

// Kinds of components, as the table "systems" prints them.
const (
	KindHardware = "hardware"
	KindSoftware = "software"
	KindNotes    = "notes"
)

// Inherited reports whether the source did not print the component key for
// this system but for the column before it.
func (s *System) Inherited(key string) bool {
	for _, k := range s.InheritedKeys {
		if k == key {
			return true
		}
	}
	return false
}

// Group returns the system's group in a multi-way comparison, the elements
// of GroupPath but the last, joined by ": "; "" where there is none.
func (s *System) Group() string {
	if len(s.GroupPath) < 2 {
		return ""
	}
	return strings.Join(s.GroupPath[:len(s.GroupPath)-1], ": ")
}

// Label returns the system's name within its group, the last element of
// GroupPath, or the whole identifier.
func (s *System) Label() string {
	if len(s.GroupPath) == 0 {
		return s.Identifier
	}
	return s.GroupPath[len(s.GroupPath)-1]
}

// Keys of the notes that say which host a system of several is, and which
// configuration of it.
const (
	HostNote          = "Host"
	ConfigurationNote = "Configuration"
)

// SetGroups sets GroupPath of every system by PTS's rule for multi-way
// comparisons: two or more systems, and every identifier holds one colon,
// with a blank behind it. Otherwise all GroupPaths become nil.
func SetGroups(systems []System) {
	multi := len(systems) > 1
	for i := range systems {
		id := systems[i].Identifier
		multi = multi && strings.Count(id, ":") == 1 && strings.Contains(id, ": ")
	}
	for i := range systems {
		systems[i].GroupPath = nil
		if multi {
			systems[i].GroupPath = strings.Split(systems[i].Identifier, ": ")
		}
	}
}
