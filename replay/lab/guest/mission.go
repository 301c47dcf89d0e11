package guest

import (
	"encoding/json"
	"fmt"

	"github.com/benchproof/benchproof/replay/lab"
)

// Accelerators: how the guest's instructions are run.
const (
	TCG = "tcg" // translated: slow, and works everywhere
	KVM = "kvm" // by the processor, where /dev/kvm works
)

// mission is what a guest is told of itself. It is in its root.
type mission struct {
	ID      string      `json:"id"`
	Configs []lab.Named `json:"configs"`
	Shares  []share     `json:"shares"`
	Journal string      `json:"journal"` // where it is in the guest
	Modules []string    `json:"modules"` // files in the order of loading
	Path    string      `json:"path"`    // PATH
	// Task is the caller's, for what runs inside.
	Task json.RawMessage `json:"task"`
}

// share is a directory of this machine that the guest mounts at the same path,
// or elsewhere.
type share struct {
	Tag      string `json:"tag"`
	Host     string `json:"-"`
	Point    string `json:"point"`
	Writable bool   `json:"writable"`
}

// Places in the guest.
const (
	missionFile  = "/mission.json"
	journalPoint = "/journal"
	sitesDir     = "/lab"
)

// Files of talkDir in the journal's directory, by which host and guest talk.
// Both see them at once.
const (
	talkDir      = "guest"
	aliveFile    = "alive"          // the guest changes it while it works
	progressFile = "progress.jsonl" // what the guest says
	stopFile     = "stop"           // its being there asks the guest to end
	endFile      = "end.json"       // how the guest's work ended
)

// ended is what endFile holds.
type ended struct {
	Result json.RawMessage `json:"result"`
	Error  string          `json:"error,omitempty"`
}

// serial returns the serial number of a disk, by which the guest finds it.
func serial(config, disk int) string { return fmt.Sprintf("c%dd%d", config, disk) }
