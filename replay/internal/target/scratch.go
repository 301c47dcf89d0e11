package target

import (
	"fmt"
	"time"
)

// ScratchPrefix begins the name of every scratch directory; the identifier of
// the replay follows.
const ScratchPrefix = ".benchproof-replay-"

// MarkerName is the file that marks a scratch directory.
const MarkerName = ".benchproof-scratch.json"

// MarkerSchema is the schema of a marker.
const MarkerSchema = "benchproof/scratch/1"

// Marker is what a scratch directory says of itself.
type Marker struct {
	Schema  string    `json:"schema"`
	ID      string    `json:"id"` // of the replay
	PID     int       `json:"pid"`
	Boot    string    `json:"boot"`
	Started time.Time `json:"started"`
	Program string    `json:"program"` // "benchproof 1.2.0"
	Journal string    `json:"journal"` // directory of the journal, absolute
}

// ValidID reports whether a replay may be called so: 1 to 64 letters, digits,
// dots, dashes and underlines, the first a letter or digit.
func ValidID(id string) bool {
	if id == "" || len(id) > 64 {
		return false
	}
	for i, r := range id {
		alnum := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		if !alnum && (i == 0 || r != '.' && r != '-' && r != '_') {
			return false
		}
	}
	return true
}

// checkMarker returns why a marker is not one of the replay.
func (m Marker) check(id string) error {
	switch {
	case m.Schema != MarkerSchema:
		return fmt.Errorf("marker of schema %q, expected %q", m.Schema, MarkerSchema)
	case m.ID != id:
		return fmt.Errorf("marker of replay %q, expected %q", m.ID, id)
	}
	return nil
}
