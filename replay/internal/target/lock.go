package target

import "time"

// Holder is who holds a lock.
type Holder struct {
	ID      string    `json:"id"` // of the replay
	PID     int       `json:"pid"`
	User    int       `json:"user"`
	Target  string    `json:"target"`
	Started time.Time `json:"started"`
}
