//go:build !linux

package lab

import (
	"context"

	"github.com/benchproof/benchproof/result"
)

// Lab is a lab that stands; there is none on this system.
type Lab struct{}

// CheckDir returns ErrSystem.
func CheckDir(string) (string, error) { return "", ErrSystem }

// Share returns ErrSystem.
func Share(Config, int) (int64, error) { return 0, ErrSystem }

// This returns a machine that can make nothing.
func This() *Machine { return &Machine{} }

// Open returns ErrSystem.
func Open(context.Context, Setup) (*Lab, error) { return nil, ErrSystem }

// Clean returns ErrSystem.
func Clean(context.Context, string, string) ([]string, error) { return nil, ErrSystem }

// Sweep returns ErrSystem.
func Sweep(context.Context, string) ([]string, error) { return nil, ErrSystem }

// Close returns ErrSystem.
func (*Lab) Close(context.Context) ([]string, error) { return nil, ErrSystem }

// Dir returns "".
func (*Lab) Dir(string) string { return "" }

// Room returns ErrSystem.
func (*Lab) Room(string, int64) error { return ErrSystem }

// Group returns "".
func (*Lab) Group(string) string { return "" }

// Begin returns ErrSystem.
func (*Lab) Begin(string) error { return ErrSystem }

// End returns ErrSystem.
func (*Lab) End(string) error { return ErrSystem }

// Trim returns ErrSystem.
func (*Lab) Trim(string) error { return ErrSystem }

// Disk returns "".
func (*Lab) Disk(string) string { return "" }

// Notes returns nil.
func (*Lab) Notes(string) []result.Component { return nil }
