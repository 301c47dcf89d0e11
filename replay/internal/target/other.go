//go:build !linux

package target

import "os"

// Target is an open target.
type Target struct{}

// Open returns ErrSystem.
func Open(string) (*Target, error) { return nil, ErrSystem }

// Dir returns "".
func (t *Target) Dir() string { return "" }

// Identity returns nothing.
func (t *Target) Identity() Identity { return Identity{} }

// Notes returns nothing.
func (t *Target) Notes() []string { return nil }

// Close returns ErrSystem.
func (t *Target) Close() error { return ErrSystem }

// Check returns ErrSystem.
func (t *Target) Check() error { return ErrSystem }

// Mount returns ErrSystem.
func (t *Target) Mount() (Mount, error) { return Mount{}, ErrSystem }

// Free returns ErrSystem.
func (t *Target) Free() (Space, error) { return Space{}, ErrSystem }

// Need returns ErrSystem.
func (t *Target) Need(int64) error { return ErrSystem }

// Sync returns ErrSystem.
func (t *Target) Sync() error { return ErrSystem }

// Devices returns nothing.
func (t *Target) Devices() Devices { return Devices{} }

// NewScratch returns ErrSystem.
func (t *Target) NewScratch(Marker) (*Scratch, error) { return nil, ErrSystem }

// OpenScratch returns ErrSystem.
func (t *Target) OpenScratch(string) (*Scratch, error) { return nil, ErrSystem }

// RemoveEmpty returns ErrSystem.
func (t *Target) RemoveEmpty(string) error { return ErrSystem }

// DropCaches returns ErrSystem.
func DropCaches() error { return ErrSystem }

// Scratch is a directory in a target that a replay made for itself.
type Scratch struct{}

// Dir returns "".
func (s *Scratch) Dir() string { return "" }

// Root returns nil.
func (s *Scratch) Root() *os.Root { return nil }

// Close returns ErrSystem.
func (s *Scratch) Close() error { return ErrSystem }

// Check returns ErrSystem.
func (s *Scratch) Check() error { return ErrSystem }

// Mkdir returns ErrSystem.
func (s *Scratch) Mkdir(string) error { return ErrSystem }

// Own returns ErrSystem.
func (s *Scratch) Own(string, int, int) error { return ErrSystem }

// RemoveTree returns ErrSystem.
func (s *Scratch) RemoveTree(string) error { return ErrSystem }

// Remove returns ErrSystem.
func (s *Scratch) Remove() error { return ErrSystem }

// Locks are held locks.
type Locks struct{}

// LockDir returns the directory for temporary files.
func LockDir() string { return os.TempDir() }

// Lock returns ErrSystem.
func Lock(string, Holder, ...*Target) (*Locks, error) { return nil, ErrSystem }

// Unlock does nothing.
func (l *Locks) Unlock() {}

// RunningSystem is one without devices.
func RunningSystem() System {
	return System{Stat: func(string) (string, string, error) { return "", "", ErrSystem }}
}
