//go:build !linux

package lab

import "context"

// Images are the disks of a lab that stands in a guest; there is none on this
// system.
type Images struct{}

// OpenImages returns ErrSystem.
func OpenImages(context.Context, Setup) (*Images, error) { return nil, ErrSystem }

// Dir returns "".
func (*Images) Dir() string { return "" }

// Path returns "".
func (*Images) Path(int, int) string { return "" }

// Reset returns ErrSystem.
func (*Images) Reset() error { return ErrSystem }

// Close returns ErrSystem.
func (*Images) Close(context.Context) ([]string, error) { return nil, ErrSystem }

// OpenOn returns ErrSystem.
func OpenOn(context.Context, Setup, string, func(int, int) (string, error)) (*Lab, error) {
	return nil, ErrSystem
}
