package process

import "fmt"

// Leftover is a process of a replay that still runs.
type Leftover struct {
	PID   int    `json:"pid"`
	Start uint64 `json:"start"` // ticks since boot
	Name  string `json:"name"`  // as the kernel has it, at most 15 bytes
	Why   string `json:"why"`   // how it was found: "marked", "recorded", "below NAME"
}

// String returns the name and the number.
func (l Leftover) String() string { return fmt.Sprintf("%q (pid %d)", l.Name, l.PID) }
