//go:build !linux

package host

import (
	"errors"

	"github.com/benchproof/benchproof/result"
)

var errSystem = errors.New("facts of the machine are read on Linux only")

// Machine is where the facts are read.
type Machine struct{}

// This returns a machine of which nothing can be read.
func This() *Machine { return &Machine{} }

// System returns a system of which nothing is known.
func (m *Machine) System(identifier string, _ Place) result.System {
	return result.System{Identifier: identifier}
}

// Snapshot returns errSystem.
func (m *Machine) Snapshot(Place) (*Snapshot, error) { return nil, errSystem }
