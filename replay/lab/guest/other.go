//go:build !linux

package guest

import (
	"context"
	"encoding/json"

	"github.com/benchproof/benchproof/replay/lab"
)

// Setup is what a guest is made of.
type Setup struct {
	lab.Setup
	Journal string
	Self    string
	Path    []string
}

// Guest is the disks and the root of a guest; there is none on this system.
type Guest struct{}

// End is how a guest ended.
type End struct {
	Died, Log, Failed string
	Result            json.RawMessage
}

// Inside is a guest as what runs in it sees it.
type Inside struct {
	Configs                 []lab.Named
	Task                    json.RawMessage
	Journal, Path, SitesDir string
}

// Open returns an error.
func Open(context.Context, Setup) (*Guest, error) { return nil, lab.ErrSystem }

// Kernel returns "".
func (*Guest) Kernel() string { return "" }

// Close returns an error.
func (*Guest) Close(context.Context) ([]string, error) { return nil, lab.ErrSystem }

// Boot returns an error.
func (*Guest) Boot(context.Context, any, func([]byte)) (End, error) { return End{}, lab.ErrSystem }

// Main returns an error.
func Main(func(context.Context, *Inside) (any, error)) error { return lab.ErrSystem }

// Tell does nothing.
func (*Inside) Tell(any) {}

// Disk returns an error.
func (*Inside) Disk(int, int) (string, error) { return "", lab.ErrSystem }
