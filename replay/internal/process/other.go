//go:build !linux

package process

import (
	"context"
	"syscall"
	"time"
)

// Process is a command that runs.
type Process struct{}

// Run returns ErrSystem.
func Run(context.Context, Command) (Result, error) { return Result{}, ErrSystem }

// Start returns ErrSystem.
func Start(context.Context, Command) (*Process, error) { return nil, ErrSystem }

// Record returns nothing.
func (p *Process) Record() Record { return Record{} }

// Done returns nil.
func (p *Process) Done() <-chan struct{} { return nil }

// Wait returns ErrSystem.
func (p *Process) Wait() (Result, error) { return Result{}, ErrSystem }

// Stop returns ErrSystem.
func (p *Process) Stop(syscall.Signal, time.Duration) (Result, error) { return Result{}, ErrSystem }

// Leftovers returns ErrSystem.
func Leftovers(string, ...Record) ([]Leftover, error) { return nil, ErrSystem }

// KillLeftovers returns ErrSystem.
func KillLeftovers(context.Context, string, ...Record) ([]Leftover, error) { return nil, ErrSystem }

// bootID returns "".
func bootID() string { return "" }

// Reach returns ErrSystem.
func (a *Account) Reach(string) error { return ErrSystem }
