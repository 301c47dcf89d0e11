//go:build !linux

package target

import (
	"errors"
	"os"
)

var errSystem = errors.New("replay measures targets on Linux only")

// Target is an open target.
type Target struct{}

// Open returns errSystem.
func Open(string) (*Target, error) { return nil, errSystem }

// Dir returns "".
func (t *Target) Dir() string { return "" }

// Identity returns nothing.
func (t *Target) Identity() Identity { return Identity{} }

// Notes returns nothing.
func (t *Target) Notes() []string { return nil }

// Close returns errSystem.
func (t *Target) Close() error { return errSystem }

// Check returns errSystem.
func (t *Target) Check() error { return errSystem }

// Mount returns errSystem.
func (t *Target) Mount() (Mount, error) { return Mount{}, errSystem }

// Free returns errSystem.
func (t *Target) Free() (Space, error) { return Space{}, errSystem }

// Need returns errSystem.
func (t *Target) Need(int64) error { return errSystem }

// Sync returns errSystem.
func (t *Target) Sync() error { return errSystem }

// Devices returns nothing.
func (t *Target) Devices() Devices { return Devices{} }

// NewScratch returns errSystem.
func (t *Target) NewScratch(Marker) (*Scratch, error) { return nil, errSystem }

// OpenScratch returns errSystem.
func (t *Target) OpenScratch(string) (*Scratch, error) { return nil, errSystem }

// RemoveEmpty returns errSystem.
func (t *Target) RemoveEmpty(string) error { return errSystem }

// LostWrite returns false.
func LostWrite(error) bool { return false }

// DropCaches returns errSystem.
func DropCaches() error { return errSystem }

// Scratch is a directory in a target that a replay made for itself.
type Scratch struct{}

// Dir returns "".
func (s *Scratch) Dir() string { return "" }

// Root returns nil.
func (s *Scratch) Root() *os.Root { return nil }

// Close returns errSystem.
func (s *Scratch) Close() error { return errSystem }

// Check returns errSystem.
func (s *Scratch) Check() error { return errSystem }

// Mkdir returns errSystem.
func (s *Scratch) Mkdir(string) error { return errSystem }

// Own returns errSystem.
func (s *Scratch) Own(string, int, int) error { return errSystem }

// RemoveTree returns errSystem.
func (s *Scratch) RemoveTree(string) error { return errSystem }

// Remove returns errSystem.
func (s *Scratch) Remove() error { return errSystem }

// Locks are held locks.
type Locks struct{}

// LockDir returns the directory for temporary files.
func LockDir() string { return os.TempDir() }

// Lock returns errSystem.
func Lock(string, Holder, ...*Target) (*Locks, error) { return nil, errSystem }

// Unlock does nothing.
func (l *Locks) Unlock() {}

// runningSystem is one without devices.
func runningSystem() System {
	return System{Stat: func(string) (string, string, error) { return "", "", errSystem }}
}
